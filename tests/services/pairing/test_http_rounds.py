"""Rounds over HTTP: the walk of a tournament, previews, versions, repeated commands, and who may."""

from __future__ import annotations

import pytest

from shared.tournament import registration, results
from tests.services.pairing.stories import Story


@pytest.fixture
def pairing(story, serve):
    """Eight players, nothing paired yet."""
    story.join(8)
    return serve(story)


@pytest.fixture
def paired(pairing):
    """Round 1 is paired."""
    assert pairing.post("/rounds").status_code == 201
    return pairing


def test_a_tournament_is_paired_started_and_paired_again(pairing):
    paired = pairing.post("/rounds")
    assert paired.status_code == 201
    assert (paired.json["id"], paired.json["left_out"]) == ("1", [])
    assert paired.headers["Location"] == f"/tournaments/{pairing.story.id}/rounds/1"
    assert [event["type"] for event in paired.json["events"]] == ["PairingsDrawn", "RoundPaired"]
    assert pairing.post("/rounds/1/start").status_code == 201
    pairing.story.finish(1)
    assert pairing.post("/rounds", {"round": 2}).status_code == 201
    listed = pairing.get("/rounds").json
    assert [(round["round"], round["status"], round["open"]) for round in listed["items"]] == [
        (1, "closed", 0),
        (2, "paired", 4),
    ]
    assert listed["planned"] == 3


def test_before_the_first_round_there_is_none_and_a_number_only_where_it_is_fixed(serve):
    pairing = serve(Story(tier="casual", rounds=None))
    assert pairing.get("/rounds").json == {
        "items": [],
        "planned": None,
        "spares": [],
        "next": None,
        "total": 0,
    }
    pairing.story.join(4)
    assert pairing.get("/rounds").json["planned"] is None
    assert pairing.get("/rounds/1").status_code == 404


def test_a_round_by_hand_with_its_fault_named(pairing):
    hand = [{"player_1": f"p{n}", "player_2": f"p{n + 1}"} for n in (1, 3, 5, 7)]
    refused = pairing.post("/rounds", {"pairings": hand[:3]})
    assert (refused.status_code, refused.json["code"]) == (422, "pairings-refused")
    assert [(fault["where"], fault["said"], fault["expected"]) for fault in refused.json["errors"]] == [
        ("/pairings", "nothing", f"{name} in a pairing, or in sitting_out") for name in ("P7 (p7)", "P8 (p8)")
    ]
    assert pairing.post("/rounds", {"pairings": hand, "reason": "paper"}).status_code == 201
    shown = pairing.get("/rounds/1").json
    assert (shown["method"], shown["reason"]) == ("manual", "paper")
    first = shown["pairings"][0]
    assert (first["name_1"], first["name_2"], first["table"]) == ("P1", "P2", 1)


def test_a_bye_by_hand_is_one_with_an_empty_or_no_opponent(pairing):
    hand = [{"player_1": "p1"}, {"player_1": "p2", "player_2": None}, {"player_1": "p3", "kind": "bye", "table": 74}]
    rest = {"sitting_out": ["p4", "p5", "p6", "p7", "p8"]}
    assert pairing.post("/rounds", {"pairings": hand, **rest}).status_code == 201
    shown = pairing.get("/rounds/1").json
    assert [(seat["kind"], seat["table"]) for seat in shown["pairings"]] == [("bye", 0)] * 3
    assert shown["left_out"][0] == {"player": "p4", "name": "P4", "reason": "sitting_out"}


def test_a_preview_pairs_nothing_and_shows_what_will_be_paired(pairing):
    pairing.commit()
    shown = pairing.post("/rounds?preview=true")
    assert shown.status_code == 200
    assert pairing.get("/rounds").json["items"] == []
    pairing.post("/rounds")
    assert pairing.get("/rounds/1").json["pairings"] == shown.json["moves"]["round"]["pairings"]
    assert pairing.post("/rounds?preview=true").json["code"] == "round-not-closed"
    assert pairing.post("/rounds?preview=perhaps").json["code"] == "invalid-request"


def test_those_left_out_are_named_in_the_answer(pairing):
    pairing.story.join(1, roster=False)
    answer = pairing.post("/rounds", Idempotency_Key="k1")
    assert answer.json["left_out"] == [{"player": "p9", "name": "P9", "reason": "no_roster"}]
    assert pairing.post("/rounds", Idempotency_Key="k1").json == answer.json


class TestOnce:
    def test_a_repeated_command_has_its_effect_once_and_the_same_answer(self, pairing):
        first = pairing.post("/rounds", {"round": 1}, Idempotency_Key="pair-1")
        again = pairing.post("/rounds", {"round": 1}, Idempotency_Key="pair-1")
        assert (again.status_code, again.json) == (201, first.json)
        assert len([event for event in pairing.story.logs["pairing"] if event.type == "RoundPaired"]) == 1

    def test_without_a_key_the_number_of_the_round_guards(self, pairing):
        assert pairing.post("/rounds", {"round": 1}).status_code == 201
        assert pairing.post("/rounds", {"round": 1}).json["code"] == "round-already-paired"

    def test_a_key_identifies_one_request(self, pairing):
        pairing.post("/rounds", {"round": 1}, Idempotency_Key="pair-1")
        assert pairing.post("/rounds", {"round": 2}, Idempotency_Key="pair-1").json["code"] == "idempotency-key-reused"


