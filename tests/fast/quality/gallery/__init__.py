"""Backends to test the checks with: each faulty one has a single realistic fault, each sound none.

They are functions of ordinary parameters, built on the float64 backend or the reference, so that
each fault is what a reader sees and nothing else is wrong.
"""

from . import (
    faults_of_chains,
    faults_of_laws,
    faults_of_mechanisms,
    faults_of_noise,
    faults_of_profiles,
    faults_of_state,
    soundness,
)
from .entries import Entry, faulty, sound

__all__ = ["Entry", "faulty", "forget", "sound"]
_ = faults_of_chains, faults_of_mechanisms, faults_of_noise, faults_of_profiles, soundness


def forget() -> None:
    """Empty the caches and begin to count anew, as in a process that has just started."""
    faults_of_state.forget()
    faults_of_laws.forget()
