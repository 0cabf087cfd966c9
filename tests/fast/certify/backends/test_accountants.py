"""Accountants that are installed are backends: thin adapters, in a process of their own."""

from __future__ import annotations

import importlib
import py_compile
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from simplexcert.certify.backends import accountants
from simplexcert.certify.backends.accountants import ACCOUNTANTS, accountant_named
from simplexcert.certify.backends.loading import (
    ChangedBackendError,
    LoadedBackend,
    load_backend,
)
from simplexcert.certify.backends.program import ending_programs
from simplexcert.certify.backends.protocol import Backend, as_backend
from simplexcert.certify.checks.judgement import judge, rules_for
from simplexcert.certify.cli import run
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.errors import InputError, UnknownNameError
from simplexcert.reference.exact import exact_number

# Stand-ins, each with what its adapter calls and no more; an answer is what it was given.
TOLD = "def told(*given, **named): return [*given, *sorted(named.items())]\n"
ACCOUNTANT = """
class Accountant:
    def __init__(self, *given, **named): self.given = told(*given, **named)
    def compose(self, event): self.given.append(event); return self
    def get_delta(self, epsilon): return "delta", epsilon, *self.given
    def get_epsilon(self, delta): return "epsilon", delta, *self.given
    def ends(self, *asked): return [(asked[0], end, *asked[1:], *self.given) for end in "ABC"]
    def compute_delta(self, epsilon, steps): return self.ends("delta", epsilon, steps)
    def compute_epsilon(self, delta, steps): return self.ends("epsilon", delta, steps)
"""
BROKEN = "raise ImportError('there is no framework here')\n"
FILES = {
    "autodp/__init__.py": "",
    "autodp/privacy_calibrator.py": "def ana_gaussian_mech(*given): return {'sigma': given}",
    "autodp/mechanism_zoo.py": """
class ExactGaussianMechanism:
    def __init__(self, *given): self.given = given
    def get_approxDP(self, delta): return "epsilon", delta, *self.given
    def get_approx_delta(self, epsilon): return "delta", epsilon, *self.given
class NoisySGD_Mechanism(ExactGaussianMechanism): pass
""",
    "diffprivlib/__init__.py": BROKEN,
    "diffprivlib/mechanisms.py": f"""{TOLD}
class Gaussian:
    def __init__(self, **named): self._scale = told(**named)
class GaussianAnalytic(Gaussian): pass
""",
    "dp_accounting/__init__.py": """
def GaussianDpEvent(*given): return "gaussian", *given
def PoissonSampledDpEvent(*given): return "sampled", *given
def SelfComposedDpEvent(*given): return "composed", *given
def calibrate_dp_mechanism(accountant, event, *target):
    return accountant().given, event("?"), *target
""",
    "dp_accounting/gaussian_mechanism.py": """
def get_epsilon_gaussian(*given): return given
def get_sigma_gaussian(*, epsilon, delta): return epsilon, delta
""",
    "dp_accounting/rdp.py": f"""{TOLD}{ACCOUNTANT}
class RdpAccountant(Accountant): pass
def compute_epsilon(*given): return given, 2
""",
    "dp_accounting/pld/__init__.py": f"{TOLD}{ACCOUNTANT}\nclass PLDAccountant(Accountant): pass",
    "dp_accounting/pld/privacy_loss_distribution.py": """
class from_gaussian_mechanism:
    def __init__(self, sigma, *, sampling_prob, pessimistic_estimate, use_connect_dots):
        assert not pessimistic_estimate and not use_connect_dots
        self.given = sigma, sampling_prob
    def self_compose(self, steps): self.given += (steps,); return self
    def get_delta_for_epsilon(self, epsilon): return "delta", epsilon, *self.given
    def get_epsilon_for_delta(self, delta): return "epsilon", delta, *self.given
""",
    "opacus/__init__.py": BROKEN,
    "opacus/accountants/__init__.py": """
from opacus.optimizers import DPOptimizer
class create_accountant:
    def __init__(self, name): self.name, self.history = name, []
    def get_epsilon(self, delta): return self.name, *self.history, delta
""",
    "opacus/accountants/analysis/__init__.py": "",
    "opacus/accountants/analysis/rdp.py": """
def get_privacy_spent(*, orders, rdp, delta): return (orders, rdp, delta), orders
""",
    "opacus/accountants/utils.py": f"{TOLD}def get_noise_multiplier(**named): return told(**named)",
    "opendp/__init__.py": "",
    "opendp/prelude.py": """
from types import SimpleNamespace
def enable_features(name): assert name == "contrib"
def atom_domain(T, nan): return "numbers"
def absolute_distance(T): return "distance"
def binary_search_param(make, d_in, d_out, T): return make("?").given, d_in, d_out
class Measurement:
    def __init__(self, *given): self.given = given
    def map(self, d_in): self.given += (d_in,); return self
    def delta(self, epsilon): return "delta", epsilon, *self.given
    def epsilon(self, delta): return "epsilon", delta, *self.given
def make_gaussian(domain, metric, scale): return Measurement(scale)
def make_fix_delta(measurement, delta): return Measurement(*measurement.given, delta)
m = SimpleNamespace(make_gaussian=make_gaussian)
c = SimpleNamespace(make_zCDP_to_approxDP=lambda found: found, make_fix_delta=make_fix_delta)
""",
    "prv_accountant/__init__.py": f"""{TOLD}{ACCOUNTANT}
def GaussianMechanism(*given): return "gaussian", *given
class PRVAccountant(Accountant): pass
""",
    "prv_accountant/dpsgd.py": """
from prv_accountant import Accountant
class DPSGDAccountant(Accountant): pass
def find_noise_multiplier(*given): return given
""",
}  # fmt: skip
# Each number stands for itself in what a stand-in was given.
POINT = {
    "noise_multiplier": 2.0,
    "sampling_probability": 0.25,
    "steps": 7,
    "order": 5.0,
    "epsilon": 1.5,
    "delta": 1e-6,
}
HANDED = {
    "dp-accounting-rdp": {
        "gaussian.delta": ("delta", 1.5, ("gaussian", 2.0)),
        "dpsgd.epsilon": ("epsilon", 1e-6, ("composed", ("sampled", 0.25, ("gaussian", 2.0)), 7)),
        "gaussian.noise_multiplier_for_dp": ([], ("gaussian", "?"), 1.5, 1e-6),
        "dpsgd.noise_multiplier_for_dp": (
            [],
            ("composed", ("sampled", 0.25, ("gaussian", "?")), 7),
            1.5,
            1e-6,
        ),
        "renyi.epsilon_for_dp": ([5.0], [1.5], 1e-6),
    },
    "dp-accounting-pld": {
        "gaussian.epsilon": ("epsilon", 1e-6, ("gaussian", 2.0)),
        "dpsgd.delta": ("delta", 1.5, ("composed", ("sampled", 0.25, ("gaussian", 2.0)), 7)),
    },
    "dp-accounting-pld-optimistic": {
        "gaussian.delta": ("delta", 1.5, 2.0, 1.0, 1),
        "dpsgd.epsilon": ("epsilon", 1e-6, 2.0, 0.25, 7),
    },
    "dp-accounting-gaussian": {
        "gaussian.epsilon": (2.0, 1e-6),
        "gaussian.noise_multiplier_for_dp": (1.5, 1e-6),
    },
    "opacus-rdp": {
        "dpsgd.epsilon": ("rdp", (2.0, 0.25, 7), 1e-6),
        "dpsgd.noise_multiplier_for_dp": [
            ("accountant", "rdp"),
            ("sample_rate", 0.25),
            ("steps", 7),
            ("target_delta", 1e-6),
            ("target_epsilon", 1.5),
        ],
        "renyi.epsilon_for_dp": (5.0, 1.5, 1e-6),
    },
    "opacus-gdp": {"dpsgd.epsilon": ("gdp", (2.0, 0.25, 7), 1e-6)},
    "opacus-prv": {"dpsgd.epsilon": ("prv", (2.0, 0.25, 7), 1e-6)},
    "prv-accountant": {
        "gaussian.epsilon": (
            *("epsilon", "C", 1e-6, 1, ("delta_error", 1e-6 * 1e-3), ("eps_error", 0.1)),
            *(("max_self_compositions", 1), ("prvs", ("gaussian", 2.0))),
        ),
        "dpsgd.delta": ("delta", "C", 1.5, 7, 2.0, 0.25, 7, 0.1, 1e-9),
        "dpsgd.noise_multiplier_for_dp": (0.25, 7, 1.5, 1e-6),
    },
    "prv-accountant-lower": {
        "dpsgd.epsilon": ("epsilon", "A", 1e-6, 7, 2.0, 0.25, 7, 0.1, 1e-6 * 1e-3),
    },
    "autodp": {
        "gaussian.delta": ("delta", 1.5, 2.0),
        "gaussian.epsilon": ("epsilon", 1e-6, 2.0),
        "gaussian.noise_multiplier_for_dp": (1.5, 1e-6),
        "dpsgd.epsilon": ("epsilon", 1e-6, 0.25, 2.0, 7),
    },
    "diffprivlib": {
        "gaussian.noise_multiplier_for_dp": [
            ("delta", 1e-6),
            ("epsilon", 1.5),
            ("sensitivity", 1),
        ],
    },
    "diffprivlib-classic": {
        "gaussian.noise_multiplier_for_dp": [
            ("delta", 1e-6),
            ("epsilon", 1.5),
            ("sensitivity", 1),
        ],
    },
    "opendp": {
        "gaussian.delta": ("delta", 1.5, 2.0, 1.0),
        "gaussian.epsilon": ("epsilon", 1e-6, 2.0, 1.0),
        "gaussian.noise_multiplier_for_dp": (("?", 1e-6), 1.0, (1.5, 1e-6)),
    },
}