class TestVersions:
    def test_a_change_to_a_round_that_changed_meanwhile_is_refused(self, paired):
        etag = paired.get("/rounds/1").headers["ETag"]
        one, two = (seat.player_1 for seat in paired.story.seats(1)[:2])
        swap = {"swap": [one, two], "reason": "family"}
        assert paired.post("/rounds/1/amendments", swap, If_Match=etag).status_code == 201
        refused = paired.post("/rounds/1/amendments", swap, If_Match=etag)
        assert (refused.status_code, refused.json["code"]) == (412, "precondition-failed")
        assert paired.post("/rounds/1/amendments", swap, If_Match=refused.headers["ETag"]).status_code == 201

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            ("/rounds/1/games/r1g1/table", {"table": 12}),
            ("/rounds/1/withdrawal", {"reason": "x"}),
            ("/rounds/1/repairing", {"reason": "x"}),
            ("/rounds/1/start", {}),
        ],
    )
    def test_every_change_of_a_round_takes_if_match(self, paired, path, body):
        old = paired.get("/rounds/1").headers["ETag"]
        last = paired.story.seats(1)[-1].game
        paired.post(f"/rounds/1/games/{last}/table", {"table": 11})
        assert paired.post(path, body, If_Match=old).json["code"] == "precondition-failed"
        assert paired.post(path, body, If_Match=paired.get("/rounds/1").headers["ETag"]).status_code == 201

    def test_a_version_of_a_round_that_is_not_there(self, paired):
        assert paired.post("/rounds/2/start", If_Match='"pairing-2"').json["code"] == "round-unknown"

    @pytest.mark.parametrize("path", ["/rounds", "/rounds/1", "/rounds/1/games/r1g1", "/tables", "/players/p1/pairing"])
    def test_answers_are_unchanged_until_a_log_changes(self, paired, path):
        paired.post("/rounds/1/start")
        etag = paired.get(path).headers["ETag"]
        assert paired.get(path, If_None_Match=etag).status_code == 304
        paired.story.win("r1g1")
        answer = paired.get(path, If_None_Match=etag)
        assert answer.status_code == 200
        assert answer.headers["ETag"] != etag

    def test_changes_of_other_resources_do_not_conflict(self, paired):
        etag = paired.get("/rounds/1").headers["ETag"]
        paired.story.drop("p8")
        paired.story.registration(registration.PlayerReinstated(player="p8"))
        assert paired.post("/rounds/1/start", If_Match=etag).status_code == 201


class TestShown:
    def test_the_status_of_a_game_follows_scoring(self, paired):
        paired.post("/rounds/1/start")
        story = paired.story
        story.win("r1g1")
        story.win("r1g2", confirmed=False)
        story.win("r1g3", confirmed=False)
        story.scoring(results.ResultDisputed(round=1, game="r1g3", side=2, reason="no"))
        assert [seat["status"] for seat in paired.get("/rounds/1").json["pairings"]] == [
            "confirmed",
            "reported",
            "disputed",
            "open",
        ]
        assert paired.get("/rounds/1/games/r1g2").json["status"] == "reported"

    def test_pairings_made_from_outdated_standings_are_marked(self, paired):
        paired.post("/rounds/1/start")
        paired.story.finish(1)
        paired.post("/rounds")
        assert not paired.get("/rounds/2").json["made_from_older_standings"]
        assert not paired.get("/rounds/1").json["made_from_older_standings"]
        paired.story.close(1)
        assert paired.get("/rounds/2").json["made_from_older_standings"]

    def test_pairings_of_one_venue(self, serve):
        story = Story(pairing_scope="venue")
        for name in ("North", "South"):
            story.join(2, venue=story.venue(name, tables=2))
        pairing = serve(story)
        pairing.post("/rounds")
        assert len(pairing.get("/rounds/1").json["pairings"]) == 2
        (seat,) = pairing.get("/rounds/1?venue=v2").json["pairings"]
        assert (seat["venue"], seat["venue_name"], seat["player_1"][:1]) == ("v2", "South", "p")
        assert pairing.get("/rounds/1?venue=v9").json["code"] == "venue-unknown"

    def test_a_game_and_a_round_that_are_not_there(self, paired):
        assert paired.get("/rounds/9").json["code"] == "round-unknown"
        assert paired.get("/rounds/1/games/r1g99").json["code"] == "game-unknown"

    def test_an_answer_says_how_far_it_had_read_and_waits_for_what_the_caller_has_seen(self, paired):
        assert paired.get("/rounds").headers["Muster-Seen"].startswith("pairing=5, registration=")
        assert paired.get("/rounds", Muster_Seen="scoring=99").json["code"] == "not-yet-seen"


