"""The laws of proofs_notes/dpsgd.md: a test named for each heading, on exact numbers."""

from __future__ import annotations

from fractions import Fraction

from each import each_of
from flint import acb, arb
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.dpsgd.above import Above, Parted, Steps
from simplexcert.reference.dpsgd.route import (
    Training,
    _one_added,
    _one_removed,
    delta_of,
    routed,
)
from simplexcert.reference.dpsgd.subsampled import Subsampled
from simplexcert.reference.gaussian import profile
from simplexcert.reference.pairs import Composed, Line, delta_on_line, planned
from simplexcert.reference.second.dpsgd.chernoff import _added, _removed, below_chernoff

BITS = 128
NATS = 60.0
ONE = Fraction(1)
# Noise multiplier and sampling probability.
PAIRS = [("1", "1/10"), ("2", "1/1000"), ("1/2", "2/5"), ("4", "1/3")]


def pair(case: tuple[str, str], *, removed: bool = True) -> Subsampled:
    return Subsampled(Fraction(case[0]), Fraction(case[1]), removed)


def law(case: tuple[str, str]) -> tuple[arb, arb]:
    """U and q."""
    return 1 / ball(Fraction(case[0])), ball(Fraction(case[1]))


def expectation(
    case: tuple[str, str], power: acb, lift: arb, *, absolute: arb | None = None
) -> acb:
    """E w^power on Im t = lift, or the integral of |density w^v| e^(-absolute arg w)."""
    u, q = law(case)
    reach = 16 * u + abs(power.real) * u * u + 1

    def part(place: acb, cuts: Cuts, *, of_imaginary: bool) -> acb:
        x = -u * u / 2 + place * reach
        t = x + acb(0, lift)
        density = -((t + u * u / 2) ** 2) / (2 * u * u)
        if absolute is None:
            value = (density + power * cuts.log(1 - q + q * t.exp())).exp()
        else:
            above, below = (
                cuts.log(1 - q + q * (x + acb(0, side)).exp()) for side in (lift, -lift)
            )
            plain = -((x + u * u / 2) ** 2) / (2 * u * u) + lift * lift / (2 * u * u)
            turned = (above - below) * acb(0, absolute / 2)
            value = (plain + power.real / 2 * (above + below) + turned).exp()
        return value * acb(0, -1) if of_imaginary else value

    front = reach / (u * (2 * arb.pi()).sqrt())
    real = integrate(lambda x, cuts: part(x, cuts, of_imaginary=False), arb(-1), arb(1))
    imaginary = integrate(lambda x, cuts: part(x, cuts, of_imaginary=True), arb(-1), arb(1))
    around = arb(0, 1e-25)
    return acb(real * front + around, imaginary * front + around)


def test_pair_of_a_step() -> None:
    # a shorter gradient loses less, at thresholds on either side of 1; so in the mixture
    with working_precision(BITS):
        q = Fraction(1, 5)
        for at in (Fraction(-1, 3), Fraction(0), Fraction(1), Fraction(2)):
            short = profile(Fraction(2), at)  # shift 1/2 at s = 1
            assert short < profile(Fraction(1), at)
        for at in (Fraction(1, 4), Fraction(1)):
            threshold = (ball(at).expm1() / ball(q)).log1p()
            assert profile(Fraction(2), threshold) < profile(Fraction(1), threshold)


@each_of("case", PAIRS)
def test_moment_function_of_a_step(case: tuple[str, str]) -> None:
    with working_precision(BITS):
        step = arb(3)
        for removed in (True, False):
            found = pair(case, removed=removed).moments(arb(2), step, 5, 100)
            for j in (0, 1, 5):
                z = acb(2, step * j)
                power = z + 1 if removed else -z
                exact = expectation(case, power, arb(0))
                assert found[j].overlaps(exact)
                assert found[j].rad() < 1e-25
        assert pair(case).log_moment(arb(0)).overlaps(arb(0))
        whole = pair(case).moments(arb(1), arb(1), 0, 100)[0]
        u, q = law(case)
        assert whole.real.overlaps(1 + q * q * (u * u).expm1())  # E w^2


