"""What a format of tournaments is made of: one literal row for each, in its own room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from shared.events.base import Event
from shared.refusals import Fault
from shared.rules.printed_forms import Form, Printed, titles_of
from shared.rules.ruleset import AnyRuleset
from shared.tournament.placings import Replay, ResultRow
from shared.tournament.state import Change, Reach, Slice, Tournament

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Format(Struct, frozen=True, kw_only=True):
    """A kind of tournaments.

    ruleset: what its packs become. faults: what a ruleset of the right shape still gets wrong. example: what is illegal
    about its example roster; legal: the same with an example that its options leave legal.
    with_catalogue: a ruleset with what rosters may hold, as JSON has it; last, what the pointers of faults begin with.
    printed: what stands on a form of a ruleset beside its lines.
    events: owner -> events that only this format has. slices: of the state; changes: owner -> event -> what it does.
    clock: whether a round has to be begun before anything is reported of it.
    planned_rounds: how many are to be played; None where nobody has fixed it.
    improbable: what of possible facts no game is likely to bring, each at its place in them, by the state before them.
    final_results: what a concluded tournament is worth to a season; None where no season counts it.
    replay: how its places are found again in a log; None where nobody prints them.
    vouched: how each thing stands that rests on one word, for whoever verifies a log; nothing fails by it.
    """

    name: str
    ruleset: type[AnyRuleset]
    faults: Callable[[Any], list[Fault]]
    example: Callable[[Any], list[Fault]] = lambda ruleset: []
    legal: Callable[[Any], Any] = lambda ruleset: ruleset
    with_catalogue: Callable[[Any, Mapping[str, Any], str], Any] | None = None
    printed: Callable[[Any, Form], Printed] = lambda ruleset, form: Printed(titles_of(form, None), form.instructions)
    events: Mapping[str, Sequence[type[Event]]] = NOTHING
    slices: Sequence[Slice[Any]] = ()
    changes: Mapping[str, Mapping[type, tuple[Reach, Change]]] = NOTHING
    clock: bool = False
    planned_rounds: Callable[[Tournament], int | None] = lambda state: state.entries.rounds
    improbable: Callable[[Tournament, Mapping[str, Any]], list[Fault]] = lambda state, facts: []
    final_results: Callable[[Tournament], list[ResultRow]] | None = None
    replay: Replay | None = None
    vouched: Callable[[Tournament], Iterable[str]] = lambda state: ()
