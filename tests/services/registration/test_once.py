"""Commands that come twice, versions that are meant, answers that must not be from the past, lists in pages."""

from __future__ import annotations

import pytest

from tests.services.registration.story import FLEET
from tests.services.story import same_state


class TestIdempotencyKey:
    """Idempotency keys: one effect, and always the same answer."""

    def test_a_player_enters_once_however_often_the_request_comes(self, evening):
        first = evening.enter("Ana", Idempotency_Key="enter-ana")
        again = evening.post("/players", {"name": "Ana"}, Idempotency_Key="enter-ana")
        assert first.status == again.status == 201
        assert again.body == first.body
        assert "Idempotent-Replayed" not in first.headers
        assert again.headers["Idempotent-Replayed"] == "true"
        assert evening.names("active") == ["Ana"]
        assert [event.command_id.partition("~")[0] for event in evening.log[1:]] == ["enter-ana"]

    def test_the_same_key_with_another_request_is_refused(self, evening):
        evening.enter("Ana", Idempotency_Key="one")
        others = [
            evening.enter("Ben", Idempotency_Key="one"),
            evening.enter("Ana", by="referee", Idempotency_Key="one"),
            evening.post("/venues", {"name": "Hall"}, Idempotency_Key="one"),
        ]
        assert {(answer.status, answer.code) for answer in others} == {(422, "idempotency-key-reused")}

    def test_the_answer_stays_what_it_was_though_the_world_moved_on(self, evening):
        evening.join("Ana", "Ben")
        first = evening.do("p1", "withdrawal", {}, Idempotency_Key="goodbye")
        evening.post("/cancellation", {"reason": "the hall is flooded"})
        assert evening.do("p1", "withdrawal", {}, Idempotency_Key="goodbye").body == first.body

    def test_a_key_is_not_mistaken_for_one_that_begins_like_it(self, evening):
        evening.enter("Ana", Idempotency_Key="a~b")
        assert evening.enter("Ben", Idempotency_Key="a").status == 201
        assert evening.enter("Ana", Idempotency_Key="a~b").status == 201
        assert evening.names("active") == ["Ana", "Ben"]

    def test_a_key_is_known_in_its_tournament_only(self, announce):
        one, two = announce(), announce()
        assert one.enter("Ana", Idempotency_Key="k").status == two.enter("Ben", Idempotency_Key="k").status == 201

    def test_a_tournament_is_announced_once(self, club):
        def say(name: str, **given: str):
            body = {"name": name, "ruleset": "star-wars-armada-1.1"}
            return club.ask("POST", "/tournaments", body, Idempotency_Key="spring-open", **given)

        organiser = club.token("operator", actor="ann")
        first, again = say("Spring Open", token=organiser), say("Spring Open", token=organiser)
        assert again.body == first.body
        assert [answer.headers.get("Idempotent-Replayed") for answer in (first, again)] == [None, "true"]
        assert say("Autumn Open", token=organiser).code == "idempotency-key-reused"
        assert say("Autumn Open", token=club.token("operator", actor="bea")).body["id"] != first.body["id"]

    def test_players_of_a_file_enter_once(self, evening):
        def send(file: bytes):
            return evening.post("/players/csv", file, Content_Type="text/csv", Idempotency_Key="file")

        first = send(b"name\nAna\nBen\n")
        assert first.status == 201, first
        assert send(b"name\nAna\nBen\n").body == first.body
        assert send(b"name\nCy\n").code == "idempotency-key-reused"

    def test_without_a_key_every_request_is_a_command_of_its_own(self, evening):
        evening.enter("Ana")
        assert evening.enter("Ana").code == "name-taken"


class TestVersions:
    """If-Match prevents overwriting a change that the caller has not seen."""

    def test_two_organisers_change_the_same_tournament(self, evening):
        ours, theirs = evening.get().headers["ETag"], evening.get().headers["ETag"]
        assert evening.post("/amendments", {"name": "Ours"}, If_Match=ours).status == 201
        late = evening.post("/amendments", {"name": "Theirs"}, If_Match=theirs)
        assert (late.status, late.code) == (412, "precondition-failed")
        assert evening.post("/amendments", {"name": "Theirs"}, If_Match=late.data["etag"]).status == 201
        assert evening.get().body["name"] == "Theirs"

    def test_a_change_of_something_else_is_no_change_of_this(self, evening):
        evening.join("Ana", "Ben")
        venue = evening.venue()
        tag = evening.get("/players/p1").headers["ETag"]
        evening.do("p2", "amendments", {"club": "Reds"})
        evening.post(f"/venues/{venue}/tables", {"tables": [{"table": 1}]}, If_Match=tag)
        assert evening.do("p1", "amendments", {"club": "Blues"}, If_Match=tag).status == 201
        assert evening.do("p1", "amendments", {"club": "Greens"}, If_Match=tag).code == "precondition-failed"

    def test_the_version_in_an_answer_may_be_meant_next(self, announce):
        """An amendment that promotes a player has several events; its answer names the last one."""
        evening = announce(capacity=2)
        evening.join("Ana", "Ben", "Cy")
        answer = evening.post("/amendments", {"capacity": 3})
        assert answer.types == ["TournamentAmended", "PlayerPromoted"]
        assert evening.post("/amendments", {"capacity": 4}, If_Match=answer.headers["ETag"]).status == 201

    def test_any_command_may_insist_that_nothing_happened(self, evening):
        evening.join("Ana")
        tag = evening.get("/players/p1").headers["ETag"]
        evening.join("Ben")
        venue = {"name": "Hall", "tables": 4}
        assert evening.post("/venues", venue, If_Match='"registration-99"').code == "precondition-failed"
        assert evening.post("/venues", venue, If_Match=tag).code == "precondition-failed"
        assert evening.do("p1", "withdrawal", {}, If_Match="*").status == 201

    @pytest.mark.parametrize(
        ("rest", "body", "code"),
        [
            ("/players/p9/amendments", {"club": "Reds"}, "player-unknown"),
            ("/venues/v9/tables", {"tables": []}, "venue-unknown"),
        ],
    )
    def test_a_version_of_something_that_is_not_there(self, evening, rest, body, code):
        assert evening.post(rest, body, If_Match=evening.get().headers["ETag"]).code == code

    def test_unchanged_answers_are_not_sent_again(self, evening):
        evening.join("Ana")
        for rest in ("", "/players/p1"):
            tag = evening.get(rest).headers["ETag"]
            same = evening.get(rest, If_None_Match=tag)
            assert (same.status, same.text) == (304, b"")

    def test_every_change_is_sent_regardless_of_its_author(self, evening):
        """The page of a tournament shows venues, staff and how far it is, not only what its organiser may amend."""
        evening.join("Ana", "Ben")
        tag = evening.get().headers["ETag"]
        changes = [
            lambda: evening.venue(),
            lambda: evening.staff("Rita", "referee"),
            lambda: evening.begin("p1", "p2"),
            lambda: evening.concluded(),
        ]
        for change in changes:
            change()
            answer = evening.get(If_None_Match=tag)
            assert answer.status == 200
            tag = answer.headers["ETag"]
        assert answer.body["status"] == "concluded"

    def test_a_place_on_the_waiting_list_moves_though_the_player_does_nothing(self, announce):
        evening = announce(capacity=2)
        evening.join("Ana", "Ben", "Cy", "Dee")
        before = evening.get("/players/p4")
        evening.do("p3", "withdrawal", {})
        after = evening.get("/players/p4", If_None_Match=before.headers["ETag"])
        assert (before.body["waiting_position"], after.body["waiting_position"]) == (2, 1)


