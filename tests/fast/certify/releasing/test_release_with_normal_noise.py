"""Releases of one query with normal noise, under Pufferfish claims with a delta."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from private_data import DATA, STEPS, records
from simplexcert.certify import Verdict, draw_release, simulate, verify
from simplexcert.certify.audits.claim import read_claim
from simplexcert.certify.mechanisms.protocol import Claim
from simplexcert.certify.mechanisms.pufferfish.noise import ANSWER
from simplexcert.certify.releasing.refusals import NotCertifiedError
from simplexcert.reference.errors import DomainError
from simplexcert.reference.sampling import gaussian, laplace, published_number, seeded

NORMAL, SEED = 'scale = 5\nnoise = "gaussian"', 3
CHAIN = """
mechanism = "pufferfish.chain"
length = 4
values = [[0, 1]]
chains = [{initial = "stationary", P = [["0.7", "0.3"], ["0.4", "0.6"]]}]
"""
NETWORK = """
mechanism = "pufferfish.network"
values = [[0, 1]]
networks = [[{parents = [], table = [["0.8", "0.2"]]},
             {parents = [1], table = [["0.8", "0.2"], ["0.6", "0.4"]]},
             {parents = [2], table = [["0.8", "0.2"], ["0.6", "0.4"]]}]]
"""
WASSERSTEIN = """
mechanism = "pufferfish.wasserstein"
values = [0, 1, 1, 2]
laws = [["0.4", "0.1", "0.1", "0.4"]]
secrets = [[1, 3], [2, 4], [1, 2], [3, 4]]
pairs = [[1, 2], [3, 4]]
"""
OF_STATES = 'public = {}\nstates = [{}]\ncolumn = "{}"'
# The laws, [data], and the exact answer on the private data of private_data.py.
CASES = {
    "pufferfish.chain": (
        CHAIN,
        OF_STATES.format('["class", "states", "length"]', '"rest", "walk"', "activity"),
        2,
    ),
    "pufferfish.network": (
        NETWORK,
        OF_STATES.format('["class", "states"]', '"well", "ill"', "status"),
        2,
    ),
    "pufferfish.wasserstein": (WASSERSTEIN, 'public = ["class"]', 2),
}


def files(folder: Path, mechanism: str, noise: str = NORMAL) -> tuple[Path, Path]:
    laws, data, _ = CASES[mechanism]
    claim, private = folder / "claim.toml", folder / "private.csv"
    claim.write_text(
        f'[release]\nname = "it"{laws}{noise}\n[claim]\nepsilon = 1\ndelta = "1/100"\n'
        f"[data]\n{data}\n[output]\ngrid_bits = 20\n",
        encoding="utf-8",
    )
    text = (
        records("activity", STEPS[:4]) if mechanism == "pufferfish.chain" else DATA[mechanism].text
    )
    private.write_text(text, encoding="utf-8")
    return claim, private


def scale_in(claim: Claim) -> Fraction:
    found = claim.parameters.given["scale"]
    assert isinstance(found, Fraction)
    return found


@pytest.mark.parametrize("mechanism", CASES)
def test_the_exact_answer_gets_normal_noise_of_the_claimed_deviation(
    mechanism: str, tmp_path: Path
) -> None:
    claim, private = files(tmp_path, mechanism)
    made = draw_release(claim, private, seed=SEED)
    assert made.audit.verdict is Verdict.CERTIFIED
    scale, answer = scale_in(made.audit.claim), Fraction(CASES[mechanism][2])
    drawn, other = (
        published_number(answer, scale, 20, seeded(SEED), noise) for noise in (gaussian, laplace)
    )
    assert made.value == {ANSWER: drawn}
    assert drawn != other


def test_a_release_and_its_certificate_verify(tmp_path: Path) -> None:
    claim, private = files(tmp_path, "pufferfish.network")
    out, certificate = tmp_path / "release.json", tmp_path / "certificate.json"
    draw_release(claim, private, out=out, certificate=certificate)
    assert verify(certificate, subject=[claim, out]).verdict is Verdict.CERTIFIED


def test_nothing_is_drawn_below_the_least_deviation(tmp_path: Path) -> None:
    _, private = files(tmp_path, "pufferfish.network", NORMAL.replace("5", '"least"'))
    least = scale_in(read_claim(str(tmp_path / "claim.toml")))
    less = f'scale = "{least - Fraction(1, 10**9)}"\nnoise = "gaussian"'
    claim, private = files(tmp_path, "pufferfish.network", less)
    with pytest.raises(NotCertifiedError, match="refuted"):
        draw_release(claim, private, seed=SEED)


def test_normal_noise_is_not_simulated(tmp_path: Path) -> None:
    claim, _ = files(tmp_path, "pufferfish.chain")
    with pytest.raises(DomainError, match="not simulated"):
        simulate(str(claim), given=None, draws=100)
