"""The log of the installation accepts only its own events, even if others are validly signed."""

from __future__ import annotations

import pytest

from shared.log.event import GENESIS, Actor, Event, Head
from shared.log.log import Stamp, chain_events
from shared.service.commands import entries_of
from shared.service.gates import event_fault
from shared.tournament.registration import INSTALLATION, InstallationTokenRevoked, TokenRevoked, TournamentAnnounced

ANNOUNCED = TournamentAnnounced(name="Cup", format="swiss", ruleset={"id": "x"})
REVOKED = InstallationTokenRevoked(token="t", reason="")


def first(tournament: str, event: Event, source: str = "registration", position: int = 0):
    stamp = Stamp(Actor(source, "service"), "c", "2026-03-01T10:00:00.000Z", {})
    (recorded,) = chain_events(source, tournament, Head(position, GENESIS), entries_of([event]), stamp)
    return recorded


@pytest.mark.parametrize("position", [0, 1, 700])
def test_the_installation_log_has_events_of_the_installation(position):
    assert event_fault(first(INSTALLATION, REVOKED, position=position)) is None


@pytest.mark.parametrize(
    ("tournament", "event", "said"),
    [
        (INSTALLATION, ANNOUNCED, "TournamentAnnounced is no event of installation"),
        (INSTALLATION, TokenRevoked(token="t"), "TokenRevoked is no event of installation"),
        ("t-1", REVOKED, "InstallationTokenRevoked is no event of t-1"),
    ],
)
def test_events_of_other_logs_are_refused(tournament, event, said):
    broken = event_fault(first(tournament, event))
    assert broken is not None
    assert said in str(broken)


@pytest.mark.parametrize("source", ["pairing", "scoring"])
def test_only_registration_revokes_tokens(source):
    assert "is no event of" in str(event_fault(first(INSTALLATION, REVOKED, source)))
