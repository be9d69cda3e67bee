"""A pack with faults of every kind: one check reports each of them once, and fixing them is enough."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as some

from muster.cli.main import main
from shared.formats.options import set_value_at
from shared.formats.packs import from_values, load, shipped_ruleset, shipped_swiss, shipped_text
from shared.rules.checks import faults_of_clauses, with_placeholders
from shared.rules.model import PackRefused
from shared.rules.parts import to_json
from tests.examples import examples

GUIDE = (Path(__file__).parents[2] / "docs/how-to/write-a-pack.md").read_text("utf-8")
GOOD = "".join(re.findall(r"^```yaml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL))

FAULTS: list[tuple[str, ...]] = [
    # text of the guide's pack, its replacement, and the place of the fault
    ('version: "1", date: "2026-01-01"', 'version: "1", date: 01.01.2026', "/document/date: 01.01.2026"),
    ("rounds: organiser, list_due: false", "rounds: organiser, list_due: nein", "/tiers/0/list_due: nein"),
    ("entry: {minimum_players: 2, late: zero_points, clause: CLUB}", "entry: {minimum_players: 2, late: zero_points}",
     "/entry/clause: nothing"),
    ("  unit: points on the board\n", "  unit: points on the board\n  units: points\n",
     "/result/units: points, expected a known key"),
    ("fields: [winner, conceded_by]", "fields: [winner, conceded_by, weather]",
     "/result/fields/2: weather, expected one of"),
    ("  win: 2\n", "  win: two\n", "/points/win: two, expected a whole number"),
    ("decided_by: points", "decided_by: dice", "/points/decided_by: dice"),
    ("piece: total, of: half_wins, divisor: 2", "piece: totally, of: half_wins, divisor: 2",
     "/standings/criteria/0/piece: totally"),
    ("piece: difference, of: board", "piece: difference, of: board, floor: 1/3, cut_lowest: 1",
     "/standings/criteria/1/cut_lowest: 1, expected nothing: difference does not use it",
     "/standings/criteria/1/floor: 1/3, expected nothing: difference does not use it"),
    ("policy: adjacent", "policy: neighbours", "/pairing/stages/1/policy: neighbours"),
    ("  may_move: false\n", "", "/bye/may_move: nothing"),
    ("of: []\n  outcome: win", "of: [half_wins]\n  outcome: win",
     '/bye/of: ["half_wins"], expected nothing: last_ranked does not use it'),
    ("concession: {award: table, conceder: {half_wins: 0}", "concession: {award: full_fleet, conceder: {wins: 0}",
     "/concession/award: full_fleet, expected one of",
     "/concession/conceder/wins: wins, expected a value that the points scheme makes"),
    ("forfeit: {award: bye, absent: {half_wins: 0}, clause: CLUB}",
     'forfeit: {award: bye, absent: {half_wins: 0}, clause: ""}', "/forfeit/clause: nothing"),
    ("rounds: {outside: organiser, table: []", "rounds: {outside: organiser, table: [{least: 4, most: 2, rounds: 3}]",
     "/rounds/table/0/most: 2, expected at least 4, the row's least"),
    ("    default: 50\n", "    default: 40\n", "/bye/values/board: 50, expected 40, the default for bye_spread"),
    ("    until: round_1\n", "    until: round_1\n    needs: [weather]\n",
     "/options/0/needs: weather"),
]  # fmt: skip
"""Independent faults: each has to be fixed on its own."""


def checked(folder: Path, text: str) -> Result:
    (folder / "mine.yaml").write_text(text, "utf-8")
    return CliRunner().invoke(main, ["ruleset", "check", str(folder / "mine.yaml")])


def made_wrong(text: str) -> str:
    for good, bad, *_ in FAULTS:
        assert text.count(good) == 1, good
        text = text.replace(good, bad)
    return text


def fault_lines(done: Result) -> list[str]:
    """What is said, without the file and the line."""
    return [line.split(":", 2)[2].removeprefix(" ") for line in done.stderr.splitlines()]


def test_one_run_reports_every_fault_once(tmp_path: Path) -> None:
    done = checked(tmp_path, made_wrong(GOOD))
    assert done.exit_code == 2
    lines, expected = fault_lines(done), [begins for _, _, *every in FAULTS for begins in every]
    assert [begins for begins in expected if sum(line.startswith(begins) for line in lines) != 1] == []
    assert len(lines) == len(expected) == 19


def test_fixing_every_reported_fault_is_enough(tmp_path: Path) -> None:
    text = made_wrong(GOOD)
    for good, bad, *_ in reversed(FAULTS):
        text = text.replace(bad, good, 1) if bad else text.replace("  one_a_round", good + "  one_a_round")
    assert text == GOOD
    assert (checked(tmp_path, text).exit_code, checked(tmp_path, text).stderr) == (0, "")


WAYS_OUT = [
    ("  unit: points on the board\n", "  unit: points on the board\n  virtual_opponent: true\n",
     "/result/virtual_opponent: true, expected nothing: a pack cannot express virtual opponents, which needs Python"),
    ("half_wins, divisor: 2, clause", "half_wins, divisor: 0.5, clause",
     "/standings/criteria/0/divisor: 0.5, expected quoted text, a whole number, true or false; not float (a share is "
     "text, such as '1/4'; half points are stored doubled)"),
    ("roster: {locked: start, fields: {}, checks: []", "roster: {locked: start, fields: {deck: entries}, checks: "
     "[{check: count, of: [deck], least: 1, most: 2, clause: CLUB}]",
     '/roster/checks/0/of: ["deck"], expected one text, not a list: deck'),
    ("rounds: {outside: organiser, table: []", "rounds: {outside: organiser, table: [{least: 2, most: 8, rounds: 4, "
     "cut_to: 4}]",
     "/rounds/table/0/cut_after: nothing, expected the round after which the first 4 go on: 2 for 2 elimination"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "begins"), WAYS_OUT)
def test_every_fault_has_an_expectation(good: str, bad: str, begins: str, tmp_path: Path) -> None:
    assert GOOD.count(good) == 1
    assert any(line.startswith(begins) for line in fault_lines(checked(tmp_path, GOOD.replace(good, bad))))


@pytest.mark.parametrize(("good", "bad", "expected"), [(good, bad, every) for good, bad, *every in FAULTS])
def test_each_single_fault_is_the_only_one_reported(good: str, bad: str, expected: list[str], tmp_path: Path) -> None:
    """Consequences of a fault are not reported."""
    lines = fault_lines(checked(tmp_path, GOOD.replace(good, bad)))
    assert len(lines) == len(expected)
    assert all(any(line.startswith(begins) for line in lines) for begins in expected), lines


@settings(max_examples=examples(40), deadline=None)
@given(some.sets(some.sampled_from(range(len(FAULTS))), min_size=1))
def test_any_combination_of_faults_is_reported_completely(chosen: set[int]) -> None:
    text, expected = GOOD, []
    for index in chosen:
        good, bad, *begins = FAULTS[index]
        text, expected = text.replace(good, bad), [*expected, *begins]
    with pytest.raises(PackRefused) as refused:
        load(text, "mine.yaml")
    lines = [f"{fault.where.split(':')[2]}: {fault.said}, expected {fault.expected}" for fault in refused.value.faults]
    assert len(lines) == len(expected)
    assert all(any(line.startswith(begins) for line in lines) for begins in expected), lines


@pytest.mark.parametrize(
    ("id", "shape", "sense"),
    [
        ("season-points", "/points/participation", ("/rating/k", 0)),
        ("season-league", "/rating/system", ("/divisions/divisions/0/up", 1)),
        ("atomic-bonds", "/kit/mutation_rads", ("/kit/advance_spaces", 0)),
        ("fallout-skirmish", "/entry/late", ("/rules/turfs/0/caps", "2W12")),
    ],
)
def test_semantic_faults_are_reported_next_to_shape_faults_in_every_format(
    id: str, shape: str, sense: tuple[str, Any]
) -> None:
    data = to_json(shipped_ruleset(id)) | {"options": []}
    set_value_at(data, shape, "wrong")
    set_value_at(data, *sense)
    with pytest.raises(PackRefused) as refused:
        from_values(data, "")
    assert [fault.where for fault in refused.value.faults] == [shape, sense[0]]


WHOLE_PARTS = [
    "tiers", "entry", "roster", "result", "points", "standings", "pairing", "bye", "concession", "rounds", "clock",
    "scenarios", "options", "forms", "builder",
]  # fmt: skip


@pytest.mark.parametrize("id", ["dust-warfare-1.0", "fallout-factions-comp-1.0", "star-wars-armada-1.1"])
@pytest.mark.parametrize("part", WHOLE_PARTS)
def test_a_part_of_the_wrong_type_is_one_fault(part: str, id: str, tmp_path: Path) -> None:
    """Other parts that refer to it, and options that set something in it, have no fault."""
    text = shipped_text(id)
    if not re.search(rf"^{part}:", text, re.MULTILINE):
        text += f"{part}: nothing\n"
    text = re.sub(rf"^{part}:.*\n((?:[ #].*)?\n)*", f"{part}: nothing\n", text, flags=re.MULTILINE)
    lines = fault_lines(checked(tmp_path, text))
    assert [line.partition(",")[0] for line in lines] == [f"/{part}: nothing"]


def test_a_misspelt_scheme_hides_no_other_fault(tmp_path: Path) -> None:
    text = GOOD.replace("scheme: outcome_points", "scheme: outcome_pionts").replace("  win: 2\n", "  win: two\n")
    lines = fault_lines(checked(tmp_path, text.replace("of: board", "of: bord")))
    assert [line.split(":")[0] for line in lines] == ["/points/scheme", "/points/win", "/standings/criteria/1/of"]


def test_ambiguous_yaml_scalars_are_reported_once(tmp_path: Path) -> None:
    text = GOOD.replace("  win: 2\n", "  win: 2.0\n").replace('date: "2026-01-01"', "date: 2026")
    lines = fault_lines(checked(tmp_path, text))
    assert sorted(line.split(":")[0] for line in lines) == ["/document/date", "/points/win"]


def test_the_example_is_checked_next_to_other_faults(tmp_path: Path) -> None:
    text = shipped_text("star-wars-armada-1.1").replace("fleet_total: 300", "fleet_total: 301")
    lines = fault_lines(checked(tmp_path, text.replace("  game_rounds: 6\n", "  game_rounds: six\n")))
    assert [line.split(":")[0] for line in lines] == ["/clock/game_rounds", "/roster/example/fleet_total"]


@pytest.mark.parametrize(
    "released", ["20250307", "2025-W10-5", "07.03.2025", "2025-02-30", "2025-03", "0001-01-01", "9999-12-31"]
)
def test_days_in_a_pack_catalogue_are_checked(released: str, tmp_path: Path) -> None:
    item = f'{{in_list: ships, name: A, points: 5, released: "{released}"}}'
    good = shipped_text("star-wars-armada-1.1").replace("  example:\n", f"  catalogue: [{item}]\n  example:\n")
    lines = fault_lines(checked(tmp_path, good))
    assert lines[0].startswith(f"/roster/catalogue/0/released: {released}, expected a day")


def test_a_missing_nested_clause_is_reported_at_its_place():
    first, second, *_ = shipped_swiss("fallout-factions-comp-1.0").scenarios
    scenarios = [first, msgspec.structs.replace(second, clause="")]
    faults = list(faults_of_clauses(scenarios, "/scenarios"))
    assert [fault.where for fault in faults] == ["/scenarios/1/clause"]


def test_placeholders_replace_faulty_keys_and_values_that_are_no_objects():
    assert with_placeholders({"wins": "many", "losses": 2}, dict[str, int] | None, 0) == (
        {"wins": 1, "losses": 2},
        {"/wins"},
    )
    assert with_placeholders("many", dict[str, int] | None, 0)[1] == {""}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[" * 100_000, 1),
        ("{a: " * 50_000, 1),
        ("- " * 100_000, 1),
        ("\n".join(" " * n + "a:" for n in range(200)), 101),
    ],
)
def test_a_pack_nested_too_deeply_is_refused_with_its_line(text, line):
    with pytest.raises(PackRefused) as refused:
        load(text, "deep.yaml")
    assert [(fault.where, fault.code) for fault in refused.value.faults] == [
        (f"deep.yaml:{line}", "nested-less-deeply")
    ]
