# The menu. Every target sets up what it needs; a second run starts in seconds.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup run quick test check check-all demo pictures bench docs client faults mutants lint lock wheel release image image-test secrets digests clean

# A whole Muster is started dozens of times by the tests: its modules are compiled once, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
PY := $(VENV)/bin/python
# Nothing is downloaded whose hash is not in a lock. Needs nothing but the standard library.
INSTALL := $(PY) -m deploy.install_locked
# The project and its client, as they are here; a build asks nobody for anything.
EDITABLE := $(VENV)/bin/uv pip install --quiet --offline --python $(PY) --no-deps --no-build-isolation -e clients/python -e .
LOCK := $(VENV)/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-package muster-tabletop-client --python-version 3.11 --group build
# Behind a command that has said why it failed; make cannot be kept from adding its own line.
SAID := || { code=$$?; echo "The reason is above; make adds only that it stopped:" >&2; exit $$code; }
PYTEST := $(PY) -m pytest -p no:anyio
# Each process has whole files, so that what a file sets up is set up once. `make test` computes: a process for each of two
# cores. What `make check` runs waits for processes of its own most of the time.
BY_FILE := --dist loadfile --no-loadscope-reorder
# Files outside tests/faults with rows for the table: by name, since collecting every test takes half a minute.
ATTACKS = $(shell grep -rl --include='test_*.py' 'mark[.]attack' tests | grep -v ^tests/faults/)

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(VENV)/.development  ## everything installed, nothing started

run: $(VENV)/.runtime  ## the whole of Muster on this machine (DEMO=0: without the demonstration tournament)
	@$(PY) -m deploy.run $(SAID)

quick: $(VENV)/.development  ## lint, types and the tests of the folders that changed since main (BASE=COMMIT)
	@$(PY) -m tests.quick $(BASE)

test: $(VENV)/.development  ## the tests that a change needs, with Python and make alone (ARGS="tests/unit -x" for some)
	@$(PYTEST) $(or $(ARGS),--suite test --durations 10 --durations-min 2 -n 2 $(BY_FILE))

check: $(VENV)/.development  ## the other tests of a landing: browser, engines, whole Musters, faults (MUSTER_REQUIRE=postgresql,…)
	@$(PYTEST) $(or $(ARGS),--suite check -n 5 $(BY_FILE))

check-all: $(VENV)/.mutants  ## every test with new examples, the image and mutants, before a release (SEED=N repeats a run)
	@seed=$${SEED:-$$($(PY) -c 'import secrets; print(secrets.randbelow(10**9))')}; echo "SEED=$$seed"; \
	MUSTER_FUZZ=$${MUSTER_FUZZ:-5} $(PYTEST) --suite check-all --hypothesis-seed=$$seed -n 5 $(BY_FILE) && \
	$(PY) -m tests.mutants --seed $$seed --number $(or $(N),300)

demo: $(VENV)/.runtime  ## a multi-venue tournament played on a stack of its own, then verified
	@$(PY) -m deploy.demo

pictures: $(VENV)/.development  ## the pictures of the README and the tutorial, taken of the console
	@$(PY) -m deploy.pictures

bench: $(VENV)/.development  ## benchmarks, as tables and in bench/results/ (ARGS=large: 10,000 players over HTTP)
	@$(PY) -m bench $(ARGS)

faults: $(VENV)/.development  ## kills, cuts, empties and attacks what Muster runs on; one table of what came of it
	@$(PYTEST) -m "fault or attack" $(or $(ARGS),-n 2 --dist worksteal tests/faults $(ATTACKS))

mutants: $(VENV)/.mutants  ## rules broken on purpose, judged by the tests of their clauses (SEED=1 N=300)
	@$(PY) -m tests.mutants --seed $(or $(SEED),1) --number $(or $(N),300)

client: $(VENV)/.development  ## clients/openapi.json and the typed Python client, made from the services
	@$(PY) -m clients.generate

