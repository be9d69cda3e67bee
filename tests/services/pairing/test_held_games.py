"""A missing, pending or rejected list holds up only its player's game."""

from __future__ import annotations

import pytest

from services.pairing.amendments import AmendPairings
from services.pairing.plans import ByHand
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.pairing.swiss_routes import held_view
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament import registration, results
from shared.tournament.games import awaited_lists
from tests.auditing import decided_again
from tests.services.pairing.stories import ARMADA, DUST, FALLOUT, Story


@pytest.fixture
def club():
    """Four of Factions: three with an accepted crew; p4 has handed none in."""
    story = Story(pack=to_json(shipped_ruleset(FALLOUT)))
    story.join(3)
    story.join(1, roster=False)
    return story


def held(story: Story, round: int = 1) -> dict[str, list[tuple[str, str, str]]]:
    """The games of a round that wait, with whose list they wait for."""
    shown = held_view(story.state, story.state.rounds.rounds[round])
    return {game.id: [(lack.player, lack.reason, lack.clause) for lack in game.players] for game in shown.items}


def failures(story: Story) -> list[object]:
    return decided_again(story.logs, "pairing")


@pytest.mark.clause("FF-REG-3")
def test_the_pairing_is_published_and_the_round_begins_but_for_that_game(serve, club):
    pairing = serve(club)
    assert pairing.post("/rounds", {"scenario": "Melee"}).status_code == 201
    assert pairing.get("/rounds/1").json["left_out"] == []
    assert pairing.get("/rounds/1/held", role="referee").json == {"round": 1, "items": []}
    started = pairing.post("/rounds/1/start")
    assert started.status_code == 201
    assert started.json["events"][0]["data"]["held"] == ["p4"]
    games = {game["id"]: game for game in pairing.get("/rounds/1").json["pairings"]}
    (waiting,) = [game for game in games.values() if game["held"]]
    assert "p4" in (waiting["player_1"], waiting["player_2"])
    assert pairing.get("/rounds/1/held", role="referee").json["items"] == [
        {
            "id": waiting["id"],
            "venue": "",
            "table": waiting["table"],
            "players": [
                {
                    "player": "p4",
                    "name": "P4",
                    "reason": "no_roster",
                    "clause": "FF-REG-3",
                    "mended_by": "a list that is handed in and accepted",
                }
            ],
        }
    ]
    assert pairing.get("/rounds/1/held", role="spare").status_code == 403
    club.registration(registration.RosterSubmitted(player="p4", roster={}))
    assert (
        pairing.get("/rounds/1/held", role="referee").json["items"][0]["players"][0]["reason"] == "roster_not_accepted"
    )
    club.registration(registration.RosterAccepted(player="p4"))
    assert pairing.get("/rounds/1/held", role="referee").json["items"] == []
    assert not any(game["held"] for game in pairing.get("/rounds/1").json["pairings"])


@pytest.mark.clause("FF-REG-3")
@pytest.mark.parametrize("handed_in", [False, True])
def test_a_list_that_staff_have_not_accepted_holds_up_like_none(club, handed_in):
    if handed_in:
        club.registration(registration.RosterSubmitted(player="p4", roster={}))
    club.do(PairRound(scenario="Melee"))
    (started,) = club.do(StartRound(round=1))
    assert started.held == ["p4"]
    why = "roster_not_accepted" if handed_in else "no_roster"
    assert held(club) == {club.seat_of(1, "p4").game: [("p4", why, "FF-REG-3")]}
    assert failures(club) == []


@pytest.mark.parametrize(("ruleset", "clause"), [(ARMADA, "AR-REG-1"), (DUST, "DW-REG-3"), (FALLOUT, "FF-REG-3")])
def test_a_list_that_was_rejected_after_the_pairing_holds_up_one_game_in_every_ruleset(ruleset, clause):
    story = Story(pack=to_json(shipped_ruleset(ruleset)))
    story.join(4)
    story.do(PairRound(scenario="Melee" if ruleset == FALLOUT else ""))
    story.registration(registration.RosterRejected(player="p3", note="a model too many"))
    (started,) = story.do(StartRound(round=1))
    assert started.held == ["p3"]
    game = story.seat_of(1, "p3").game
    assert held(story) == {game: [("p3", "roster_rejected", clause)]}
    assert failures(story) == []
    story.registration(registration.RosterAccepted(player="p3"))
    assert held(story) == {}


