"""The text that TensorFlow Privacy prints of DP-SGD: its statement, and the line of old versions.

The statement (compute_dp_sgd_privacy_statement, from version 0.8.8 on) has an epsilon for any order
of the data and one for Poisson samples, of an example and maybe of a user. The line before it
(compute_dp_sgd_privacy) has one epsilon, for Poisson samples, and its sampling rate is rounded. All
epsilons are rounded to the nearest, so that one can be false by its rounding alone: it is refuted
only where the largest number is that is printed so. The laws of this: proofs_notes/
published-statements.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, exact_text, shown
from ..mechanisms.neighbours import ADD_REMOVE
from .said import ClaimTable, Published, Rounded, Said

KIND: Final = "TensorFlow Privacy's text on DP-SGD"
# A statement has some 1,500 characters.
MAX_BYTES: Final = 20_000
_NUMBER = r"[0-9][0-9.e+-]{0,39}"
_EPSILON = rf"(?:{_NUMBER}|inf(?: \(\*\*\))?)"


def _pair(who: str) -> str:
    return (
        rf"Epsilon with each example occurring once per epoch: (?P<{who}once>{_EPSILON}) "
        rf"Epsilon assuming Poisson sampling \(\*\): (?P<{who}poisson>{_EPSILON})"
    )


_TRAINING: Final = (
    rf"DP-SGD performed over (?P<examples>{_NUMBER}) examples with (?P<batch>{_NUMBER}) examples "
    rf"per iteration, noise multiplier (?P<noise>{_NUMBER}) for (?P<epochs>{_NUMBER}) epochs "
    r"(?P<micro>with|without) microbatching, and (?:no bound on number of examples per user|"
    rf"at most (?P<most>{_NUMBER}) examples per user)\."
)
_CHECKPOINTS: Final = (
    r"This privacy guarantee protects the release of all model checkpoints in addition to the "
    r"final model\."
)
_OF_EXAMPLE: Final = (
    rf"Example-level DP with add-or-remove-one adjacency at delta = (?P<delta>{_NUMBER}) "
    rf"computed with (?:RDP|PLD) accounting: {_pair('')}"
)
_NO_USER: Final = (
    r"(?:No user-level privacy guarantee is possible without a bound on the number of examples per "
    r"user\.|User-level DP epsilon computation is not supported for PLD accounting at this time\. "
    r"Use RDP accounting to obtain user-level DP guarantees\.)"
)
_OF_USER: Final = (
    rf"User-level DP with add-or-remove-one adjacency at delta = (?P<user_delta>{_NUMBER}) "
    rf"computed using (?:RDP|PLD) accounting and group privacy: {_pair('user_')}"
)
_ON_SAMPLING: Final = (
    r"\(\*\) Poisson sampling is not usually done in training pipelines, but assuming that the "
    r"data was randomly shuffled, it is believed that the actual epsilon should be closer to this "
    r"value than the conservative assumption of an arbitrary data order\."
)
_ON_INFINITY: Final = (
    r"\(\*\*\) A finite example-level epsilon implies a finite user-level epsilon at any "
    r"`max_examples_per_user`, but because conversion from example-level to user-level DP is not "
    r"exact, it is possible for the upper bound on the user-level epsilon to still be infinite\."
)
# The parts of a statement in their order, and what one that has to be there is called.
_PARTS: Final = (
    (_TRAINING, "the training"),
    (_CHECKPOINTS, ""),
    (_OF_EXAMPLE, "the two epsilons of an example"),
    (_NO_USER, ""),
    (_OF_USER, ""),
    (_ON_SAMPLING, ""),
    (_ON_INFINITY, ""),
)
_LINE: Final = re.compile(
    rf"DP-SGD with sampling rate = (?P<rate>{_NUMBER})% and noise_multiplier = "
    rf"(?P<noise>{_NUMBER}) iterated over (?P<steps>{_NUMBER}) steps satisfies differential "
    r"privacy with "
    rf"eps = (?P<epsilon>{_NUMBER}) and delta = (?P<delta>{_NUMBER})\."
    rf"(?: The optimal RDP order is {_NUMBER}\.)?"
    r"(?: The privacy estimate is likely to be improved by expanding the set of orders\.)?"
)
# Text is folded between words and after a hyphen that stands in one.
_FOLDED_HYPHEN: Final = re.compile(r"(?<=[A-Za-z]-) (?=[A-Za-z])")
_SHOWN_TEXT: Final = 60
# A text's epsilons have three decimals, the old line's numbers three figures.
_DECIMALS, _FIGURES = 3, 3
# A smaller epsilon is a stronger claim; beyond this none hides anything, and powers of e get long.
_MOST_GROUP_EPSILON: Final = Fraction(1000)
_DELTA_DIGITS: Final = 20
_MOST_PLACES: Final = 20

_SAME_STEP: Final = (
    "each example is in one step of each pass over the data, which one does not depend on what the "
    "examples are"
)
_TWICE: Final = (
    "a record is in one microbatch alone, so that it changes a sum by at most twice the norm"
)
_BY_MICROBATCH: Final = (
    "by how much one record changes a sum of microbatches' clipped gradients: by the norm, or by "
    "up to twice that"
)
_UNROUNDED: Final = "the epsilon before it was rounded: up to {} is printed {}"
_STEPS: Final = "how many steps were taken: {} or {}"
_SPREAD: Final = "how many of a user's examples can be in one batch, or in one microbatch"
_ONCE, _POISSON = "once in each epoch, in any order", "in Poisson samples"
_RATE: Final = "the sampling rate before it was rounded: from {} % to {} %"
_TOGETHER: Final = (
    "how a user's examples are spread over the batches: the pair of a user who has several in "
    "Poisson samples is not known here"
)
_BY_GROUP: Final = (
    "by group privacy: (e, d) of one example gives (K e, d (exp(K e) - 1)/(exp(e) - 1)) of K"
)


def published_in(content: bytes, where: str) -> Published:
    """Return what a printed text says. Raises InputError with a sentence for any other text."""
    if len(content) > MAX_BYTES:
        raise InputError(f"{where} is larger than {MAX_BYTES} bytes; no text of DP-SGD is")
    try:
        text = _FOLDED_HYPHEN.sub("", " ".join(content.decode("utf-8-sig").split()))
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not UTF-8 text: {error.reason}") from None
    line = _LINE.fullmatch(text)
    if line is not None:
        return _of_line(line, where)
    return _of_statement(_fields_of(text, where), where)


def _fields_of(text: str, where: str) -> Mapping[str, str]:
    """Return the numbers of a statement, which has to be the whole text."""
    found: dict[str, str] = {}
    for words, name in _PARTS:
        match = re.match(words, text)
        if match is None:
            if name:
                raise InputError(
                    f"{where} is no text that TensorFlow Privacy prints: {name} should stand "
                    f"where it says {shown(text[:_SHOWN_TEXT])}"
                )
            continue
        found |= {key: value for key, value in match.groupdict().items() if value is not None}
        text = text[match.end() :].lstrip(" ")
    if text:
        raise InputError(
            f"{where} goes on after TensorFlow Privacy's statement: {shown(text[:_SHOWN_TEXT])}; "
            "give the statement alone"
        )
    return found


class _Training:
    """The numbers of a statement, exact."""

    def __init__(self, fields: Mapping[str, str], where: str) -> None:
        def read(key: str) -> Fraction:
            number = exact_number(fields[key], f"{where}: {key}")
            if number <= 0:
                raise DomainError(f"{where}: {key} = {shown(number)} is not above 0")
            return number

        self.noise = read("noise")
        self.examples, self.batch, self.epochs = read("examples"), read("batch"), read("epochs")
        if self.batch > self.examples:
            raise DomainError(
                f"{where}: a batch of {shown(self.batch)} is more than all "
                f"{shown(self.examples)} examples"
            )
        self.twice = 2 if fields["micro"] == "with" else 1
        self.most = exact_integer(fields["most"], f"{where}: most") if "most" in fields else None
        if self.most is not None and self.most < 1:
            raise DomainError(f"{where}: at most {shown(self.most)} examples per user are none")

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is taken for granted of microbatches where a claim is certified."""
        return (_TWICE,) if self.twice > 1 else ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """What the text leaves open of microbatches."""
        return (_BY_MICROBATCH,) if self.twice > 1 else ()

    @property
    def unknown_steps(self) -> tuple[str, ...]:
        """What it leaves open of the number of steps."""
        fewest, most = self.steps
        return () if fewest == most else (_STEPS.format(shown(fewest), shown(most)),)

    @property
    def passes(self) -> int:
        """How often an example takes part where it does once in each pass that was begun."""
        return ceil(self.epochs)

    def once(self, moved: int, name: str, epsilon: Fraction, delta: Fraction) -> ClaimTable:
        """Return the claim of a Gaussian sum a pass that is moved by so many norms."""
        event = {
            "mechanism": "gaussian",
            "noise_multiplier": plain(self.noise / moved),
            "count": exact_text(Fraction(self.passes)),
        }
        release = {"name": name, "mechanism": "composition", "neighbours": ADD_REMOVE}
        return _claim({**release, "events": [event]}, epsilon, delta)

    @property
    def steps(self) -> tuple[int, int]:
        """How many steps that is at least and at most; the text does not say."""
        exact = self.epochs * self.examples / self.batch
        return max(floor(exact), 1), ceil(exact)

    def poisson(
        self, moved: int, steps: int, name: str, epsilon: Fraction, delta: Fraction
    ) -> ClaimTable:
        """Return the claim of so many Poisson samples, each sum moved by so many norms."""
        numbers = {"batch": self.batch, "records": self.examples, "steps": Fraction(steps)}
        release = {
            "name": name,
            "mechanism": "dpsgd.poisson",
            "neighbours": ADD_REMOVE,
            "noise_multiplier": plain(self.noise / moved),
            **{key: plain(value) for key, value in numbers.items()},
        }
        return _claim(release, epsilon, delta)


