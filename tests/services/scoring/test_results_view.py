"""`view=results`: the last line about each game agrees with the standings."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from services.scoring.feed import results
from services.scoring.feed.places import give_places
from shared.formats.options import results_of
from shared.swiss.format import final_results
from shared.tournament.registration import (
    DisqualificationRevoked,
    PlayerAmended,
    PlayerDisqualified,
    TournamentCancelled,
)
from shared.tournament.results import (
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultRuled,
    ResultVoided,
)
from shared.tournament.rounds import PairingAmended, PairingsDrawn, RoundPaired, RoundWithdrawn
from tests.services.scoring.story import floor, score
from tests.services.story import NOBODY, seat_of

VOID = {"dq_opponent_results": "void_games"}


@pytest.fixture(scope="module")
def club(new_club):
    """A separate scoring service, because the feed covers the whole service."""
    return new_club("scoring")


@pytest.fixture
def evening(club):
    """Ana has beaten Ben and Cy, and Ben has beaten Dee; Eli had the bye of round 1."""
    told = floor(club, 5, options=VOID, staff=("referee",))
    told.say("registration", PlayerAmended(player="p2", external_id="FIDE 42"))
    placed(told)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))
    placed(told)
    told.play(1, (210, 150), (160, 150))
    told.begin(2, ("p1", "p3"), ("p2", "p4"))
    told.report("r2g1", score(200, 100))
    told.report("r2g2", score(190, 100))
    placed(told)
    return told


def placed(told):
    """Give places to all events so far. The events of these stories do not record what they had seen."""
    give_places(told.club.database, told.club.sources)


def lines(told, *, after="", limit=500, **query):
    """Return all lines of the results view after a cursor, and the last cursor."""
    found = []
    while True:
        asked = "".join(f"&{name}={value}" for name, value in query.items())
        address = f"/feed?view=results&tournament={told.id}&limit={limit}&after={after}{asked}"
        answer = told.club.ask("GET", address)
        found += answer.lines
        after = answer.headers["Muster-Feed-Cursor"]
        if "Link" not in answer.headers:
            return found, after


def said(found):
    return [(line["data"]["because"], line["data"]["game"], line["data"]["binds"]) for line in found]


def disqualify(told, player):
    told.say("registration", PlayerDisqualified(player=player, after_round=1, reason="loaded dice"))
    placed(told)


@pytest.mark.clause("AR-AMB-16")
def test_a_disqualification_and_its_reversal_list_every_voided_game(evening):
    before, cursor = lines(evening)
    disqualify(evening, "p2")
    voided, cursor = lines(evening, after=cursor)
    assert said(voided) == [("PlayerDisqualified", "r1g1", False), ("PlayerDisqualified", "r2g2", False)]
    known = {line["data"]["game"]: line["data"] for line in before}
    assert [line["data"]["replaced"] for line in voided] == [known[game]["players"] for game in ("r1g1", "r2g2")]
    assert evening.game("r1g1")["binds"] is False
    assert evening.game("r1g1")["status"] == "confirmed"
    assert evening.game("r2g1")["binds"] is True
    taken = {row.entry: [game.opponent for game in row.games] for row in final_results(evening.state)}
    assert taken["p1"] == []
    assert taken["p3"] == ["p4"]
    evening.say("registration", DisqualificationRevoked(player="p2", reason="they were fair"))
    back, _ = lines(evening, after=cursor)
    assert said(back) == [("DisqualificationRevoked", "r1g1", True), ("DisqualificationRevoked", "r2g2", True)]
    assert [line["data"]["replaced"] for line in back] == [None, None]
    assert back[0]["data"]["players"] == known["r1g1"]["players"]


def test_a_changed_report_does_not_bind_before_it_is_confirmed(evening):
    evening.close(2)
    evening.begin(3, ("p1", "p4"))
    placed(evening)
    _, cursor = lines(evening)
    standings = evening.standings()
    evening.report("r3g1", score(150, 120), by="p1")
    answer = evening.post("/games/r3g1/report", {"facts": score(120, 150)}, "p1")
    assert evening.standings() == standings
    evening.post("/games/r3g1/confirmation", {"report": answer.events[0]["position"]}, "p4")
    placed(evening)
    found, _ = lines(evening, after=cursor)
    assert said(found) == [
        ("ResultReported", "r3g1", False),
        ("ReportChanged", "r3g1", False),
        ("ResultConfirmed", "r3g1", True),
    ]
    assert [line["data"]["facts"]["points_1"] for line in found] == [150, 120, 120]
    assert [line["data"]["replaced"] for line in found] == [None, None, None]
    assert evening.standings() != standings


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_reader_can_resume_between_games_of_one_event(evening, limit):
    disqualify(evening, "p2")
    evening.say("registration", TournamentCancelled(reason="the hall burnt"))
    whole, _ = lines(evening)
    assert said(whole)[-3:] == [("TournamentCancelled", game, False) for game in ("r1g2", "r1g3", "r2g1")]
    assert lines(evening, limit=limit)[0] == whole
    for number, line in enumerate(whole, start=1):
        assert lines(evening, after=line["feedcursor"])[0] == whole[number:]
    # With a cursor between two games, the other view continues after the whole event.
    events = evening.club.ask("GET", f"/feed?tournament={evening.id}&after={whole[-2]['feedcursor']}").lines
    assert events == []


def test_a_line_contains_players_facts_and_time(evening):
    found, _ = lines(evening)
    bye = next(line for line in found if line["data"]["game"] == "r1g3")["data"]
    assert (bye["because"], bye["kind"], bye["status"], bye["binds"]) == ("RoundPaired", "bye", "bye", True)
    assert [side["player"] for side in bye["players"]] == ["p5"]
    assert bye["facts"] == {}
    line = next(line for line in found if line["data"]["game"] == "r1g1")
    data = line["data"]
    assert (data["ruleset"], data["kind"], data["played_at"]) == (
        "star-wars-armada-1.1",
        "game",
        "2026-03-01T10:00:00.000Z",
    )
    assert [side["external_id"] for side in data["players"]] == [None, "FIDE 42"]
    assert evening.game("r1g1")["external_id_2"] == "FIDE 42"
    rows = {row["player"]: row["external_id"] for row in evening.get("/standings").body["items"]}
    assert (rows["p1"], rows["p2"]) == (None, "FIDE 42")
    ids = [line["id"] for line in found]
    assert len(set(ids)) == len(ids)
    events = {line["id"] for line in evening.club.ask("GET", f"/feed?tournament={evening.id}&limit=500").lines}
    assert not events.intersection(ids)


def test_pages_fold_each_event_once(evening, monkeypatch):
    folded, evolve = Counter(), results.evolve
    monkeypatch.setattr(results, "evolve", lambda state, event: folded.update([event.id]) or evolve(state, event))
    evening.void("r2g2")
    first, cursor = lines(evening, limit=1)
    assert max(folded.values(), default=1) == 1
    folded.clear()
    assert lines(evening, limit=500)[0] == first
    assert not folded
    evening.report("r2g2", score(120, 100))
    assert len(lines(evening, after=cursor)[0]) == 2
    assert max(folded.values()) == 1


# Each step takes a number that selects the game or player and the variant.
STEPS = {
    "result": lambda told, n: _result(told, n),
    "result again": lambda told, n: _result(told, n),
    "disqualify, or reverse that": lambda told, n: _out_or_back(told, f"p{n % 2 * 4 + 1}"),
    "withdraw": lambda told, n: _withdraw(told),
    "amend": lambda told, n: _amend(told),
}


def _result(told, number):
    """Do the next possible step with the result of a game."""
    games = [
        (round.number, seat.game)
        for round in told.state.rounds.rounds.values()
        for seat in round.seats.values()
        if seat.kind != "bye"
    ]
    round, game = games[number % len(games)]
    known, facts, why = told.state.results.results.get(game), score(100 + 10 * number, 150), "both were heard"
    if known is None:
        event = ResultReported(round=round, game=game, facts=facts, side=1)
    elif known.status == "reported" and number % 2:
        event = ResultDisputed(round=round, game=game, side=2, reason=why)
    elif known.status == "reported":
        event = ResultConfirmed(round=round, game=game, side=2)
    elif known.status == "disputed":
        event = ResultRuled(round=round, game=game, facts=facts, level="referee", reason=why)
    elif number % 2:
        event = ResultCorrected(round=round, game=game, facts=facts, reason=why)
    else:
        event = ResultVoided(round=round, game=game, reason=why)
    told.say("scoring", event)


def _out_or_back(told, player):
    if told.state.entries.players[player].status == "disqualified":
        told.say("registration", DisqualificationRevoked(player=player, reason="they were fair"))
    else:
        disqualify(told, player)


def _withdraw(told):
    round = told.state.rounds.rounds.get(2)
    if round and not set(round.seats) & set(told.state.results.results):
        told.say("pairing", RoundWithdrawn(round=2, reason="a slip was lost"))


def _amend(told):
    """Exchange the bye of round 2 with a player of a game."""
    round = told.state.rounds.rounds.get(2)
    if round and {"r2g2", "r2g3"} <= set(round.seats) and not set(round.seats) & set(told.state.results.results):
        new = [seat_of(2, 4, ("p2", "p3")), seat_of(2, 5, ("p4",))]
        told.say("pairing", PairingAmended(round=2, pairings=new, removed=["r2g2", "r2g3"], reason="late"))


def _paired(told):
    seats = [seat_of(2, number, players) for number, players in enumerate((("p1", "p5"), ("p2", "p4"), ("p3",)), 1)]
    told.say(
        "pairing",
        PairingsDrawn(round=2, page=1, pages=1, pairings=seats),
        RoundPaired(round=2, stage="swiss", method="random", games=3, seed="0" * 64, made_from=0, scenario=""),
    )


@given(
    steps=st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9)), min_size=6, max_size=16),
    options=st.sampled_from([VOID, {}]),
    cancelled=st.booleans(),
)
@settings(max_examples=15, deadline=None, derandomize=True, phases=[Phase.generate], database=None)
def test_the_lines_add_up_to_the_standings(club, steps, options, cancelled):
    told = floor(club, 5, options=options, staff=("referee",))
    placed(told)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))
    _paired(told)
    for name, number in steps:
        STEPS[name](told, number)
        placed(told)
    if cancelled:
        told.say("registration", TournamentCancelled(reason="the hall burnt"))
    last = {}
    for line in lines(told)[0]:
        data = line["data"]
        known = last.get(data["game"])
        assert data["replaced"] is None or (known["binds"] and data["replaced"] == known["players"])
        last[data["game"]] = data
    games = told.get("/games?round=all&limit=500", NOBODY).body["items"]
    assert {game["id"]: game["binds"] for game in games if game["binds"]} == {
        id: True for id, data in last.items() if data["binds"]
    }
    points = Counter()
    for data in last.values():
        for side in data["players"] if data["binds"] else ():
            points.update({side["player"]: side["values"].get("tournament_points", 0)})
    rows = told.get("/standings", NOBODY).body["items"]
    if cancelled:
        assert not points
        assert results_of(told.state) == []
    else:
        assert {row["player"]: row["values"]["tournament_points"] for row in rows} == {
            row["player"]: points[row["player"]] for row in rows
        }
