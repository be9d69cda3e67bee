"""Packs: shipped ones, refused ones with the place of each fault, and options of an organiser."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec import inspect

from shared.formats import FORMATS
from shared.formats.options import apply_options, from_json
from shared.formats.packs import from_values, load, shipped, shipped_ids, shipped_ruleset, shipped_text
from shared.refusals import one_of
from shared.rules.model import OptionsRefused, PackRefused, UnknownRuleset
from shared.rules.parts import to_json
from shared.swiss.roster_parts import RosterCheck
from shared.swiss.ruleset import Ruleset
from tests.examples import examples
from tests.rules.story import ARMADA

TEXT = shipped_text("star-wars-armada-1.1")


def refused(text: str) -> list[str]:
    """Return each fault as `line:pointer said, expected expected`."""
    with pytest.raises(PackRefused) as found:
        load(text, "my.yaml")
    faults = found.value.faults
    assert faults
    assert all(str(fault.expected) and fault.where.startswith("my.yaml:") for fault in faults)
    return [f"{fault.where.removeprefix('my.yaml:')} {fault.said}, expected {fault.expected}" for fault in faults]


def changed(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text


def line(part: str, text: str = TEXT) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.clause("AR-SET-1")
def test_shipped_rulesets() -> None:
    assert {"star-wars-armada-1.1", "star-wars-armada-400"} <= set(shipped_ids())
    assert all(id == ruleset.id for id, ruleset in shipped().items())
    assert (ARMADA.document.version, ARMADA.document.date) == ("1.1", "2015-06-24")


@pytest.mark.parametrize("id", shipped_ids())
def test_a_ruleset_goes_through_json_and_back(id: str) -> None:
    ruleset = shipped_ruleset(id)
    text = json.dumps(to_json(ruleset), allow_nan=False)
    assert from_json(json.loads(text)) == ruleset
    plain(to_json(ruleset))


@pytest.mark.parametrize("id", shipped_ids())
def test_every_part_has_a_clause(id: str) -> None:
    def look(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                look(item)
        elif isinstance(value, dict):
            if "clauses" in value:
                assert value["clause"]
                assert all(value["clauses"].values())
            for item in value.values():
                look(item)

    look(to_json(shipped_ruleset(id)))


def plain(value: object) -> None:
    """Check that a value consists of texts, integers, booleans, lists and objects."""
    if isinstance(value, dict):
        for key, item in value.items():
            assert isinstance(key, str)
            plain(item)
    elif isinstance(value, list):
        for item in value:
            plain(item)
    else:
        assert type(value) in (str, int, bool)


ELSEWHERE = {
    "swiss\n": "colour",
    "listed: true": "listed: false",
    "from_round: 2": "  stages:",
    "{id: premier": "tiers:",
}
"""Content of the fault's line, if it differs from the changed line."""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("swiss\n", "swiss\ncolour: red\n", "{line}:/colour red, expected a known key: advice, builder, bye,"),
        ("least: 21, most: 50", "least: 22, most: 50", "{line}:/points/bands/1/least 22, expected 21, without a gap"),
        ("least: 51, most", "least: 50, most", "{line}:/points/bands/2/least 50, expected 51, without an overlap"),
        (
            "{least: 221, w",
            "{least: 221, most: 300, w",
            "{line}:/points/bands/5/most 300, expected a last row without most",
        ),
        (
            "{least: 33, r",
            "{least: 33, most: 64, r",
            "{line}:/rounds/table/1/most 64, expected a last row without most",
        ),
        ("{least: 2, most: 32", "{least: 4, most: 32", "{line}:/rounds/table/0/least 4, expected 2, without a gap"),
        ("days: [3, 2]", "days: [3, 3]", "{line}:/rounds/table/1/days 3, 3, expected 5 rounds in all"),
        (
            "piece: schedule_sum",
            "piece: magic",
            "{line}:/standings/criteria/2/piece magic, expected one of ",
        ),
        (
            "policy: random_in",
            "policy: bold_in",
            "{line}:/pairing/stages/1/policy bold_in_bracket, expected one of adjacent, double_round_robi",
        ),
        ("policy: fewest", "policy: most", "{line}:/bye/policy most, expected one of fewest, last_ranked"),
        (
            "scheme: margin_table",
            "scheme: dice",
            "{line}:/points/scheme dice, expected one of as_reported, margin_table,",
        ),
        (
            "check: one_per",
            "check: two_per",
            "{line}:/roster/checks/3/check two_per, expected one of among, count, leader, match",
        ),
        ("minutes: 120", "minutes: soon", "{line}:/clock/minutes soon, expected a whole number"),
        ("minutes: 120", "minutes: 2.5", "{line}:/clock/minutes 2.5, expected quoted text, a whole number, true"),
        ("minutes: 120", "minutes: 0x78", "{line}:/clock/minutes 0x78, expected quoted text, a whole number, true"),
        ("minutes: 120", "minutes: 2:00", "{line}:/clock/minutes 2:00, expected quoted text, a whole number, true"),
        ("minutes: 120", "minutes: " + "1" * 5000, "{line}:/clock/minutes 111111111111111111"),
        ("may_move: false", "may_move: no", "{line}:/bye/may_move no, expected quoted text, a whole number, true"),
        (
            "of: [squadrons], most",
            "of: [], most",
            "{line}:/roster/checks/1/of nothing, expected fields of the roster to look at",
        ),
        (
            "total, of: [squadrons]",
            "total, of: [faction]",
            "{line}:/roster/checks/1/of faction, expected one of commanders, ships, squadron",
        ),
        (
            "count, of: commanders",
            "count, of: captains",
            "{line}:/roster/checks/2/of captains, expected one of commanders, ships, squadron",
        ),
        (
            "written: fleet_total",
            "written: faction",
            "{line}:/roster/checks/0/written faction, expected fleet_total",
        ),
        ("one_of, of: faction", "one_of, of: ships", "{line}:/roster/checks/4/of ships, expected faction"),
        (
            "{id: premier",
            "{id: casual",
            "{line}:/tiers casual, competitive, casual, expected one tier or more, each with an id",
        ),
        ("late: none", "late: maybe", "{line}:/entry/late maybe, expected one of none, zero_points"),
        (
            "conceder: {t",
            "conceder: {x",
            "{line}:/concession/conceder/xournament_points xournament_points, expected a value that",
        ),
        ("from_round: 2", "from_round: 1", "{line}:/pairing/stages 1, 1, expected rising rounds, the first of them 1"),
        ("listed: true", "listed: true\n  listed: false", "{line}:/drop/listed false, expected each key once"),
        ("\nname: ", "\n? [name]\n: y\nname: ", "{line}:/? nothing, expected quoted text, a whole number"),
        (
            "sets: [/bye/may_move]",
            "sets: [/bye/moves]",
            "{line}:/options/1/sets/0 /bye/moves, expected the JSON pointer of a value of thi",
        ),
        (
            "avoid_repeat: false",
            "avoid_repeat: true",
            "{line}:/bye/avoid_repeat true, expected false, the default for ",
        ),
        (
            "fields: [winner, end",
            "fields: [loser, end",
            "{line}:/result/fields/0 loser, expected one of board, conceded_by, destroy",
        ),
        (
            "clauses: {award: A",
            "clauses: {aword: A",
            "{line}:/concession/clauses/aword AR-AMB-10, expected a field of this part, not 'aword'",
        ),
        ("needs: [squadron", "needs: [quadron", "{line}:/options/6/needs quadron_limit, expected the key of an option"),
    ],
)
def test_a_faulty_pack_is_refused_at_the_place_of_its_fault(old: str, new: str, expected: str) -> None:
    text = changed((old, new))
    mark = ELSEWHERE.get(old, new.strip())
    assert any(fault.startswith(expected.format(line=line(mark, text))) for fault in refused(text))