def written(folder: Path) -> Path:
    """Write all stand-ins into a folder."""
    for name, source in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    return folder


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Import the libraries and their adapters anew, and leave what was imported as it was."""
    packages = {found.package for found in ACCOUNTANTS.values()}
    ours = accountants.__name__

    def of_theirs() -> list[str]:
        return [
            name
            for name in sys.modules
            if name.partition(".")[0] in packages or name.startswith(f"{ours}.")
        ]

    kept = {name: sys.modules.pop(name) for name in of_theirs()}
    yield monkeypatch
    for name in of_theirs():
        del sys.modules[name]
    sys.modules.update(kept)


def adapter(name: str) -> Backend:
    module, _, attribute = ACCOUNTANTS[name].location.partition(":")
    return as_backend(getattr(importlib.import_module(module), attribute), name)


def test_an_adapter_hands_over_what_it_was_given(apart: pytest.MonkeyPatch, tmp_path: Path) -> None:
    apart.syspath_prepend(written(tmp_path))
    assert HANDED.keys() == ACCOUNTANTS.keys()
    for name, handed in HANDED.items():
        backend = adapter(name)
        for quantity, given in handed.items():
            point: dict[str, Any] = {
                key: POINT[key] for key in backend.quantity(quantity).parameters
            }
            assert backend.quantities[quantity](**point) == given, (name, quantity)


def test_every_parameter_of_an_adapters_quantities_is_within_declared_ranges(
    apart: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    apart.syspath_prepend(written(tmp_path))
    for name in ACCOUNTANTS:
        backend = adapter(name)
        for quantity in backend.quantities:
            assert set(backend.domain[quantity]) == set(backend.quantity(quantity).parameters)


def test_no_delta_that_is_asked_for_is_too_small_for_a_double(
    apart: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    apart.syspath_prepend(written(tmp_path))
    backend = adapter("dp-accounting-rdp")
    for name in ("gaussian.delta", "dpsgd.delta"):
        ends = backend.domain[name]
        smallest = {
            key: int(low)
            if key == "steps"
            else high
            if key in ("noise_multiplier", "epsilon")
            else low
            for key, (low, high) in ends.items()
        }
        assert evaluate(name, **smallest).lower > sys.float_info.min


def test_the_optimistic_the_approximate_and_the_pessimistic_are_told_apart(
    apart: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    apart.syspath_prepend(written(tmp_path))
    told = {name: adapter(name).direction.get("dpsgd.epsilon", "upper") for name in HANDED}
    unlike = {name: side for name, side in told.items() if side != "upper"}
    assert unlike == {
        "dp-accounting-pld-optimistic": "lower",
        "prv-accountant-lower": "lower",
        "opacus-gdp": "estimate",
    }


def test_what_is_not_installed_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accountants, "find_spec", lambda _name: None)
    assert run(["certify", "third-party:opacus-rdp"]) == 3
    assert capsys.readouterr().err == (
        "simplexcert: third-party:opacus-rdp needs opacus, which is not installed here: "
        "pip install opacus\n"
    )


def test_an_accountant_that_there_is_not_is_told_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'opacus-rdp'"):
        accountant_named("third-party:opacus-rpd")


def test_an_accountant_in_the_current_folder_is_not_an_installed_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(written(tmp_path))
    elsewhere = [each for each in sys.path if each and not (Path(each) / "autodp").exists()]
    monkeypatch.setattr(sys, "path", ["", *elsewhere])
    assert find_spec("autodp") is not None
    with pytest.raises(InputError, match="neither here nor installed"):
        load_backend("third-party:autodp")


LIBRARY, SCALE = "diffprivlib/mechanisms.py", "gaussian.noise_multiplier_for_dp"
SMALL = """
class Gaussian:
    def __init__(self, **named): self._scale = {scale}
