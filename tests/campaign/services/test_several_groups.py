"""A round with a game of three and a game of two against two, and its audit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from muster.audit.findings import Failure, Findings
from muster.audit.logs import decode_log
from muster.audit.replay import fold_logs
from shared.formats import FORMATS
from tests.auditing import failures
from tests.campaign.forging import change, forged
from tests.campaign.services.sides_story import InSides, new_sides
from tests.chance import seeded_draws
from tests.fuzz.muster import Json, Muster
from tests.services.conftest import logging_as_it_was

FORCES = (
    *("regulators", "wasteland_survivors", "wasteland_survivors"),  # p1, p2, p3: each alone
    *("super_mutants", "raiders", "vault_residents", "regulators"),  # p4 and p5 against p6 and p7
)
THREE, TWO = "r1g1", "r1g2"

DEEDS_OF_THREE = {
    "p1 m-1": {"wounds": 2, "models": 2, "kills": 2, "took": ["p2/m-3", "p3/m-3"], "evil": 2},
    "p2 m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["p3/m-4"]},
    "p2 m-3": {"down": "rival", "by": "p1/m-1", "melee": True},
    "p3 m-3": {"down": "rival", "by": "p1/m-1", "melee": True},
    "p3 m-4": {"down": "rival", "by": "p2/m-1", "melee": True},
}
DEEDS_OF_TWO = {
    "p4 m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["p6/m-3"]},
    "p4 m-3": {"down": "rival", "by": "p7/m-1", "melee": True},
    "p5 m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["p6/m-4"]},
    "p6 m-3": {"down": "rival", "by": "p4/m-1"},
    "p6 m-4": {"down": "rival", "by": "p5/m-1"},
    "p7 m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["p4/m-3"], "evil": 1},
}


def found(league: InSides) -> list[Failure]:
    """Return the findings of an audit, except that rounds were paired without a command."""
    return [one for one in failures(league.logs) if (one.source, one.code) != ("pairing", "command")]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InSides]:
    """The played round."""
    with logging_as_it_was(), seeded_draws("several groups"):
        muster = Muster(tmp_path_factory.mktemp("sides"))
        league = new_sides(muster, FORCES, [["p1"], ["p2"], ["p3"]], [["p4", "p5"], ["p6", "p7"]])
        for game in (THREE, TWO):
            league.ready(game)
        three = league.facts(THREE, {"p1": [5, 3], "p2": [4], "p3": [1]}, DEEDS_OF_THREE)
        league.told(THREE, three, by="p2")
        league.do("scoring", f"/games/{THREE}/confirmation", by="p3")
        two = league.facts(TWO, {"p4": [1], "p5": [4], "p6": [4, 1]}, DEEDS_OF_TWO)
        league.told(TWO, two, by="p4")
        league.refused(409, "own-report", "scoring", f"/games/{TWO}/confirmation", by="p5")
        assert league.told(TWO, two, by="p5").events == []
        league.told(TWO, two, by="p7")
        play_on(league)
        league.do("scoring", "/conclusion", {"reason": "the winter comes"})
        yield league
        for database in muster.databases.values():
            database.close()


def play_on(league: InSides) -> None:
    """Roll injuries of the fallen; close all other steps as for absent players."""
    for group, member, seen in (("p2", "m-3", "p3"), ("p3", "m-3", "p1"), ("p3", "m-4", "p2")):
        league.choose(group, "roll_injury", {"member": member}, 12, 12, seen=seen)
    for group, member, seen in (("p2", "m-3", "p1"), ("p3", "m-3", "p2")):
        league.choose(group, "check_jail", {"member": member}, 12, seen=seen)  # a twelve always fails: in jail
    league.choose("p4", "roll_injury", {"member": "m-3"}, 12, 12, seen="p5")
    league.choose("p4", "check_jail", {"member": "m-3"}, 12, seen="p7")
    for member, faces in (("m-3", (1, 1)), ("m-4", (1, 2))):  # both die
        league.choose("p6", "roll_injury", {"member": member}, *faces, seen="p4")
    league.until("3", *(f"p{n}" for n in range(1, 8)))
    league.choose("p4", "feast", {})
    league.end_round()


def events(league: InSides, kind: str, **like: Any) -> list[Json]:
    """Return the events of a type in scoring's log, in order."""
    told = [json.loads(row.data) for row in league.logs["scoring"] if row.type == kind]
    return [data for data in told if all(data.get(name) == value for name, value in like.items())]


