"""The formats as registration knows them: one row each."""

from __future__ import annotations

from services.registration.campaign.ruleset_moves import refuse_rounds
from services.registration.coop.decide import announced_with
from services.registration.swiss.decide import dates_of_lists, dropped_for_absence
from services.registration.tournament.format import RegistrationFormat
from shared.tournament.publication import CUT, ROUNDS, STANDINGS

FORMATS: dict[str, RegistrationFormat] = {
    "swiss": RegistrationFormat(
        on_purpose=(ROUNDS, CUT, STANDINGS),
        absent=dropped_for_absence,
        dates=dates_of_lists,
        links={
            "roster": ("registration", "/players/{player}/roster"),
            "game": ("pairing", "/players/{player}/pairing"),
            "clock": ("pairing", "/clock"),
            "games": ("scoring", "/games"),
            "standing": ("scoring", "/standings/{player}"),
        },
    ),
    "campaign": RegistrationFormat(
        on_purpose=(ROUNDS,),
        refuse_rounds=refuse_rounds,
        links={
            "group": ("registration", "/players/{player}/group"),
            "game": ("pairing", "/players/{player}/pairing"),
            "standing": ("scoring", "/standings/{player}"),
        },
    ),
    "coop": RegistrationFormat(
        operator_data=announced_with,
        links={
            "invitation": ("registration", "/players/{player}/invitation"),
            "tables": ("pairing", "/session-rounds"),
            "games": ("scoring", "/sessions"),
            "standing": ("scoring", "/ranking/{player}"),
        },
    ),
    "season": RegistrationFormat(),
}
"""Format -> its row."""
