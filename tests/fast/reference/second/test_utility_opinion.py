"""Laws of the second opinions on utility: closed forms, and agreement with the first engine."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import gmpy2
import mpmath
import pytest
from each import each_of
from simplexcert.reference import evaluate
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.second import gamma, opinion_on
from simplexcert.reference.second.directed import OutOfReachError
from simplexcert.reference.second.dirichlet import kl_tail

BITS = 128
# At 128 bits an opinion is narrower than 10^-30 of itself.
DIGITS = 30
HALVES = {
    "p": (Fraction(1, 2),) * 2,
    "beta": Fraction(5),
    "alpha": Fraction(1),
    "eta": Fraction(1, 2),
}
RIGOROUS = (
    "variance",
    "absolute_deviation",
    "absolute_deviation_bound",
    "expected_kl",
    "expected_kl_bound",
    "expected_kl_worst",
    "expected_kl_prior",
    "kl_variance_prior",
    "kl_tail_bound",
    "kl_chernoff",
)


def opinion(name: str, bits: int = BITS, **given: object) -> Enclosure:
    return opinion_on(f"dirichlet.utility.{name}").enclose(bits, **given)


def seeded(number: int) -> Random:
    return Random(number)  # noqa: S311


def spread(rng: Random, low: float, high: float) -> Fraction:
    return Fraction(f"{10 ** rng.uniform(low, high):.6g}")


def some_law(rng: Random, n: int) -> tuple[Fraction, ...]:
    counts = [rng.choice([0, 1, rng.randint(1, 50)]) for _ in range(n - 2)]
    counts += [3, rng.randint(1, 9)]
    return tuple(Fraction(count, sum(counts)) for count in counts)


def of_mpf(value: object, bits: int) -> Enclosure:
    """Return a value of mpmath's that is correct to ``bits`` bits."""
    sign, mantissa, exponent, _ = value._mpf_  # type: ignore[attr-defined]
    middle = (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    around = abs(middle) / (1 << bits)
    low, high = middle - around, middle + around
    return Enclosure(Dyadic.rounded(low, 400, up=False), Dyadic.rounded(high, 400, up=True))


def some_point(name: str, rng: Random) -> dict[str, object]:
    p, k = some_law(rng, rng.randint(2, 5)), spread(rng, -3, 5)
    u = tuple(spread(rng, -3, 4) for _ in p)
    beta, alpha, eta = spread(rng, -2, 4), spread(rng, -2, 1), spread(rng, -3, 1)
    n = rng.randint(1, 9)
    return {
        "variance": {"p": p[0], "k": k},
        "absolute_deviation": {"p": p[0], "k": k},
        "absolute_deviation_bound": {"k": k},
        "expected_kl": {"p": p, "k": k},
        "expected_kl_bound": {"k": k, "N": n + rng.randint(0, 200), "n": n},
        "expected_kl_worst": {"k": k, "eta": Fraction(rng.randint(1, 99), 100 * n), "n": n},
        "expected_kl_prior": {"p": p, "u": u},
        "kl_variance_prior": {"p": p, "u": u},
        "kl_tail_bound": {"beta": beta, "eta": eta},
        "kl_chernoff": {"p": p, "beta": beta, "alpha": alpha, "eta": eta},
        "kl_tail": {"p": p, "beta": beta, "alpha": alpha, "eta": eta},
    }[name]  # type: ignore[return-value]


@each_of("name", [*RIGOROUS, "kl_tail"])
def test_both_engines_overlap(name: str) -> None:
    rng = seeded(len(name))
    for _ in range(5 if name == "kl_tail" else 25):
        given = some_point(name, rng)
        first = evaluate(f"dirichlet.utility.{name}", given, digits=DIGITS)
        other = opinion(name, **given)
        assert first.narrow
        assert other.is_narrow(DIGITS - 5 if name == "kl_chernoff" else DIGITS), given
        assert other.overlaps(first.enclosure), given


def test_what_is_rigorous_says_so() -> None:
    for name in RIGOROUS:
        found = opinion_on(f"dirichlet.utility.{name}")
        assert (found.engine, found.rigorous) == ("mpfr", True)
    found = opinion_on("dirichlet.utility.kl_tail")
    assert (found.engine, found.rigorous) == ("mpmath", False)


def test_exact_answers_are_exact() -> None:
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    assert opinion("variance", p=Fraction(1, 3), k=Fraction(5)).exact == Fraction(1, 27)
    assert opinion("absolute_deviation", p=none, k=one).exact == 0
    assert opinion("absolute_deviation", p=one, k=one).exact == 0
    assert opinion("expected_kl", p=(none, one), k=one).exact == 0
    assert opinion("expected_kl_bound", k=one, N=7, n=1).exact == 0
    for name in ("kl_tail", "kl_chernoff"):
        alone = {"p": (none, one), "beta": one, "alpha": none}
        assert opinion(name, **alone, eta=one).exact == 0
        assert opinion(name, p=(half, half), beta=one, alpha=one, eta=none).exact == 1
    assert opinion("kl_tail", **alone, eta=none).exact == 0
    assert opinion("kl_chernoff", **alone, eta=none).exact == 1
    low = {"p": (half, half), "beta": one, "alpha": one, "eta": Fraction(1, 100)}
    assert opinion("kl_chernoff", **low).exact == 1


def test_trigamma_against_mpmath() -> None:
    rng = seeded(1)
    for bits in (64, 200, 900):
        for _ in range(10):
            x = spread(rng, -4, 5)
            found = gamma.trigamma(x, bits).enclosure()
            with mpmath.mp.workprec(bits + 60):
                known = mpmath.psi(1, mpmath.mpf(x.numerator) / x.denominator)
            assert found.is_narrow(int(bits * 0.3) - 4)
            assert found.overlaps(of_mpf(known, bits + 40))


def test_trigamma_of_halves_and_wholes() -> None:
    """psi'(1) = pi^2/6 and psi'(1/2) = pi^2/2: the first is a third of the second."""
    one, half = (gamma.trigamma(Fraction(1, j), 200).enclosure() for j in (1, 2))
    thrice = [Dyadic(3 * end.mantissa, end.exponent) for end in (one.low, one.high)]
    assert half.is_narrow(DIGITS)
    assert half.overlaps(Enclosure(*thrice))
    with pytest.raises(OutOfReachError):
        gamma.trigamma(Fraction(1), 20_000)


def test_the_tail_of_a_vertex_is_an_incomplete_beta() -> None:
    for beta, alpha, eta in [(5, 1, "1/2"), (40, "1/3", "1/50"), ("1/2", 7, 2)]:
        given = [Fraction(x) for x in (beta, alpha, eta)]
        p = (Fraction(0), Fraction(1), Fraction(0))
        found = opinion("kl_tail", p=p, beta=given[0], alpha=given[1], eta=given[2])
        with mpmath.mp.workprec(400):
            b, a, e = (mpmath.mpf(x.numerator) / x.denominator for x in given)
            known = mpmath.betainc(b + a, 2 * a, 0, mpmath.exp(-e), regularized=True)
        assert found.is_narrow(DIGITS)
        assert found.overlaps(of_mpf(known, 300))


def test_the_tail_of_two_cells_is_two_incomplete_betas() -> None:
    p, beta, alpha, eta = (Fraction(x) for x in ("1/3", "5", "1", "1/2"))
    found = opinion("kl_tail", p=(p, 1 - p), beta=beta, alpha=alpha, eta=eta)
    with mpmath.mp.workprec(300):
        share = mpmath.mpf(1) / 3

        def excess(x: object) -> object:
            other = (1 - share) * mpmath.log((1 - share) / (1 - x))
            return share * mpmath.log(share / x) + other - 0.5

        left = mpmath.findroot(excess, (1e-4, 0.3), solver="anderson", tol=1e-80)
        right = mpmath.findroot(excess, (0.4, 0.999), solver="anderson", tol=1e-80)
        b = (5 * share + 1, 5 * (1 - share) + 1)
        known = mpmath.betainc(*b, 0, left, regularized=True)
        known += mpmath.betainc(*b, right, 1, regularized=True)
    assert found.is_narrow(DIGITS)
    assert found.overlaps(of_mpf(known, 200))


FAR = {**HALVES, "eta": Fraction(12)}  # a chance of 2^-120


def test_a_wrong_contour_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that encloses the pole 0 gives 1 - P with the wrong sign: the two values disagree."""
    true = opinion("kl_tail", **FAR)
    assert true.is_narrow(DIGITS)
    monkeypatch.setattr(kl_tail, "_ELSEWHERE", Fraction(60))
    found = opinion("kl_tail", **FAR)
    assert not found.is_narrow(3)
    assert found.overlaps(true)


def test_rules_that_do_not_settle_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert math.isfinite(opinion("kl_tail", **HALVES).upper)
    for module, limit, value in (
        (kl_tail, "_MOST_REFINEMENTS", 0),
        (kl_tail, "_MOST_NODES", 3),
        (kl_tail, "_DOUBLINGS", 0),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, value)
            assert opinion("kl_tail", **HALVES) == Enclosure.nothing_known()
    assert opinion("kl_tail", bits=20_000, **HALVES) == Enclosure.nothing_known()


def test_both_parabolas_give_one_chance() -> None:
    """Around 0 at many bits, where few are hidden, and around the other poles at few bits."""
    one, other = opinion("kl_tail", **FAR), opinion("kl_tail", bits=400, **FAR)
    law = kl_tail.LogMoment(**FAR)
    assert not kl_tail.parabola(law, BITS, 100).around_zero
    assert kl_tail.parabola(law, 400, 100).around_zero
    assert one.is_narrow(DIGITS)
    assert other.is_narrow(100)
    assert one.overlaps(other)


def test_gamma_on_both_sides_of_the_imaginary_axis() -> None:
    """Against mpmath's log Gamma, but for a multiple of 2 pi i."""
    with gmpy2.context(precision=200), mpmath.mp.workprec(260):
        gammas = kl_tail.Gammas(200)
        for real in (-3000.5, -40, -1.25, -0.5, 0.25, 7, 900):
            for height in (-1e-3, -0.5, -30, -4000):
                found = gammas.logarithm(gmpy2.mpc(real, height))
                known = mpmath.loggamma(mpmath.mpc(real, height))
                turns = (mpmath.mpf(str(found.imag)) - known.imag) / (2 * mpmath.pi)
                size = 1 + abs(known)
                assert abs(mpmath.mpf(str(found.real)) - known.real) < size * mpmath.mpf(2) ** -180
                assert abs(turns - mpmath.nint(turns)) < size * mpmath.mpf(2) ** -180


def test_the_callers_contexts_are_left_alone() -> None:
    before = mpmath.mp.prec
    given = {"p": (Fraction(1, 3), Fraction(2, 3)), "u": (Fraction(5, 3), Fraction(1))}
    expected = opinion("kl_tail", **HALVES), opinion("kl_variance_prior", **given)
    with gmpy2.context(precision=11, round=gmpy2.RoundUp):
        context = str(gmpy2.get_context())
        found = opinion("kl_tail", **HALVES), opinion("kl_variance_prior", **given)
        assert str(gmpy2.get_context()) == context
    assert found == expected
    assert mpmath.mp.prec == before