@each_of("case", PAIRS)
def test_closed_form_of_a_step(case: tuple[str, str]) -> None:
    with working_precision(BITS):
        one = Training(Fraction(case[0]), Fraction(case[1]), 1)
        for at in (Fraction(0), Fraction(1, 20), Fraction(1, 3)):
            u, q = law(case)
            root = (ball(at).expm1() / q).log1p()  # where w is e^epsilon

            def above(place: acb, _: Cuts, root: arb = root, at: Fraction = at) -> acb:
                u, q = law(case)
                t = root + place
                density = (-((t + u * u / 2) ** 2) / (2 * u * u)).exp() / (
                    u * (2 * arb.pi()).sqrt()
                )
                return density * (1 - q + q * t.exp() - ball(at).exp())

            exact = integrate(above, arb(0), 30 * u + 2 * u * u) + arb(0, 1e-25)
            found = delta_of(one, at)
            assert found.overlaps(exact) or found > exact
            less = 1 - (1 - q) * ball(at).exp()
            if less > 0:
                threshold = -((-ball(at)).expm1() / q).log1p()
                assert found.overlaps(exact.max(less * profile(one.noise_multiplier, threshold)))
    # Where the rate is below the precision the first factor is not known; at 0 the orders agree.
    rare = Training(Fraction(1), Fraction(1, 1 << 80), 1)
    with working_precision(64):
        assert _one_added(rare, Fraction(0)).overlaps(_one_removed(rare, Fraction(0)))


def test_nothing_beyond_the_largest_loss() -> None:
    with working_precision(BITS):
        training = Training(Fraction(1), Fraction(1, 2), 3)
        most = -3 * ball(Fraction(1, 2)).log()
        assert training.adds_nothing(Fraction(21, 10))
        assert not training.adds_nothing(Fraction(2))
        assert 2 < most < ball(Fraction(21, 10))
        one = Training(Fraction(1), Fraction(1, 2), 1)
        assert one.adds_nothing(Fraction(7, 10))


@each_of("case", PAIRS)
def test_lifted_line(case: tuple[str, str]) -> None:
    with working_precision(BITS):
        power = acb(arb(5) / 2, 4)
        assert expectation(case, power, arb(0)).overlaps(expectation(case, power, arb(1)))
        _, q = law(case)
        for x in (-3, 0, 4):
            for a in (arb(1) / 3, arb(2), arb(3)):
                w = 1 - q + q * (acb(x, a)).exp()
                assert 0 < w.log().imag < a
        minus = acb(-2, -4)
        assert expectation(case, minus, arb(0)).overlaps(
            expectation(case, acb(-2, 4), arb(0)).conjugate()
        )


@each_of("case", PAIRS)
def test_rule_on_the_lifted_line(case: tuple[str, str]) -> None:
    # a rule that is coarse on purpose: what it is off is visible, and below its bound
    with working_precision(BITS):
        for removed in (True, False):
            given = pair(case, removed=removed)
            for spare in (6, 12):
                grid = given._grid(2.0, spare)
                bound = given._rule_error(arb(2), grid)
                for j in (0, 3):
                    z = acb(2, arb(j))
                    sums = given._sums(arb(2), arb(1), j, grid)[j]
                    value = sums if removed else sums.conjugate()
                    exact = expectation(case, z + 1 if removed else -z, arb(0))
                    miss = abs(value - exact) if j else abs((value - exact).real)
                    assert miss < bound + 1e-24
                    assert bound < given.log_moment(arb(2)).exp() * arb(2) ** (4 - spare)


@each_of("case", PAIRS)
def test_tails_of_the_line(case: tuple[str, str]) -> None:
    with working_precision(BITS):
        u, _ = law(case)
        for removed in (True, False):
            given = pair(case, removed=removed)
            for a in (arb(0), arb(1), arb(5) / 2):
                low, high = -u * u / 2 - u, u * u * (3 if removed else 0) + u
                power = given.power(arb(2))

                def size(x: acb, cuts: Cuts, a: arb = a, power: arb = power) -> acb:
                    u, q = law(case)
                    above, below = (
                        cuts.log(1 - q + q * (x + acb(0, side)).exp()) for side in (a, -a)
                    )
                    plain = -((x + u * u / 2) ** 2) / (2 * u * u) + a * a / (2 * u * u)
                    return (plain + power / 2 * (above + below)).exp()

                front = 1 / (u * (2 * arb.pi()).sqrt())
                reach = 14 * u + 4 * u * u
                beyond = integrate(size, low - reach, low) + integrate(size, high, high + reach)
                assert beyond * front < given._tails(arb(2), low, high, a)
        # A second hump, 11 to the right: w^v grows by e^88 in a cell, its chord's bound does not.
        high, power = arb("11.3125"), arb(11346)
        far, (u, q) = Subsampled(Fraction(32), Fraction(1, 256), removed=True), law(("32", "1/256"))

        def grown(x: acb, cuts: Cuts) -> acb:
            exponent = power * cuts.log(1 - q + q * x.exp()) - (x + u * u / 2) ** 2 / (2 * u * u)
            return exponent.exp()

        true = integrate(grown, high, high + 1) / (u * (2 * arb.pi()).sqrt())
        assert true < far._upper_tail(power, high) < 2 * true
        # Far below, (1 - q)^v is e^185, and the density has not made up for it.
        flat = Subsampled(Fraction(60), Fraction(1, 10), removed=False)
        assert flat.log_moment(arb(1755)).overlaps(arb("4.10282012").union(arb("4.10282013")))


