"""Parties formed by survivors who sign up together or with an invitation code."""

from __future__ import annotations

import pytest

from tests.coop.story import Night, operator_data
from tests.services.story import Answer

GUEST = ""
"""Somebody without a token."""


@pytest.fixture
def night(new) -> Night:
    """Return an empty event with open sign-up and tables of three."""
    data = operator_data(table={"survivors_min": 1, "survivors_max": 3})
    return new(0, seated=False, sign_up="open", data=data)


def sign_up(night: Night, name: str, by: str = GUEST, **more: str) -> Answer:
    return night.ask("POST", "registration", "/sign-up", {"name": name, **more}, by)


def company(night: Night, *names: str, by: str = GUEST) -> Answer:
    return night.ask("POST", "registration", "/sign-up/party", {"players": [{"name": name} for name in names]}, by)


def code(night: Night, player: str) -> str:
    return str(night.ask("GET", "registration", f"/players/{player}/invitation", by=player).body["invitation"])


def accept(night: Night, player: str, invitation: str, by: str = "") -> Answer:
    return night.ask("POST", "registration", f"/players/{player}/party", {"invitation": invitation}, by or player)


def parties(night: Night) -> dict[str, list[str]]:
    found = night.ask("GET", "registration", "/parties").body["items"]
    return {party["id"]: party["players"] for party in found}


def refused(night: Night, answer: Answer, status: int, code: str, before: object) -> Answer:
    """Return the refusal, which must have appended nothing."""
    assert (answer.status, answer.code) == (status, code), answer
    assert night.heads == before
    return answer


@pytest.mark.clause("AB-SVC-2")
def test_party_that_signs_up_together_sits_together(night):
    answer = company(night, "Ana", "Ben")
    assert (answer.status, answer.types) == (201, ["PlayerJoined", "PlayerJoined", "PartyFormed"])
    assert len({player["token"] for player in answer.body["players"]}) == 2
    token = answer.body["players"][1]["token"]
    me = night.ask("GET", "registration", "/me", by=token).body
    assert me["player"]["name"] == "Ben"
    assert me["links"]["standing"].endswith(f"/tournaments/{night.id}/ranking/p2")
    for name in ("Cy", "Dee", "Eve"):
        sign_up(night, name)
    night.seat()
    assert any({"p1", "p2"} <= set(survivors) for survivors in night.tables().values())


@pytest.mark.clause("AB-SVC-2")
def test_invited_survivors_join_the_party(night):
    sign_up(night, "Ana")
    shown = night.ask("GET", "registration", "/players/p1/invitation", by="p1").body
    assert (shown["party"], shown["players"], shown["places"]) == ("", [], 2)
    invitation = shown["invitation"]
    assert invitation.startswith("p1-")
    assert sign_up(night, "Ben", invitation=invitation).types == ["PlayerJoined", "PartyFormed"]
    sign_up(night, "Cy")
    assert accept(night, "p3", f" {invitation.upper()} ").types == ["PartyJoined"]
    assert parties(night) == {"g1": ["p1", "p2", "p3"]}
    assert accept(night, "p3", code(night, "p2")).types == []
    assert night.ask("GET", "registration", "/players/p2/invitation", by="p2").body["places"] == 0
    night.seat()
    assert [sorted(survivors) for survivors in night.tables().values()] == [["p1", "p2", "p3"]]


def test_invitation_code_is_secret_and_valid_for_one_event(night, new):
    sign_up(night, "Ana")
    invitation = code(night, "p1")
    sign_up(night, "Ben", invitation=invitation)
    assert invitation.encode() not in night.ask("GET", "registration", "/log?limit=500").text
    other = new(1, seated=False, sign_up="open")
    before = other.heads
    refused(other, sign_up(other, "Cy", invitation=invitation), 422, "invitation-unknown", before)


@pytest.mark.parametrize("wrong", ["p1", "p1-aaaaaaaa", "p9-aaaaaaaa", "-", "ü-ü", "p1-\u0661"])
def test_unknown_codes_are_refused(night, wrong):
    sign_up(night, "Ana")
    sign_up(night, "Ben")
    before = night.heads
    answers = [sign_up(night, "Cy", invitation=wrong), accept(night, "p2", wrong)]
    for answer in answers:
        assert refused(night, answer, 422, "invitation-unknown", before).places == ["/invitation"]


