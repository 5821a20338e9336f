"""Boards and the tables in data/: what they hold, and how a wrong cell is named."""

import csv
import re
from pathlib import Path

import pytest

import vinci_rules
from tests.support.paths import DOCS
from vinci_rules.board import Board, Provinces, board_names, load_board, members, set_of
from vinci_rules.data import DataError, read

DATA = Path(vinci_rules.__file__).parent / "data"
ADJACENCY = DOCS.parent / "tests" / "data" / "europe-adjacency.csv"
LANGUAGES = {"en", "fr", "nl", "de"}
TABLES = sorted(path.relative_to(DATA).as_posix() for path in DATA.rglob("*.csv"))


def codes(board: Board, provinces: Provinces) -> set[str]:
    """Return the codes of a set of provinces."""
    return set(board.codes_of(provinces))


# Europe


@pytest.mark.rule("R-CONQ-2")
def test_europe_is_connected_as_designed() -> None:
    """Every province is adjacent to those of the design, and to no others."""
    with ADJACENCY.open(encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        design = {row["code"]: set(row["adjacent"].split()) for row in rows}
    board = load_board("europe")
    assert {code: codes(board, board.neighbours[board.index[code]]) for code in board.codes} == design


@pytest.mark.rule("R-SETUP-2")
def test_europe_has_45_provinces_of_which_12_are_mountains() -> None:
    """All terrains, mines and ports occur."""
    board = load_board("europe")
    assert len(board.codes) == 45
    assert board.mountains.bit_count() == 12
    assert set(board.terrain) == {"farmland", "pasture", "hills", "forest", "mountain"}
    assert board.having["mine"]
    assert board.having["port"]


@pytest.mark.rule("R-ENTRY-1")
def test_entry_provinces_of_europe() -> None:
    """Scotland and Ireland qualify; no French province does, and not northern Italy."""
    board = load_board("europe")
    assert {"SCO", "IRL"} <= codes(board, board.entry)
    french = {"AQU", "MAS", "ARM", "NEU", "PRO", "FLA", "PYR", "ALP"}
    assert not (french | {"LOM"}) & codes(board, board.entry)
    assert french - {"PYR", "ALP"} == {board.codes[p] for p in board.provinces if board.regions[p] == "Gaul"}


@pytest.mark.rule("R-CONQ-2")
def test_scotland_and_ireland_are_adjacent_across_a_strait() -> None:
    """The strait of the rules' own example."""
    board = load_board("europe")
    assert "IRL" in codes(board, board.straits[board.index["SCO"]])
    assert "IRL" in codes(board, board.neighbours[board.index["SCO"]])


@pytest.mark.rule("R-ENTRY-3")
def test_astronomy_reaches_ireland_norway_and_naples() -> None:
    """The seas that the worked example crosses are linked."""
    board = load_board("europe")
    assert {"NOR", "NAP"} <= codes(board, board.by_sea[board.index["IRL"]])


@pytest.mark.parametrize("name", board_names())
def test_touching_is_mutual(name: str) -> None:
    """Borders, straits, coasts and seas join provinces mutually, and no province with itself."""
    board = load_board(name)
    for table in (board.neighbours, board.straits, board.coastal, board.by_sea):
        for p in board.provinces:
            assert not table[p] >> p & 1
            assert all(table[q] >> p & 1 for q in members(table[p]))


@pytest.mark.parametrize("name", board_names())
def test_a_shared_coast_counts_between_adjacent_provinces_only(name: str) -> None:
    """Galleys are for provinces that are adjacent and share a coast (R-CONQ-2)."""
    board = load_board(name)
    shared = [set_of(p for _, shore in board.coasts if shore >> q & 1 for p in members(shore)) for q in board.provinces]
    assert board.coastal == tuple(
        shore & near & ~(1 << p) for p, shore, near in zip(board.provinces, shared, board.neighbours, strict=True)
    )


@pytest.mark.parametrize("name", board_names())
def test_every_province_can_be_reached(name: str) -> None:
    """The board is one piece, so that every province can be conquered by land and straits."""
    board = load_board(name)
    reached = 1
    while reached != reached | board.around(reached):
        reached |= board.around(reached)
    assert reached == board.having["province"] == (1 << len(board.codes)) - 1


def test_known_boards_are_the_data_folders() -> None:
    """The folders are listed in order; an unknown name is refused with the known ones."""
    assert list(board_names()) == sorted(folder.name for folder in (DATA / "boards").iterdir())
    assert {"europe", "tiny"} <= set(board_names())
    with pytest.raises(ValueError, match=rf"unknown board 'asia'; known: {', '.join(board_names())}$"):
        load_board("asia")


def test_tiny_matches_the_document() -> None:
    """Terrain, marks, adjacency, coasts and entries are those of docs/position.md."""
    board = load_board("tiny")
    lines = (DOCS / "position.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if re.match(r"\| [A-Z]{3} \|", line)]
    assert tuple(row[0] for row in rows) == board.codes
    for code, ground, adjacent, coast, sea, note in rows:
        p = board.index[code]
        terrain, *marks = ground.split(", ")
        assert board.terrain[p] == terrain
        assert {mark for mark in ("mine", "port") if board.having[mark] >> p & 1} == set(marks)
        assert codes(board, board.neighbours[p]) == set(re.findall("[A-Z]{3}", adjacent))
        assert codes(board, board.straits[p]) == set(re.findall("([A-Z]{3}) by strait", adjacent))
        assert codes(board, board.coastal[p]) == set(
            re.findall("[A-Z]{3}", re.sub(r"[A-Z]{3} \(not adjacent\)", "", coast))
        )
        assert bool(sea) == any(touched.provinces >> p & 1 for touched in board.seas)
        assert bool(board.entry >> p & 1) == (note.startswith("entry") and "Astronomy" not in note)
        assert bool(board.on_edge >> p & 1) == ("edge" in note)
        assert bool((board.entry | board.entry_by_any_sea) >> p & 1) == note.startswith("entry")
    assert codes(board, board.open_sea) == {"ARA", "BOS", "FEN"}


# Tables


@pytest.mark.parametrize("table", TABLES)
def test_every_table_fits_its_schema_and_states_its_source(table: str) -> None:
    """Each CSV file is read with the schema of its name and starts with a comment on its source."""
    path = DATA / table
    assert path.read_text(encoding="utf-8").startswith("# source: ")
    assert read(path, path.stem)


@pytest.mark.parametrize(
    "table",
    [
        "terrains",
        "traits",
        *(f"boards/{name}/{table}" for name in board_names() for table in ("provinces", "seas", "coasts")),
    ],
)
def test_names_exist_in_every_language(table: str) -> None:
    """Provinces, waters, traits and terrains have a name in English, French, Dutch and German; no two share one."""
    path = DATA / f"{table}.csv"
    names = [row.names() for row in read(path, path.stem)]
    assert all(set(one) == LANGUAGES and all(name.strip() for name in one.values()) for one in names)
    for language in LANGUAGES:
        assert len({one[language] for one in names}) == len(names)


def test_schemas_describe_every_column() -> None:
    """Every schema belongs to a table."""
    assert {path.stem for path in (DATA / "schemas").glob("*.json")} == {Path(table).stem for table in TABLES}


# Wrong cells

FIRST = "ARA BOS FEN,West Shore,Rive ouest,Westkust,Westküste\n"
SECOND = "ERB HAM,Lake Shore,Rive du lac,Meeroever,Seeufer\n"


def copy(folder: Path, changes: dict[str, tuple[str, str]]) -> Path:
    """Copy the tiny board to another folder, with one text in some of its files replaced."""
    for path in (DATA / "boards" / "tiny").glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        if path.name in changes:
            old, new = changes[path.name]
            assert text.count(old) == 1
            text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder


def test_a_copy_is_the_same_board(tmp_path: Path) -> None:
    """Without a change the copy has the digest of the original."""
    assert Board("tiny", copy(tmp_path, {})).digest == load_board("tiny").digest


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("provinces", "ARA,farmland", "ARA,swamp", r"line 3, column terrain: 'swamp' is not one of farmland, pasture"),
        ("provinces", "DOL,mountain,", "DOL,mountain,maybe", r"line 6, column mine: 'maybe' is not one of .*yes"),
        ("provinces", "Boscage", "", r"line 4, column en: '' is not allowed here: name in English"),
        ("provinces", "Heuvel,", ",", r"line 5, column nl: ''"),
        ("provinces", "HAM,farmland", "Ham,farmland", r"line 10, column code: 'Ham' is not of the form \[A-Z\]\{3\}"),
        ("provinces", "\nHAM,", "\nARA,", r"line 10, column code: 'ARA' is also in an earlier line"),
        ("provinces", "BOS COL ERB GOR", "BOS COL GOR", r"line 7, column borders: DOL does not name ERB in return"),
        ("provinces", "DOL HAM,,Gorge", "DOL HAM XXX,,Gorge", r"line 9, column borders: 'XXX' is not a province"),
        ("provinces", "DOL HAM,,Gorge", "DOL HAM GOR,,Gorge", r"line 9, column borders: GOR cannot touch itself"),
        ("provinces", ",ARA,Fen", ",,Fen", r"line 3, column (straits|borders): FEN does not name ARA in return"),
        ("provinces", ",ARA,Fen", ",ARA YYY,Fen", r"line 8, column straits: 'YYY' is not a province of the board tiny"),
        ("provinces", ",region,", ",", r"line 2: columns are .*, the schema wants .*'region'"),
        ("provinces", "code,terrain", "terrain,code", r"line 2: columns are \['terrain', 'code'"),
        ("provinces", "GOR,mountain,yes,,yes,", "GOR,mountain,yes,,", r"line 9: 15 cells, the header has 16"),
        ("seas", "OCE,yes,,ARA FEN", "OCE,yes,,ARA ZZZ", r"line 3, column provinces: 'ZZZ' is not a province"),
        ("seas", "OCE,yes,", "OCE,no,", r"line 3, column edge: 'no' is not one of"),
        ("seas", "BOS,OCE", "BOS,", r"line 3, column links: 'SOU' is not a sea of the board with a link to OCE"),
        ("seas", "BOS,OCE", "BOS,OCE QQQ", r"line 4, column links: 'QQQ' is not a sea"),
        ("coasts", "ERB HAM", "ERB HIM", r"line 4, column provinces: 'HIM' is not a province"),
        ("coasts", "Lake Shore", "", r"line 4, column en: ''"),
        ("texts", "Middle,Middle,", "Middle,,", r"line 5, column en: ''"),
        ("texts", "region,Middle,", "place,Middle,", r"line 5, column kind: 'place' is not one of board, region, edition"),
        ("texts", "region,Middle,", "region,West,", r"line 5, column code: 'West' is also in an earlier line"),
        ("texts", "board,tiny,", "board,small,", r"of the board tiny: a line of kind board with the code 'tiny' is missing"),
    ],
)  # fmt: skip
def test_a_wrong_cell_of_a_board_is_named(tmp_path: Path, file: str, old: str, new: str, fault: str) -> None:
    """File, line and column are told, with what is wrong and what would be right."""
    with pytest.raises(DataError, match=rf"^{file}\.csv {fault}"):
        Board("tiny", copy(tmp_path, {f"{file}.csv": (old, new)}))


