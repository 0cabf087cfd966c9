"""The laws of proofs_notes/mixtures.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from each import each_of
from flint import acb, arb
from simplexcert.certify.backends.float64 import mixtures
from simplexcert.reference import evaluate, exponential_mechanism
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.composition import Mixture, laplace
from simplexcert.reference.composition.discrete import distance_of_answers
from simplexcert.reference.composition.lattices import Lattice, Response
from simplexcert.reference.composition.pairs import (
    Beta,
    Choice,
    ClosedPair,
    Gamma,
    Gaussian,
    Laplace,
)
from simplexcert.reference.composition.route import bound_of, delta_of
from simplexcert.reference.domain import Events
from simplexcert.reference.pairs import delta_on_line

BITS = 128
NATS = 50.0
_NEAR = Fraction(1, 2**40)
NORMAL = {"mechanism": "gaussian", "noise_multiplier": 2}
DOUBLE = {"mechanism": "laplace", "noise_multiplier": 3}
TRAINED = {
    "mechanism": "dpsgd",
    "noise_multiplier": 1,
    "sampling_probability": "1/10",
    "steps": 200,
}
WHOLE = {"mechanism": "discrete_laplace", "scale": "3/2", "sensitivity": 2}
BROAD = {"mechanism": "discrete_gaussian", "scale": "5/4", "sensitivity": 2}
NARROW = {"mechanism": "discrete_gaussian", "scale": "2/3", "sensitivity": 1}
ANSWER = {"mechanism": "randomized_response", "categories": 4, "truth_probability": "3/5"}
CHOSEN = {"mechanism": "exponential_mechanism", "loss_range": "2/3"}
SHARES = {"mechanism": "dirichlet", "alpha": 5, "step": "1/5"}
PAIRS: list[ClosedPair] = [
    Gaussian(Fraction(1, 4)),
    Laplace(Fraction(2)),
    Beta(Fraction(3), Fraction(1, 2)),
    Gamma(Fraction(3), Fraction(1, 2), removed=True),
    Gamma(Fraction(3), Fraction(1, 2), removed=False),
    Choice(Fraction(3, 2)),
]


def mixture(*events: dict[str, Any], neighbours: str = "add_remove") -> Mixture:
    return Mixture.of(Events().read("events", list(events)), neighbours)


def together(at: str, *events: dict[str, Any], neighbours: str = "add_remove") -> arb:
    with working_precision(BITS):
        return delta_of(mixture(*events, neighbours=neighbours), Fraction(at))


@each_of(
    "event, name, neighbours",
    [
        (NORMAL, "gaussian", "replace"),
        (DOUBLE, "laplace", "replace"),
        (WHOLE, "discrete_laplace", "add_remove"),
        (BROAD, "discrete_gaussian", "replace"),
        (NARROW, "discrete_gaussian", "replace"),
        (ANSWER, "randomized_response", "replace"),
        (TRAINED, "dpsgd", "add_remove"),
        (SHARES, "dirichlet.profile", "replace"),
        (SHARES, "dirichlet.add_remove", "add_remove"),
    ],
)
def test_every_event_has_its_pair(event: dict[str, Any], name: str, neighbours: str) -> None:
    numbers = {key: value for key, value in event.items() if key != "mechanism"}
    for asked in ({"epsilon": "1/10"}, {"delta": "1/1000"}):
        which = "delta" if "epsilon" in asked else "epsilon"
        own = evaluate(f"{name}.{which}", numbers | asked)
        found = evaluate(f"composition.{which}", events=[event], neighbours=neighbours, **asked)
        assert found.lower <= own.upper
        assert own.lower <= found.upper


@each_of("place", [acb(1, 0), acb("0.5", 3), acb(2, -7)])
def test_moments_of_laplace_noise(place: acb) -> None:
    with working_precision(BITS):
        m = arb(2)
        atoms = ((place * m).exp() / 2 + (-(place + 1) * m).exp() / 2).real

        def between(loss: acb, _: Cuts) -> acb:
            return ((loss - m) / 2 + place * loss).exp() / 4

        whole = atoms + integrate(between, -m, m, BITS)
        assert PAIRS[1].log_at(place).exp().real.overlaps(whole)


@each_of("crossing", ["1/4", "2", "11/2"])
def test_moments_of_gamma_laws(crossing: str) -> None:
    with working_precision(BITS):
        removed, added = PAIRS[3], PAIRS[4]
        c = ball(Fraction(crossing))
        assert added.log_at(c).overlaps(removed.log_at(-1 - c))

        def integrand(y: acb, _: Cuts) -> acb:  # r = e^y
            loss = arb(3).lgamma() - arb("3.5").lgamma() + y / 2
            return (y * arb("3.5") - y.exp() - arb("3.5").lgamma() + c * loss).exp()

        whole = integrate(integrand, arb(-60), arb(5), 80).real
        assert abs(removed.log_at(c).exp() / whole - 1) < arb(2) ** -60


@each_of("pair", PAIRS)
def test_bounds_beyond_a_height(pair: ClosedPair) -> None:
    with working_precision(BITS):
        c, height = arb("1.5"), arb(2)
        bound = pair.log_bound(c, height)
        for k in range(1, 40):
            assert pair.log_at(acb(c, height + arb(k) / 3)).exp().abs_lower().log() < bound
        if pair.limit is not None:  # off the strip the formula has values, which bound nothing
            off = ball(pair.limit + Fraction(1, 2))
            assert pair.log_at(acb(off, height)).real.is_finite()
            assert pair.log_bound(off, height).is_nan()


@each_of("laplaces, choices", [("", "2/3"), ("", "2/3 1/2"), ("1/2", "2/3"), ("1", "1/4 1/4")])
def test_choices_by_utility(laplaces: str, choices: str) -> None:
    """The last choice is conditioned on, in cells; alone it is the mechanism's own answer."""
    shifts, ranges = ([*map(Fraction, each.split())] for each in (laplaces, choices))
    events = [{"mechanism": "laplace", "noise_multiplier": 1 / m} for m in shifts]
    events += [{"mechanism": "exponential_mechanism", "loss_range": r} for r in ranges]
    at, last, cells = Fraction(1, 7), ranges[-1], 100
    with working_precision(BITS):
        left = mixture(*events[:-1]) if events[:-1] else None

        def rest(threshold: Fraction) -> arb:
            if left is None:
                return (-ball(threshold).expm1()).max(arb(0))
            if threshold >= 0:
                return delta_of(left, threshold)
            grown = ball(threshold).exp()
            return 1 - grown + grown * delta_of(left, -threshold)

        whole = arb(0)
        for k in range(cells):
            low, high = (last * (2 * Fraction(j, cells) - 1) for j in (k, k + 1))
            own = ball((high - last) / 2).exp() - ball((low - last) / 2).exp()
            whole += own / -ball(-last).expm1() * rest(at - high).union(rest(at - low))
        found = together("1/7", *events)
        assert whole.overlaps(found)
        assert whole.rad() < arb("0.01")
        assert found.rel_accuracy_bits() > 60
        if len(events) == 1:
            assert found.overlaps(exponential_mechanism.delta(last, at))
        largest = sum(shifts) + sum(ranges)
        assert together(str(largest), *events) == 0