def _claim(release: Mapping[str, object], epsilon: Fraction, delta: Fraction) -> ClaimTable:
    claim = {"epsilon": plain(epsilon), "delta": plain(delta)}
    return {"release": release, "claim": claim}


def _of_statement(fields: Mapping[str, str], where: str) -> Published:
    training = _Training(fields, where)
    said = [*_of_example(fields, training, where)]
    not_said: list[str] = []
    if "user_delta" in fields:
        if training.most is None:
            raise InputError(f"{where} has epsilons of a user, and no bound on a user's examples")
        said += _of_user(fields, training, training.most, where)
    else:
        not_said.append("Anything of a user who has several examples.")
    if not said:
        raise InputError(f"{where} says nothing: each epsilon in it is infinite")
    infinite = [key for key in fields if fields[key].startswith("inf")]
    if infinite:
        not_said.append(
            "Anything where the text's epsilon is infinite: that is true of everything."
        )
    about = f"DP-SGD over {fields['examples']} examples, {fields['epochs']} epochs"
    return Published(about, KIND, tuple(said), tuple(not_said))


def _finite(fields: Mapping[str, str], key: str, where: str) -> tuple[Fraction, Fraction] | None:
    """Return a printed epsilon, and the largest that is printed so; None for an infinite one."""
    text = fields[key]
    if text.startswith("inf"):
        return None
    number = exact_number(text, f"{where}: epsilon")
    return number, number + Fraction(1, 2 * 10**_DECIMALS)


