.DEFAULT_GOAL := help
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help install demo test lint check bench validity schema golden lowest clean

help: ## Show what there is to make
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

install: $(STAMP) ## Make the environment in .venv

demo: $(STAMP) ## Run the main job on embedded data: ingest, sweep, report
	$(BIN)/calib demo demo

test: $(STAMP) ## Run the tests
	$(BIN)/python -m pytest -n auto

lint: $(STAMP) ## Check style, types, and which way imports point
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test ## Everything that has to be green

schema: $(STAMP) ## Write data-schema/ from the code
	$(BIN)/python -m tests.schema

golden: $(STAMP) ## Accept today's output as the golden files; read the diff
	CALIB_GOLDEN=write $(BIN)/python -m pytest -q -n auto tests

bench: $(STAMP) ## Measure against named peers; writes benchmarks/RESULTS.md
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m benchmarks

validity: $(STAMP) ## Draw corpora of known rates and see whether the bounds hold; writes benchmarks/VALIDITY.md
	$(BIN)/python -m benchmarks.validity

lowest: ## Run the tests with the oldest allowed version of each dependency
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --upgrade pip uv
	.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct --editable ".[live]"
	.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python pytest pytest-xdist hypothesis jsonschema markdown-it-py
	.venv-lowest/bin/python -m pytest -n auto

clean: ## Remove what make made
	rm -rf $(VENV) .venv-lowest demo dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