def test_a_round_in_which_every_game_would_wait_does_not_begin(club):
    club.registration(*(registration.RosterRejected(player=player, note="x") for player in ("p1", "p2", "p3")))
    club.do(PairRound(scenario="Melee"))
    refusal = club.refusal(StartRound(round=1))
    assert refusal.code == "round-has-absent-players"
    assert {found["player"]: found["reason"] for found in refusal.data["players"]} == {
        "p1": "roster_rejected",
        "p2": "roster_rejected",
        "p3": "roster_rejected",
        "p4": "no_roster",
    }
    club.registration(registration.RosterAccepted(player="p4"))
    assert club.refusal(StartRound(round=1)).code == "round-has-absent-players", "p4 meets one of the others"
    other = next(player for player in club.seat_of(1, "p4").players if player != "p4")
    club.registration(registration.RosterAccepted(player=other))
    assert club.do(StartRound(round=1))


@pytest.mark.clause("FF-REG-3")
def test_a_player_who_lost_without_a_list_needs_it_in_the_next_round_too(club):
    club.do(PairRound(scenario="Melee"))
    club.do(StartRound(round=1))
    waiting = club.seat_of(1, "p4")
    side = 1 if waiting.player_1 == "p4" else 2
    facts = {"kind": "no_show", "conceded_by": side, "scenario": "Melee"}
    club.scoring(
        results.ResultReported(round=1, game=waiting.game, facts=facts, side=0),
        results.ResultConfirmed(round=1, game=waiting.game, side=0),
    )
    club.finish(1)
    club.do(PairRound(scenario="Raid"))
    (started,) = club.do(StartRound(round=2))
    assert started.held == ["p4"]


def test_a_bye_waits_for_no_list():
    story = Story(pack=to_json(shipped_ruleset(FALLOUT)))
    story.join(3)
    story.do(PairRound(scenario="Melee"))
    bye = next(seat for seat in story.state.rounds.rounds[1].seats.values() if seat.kind == "bye")
    story.registration(registration.RosterRejected(player=bye.player_1, note="x"))
    (started,) = story.do(StartRound(round=1))
    assert started.held == []
    assert awaited_lists(story.state, story.state.rounds.rounds[1], bye) == []


@pytest.mark.clause("FF-REG-3")
def test_a_player_without_a_list_cannot_be_paired_into_a_started_round(club):
    club.do(PairRound(scenario="Melee"))
    club.do(StartRound(round=1))
    (late,) = club.join(1, roster=False)
    pair = ByHand(player_1="p1", player_2=late)
    amended = AmendPairings(round=1, reason="a latecomer", pairings=[pair], sitting_out=["p2", "p3", "p4"])
    assert [(fault.where, fault.clause) for fault in club.refusal(amended).faults] == [
        ("/pairings/0/player_2", "FF-REG-3")
    ]


def test_an_audit_finds_a_game_that_waited_for_nothing_and_one_that_should_have_waited(club):
    club.do(PairRound(scenario="Melee"))
    (started,) = club.do(StartRound(round=1))
    assert started.held == ["p4"]
    recorded = club.logs["pairing"][-1]
    for forged in ('"held":["p1"]', '"held":[]'):
        club.logs["pairing"][-1] = type(recorded)(
            **{name: getattr(recorded, name) for name in recorded.__struct_fields__}
            | {"data": recorded.data.replace('"held":["p4"]', forged)}
        )
        (failure,) = failures(club)
        assert (failure.code, failure.position) == ("decision", recorded.position)
        assert 'held/0 "p4"' in str(failure.expected)