def _delta(fields: Mapping[str, str], key: str, where: str) -> Fraction:
    delta = exact_number(fields[key], f"{where}: delta")
    if not 0 <= delta <= 1:
        raise DomainError(f"{where}: delta = {shown(delta)} is not in [0, 1]")
    return delta


def _of_example(fields: Mapping[str, str], training: _Training, where: str) -> Iterator[Said]:
    delta = _delta(fields, "delta", where)
    at = f"at delta = {fields['delta']}, of one example"
    once, poisson = (_finite(fields, key, where) for key in ("once", "poisson"))
    if once is not None:
        name = f"one example, {_ONCE}"
        yield Said(
            f"epsilon = {fields['once']} {at}, {_ONCE}",
            training.once(training.twice, name, once[0], delta),
            training.once(1, name, once[1], delta),
            (_SAME_STEP, *training.assumed),
            training.unknown,
            rounded=_rounded(fields["once"], *once),
        )
    if poisson is not None:
        name, (fewest, most) = f"one example, {_POISSON}", training.steps
        yield Said(
            f"epsilon = {fields['poisson']} {at}, {_POISSON}",
            training.poisson(training.twice, most, name, poisson[0], delta),
            training.poisson(1, fewest, name, poisson[1], delta),
            training.assumed,
            (*training.unknown, *training.unknown_steps),
            rounded=_rounded(fields["poisson"], *poisson),
        )


