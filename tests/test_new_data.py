"""A new trait changes traits.csv, rules.md and a test; a new board only its data files (docs/contributing.md)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import PROJECT
from tools.trait_rows import TABLE
from vinci_cli.text import i18n

TRAIT = {
    "en": ("Fishing", "+1 VP for each province with a port, by its fish."),
    "fr": ("Pêche", "+1 PV par province avec un port, par ses poissons."),
    "nl": ("Visserij", "+1 OP voor elke provincie met een haven, door zijn vis."),
    "de": ("Fischerei", "+1 SP für jede Provinz mit einem Hafen, dank der Fische."),
}
BOARD = {
    "en": ("Pond", "Eight provinces around a pond."),
    "fr": ("Étang", "Huit provinces autour d'un étang."),
    "nl": ("Vijver", "Acht provincies rond een vijver."),
    "de": ("Teich", "Acht Provinzen um einen Teich."),
}
REGION = {"en": "Shore", "fr": "Rive", "nl": "Oever", "de": "Ufer"}


def python(tree: Path, *arguments: str) -> str:
    """Run Python with the packages of a tree before those of the project; return its output."""
    path = [tree / "server", tree / "clients", tree, PROJECT]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONUTF8": "1"}
    environment.pop("COVERAGE_PROCESS_CONFIG", None)  # a report of coverage has no place for copies of modules
    command = [sys.executable, "-P", *arguments]
    ended = subprocess.run(command, cwd=tree, env=environment, check=False, capture_output=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of a copy with the two changes."""
    tree = tmp_path_factory.mktemp("tree")
    skipped = shutil.ignore_patterns("__pycache__")
    for folder in ("server/vinci_rules", "clients/vinci_cli", "docs"):
        shutil.copytree(PROJECT / folder, tree / folder, ignore=skipped)
    data = tree / "server" / "vinci_rules" / "data"

    names, effects = zip(*TRAIT.values(), strict=True)
    with (data / "traits.csv").open("a", encoding="utf-8") as file:
        print("FIS,fishing,,2,house,yellow,1,port,2,2", *names, *(f'"{text}"' for text in effects), sep=",", file=file)
    rules = tree / "docs" / "rules.md"
    text = rules.read_text(encoding="utf-8")
    table = TABLE.search(text)
    assert table is not None
    row = "| Fishing | 2 | house | +1 VP per province with a port |\n"
    rules.write_text(text[: table.end()] + row + text[table.end() :], encoding="utf-8")

    pond = shutil.copytree(data / "boards" / "tiny", data / "boards" / "pond")
    titles, texts = zip(*BOARD.values(), strict=True)
    lines = (pond / "texts.csv").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith(("board,", "region,West,"))]
    lines += [
        ",".join(["board", "pond", *titles, *texts]),
        ",".join(["region", "West", *REGION.values(), "", "", "", ""]),
    ]
    (pond / "texts.csv").write_text("\n".join(lines), encoding="utf-8")

    # what `make texts` runs
    shutil.copytree(PROJECT / "tools", tree / "tools", ignore=skipped)
    python(tree, "-m", "tools.trait_rows")
    return tree


@pytest.fixture(scope="module")
def shown(changed: Path) -> dict[str, dict[str, str]]:
    """Return the screens of a client after the two changes, by language and screen."""
    output = python(changed, "-m", "tests.support.new_data_screens", str(changed))
    screens: dict[str, dict[str, str]] = json.loads(output)
    return screens


def test_computer_players_play_with_a_new_trait(changed: Path) -> None:
    """It has no weights, neither in the table of the policy nor in that of simulations, and is drawn and taken."""
    game = ["--players", "easy,hard:1,dummy", "--board", "pond", "--target", "20", "--seed", "a"]
    output = python(changed, "-m", "vinci_cli", "selfplay", *game, "--games", "3", "--records", "games")
    assert output.count(" after ") == 3
    records = [path.read_text(encoding="utf-8") for path in (changed / "games").iterdir()]
    assert any("FIS#" in record for record in records)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_new_trait_is_shown_in_every_language(language: str, shown: dict[str, dict[str, str]]) -> None:
    """Line client, full screen, scores and help show it, because no table of the client lists traits."""
    name, effect = TRAIT[language]
    screens = shown[language]
    assert name in screens["market"]
    assert name in screens["screen"]
    assert name in screens["pane"]
    assert effect in screens["pane"]
    assert f"{name} +1" in screens["score"]
    assert screens["help"].startswith(f"{name}  ")
    assert (effect.removesuffix(".") if language != "en" else "+1 VP per province with a port") in screens["help"]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_new_board_is_shown_in_every_language(language: str, shown: dict[str, dict[str, str]]) -> None:
    """The form for a match shows its description, and the table its regions."""
    name, description = BOARD[language]
    screens = shown[language]
    assert screens["form"].splitlines()[0] == name
    assert description in screens["form"]
    assert REGION[language] in screens["board"]
