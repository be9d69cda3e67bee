"""Starting turfs over HTTP: dice at the table or by the service, refused dice, the leader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.campaign.dice import drawn_dice
from shared.rules.model import draw_lots
from shared.tournament.draws import FixedDraws
from tests.campaign.services.league import League, group, told
from tests.campaign.story import EXAMPLES, RULES

New = Callable[..., League]
TURFS = "/players/p1/group/turfs"


@pytest.fixture
def league(new: New) -> League:
    """Two players and a referee; p1 has handed in a group."""
    league = new(2)
    league.hand_in("p1")
    return league


def refused(league: League, *rolls: Any, code: str = "dice-refused") -> list[tuple[str, str]]:
    return league.faults(league.refused(422, code, "registration", TURFS, {"rolls": list(rolls)}, "p1"))


def answers_of(events: list[Any]) -> dict[str, str]:
    """Return question -> answer from the first event of a command."""
    return {answer["question"]: answer["value"] for answer in events[0]["data"]["answers"]}


@pytest.mark.clause("FS-TRF-1", "FS-EX-7", "FS-AUD-1")
def test_turfs_are_rolled_one_by_one_and_duplicates_stay(league: League) -> None:
    for number in range(3):
        rolled = league.roll_turfs("p1", told(4, 8, seen="p2"))
        die, gained, *then = (event["data"] for event in rolled.body["events"])
        assert (die["total"], die["rolled_by"], die["witnessed_by"], die["purpose"]) == (12, "p1", "p2", "FS-TRF-1")
        assert (die["row"]["least"], die["row"]["most"]) == (12, 13)
        assert gained["turf"]["turf"] == EXAMPLES["FS-EX-7"]["found"][12]
        assert gained["roll"] == die["roll"]
        assert len(then) == (2 if number == 2 else 0)
    assert len({turf["id"] for turf in league.built("p1")["turfs"]}) == 3


@pytest.mark.clause("FS-TRF-1")
@pytest.mark.parametrize("turf", RULES.turfs)
def test_every_row_of_the_turf_table_is_reachable(new: New, turf: Any) -> None:
    league = new(2)
    league.hand_in("p1")
    totals = sorted({turf.least, turf.most})
    league.roll_turfs("p1", *(told(min(12, total - 1), total - min(12, total - 1), seen="p2") for total in totals))
    assert [found["turf"] for found in league.built("p1")["turfs"]] == [turf.turf] * len(totals)


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2", "FS-DICE-4")
def test_faces_follow_from_the_answers_in_the_log(league: League) -> None:
    events = league.roll_turfs("p1").body["events"]
    answers = answers_of(events)
    dice = [event["data"] for event in events if event["type"] == "DieRolled"]
    assert [die["question"] for die in dice] == [f"die: round 0, p1, FS-TRF-1, {often}, 1" for often in (1, 2, 3)]
    for die in dice:
        assert die["source"] == "service"
        drawn = drawn_dice(answers[die["question"]], "2D12")
        assert die["dice"] == [{"sides": one.sides, "natural": one.natural} for one in drawn]
    assert [die["roll"] for die in dice] == ["e1", "e2", "e3"]


@pytest.mark.clause("FS-DICE-1", "FS-AUD-1")
@pytest.mark.parametrize(
    ("roll", "faults"),
    [
        (told(13, 1, seen="p2"), [("/rolls/0/dice/0/natural", "FS-DICE-1")]),
        (told(0, 1, seen="p2"), [("/rolls/0/dice/0/natural", "FS-DICE-1")]),
        (
            told(6, 5, sides=6, seen="p2"),
            [("/rolls/0/dice/0/sides", "FS-DICE-1"), ("/rolls/0/dice/1/sides", "FS-DICE-1")],
        ),
        (told(6, seen="p2"), [("/rolls/0/dice", "FS-TRF-1")]),
        (told(1, 2, 3, seen="p2"), [("/rolls/0/dice", "FS-TRF-1")]),
        (told(1, 2, seen="p7"), [("/rolls/0/witnessed_by", "FS-AUD-1")]),
        (told(1, 2), [("/rolls/0/witnessed_by", "FS-AUD-1")]),
        (told(1, 2, seen="p1"), [("/rolls/0/witnessed_by", "FS-AUD-1")]),
        (told(1, 2, by="ghost", seen="p2"), [("/rolls/0/rolled_by", "FS-AUD-1")]),
    ],
)
def test_impossible_or_unwitnessed_turf_dice_are_refused(
    league: League, roll: Any, faults: list[tuple[str, str]]
) -> None:
    assert refused(league, roll) == faults


@pytest.mark.clause("FS-AUD-1")
def test_faults_of_all_rolls_are_listed(league: League) -> None:
    good, bad = told(1, 2, seen="s1"), told(13, 2, seen="s1")
    assert [where for where, _ in refused(league, bad, good, told(1, 2, seen="p9"))] == [
        "/rolls/0/dice/0/natural",
        "/rolls/2/witnessed_by",
    ]
    assert league.built("p1")["turfs"] == []


@pytest.mark.clause("FS-AUD-1")
def test_a_withdrawn_player_cannot_be_a_witness(league: League) -> None:
    league.do("registration", "/players/p2/withdrawal", {})
    assert refused(league, told(1, 2, seen="p2")) == [("/rolls/0/witnessed_by", "FS-AUD-1")]
    league.do("registration", "/staff/s1/dismissal", {})
    assert refused(league, told(1, 2, seen="s1")) == [("/rolls/0/witnessed_by", "FS-AUD-1")]


@pytest.mark.clause("FS-TRF-1")
def test_a_fourth_turf_is_refused(league: League) -> None:
    assert refused(league, *[{}] * 4, code="choice-refused") == [("/rolls", "FS-TRF-1")]
    league.roll_turfs("p1")
    assert refused(league, {}, code="choice-refused") == [("/rolls", "FS-TRF-1")]


@pytest.mark.clause("FS-LDR-1")
def test_the_highest_charisma_leads(new: New) -> None:
    league = new(1)
    league.build("p1", group("gve"))
    shown = league.built("p1")
    assert shown["leader"] == "m-2"
    assert [member["perks"] for member in shown["members"]] == [[], ["leader"], []]


@pytest.mark.clause("FS-LDR-1")
def test_equal_leaders_are_drawn(new: New) -> None:
    league = new(1)
    league.hand_in("p1", group("gvv"))
    rolled = league.roll_turfs("p1").body["events"]
    (appointed,) = (event["data"] for event in rolled if event["type"] == "LeaderAppointed")
    lot = answers_of(rolled)["lot: leader 1 of p1, 0"]
    assert appointed["drawn"] == draw_lots(FixedDraws(lot), "leader 1 of p1", 0, ["m-2", "m-3"])
    assert appointed["member"] == appointed["drawn"][0]