class GaussianAnalytic(Gaussian): pass
"""


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LoadedBackend, Path]]:
    """A stand-in in a process of its own, beside a cache that says another thing."""
    folder = written(tmp_path_factory.mktemp("installed"))
    file = folder / LIBRARY
    file.write_text(SMALL.format(scale=1.0), encoding="utf-8")
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(file), doraise=True, invalidation_mode=unchecked)
    file.write_text(SMALL.format(scale=2.0), encoding="utf-8")
    with ending_programs():
        with pytest.MonkeyPatch.context() as patched:
            patched.syspath_prepend(folder)
            loaded = load_backend("third-party:diffprivlib")
        yield loaded, file


def test_a_library_runs_from_the_files_that_are_digested(
    hosted: tuple[LoadedBackend, Path],
) -> None:
    loaded, file = hosted
    assert loaded.backend.quantities[SCALE](epsilon=1.0, delta=1e-6) == 2.0
    named = {each.name: each.sha256 for each in loaded.subjects}
    assert named[LIBRARY] == sha256(file.read_bytes()).hexdigest()


def test_an_accountant_is_never_called_in_our_process(hosted: tuple[LoadedBackend, Path]) -> None:
    loaded, _ = hosted
    assert loaded.terms is not None
    assert loaded.terms.argv[-1] == "diffprivlib"
    assert ACCOUNTANTS["diffprivlib"].location.partition(":")[0] not in sys.modules


def test_a_library_that_changes_is_told(hosted: tuple[LoadedBackend, Path]) -> None:
    loaded, file = hosted
    loaded.require_unchanged()
    before = file.read_bytes()
    file.write_bytes(before + b"\n")
    with pytest.raises(ChangedBackendError, match=LIBRARY):
        loaded.require_unchanged()
    file.write_bytes(before)


# One that takes milliseconds of each; where it lies, a real library is on its declared side.
TAME = {
    "dp-accounting-rdp": "gaussian.epsilon",
    "dp-accounting-pld": "gaussian.epsilon",
    "dp-accounting-pld-optimistic": "gaussian.epsilon",
    "dp-accounting-gaussian": "gaussian.epsilon",
    "opacus-rdp": "dpsgd.epsilon",
    "opacus-prv": "dpsgd.epsilon",
    "prv-accountant": "dpsgd.epsilon",
    "prv-accountant-lower": "dpsgd.epsilon",
    "autodp": "dpsgd.epsilon",
    "diffprivlib-classic": SCALE,
    "opendp": "gaussian.epsilon",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("name", TAME)
def test_a_real_accountant_is_certified_at_a_tame_point(name: str) -> None:
    if find_spec(ACCOUNTANTS[name].package) is None:
        pytest.skip(f"{ACCOUNTANTS[name].package} is not installed")
    backend = adapter(name)
    quantity = backend.quantity(TAME[name])
    tame = {"noise_multiplier": 1.5, "sampling_probability": 0.125, "steps": 50, "epsilon": 0.5}
    point: dict[str, Any] = {key: {**POINT, **tame}[key] for key in quantity.parameters}
    exact = {
        key: value if isinstance(value, int) else exact_number(value)
        for key, value in point.items()
    }
    (rule,) = rules_for(quantity, backend.slack, backend.accuracy)
    answer = backend.quantities[quantity.name](**point)
    assert judge(quantity, exact, answer, rule).verdict is Verdict.CERTIFIED
