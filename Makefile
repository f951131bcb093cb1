# Needs python3 (3.11 or newer) with venv, nothing else: every target installs what it uses into .venv.

PYTHON ?= python3
PORT ?= 8000
# Test processes at a time.
WORKERS ?= auto
# More for pytest, for example PYTEST="-k gate".
PYTEST ?=

BIN := .venv/bin
UV := $(BIN)/uv
# A machine behind its own certificate authority has it where the system looks.
export UV_SYSTEM_CERTS := 1
# The pins carry hashes and nothing else may be installed; pip does it where uv is not to be had or does not get through.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
INSTALL = $(UV) pip install --quiet --require-hashes --python $(BIN)/python -r $(1) || $(PIP) --require-hashes -r $(1)

.DEFAULT_GOAL := help
.PHONY: help demo test check audit bench screenshots pins clean

help: ## What there is to make
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

# --- Environments: a stamp for each set of pins, older than them when they changed ------------------------------------

.venv/made:
	$(PYTHON) -m venv .venv
	-@$(PIP) --only-binary :all: uv
	@touch $@

.venv/%: requirements/%.txt | .venv/made
	@echo "installing $<"
	@$(call INSTALL,$<)
	@touch $@

# --- Running ----------------------------------------------------------------------------------------------------------

demo: export SITE_URL ?= http://127.0.0.1:$(PORT)
demo: .venv/base ## Example data in var/, then the site and its worker on PORT (8000); DEMO_SERVE=0 only prepares
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py demo
	@if [ "$(DEMO_SERVE)" != 0 ]; then exec $(BIN)/python manage.py up --port $(PORT); fi

# --- Tests ------------------------------------------------------------------------------------------------------------

# Both sessions run whatever becomes of the first; browser tests see no database, so once is enough.
test: .venv/test ## Every test on SQLite, those of a database on PostgreSQL too; in a browser where there is a Chromium
	@status=0; \
	$(BIN)/python -m pytest --database sqlite -n $(WORKERS) $(PYTEST) || status=1; \
	$(BIN)/python -m pytest --database postgresql -m "not browser" -n $(WORKERS) $(PYTEST) || status=1; \
	exit $$status

# An installation as docs/operators describes it: nothing is connected to, only the settings are read.
PRODUCTION := env -i PATH="$$PATH" DATA_DIR=.venv/check SITE_URL=https://assay.example ALLOWED_HOSTS=assay.example \
	SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" REQUIRE_OTP=1 NUM_PROXIES=1 \
	DATABASE_URL=postgres://assay@db/assay CELERY_BROKER_URL=redis://redis/0 CACHE_URL=redis://redis/1

check: .venv/quality ## Style, types, direction of imports, templates, migrations, production settings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	git ls-files -z -- 'templates/*.html' | xargs -0r $(BIN)/djade --check --target-version 5.2
	$(BIN)/djlint --quiet --lint templates
	DATA_DIR=.venv/check $(BIN)/python manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

audit: .venv/audit ## Known vulnerabilities among the pins
	$(BIN)/pip-audit --strict --disable-pip --require-hashes $(foreach file,$(wildcard requirements/*.txt),-r $(file))

bench: .venv/test ## The performance measurements (hours; ONLY=importing.preview takes one), written to benchmarks/results/
	$(BIN)/python -m benchmarks $(ONLY)

# --- Upkeep -----------------------------------------------------------------------------------------------------------

# No header and no index: the pins hold names, versions and hashes, no addresses. The later files agree with the earlier.
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
	--no-emit-find-links $(UPGRADE) pyproject.toml

pins: .venv/made ## Compile requirements/ from pyproject.toml; UPGRADE=--upgrade takes the newest
	$(COMPILE) --output-file requirements/base.txt
	$(COMPILE) --constraint requirements/base.txt --group test --output-file requirements/test.txt
	$(COMPILE) --constraint requirements/test.txt --group quality --output-file requirements/quality.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		--no-emit-find-links $(UPGRADE) --group audit --output-file requirements/audit.txt

clean: ## Remove the environment and every cache; var/ stays
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
