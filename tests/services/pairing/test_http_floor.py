"""The floor over HTTP: changes, clocks, tables, a player's phone, the cut, spare players."""

from __future__ import annotations

import pytest

from shared.tournament import registration
from tests.services.pairing.stories import FALLOUT, Story, pack, with_cut


@pytest.fixture
def paired(story, serve):
    story.join(5)
    pairing = serve(story)
    assert pairing.post("/rounds").status_code == 201
    return pairing


def test_a_round_is_amended_paired_again_and_withdrawn(paired):
    one, two = (seat.player_1 for seat in paired.story.seats(1)[:2])
    amended = paired.post("/rounds/1/amendments", {"swap": [one, two], "reason": "family"})
    assert [event["type"] for event in amended.json["events"]] == ["PairingAmended"]
    assert len(paired.get("/rounds/1").json["pairings"]) == 3
    preview = paired.post("/rounds/1/repairing?preview=true", {"reason": "again"})
    assert (preview.status_code, paired.story.state.rounds.withdrawn) == (200, {})
    again = paired.post("/rounds/1/repairing", {"reason": "again"})
    assert [event["type"] for event in again.json["events"]] == ["RoundWithdrawn", "PairingsDrawn", "RoundPaired"]
    shown = paired.get("/rounds/1").json["pairings"]
    assert [seat["player_1"] for seat in shown] == [
        seat["player_1"] for seat in preview.json["moves"]["round"]["pairings"]
    ]
    assert paired.post("/rounds/1/withdrawal", {"reason": "tomorrow"}).status_code == 201
    assert paired.get("/rounds").json["items"] == []


def test_a_referee_cannot_take_back_what_has_begun(paired):
    paired.post("/rounds/1/start")
    refused = paired.post("/rounds/1/withdrawal", {"reason": "x"}, role="head_referee")
    assert (refused.status_code, refused.json["code"]) == (403, "organiser-decides")


def test_the_clock_of_a_round(paired):
    assert paired.get("/clock").json["running"] is False
    started = paired.post("/rounds/1/start", {"minutes": 60})
    assert started.json["events"][0]["data"]["minutes"] == 60
    shown = paired.get("/clock").json
    assert (shown["running"], shown["round"]) == (True, 1)
    assert 3590 < shown["remaining_seconds"] <= 3600
    assert [call["call"] for call in shown["calls"]] == ["start", "end"]
    assert paired.post("/rounds/1/calls", {"call": "start"}, role="referee").status_code == 201
    assert paired.post("/rounds/1/calls", {"call": "start"}).json["code"] == "call-out-of-order"
    more = paired.post("/rounds/1/extensions", {"minutes": 10, "reason": "fire alarm"}, role="referee")
    assert more.status_code == 201
    assert 4190 < paired.get("/clock").json["remaining_seconds"] <= 4200
    assert paired.post("/rounds/1/extensions", {"minutes": 5, "reason": "x", "game": "r1g9"}).status_code == 422


def test_tables_are_free_once_their_game_is_over(paired):
    paired.story.registration(registration.PlayerPinned(player="p1", venue="v1", table=7))
    shown = paired.get("/tables").json
    (venue,) = shown["items"]
    assert (shown["round"], venue["name"], len(venue["tables"])) == (1, "Hall", 12)
    assert [table["table"] for table in venue["tables"] if table["game"]] == [1, 2]
    assert venue["tables"][6]["pinned"] == [{"player": "p1", "name": "P1"}]
    paired.post("/rounds/1/start")
    paired.story.win("r1g1")
    (venue,) = paired.get("/tables").json["items"]
    assert [table["game"]["id"] for table in venue["tables"] if table["game"]] == ["r1g2"]
    moved = paired.post("/rounds/1/games/r1g2/table", {"table": 1, "reason": "light"}, role="referee")
    assert moved.status_code == 201
    paired.story.finish(1)
    assert all(table["game"] is None for table in paired.get("/tables").json["items"][0]["tables"])


def test_tables_that_are_not_configured_are_shown_while_a_game_is_there(serve):
    story = Story()
    story.join(2)
    pairing = serve(story)
    pairing.post("/rounds", {"pairings": [{"player_1": "p1", "player_2": "p2", "table": 73}]})
    (venue,) = pairing.get("/tables").json["items"]
    assert [(table["table"], table["game"]["id"]) for table in venue["tables"]] == [(73, "r1g1")]


