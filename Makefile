# Two commands do everything on a machine with make and Python 3.11: `make certificate`, `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is installed: what `make certificate` takes, and all that works here.
CORE := $(VENV)/.ready-core
READY := $(VENV)/.ready
# A quarter of the usual cases, in about a minute; what is published each night has all of them.
CASES ?= 50
# What is imported is compiled then; to compile all of it here takes as long as all the rest.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps
PINNED := $(INSTALL) --require-hashes --requirement
# `make lock` pins the newest that agrees with what is pinned; UPGRADE=--upgrade: the newest.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $(UPGRADE)

# Every test that starts a program would compile its 400 modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: certificate test outside claims lint types check bench simulate referee corpus experiments site soak dist lock schema manual proofs clean help

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(CORE): pyproject.toml .ci/certificate.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)
	$(PINNED) .ci/certificate.txt
	$(INSTALL) --no-build-isolation --editable .
	touch $(CORE)

$(READY): $(CORE) .ci/constraints.txt
	$(PINNED) .ci/constraints.txt
	touch $(READY)

certificate: $(CORE) ## Certify the built-in backend and write certificate.json; CASES=200: the usual number
	$(BIN)/simplexcert certify --out certificate.json --jobs 2 --cases $(CASES) --screen 200
	$(BIN)/simplexcert verify certificate.json --max-seconds 900

CHECKED := proofs_notes/machine_checked
PROVED := build/machine_checked

TESTS := $(BIN)/python -m pytest -n 2 --dist worksteal

test: $(READY) ## The test gate: every law once
	$(TESTS) tests/fast

outside: $(READY) ## What needs an environment of its own: wheel, actions, pages
	$(TESTS) tests/outside

claims: $(READY) ## Derive every verdict of the register again, those with the longest evidence too
	$(BIN)/simplexcert claims --check --jobs 2

lint: $(READY) ## Linter and formatter, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## The type checker
	MYPYPATH=.typing $(BIN)/mypy -p simplexcert
	$(BIN)/mypy $(CHECKED)/*.py

proofs: ## Check the machine-checked proofs; needs Coq 8.16 with Coquelicot, Flocq and Interval
	$(PYTHON) $(CHECKED)/generate.py --check
	mkdir -p $(PROVED) && rm -f $(PROVED)/*.v
	cp -p $(CHECKED)/*.v $(CHECKED)/_CoqProject $(PROVED)
	cd $(PROVED) && coq_makefile -f _CoqProject -o Makefile
	$(MAKE) -C $(PROVED) --jobs 2 --no-print-directory
	$(PYTHON) $(CHECKED)/assumptions.py $(PROVED)

check: test outside claims lint types ## Everything that has to pass

bench: $(READY) ## Speed and true error beside what people use now
	$(BIN)/python -m pytest benchmarks -p no:xdist --benchmark-columns=median,ops --benchmark-sort=name

simulate: $(READY) ## Simulated private chains beside every bound: tables and plots
	$(BIN)/python benchmarks/markov_simulation.py

# What is certified there is none of our requirements: it has an environment of its own.
REFEREE := build/referee
ACCOUNTANTS := $(REFEREE)/.venv

$(ACCOUNTANTS)/.ready: pyproject.toml .ci/certificate.txt .ci/accountants.txt .ci/opacus.txt
	$(PYTHON) -m venv $(ACCOUNTANTS)
	$(ACCOUNTANTS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement .ci/certificate.txt
	$(ACCOUNTANTS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement .ci/accountants.txt
	$(ACCOUNTANTS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement .ci/opacus.txt
	$(ACCOUNTANTS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

referee: $(ACCOUNTANTS)/.ready ## Certify the accountants that people use; a page and a JSON in build/referee
	$(ACCOUNTANTS)/bin/python benchmarks/referee.py $(REFEREE)

# The certificates that must be refused, with all that a verifier of others needs to be held against them.
CONFORMANCE := build/conformance

corpus: $(READY) ## Work the corpora out again: of accountants' bugs, in place; of hostile certificates, in build
	$(BIN)/python -m simplexcert.certify.vectors.corpus
	$(BIN)/python tests/fast/adversarial/conformance.py $(CONFORMANCE)

experiments: $(READY) ## The papers' experiments and a page of what came out; QUICK=1: small, ONLY=ID: some
	PYTHONPATH=benchmarks $(BIN)/python -m experiments $(if $(QUICK),--quick) $(ONLY)

site: $(READY) ## The documentation site, in build/site, without a network
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --config-file proofs_notes/site/mkdocs.yml

soak: $(READY) ## The gate's laws with more points, seeds, files and faults, for hours
	$(TESTS) --many tests/fast tests/long

dist: $(READY) ## Build what is released into dist/: the same bytes from the same commit; and its SBOM
	$(BIN)/python .ci/dist.py

lock: ## Pin what is installed, with hashes; needs uv
	echo 'setuptools>=77' | $(LOCK) pyproject.toml - --extra test --extra bench --extra lint -o .ci/constraints.txt
	echo 'setuptools>=77' | $(LOCK) pyproject.toml - --extra float64 -c .ci/constraints.txt -o .ci/certificate.txt
	$(LOCK) pyproject.toml -c .ci/constraints.txt -o .ci/core.txt

schema: $(CORE) ## Write the certificate's JSON Schema again from the models
	$(BIN)/python -m simplexcert.certify.certificate.schema
	$(BIN)/python -m simplexcert.certify.vectors.schema

manual: $(CORE) ## Write the manual page again from the commands' help
	$(BIN)/python -m simplexcert.certify.cli.manual

clean: ## Remove what was built
	rm -rf $(VENV) build dist *.egg-info certificate.json .benchmarks .hypothesis