@each_of("kinds", [((Fraction(1), 2),), ((Fraction(1), 1), (Fraction(1, 3), 2))])
def test_laplace_alone(kinds: laplace.Kinds) -> None:
    """Events are conditioned on one by one, in the end by quadrature in a variable of cells."""
    (shift, count), *others = kinds
    left = ((shift, count - 1), *others) if count > 1 else tuple(others)
    most = laplace.largest_loss(kinds)
    with working_precision(BITS):
        at = Fraction(1, 7)
        cells = 200
        edges = [-shift + 2 * shift * Fraction(k, cells) for k in range(cells + 1)]
        whole = _at(left, at - shift) / 2 + _at(left, at + shift) * ball(-shift).exp() / 2
        for low, high in pairwise(edges):
            weight = (ball((high - shift) / 2).exp() - ball((low - shift) / 2).exp()) / 2
            whole += weight * _at(left, at - low).union(_at(left, at - high))
        found = laplace.delta(kinds, at)
        assert isinstance(found, arb)
        assert whole.overlaps(found)
        assert whole.rad() < arb("0.01")
        assert laplace.delta(kinds, most) == 0


def _at(kinds: laplace.Kinds, threshold: Fraction) -> arb:
    """Delta at any threshold: below 0 by the other order, which is the same."""
    if threshold >= 0:
        found = laplace.delta(kinds, threshold)
        return found if isinstance(found, arb) else ball(found)
    mirrored = _at(kinds, -threshold)
    grown = ball(threshold).exp()
    return 1 - grown + grown * mirrored


def kind(event: dict[str, Any]) -> Lattice:
    ((found, _),) = mixture(event, neighbours="replace").lattices
    return found


@each_of("event", [WHOLE, BROAD, NARROW, ANSWER])
def test_moments_on_lattices(event: dict[str, Any]) -> None:
    with working_precision(BITS):
        pair = kind(event)
        place, chances, left = pair.chances(4 * BITS)
        assert (sum(chances, arb(0)) + arb(0).union(left)).overlaps(arb(1))
        for z in (acb(0), acb("0.25"), acb("1.5", 3), acb(3, "-7.25"), acb("0.5", 40)):
            whole = acb(0)
            for d, chance in enumerate(chances):
                loss = ball(pair.offset) + (place + d) * pair.span()
                whole += chance * (z * loss).exp()
            # What is left out, of noise that is tilted.
            far = left * arb(2) ** (2 * BITS)
            both = far.union(-far)
            assert pair.moment_at(z).overlaps(whole + acb(both, both))
            bound = pair.log_bound(arb(z.real), abs(z.imag)).exp()
            assert not abs(pair.moment_at(z)) > bound
        if pair.falls:
            half = arb.pi() / pair.span()
            sizes = [abs(pair.moment_at(acb("0.75", half * k / 16))) for k in range(17)]
            assert all(later < sooner for sooner, later in pairwise(sizes))
        assert pair.moment_at(arb(2)).overlaps(pair.moment_at(acb(2)).real)