@pytest.mark.parametrize(
    ("table", "old", "new", "fault"),
    [
        ("terrains", "hills,2,", "hills,two,", r"line 5, column cost: 'two' is not a whole number"),
        ("terrains", "hills,2,", "hills,-2,", r"line 5, column cost: '-2' is not a whole number"),
        ("terrains", "hills,2,", "hills,,", r"line 5, column cost: '' is not allowed here"),
        ("terrains", "Wald", "", r"line 6, column de: ''"),
        ("traits", "WEA,weapons,,3,review", "WEA,weapons,,3,hearsay", r"line 13, column source: 'hearsay' is not one"),
        ("traits", "WEA,weapons,,3,review", "WEA,weapons,,3.5,review", r"line 13, column strength: '3.5' is not a"),
        ("traits", "WEA,weapons,,3,review", "WEA,weapons,,-1,review", r"line 13, column strength: '-1' is not a whole"),
        ("traits", "\nWEA,", "\nSLA,", r"line 13, column code: 'SLA' is also in an earlier line"),
        ("traits", "Double le trait voisin.", "", r"line 28, column fr_text: '' is not allowed here: the effect in French"),
        ("texts", "edition,NL,", ",NL,", r"line 5, column kind: ''"),
        ("tables", "4,120,6", "4,soon,6", r"line 4, column target: 'soon' is not a whole number"),
        ("tables", "dummy_extra,solo_target\n", "dummy_extra\n", r"line 2: columns are"),
        ("tables", "4,120,6", "4,0,6", r"line 4, column target: '0' is not between"),
        ("editions", "R-REORG-3,only_if_forced free,only", "R-REORG-3,,only", r"line 13, column values: ''"),
    ],
)  # fmt: skip
def test_a_wrong_cell_of_another_table_is_named(tmp_path: Path, table: str, old: str, new: str, fault: str) -> None:
    """The tables of traits, terrains, sizes and editions are checked in the same way."""
    text = (DATA / f"{table}.csv").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / f"{table}.csv").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=rf"^{table}\.csv {fault}"):
        read(tmp_path / f"{table}.csv", table)


