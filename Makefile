# The two commands: `make play` and `make test`. Both set up what they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := server clients bots tests tools benchmarks
RELEASED := tests/data/released-protocol.binpb
QUICK := tests/rules tests/codec tests/cli/text tests/cli/game/test_statistics.py tests/tournament/results tests/tournament/stats \
	--ignore=tests/rules/test_properties.py --ignore=tests/tournament/stats/test_simulated_leagues.py

.PHONY: play test test-quick check check-all check-compiled compiled-copy coverage hooks bench fast docs proto released-protos texts commands pictures balance-pictures web web-test web-pictures lock dist clean map

play: .venv/.installed
	$(BIN)/vinci play

test: .venv/.developing
	$(BIN)/pytest -n logical

# Rules, codec, texts and statistics, without random games: they need no server and are run on every save.
test-quick: .venv/.developing
	$(BIN)/pytest -n logical $(QUICK)

# Style, types, layers, generated code, links of the docs, protocol. `make hooks` runs it before each commit.
check: .venv/.developing
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.generate_protos --check
	$(BIN)/python -m tools.phase_table --check
	$(BIN)/python -m tools.check_links
	$(BIN)/python -m tools.protocol_tables --check
	$(BIN)/python -m tools.catalogues --check
	$(BIN)/python -m tools.trait_rows --check
	$(BIN)/python -m tools.terminal_picture --check
	$(BIN)/python -m tools.command_table --check
	$(BIN)/python -m tools.web_texts --check
	$(BIN)/python -m tools.palette --check
	$(BIN)/python -m tools.web_page --check
	$(BIN)/buf lint
	$(BIN)/buf breaking --against $(RELEASED)

# Everything, the slow tests too, and compiled rules beside their sources, for which a copy in .compiled is made.
check-all: check compiled-copy web-test
	$(BIN)/pytest -n logical -m ''

# Compiled rules play, refuse, compare and pickle as their sources do. Skipped without a C compiler.
check-compiled: compiled-copy
	$(BIN)/pytest -n logical -m '' -rs tests/compiled

compiled-copy: .venv/.developing
	PYTHONPATH=server $(BIN)/python -m tools.compile_rules --copy .compiled

# Tests with branch coverage, also of the processes that they start; fails below the floor in pyproject.toml.
coverage: .venv/.developing
	rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -n logical
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# `make check` before each commit.
hooks: .venv/.developing
	$(BIN)/pre-commit install

# Compiles rules and players beside their sources if there is a C compiler: bots, playouts and leagues become several times as quick.
# A source that is changed afterwards makes Python use the sources again, until the next `make fast`.
fast: .venv/.developing
	PYTHONPATH=server $(BIN)/python -m tools.compile_rules

# One line a figure: name value unit reference ratio target ok|short. ONLY=rules runs one group.
bench: .venv/.developing
	$(BIN)/python -m benchmarks $(ONLY)

# The documentation site in site/, with checked links; `make docs` again after a change.
docs: .venv/.documenting
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "site/index.html"

.venv/.documenting: .venv/.developing
	$(BIN)/pip install --quiet -e '.[docs]'
	touch $@

proto: .venv/.developing
	$(BIN)/python -m tools.generate_protos

# At a release: the protocol that later ones are compared with.
released-protos: .venv/.developing
	$(BIN)/buf build --exclude-source-info --output $(RELEASED)

# The texts of the sources into the catalogues of the other languages, new traits into the translated rules; tells what is
# to be translated.
texts: .venv/.developing
	$(BIN)/python -m tools.trait_rows
	$(BIN)/python -m tools.catalogues

# The table of commands and options that completion reads, and the manual page; after a change of a command.
commands: .venv/.developing
	$(BIN)/python -m tools.command_table

# Eight screens of the client in two themes, in docs/pictures, to be looked at after a change of how they look.
pictures: .venv/.developing
	$(BIN)/python -m tools.terminal_picture
	$(BIN)/python -m tools.screen_pictures

# The charts of docs/balance.md: plays its studies again, in a minute with compiled rules (make fast).
balance-pictures: .venv/.developing
	$(BIN)/python -m tools.balance_pictures

# The page of the browser client from clients/web into server/vinci_server/web/page, with its checks and tests; needs Node 20 or later.
web: .venv/.developing clients/web/node_modules/.package-lock.json
	cd clients/web && PATH="$(CURDIR)/$(BIN):$$PATH" npm run generate
	$(BIN)/python -m tools.web_texts
	$(BIN)/python -m tools.palette
	cd clients/web && npm run lint && npm run types && npm run test && npm run build
	$(BIN)/python -m tools.web_page

# Games on the page as committed, in Chromium without a window (Debian's package chromium, or CHROMIUM=PATH), by touch and by
# keyboard, and what axe says. Skipped without Node or Chromium; an evening with a guest in Firefox, too, if that is at FIREFOX.
CHROMIUM ?= /usr/bin/chromium
FIREFOX ?= /usr/bin/firefox-esr
web-test: .venv/.developing
	@if ! command -v npm >/dev/null || ! test -x "$(CHROMIUM)"; then \
		echo "web-test is skipped: it needs npm (Node 20 or later) and Chromium at $(CHROMIUM)"; \
	else \
		$(MAKE) clients/web/node_modules/.package-lock.json && cd clients/web && CHROMIUM="$(CHROMIUM)" FIREFOX="$(FIREFOX)" npm run test:pages; \
	fi

# Each phase on the page at three sizes, into docs/pictures/web, to be looked at after a change of how the page looks.
web-pictures: .venv/.developing clients/web/node_modules/.package-lock.json
	cd clients/web && CHROMIUM="$(CHROMIUM)" npm run pictures

clients/web/node_modules/.package-lock.json: clients/web/package-lock.json
	cd clients/web && npm ci --no-audit --no-fund
	touch $@

# uv.lock and both requirements files anew, with the newest versions for Python 3.11 and later on every system; needs uv (pip install uv).
# UPGRADE= keeps the versions that still fit.
UPGRADE ?= --upgrade
EXPORT := uv export --quiet --frozen --no-config --no-emit-project --no-default-groups --no-header
lock:
	uv lock --quiet $(UPGRADE) --no-config --default-index https://pypi.org/simple
	$(EXPORT) --extra leagues --extra web --output-file requirements.lock
	$(EXPORT) --only-group build --output-file requirements-build.lock

# Source archive and wheel in dist/, the wheel from the unpacked archive, with their descriptions checked as an index does.
dist: .venv/.developing docs
	test -x .venv/dist || $(BIN)/python -m venv .venv/dist # apart: structlog imports what twine needs in every process
	.venv/dist/bin/pip install --quiet --disable-pip-version-check 'build>=1.2.2' 'twine>=6.1'
	rm -rf dist
	.venv/dist/bin/python -m build --outdir dist
	.venv/dist/bin/twine check --strict dist/*

# The maps of the boards from coastline and points, and the picture of Europe.
map: .venv/.developing
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[tools]'
	$(BIN)/python -m tools.board_map
	$(BIN)/vinci board --svg docs/europe.svg

.venv/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[leagues]'
	touch $@

.venv/.developing: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv .compiled
	find server -name '*.so' -delete -o -name '*.pyd' -delete -o -name compiled.sha256 -delete
