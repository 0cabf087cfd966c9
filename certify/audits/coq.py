"""A certified claim as a theorem: a file that Coq checks, and nobody needs to trust its author.

The theorem says of the claim's own numbers what ``private`` of CheckedClaim.v says
(proofs_notes/machine_checked). Its proof bounds q and the front factor of the profile's series by
rationals, which CoqInterval confirms, and compares whole numbers, which Coq works out itself. What
is chosen here decides nothing: a wrong choice is a proof that Coq refuses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import gmpy2

from ...reference.errors import InputError
from ...reference.exact import exact_text, shown
from ..mechanisms.protocol import Claim
from ..verdict import Verdict
from .decision import Audit

# So many figures of q, of the front factor and of the series' first terms are kept, in bits.
_BITS: Final = 120
# So small a share is what the sums leave out: nearer to the truth no delta is proved.
_LEFT_OUT: Final = 10**12
# Coq takes seconds for so many terms; a decimal that is written out has at most 4,300 figures, more
# than the smallest number e^-MOST_EXPONENT and what comes of numbers of MOST_DIGITS figures.
MOST_TERMS: Final = 50_000
MOST_EXPONENT: Final = 8_000
MOST_DIGITS: Final = 300
_PROFILE: Final = "dirichlet.profile.delta"

_TEXT: Final = """\
(* simplexcert: a claim of differential privacy, as a theorem.

   {releases}
   is claimed to keep epsilon = {epsilon}, delta = {delta}. In the theorem x and y are what two
   coordinates hold, k x + offset and k y + offset their parameters of the Dirichlet law. The
   theorem is about Beta laws: that no more is seen of two coordinates than of their ratio is on
   paper (proofs_notes/dominating-pair.md, ratio-is-sufficient).

   Coq 8.16 with Coquelicot and Interval accepts this file if it is true:

     coqc -Q DIR Simplexcert PROOF.v

   DIR holds the theory, which is compiled once: `make proofs` leaves it in build/machine_checked;
   an installed package has its sources in share/simplexcert/machine_checked. *)
From Coq Require Import Reals Lra ZArith.
From Interval Require Import Tactic.
From Simplexcert Require Import UnitInterval CheckedClaim.
Local Open Scope R_scope.

Definition k := {k}.
Definition offset := {offset}.
Definition floor := {floor}.
Definition shift := {shift}.
Definition epsilon := {epsilon_real}.
Definition delta := {delta_real}.