def _of_user(
    fields: Mapping[str, str], training: _Training, most: int, where: str
) -> Iterator[Said]:
    delta = _delta(fields, "user_delta", where)
    at = f"at delta = {fields['user_delta']}, of a user with at most {shown(most)} examples"
    once, poisson = (_finite(fields, f"user_{key}", where) for key in ("once", "poisson"))
    if once is not None:
        # Of microbatches there may be one alone, which all of a user's examples are in.
        together = min(most, max(floor(training.batch), 1)) if training.twice == 1 else 1
        yield Said(
            f"epsilon = {fields['user_once']} {at}, {_ONCE}",
            training.once(training.twice * most, f"a user, {_ONCE}", once[0], delta),
            training.once(together, f"a user, {_ONCE}", once[1], delta),
            (_SAME_STEP, *training.assumed),
            (*training.unknown, *((_SPREAD,) if together < most else ())),
            rounded=_rounded(fields["user_once"], *once),
        )
    if poisson is not None:
        group, (fewest, steps) = of_one_example(poisson[0], delta, most), training.steps
        name = f"one of a user's examples, {_POISSON}"
        yield Said(
            f"epsilon = {fields['user_poisson']} {at}, {_POISSON}",
            training.poisson(training.twice, steps, name, *group),
            training.poisson(1, fewest, f"a user with one example, {_POISSON}", poisson[1], delta),
            training.assumed,
            (_TOGETHER, *training.unknown, *training.unknown_steps),
            _BY_GROUP.replace("K", shown(most)) if most > 1 else "",
            _rounded(fields["user_poisson"], *poisson),
        )


def of_one_example(epsilon: Fraction, delta: Fraction, most: int) -> tuple[Fraction, Fraction]:
    """Return an epsilon and a delta of one example that give those of ``most`` examples together.

    By group privacy, e = epsilon/most and d = delta (exp(e) - 1)/(exp(epsilon) - 1), rounded down
    (proofs_notes/published-statements.md, group-privacy).
    """
    epsilon = min(epsilon, _MOST_GROUP_EPSILON)
    each = epsilon / most
    if most == 1 or not delta:
        return each, delta
    if not epsilon:
        return each, delta / most
    with working_precision(4 * _DELTA_DIGITS + 64):
        share = ball(delta) * ball(each).expm1() / ball(epsilon).expm1()
        lower, _ = enclosure_of(share).decimals(_DELTA_DIGITS)
    return each, exact_number(lower)


def _of_line(match: re.Match[str], where: str) -> Published:
    """Return what the line of old versions says: rate and epsilon have three figures."""
    noise = exact_number(match["noise"], f"{where}: noise_multiplier")
    steps = exact_integer(match["steps"], f"{where}: steps")
    delta = _delta(match.groupdict(), "delta", where)
    rate = exact_number(match["rate"], f"{where}: sampling rate")
    epsilon = exact_number(match["epsilon"], f"{where}: epsilon")
    if not 0 < rate <= 100:  # noqa: PLR2004
        raise DomainError(f"{where}: a sampling rate of {shown(rate)} % is not in (0, 100]")
    low, high = ((rate + sign * half_unit(rate)) / 100 for sign in (-1, 1))
    most = epsilon + (half_unit(epsilon) if epsilon else 0)

    def claim(probability: Fraction, claimed: Fraction) -> ClaimTable:
        release = {
            "name": f"DP-SGD of {match['steps']} steps",
            "mechanism": "dpsgd.poisson",
            "neighbours": ADD_REMOVE,
            "noise_multiplier": plain(noise),
            "sampling_probability": plain(probability),
            "steps": exact_text(steps),
        }
        return _claim(release, claimed, delta)

    said = Said(
        f"epsilon = {match['epsilon']} at delta = {match['delta']}, of one example, in Poisson "
        "samples",
        claim(min(high, Fraction(1)), epsilon),
        claim(low, most),
        ("there are no microbatches of several examples",),
        (_RATE.format(_brief(low * 100), _brief(high * 100)),),
        rounded=_rounded(match["epsilon"], epsilon, most),
    )
    return Published(f"DP-SGD of {match['steps']} steps", KIND, (said,))


def _rounded(text: str, printed: Fraction, most: Fraction) -> Rounded:
    return Rounded(printed, most, _UNROUNDED.format(_brief(most), text))


def half_unit(number: Fraction) -> Fraction:
    """Return half a unit of the last of three figures of a number above 0."""
    size = number.numerator.bit_length() - number.denominator.bit_length()
    exponent = floor((size - 1) * log10(2)) - 1
    while Fraction(10) ** (exponent + 1) <= number:
        exponent += 1
    return Fraction(10) ** (exponent - _FIGURES + 1) / 2


def plain(number: Fraction) -> str:
    """Return a number with a short decimal as that, any other as a fraction, of whatever length."""
    for places in range(_MOST_PLACES):
        scaled = number * 10**places
        if scaled.denominator == 1:
            digits = exact_text(scaled).rjust(places + 1, "0")
            point = len(digits) - places
            return ".".join((digits[:point], digits[point:])).rstrip(".")
    return exact_text(number)


def _brief(number: Fraction) -> str:
    text = plain(number)
    return text if len(text) <= _SHOWN_TEXT else shown(number)
