"""The row of campaigns in registration."""

from __future__ import annotations

from services.registration.tournament.format import RegistrationFormat
from services.registration.tournament.refusals import RoundsByOption
from shared.formats.campaign.rules.ruleset import CampaignRuleset
from shared.refusals import Fault
from shared.rules.ruleset import AnyRuleset


def refuse_rounds(ruleset: AnyRuleset, rounds: int | None) -> None:
    """Raises RoundsByOption for another number of rounds than the option has. FS-LGE-3."""
    planned = ruleset.rules.options.rounds if isinstance(ruleset, CampaignRuleset) else rounds
    if rounds not in (None, planned):
        raise RoundsByOption(
            f"The option fs.campaign.rounds says {planned} rounds.",
            [Fault("/rounds", str(rounds), f"{planned}, or nothing", "FS-LGE-3")],
        )


CAMPAIGN = RegistrationFormat(
    name="campaign",
    refuse_rounds=refuse_rounds,
    links={
        "group": ("registration", "/players/{player}/group"),
        "game": ("pairing", "/players/{player}/pairing"),
        "standing": ("scoring", "/standings/{player}"),
    },
)