@each_of(
    "events, at",
    [
        ((WHOLE, ANSWER, {**BROAD, "count": 2}), "1/2"),
        ((ANSWER, {**ANSWER, "truth_probability": "9/13"}), "0"),  # odds of 9/2 and of 27/4
        (({**ANSWER, "count": 3}, DOUBLE), "1/3"),
        ((WHOLE, {**WHOLE, "scale": 3, "sensitivity": 1}), "2/3"),  # a threshold on the lattice
    ],
)
def test_atom_by_atom(events: tuple[dict[str, Any], ...], at: str) -> None:
    """All losses one by one, without a kind's sums; Laplace's are conditioned on."""
    with working_precision(BITS):
        atoms: list[tuple[arb, arb]] = [(arb(1), arb(0))]
        left = arb(0)
        for event in events:
            if event is DOUBLE:
                continue
            place, chances, cut = kind(event).chances(60)
            own = [
                (c, ball(kind(event).offset) + (place + d) * kind(event).span())
                for d, c in enumerate(chances)
            ]
            for _ in range(event.get("count", 1)):
                atoms = [(p * c, x + y) for p, x in atoms for c, y in own if p * c > arb(2) ** -40]
                left += cut + arb(2) ** -20
        epsilon = ball(Fraction(at))
        total = arb(0)
        for chance, loss in atoms:
            if DOUBLE not in events:
                total += chance * (1 - (epsilon - loss).exp()).max(arb(0))
                continue
            ends = (Fraction(float((epsilon - loss).mid())) + side for side in (_NEAR, -_NEAR))
            total += chance * arb.union(*(_at(((Fraction(1, 3), 1),), end) for end in ends))
        found = together(at, *events, neighbours="replace")
        assert (total + arb(0).union(left)).overlaps(found)
        assert found.rel_accuracy_bits() > 60


def test_conditioned_on_one_event() -> None:
    with working_precision(BITS):
        m, s, at = arb(1) / 3, arb(2), arb(1) / 4

        def profile(threshold: acb) -> acb:
            low = ((threshold * s - 1 / (2 * s)) / arb(2).sqrt()).erfc()
            return (
                low - threshold.exp() * ((threshold * s + 1 / (2 * s)) / arb(2).sqrt()).erfc()
            ) / 2

        def between(loss: acb, _: Cuts) -> acb:
            return ((loss - m) / 2).exp() / 4 * profile(at - loss)

        atoms = profile(acb(at - m)) / 2 + (-m).exp() / 2 * profile(acb(at + m))
        whole = atoms.real + integrate(between, -m, m, BITS)
        assert whole.overlaps(together("1/4", NORMAL, DOUBLE, neighbours="replace"))


@each_of("events", [(TRAINED, DOUBLE, NORMAL), (SHARES, DOUBLE, NORMAL)])
def test_both_orders_of_a_mixture(events: tuple[dict[str, Any], ...]) -> None:
    mixed, at = mixture(*events), Fraction(1, 5)
    with working_precision(BITS):
        removed, added = (mixed.pairs(removed=removed) for removed in (True, False))
        grown = ball(at).exp()
        one, other = delta_on_line(added, at, NATS), delta_on_line(removed, -at, NATS)
        here = delta_on_line(removed, at, NATS)
        assert one is not None
        assert other is not None
        assert here is not None
        assert one.overlaps(1 - grown + grown * other)
        assert here.max(one).overlaps(delta_of(mixed, at))


@each_of("event", [NORMAL, DOUBLE, SHARES, TRAINED, WHOLE, BROAD, CHOSEN])
def test_more_events_show_more(event: dict[str, Any]) -> None:
    before = together("1/2", NORMAL, DOUBLE)
    assert before < together("1/2", NORMAL, DOUBLE, event)
    assert together("3/5", NORMAL, DOUBLE, event) < together("1/2", NORMAL, DOUBLE, event)