@pytest.mark.clause("FS-GAM-9", "FS-LGE-1", "FS-LGE-2")
def test_the_side_with_most_points_wins(played: InSides) -> None:
    assert played.rows() == {
        "p1": (3, 8),
        "p2": (0, 4),
        "p3": (0, 1),
        "p4": (1, 1),  # 5 against 5
        "p5": (1, 4),
        "p6": (1, 5),
        "p7": (1, 0),
    }
    score = played.game(TWO)["score"]["groups"]
    assert [(one["group"], one["outcome"], one["values"]["vp"]) for one in score] == [
        ("p4", "draw", 1),
        ("p5", "draw", 4),
        ("p6", "draw", 5),
        ("p7", "draw", 0),
    ]
    (share,) = played.ask("GET", "scoring", "/standings/p2").body["values"][0]["from"]
    assert (share["opponent"], share["opponents"], share["value"]) == ("", ["p1", "p3"], "0")


@pytest.mark.clause("FS-LGE-1")
def test_a_season_counts_a_game_of_several_groups(played: InSides) -> None:
    logs = {source: decode_log(log, Findings()) for source, log in played.logs.items()}
    rows = {row.entry: row.games for row in FORMATS["campaign"].final_results(fold_logs(logs))}
    told = {id: (game.outcome, game.opponent, game.score, game.against) for id, (game,) in rows.items()}
    assert (told["p2"], told["p6"]) == (("loss", "", 4, 8), ("draw", "", 5, 4))
    assert {game.kind for (game,) in rows.values()} == {"game"}


@pytest.mark.clause("FS-GAM-10")
def test_every_winner_claims_a_reward(played: InSides) -> None:
    opened = {data["group"]: data["phase"]["played"] for data in events(played, "PostGameOpened")}
    assert {id for id, told in opened.items() if told.get("reward")} == {"p1", "p4", "p5", "p6", "p7"}
    assert (opened["p5"]["rival"], opened["p5"]["further"], opened["p5"]["allies"]) == ("p6", ["p7"], ["p4"])
    assert (opened["p2"]["rival"], opened["p2"]["further"], opened["p2"].get("allies")) == ("p1", ["p3"], None)
    assert {data["group"] for data in events(played, "RewardClaimed")} == {"p1", "p4", "p5", "p6", "p7"}


@pytest.mark.clause("FS-GAM-4", "FS-XP-3")
def test_regulators_judge_each_rival_group_of_survivors(played: InSides) -> None:
    assert [(data["group"], data["rival"], data["evil"]) for data in events(played, "EvilJudged")] == [
        ("p1", "p2", True),
        ("p1", "p3", True),
    ]
    sides = played.game(THREE)["facts"]["report"]["sides"]
    assert [(side.get("evil"), side.get("evil_to")) for side in sides] == [(None, None), (True, ["p1"]), (True, ["p1"])]
    assert [side["judged"] for side in played.game(THREE)["sides"]] == [{"p2": True, "p3": True}, {}, {}]
    evil = events(played, "ExperienceChanged", reason="evil")
    assert [(data["group"], data["member"], data["amount"]) for data in evil] == [("p1", "m-1", 2), ("p7", "m-1", 1)]


@pytest.mark.clause("FS-INJ-5")
def test_only_the_captor_of_a_prisoner_is_paid(played: InSides) -> None:
    jailed = [(data["group"], data["member"]) for data in events(played, "MemberIncarcerated")]
    assert jailed == [("p2", "m-3"), ("p3", "m-3"), ("p4", "m-3")]  # p3 m-4 was beaten by survivors
    paid = events(played, "CapsMoved", reason="prisoner")
    assert [(data["group"], data["amount"]) for data in paid] == [("p1", 25), ("p1", 25), ("p7", 25)]


@pytest.mark.clause("FS-SPC-2")
def test_mutants_eat_only_their_own_kills(played: InSides) -> None:
    (meal,) = events(played, "MembersSated", flesh="enemy")
    assert (meal["group"], meal["number"]) == ("p4", 2)  # m-3 of p6; m-4 fell to p5


@pytest.mark.clause("FS-RND-1", "FS-PGP-1", "FS-PGP-2")
def test_the_round_ends_with_the_last_of_seven_groups(played: InSides) -> None:
    closed = [data["group"] for data in events(played, "StepClosed", step="9")]
    assert sorted(closed) == [f"p{n}" for n in range(1, 8)]
    assert len(events(played, "RoundClosed")) == len(events(played, "TournamentConcluded")) == 1


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2", "FS-REP-5")
def test_the_audit_of_several_groups_finds_nothing(played: InSides) -> None:
    assert [f"{one.source} {one.position} {one.found} / {one.expected}" for one in found(played)] == []


