# make run      install what is missing and open the app
# make dev      the same, started again whenever a source file changes
# make check    ruff and mypy
# make quick    unit and property tests: while you work     make test    everything but scale: before you push
# make bench    speed, as ratios to a limit measured in the same run; ROWS="opening. qrmem" for some
# make bench-facts    how often the matcher of facts is right, with intervals
# make bench-watch    how much of what a program's prompts are made of is found from its calls alone; READERS="qrmem" for some
# make bench-judge MODEL=ID    how often a model that judges the same pairs agrees with their labels; N=100 for some of them
# make bench-grading    how often right and wrong by rule are right, with intervals
# make hostile  files made to do harm, each held against its promise: a text or a sentence, in 30 seconds and 1 GB; words in every
#               field that would do something if they were more than words; and processes that are killed, many people at once, and
#               very many readings, steps and keys: nothing is lost or asked again, and memory and the file grow with what is kept.
#               WORD="pdf" for some
# make thorough    all tests, property tests with 300 examples each, and those of scale: what CI runs
# make lock     every lock, from what it is made of    make audit    known faults of what is installed; it fails in words where no
#               index of advisories can be reached
# make licences    what the app is shipped with: licences/sbom.json (CycloneDX), and THIRD_PARTY.txt with the texts of the licences
# make schema   docs/run-file.schema.json, from the classes that read run files
# make cluster  what several processes and machines read with, which is optional
# make site     the gallery: the recordings and lessons that come along, as static files in site/, for any web server or none
# make screenshots    the README's pictures, taken of the running app
# make local-model    a neural network for this machine: no key and no network needed afterwards. MODEL=qwen2.5-1.5b for another
#                     than the smallest (about 130 MB), FROM=FILE for weights that were fetched by other means
# make recordings     the readings in assets/readings again, by a real model on this machine: hours; NAME=walk for some of them
PYTHON ?= python3
BIN := .venv/bin
AXE := .venv/axe/node_modules/axe-core
MODEL := smollm2
FROM :=
NAME :=
WORD :=
N :=
ROWS :=

# Tests are compiled once, not by every process of every run, which would take longer than many of them do.
export PYTHONDONTWRITEBYTECODE :=
PYTEST := $(BIN)/python -m pytest
BROWSER := $(PYTEST) tests/browser -n 2 --dist loadfile
# Browser tests that failed, once more with nothing beside them: what fails twice fails. One that passes now depends on time.
AGAIN = { echo "Once more, alone. A test that passes only now depends on time: look at it."; \
	$(PYTEST) tests/browser --last-failed --last-failed-no-failures none -m "$(1)"; }