docs: client  ## the generated pages and tables of docs/, and the client, written from the code and the lock
	@$(PY) -m deploy.event_page > docs/reference/events.md
	@$(PY) -m deploy.asyncapi_document > docs/reference/asyncapi.json
	@$(PY) -m deploy.settings_page
	@$(PY) -m deploy.command_tables
	@$(PY) -m deploy.licences

lint: $(VENV)/.development  ## ruff, mypy and the import rules
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(PYTEST) tests/unit/test_import_directions.py

lock: $(VENV)/.development  ## the locks made anew from pyproject.toml (UPGRADE=--upgrade for newer versions)
	$(LOCK) $(UPGRADE) pyproject.toml -o requirements.lock >/dev/null
	$(LOCK) $(UPGRADE) --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock >/dev/null
	$(LOCK) $(UPGRADE) --group mutants -c requirements-dev.lock -o requirements-mutants.lock >/dev/null
	@(echo '# What installs the rest; `make lock` writes it.'; sed -n '/^uv==/,/^    # via/{/# via/!p;}' requirements-dev.lock) > requirements-uv.lock

wheel: $(VENV)/.development  ## wheels and source archives of the last commit, Muster's and its client's, in dist/
	@$(PY) -m deploy.release build

release: $(VENV)/.development  ## checks, tests, builds and tags the version in shared/version.py; publishes nothing
	@$(PY) -m deploy.release check
	@$(MAKE) lint check-all
	@$(PY) -m deploy.release build
	@$(PY) -m deploy.release tag

image:  ## the image of the containers, with docker, podman or buildah (ARGS="--build-arg BASE=…")
	@deploy/image.sh $(ARGS)

image-test: $(VENV)/.development  ## the image built by buildah, all nine processes run from it, a tournament played through them
	@$(PYTEST) -m image tests/deploy/test_image.py

secrets: $(VENV)/.runtime  ## the secret files that docker-compose.yml wants, in secrets/; what is there stays
	@$(PY) -m deploy.secret_files $(SAID)

digests: $(VENV)/.runtime  ## the digests of today behind the base images of Dockerfile and docker-compose.yml
	@$(PY) -m deploy.pin_images

clean:  ## the virtual environment and caches removed; data in var/ stays
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Whatever its stamps say, an environment whose Python is gone (an upgraded system, a moved folder) is made again.
NOT_OURS := $(VENV) belongs to somebody else; remove it (sudo rm -r $(VENV)) and start again
OURS := test -w $(VENV) || test ! -d $(VENV) || { echo "$(NOT_OURS)" >&2; exit 1; }
USABLE := import pip, sys; sys.exit(sys.version_info < (3, 11))
ifneq ($(wildcard $(VENV)/.made),)
ifneq ($(shell $(PY) -c '$(USABLE)' >/dev/null 2>&1 || echo broken),)
ifeq ($(shell test -w $(VENV) && echo ours),)
$(error $(NOT_OURS))
endif
$(shell rm -f $(VENV)/.made $(VENV)/.runtime $(VENV)/.development $(VENV)/.mutants)
endif
endif

$(VENV)/.made:
	@$(OURS)
	@if ! $(PY) -c '$(USABLE)' >/dev/null 2>&1; then \
	  python=$$(deploy/find-python.sh) || exit 1; \
	  echo "Setting up $(VENV) with $$("$$python" --version) (what it installs is in requirements.lock)"; \
	  rm -rf $(VENV) && "$$python" -m venv $(VENV) || exit 1; \
	fi; touch $@

# Stamps: a lock that changed is installed again, and the project with it.
$(VENV)/.runtime: requirements.lock pyproject.toml | $(VENV)/.made
	@$(OURS)
	@$(INSTALL) requirements.lock $(SAID)
	@$(EDITABLE)
	@touch $@

$(VENV)/.development: requirements-dev.lock $(VENV)/.runtime
	@$(OURS)
	@$(INSTALL) requirements-dev.lock $(SAID)
	@touch $@

$(VENV)/.mutants: requirements-mutants.lock $(VENV)/.development
	@$(OURS)
	@$(INSTALL) requirements-mutants.lock $(SAID)
	@touch $@
