"""The league of a campaign over HTTP: closing rounds, the table, explanations, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.campaign.state import CAMPAIGN, ENLISTED
from shared.tournament.registration import PlayerDropped
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, wrong
from tests.campaign.services.league import League
from tests.services.story import Json, same_state

FOUR = ("raiders",) * 4
ROUNDS: tuple[tuple[tuple[str, str, int, int], ...], ...] = (
    (("p1", "p2", 7, 4), ("p3", "p4", 6, 6)),
    (("p1", "p3", 3, 9), ("p2", "p4", 10, 5)),
    (("p1", "p4", 8, 6), ("p2", "p3", 6, 5)),
)
"""The games of FS-EX-12: two groups and their victory points."""


def lines(one: int, two: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return lines of these values for both sides that do not overlap: line k of one is line 6 - k of the other."""
    ways = [
        (mine, theirs)
        for mine in _worth(one)
        for theirs in _worth(two)
        if not {6 - line for line in theirs} & set(mine)
    ]
    return ways[0]


def _worth(vp: int) -> list[tuple[int, ...]]:
    return [
        chosen
        for mask in range(32)
        if sum(chosen := tuple(line for line in range(1, 6) if mask >> (line - 1) & 1)) == vp
    ]


def play(told: Games, number: int, *played: tuple[str, str, int, int]) -> None:
    """Play a round with these games to its end."""
    if number > 1:
        told.paired(number, *((one, two) for one, two, *_ in played))
    for place, (_, _, *vp) in enumerate(played, 1):
        game = f"r{number}g{place}"
        told.ready(game)
        assert told.report(game, lines=lines(*vp)).status == 201
    told.finish(*(group for one, two, *_ in played for group in (one, two)))


@pytest.fixture
def four(games: NewGames) -> Games:
    """Four equal groups of Raiders, paired as in the example."""
    return games(*FOUR, paired=[(one, two) for one, two, *_ in ROUNDS[0]])


def ranked(told: Games, round: int = 0) -> list[tuple[int, str]]:
    answer = told.get("/standings" + (f"?round={round}" if round else ""))
    return [(row["rank"], row["player"]) for row in answer.body["items"]]


@pytest.mark.clause("FS-EX-12", "FS-LGE-1", "FS-LGE-2", "FS-LGE-3", "FS-RND-1")
def test_the_league_of_the_example(four: Games) -> None:
    for number, played in enumerate(ROUNDS, 1):
        play(four, number, *played)
        assert four.state.results.rounds_closed() == number
    rows = {row["player"]: row["values"] for row in four.get("/standings").body["items"]}
    assert {id: row["league_points"] for id, row in rows.items()} == {"p1": 6, "p2": 6, "p3": 4, "p4": 1}
    assert (rows["p1"]["total_vp"], rows["p2"]["total_vp"]) == (18, 20)
    assert rows["p1"]["group_rating"] == rows["p2"]["group_rating"]
    assert [player for _, player in ranked(four)] == ["p2", "p1", "p3", "p4"]
    apart = [row["separated_by"] for row in four.get("/standings").body["items"]]
    assert apart == ["", "total_vp", "league_points", "league_points"]
    first = four.get("/standings?round=1").body
    assert (first["provisional"], first["final"], first["round"]) == (False, False, 1)
    assert {row["player"]: row["values"]["league_points"] for row in first["items"]} == {
        "p1": 3,
        "p2": 0,
        "p3": 1,
        "p4": 1,
    }
    assert same_state(four.club, four.id)


@pytest.mark.clause("FS-LGE-2", "FS-AMB-59")
@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({"league__tiebreaks": ["head_to_head", "total_vp"]}, ["p1", "p2"]),
        ({"league__tiebreaks": ["total_vp"]}, ["p2", "p1"]),
        ({"league__points": {"win": 2, "draw": 1, "loss": 0}}, ["p2", "p1"]),
    ],
)
def test_points_and_tiebreakers_follow_the_options(games: NewGames, options: Json, order: list[str]) -> None:
    told = games(*FOUR, paired=[(one, two) for one, two, *_ in ROUNDS[0]], options=options)
    for number, played in enumerate(ROUNDS, 1):
        play(told, number, *played)
    assert [player for _, player in ranked(told)][:2] == order
    if "league__points" in options:
        assert told.points() == {"p1": 4, "p2": 4, "p3": 3, "p4": 1}
    if "head_to_head" in options.get("league__tiebreaks", ()):
        above = told.get("/standings/p2").body
        assert above["above"] == {"player": "p1", "name": "Player 1", "separated_by": "head_to_head"}
        column = next(value for value in above["values"] if value["column"] == "head_to_head")
        assert (column["value"], column["from"]) == (
            "0",
            [{"round": 1, "opponent": "p1", "opponents": ["p1"], "value": "0"}],
        )