@pytest.mark.clause("AB-SET-8")
def test_party_is_limited_by_the_table_size(night):
    before = night.heads
    assert refused(night, company(night, "A", "B", "C", "D"), 422, "party-refused", before).places == ["/players"]
    refused(night, company(night, "A"), 422, "party-refused", before)
    company(night, "Ana", "Ben", "Cy")
    sign_up(night, "Dee")
    invitation, before = code(night, "p2"), night.heads
    for answer in (accept(night, "p4", invitation), sign_up(night, "Eve", invitation=invitation)):
        full = refused(night, answer, 422, "party-refused", before)
        assert [(fault["where"], fault["clause"]) for fault in full.faults] == [("/invitation", "AB-SET-8")]
    night.do("registration", "/players/p3/withdrawal", {}, by="p3")
    assert accept(night, "p4", invitation).types == ["PartyJoined"]


def test_members_of_a_party_cannot_join_another(night):
    company(night, "Ana", "Ben")
    sign_up(night, "Cy")
    sign_up(night, "Dee")
    to_ana, to_cy = code(night, "p1"), code(night, "p3")
    before = night.heads
    refused(night, accept(night, "p2", to_cy), 422, "party-refused", before)
    refused(night, accept(night, "p3", to_cy), 422, "party-refused", before)
    refused(night, accept(night, "p3", to_ana, by="p4"), 403, "not-yours", before)
    refused(night, accept(night, "p9", to_ana, by="organiser"), 404, "player-unknown", before)
    other = night.ask("GET", "registration", "/players/p1/invitation", by="p3")
    assert (other.status, other.code) == (403, "not-yours")
    night.do("registration", "/players/p3/withdrawal", {}, by="p3")
    before = night.heads
    gone = refused(night, accept(night, "p4", to_cy), 422, "party-refused", before)
    assert [fault["said"] for fault in gone.faults] == [to_cy]
    refused(night, accept(night, "p3", to_ana), 409, "player-not-active", before)


def test_names_must_be_unique(night):
    company(night, "Ana", "Ben")
    before = night.heads
    assert refused(night, company(night, "Cy", "ana"), 409, "name-taken", before).places == ["/players/1/name"]
    again = sign_up(night, "Ben", invitation=code(night, "p1"))
    assert refused(night, again, 409, "name-taken", before).places == ["/name"]


def leave(night: Night, player: str, by: str = "") -> Answer:
    return night.ask("POST", "registration", f"/players/{player}/party/leaving", {}, by or player)


@pytest.mark.clause("AB-SVC-2")
def test_survivor_can_leave_a_party(night):
    company(night, "Ana", "Ben", "Cy")
    sign_up(night, "Dee")
    before = night.heads
    refused(night, leave(night, "p1", by="p2"), 403, "not-yours", before)
    refused(night, leave(night, "p4"), 404, "party-unknown", before)
    refused(night, leave(night, "p9", by="organiser"), 404, "player-unknown", before)
    assert leave(night, "p1").types == ["PartyLeft"]
    assert accept(night, "p1", code(night, "p4")).types == ["PartyFormed"]
    assert parties(night) == {"g1": ["p2", "p3"], "g2": ["p4", "p1"]}
    assert leave(night, "p3").types == ["PartyDisbanded"]
    night.do("registration", "/registration/close")
    before = night.heads
    refused(night, leave(night, "p1"), 409, "registration-closed", before)
    assert leave(night, "p1", by="organiser").types == ["PartyDisbanded"]


def test_sign_up_by_invitation_only(new):
    night = new(2, seated=False)
    invitation, before = code(night, "p1"), night.heads
    refused(night, company(night, "Cy", "Dee"), 403, "invite-only", before)
    refused(night, sign_up(night, "Cy", invitation=invitation), 403, "invite-only", before)
    refused(night, accept(night, "p2", invitation), 403, "invite-only", before)
    assert company(night, "Cy", "Dee", by="integration").status == 201
    assert accept(night, "p2", invitation, by="organiser").types == ["PartyFormed"]


def test_parties_after_registration_closes(night):
    sign_up(night, "Ana")
    sign_up(night, "Ben")
    invitation = code(night, "p1")
    night.do("registration", "/registration/close")
    before = night.heads
    refused(night, company(night, "Cy", "Dee"), 409, "registration-closed", before)
    refused(night, sign_up(night, "Cy", invitation=invitation), 409, "registration-closed", before)
    refused(night, accept(night, "p2", invitation), 409, "registration-closed", before)
    night.do("registration", "/registration/reopen")
    night.seat()
    before = night.heads
    refused(night, accept(night, "p2", invitation), 409, "registration-closed", before)


def test_other_formats_have_no_parties(muster):
    armada = muster.announce(sign_up="open")
    armada.do("registration", "/players/list", {"players": [{"name": "Ana"}]})
    for rest, body in (
        ("/sign-up/party", {"players": [{"name": "Ben"}, {"name": "Cy"}]}),
        ("/sign-up", {"name": "Ben", "invitation": "p1-aaaaaaaa"}),
    ):
        answer = armada.ask("POST", "registration", rest, body, GUEST)
        assert (answer.status, answer.code) == (409, "wrong-format")
