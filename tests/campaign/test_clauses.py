"""Clauses that other tests touch only in passing, and a check that every clause has a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from muster.cli.clauses import proving_tests
from shared.campaign.evolve import evolve
from shared.campaign.group import appoint_leader
from shared.campaign.league import bye, league_table
from shared.campaign.muster import muster
from shared.campaign.outcomes import MemberRemoved
from shared.campaign.post_game import move_item
from shared.campaign.recruits import close_recruits, hire, open_recruits
from shared.campaign.roster import RecruitPool, has_perk
from shared.campaign.steps import gain
from shared.campaign.words import ChoiceRefused
from shared.formats.packs import shipped_clauses
from tests.campaign.story import LOTS, RULES, a_group, in_step, refused, rules, then, thrown, with_member


def test_every_clause_open_question_and_example_has_a_test_or_a_reason() -> None:
    """Includes decisions and examples: `muster clauses` requires only binding ones."""
    clauses = shipped_clauses()["fallout-skirmish"]
    proved = proving_tests(Path(__file__).parents[1])
    assert len(clauses) == 130 + 60
    assert [clause.id for clause in clauses if not proved.get(clause.id) and not clause.not_enforceable] == []
    assert [clause.id for clause in clauses if clause.not_enforceable] == ["FS-AMB-53"]


def test_no_test_names_an_unknown_clause() -> None:
    known = {clause.id for clause in shipped_clauses()["fallout-skirmish"]}
    proved = proving_tests(Path(__file__).parents[1])
    assert {id for id in proved if id.startswith("FS-")} <= known


@pytest.mark.clause("FS-GRP-13")
def test_ids_are_never_reused() -> None:
    group = a_group(ranks="vg", goods=[("smg_10mm", "m-2")], serial=2, caps=100)
    known = {*group.ids, *(item.id for item in group.items)}
    group = evolve(group, [MemberRemoved("m-2", "dead", "lost", "FS-INJ-1", "r-1")])
    for _ in range(3):
        group = then(group, list(gain(group, ["jet"], "found", "FS-REP-3")))
        new = group.items[-1].id
        assert new not in known
        known.add(new)


@pytest.mark.clause("FS-GRP-12", "FS-LDR-1")
def test_only_the_leader_has_a_perk_at_the_start() -> None:
    group = a_group(ranks="veg")
    held = {(member.id, perk) for member in group.members for perk in RULES.advancement.perks
            if has_perk(RULES, group, member, perk)}  # fmt: skip
    assert held == {("m-1", "leader")}
    moved = replace(group, leader="m-2")
    assert [has_perk(RULES, moved, member, "leader") for member in moved.members] == [False, True, False]


@pytest.mark.clause("FS-LDR-3")
@pytest.mark.parametrize(
    "changes", [{"injuries": ("eye_wound",) * 2}, {"injuries": ("crippled_leg",) * 2}, {"away": True}]
)
def test_a_blind_a_crippled_and_a_jailed_leader_still_lead(changes: dict[str, Any]) -> None:
    group = with_member(a_group(ranks="veg"), "m-1", **changes)
    assert appoint_leader(RULES, group, LOTS, 1) == []


@pytest.mark.clause("FS-REC-4", "FS-GRP-7")
def test_recruits_have_armor_duties_and_unhired_ones_leave() -> None:
    group = replace(in_step(a_group("regulators", "vg", caps=80), "4"), id="A", rating=500)
    pool = open_recruits(RULES, {"A": group}, {"A": thrown(12)}, LOTS, 1)[1]
    hired = then(group, hire(RULES, group, pool, pool.recruits[0].id)[0])
    new = hired.members[-1]
    assert (new.rank, new.xp, new.level) == ("green", 0, 0)
    assert refused(ChoiceRefused, move_item, RULES, hired, "i-none", new.id) == [("/item", "FS-PGP-7")]
    assert refused(ChoiceRefused, muster, RULES, hired, [new.id]) == [(f"/members/{new.id}", "FS-GRP-7")]
    left = close_recruits(RULES, [group], RecruitPool(pool.recruits, ()))["A"]
    assert then(group, left).phase.step == "5"
    assert len(then(group, left).members) == 2


@pytest.mark.clause("FS-AMB-55", "FS-LGE-1")
@pytest.mark.parametrize(("points", "league"), [(3, [3, 0]), (1, [1, 0]), (0, [0, 0])])
def test_points_of_a_bye_follow_the_option(points: int, league: list[int]) -> None:
    ruleset = rules(bye__league_points=points)
    table = league_table(ruleset, {"A": 500, "B": 400}, [bye("A")])
    assert [(line.points, line.vp) for line in table] == [(each, 0) for each in league]
