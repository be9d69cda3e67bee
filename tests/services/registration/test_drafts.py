"""What pairing has drafted is not there in registration: no page, no status, and no refusal tells of it."""

from __future__ import annotations

import pytest

from shared.tournament.events.pairing import PairingsDrawn, RoundPaired, RoundPublished, Seat
from tests.services.drafted import everything_read

WHY = "kept as a surprise"


def draft(evening):
    seats = [Seat(game="r1g1", kind="game", player_1="p1", player_2="p2")]
    evening.say(
        "pairing",
        PairingsDrawn(round=1, page=1, pages=1, pairings=seats, draft=True),
        RoundPaired(round=1, stage="swiss", method="manual", games=1, reason=WHY, draft=True),
    )


@pytest.mark.parametrize("role", ["", "player", "integration"])
def test_to_everybody_but_staff_a_draft_is_not_there(announce, role):
    evening = announce(sign_up="open", on_purpose=["rounds"])
    evening.join("Ana", "Ben")
    token = evening.club.token(role, evening.id, player="p1" if role == "player" else None) if role else ""
    before = everything_read(evening.club.app, evening.id, token)
    draft(evening)
    assert everything_read(evening.club.app, evening.id, token) == before
    assert (
        WHY.encode() not in evening.club.ask("GET", f"/tournaments/{evening.id}/log?source=pairing", token=token).text
    )


def test_whoever_signs_up_or_withdraws_learns_nothing_of_it(announce):
    """As long as nothing is published, round 1 is not paired: who leaves withdraws, and others may still join."""
    evening = announce(sign_up="open", on_purpose=["rounds"])
    evening.join("Ana", "Ben")
    draft(evening)
    joined = evening.post("/sign-up", {"name": "Cy", "email": "cy@example.org"}, by="nobody")
    assert joined.status == 201
    assert evening.post("/players/p3/withdrawal", {}, by="p3").status == 201
    evening.say("pairing", RoundPublished(round=1))
    assert evening.post("/players/p2/withdrawal", {}, by="p2").status == 409


def test_a_format_keeps_back_what_it_has(announce, club):
    """A campaign has no cut; what it cannot keep back is refused by name, when it is announced and later."""
    evening = announce()
    assert evening.post("/amendments", {"on_purpose": ["rounds", "cut", "standings"]}).status == 201
    body = {"name": "League", "ruleset": "fallout-skirmish", "on_purpose": ["rounds", "cut"]}
    refused = club.ask("POST", "/tournaments", body, token=club.token("operator"))
    assert (refused.status, refused.code, refused.places) == (422, "not-on-purpose", ["/on_purpose/1"])