def _phase_of(group: str, **changes: Any) -> Any:
    def do(data: Json) -> None:
        data["phase"]["played"].update(changes)

    return change("PostGameOpened", do, lambda data: data["group"] == group)


def _points_of_three(data: Json) -> None:
    for side, lines in zip(data["facts"]["report"]["sides"], ([1], [5, 3], [4]), strict=True):
        side.update(lines=lines, vp=sum(lines))


def _row(told: list[Json]) -> int:
    index = next(n for n, event in enumerate(told) if event["type"] == "StandingsRecorded")
    next(row for row in told[index]["data"]["rows"] if row["player"] == "p4")["values"]["league_points"] = 3
    return index


FORGERIES: dict[str, tuple[Any, str, str]] = {
    "who won": (change("ResultReported", _points_of_three), "decision", ""),
    "an ally made a rival": (_phase_of("p5", rival="p4", further=["p6", "p7"], allies=[]), "decision", ""),
    "a rival left out": (_phase_of("p2", further=[]), "decision", ""),
    "a reward for a loser": (_phase_of("p3", reward=True), "decision", ""),
    "an ending": (_phase_of("p6", ending="win"), "decision", ""),
    "who is judged": (change("EvilJudged", lambda data: data.update(rival="p6")), "decision", "FS-GAM-4"),
    "who is paid": (
        change("CapsMoved", lambda data: data.update(group="p7"), lambda data: data["reason"] == "prisoner"),
        *("decision", "FS-INJ-5"),
    ),
    "a meal of an ally's prey": (
        change("MembersSated", lambda data: data.update(number=4), lambda data: data["flesh"] == "enemy"),
        *("decision", "FS-SPC-2"),
    ),
    "the word of an ally": (
        change("ResultConfirmed", lambda data: data.update(side=2), lambda data: data["game"] == TWO),
        *("people", "FS-REP-5"),
    ),
    "a witness of another game": (
        change("DieRolled", lambda data: data.update(witnessed_by="p6"), lambda data: data["group"] == "p2"),
        *("people", "FS-AUD-1"),
    ),
    "league points": (_row, "standings", ""),
}


def _unpaid(told: list[Json]) -> int:
    """Remove the last bounty. The Luck check that requires it is named in the finding."""
    index = next(n for n, one in reversed(list(enumerate(told))) if one["data"].get("reason") == "prisoner")
    del told[index]
    return next(n for n in range(index, 0, -1) if told[n]["type"] == "MemberIncarcerated")


def _paid_twice(told: list[Json]) -> int:
    index = next(n for n, one in enumerate(told) if one["data"].get("reason") == "prisoner")
    told.insert(index, told[index])
    return index + 1


FORGERIES["a prisoner for nothing"] = (_unpaid, "decision", "FS-INJ-5")
FORGERIES["a prisoner paid for twice"] = (_paid_twice, "decision", "FS-INJ-5")

ELSEWHERE = ("who won", "who is judged")
"""Findings if phases do not follow from the report, and at the die of the judgement."""


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2", "FS-REP-5", "FS-GAM-4", "FS-INJ-5")
@pytest.mark.parametrize("what", FORGERIES)
def test_the_audit_finds_every_forged_event(played: InSides, what: str) -> None:
    forge, *_ = FORGERIES[what]
    logs, position = forged(played.logs, "scoring", forge)
    first = next(one for one in failures(logs) if one.source == "scoring")
    assert first.code in ("decision", "command", "fold"), first
    assert logs["scoring"][first.position - 1].command_id == logs["scoring"][position - 1].command_id, first


@pytest.mark.clause("FS-LGE-1", "FS-AUD-2", "FS-AMB-55")
def test_the_audit_finds_a_missing_group_of_a_game_of_three(muster: Muster) -> None:
    league = new_sides(muster, ("raiders",) * 3, [["p1"], ["p2"], ["p3"]])
    league.do("scoring", "/games/r1g1/result", {"facts": {"kind": "no_show", "conceded_by": 3}})
    league.end_round()
    assert league.rows() == {"p1": (3, 0), "p2": (3, 0), "p3": (0, 0)}
    assert found(league) == []
    for group, ending in (("p1", "no_show"), ("p3", "bye")):
        logs, position = forged(league.logs, "scoring", _phase_of(group, ending=ending))
        (first, *_) = (one for one in failures(logs) if one.source == "scoring")
        assert (first.code, first.position) == ("decision", position)
