"""The phone of a player who has not been paired yet: day, venue and the list that is due."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import signed_in

ARMADA, DUST = "star-wars-armada-1.1", "dust-warfare-1.0"


@pytest.mark.parametrize(
    ("ruleset", "tier", "starts_on", "expected", "missing"),
    [
        pytest.param(ARMADA, "casual", "2026-12-05", ["Sat, 5 Dec 2026", "Town hall"], ["Your list is"], id="no list"),
        pytest.param(
            DUST,
            "event",
            "2026-12-05",
            ["Sat, 5 Dec 2026", "Town hall", "Your list is due", "Hand in my list"],
            [],
            id="list",
        ),
        pytest.param(
            DUST,
            "event",
            "",
            ["Town hall", "Your list is due before round 1.", "Hand in my list"],
            ["<dt>Day<"],
            id="no day",
        ),
    ],
)
def test_a_newcomer_sees_what_comes_next(services, app, ruleset, tier, starts_on, expected, missing):
    muster = app.extensions["muster-services"].acting_as(services.token("operator"))
    optional = {"starts_on": starts_on} if starts_on else {}
    id = muster.registration.announce_tournament(name="Club night", ruleset=ruleset, tier=tier, **optional).id
    for name in ("Town hall", "Gym"):
        muster.registration.open_venue(id, name=name, tables=4)
    venue = muster.registration.show_tournament(id).venues[0].id
    player = muster.registration.join_player(id, name="Ana", venue=venue).id
    phone = signed_in(app, services.token("player", id, player=player))
    phone.open(f"/events/{id}/table")
    assert phone.shows("Hello, Ana", *expected, "This page is yours only", "Leave the event")
    for text in missing:
        assert not phone.shows(text)
    assert not re.search("is-grave[^>]*>Leave", phone.page)
