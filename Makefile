# The two commands: `make play` and `make test`. Both set up what they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := server clients bots tests tools benchmarks

.PHONY: play test check check-all bench proto texts lock clean map

play: .venv/.installed
	$(BIN)/vinci play

test: .venv/.developing
	$(BIN)/pytest -n logical

# Style, types, layers, generated code, links of the docs.
check: .venv/.developing
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/generate_protos.py --check
	$(BIN)/python tools/phase_diagram.py --check
	$(BIN)/python tools/check_links.py
	$(BIN)/python tools/check_protocol.py
	$(BIN)/python tools/catalogues.py --check
	$(BIN)/python tools/terminal_picture.py --check

# Everything, the slow tests too.
check-all: check
	$(BIN)/pytest -n logical -m ''

# One line a figure: name value unit reference ratio target ok|short. ONLY=rules runs one group.
bench: .venv/.developing
	$(BIN)/python -m benchmarks $(ONLY)

proto: .venv/.developing
	$(BIN)/python tools/generate_protos.py

# The texts of the sources into the catalogues of the other languages; tells what is to be translated.
texts: .venv/.developing
	$(BIN)/python tools/catalogues.py

# requirements.lock anew, with the newest versions for Python 3.11 and later on every system; needs uv (pip install uv).
lock:
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-config \
		--default-index https://pypi.org/simple --custom-compile-command 'make lock' \
		--group build pyproject.toml --output-file requirements.lock

# The maps of the boards from coastline and points, and the picture of Europe.
map: .venv/.developing
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[tools]'
	$(BIN)/python tools/board_map.py
	$(BIN)/vinci board --svg docs/europe.svg

.venv/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.developing: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv
