"""What `make mutants` breaks, and whose tests are to notice."""

from __future__ import annotations

from pathlib import Path

from tests.mutants.claims import CodeClaims
from tests.mutants.judge import broken
from tests.mutants.model import Place, mutant
from tests.mutants.packs import Pack, words_of

IDS = frozenset({"AA-BYE-1", "AA-BYE-2", "AA-END-1"})
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
