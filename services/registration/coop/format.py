"""The row of co-operative events in registration."""

from __future__ import annotations

from services.registration.coop.decide import announced_with
from services.registration.tournament.format import RegistrationFormat

COOP = RegistrationFormat(
    name="coop",
    operator_data=announced_with,
    links={
        "invitation": ("registration", "/players/{player}/invitation"),
        "tables": ("pairing", "/session-rounds"),
        "games": ("scoring", "/sessions"),
        "standing": ("scoring", "/ranking/{player}"),
    },
)
