"""What can be wrong with a certificate, one class per kind; the message says which part and why."""

from __future__ import annotations

from ...reference.errors import SimplexcertError

_MOST_SAID = 300


def plainly(error: Exception) -> str:
    """Return a library's message in ASCII and cut: it may quote a hostile name as it stands."""
    return ascii(str(error))[1:-1][:_MOST_SAID]


def in_quotes(text: str) -> str:
    """Return a stranger's text in quotes and in ASCII, cut where no message goes on."""
    return ascii(text[:_MOST_SAID])


# A sentence has so many reasons; ``reasons`` has all of them.
_MOST_REASONS = 5


class CertificateError(SimplexcertError):
    """A certificate does not check: ``reasons`` are all that are known, each a sentence."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = reasons
        said = list(reasons[:_MOST_REASONS])
        if more := len(reasons) - len(said):
            said.append(f"and {more} more reason{'' if more == 1 else 's'}")
        super().__init__("; ".join(said))


class ShapeError(CertificateError):
    """A field is missing, unknown, or not of its kind."""


class LimitError(CertificateError):
    """It is larger, deeper or longer than anything that is read."""


class CanonicalFormError(CertificateError):
    """The bytes are not the canonical JSON of what they say."""


class VersionError(CertificateError):
    """It is a statement of a type, or of a version, that is not known."""


class EnvelopeError(CertificateError):
    """What is signed is not wrapped as a DSSE envelope has to be."""


class SignatureError(CertificateError):
    """A signature that was asked for is missing or does not verify."""


class AlgebraError(CertificateError):
    """The parts do not go together, or the verdict does not follow from them."""


class WitnessError(CertificateError):
    """A worst case, or the inputs that refute a claim, worked out again, say something else."""


class ClaimError(CertificateError):
    """The claim of a release, decided again, comes out differently."""


class EvidenceError(CertificateError):
    """A number that a release's verdict rests on, worked out again, is another one."""


class SubjectError(CertificateError):
    """The file at hand is not one that the certificate is about."""


class TranscriptError(CertificateError):
    """The cases of the transcript are not those that the certificate is about."""


class PolicyError(CertificateError):
    """It checks, and does not keep bounds that its reader gave."""
