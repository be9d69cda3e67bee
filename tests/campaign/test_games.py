"""Game reports: cross-checks, victory and rewards."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.facts import Deeds, Dose, GameReport, Played, SideReport
from shared.campaign.report import (
    accept_report,
    end_of_game,
    endings_of,
    faults_of_report,
    game_end_total,
    game_ends,
    rewards_of,
)
from shared.campaign.roster import Group
from shared.campaign.tables import Rules
from shared.campaign.words import ReportRefused
from tests.campaign.rolls import faults_of_rolls
from tests.campaign.story import EXAMPLES, RULES, a_group, refused, rules, thrown


def side(id: str, *deeds: Deeds, lines: tuple[int, ...] = (), **more: Any) -> SideReport:
    members = deeds or (Deeds("m-1"), Deeds("m-2"))
    return SideReport(id, more.pop("objective", 1), lines, more.pop("vp", sum(lines)), members=members, **more)


def report(first: SideReport, second: SideReport, **more: Any) -> GameReport:
    return GameReport((first, second), more.pop("last_turn", 8), more.pop("end_roll", thrown(12)), **more)


def groups(first: str = "raiders", second: str = "raiders", **more: Any) -> dict[str, Group]:
    made = (a_group(first, "vg", **more), a_group(second, "vg"))
    return {id: replace(group, id=id) for id, group in zip("AB", made, strict=True)}


def faults(game_report: GameReport, known: dict[str, Group] | None = None, by: Rules = RULES) -> list[tuple[str, str]]:
    known = known or groups()
    found = faults_of_report(by, game_report, known, {id: ["m-1", "m-2"] for id in known})
    assert all(fault.said and str(fault.expected) for fault in found)
    return [(fault.where, fault.clause) for fault in found]


@pytest.mark.clause("FS-EX-5", "FS-GAM-8")
@pytest.mark.parametrize(("turn", "free", "face", "total", "ends"), EXAMPLES["FS-EX-5"])
def test_when_a_game_ends(turn: int, free: int, face: int, total: int | None, ends: bool) -> None:
    assert game_end_total(RULES, turn, free, face) == total
    assert game_ends(RULES, turn, free, face) is ends


@pytest.mark.clause("FS-GAM-8", "FS-AUD-1", "FS-AUD-2")
def test_end_roll_is_recorded_with_its_modifiers() -> None:
    game_report = report(side("A", lines=(1, 2)), side("B", lines=(1,)), last_turn=7, end_roll=thrown(6))
    assert faults(game_report) == []
    events = end_of_game(RULES, game_report)
    assert (events[0].total, [modifier.value for modifier in events[0].modifiers], events[1].turn) == (10, [2, 2], 7)
    assert list(faults_of_rolls(RULES, events)) == []
    assert end_of_game(RULES, report(side("A", conceded=True), side("B"), end_roll=None)) == []


@pytest.mark.clause("FS-EX-6", "FS-GAM-6", "FS-GAM-9", "FS-REP-4", "FS-AMB-47")
def test_victory_points_of_the_example() -> None:
    example = EXAMPLES["FS-EX-6"]
    one, two = example["lines"]
    game_report = report(side("A", lines=tuple(one)), side("B", lines=tuple(two)))
    assert [part.vp for part in game_report.sides] == example["vp"]
    assert faults(game_report) == []
    assert list(endings_of(game_report)) == example["endings"]
    absolute = example["absolute"]
    one, two = absolute["lines"]
    game_report = report(side("A", lines=tuple(one)), side("B", lines=tuple(two)))
    by = rules(vp__line_numbering="absolute")
    assert [part.vp for part in game_report.sides] == absolute["vp"]
    assert faults(game_report, by=by) == []
    assert list(endings_of(game_report)) == absolute["endings"]


@pytest.mark.clause("FS-REP-4", "FS-GAM-6", "FS-AUD-1")
@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        (side("A", lines=(1,)), side("B", lines=(5,)), [("/sides/0/lines", "FS-REP-4")]),
        (side("A", lines=(3,)), side("B", lines=(3,)), [("/sides/0/lines", "FS-REP-4")]),
        (side("A", lines=(1, 2), vp=4), side("B"), [("/sides/0/vp", "FS-REP-4")]),
        (side("A", lines=(6,)), side("B"), [("/sides/0/lines", "FS-REP-4")]),
        (side("A", lines=(2, 2)), side("B"), [("/sides/0/lines", "FS-REP-4")]),
        (side("A", objective=13), side("B"), [("/sides/0/objective", "FS-GAM-5")]),
        (side("A", missed=-1), side("B"), [("/sides/0/missed", "FS-REP-3")]),
        (side("A", loot=("crown",)), side("B"), [("/sides/0/loot/0", "FS-REP-3")]),
        (side("A"), side("C"), [("/sides", "FS-REP-1")]),
    ],
)
def test_impossible_lines_and_points_are_refused(
    first: SideReport, second: SideReport, wrong: list[tuple[str, str]]
) -> None:
    assert faults(report(first, second)) == wrong


@pytest.mark.clause("FS-REP-4", "FS-AMB-47")
def test_one_marker_claimed_twice_by_absolute_numbers() -> None:
    by = rules(vp__line_numbering="absolute")
    assert faults(report(side("A", lines=(1,)), side("B", lines=(5,))), by=by) == []
    assert faults(report(side("A", lines=(1,)), side("B", lines=(1,))), by=by) == [("/sides/0/lines", "FS-REP-4")]


M1, M2 = Deeds("m-1"), Deeds("m-2")


@pytest.mark.clause("FS-REP-2", "FS-REP-4", "FS-INJ-4", "FS-XP-3", "FS-ITM-2")
@pytest.mark.parametrize(
    ("deeds", "wrong"),
    [
        ((M1,), [("members", "FS-REP-2")]),
        ((M1, M2, Deeds("m-3")), [("members/2/member", "FS-REP-4")]),
        ((M1, M2, M2), [("members/2/member", "FS-REP-4")]),
        ((M1, Deeds("m-2", wounds=1, kills=2)), [("members/1/kills", "FS-REP-4")]),
        ((M1, Deeds("m-2", wounds=1, models=2)), [("members/1/models", "FS-REP-4")]),
        ((M1, Deeds("m-2", rads=-1)), [("members/1/rads", "FS-REP-2")]),
        ((M1, Deeds("m-2", down="rival")), [("members/1/by", "FS-REP-4")]),
        ((M1, Deeds("m-2", down="rival", by="m-1")), [("members/1/by", "FS-REP-4")]),
        ((M1, Deeds("m-2", wounds=1, kills=1, took=("m-1",))), [("members/1/took", "FS-REP-4")]),
        ((M1, Deeds("m-2", wounds=1, took=("m-1",))), [("members/1/took", "FS-REP-4")] * 2),
        ((M1, Deeds("m-2", down="fall", melee=True)), [("members/1/down", "FS-REP-4")]),
        ((M1, Deeds("m-2", down="fall")), []),
        ((M1, Deeds("m-2", down="fall", removed=True)), [("members/1/removed", "FS-INJ-4")]),
        ((M1, Deeds("m-2", down="terrain", removed=True)), []),
        ((M1, Deeds("m-2", evil=1)), [("members/1/evil", "FS-REP-4"), ("members/1/evil", "FS-XP-3")]),
        ((M1, Deeds("m-2", wounds=1, mutated=1)), [("members/1/mutated", "FS-REP-4")]),
        ((M1, Deeds("m-2", used=("i-100",))), [("members/1/used/0", "FS-ITM-2")]),
        ((Deeds("m-1", used=("i-100",)), M2), []),
        ((Deeds("m-1", used=("i-100", "i-100")), M2), [("members/0/used/1", "FS-ITM-2")]),
    ],
)
def test_impossible_deeds_are_refused(deeds: tuple[Deeds, ...], wrong: list[tuple[str, str]]) -> None:
    known = groups(goods=[("stimpak", "m-1")])
    assert faults(report(side("A", *deeds), side("B")), known) == [(f"/sides/0/{at}", clause) for at, clause in wrong]


@pytest.mark.clause("FS-REP-4")
def test_both_sides_must_agree_about_a_kill() -> None:
    killer = Deeds("m-1", wounds=2, kills=1, took=("m-2",))
    assert faults(report(side("A", killer, M2), side("B", M1, Deeds("m-2", down="rival", by="m-1")))) == []
    assert faults(report(side("A", killer, M2), side("B"))) == [("/sides/0/members/0/took", "FS-REP-4")]


@pytest.mark.clause("FS-ADD-1", "FS-ITM-2", "FS-AMB-45")
def test_doses_and_used_items_must_be_carried() -> None:
    known = groups(goods=[("jet", "m-1"), ("stimpak", "m-1"), ("smg_10mm", "m-1"), ("frag_grenade", "m-1")])

    def of(**deeds: Any) -> list[str]:
        return [at for at, _ in faults(report(side("A", Deeds("m-1", **deeds), M2), side("B")), known)]

    jet = Dose("i-100", thrown(5))
    assert of(doses=(jet,), used=("i-101",)) == []
    assert of(doses=(jet, jet)) == ["/sides/0/members/0/doses/1/item"]
    assert of(doses=(Dose("i-101", thrown(5)),)) == ["/sides/0/members/0/doses/0/item"]
    assert of(doses=(Dose("i-100", thrown(13)),)) == ["/sides/0/members/0/doses/0/roll/dice/0/natural"]
    assert of(used=("i-102",)) == ["/sides/0/members/0/used/0"]
    assert of(used=("i-103",)) == ["/sides/0/members/0/used/0"]
    single = rules(item__found_grenades="single_use")
    assert faults(report(side("A", Deeds("m-1", used=("i-103",)), M2), side("B")), known, single) == []


@pytest.mark.clause("FS-GAM-8", "FS-REP-1")
def test_last_turn_needs_its_die() -> None:
    a, b = side("A"), side("B")
    assert faults(report(a, b, last_turn=7, end_roll=thrown(2))) == [("/end_roll", "FS-GAM-8")]
    assert faults(report(a, b, last_turn=7, end_roll=thrown(3))) == []
    assert faults(report(a, b, last_turn=4)) == [("/end_roll", "FS-GAM-8")]
    assert faults(report(a, b, end_roll=thrown(13))) == [("/end_roll/dice/0/natural", "FS-DICE-1")]
    assert faults(report(a, b, end_roll=None)) == [("/end_roll", "FS-REP-1")]
    assert faults(report(a, b, last_turn=0, end_roll=None))[0] == ("/last_turn", "FS-REP-1")
    assert faults(report(a, side("B", conceded=True), last_turn=2, end_roll=None)) == []


@pytest.mark.clause("FS-GAM-9", "FS-GAM-10")
@pytest.mark.parametrize(
    ("lines", "endings", "rewards"),
    [
        (((5,), (4,)), ("win", "loss"), (True, False)),
        (((5,), (5,)), ("draw", "draw"), (True, True)),
        (((4,), (4,)), ("draw", "draw"), (False, False)),
        (((), ()), ("draw", "draw"), (False, False)),
    ],
)
def test_winners_and_rewards(lines: Any, endings: Any, rewards: Any) -> None:
    game_report = report(side("A", lines=lines[0]), side("B", lines=lines[1]))
    assert endings_of(game_report) == endings
    assert rewards_of(RULES, game_report) == rewards


@pytest.mark.clause("FS-GAM-11", "FS-AMB-48")
def test_a_concession_loses_whatever_the_points() -> None:
    game_report = report(side("A", lines=(5,), conceded=True), side("B"))
    assert endings_of(game_report) == ("loss", "win")
    assert rewards_of(RULES, game_report) == (False, True)
    assert faults(game_report, by=rules(game__concession="forbidden")) == [("/sides/0/conceded", "FS-AMB-48")]
    both = report(side("A", conceded=True), side("B", conceded=True))
    assert faults(both) == [("/sides/1/conceded", "FS-GAM-11")]


@pytest.mark.clause("FS-GAM-11")
@pytest.mark.parametrize(
    ("force", "rival", "more", "refused_"),
    [
        ("brotherhood_of_steel", "raiders", {"present": ("high_tech_in_play",)}, True),
        ("brotherhood_of_steel", "raiders", {}, False),
        ("enclave", "super_mutants", {"present": ("mutated_present",)}, True),
        ("enclave", "raiders", {}, False),
        ("regulators", "enclave", {}, True),
        ("regulators", "wasteland_survivors", {}, False),
    ],
)
def test_forces_that_never_concede(force: str, rival: str, more: Any, refused_: bool) -> None:
    game_report = report(side("A", conceded=True), side("B"), **more)
    assert faults(game_report, groups(force, rival)) == ([("/sides/0/conceded", "FS-GAM-11")] if refused_ else [])


@pytest.mark.clause("FS-REP-1")
def test_accepted_report_gives_a_view_for_each_side() -> None:
    game_report = report(side("A", lines=(5,)), side("B"))
    members = {id: ["m-1", "m-2"] for id in "AB"}
    first, second = accept_report(RULES, game_report, groups(), members)
    assert (first.ending, first.reward, first.rival, first.leader) == ("win", True, "B", "m-1")
    assert (second.ending, second.reward, second.fielded) == ("loss", False, ("m-1", "m-2"))
    wrong = report(side("A", lines=(5,), vp=9), side("B"))
    assert refused(ReportRefused, accept_report, RULES, wrong, groups(), members) == [("/sides/0/vp", "FS-REP-4")]


@pytest.mark.clause("FS-REP-1", "FS-REP-2")
def test_taker_is_the_named_rival_only() -> None:
    side = SideReport("a", 1, members=(Deeds("m-1", down="x", by="b"), Deeds("m-2")))
    played = Played("loss", side, rival="b", further=("c",))
    assert [played.taker(member) for member in ("m-1", "m-2", "m-9")] == ["b", "", ""]
