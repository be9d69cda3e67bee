"""Games of three and more groups: sides, winners, markers, and members taken down.

three = [["A"], ["B"], ["C"]]          three sides of one group each
two = [["A", "B"], ["C", "D"]]         two sides of allies
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.choices import decide
from shared.campaign.dice import SampleDice
from shared.campaign.experience import award_experience
from shared.campaign.facts import (
    Deeds,
    GameReport,
    SideReport,
    Sides,
    allies_of,
    rival_by_name,
    rivals_of,
)
from shared.campaign.injuries import jail_bounties
from shared.campaign.league import LeagueGame, comparison_values
from shared.campaign.outcomes import MemberIncarcerated
from shared.campaign.post_game import open_post_game
from shared.campaign.report import accept_report, endings_of, faults_of_report, improbable_in_report, rewards_of
from shared.campaign.roster import Group
from shared.campaign.steps import DecisionContext, Rival
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused
from tests.campaign.story import LOTS, RULES, a_group, in_step, of_kind, refused, rules, then, thrown

THREE: Sides = [["A"], ["B"], ["C"]]
TWO: Sides = [["A", "B"], ["C", "D"]]
ONE_AGAINST_TWO: Sides = [["A"], ["B", "C"]]
M1, M2 = Deeds("m-1"), Deeds("m-2")


def side(id: str, *deeds: Deeds, lines: Sequence[int] = (), **more: Any) -> SideReport:
    held = tuple(lines)
    return SideReport(id, 1, held, more.pop("vp", sum(held)), members=deeds or (M1, M2), **more)


def report(*sides: SideReport, **more: Any) -> GameReport:
    return GameReport(sides, more.pop("last_turn", 8), more.pop("end_roll", thrown(12)), **more)


def groups(*forces: str) -> dict[str, Group]:
    """Return groups A, B, C … of these forces."""
    return {id: replace(a_group(force, "vg"), id=id) for id, force in zip("ABCD", forces, strict=False)}


def faults(
    game_report: GameReport, sides: Sides, forces: Sequence[str] = ("raiders",) * 4, by: Rules = RULES
) -> list[Any]:
    known = groups(*forces[: len(game_report.sides)])
    found = faults_of_report(by, game_report, known, {id: ["m-1", "m-2"] for id in known}, sides)
    assert all(fault.said and str(fault.expected) for fault in found)
    return [(fault.where, fault.clause) for fault in found]


def held(*lines: Sequence[int], **more: Any) -> GameReport:
    """Return a report of groups A, B … that hold these lines; `A={…}` sets further members of a side."""
    of = {id: more.pop(id) for id in "ABCD" if id in more}
    return report(*(side(id, lines=own, **of.get(id, {})) for id, own in zip("ABCD", lines, strict=False)), **more)


def test_rivals_and_allies() -> None:
    assert (rivals_of(TWO, "A"), allies_of(TWO, "A")) == (("C", "D"), ("B",))
    assert (rivals_of(THREE, "B"), allies_of(THREE, "B")) == (("A", "C"), ())
    assert rival_by_name(["C"], "m-1") == ("C", "m-1")
    assert rival_by_name(["C", "D"], "D/m-1") == ("D", "m-1")
    assert [rival_by_name(["C", "D"], name)[0] for name in ("m-1", "A/m-1", "")] == ["", "", ""]


@pytest.mark.clause("FS-GAM-9", "FS-GAM-10")
@pytest.mark.parametrize(
    ("sides", "lines", "endings", "rewards"),
    [
        (THREE, ((5,), (4,), ()), "win loss loss", "A"),
        (THREE, ((5,), (5,), (3,)), "draw draw loss", "AB"),
        (THREE, ((4,), (4,), (3,)), "draw draw loss", ""),
        (THREE, ((), (), ()), "draw draw draw", ""),
        (TWO, ((1,), (5,), (3,), ()), "win win loss loss", "AB"),  # 6 against 3, though C has more than A
        (TWO, ((2,), (4,), (5,), (1,)), "draw draw draw draw", "ABCD"),  # 6 each: enough for the side
        (TWO, ((1,), (3,), (), (4,)), "draw draw draw draw", ""),  # 4 each
        (ONE_AGAINST_TWO, ((4,), (3,), (5,)), "loss win win", "BC"),
    ],
)
def test_the_side_with_the_most_points_wins(sides: Sides, lines: Any, endings: str, rewards: str) -> None:
    game_report = held(*lines)
    assert " ".join(endings_of(game_report, sides)) == endings
    assert (
        "".join(s.group for s, may in zip(game_report.sides, rewards_of(RULES, game_report, sides), strict=True) if may)
        == rewards
    )


GAVE_UP = {"conceded": True}


@pytest.mark.clause("FS-GAM-11", "FS-AMB-48", "FS-GAM-9")
@pytest.mark.parametrize(
    ("sides", "lines", "who", "endings"),
    [
        (THREE, ((5,), (4,), (3,)), "A", "loss win loss"),  # the two others play on
        (THREE, ((5,), (4,), (3,)), "AB", "loss loss win"),
        (TWO, ((5,), (4,), (3,), ()), "A", "loss win loss loss"),  # its side plays on, with what it held
        (TWO, ((5,), (4,), (3,), ()), "AB", "loss loss win win"),
        (TWO, ((5,), (), (4,), (1,)), "AC", "loss draw loss draw"),
    ],
)
def test_side_is_out_when_all_its_groups_conceded(sides: Sides, lines: Any, who: str, endings: str) -> None:
    game_report = held(*lines, **dict.fromkeys(who, GAVE_UP))
    assert " ".join(endings_of(game_report, sides)) == endings


@pytest.mark.clause("FS-GAM-8", "FS-GAM-11", "FS-REP-1")
def test_end_roll_is_missing_only_after_concessions() -> None:
    def without_roll(sides: Sides, who: str, number: int) -> list[Any]:
        return faults(held(*[()] * number, **dict.fromkeys(who, GAVE_UP), end_roll=None), sides)

    assert without_roll(THREE, "A", 3) == without_roll(TWO, "AC", 4) == [("/end_roll", "FS-REP-1")]
    assert without_roll(THREE, "AB", 3) == without_roll(TWO, "CD", 4) == []
    assert without_roll(THREE, "ABC", 3) == [("/sides/2/conceded", "FS-GAM-11")]


@pytest.mark.clause("FS-GAM-4", "FS-GAM-11")
def test_regulators_do_not_concede_against_an_evil_rival() -> None:
    game_report = held((), (), (), A=GAVE_UP)
    assert faults(game_report, THREE, ("regulators", "raiders", "enclave")) == [("/sides/0/conceded", "FS-GAM-11")]
    assert faults(game_report, THREE, ("regulators", "raiders", "raiders")) == []
    allied = held((), (), (), (), A=GAVE_UP)
    assert faults(allied, TWO, ("regulators", "enclave", "raiders", "raiders")) == []
    survivors = ("regulators", "regulators", "wasteland_survivors")
    judged = [held((), (), (), A=GAVE_UP, C={"evil": True, "evil_to": (by,)}) for by in "AB"]
    assert [len(faults(one, THREE, survivors)) for one in judged] == [1, 0]


@pytest.mark.clause("FS-GAM-6", "FS-REP-4", "FS-AMB-47")
@pytest.mark.parametrize(
    ("sides", "lines", "wrong"),
    [
        (TWO, ((1,), (2,), (3,), (1,)), []),
        (TWO, ((1, 2), (2,), (), ()), ["/sides/0/lines"]),  # allies stand at one edge
        (TWO, ((), (1,), (5,), ()), ["/sides/1/lines"]),  # the other edge: its fifth is their first
        (TWO, ((1,), (), (), (5,)), ["/sides/0/lines"]),
        (THREE, ((5,), (5,), (5,)), []),  # three edges
        (THREE, ((1,), (5,), (1,)), []),
        (THREE, ((3,), (), (3,)), ["/sides/0/lines"]),  # the middle is the middle for all
        (THREE, ((1, 2), (1, 2), (1, 2)), ["/sides"]),  # six of five
        ([["A", "B"], ["C"], ["D"]], ((4,), (4,), (4,), ()), ["/sides/0/lines"]),
    ],
)
def test_a_marker_has_one_controller_among_all_groups(sides: Sides, lines: Any, wrong: list[str]) -> None:
    assert [where for where, _ in faults(held(*lines), sides)] == wrong


@pytest.mark.clause("FS-REP-4", "FS-AMB-47")
def test_absolute_numbers_are_the_same_for_every_group() -> None:
    by = rules(vp__line_numbering="absolute")
    assert faults(held((1,), (2,), (5,)), THREE, by=by) == []
    assert faults(held((1,), (), (1,)), THREE, by=by) == [("/sides/0/lines", "FS-REP-4")]
    assert faults(held((1,), (), (), (5,)), TWO, by=by) == []


KILLER = {"wounds": 1, "models": 1, "kills": 1}


@pytest.mark.clause("FS-REP-2", "FS-REP-4")
def test_members_of_several_rivals_are_named_with_their_group() -> None:
    killer = Deeds("m-1", **KILLER, took=("C/m-2",))
    taken = Deeds("m-2", down="rival", by="A/m-1", melee=True)
    assert faults(report(side("A", killer, M2), side("B"), side("C", M1, taken)), THREE) == []
    plain = Deeds("m-1", **KILLER, took=("m-2",))
    game_report = report(side("A", plain, M2), side("B"), side("C", M1, replace(taken, by="m-1")))
    assert [where for where, _ in faults(game_report, THREE)] == ["/sides/0/members/0/took", "/sides/2/members/1/by"]


@pytest.mark.clause("FS-REP-2", "FS-REP-4")
def test_single_rival_is_named_plainly() -> None:
    killer = Deeds("m-1", **KILLER, took=("C/m-2",))
    taken = Deeds("m-2", down="rival", by="m-1")
    assert faults(report(side("A", killer, M2), side("B"), side("C", M1, taken)), ONE_AGAINST_TWO) == []
    named = replace(taken, by="A/m-1")
    game_report = report(side("A", killer, M2), side("B"), side("C", M1, named))
    assert [where for where, _ in faults(game_report, ONE_AGAINST_TWO)] == [
        "/sides/0/members/0/took",
        "/sides/2/members/1/by",
    ]


@pytest.mark.clause("FS-REP-4")
@pytest.mark.parametrize(
    ("took", "by", "wrong"),
    [
        ("C/m-2", "A/m-1", []),
        ("B/m-2", "A/m-1", ["/sides/0/members/0/took", "/sides/2/members/1/by"]),  # an ally takes nobody down
        ("D/m-2", "A/m-1", ["/sides/0/members/0/took", "/sides/2/members/1/by"]),
        ("C/m-2", "B/m-1", ["/sides/0/members/0/took", "/sides/2/members/1/by"]),
        ("C/m-2", "D/m-1", ["/sides/0/members/0/took", "/sides/2/members/1/by"]),
        ("C/m-2", "", ["/sides/0/members/0/took", "/sides/2/members/1/by"]),
    ],
)
def test_both_groups_must_agree_about_kills_of_rivals(took: str, by: str, wrong: list[str]) -> None:
    killer, taken = Deeds("m-1", **KILLER, took=(took,)), Deeds("m-2", down="rival", by=by)
    game_report = report(side("A", killer, M2), side("B"), side("C", M1, taken), side("D"))
    assert [where for where, _ in faults(game_report, TWO)] == wrong


@pytest.mark.clause("FS-GAM-4", "FS-XP-3", "FS-REP-4")
@pytest.mark.parametrize(("took", "wrong"), [("C/m-2", []), ("B/m-2", ["FS-XP-3"])])
def test_evil_enemies_belong_to_evil_groups(took: str, wrong: list[str]) -> None:
    killer = Deeds("m-1", **KILLER, took=(took,), evil=1)
    taken = {took[0]: (M1, Deeds("m-2", down="rival", by="A/m-1", melee=True))}
    game_report = report(side("A", killer, M2), *(side(id, *taken.get(id, ())) for id in "BC"))
    found = faults(game_report, THREE, ("regulators", "raiders", "talon_company"))
    assert [clause for _, clause in found] == wrong


@pytest.mark.clause("FS-GAM-4")
def test_judgement_counts_for_its_judge_only() -> None:
    side_report = side("C", evil=True, evil_to=("A",))
    assert [side_report.judged_evil_by(judge) for judge in "AB"] == [True, False]
    assert side("C", evil=True).judged_evil_by("A")
    assert not side("C").judged_evil_by("A")


@pytest.mark.clause("FS-REP-1")
def test_each_group_gets_its_view_of_the_game() -> None:
    game_report = held((1,), (5,), (3,), ())
    members = {id: ["m-1", "m-2"] for id in "ABCD"}
    played = accept_report(RULES, game_report, groups(*["raiders"] * 4), members, TWO)
    assert [part.side.group for part in played] == list("ABCD")
    assert [(part.rivals, part.allies) for part in played[1:3]] == [(("C", "D"), ("A",)), (("A", "B"), ("D",))]
    assert [part.reward for part in played] == [True, True, False, False]
    wrong = {"A": members["A"], "B": members["B"]}
    assert [fault.where for fault in faults_of_report(RULES, game_report, groups("raiders", "raiders"), wrong)] == [
        "/sides"
    ]


@pytest.mark.clause("FS-INJ-5")
def test_regulators_are_paid_for_prisoners() -> None:
    beaten = [Deeds(f"m-{n}", down="rival", by=f"{id}/m-1", melee=True) for n, id in ((1, "B"), (2, "C"))]
    killers = [side(id, Deeds("m-1", **KILLER, took=(f"A/m-{n}",)), M2) for n, id in ((1, "B"), (2, "C"))]
    game_report, forces = report(side("A", *beaten), *killers), ("raiders", "regulators", "super_mutants")
    known = groups(*forces)
    ours, *_ = accept_report(RULES, game_report, known, {id: ["m-1", "m-2"] for id in known}, THREE)
    opened = then(known["A"], open_post_game(RULES, known["A"], 1, ours, LOTS, jailers={"B"}))
    assert (opened.phase.jail, opened.phase.injured) == (("m-1",), ("m-1", "m-2"))
    context = DecisionContext(RULES, opened, SampleDice(), LOTS, rivals=tuple(Rival(known[id]) for id in "BC"))
    paid = jail_bounties(context, [MemberIncarcerated("m-1", "s1")])
    assert [(one.group, one.amount) for one in paid] == [("B", 25)]


@pytest.mark.clause("FS-AMB-33")
def test_winner_takes_a_turf_of_any_loser() -> None:
    taking = rules(turf__gain="winner_takes_losers")
    won = in_step(a_group(), "1b")
    losers = [
        replace(a_group("enclave", turfs=turfs), id=id) for id, turfs in (("B", ["bar"]), ("C", ["bar", "hotel"]))
    ]
    context = DecisionContext(taking, won, SampleDice(), LOTS, rivals=tuple(Rival(one) for one in losers))
    events = decide(context, "take_turf", {"turf": "C/t-901"})
    gained, lost = events
    assert (gained.turf.turf, lost.group, lost.turf) == ("hotel", "C", "t-901")
    for wrong in ("t-901", "B/t-901", "D/t-900"):
        assert refused(ChoiceRefused, decide, context, "take_turf", {"turf": wrong}) == [("/turf", "FS-AMB-33")]


@pytest.mark.clause("FS-XP-1", "FS-AMB-10")
def test_only_deaths_count_as_kills_by_option() -> None:
    counting = rules(xp__kill="dead_on_injury_table")
    killer = Deeds("m-1", wounds=3, models=3, kills=3, took=("B/m-1", "C/m-1", "C/m-2"))
    group = in_step(a_group(ranks="v"), "2", killer, ending="loss")
    events = award_experience(counting, group, ("C/m-1", "B/m-2"))
    kills = [one.amount for one in of_kind(events, type(events[0])) if getattr(one, "reason", "") == "kill"]
    assert kills == [1]


@pytest.mark.clause("FS-XP-1", "FS-ENC-5")
@pytest.mark.parametrize(
    ("sides", "wounds", "marked"),
    [
        (THREE, (8, 0, 0), []),  # B and C have four Wounds each
        (THREE, (9, 0, 0), ["/sides/0/members/0/wounds"]),
        (TWO, (4, 4, 0, 0), []),
        (TWO, (4, 5, 0, 0), ["/sides/1/members/0/wounds"]),  # together more than C and D have
        (ONE_AGAINST_TWO, (0, 2, 3), ["/sides/2/members/0/wounds"]),
    ],
)
def test_limits_of_improbable_values_cover_all_rivals(sides: Sides, wounds: Any, marked: list[str]) -> None:
    ids = "ABCD"[: len(wounds)]
    game_report = report(*(side(id, Deeds("m-1", wounds=n), M2) for id, n in zip(ids, wounds, strict=True)))
    known = groups(*["raiders"] * len(wounds))
    assert [fault.where for fault in improbable_in_report(RULES, game_report, known, sides)] == marked


@pytest.mark.clause("FS-AMB-59", "FS-LGE-1")
def test_game_of_three_counts_head_to_head_among_equals() -> None:
    by = rules(league__tiebreaks=["head_to_head"])
    three = LeagueGame(("A", "B", "C"), ("win", "loss", "loss"), (5, 0, 0))
    others = [LeagueGame(("B", "X"), ("win", "loss"), (1, 0)), LeagueGame(("C", "Y"), ("win", "loss"), (1, 0))]
    ratings = dict.fromkeys("ABCXY", 100)
    values = comparison_values(by, ratings, [three, *others])
    assert {id: values[id]["head_to_head"] for id in "ABC"} == {"A": 3, "B": 0, "C": 0}
    assert comparison_values(by, ratings, [three, others[0]])["A"]["head_to_head"] == 0