@pytest.mark.clause("FS-LGE-2")
def test_equal_groups_share_a_rank(four: Games) -> None:
    play(four, 1, ("p1", "p2", 3, 3), ("p3", "p4", 3, 3))
    assert ranked(four) == [(1, "p1"), (1, "p2"), (1, "p3"), (1, "p4")]
    assert all(row["tied"] for row in four.get("/standings").body["items"])
    play(four, 2, ("p1", "p2", 3, 3), ("p3", "p4", 4, 3))
    assert [rank for rank, _ in ranked(four)] == [1, 2, 2, 4]


@pytest.mark.clause("FS-RND-1", "FS-LGE-3", "FS-RAT-3")
def test_a_round_closes_with_the_last_step_of_the_last_group(four: Games) -> None:
    for game, vp in (("r1g1", (7, 4)), ("r1g2", (6, 6))):
        four.ready(game)
        four.report(game, lines=lines(*vp))
    provisional = four.get("/standings").body
    assert (provisional["provisional"], four.get("/standings?round=1").code) == (True, "round-not-closed")
    assert four.get("/standings?round=2").code == "round-unknown"
    assert four.points() == {"p1": 3, "p2": 0, "p3": 1, "p4": 1}
    waiting = four.post("/rounds/1/close")
    assert (waiting.code, waiting.data["groups"]) == ("groups-waiting", ["p1", "p2", "p3", "p4"])
    four.until("4", "p1", "p2", "p3", "p4")
    four.post("/recruits", {})
    while pool := CAMPAIGN.of(four.state).pool:
        four.close_step(pool.order[0])
    four.until("", "p1", "p2", "p3")
    four.until("9", "p4")
    assert not four.of("RoundClosed")
    answer = four.close_step("p4")
    assert answer.types == ["GroupRatingFinalised", "StepClosed", "StandingsRecorded", "RoundClosed"]
    assert four.get("/standings").body["provisional"] is False
    assert four.post("/rounds/1/close").events == []
    ratings = {row["player"]: row["values"]["group_rating"] for row in four.get("/standings").body["items"]}
    assert ratings == {id: group.rating for id, group in CAMPAIGN.of(four.state).groups.items()}


@pytest.mark.clause("FS-RND-1", "FS-RND-4")
def test_a_round_is_closed_by_hand_after_a_withdrawal(four: Games) -> None:
    for game in ("r1g1", "r1g2"):
        four.ready(game)
        four.report(game)
    four.until("4", "p1", "p2", "p3", "p4")
    four.post("/recruits", {})
    while pool := CAMPAIGN.of(four.state).pool:
        four.close_step(pool.order[0])
    four.until("", "p1", "p2", "p3")
    four.say("registration", PlayerDropped(player="p4", after_round=0, reason="moved away"))
    assert four.post("/rounds/1/close").types == ["StandingsRecorded", "RoundClosed"]
    rows = four.get("/standings?round=1").body["items"]
    assert {row["player"]: row["status"] for row in rows}["p4"] == "dropped"


@pytest.mark.clause("FS-RND-3", "FS-LGE-1", "FS-AMB-55")
@pytest.mark.parametrize("points", [3, 1, 0])
def test_a_bye_gives_league_points_only(games: NewGames, points: int) -> None:
    told = games(
        "raiders", "raiders", "raiders", paired=(("p1", "p2"), ("p3",)), options={"bye__league_points": points}
    )
    told.ready("r1g1")
    told.report("r1g1")
    row = next(row for row in told.get("/standings").body["items"] if row["player"] == "p3")
    assert (row["values"]["league_points"], row["values"]["total_vp"]) == (points, 0)
    assert told.get("/games?status=bye").body["items"][0]["score"] == {
        "outcome_1": "bye",
        "outcome_2": None,
        "values_1": {"league_points": points, "vp": 0},
        "values_2": {},
        "groups": [{"group": "p3", "outcome": "bye", "values": {"league_points": points, "vp": 0}}],
    }
    told.finish("p1", "p2", "p3")
    assert told.of("RoundClosed")


@pytest.mark.clause("FS-LGE-2", "FS-RAT-1", "FS-RAT-3")
def test_a_league_rank_is_explained_by_games_and_parts(four: Games) -> None:
    play(four, 1, *ROUNDS[0])
    play(four, 2, *ROUNDS[1])
    four.paired(3, ("p1", "p4"), ("p2", "p3"))
    four.ready("r3g1")
    four.report("r3g1", lines=lines(8, 6), deeds=({"m-1": {"down": "terrain", "removed": True}}, {}))
    told = four.get("/standings/p1").body
    values = {value["column"]: value for value in told["values"]}
    assert values["league_points"]["from"] == [
        {"round": 1, "opponent": "p2", "opponents": ["p2"], "value": "3"},
        {"round": 2, "opponent": "p3", "opponents": ["p3"], "value": "0"},
        {"round": 3, "opponent": "p4", "opponents": ["p4"], "value": "3"},
    ]
    assert [share["value"] for share in values["total_vp"]["from"]] == ["7", "3", "8"]
    assert (values["total_vp"]["value"], values["group_rating"]["clause"]) == ("18", "FS-RAT-1")
    parts = values["group_rating"]["parts"]
    assert sum(parts.values()) == int(values["group_rating"]["value"])
    assert set(parts) == {"characters", "equipment", "experience", "turfs", "centaurs"}
    assert (told["rank"], told["above"]) == (1, None)
    assert told["below"]["separated_by"] == "league_points"
    assert four.get("/standings/p9").code == "player-unknown"


