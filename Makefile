# make run      install what is missing and open the app
# make check    ruff and mypy            make test    every test
# make bench    speed, as ratios to a limit measured in the same run
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install run check test bench
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
