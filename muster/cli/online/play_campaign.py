"""`muster play` for the format campaign: what can be played to its end, and the simulation that does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muster.cli.faults import refuse
from muster.cli.online.playing import Playing, PlayRequest, Say
from muster.client.client import Muster
from muster.client.places import show_standings
from muster.simulator.campaign_simulation import CampaignSimulation
from muster.simulator.director import Director
from shared.formats.campaign.rules.ruleset import CampaignRuleset
from shared.refusals import Fault

ROUNDS = "fs.campaign.rounds"
"""The option that says how many rounds a campaign has. FS-AMB-59."""


def check(asked: PlayRequest) -> None:
    """Leave with the exit code for bad input where such a campaign could not be played to its end."""
    if faults := [*_faults(asked)]:
        refuse(faults)


def play(muster: Muster, asked: PlayRequest, say: Say) -> Any:
    """Announce and play; the final table as scoring shows it. Raises Refused, Unreachable."""
    ruleset = _ruleset(asked)
    rounds = asked.rounds or ruleset.rules.options.rounds
    options = asked.body["options"] | ({ROUNDS: str(rounds)} if asked.rounds else {})
    director = Director.announce(muster, **asked.body | {"rounds": None, "options": options})
    say(f"{director.id}: {ruleset.title}, {asked.players} players, {rounds} rounds")
    return CampaignSimulation(director, ruleset.rules, asked.players, rounds, asked.venues, asked.seed, say).play()


def _faults(asked: PlayRequest) -> Iterator[Fault]:
    ruleset, given = _ruleset(asked), asked.body["options"].get(ROUNDS)
    if asked.operator_data is not None:
        yield Fault("--operator-data", "of a tournament of the format campaign", "nothing, or a co-operative event")
    least = max(2 * asked.venues, ruleset.entry.minimum_players)
    if asked.players < least:
        yield Fault(
            "--players",
            str(asked.players),
            f"{least} or more, two at each venue",
            ruleset.entry.cites("minimum_players"),
        )
    if asked.rounds and given is not None and given != str(asked.rounds):
        yield Fault("--rounds", f"{asked.rounds}, and {given} by --option {ROUNDS}", "the same number")
    if asked.rounds and ROUNDS not in [option.key for option in ruleset.options]:
        most = ruleset.rules.options.rounds
        if asked.rounds != most:
            yield Fault("--rounds", str(asked.rounds), f"{most}, as the pack says, which has no option for it")


def _ruleset(asked: PlayRequest) -> CampaignRuleset:
    assert isinstance(asked.ruleset, CampaignRuleset)  # this module is looked up by the format
    return asked.ruleset


PLAYING = Playing(check, play, show_standings)