def test_a_region_without_a_name_is_named(tmp_path: Path) -> None:
    """Every region of the provinces needs a line in texts.csv."""
    with pytest.raises(DataError, match=r"^provinces\.csv line 5, column region: 'Middle' has no line of kind region"):
        Board("tiny", copy(tmp_path, {"texts.csv": ("region,Middle,Middle,", "region,Center,Center,")}))


def test_names_as_objects_of_a_verb() -> None:
    """Names have the article of their language, and the accusative in German."""
    board = load_board("europe")
    names = {code: list(board.object_names[board.index[code]].values()) for code in ("IRL", "ALP", "URA", "NAP")}
    assert names == {
        "IRL": ["Ireland", "l'Irlande", "Ierland", "Irland"],
        "ALP": ["the Alps", "les Alpes", "de Alpen", "die Alpen"],
        "URA": ["the Urals", "l'Oural", "de Oeral", "den Ural"],
        "NAP": ["Naples", "Naples", "Napels", "Neapel"],
    }


def test_comments_and_blank_lines_before_the_header_count_as_lines(tmp_path: Path) -> None:
    """The line named is that of the file, whatever stands above the header."""
    table = tmp_path / "terrains.csv"
    table.write_text("# source: none\n# more\n\ncode,cost,en,fr,nl,de\nswamp,2,S,S,S,S\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"^terrains\.csv line 5, column code: 'swamp'"):
        read(table, "terrains")


def test_an_empty_table_is_refused(tmp_path: Path) -> None:
    """Without a header there are no columns."""
    (tmp_path / "terrains.csv").write_text("# source: none\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"terrains\.csv line 2: columns are \[\]"):
        read(tmp_path / "terrains.csv", "terrains")


def test_a_board_has_at_most_64_provinces(tmp_path: Path) -> None:
    """A set of provinces has 64 places; the first province too many is named."""
    header = (
        "code,terrain,mine,port,edge,region,borders,straits,en,fr,nl,de,en_article,fr_article,nl_article,de_article"
    )
    letters = "ABCDEFGH"
    names = [a + b + c for a in "AB" for b in letters for c in letters][:65]
    rows = [f"{name},hills,,,,R,,,{name},{name},{name},{name},,,," for name in names]
    (tmp_path / "provinces.csv").write_text("\n".join(["# source: none", header, *rows]), encoding="utf-8")
    with pytest.raises(DataError, match=r"provinces\.csv line 67, column code: a board has at most 64 provinces"):
        Board("big", tmp_path)


# Digest


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("provinces", "BOS,forest", "BOS,hills"),
        ("provinces", "GOR,mountain,yes", "GOR,mountain,"),
        ("provinces", "HAM,farmland,,yes", "HAM,farmland,,"),
        ("provinces", "GOR,mountain,yes,,yes", "GOR,mountain,yes,,"),
        ("seas", "OCE,yes,,ARA FEN", "OCE,yes,,FEN"),
        ("seas", "OCE,yes", "OCE,"),
        ("seas", "LAK,,yes", "LAK,,"),
        ("coasts", "ARA BOS FEN", "ARA BOS"),
    ],
)
def test_digest_changes_with_rule_relevant_data(tmp_path: Path, file: str, old: str, new: str) -> None:
    """Terrain, marks, edges, seas and coasts are part of the digest."""
    assert Board("tiny", copy(tmp_path, {f"{file}.csv": (old, new)})).digest != load_board("tiny").digest