@pytest.mark.clause("FS-RAT-3")
def test_the_first_table_is_ordered_by_rating(games: NewGames) -> None:
    told = games("raiders", "brotherhood_of_steel", paired=None)
    ratings = {id: group.rating for id, group in ENLISTED.of(told.state).groups.items()}
    rows = told.get("/standings").body["items"]
    assert {row["player"]: row["values"]["group_rating"] for row in rows} == ratings
    parts = told.get("/standings/p1").body["values"][1]["parts"]
    assert sum(parts.values()) == ratings["p1"]


@pytest.mark.clause("FS-LGE-3", "FS-AMB-59")
def test_a_campaign_ends_after_its_rounds(games: NewGames) -> None:
    told = games(*FOUR, paired=[(one, two) for one, two, *_ in ROUNDS[0]], options={"campaign__rounds": 2})
    assert told.post("/conclusion", {}).code == "round-not-closed"
    play(told, 1, *ROUNDS[0])
    refused = told.post("/conclusion", {})
    assert (refused.code, refused.data) == ("rounds-remain", {"planned": 2, "closed": 1})
    play(told, 2, *ROUNDS[1])
    answer = told.post("/conclusion", {})
    assert answer.types == ["TournamentConcluded"]
    table = ranked(told)
    assert answer.events[0]["data"]["winner"] == table[0][1]
    assert told.get("/standings").body["final"] is True
    assert told.post("/conclusion", {}).events == []
    assert told.muster("r2g1", "p1", "m-1").code == "tournament-over"
    assert (
        told.enter("p1", {"entry": "caps", "amount": 1, "reason": "x", "clause": "FS-REP-5"}).code == "tournament-over"
    )
    assert told.post("/awards", {"name": "Best painted", "player": "p4"}).types == ["AwardGiven"]


@pytest.mark.clause("FS-LGE-3", "FS-REP-5")
def test_an_early_end_needs_a_reason_and_corrections_change_the_winner(four: Games) -> None:
    play(four, 1, ("p1", "p2", 7, 4), ("p3", "p4", 6, 6))
    concluded = four.post("/conclusion", {"reason": "the hall is sold"}).events[0]["data"]
    assert (concluded["winner"], concluded["reason"]) == ("p1", "the hall is sold")
    report = four.told("r1g1", lines=lines(0, 4))
    for side in report["sides"]:
        del side["members"]
    facts: Json = {"kind": "game", "report": report | {"end_roll": None}}
    preview = four.correct("r1g1", facts, preview=True).body["moves"]["standings"]
    assert preview["winner"] == {"before": "p1", "after": "p2"}
    assert four.correct("r1g1", facts).types == ["ResultCorrected", "StandingsRecorded", "TournamentConcluded"]
    assert four.state.results.winner == "p2"


@pytest.mark.clause("FS-LGE-3")
def test_a_shared_first_place_in_a_league_is_drawn(four: Games) -> None:
    play(four, 1, ("p1", "p2", 3, 3), ("p3", "p4", 3, 3))
    concluded = four.post("/conclusion", {"reason": "enough"}).events[0]["data"]
    [draw] = concluded["draws"]
    assert (sorted(draw["order"]), concluded["winner"]) == (["p1", "p2", "p3", "p4"], draw["order"][0])


@pytest.mark.clause("FS-LGE-3", "FS-REP-5")
def test_a_correction_changes_all_later_tables(four: Games) -> None:
    play(four, 1, *ROUNDS[0])
    play(four, 2, *ROUNDS[1])
    facts: dict[str, Any] = {"kind": "no_show", "conceded_by": 1}
    preview = four.correct("r1g1", facts, preview=True).body["moves"]["standings"]
    assert (preview["rounds_recorded_anew"], preview["later_pairings"][0]["round"]) == ([1, 2], 2)
    answer = four.correct("r1g1", facts)
    assert answer.types == ["ResultCorrected", "StandingsRecorded", "StandingsRecorded"]
    assert four.points() == {"p1": 0, "p2": 6, "p3": 4, "p4": 1}
    back = four.told("r1g1")
    assert wrong(four.correct("r1g1", {"kind": "game", "report": back})) == [("/facts/kind", "FS-REP-5")]


def test_swiss_operations_are_refused_in_campaigns(four: Games) -> None:
    assert four.get("/forms").code == "wrong-format"
    assert four.post("/rounds/1/coin", {"order": ["p1", "p2"], "reason": "x"}).code == "wrong-format"
    assert four.get("/games?status=open").body["items"][0]["due"]


def test_a_campaign_without_groups_has_an_empty_table(new: Callable[..., League]) -> None:
    shown = new(2).ask("GET", "scoring", "/standings")
    assert (shown.status, shown.body["items"]) == (200, [])