def test_bounds_from_each_event() -> None:
    """With noise of 10^80 beside them, events lose at least as each, at most as all at 0."""
    hidden = [{**NORMAL, "noise_multiplier": 10**80}, {**BROAD, "scale": 10**80, "count": 3}]
    hidden.append({**WHOLE, "scale": 10**80})
    for event in (DOUBLE, WHOLE, SHARES, CHOSEN, TRAINED | {"steps": 1}):
        alone = together("1/4", event)
        assert not alone > together("1/4", event, *hidden)
        bound = together("1/4", event, *hidden)
        assert not bound > together("0", event) + 8 * together("0", hidden[0])
        assert bound > alone / 2
    assert together("1/4", *hidden) < arb("1e-79")
    for event in (NORMAL, DOUBLE, TRAINED, WHOLE, BROAD, CHOSEN, SHARES):
        found = mixture({**event, "count": 3})
        assert sum(count for _, count in found.by_itself()) == found.pairs(removed=True).count


def test_distance_of_random_answers() -> None:
    kinds = (
        (Response(Fraction(2, 3), Fraction(1, 3)), 2),
        (Response(Fraction(1, 2), Fraction(1, 4)), 1),
    )
    one = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]
    other = [(Fraction(x, 4), Fraction(y, 4)) for x, y in ((2, 1), (1, 2), (1, 1))]
    ways = [(a * b * c, x * y * z) for a, x in one for b, y in one for c, z in other]
    truth = sum((max(p - q, Fraction(0)) for p, q in ways), Fraction(0))
    assert distance_of_answers(kinds) == truth
    events = [
        {
            "mechanism": "randomized_response",
            "categories": 2,
            "truth_probability": "2/3",
            "count": 2,
        },
        {"mechanism": "randomized_response", "categories": 3, "truth_probability": "1/2"},
    ]
    given = {"events": events, "neighbours": "replace"}
    for engine in ("arb", "second"):
        at = {"delta": truth}, {"delta": truth * Fraction(999, 1000)}
        none, some = (evaluate("composition.epsilon", {**given, **x}, engine=engine) for x in at)
        assert none.lower == none.upper == 0 < some.lower


def test_bounds_without_a_line() -> None:
    """They hold where a line tells delta, and decide where doubles have no such number."""
    mixed = mixture(TRAINED, DOUBLE)
    with working_precision(BITS):
        for at in ("1/4", "2", "9"):
            assert together(at, TRAINED, DOUBLE) < bound_of(mixed, Fraction(at))
        few = mixture({**TRAINED, "noise_multiplier": "1/2", "steps": 5}, DOUBLE)
        assert bound_of(few, Fraction(700)) < arb(10) ** -4000


POINTS = np.array([0.01, 0.5, 3.0, 20.0])
# As a backend is given them, and how much larger than the truth a bound may be.
DOUBLES: list[tuple[dict[str, Any], str]] = [
    ({"mechanism": "gaussian", "noise_multiplier": 1.3, "count": 7}, "add_remove"),
    ({"mechanism": "laplace", "noise_multiplier": 0.7, "count": 7}, "add_remove"),
    ({"mechanism": "discrete_laplace", "scale": 1.7, "sensitivity": 3, "count": 7}, "replace"),
    ({"mechanism": "discrete_gaussian", "scale": 2.9, "sensitivity": 2, "count": 7}, "replace"),
    (
        {
            "mechanism": "randomized_response",
            "categories": 5,
            "truth_probability": 0.61,
            "count": 7,
        },
        "replace",
    ),
    ({"mechanism": "exponential_mechanism", "loss_range": 0.9, "count": 7}, "replace"),
    ({"mechanism": "permute_and_flip", "largest_loss": 0.9, "count": 7}, "replace"),
    ({"mechanism": "dirichlet", "alpha": 30.3, "step": 0.7, "count": 7}, "replace"),
    ({"mechanism": "dirichlet", "alpha": 30.3, "step": 0.7, "count": 7}, "add_remove"),
    (
        {
            "mechanism": "dpsgd",
            "noise_multiplier": 1.3,
            "sampling_probability": 0.11,
            "steps": 5,
            "count": 7,
        },
        "add_remove",
    ),
]


@each_of("event, neighbours", DOUBLES)
def test_chernoff_in_doubles(event: dict[str, Any], neighbours: str) -> None:
    """Never below log M, nor far above; of a removed record's gamma laws it is another one's."""
    exact = {k: Fraction(v) if isinstance(v, float) else v for k, v in event.items()}
    given = mixtures.Mixture.of([event], neighbours)
    with working_precision(BITS):
        for removed in (True, False):
            bounds = given.log_moments(POINTS, removed)
            pairs = mixture(exact, neighbours=neighbours).pairs(removed=removed)
            for point, bound in zip(POINTS, bounds, strict=True):
                truth = pairs.log_moment(arb(float(point)))
                assert truth < arb(float(bound))
                if removed and event["mechanism"] == "dirichlet" and neighbours == "add_remove":
                    continue
                assert arb(float(bound)) < truth * (1 + arb(2) ** -24) + arb(2) ** -24
