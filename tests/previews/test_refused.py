"""Previews of refused commands are refused in the same way; other previews change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fuzz.muster import Evening, Muster
from tests.previews.previewing import previewed
from tests.services.story import Answer

GUEST = ""
KEY = "a-key-that-nobody-guesses"


def both(evening: Evening, service: str, rest: str, body: Any = None, by: str = "organiser", **headers: str) -> Answer:
    """The refusal of a preview, which is that of the command, and has appended nothing."""
    before = evening.muster.length
    shown = evening.ask("POST", service, previewed(rest), body, by, **headers)
    done = evening.ask("POST", service, rest, body, by, **headers)
    assert shown.status >= 400
    assert (shown.status, shown.code, shown.data) == (done.status, done.code, done.data), (shown, done)
    assert (shown.body["type"], shown.faults) == (done.body["type"], done.faults)
    assert evening.muster.length == before
    return shown


def test_refused_preview_has_every_fault(muster: Muster) -> None:
    evening = muster.evening()
    assert both(evening, "registration", "/players/p99/drop", {}).code == "player-unknown"
    assert both(evening, "registration", "/venues/v1/closing", {"reason": "wet"}).code == "still-in-use"
    faulty = {"players": [{"name": ""}, {"name": "Zoe", "email": 1}, {"club": 3}]}
    assert both(evening, "registration", "/players/list", faulty).places == [
        "/players/0/name",
        "/players/1/email",
        "/players/2/name",
        "/players/2/club",
    ]
    assert both(evening, "pairing", "/rounds").code == "round-not-closed"
    assert both(evening, "scoring", "/rounds/2/close").code == "games-open"
    assert both(evening, "scoring", "/session-rounds/1/ranking").code == "wrong-format"
    csv = {"Content_Type": "text/csv"}
    assert both(evening, "registration", "/players/csv", b"player,shoe\nAna,9\n", **csv).code == "csv-refused"
    assert both(evening, "registration", "/players/csv", b"player\nPlayer 1\n", **csv).code == "registration-closed"


def test_preview_needs_the_role_of_the_command(muster: Muster) -> None:
    evening, other = muster.evening("before"), muster.announce()
    close = ("registration", "/registration/close")
    assert both(evening, *close, by=GUEST).status == 401
    assert both(evening, *close, by="no token").code == "unauthenticated"
    assert both(evening, *close, by="p1").code == "forbidden"
    assert both(evening, *close, by="referee").code == "forbidden"
    assert both(evening, *close, by=other.token("organiser")).code == "wrong-tournament"
    assert both(evening, "registration", "/players/p1/withdrawal", {}, by="p2").code == "not-yours"
    gone = evening.do("registration", "/staff", {"name": "Gone", "role": "organiser"}).body
    evening.do("registration", f"/staff/{gone['id']}/dismissal", {})
    assert both(evening, *close, by=gone["token"]).code == "token-revoked"


@pytest.mark.parametrize(
    "query", ["preview=perhaps", "preview=True", "preview=", "preview=1", "preview=true&preview=true", "preview"]
)
def test_invalid_preview_parameter_is_refused(muster: Muster, query: str) -> None:
    evening = muster.evening("before")
    before = muster.length
    answer = evening.ask("POST", "registration", f"/registration/close?{query}")
    assert (answer.status, answer.code, answer.places) == (422, "invalid-request", ["/preview"])
    assert muster.length == before


def test_preview_parameter_may_be_percent_encoded(muster: Muster) -> None:
    evening = muster.evening("before")
    before = muster.length
    assert evening.ask("POST", "registration", "/registration/close?%70review=true").body["preview"] is True
    assert evening.ask("POST", "registration", "/registration/close?Preview=true").places == ["/Preview"]
    assert muster.length == before
    assert evening.ask("POST", "registration", "/registration/close?preview=false").types == ["RegistrationClosed"]


def test_preview_does_not_use_up_the_key(
    muster: Muster,
) -> None:
    evening = muster.evening("before")
    key = {"Idempotency_Key": KEY}
    rest, body = "/players", {"name": "Zoe"}
    for _ in range(2):
        shown = evening.ask("POST", "registration", previewed(rest), body, **key)
        assert [event["type"] for event in shown.events] == ["PlayerWaitlisted"]
    done = evening.ask("POST", "registration", rest, body, **key)
    assert (done.status, done.types) == (201, ["PlayerWaitlisted"])
    assert "Idempotent-Replayed" not in done.headers
    shown = evening.ask("POST", "registration", previewed(rest), body, **key)
    assert (shown.status, shown.events, shown.body["uncertain"]) == (200, [], [])
    assert evening.ask("POST", "registration", rest, body, **key).events == done.events
    assert both(evening, "registration", rest, {"name": "Another"}, **key).code == "idempotency-key-reused"


def test_guest_may_preview_repeatedly(muster: Muster) -> None:
    evening = muster.announce(sign_up="open", capacity=2)
    body, most = {"name": "Ana", "email": "ana@example.org"}, 2 * 4 + 100
    before = muster.length
    for _ in range(most + 1):
        shown = evening.ask("POST", "registration", previewed("/sign-up"), body, GUEST, Idempotency_Key=KEY)
        assert (shown.status, [event["type"] for event in shown.events]) == (200, ["PlayerJoined"])
        assert b"token" not in shown.text
        assert b"example.org" not in shown.text
    assert shown.body["moves"]["players"] == [{"id": "p1", "name": "Ana", "status": {"before": "", "after": "active"}}]
    assert muster.length == before
    done = evening.ask("POST", "registration", "/sign-up", body, GUEST, Idempotency_Key=KEY)
    assert (done.status, done.types) == (201, ["PlayerJoined"])
    assert both(evening, "registration", "/sign-up", {"name": "ANA"}, GUEST).code == "name-taken"
    again = evening.ask("POST", "registration", previewed("/sign-up"), body, GUEST, Idempotency_Key=KEY)
    assert (again.status, again.events) == (200, [])
    evening.do("registration", "/amendments", {"sign_up": "invite_only"})
    assert both(evening, "registration", "/sign-up", {"name": "Ben"}, GUEST).code == "invite-only"


def test_service_that_is_behind_refuses_previews(muster: Muster) -> None:
    evening = muster.evening("before")
    ahead = {"Muster_Seen": "pairing=7"}
    assert both(evening, "registration", "/registration/close", **ahead).code == "not-yet-seen"
    beyond = {"Muster_Seen": "registration=4000"}
    assert both(evening, "registration", "/registration/close", **beyond).code == "implausible-seen"
    assert both(evening, "registration", "/registration/close", Muster_Seen="ü").code == "malformed-seen"


def test_preview_includes_new_events_of_other_services(muster: Muster) -> None:
    evening = muster.evening("between")
    evening.ask("POST", "registration", "/players/p1/drop", {})  # of which pairing has not heard
    shown = evening.ask("POST", "pairing", previewed("/rounds"))
    players = {seat[side] for seat in shown.body["moves"]["round"]["pairings"] for side in ("player_1", "player_2")}
    assert "p1" not in players