@each_of("case", PAIRS)
def test_falls_beyond_a_height(case: tuple[str, str]) -> None:
    with working_precision(BITS):
        for removed in (True, False):
            given = pair(case, removed=removed)
            for height in (arb(2), arb(9)):
                bound = given.log_bound(arb(2), height).exp()
                found = given.moments(arb(2), height, 3, 90)
                assert all(abs(value) < bound for value in found[1:])
            a = arb(1)
            power = given.power(arb(2))
            near = expectation(case, acb(power), a, absolute=arb(2)).real
            far = expectation(case, acb(power), a, absolute=arb(9)).real
            assert far < near


PART = Above(Fraction(1), Fraction(1, 50), True, Fraction(3, 2), Fraction(1, 4))


def test_a_part_off_the_real_axis() -> None:
    with working_precision(BITS):
        root, width = arb(2).sqrt(), arb(1) / 4
        for x, a in ((arb(0), arb(1) / 5), (arb(2), arb(1) / 2), (arb(-1), arb(1))):
            on, off = (((arb(3) / 2 - acb(x, y)) / (width * root)).erfc() / 2 for y in (arb(0), a))
            assert abs(off) < (a * a / (2 * width**2)).exp() * on.real
        # the moments of the part, against an integral on the real axis
        found = PART.moments(arb(2), arb(3), 4, 90)
        for j in (0, 1, 4):
            power = acb(3, 3 * j)

            def integrand(place: acb, _: Cuts, power: acb = power) -> acb:
                t = 3 + place * 12
                w = 1 + (t.exp() - 1) / 50
                chi = ((acb(arb(3) / 2) - t) / (arb(1) / 4 * arb(2).sqrt())).erfc() / 2
                return (power * w.log() - (t + arb(1) / 2) ** 2 / 2).exp() * chi * 12

            front = (2 * arb.pi()).sqrt()
            real = integrate(integrand, arb(-1), arb(1)) / front
            turned = integrate(lambda x, c, f=integrand: f(x, c) * acb(0, -1), arb(-1), arb(1))
            exact = acb(real + arb(0, 1e-20), turned / front + arb(0, 1e-20))
            assert found[j].overlaps(exact)
            assert found[j].rad() < 1e-20
        height = arb(40)
        assert PART.log_bound(arb(2), height) < PART.log_bound(arb(2), arb(0))
        at = PART.moments(arb(2), arb(40), 2, 90)
        assert all(abs(each).log() < PART.log_bound(arb(2), height) for each in at[1:])


def test_at_least_one_large_step() -> None:
    # a part and the whole line show the same delta
    with working_precision(BITS):
        epsilon, nats = Fraction(3, 2), 14.0
        whole = Steps(((pair(("1", "1/50")), 3),))
        part = next(whole.parted(float(epsilon), nats))
        plan = planned(part, float(epsilon), nats, 100_000)
        assert plan is not None
        found = Line(part, plan).delta(epsilon)
        exact = delta_on_line(Composed(whole.events), epsilon, nats)
        assert exact is not None
        assert found.overlaps(exact)
        assert min(exact.rel_accuracy_bits(), found.rel_accuracy_bits()) > 15
        # its moments are below the bounds, on the axis and beyond a height
        on, *beyond = part.moments(plan.crossing, arb(50), 3, 90)
        assert on.real.log() < part.log_bound(plan.crossing, arb(0))
        assert all(abs(x).log() < part.log_bound(plan.crossing, arb(50)) for x in beyond)


