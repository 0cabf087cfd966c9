"""What each mechanism draws: from a claim and private data to a plan, or a refusal."""
