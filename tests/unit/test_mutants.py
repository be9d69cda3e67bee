"""What `make mutants` breaks, and whose tests are to notice."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
import yaml

from shared.formats.packs import shipped_text
from tests.mutants.claims import CodeClaims
from tests.mutants.draw import Judges, drawn
from tests.mutants.judge import KILLED, NO_PROGRAM, SURVIVED, Judge, broken
from tests.mutants.model import Place, mutant
from tests.mutants.packs import Pack, words_of
from tests.mutants.rooms import Rooms
from tests.programs import run_program

IDS = frozenset({"AA-BYE-1", "AA-BYE-2", "AA-END-1"})
ROOT = Path(__file__).parents[2]
CODE = '''"""Byes. AA-END-1."""

Worth = int | None


def bye(byes: int | None = 0) -> bool:
    """AA-BYE-1: who has none."""
    return byes < 1


def last() -> str:
    return f"after {2 * 3} turns" + Fault("/bye", repr(1), "none")
'''
PACK = """id: own
bye: {award: win, points: 3, clause: AA-BYE-1, clauses: {points: AA-BYE-2}}
end:
  most: [a, b]
  cut: true
  clause: AA-END-1
"""


def test_a_line_of_code_is_of_the_clauses_that_its_function_names_or_else_its_file() -> None:
    claims = CodeClaims(CODE, IDS, ["AA-BYE-2"])
    assert claims.at(8) == {"AA-BYE-1"}
    assert claims.at(12) == {"AA-END-1", "AA-BYE-2"}


def test_a_function_that_names_another_source_is_of_no_clause() -> None:
    text = '"""Byes. AA-BYE-1 to AA-BYE-2."""\n\n\ndef cut() -> int:\n    """Source: chess."""\n    return 1\n'
    claims = CodeClaims(text, IDS)
    assert (claims.at(1), claims.at(6)) == ({"AA-BYE-1", "AA-BYE-2"}, frozenset())


def test_annotations_aliases_of_types_and_texts_are_no_rules() -> None:
    claims = CodeClaims(CODE, IDS)
    rules = [claims.is_rule(*at) for at in ((3, 12), (6, 18), (6, 26), (8, 16), (12, 22), (12, 56))]
    assert rules == [False, False, True, True, False, False]


def test_a_value_of_a_pack_is_of_the_clause_beside_it(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(PACK)
    pack = Pack(tmp_path, "own.yaml", IDS, words_of({"own": PACK, "other": "bye: {award: half}"}))
    found: dict[tuple[object, ...], list[tuple[str, str]]] = {}
    for place in pack.places():
        broken_ones = [pack.broken(place, way) for way in range(pack.ways(place))]
        found.setdefault((place.line, *place.clauses), []).extend((one.kind, one.after) for one in broken_ones)
    assert found == {
        (2, "AA-BYE-1"): [("word", PACK.splitlines()[1].replace("win", "half"))],
        (2, "AA-BYE-2"): [("number", PACK.splitlines()[1].replace("3", to)) for to in ("4", "2")],
        (4, "AA-END-1"): [("shorter", "most: [a]"), ("word", "most: [b, b]"), ("word", "most: [a, a]")],
        (5, "AA-END-1"): [("truth", "cut: false")],
    }


def test_a_copy_is_broken_for_as_long_as_it_is_judged_and_nothing_compiled_is_taken_for_it(tmp_path: Path) -> None:
    file = tmp_path / "bye.py"
    file.write_text(CODE)
    compiled = tmp_path / "__pycache__" / "bye.cpython-311.pyc"
    compiled.parent.mkdir()
    compiled.touch()
    one = mutant(Place("bye.py", 8, 16, IDS), "order", CODE, CODE.replace("< 1", "<= 1"))
    assert str(one) == "bye.py:8 return byes < 1  ->  return byes <= 1"
    with broken(tmp_path, one):
        assert "<= 1" in file.read_text()
        assert not compiled.exists()
        compiled.touch()
    assert (file.read_text(), compiled.exists()) == (CODE, False)


def test_a_place_is_judged_by_the_tests_of_its_clauses_or_else_of_its_room() -> None:
    judges = Judges({"AA-BYE-1": ["tests/services/test_a.py::test_it", "tests/rules/test_b.py::test_it"]}, Rooms(ROOT))
    claimed = Place("shared/season/table.py", 1, 1, frozenset({"AA-BYE-1", "AA-END-1"}))
    assert judges.tests_of(claimed) == ["tests/rules/test_b.py::test_it", "tests/services/test_a.py::test_it"]
    for clauses in (frozenset[str](), frozenset({"AA-END-1"})):
        found = judges.tests_of(Place("shared/season/table.py", 1, 1, clauses))
        assert found[0] == "tests/season/rules/test_counting.py"  # which imports it
        assert {Path(test).parent.as_posix() for test in found} == {"tests/season/rules"}
    elsewhere = judges.tests_of(Place("shared/rules/checks.py", 1, 1, frozenset()))
    assert elsewhere[0] == "tests/season/rules/test_page.py"
    assert "tests/rules/test_bad_packs.py" in elsewhere


def test_what_is_drawn_of_a_line_does_not_depend_on_the_others(tmp_path: Path) -> None:
    judges = Judges({}, Rooms(ROOT))
    text = shipped_text("dust-warfare-1.0")

    def of_seed(seed: int, text: str) -> list[str]:
        (tmp_path / "shared/rules").mkdir(parents=True, exist_ok=True)
        (tmp_path / "shared/rules/own.yaml").write_text(text)
        pack = Pack(tmp_path, "shared/rules/own.yaml", IDS, words_of({"own": text}))
        return [job.mutant.after for job in islice(drawn(seed, judges, [pack]), 12)]

    drawn_ones = of_seed(1, text)
    assert of_seed(1, f"# One line more.\n{text}") == drawn_ones
    assert of_seed(2, text) != drawn_ones


def test_every_mutant_known_as_equivalent_is_one_of_today_and_says_why() -> None:
    for row in yaml.safe_load((ROOT / "tests/mutants/equivalent.yaml").read_text("utf-8")):
        lines = [line.strip() for line in (ROOT / row["file"]).read_text("utf-8").splitlines()]
        assert row["before"] in lines, row
        assert row["before"] != row["after"]
        assert row["why"]


@pytest.mark.engine("git")
def test_a_mutant_is_killed_survives_or_is_no_program(tmp_path: Path) -> None:
    """A repository of one rule and one test, and the process that tests are run in."""
    root = tmp_path / "own"
    for folder in ("shared/rules", "tests/mutants"):
        (root / folder).mkdir(parents=True)
    rule = "def is_bye(players):\n    return players < 2\n"
    (root / "shared/rules/own.py").write_text(rule)
    (root / "tests/mutants/warm.py").write_text((ROOT / "tests/mutants/warm.py").read_text("utf-8"))
    test = "from shared.rules.own import is_bye\n\ndef test_it():\n    assert is_bye(1)\n"
    (root / "tests/test_own.py").write_text(test)
    run_program(["git", "init", "--quiet"], cwd=root, check=True)
    judge = Judge(root, tmp_path / "0", seed=1)
    place = Place("shared/rules/own.py", 2, 20, frozenset())
    try:
        for broken_one, verdict in (("players < 1", KILLED), ("players < 3", SURVIVED), ("players <", NO_PROGRAM)):
            broken_rule = mutant(place, "order", rule, rule.replace("players < 2", broken_one))
            assert judge.verdict(broken_rule, ["tests/test_own.py"]) == verdict
        assert judge.judged(["tests/test_own.py"]) == SURVIVED
        endless = mutant(place, "order", rule, rule.replace("return players < 2", "\n    while True: pass"))
        with broken(tmp_path / "0", endless):
            assert judge.judged(["tests/test_own.py"], patience=3) == KILLED
    finally:
        judge.close()