def test_all_steps_small() -> None:
    # one step: what the small part loses is below the bound, and is an integral
    with working_precision(BITS):
        for crossing in (2.0, 10.0, 60.0):
            part = Parted(((PART, 1),), PART, crossing)
            for epsilon in (arb(1) / 10, arb(1) / 4):
                root = (epsilon.expm1() * 50).log1p()

                def small(place: acb, _: Cuts, root: arb = root, epsilon: arb = epsilon) -> acb:
                    t = root + place
                    density = (-((t + arb(1) / 2) ** 2) / 2).exp() / (2 * arb.pi()).sqrt()
                    chance = ((t - arb(3) / 2) / (arb(1) / 4 * arb(2).sqrt())).erfc() / 2
                    return (1 + (t.exp() - 1) / 50 - epsilon.exp()) * density * chance

                lost = integrate(small, arb(0), arb(6))
                assert lost > 0
                assert part.left_out(epsilon) > lost


def test_powers_by_two_tables() -> None:
    with working_precision(BITS):
        given = pair(("1", "1/10"))
        many = given.moments(arb(2), arb(1) / 2, 700, 100)
        assert len(many) == 701
        for j in (1, 25, 26, 27, 699, 700):
            alone = given.moments(arb(2), arb(j) / 2, 1, 100)[1]
            assert many[j].overlaps(alone)
            assert many[j].rad() < 1e-27


def test_monotone_in_every_parameter() -> None:
    with working_precision(BITS):
        base = (Fraction(1), Fraction(1, 10), 50)
        at = Fraction(1)
        middle = delta_of(Training(*base), at)
        assert delta_of(Training(base[0], Fraction(1, 9), 50), at) > middle
        assert delta_of(Training(base[0], base[1], 51), at) > middle
        assert delta_of(Training(Fraction(11, 10), base[1], 50), at) < middle
        assert delta_of(Training(*base), Fraction(11, 10)) < middle


@each_of("case", [("1/10", 1, "1"), ("1/5", 30, "1/2"), ("1/50", 100, "0")])
def test_least_multiplier(case: tuple[str, int, str]) -> None:
    rate, steps, epsilon = Fraction(case[0]), case[1], Fraction(case[2])
    taken = 1 - (1 - rate) ** steps
    given = {"sampling_probability": rate, "steps": steps, "epsilon": epsilon}
    none = evaluate("dpsgd.noise_multiplier_for_dp", given, delta=taken)
    assert none.exact == 0
    least = evaluate("dpsgd.noise_multiplier_for_dp", given, delta=taken / 1000)
    assert isinstance(least.upper, Fraction)
    with working_precision(BITS):
        for s, enough in ((least.lower, False), (least.upper, True)):
            found = delta_of(Training(Fraction(s), rate, steps), epsilon)
            assert found < ball(taken / 1000) if enough else found > ball(taken / 1000)
        little = delta_of(Training(Fraction(1, 8), rate, 1), epsilon)
        assert little < ball(rate)
        assert little > ball(rate * Fraction(999, 1000))
        at_zero = Training(Fraction(2), rate, 30)
        both = [
            delta_on_line(at_zero.pairs(removed=removed), Fraction(0), NATS)
            for removed in (True, False)
        ]
        assert both[0] is not None
        assert both[1] is not None
        assert both[0].overlaps(both[1])


@each_of("case", [("3", "1/5", "1.83"), ("1/2", "1/100", "1/2"), ("4", "1", "1")])
def test_largest_number_of_steps(case: tuple[str, str, str]) -> None:
    spread, rate, epsilon = map(Fraction, case)
    given = {"noise_multiplier": spread, "sampling_probability": rate, "epsilon": epsilon}
    found = evaluate("dpsgd.steps_for_dp", given, delta="1e-5").exact
    assert isinstance(found, Fraction)
    with working_precision(BITS):
        below, above = (
            delta_of(Training(spread, rate, int(found) + more), epsilon) if found + more else arb(0)
            for more in (0, 1)
        )
        assert below < ball(Fraction(1, 10**5)) < above


