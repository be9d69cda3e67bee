"""`muster play` for the format swiss: what can be played to its end, and the simulation that does."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from muster.cli.faults import refuse
from muster.cli.online.playing import Playing, PlayRequest, Say
from muster.client.client import Muster
from muster.client.places import show_standings
from muster.simulator.director import Director
from muster.simulator.plausible import NoPlausibleResult, Table, plausible_result
from muster.simulator.simulation import Simulation
from shared.formats.swiss.rules.rounds import number_of_rounds
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scenarios import pool_of
from shared.refusals import Fault
from shared.rules.refusals import RoundsNotFixed


def check(asked: PlayRequest) -> None:
    """Leave with the exit code for bad input where such a tournament could not be played to its end."""
    if faults := [*_faults(asked, _ruleset(asked))]:
        refuse(faults)


def play(muster: Muster, asked: PlayRequest, say: Say) -> Any:
    """Announce and play; the final standings as scoring shows them. Raises Refused, Unreachable."""
    ruleset = _ruleset(asked)
    director = Director.announce(muster, **asked.body)
    say(f"{director.id}: {ruleset.title}, {asked.players} players")
    return Simulation(director, ruleset, asked.players, asked.venues, asked.seed, say).play()


def _faults(asked: PlayRequest, ruleset: Ruleset) -> Iterator[Fault]:
    if asked.operator_data is not None:
        yield Fault("--operator-data", "of a tournament of the format swiss", "nothing, or a co-operative event")
    level = next((known for known in ruleset.tiers if known.id == asked.body["tier"]), ruleset.tiers[0])
    try:
        if number_of_rounds(ruleset, asked.players, level.id) is None and asked.rounds is None:
            said = f"a number: for {asked.players} players the organiser says how many"
            yield Fault("--rounds", "nothing", said)
    except RoundsNotFixed as refusal:
        yield Fault("--players", refusal.detail)
    if level.list_due and not ruleset.roster.example:
        said = f"no `roster.example`, and a list is due at the tier {level.id}"
        yield Fault(ruleset.id, said, "a legal roster in the pack", level.cites("list_due"))
    for scenario in pool_of(ruleset) or [""]:
        try:
            plausible_result(ruleset, Table(scenario=scenario), Random(0))
        except NoPlausibleResult as error:
            yield Fault(ruleset.id, str(error), "a ruleset that takes a result of a game")


def _ruleset(asked: PlayRequest) -> Ruleset:
    assert isinstance(asked.ruleset, Ruleset)  # this module is looked up by the format
    return asked.ruleset


PLAYING = Playing(check, play, show_standings)
