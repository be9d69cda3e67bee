"""`muster play` for the format coop: the data of the game, what can be played to its end, and the simulation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muster.cli.faults import refuse
from muster.cli.offline.chosen import plain_file
from muster.cli.online.playing import Playing, PlayRequest, Say
from muster.client.client import Muster
from muster.client.places import show_ranking
from muster.simulator.coop_simulation import CoopSimulation
from muster.simulator.coop_tables import playable
from muster.simulator.director import Director
from muster.simulator.made_up import made_up_data
from shared.formats.coop.rules.data import OperatorData, TableSize, read_data
from shared.formats.coop.rules.ruleset import CoopRuleset
from shared.refusals import Fault
from shared.rules.plain import placed
from shared.rules.refusals import DataRefused

ROUNDS = 2
"""Sessions of every survivor where nobody says how many."""


def check(asked: PlayRequest) -> None:
    """Leave with the exit code for bad input where such an event could not be played to its end."""
    found = _data(asked)[1]
    if faults := [*_faults(asked, found)]:
        refuse(faults)


def play(muster: Muster, asked: PlayRequest, say: Say) -> Any:
    """Announce and play, as a rehearsal where the data are made up; the final ranking as scoring shows it.

    Raises Refused, Unreachable.
    """
    ruleset, rounds = _ruleset(asked), asked.rounds or ROUNDS
    data, found = _data(asked)
    body = {"rounds": rounds, "operator_data": data, "rehearsal": found.placeholder, "sign_up": "open"}
    director = Director.announce(muster, **asked.body | body)
    rehearsal = ", a rehearsal" if found.placeholder else ""
    say(f"{director.id}: {ruleset.title}, {asked.players} players{rehearsal}")
    return CoopSimulation(director, ruleset, found, asked.players, rounds, asked.venues, asked.seed, say).play()


def _data(asked: PlayRequest) -> tuple[Any, OperatorData]:
    """What the operator enters: of the file, or made up; as sent and as read. Faults go to standard error."""
    if asked.operator_data is None:
        most, cards = TableSize().survivors_max, _ruleset(asked).kit.mutation_cards
        data = made_up_data(min(most, cards or most))
        return data, read_data(data)
    data, lines = plain_file(asked.operator_data)
    try:
        return data, read_data(data)
    except DataRefused as refusal:
        refuse(placed(refusal.faults, asked.operator_data, lines))


def _faults(asked: PlayRequest, data: OperatorData) -> Iterator[Fault]:
    size, cards = data.table, _ruleset(asked).kit.mutation_cards
    if not playable(data):
        yield Fault("--operator-data", "no side is complete", "one with factions, icons, track and goals", "AB-OPS-1")
    if asked.players < size.survivors_min:
        yield Fault("--players", str(asked.players), f"{size.survivors_min} or more, as sit at a table", "AB-SET-8")
    if cards and cards < size.survivors_max:
        expected = f"{cards} at most, as many as mutations"
        yield Fault("--operator-data", f"{size.survivors_max} survivors at a table", expected, "AB-SET-7")


def _ruleset(asked: PlayRequest) -> CoopRuleset:
    assert isinstance(asked.ruleset, CoopRuleset)  # this module is looked up by the format
    return asked.ruleset


PLAYING = Playing(check, play, show_ranking)