def test_full_batches_and_no_batches() -> None:
    with working_precision(BITS):
        full = delta_of(Training(Fraction(2), Fraction(1), 4), Fraction(1))
        assert full.overlaps(profile(Fraction(1), Fraction(1)))
        nearly = delta_of(Training(Fraction(2), 1 - Fraction(1, 10**4), 4), Fraction(1))
        assert nearly < full
        assert full - nearly < 1e-3
        rare = delta_of(Training(Fraction(2), Fraction(1, 10**4), 40), Fraction(0))
        assert rare < 1 - (1 - ball(Fraction(1, 10**4))) ** 40
        training = Training(Fraction(1), Fraction(1, 10), 20)
        distance = delta_on_line(training.pairs(removed=True), Fraction(0), NATS)
        assert distance is not None
        assert distance < training.most_distance()
        single = Training(Fraction(4), Fraction(1, 256), 1)
        assert delta_of(single, Fraction(0)).overlaps(single.most_distance())
    # A target above it is reached at 0, where no line is short enough.
    given = {"noise_multiplier": 4, "sampling_probability": "1/256", "steps": 2}
    assert evaluate("dpsgd.epsilon", given, delta="1/16").exact == 0
    # Far below it, where no estimate of the root is found.
    given = {"noise_multiplier": 6, "sampling_probability": "1/200", "steps": 175}
    assert evaluate("dpsgd.epsilon", given, delta="1/60").upper == 0


@each_of("case", PAIRS[:1])
def test_whole_crossings(case: tuple[str, str]) -> None:
    """The sums are the moments, or above them; and delta is below each bound."""
    sizes = Fraction(case[0]), Fraction(case[1])
    with working_precision(BITS):
        for crossing in (1, 4):
            removed, added = (moment(BITS, *sizes, crossing) for moment in (_removed, _added))
            truth = expectation(case, acb(crossing + 1), arb(0)).real
            assert truth.overlaps(ball(removed.low_fraction).union(ball(removed.high_fraction)))
            assert expectation(case, acb(-crossing), arb(0)).real < ball(added.low_fraction)
    for steps, epsilon in ((2, Fraction(1)), (40, Fraction(3))):
        given = dict(zip(("noise_multiplier", "sampling_probability"), sizes, strict=True))
        truth_of_both = evaluate("dpsgd.delta", given, steps=steps, epsilon=epsilon)
        bounds = [
            below_chernoff(BITS, *sizes, steps, epsilon, removed=way) for way in (True, False)
        ]
        assert truth_of_both.upper < max(bound.upper for bound in bounds)


@each_of("case", [("1", "1/10", 60), ("2", "1/100", 400)])
def test_worse_order(case: tuple[str, str, int]) -> None:
    training = Training(Fraction(case[0]), Fraction(case[1]), case[2])
    with working_precision(BITS):
        for at in (Fraction(0), Fraction(1)):
            both = [
                delta_on_line(training.pairs(removed=removed), at, NATS)
                for removed in (True, False)
            ]
            largest = both[0]
            assert largest is not None
            if both[1] is not None:
                largest = largest.max(both[1])
            found = routed(training, at).value
            assert isinstance(found, arb)
            assert found.overlaps(largest)


RECORDED = [
    ("3", "1/5", 50, "1/48000", "1.96081133901"),
    ("4/5", "1/8", 1000, "1/1000000", "56.7259499776"),
    ("13/10", "1/60", 900, "1/100000", "1.89151851166"),
    ("4", "1/100", 10_000, "1/100000", "0.946866800764"),
    ("1.54", "1024/50000", 1464, "1/100000", "2.38629290855"),
]


@each_of("case", RECORDED)
def test_recorded_epsilons(case: tuple[str, str, int, str, str]) -> None:
    spread, rate, steps, delta, recorded = case
    given = {
        "noise_multiplier": spread, "sampling_probability": rate, "steps": steps, "delta": delta,
    }  # fmt: skip
    found = evaluate("dpsgd.epsilon", given, digits=14)
    unit = Fraction(1, 10**10)
    assert Fraction(recorded) - unit < found.lower <= found.upper < Fraction(recorded) + unit


def test_recorded_deltas() -> None:
    given = {"noise_multiplier": 1, "sampling_probability": "0.00105", "steps": 1}
    assert evaluate("dpsgd.epsilon", given, delta="0.001").exact == 0
    assert Fraction("4.0206e-4") < evaluate("dpsgd.delta", given, epsilon=0).lower
    assert evaluate("dpsgd.delta", given, epsilon=0).upper < Fraction("4.0208e-4")
    given = {"noise_multiplier": 3, "sampling_probability": "0.2", "steps": 50}
    told = evaluate("dpsgd.delta", given, epsilon="1.83")
    assert Fraction("2.36") < 48_000 * told.lower