def test_every_fault_is_reported_together() -> None:
    text = changed(("swiss\n", "swiss\ncolour: red\n"), ("least: 21,", "least: 25,"), ("piece: total", "piece: totals"))
    assert len(refused(text)) == 3
    text = changed(("minutes: 120", "minutes: x"), ("locked: start", "locked: never"), ("\nname: ", "\nnaem: "))
    assert len(refused(text)) == 4


@pytest.mark.parametrize("text", ["", "a: [1", "- 1\n- 2", "just words", "a: &a [*a]", "[" * 2000, "? {a: b}\n: c"])
def test_text_that_is_no_pack_is_refused(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize("id", shipped_ids())
def test_a_pack_may_come_as_plain_values(id: str) -> None:
    values = {**to_json(shipped_ruleset(id)), "name": "Fest 🎉\u2028עברית"}
    before = json.dumps(values)
    assert from_values(values, "/pack").name == values["name"]
    assert json.dumps(values) == before


@pytest.mark.parametrize(
    ("part", "value", "where"),
    [
        ("tiers", [], "/pack/tiers"),
        ("options", 7, "/pack/options"),
        ("options", [{"choices": [[]]}], "/pack/options/0/key"),
        ("format", None, "/pack/format"),
        ("version", 1.5, "/pack/version"),
        ("a/b", 1, "/pack/a/b"),
        ("points", {"scheme": []}, "/pack/points/scheme"),
        ("roster", {"checks": [{"check": {}}]}, "/pack/roster/checks/0/check"),
        ("scenarios", "🎉", "/pack/scenarios"),
    ],
)
def test_faults_of_plain_values_have_their_pointer(part: str, value: object, where: str) -> None:
    with pytest.raises(PackRefused) as found:
        from_values({**to_json(ARMADA), part: value}, "/pack")
    assert where in [fault.where for fault in found.value.faults]


def test_an_unknown_format_gets_the_list_of_formats() -> None:
    with pytest.raises(PackRefused) as found:
        from_values({**to_json(ARMADA), "format": "ladder"}, "/pack")
    (fault,) = [fault for fault in found.value.faults if fault.where == "/pack/format"]
    assert fault.expected == one_of(list(FORMATS))


def test_a_missing_part_is_reported_at_its_parent() -> None:
    start = TEXT.index("bye:\n")
    text = TEXT[:start] + TEXT[TEXT.index("concession:\n") :]
    assert [fault for fault in refused(text) if fault.partition(":")[2].startswith("/bye nothing, expected an object")]


def test_an_unknown_ruleset_gets_the_list_of_rulesets() -> None:
    with pytest.raises(UnknownRuleset) as found:
        shipped_ruleset("chess")
    assert "star-wars-armada-1.1" in str(found.value.data["known"])


def test_an_invalid_ruleset_in_an_event_is_refused() -> None:
    data = to_json(ARMADA)
    del data["bye"]
    data["clock"]["minutes"] = "x"
    with pytest.raises(PackRefused) as found:
        from_json(data)
    assert [fault.where for fault in found.value.faults] == ["/bye", "/clock/minutes"]


@pytest.mark.clause("AR-AMB-4", "AR-AMB-13", "AR-AMB-14", "AR-AMB-15", "AR-AMB-16", "AR-AMB-18", "AR-AMB-22")
def test_options_change_the_ruleset_and_are_recorded() -> None:
    chosen = {
        "sos": "tome",
        "bye_may_move": "true",
        "avoid_repeat_byes": True,
        "unresolved_ties": "shared",
        "dq_opponent_results": "void_games",
        "no_show": "concession",
        "late_entry": "zero_points",
    }
    ruleset = apply_options(ARMADA, chosen)
    assert ruleset.chosen == chosen | {"bye_may_move": True}
    assert ruleset.standings.criteria[2].piece == "schedule_mean"
    assert (ruleset.bye.may_move, ruleset.bye.avoid_repeat) == (True, True)
    assert ruleset.no_show.award == "concession"
    assert from_json(to_json(ruleset)) == ruleset
    assert apply_options(ruleset, {"sos": "sum"}).standings.criteria[2].piece == "schedule_sum"


@pytest.mark.parametrize(
    ("chosen", "where"),
    [
        ({"sos": "mean", "cheese": "1"}, ["/sos", "/cheese"]),
        ({"bye_may_move": "yes", "avoid_repeat_byes": 1}, ["/bye_may_move", "/avoid_repeat_byes"]),
        ({"round_minutes": "2h", "overtime_minutes": -1}, ["/round_minutes", "/overtime_minutes"]),
        ({"round_minutes": 601}, ["/round_minutes"]),
        ({"fleet_limit": 400}, ["/fleet_limit"]),
        ({"fleet_limit": 400, "squadron_limit": 134}, ["/fleet_limit"]),
        ({"margin_table": "0-59:6:5"}, ["/margin_table"]),
        ({"margin_table": "0-59:6:5,70+:7:4"}, ["/margin_table"]),
        ({"margin_table": "lots"}, ["/margin_table"]),
        ({"margin_table": [{"least": 0}]}, ["/margin_table"]),
    ],
)
@pytest.mark.clause("AR-AMB-19")
def test_options_that_do_not_fit_are_refused(chosen: dict[str, object], where: list[str]) -> None:
    with pytest.raises(OptionsRefused) as found:
        apply_options(ARMADA, chosen)
    assert [fault.where for fault in found.value.faults] == where
    assert all(str(fault.expected) for fault in found.value.faults)


@pytest.mark.clause("AR-AMB-19")
def test_a_margin_table_of_the_organiser_goes_through_json_and_back() -> None:
    rows = [{"least": 0, "most": 99, "winner": 6, "loser": 4}, {"least": 100, "winner": 10, "loser": 0}]
    texts = {"margin_table": "0-99:6:4,100+:10:0", "fleet_limit": "400", "squadron_limit": "134"}
    ruleset = apply_options(ARMADA, texts | {"margin_table": rows})
    assert apply_options(ARMADA, texts) == ruleset == from_json(json.loads(json.dumps(to_json(ruleset))))
    assert to_json(ruleset)["chosen"] == {"margin_table": rows, "fleet_limit": 400, "squadron_limit": 134}


def test_a_default_value_needs_no_other_option() -> None:
    assert apply_options(ARMADA, {"fleet_limit": 300}).points == ARMADA.points


@settings(max_examples=examples(25), deadline=None)
@given(some.recursive(some.none() | some.booleans() | some.integers() | some.text(), some.lists, max_leaves=5))
def test_any_value_of_any_option_is_accepted_or_refused(value: object) -> None:
    for option in ARMADA.options:
        with suppress(OptionsRefused):
            assert isinstance(apply_options(ARMADA, {option.key: value}), Ruleset)


def test_the_guide_lists_every_roster_check_with_its_fields() -> None:
    guide = (Path(__file__).parents[2] / "docs/reference/packs.md").read_text("utf-8")
    for check in get_args(RosterCheck):
        form = inspect.type_info(check)
        row = next(line for line in guide.splitlines() if line.startswith(f"| `{form.tag}` |"))
        fields = {field.encode_name for field in form.fields} - {"clause", "clauses"}
        assert fields <= set(re.findall(r"`(\w+)`", row)), form.tag
        assert f"`of` ({'one name' if check.__annotations__['of'] == 'str' else 'list'})" in row
