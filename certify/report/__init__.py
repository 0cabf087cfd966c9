"""What people read: summaries for a terminal."""