def test_a_player_sees_the_game_to_go_to(paired):
    bye = paired.story.seats(1)[-1].player_1
    shown = paired.get(f"/players/{bye}/pairing").json
    assert (shown["round"], shown["status"], shown["pairing"]["kind"]) == (1, "paired", "bye")
    assert paired.get("/players/p99/pairing").json["code"] == "player-unknown"
    paired.story.join(1)
    assert paired.get("/players/p6/pairing").json["code"] == "no-game"
    paired.post("/rounds/1/start")
    paired.story.finish(1)
    assert paired.get("/players/p1/pairing").json["status"] == "closed"


def test_before_the_first_round_no_player_has_a_game(story, serve):
    story.join(1)
    assert serve(story).get("/players/p1/pairing").json["code"] == "no-game"


def test_a_cut_over_http(serve):
    story = Story(pack=with_cut(), rounds=None)
    story.join(6)
    pairing = serve(story)
    assert (nobody := pairing.get("/cut").json) | {"after_round": None, "draft": False, "seeds": []} == nobody
    assert (nobody["bracket"], nobody["due"]) == ("seeded", 0)
    for number in (1, 2):
        pairing.post("/rounds")
        pairing.post(f"/rounds/{number}/start")
        story.finish(number)
    assert pairing.post("/rounds").json["code"] == "cut-due"
    assert pairing.get("/cut").json["due"] == 4
    assert pairing.post("/cut").status_code == 201
    shown = pairing.get("/cut").json
    seeds = [seat["player"] for seat in shown["seeds"]]
    assert (shown["due"], shown["gave_up"], {seat["status"] for seat in shown["seeds"]}) == (0, [], {"active"})
    assert pairing.post("/cut/given-up", {"player": seeds[0]}).status_code == 201
    shown = pairing.get("/cut").json
    assert seeds[0] not in [seat["player"] for seat in shown["seeds"]]
    (given_up,) = shown["gave_up"]
    assert (given_up["player"], given_up["moved_up"]) == (seeds[0], shown["seeds"][0]["player"])
    assert pairing.post("/rounds").status_code == 201
    assert pairing.get("/rounds/3").json["stage"] == "elimination"
    one, two = (seat.player_1 for seat in story.seats(3))
    refused = pairing.post("/rounds/3/amendments", {"swap": [one, two], "reason": "x"})
    assert refused.json["code"] == "bracket-stands"


def test_a_spare_player_over_http(serve):
    story = Story(pack=pack(FALLOUT))
    story.join(3)
    spare = story.staff("Sam")
    pairing = serve(story)
    assert pairing.post("/rounds").json["code"] == "scenario-missing"
    assert pairing.post("/spare", {"staff": spare}).status_code == 201
    assert pairing.get("/rounds").json["spares"] == [{"id": spare, "name": "Sam", "venue": ""}]
    pairing.post("/rounds", {"scenario": "Raid"})
    shown = pairing.get(f"/players/{spare}/pairing").json
    assert (shown["pairing"]["kind"], shown["pairing"]["name_2"]) == ("spare", "Sam")
    assert pairing.send("DELETE", f"/spare?staff={spare}").status_code == 200
    assert pairing.get("/rounds").json["spares"] == []
    assert pairing.post("/spare", {"staff": "s9"}).json["code"] == "staff-unknown"


def test_refusals_over_http_have_their_status_and_data(serve):
    story = Story(pairing_scope="venue")
    story.venue("North", tables=1)
    pairing = serve(story)
    assert pairing.post("/rounds").json["code"] == "too-few-players"
    story.join(4)
    assert pairing.post("/rounds").json["code"] == "players-without-venue"
    story.registration(*(registration.PlayerAmended(player=f"p{n}", venue="v1") for n in (1, 2, 3, 4)))
    assert pairing.post("/rounds").status_code == 201
    shown = pairing.get("/rounds/1").json["pairings"]
    assert [(seat["table"], seat["wave"]) for seat in shown] == [(1, 1), (1, 2)]
    [table] = pairing.get("/tables").json["items"][0]["tables"]
    assert (table["game"]["id"], table["game"]["wave"]) == ("r1g1", 1)


def test_a_player_who_leaves_after_the_pairing_holds_the_start_up(paired):
    paired.story.drop("p1")
    refused = paired.post("/rounds/1/start")
    assert (refused.status_code, refused.json["code"]) == (409, "round-has-absent-players")
    assert refused.json["data"]["players"][0]["name"] == "P1"
    assert paired.post("/rounds/1/repairing", {"reason": "p1 left"}).status_code == 201
    assert paired.post("/rounds/1/start").status_code == 201
