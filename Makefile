# make run      install what is missing and open the app
# make check    ruff and mypy            make test    every test
# make bench    speed, as ratios to a limit measured in the same run
# make local-model    a small neural network for this machine (about 130 MB), no key and no network needed afterwards
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install run check test bench local-model
.DEFAULT_GOAL := run

install: .venv/app

.venv/app: requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/tests: .venv/app tests/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@

run: install
	$(BIN)/streamlit run app.py

check: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: .venv/tests
	$(BIN)/python -m pytest

bench: .venv/tests
	$(BIN)/python -m tests.bench

local-model: install
	$(BIN)/pip install --quiet --disable-pip-version-check xllamacpp==2026.10.11549
	$(BIN)/python -m readers.engine.local fetch
