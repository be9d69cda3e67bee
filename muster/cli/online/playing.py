"""How `muster play` plays a tournament: one module for each format, imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from muster.cli.faults import refuse
from muster.client.client import Muster
from shared.refusals import Fault
from shared.rules.ruleset import AnyRuleset

Say = Callable[[str], None]
"""Is told a line of progress now and then."""


class PlayRequest(NamedTuple):
    """What somebody wants to see played.

    ruleset: with its options set. body: of the announcement, as far as every format has it. players, venues: how many;
    rounds: None as the ruleset says. operator_data: the file of what a co-operative game's sheets say, if given.
    """

    ruleset: AnyRuleset
    body: dict[str, Any]
    players: int
    rounds: int | None
    venues: int
    seed: str
    operator_data: str | None = None


class Playing(NamedTuple):
    """One format. check: leaves with the exit code for bad input where what is asked could not be played to its end.

    play: announces and plays, and returns the final places as scoring shows them, a mapping with the id under
    `tournament`; raises Refused, Unreachable. show: writes these to standard output as table, csv or json.
    """

    check: Callable[[PlayRequest], None]
    play: Callable[[Muster, PlayRequest, Say], Any]
    show: Callable[[Any, str], None]


FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "swiss": "muster.cli.online.play_swiss",
        "coop": "muster.cli.online.play_coop",
        "campaign": "muster.cli.online.play_campaign",
    }
)
"""Format -> the module whose PLAYING plays it."""


def playing_of(format: str) -> Playing:
    """How a format is played; another one than these goes to standard error."""
    if format not in FORMATS:
        refuse([Fault("--ruleset", f"is of the format {format}", "a ruleset of the format " + " or ".join(FORMATS))])
    found: Playing = import_module(FORMATS[format]).PLAYING
    return found