def test_digest_changes_with_a_border(tmp_path: Path) -> None:
    """An additional border, named on both sides, makes another board."""
    folder = copy(tmp_path, {"provinces.csv": ("ERB GOR,,Hamlet", "ERB GOR FEN,,Hamlet")})
    text = (folder / "provinces.csv").read_text(encoding="utf-8")
    (folder / "provinces.csv").write_text(text.replace("West,,ARA,Fen", "West,HAM,ARA,Fen"), encoding="utf-8")
    assert Board("tiny", folder).digest != load_board("tiny").digest


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("provinces", "Boscage", "Woods"),
        ("provinces", "Heuvel,", "Heuvelland,"),
        ("provinces", "GOR,mountain,yes,,yes,East", "GOR,mountain,yes,,yes,West"),
        ("texts", "East,East,", "East,Orient,"),
        ("seas", "Ocean,", "Great Ocean,"),
        ("coasts", "West Shore", "Western Shore"),
        ("coasts", "ARA BOS FEN", "FEN ARA BOS"),
        ("coasts", "Westkust", "Westoever"),
        ("coasts", FIRST + SECOND, SECOND + FIRST),
        ("provinces", "# source: house", "# source: another house"),
    ],
)
def test_digest_does_not_change_with_names(tmp_path: Path, file: str, old: str, new: str) -> None:
    """Names, regions, comments and the order inside a cell do not affect the game."""
    assert Board("tiny", copy(tmp_path, {f"{file}.csv": (old, new)})).digest == load_board("tiny").digest


def test_the_digest_is_a_sha256() -> None:
    """64 hexadecimal digits, another one for each board."""
    digests = [load_board(name).digest for name in board_names()]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    assert len(set(digests)) == len(digests)