Theorem claim : forall x y x' y' B B' h,
  floor <= x -> floor <= y -> floor <= x' -> floor <= y' ->
  x + y = x' + y' -> Rabs (x - x') <= shift ->
  normalises (k * x + offset) (k * y + offset) B ->
  normalises (k * x' + offset) (k * y' + offset) B' ->
  hockey_stick (exp epsilon) (k * x + offset) (k * y + offset) B
    (k * x' + offset) (k * y' + offset) B' h ->
  h <= delta.
Proof.
apply private_where_hidden; [unfold k; lra|].
replace (k * floor + offset) with ({an} / {den}) by (unfold k, floor, offset; lra).
replace (k * shift) with ({sn} / {den}) by (unfold k, shift; lra).
unfold epsilon, delta.
refine (hidden {one} {den} {an} {sn}
  {qn} {qd}
  {en} {ed}
  {dn} {dd} (Z.to_nat {terms}) _ _ _ _ _).
- vm_cast_no_check (eq_refl true).
- lra.
- interval with (i_prec {precision}).
- interval with (i_prec {precision}).
Qed.
"""


@dataclass(frozen=True)
class _Pair:
    """What a release draws from: floor and step of its pair, and how inputs are scaled."""

    alpha: Fraction
    step: Fraction
    k: Fraction
    offset: Fraction


def require_provable(claim: Claim) -> None:
    """Raise InputError for a claim that is not about one pair of Beta laws, at a delta."""
    _pair_of(claim)


def _pair_of(claim: Claim) -> _Pair:
    why = f"no proof for Coq can be written of {claim.mechanism.name}"
    if claim.delta is None:
        raise InputError(f"{why} at an order: give [claim] a delta")
    found = [
        term.point
        for question in claim.mechanism.worst(claim).asked
        for term in question.terms
        if term.quantity == _PROFILE
    ]
    if not found:
        raise InputError(
            f"{why} with these parameters: its worst case is not one pair of Beta laws; there are "
            "proofs of identity, average, counts, histograms with a record replaced, and matrices "
            "of which one row changes"
        )
    (point,) = found
    alpha, step = (Fraction(point[name]) for name in ("alpha", "step"))  # type: ignore[arg-type]
    given = claim.parameters.point
    if "k" in given:
        return _Pair(alpha, step, Fraction(given["k"]), Fraction(0))  # type: ignore[arg-type]
    return _Pair(alpha, step, step, alpha)


def proof_of(audit: Audit) -> str:
    """Return a file that Coq accepts where the claim is true. Raises InputError.

    The claim is a certified one of one release at a delta: of identity, average, counts, of a
    histogram one record of which is replaced, or of a matrix one row of which changes. It is
    refused where the proof would be too long, or delta is so near to the truth that it needs more
    figures.
    """
    claim = audit.claim
    pair = _pair_of(claim)
    if audit.verdict is not Verdict.CERTIFIED or claim.delta is None:
        raise InputError(f"only what is certified has a proof, and {claim.name} is {audit.verdict}")
    numbers = (pair.k, pair.offset, pair.alpha, pair.step, claim.epsilon, claim.delta)
    if any(len(exact_text(number)) > MOST_DIGITS for number in numbers):
        raise InputError(f"a proof for Coq has no numbers of more than {MOST_DIGITS} figures")
    den = math.lcm(pair.alpha.denominator, pair.step.denominator)
    an, sn = int(pair.alpha * den), int(pair.step * den)
    (qn, qd), (en, ed), precision = _bounds(pair, claim.epsilon)
    one = 1 << (_BITS + _small(sn * den, an * (an + sn)) + _small(den, an + sn))
    sums = zip(
        range(MOST_TERMS),
        _series_above(one, den, an, sn, qn, qd),
        _constant_below(one, den, an, sn),
        strict=False,
    )
    fine = ((terms, above, constant) for terms, above, constant in sums if above and constant)
    terms, above, constant = next(fine, (MOST_TERMS, 0, 0))
    if terms == MOST_TERMS:
        raise InputError(
            f"no proof for Coq is written of {MOST_TERMS} terms or more, which this takes: its "
            f"floor alpha is {shown(pair.alpha)}"
        )
    if en * above * claim.delta.denominator > claim.delta.numerator * ed * constant:
        raise InputError(
            "delta is so near to the truth that a proof for Coq would need more figures: a proof "
            f"is written where it is above by a share of about 1/{_LEFT_OUT}"
        )
    shape = {
        "releases": f"{claim.mechanism.releases} ({claim.mechanism.name})",
        "epsilon": exact_text(claim.epsilon),
        "delta": exact_text(claim.delta),
        "k": _real(pair.k),
        "offset": _real(pair.offset),
        "floor": _real((pair.alpha - pair.offset) / pair.k),
        "shift": _real(pair.step / pair.k),
        "epsilon_real": _real(claim.epsilon),
        "delta_real": _real(claim.delta),
        "dn": claim.delta.numerator,
        "dd": claim.delta.denominator,
    }
    whole = {"one": one, "den": den, "an": an, "sn": sn, "qn": qn, "qd": qd, "en": en, "ed": ed}
    return _TEXT.format(**shape, **whole, terms=terms, precision=precision)


def _real(number: Fraction) -> str:
    """Return a rational as Coq reads it among reals."""
    if number.denominator == 1:
        return f"{number.numerator}"
    return f"{number.numerator} / {number.denominator}"


def _bounds(pair: _Pair, epsilon: Fraction) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Return rationals above q and above the front factor, and at how many bits Coq sees it.

    q is 1/(1 + e^x), x = epsilon/step, and the front factor, times the constant 2^-(a+b) S that
    comes out of whole numbers, e^(-alpha x - (2 alpha + step) log((1 + e^-x)/2)).
    """
    x = epsilon / pair.step
    whole = 2 * pair.alpha + pair.step
    longest = max(x, pair.alpha * x + whole)
    if longest > MOST_EXPONENT:
        raise InputError(
            "no proof for Coq is written of numbers as small as this one's: epsilon/step is "
            f"{shown(x)}, and alpha {shown(pair.alpha)}"
        )
    precision = _BITS + 64 + int(longest).bit_length()
    with gmpy2.context(gmpy2.get_context(), precision=precision):
        q = 1 / (1 + gmpy2.exp(gmpy2.mpfr(gmpy2.mpq(x))))
        fallen = gmpy2.log((1 + gmpy2.exp(-gmpy2.mpfr(gmpy2.mpq(x)))) / 2)
        front = gmpy2.exp(-gmpy2.mpfr(gmpy2.mpq(pair.alpha * x)) - gmpy2.mpq(whole) * fallen)
        return _above(q), _above(front), precision


def _above(value: gmpy2.mpfr) -> tuple[int, int]:
    """Return a dyadic number above a positive one, by a few units in the last of its bits."""
    mantissa, exponent = value.as_mantissa_exp()
    shift = mantissa.bit_length() - _BITS
    top = int(mantissa >> shift if shift > 0 else mantissa << -shift) + 2
    power = int(exponent) + shift
    return (top << power, 1) if power >= 0 else (top, 1 << -power)


def _small(numerator: int, denominator: int) -> int:
    """Return by about how many bits a quotient is below 1."""
    return max(0, denominator.bit_length() - numerator.bit_length()) + 1


def _up(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def _series_above(one: int, den: int, an: int, sn: int, qn: int, qd: int) -> Iterator[int]:
    """Yield ``whole_sum`` of CheckedClaim.v after each term, 0 while too much is left out."""
    term, partner = _up(one * sn * den, an * (an + sn)), _up(one * den, an + sn)
    total, at = term, 0
    while True:
        higher = qn * (at + 2) * max(an + (at + 1) * den, 2 * an + sn + at * den)
        lower = qd * (at + 1) * (an + (at + 1) * den)
        rest = _up(term * higher, lower - higher) if higher < lower else total
        yield total + rest if rest * _LEFT_OUT < total else 0
        grown, below = qn * (2 * an + sn + at * den), an + sn + (at + 1) * den
        term = _up(grown * (term + _up(partner * sn, below)), qd * (an + (at + 1) * den))
        partner = _up(grown * partner, qd * below)
        total, at = total + term, at + 1


def _constant_below(one: int, den: int, an: int, sn: int) -> Iterator[int]:
    """Yield the half sums of CheckedClaim.v after each term, 0 while too much is left out."""
    ends = (an, an + sn)
    terms = [one * den // end for end in ends]
    totals, at = list(terms), 0
    while True:
        fine = all(term * _LEFT_OUT < total for term, total in zip(terms, totals, strict=True))
        yield sum(totals) if fine else 0
        for place, end in enumerate(ends):
            terms[place] = terms[place] * (2 * an + sn + at * den) // (2 * (end + (at + 1) * den))
            totals[place] += terms[place]
        at += 1
