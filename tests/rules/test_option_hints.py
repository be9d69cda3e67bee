"""Refusals suggest the option that would allow what they refuse, and following the suggestion is enough."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from shared.formats.options import apply_options
from shared.formats.packs import shipped, shipped_ruleset
from shared.refusals import expects
from shared.rules.model import Facts, ImpossibleResult
from shared.rules.parts import allowing_option, or_option
from shared.swiss.roster import check_roster
from shared.swiss.roster_parts import CatalogueItem
from shared.swiss.scoring import score_game

ARMADA, FALLOUT, DUST = "star-wars-armada-1.1", "fallout-factions-comp-1.0", "dust-warfare-1.0"
ROOT = Path(__file__).parents[2]
NOTHING = expects("nothing")
NAMED = re.compile(r"option (?P<key>[a-z_]+(?:\.[a-z_]+)*)=(?P<value>[a-z0-9_]+)")
LITERAL = re.compile(r"\b((?:fs|ab|season)(?:\.[a-z_]+)+)=([a-z0-9_]+)")


def named(text: str) -> dict[str, str]:
    """The options that a refusal names, each with its value."""
    return {found["key"]: found["value"] for found in NAMED.finditer(text)}


def expected(id: str, **facts: Any) -> str:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(shipped_ruleset(id), Facts(**facts))
    return " ".join(str(fault.expected) for fault in refused.value.faults)


@pytest.mark.parametrize(
    ("id", "facts", "option", "needed"),
    [
        (DUST, {"points_1": 450, "points_2": 0, "winner": 1}, {"ap_limit": "450"}, {"extra_minutes": 0}),
        (
            DUST,
            {"points_1": 1, "points_2": 0, "winner": 1, "extra": {"list_2": 420}},
            {"ap_limit": "420"},
            {"extra_minutes": 0},
        ),
    ],
)
def test_a_result_that_an_option_would_allow(id: str, facts: Any, option: Any, needed: Any) -> None:
    assert named(expected(id, **facts)) == option
    score_game(apply_options(shipped_ruleset(id), option | needed), Facts(**facts))


@pytest.mark.clause("DW-AMB-19")
def test_a_halved_concession_suggests_the_option_without_a_roster() -> None:
    larger = apply_options(shipped_ruleset(DUST), {"concession_bp": "larger"})
    reported = Facts(points_1=90, points_2=0, conceded_by=2)
    with pytest.raises(ImpossibleResult) as refused:
        score_game(larger, reported)
    (fault,) = refused.value.faults
    assert (fault.where, named(str(fault.expected))) == ("/extra/list_2", {"concession_bp": "table"})


@pytest.mark.parametrize(
    ("id", "roster", "option", "needed"),
    [
        (
            DUST,
            {"army_total": 420, "units": [{"section": "command", "name": "Tank", "points": 420}]},
            {"ap_limit": "420"},
            {"extra_minutes": 30},
        ),
        (
            FALLOUT,
            {"legend": [{"name": "Mason", "points": 15}], "chems": [{"name": "Jet", "kind": "common", "points": 9}]},
            {"legend_outside_budget": "true"},
            {},
        ),
    ],
)
def test_a_roster_that_an_option_would_allow(id: str, roster: Any, option: Any, needed: Any) -> None:
    def limits(ruleset: Any) -> list[str]:
        found = [str(fault.expected) for fault in check_roster(ruleset, roster)]
        return [text for text in found if text.startswith("at most")]

    (refused,) = limits(shipped_ruleset(id))
    assert named(refused) == option
    assert limits(apply_options(shipped_ruleset(id), option | needed)) == []


@pytest.mark.clause("FF-AMB-5")
def test_a_recent_release_suggests_the_delay_option_and_a_future_one_none() -> None:
    ruleset = shipped_ruleset(FALLOUT)
    came_out = {"New": "2026-03-06", "Next": "2026-05-01"}
    items = [CatalogueItem(in_list="ploys", name=name, released=day) for name, day in came_out.items()]
    with_items = replace(ruleset, roster=replace(ruleset.roster, catalogue=items))
    ploys = {"ploys": [{"name": "New", "list": "Standard"}, {"name": "Next", "list": "Standard"}]}
    found = {
        fault.where: named(str(fault.expected))
        for fault in check_roster(with_items, ploys, date(2026, 3, 10))
        if fault.where.startswith("/ploys")
    }
    assert found == {"/ploys/0/name": {"legality_delay_days": "0"}, "/ploys/1/name": {}}


def test_a_suggested_option_has_a_value_and_a_deadline() -> None:
    armada = shipped_ruleset(ARMADA)
    late = allowing_option(armada, "/entry/late", lambda late: late != "none")
    assert late is not None
    assert (late.text, late.data()) == (
        "the option late_entry=zero_points, set before round 1",
        {"key": "late_entry", "value": "zero_points", "until": "round_1"},
    )
    assert late.or_else(NOTHING) == expects(
        "or-option-before-round-1", right=NOTHING, option=expects("option", option="late_entry", value="zero_points")
    )
    assert or_option(NOTHING, armada, "/entry/late", lambda late: late == "tomorrow") == NOTHING
    larger = allowing_option(shipped_ruleset(DUST), "/points/list_limit", lambda most: most == 401, 401)
    assert larger is not None
    assert larger.text == "the option ap_limit=401 with extra_minutes, set with the announcement"
    assert larger.data()["needs"] == ["extra_minutes"]
    assert str(larger.or_else(NOTHING)) == f"nothing, or {larger.text}"
    assert or_option(NOTHING, shipped_ruleset(DUST), "/entry/late", lambda late: late != "none") == NOTHING
    assert or_option(NOTHING, shipped_ruleset(DUST), "/clock/extra_minutes", lambda _: True, 601) == NOTHING


def test_options_named_in_refusals_exist() -> None:
    known = {option.key: option for ruleset in shipped().values() for option in ruleset.options}
    texts = [path.read_text("utf-8") for top in ("shared", "services") for path in (ROOT / top).rglob("*.py")]
    said = {found.groups() for text in texts for found in LITERAL.finditer(text)}
    assert len(said) >= 14
    for key, value in said:
        option = known[key]
        assert value in option.choices or (option.kind == "flag" and value in ("true", "false")), (key, value)


def test_a_missing_fact_suggests_no_unrelated_option():
    assert named(expected(DUST, points_1=3, points_2=None)) == {}
    assert named(expected(ARMADA, points_1=150)) == {}
