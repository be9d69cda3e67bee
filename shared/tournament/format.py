"""What a format of tournaments is made of: one literal row for each, in its own room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from shared.events.base import Event
from shared.refusals import Fault
from shared.rules.ruleset import AnyRuleset
from shared.tournament.final_results import ResultRow
from shared.tournament.state import Change, Reach, Slice, Tournament

NOTHING: Mapping[Any, Any] = MappingProxyType({})


def no_faults(ruleset: Any) -> list[Fault]:
    """Of a ruleset without an example roster."""
    return []


def as_it_is(ruleset: Any) -> Any:
    """A ruleset without an example roster that options could make illegal."""
    return ruleset


class Format(Struct, frozen=True, kw_only=True):
    """A kind of tournaments.

    ruleset: what its packs become. faults: what a ruleset of the right shape still gets wrong. example: what is illegal
    about its example roster; legal: the same with an example that its options leave legal.
    events: owner -> events that only this format has. slices: of the state; changes: owner -> event -> what it does.
    planned_rounds: how many are to be played; None where nobody has fixed it.
    final_results: what a concluded tournament is worth to a season; None where no season counts it.
    """

    name: str
    ruleset: type[AnyRuleset]
    faults: Callable[[Any], list[Fault]]
    example: Callable[[Any], list[Fault]] = no_faults
    legal: Callable[[Any], Any] = as_it_is
    events: Mapping[str, Sequence[type[Event]]] = NOTHING
    slices: Sequence[Slice[Any]] = ()
    changes: Mapping[str, Mapping[type, tuple[Reach, Change]]] = NOTHING
    planned_rounds: Callable[[Tournament], int | None] = lambda state: state.entries.rounds
    final_results: Callable[[Tournament], list[ResultRow]] | None = None