# Three processes for two processors: some of the tests wait, for a clock or a process of their own.
UNIT := -n $(shell echo $$(( ($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2 ))) --dist worksteal --ignore=tests/browser

.PHONY: install cluster label-studio inspect lock schema site licences audit run dev check quick js test thorough hostile axe bench bench-facts bench-watch bench-judge screenshots local-model recordings
.DEFAULT_GOAL := run

install: .venv/app

.venv/app: requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

# After a change of what is required. Each lock has hashes for every platform; what the app's has already is in no other.
LOCK = $(BIN)/uv pip compile --universal --generate-hashes --no-annotate --no-header --quiet --python-version
BESIDE = -c requirements.lock $$(sed -n 's/^\([A-Za-z0-9_.-]*\)==.*/--no-emit-package \1/p' requirements.lock)
lock: .venv/app
	$(BIN)/pip install --quiet --disable-pip-version-check uv==0.13.9
	$(LOCK) 3.11 requirements.txt -o requirements.lock
	$(LOCK) 3.11 $(BESIDE) tests/requirements.txt -o tests/requirements.lock
	$(LOCK) 3.11 $(BESIDE) requirements-cluster.txt -o requirements-cluster.lock
	$(LOCK) 3.11 --no-deps tests/label_studio.txt -o tests/label_studio.lock
	$(LOCK) 3.11.5 --no-deps tests/inspect.txt -o tests/inspect.lock

site: .venv/app
	rm -rf site
	$(BIN)/python -m readers publish -o site

schema: .venv/tests
	$(BIN)/python -m tests.run_file_json_schema

licences: .venv/tests
	$(BIN)/python -m tests.licences $@

# Known faults of what is installed, by the advisories of the Python Packaging Authority; it needs the network.
audit: .venv/app
	$(BIN)/pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	$(BIN)/python -m tests.audit $(BIN)/pip-audit

.venv/tests: .venv/app tests/requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock -r tests/requirements.lock
	touch $@

# What several processes and machines read with; only the tests of scale need it.
cluster: .venv/cluster

.venv/cluster: .venv/tests requirements-cluster.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock -r requirements-cluster.lock
	touch $@

# Label Studio's own converter, which loads exported labels in a test; nothing else imports it.
label-studio: .venv/label-studio/installed

.venv/label-studio/installed: tests/label_studio.lock | .venv/tests
	rm -rf .venv/label-studio
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --target .venv/label-studio -r tests/label_studio.lock
	touch $@

# Inspect's own reader of logs, which opens exported ones in a test, and runs the solver; nothing else imports it.
inspect: .venv/inspect/installed

.venv/inspect/installed: tests/inspect.lock | .venv/tests
	rm -rf .venv/inspect
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --target .venv/inspect -r tests/inspect.lock
	touch $@

run: install
	$(BIN)/streamlit run app.py

dev: .venv/tests
	$(BIN)/watchmedo auto-restart --recursive --debounce-interval 0.3 --patterns "**/*.py;**/*.js;**/*.css" \
		--directory components --directory pages --directory readers --directory assets \
		$(BIN)/streamlit -- run app.py --server.headless=true

check: .venv/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

quick: .venv/tests js
	$(PYTEST) $(UNIT) -q -m "not slow and not scale"

test: .venv/tests label-studio inspect axe js
	$(PYTEST) $(UNIT) -m "not scale"
	$(BROWSER) -m "not scale" || $(call AGAIN,not scale)

thorough: .venv/tests label-studio inspect axe cluster js
	$(PYTEST) $(UNIT) --hypothesis-profile=thorough
	$(BROWSER) -m browser || $(call AGAIN,browser)

bench-grading: .venv/tests
	$(BIN)/python -m tests.grading

bench-facts: .venv/tests
	$(BIN)/python -m tests.facts

bench-watch: .venv/tests
	$(BIN)/python -m tests.bench.watch $(READERS)

bench-judge: .venv/tests
	$(BIN)/python -m tests.facts.judge $(MODEL) $(if $(N),--n $(N))

hostile: .venv/tests
	$(BIN)/python -m tests.hostile $(WORD)

# The browser's scripts, without a browser.
js:
	@if command -v node >/dev/null; then node --no-warnings --test --test-reporter=dot tests/js/*.test.mjs; \
	elif [ -n "$$CI" ]; then echo "node is missing, and CI tests the scripts: install Debian's nodejs"; exit 1; \
	else echo "node is missing: the tests of the scripts are skipped"; fi

# What looks the pages over for barriers; its tests are skipped where it cannot be had.
axe: .venv/tests
	test -f $(AXE)/axe.min.js || ! command -v npm >/dev/null || \
		npm install --silent --no-audit --no-fund --prefix .venv/axe axe-core@4.14.1 || true

bench: .venv/tests cluster
	$(BIN)/python -m tests.bench $(ROWS)

screenshots: .venv/tests
	$(BIN)/python -m tests.browser.screenshots

local-model: install
	$(BIN)/pip install --quiet --disable-pip-version-check xllamacpp==2026.10.11549
	$(BIN)/python -m readers.engine.models.local.fetch $(MODEL) $(if $(FROM),--from "$(FROM)")

recordings: .venv/tests
	$(BIN)/python -m tests.recordings $(NAME)
