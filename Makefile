# Each target works as the first command on a fresh clone: make, Python >= 3.11 and the package
# index are all it needs. CONTRIBUTING.md tells how to do the same without make.

VENV ?= .venv
# The first Python on the path that is new enough; PYTHON=... names another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
ifneq ($(wildcard $(VENV)/Scripts/python.exe),)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

DEMO_ARGS ?=
TEST_ARGS ?=
EVALUATE_ARGS ?=
BENCH_ARGS ?=
SOAK_ARGS ?=
SHARED ?= ../shared

.DEFAULT_GOAL := help
.PHONY: help demo test check evaluate bench soak clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

demo: $(VENV)/.runtime ## review the sample recording, then serve its overlay (DEMO_ARGS="--no-serve" just finishes)
	$(BIN)/referee demo $(DEMO_ARGS)

test: $(VENV)/.dev ## run all tests (TEST_ARGS="tests/rules -x" picks)
	$(BIN)/python -m pytest $(TEST_ARGS)

check: $(VENV)/.dev ## style, types and walls: ruff, mypy --strict, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

evaluate: $(VENV)/.dev ## score the reader on fresh scenes, and on ../shared where it exists
	$(BIN)/python -m datasets.evaluate --shared $(SHARED) $(EVALUATE_ARGS)

bench: $(VENV)/.bench ## measure what a frame, a reading and a review cost
	$(BIN)/python -m benchmarks $(BENCH_ARGS)
	$(BIN)/python -m benchmarks.rules_bench

soak: $(VENV)/.bench ## measure the live side: a hundred viewers, a long game (SOAK_ARGS="--seconds 7200")
	$(BIN)/python -m benchmarks.live_bench $(SOAK_ARGS)

clean: ## remove what was made, the environment too
	rm -rf $(VENV) out build dist *.egg-info

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found; install one, or name it with PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@ $(VENV)/.runtime

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	@touch $@