class TestWho:
    COMMANDS = (
        ("POST", "/rounds", None, False),
        ("POST", "/rounds/1/repairing", {"reason": "x"}, False),
        ("POST", "/rounds/1/withdrawal", {"reason": "x"}, False),
        ("POST", "/rounds/1/amendments", {"reason": "x", "swap": ["p1", "p2"]}, False),
        ("POST", "/rounds/1/games/r1g1/table", {"table": 9}, True),
        ("POST", "/rounds/1/start", None, False),
        ("POST", "/rounds/1/calls", {"call": "end"}, True),
        ("POST", "/rounds/1/extensions", {"minutes": 5, "reason": "x"}, True),
        ("POST", "/cut", None, False),
        ("POST", "/cut/given-up", {"player": "p1"}, False),
        ("POST", "/spare", {"staff": "s1"}, False),
        ("DELETE", "/spare", None, False),
    )

    @pytest.mark.parametrize(("method", "path", "body", "referee"), COMMANDS)
    def test_commands_are_for_staff_of_this_tournament(self, paired, method, path, body, referee):
        assert paired.send(method, path, body, role="").json["code"] == "unauthenticated"
        other = f"Bearer {paired.token('organiser', 't-other')}"
        assert paired.send(method, path, body, Authorization=other).json["code"] == "wrong-tournament"
        player = f"Bearer {paired.token('player', player='p1')}"
        assert paired.send(method, path, body, Authorization=player).json["code"] == "forbidden"
        code = (paired.send(method, path, body, role="referee").json or {}).get("code")
        assert (code == "forbidden") is not referee

    def test_a_private_tournament_is_shown_to_its_own(self, serve):
        story = Story(visibility="private")
        story.join(4)
        pairing = serve(story)
        pairing.post("/rounds")
        for path in (
            "/rounds",
            "/rounds/1",
            "/rounds/1/games/r1g1",
            "/clock",
            "/tables",
            "/cut",
            "/players/p1/pairing",
        ):
            assert pairing.get(path).json["code"] == "tournament-unknown"
            assert pairing.get(path, role="referee").status_code == 200

    def test_a_revoked_token_is_worth_nothing(self, paired):
        paired.story.registration(registration.TokenRevoked(token="organiser-1"))
        assert paired.post("/rounds/1/start").json["code"] == "token-revoked"


class TestBodies:
    def test_a_body_may_be_left_out_and_if_it_is_there_it_is_checked(self, paired):
        assert paired.post("/rounds/1/start", {"minutes": "long"}).json["code"] == "invalid-request"
        headers = {"Authorization": f"Bearer {paired.token()}", "Content-Type": "application/json"}
        client, address = paired.app.test_client(), f"/tournaments/{paired.story.id}/rounds/1/start"
        assert client.post(address, data="{", headers=headers).json["code"] == "malformed-json"
        headers["Content-Type"] = "text/plain"
        assert client.post(address, data="{}", headers=headers).json["code"] == "unsupported-media-type"
        assert paired.post("/rounds/1/start").status_code == 201

    @pytest.mark.parametrize(
        ("path", "body", "where"),
        [
            ("/rounds", {"round": 0}, "/round"),
            ("/rounds", {"pairings": []}, "/pairings"),
            ("/rounds", {"pairings": [{"player_2": "p1"}]}, "/pairings/0/player_1"),
            ("/rounds", {"pairings": [{"player_1": "p1", "sides": [["p2"]]}]}, "/pairings/0/player_1"),
            ("/rounds", {"pairings": [{"player_2": "p1", "sides": [["p2"]]}]}, "/pairings/0/player_2"),
            ("/rounds", {"pairings": [{"player_1": "p1", "kind": "duel"}]}, "/pairings/0/kind"),
            ("/rounds", {"pairings": [{"player_1": "p1", "table": 0}]}, "/pairings/0/table"),
            ("/rounds", {"rounds": 1}, "/rounds"),
            ("/rounds/1/amendments", {"swap": ["p1", "p2"]}, "/reason"),
            ("/rounds/1/amendments", {"swap": ["p1"], "reason": "x"}, "/swap"),
            ("/rounds/1/games/r1g1/table", {}, "/table"),
            ("/rounds/1/withdrawal", {"reason": ""}, "/reason"),
            ("/rounds/1/extensions", {"minutes": 0, "reason": "x"}, "/minutes"),
            ("/rounds/1/calls", {"call": ""}, "/call"),
            ("/cut", {"places": 1}, "/places"),
        ],
    )
    def test_a_wrong_member_is_named(self, paired, path, body, where):
        answer = paired.post(path, body)
        assert (answer.status_code, answer.json["code"]) == (422, "invalid-request")
        assert where in [fault["where"] for fault in answer.json["errors"]]