class TestSeen:
    """Answers say how far they have read, and are never from before what the caller has seen."""

    def test_an_answer_says_how_far_it_read_each_log(self, evening):
        evening.join("Ana", "Ben")
        evening.begin("p1", "p2")
        assert evening.get().headers["Muster-Seen"] == "registration=3, pairing=3"

    def test_a_caller_who_has_seen_more_is_not_answered_from_the_past(self, evening):
        answer = evening.get("/players", Muster_Seen="registration=1, scoring=7")
        assert (answer.status, answer.code) == (503, "not-yet-seen")
        assert answer.headers["Retry-After"] == "1"
        assert evening.enter("Ana", Muster_Seen="pairing=1").code == "not-yet-seen"
        assert evening.get("/players", Muster_Seen="registration=1, elsewhere=7").status == 200

    def test_a_header_that_cannot_be_read(self, evening):
        assert evening.get("/players", Muster_Seen="lots").code == "malformed-seen"

    def test_an_event_says_how_far_its_decision_had_read(self, evening):
        evening.join("Ana", "Ben")
        evening.begin("p1", "p2")
        evening.do("p1", "drop", {})
        assert evening.log[-1].seen == '{"pairing":3,"scoring":0}'


class TestPages:
    """Paged lists: every player is on exactly one page."""

    def test_every_player_is_on_one_page(self, evening):
        names = [f"Player {number}" for number in range(1, 8)]
        evening.join(*names)
        found, after = [], ""
        while after is not None:
            answer = evening.get(f"/players?limit=3{after}")
            found += [player["name"] for player in answer.body["items"]]
            after = answer.body["next"] and f"&after={answer.body['next']}"
            assert ("Link" in answer.headers) == (after is not None)
        assert found == names

    def test_paging_continues_after_an_earlier_player_left(self, evening):
        evening.join("Ana", "Ben", "Cy", "Dee")
        cursor = evening.get("/players?limit=2&status=active").body["next"]
        evening.do("p1", "withdrawal", {})
        rest = evening.get(f"/players?limit=2&status=active&after={cursor}").body
        assert [player["name"] for player in rest["items"]] == ["Cy", "Dee"]
        assert rest["next"] is None

    @pytest.mark.parametrize("cursor", ["x", "WzEsMl0", "WyJ4Il0"])
    def test_a_cursor_that_no_list_gave(self, evening, cursor):
        assert evening.get(f"/players?after={cursor}").code == "invalid-cursor"
        assert evening.club.ask("GET", f"/tournaments?after={cursor}").code == "invalid-cursor"

    @pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "status=gone", "colour=red"])
    def test_a_query_that_means_nothing(self, evening, query):
        assert evening.get(f"/players?{query}").code == "invalid-request"

    def test_the_directory_goes_from_the_newest_to_the_oldest(self, announce, club):
        mine = [announce(name=f"Night {number}").id for number in range(3)]
        first = club.ask("GET", "/tournaments?limit=2").body
        second = club.ask("GET", f"/tournaments?limit=1&after={first['next']}").body
        listed = [line["id"] for line in first["items"] + second["items"]]
        times = [line["announced_at"] for line in first["items"] + second["items"]]
        assert set(mine) == set(listed)
        assert times == sorted(times, reverse=True)


def test_the_log_is_read_behind_a_position(evening):
    evening.join("Ana", "Ben", "Cy")
    lines = evening.get("/log?after=1&limit=2").lines
    assert [line["data"]["name"] for line in lines] == ["Ana", "Ben"]
    assert evening.get("/log?source=elsewhere").code == "invalid-request"


def test_the_state_that_answers_is_the_one_that_the_log_gives(evening):
    evening.join("Ana", "Ben")
    evening.do("p1", "roster", {"roster": FLEET})
    evening.begin("p1", "p2")
    evening.do("p2", "drop", {"reason": "ill"})
    assert same_state(evening.club, evening.id)
