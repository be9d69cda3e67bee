"""Previews: the events that a command would append, and their consequences. Nothing is appended.

A preview decides a command several times, varying what differs from one request to the next: the time, random text
(`shared.shapes.FreshRandom`) and, if the command draws, the answers. Values that are the same each time are certain.
Pairings are shown as they will be drawn, because the same field gives the same draw. Lots and dice are drawn only when
the command runs, so that no one can look at a draw before choosing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.formats.fold import copy_of, read_event
from shared.log.event import Event, Recorded
from shared.log.log import HeadMoved
from shared.refusals import Refusal
from shared.rules.model import Draws
from shared.service.commands import CommandEnvelope, CommandHandler
from shared.service.state import LoadedAggregate
from shared.service.views import public_data
from shared.shapes import FreshRandom, View
from shared.tournament.draws import Oracle, SeededDraws
from shared.tournament.guards import By
from shared.tournament.state import PrivateRow
from shared.web.body import pointer
from shared.web.tokens import Caller

FIRST_GUESS, *OTHER_GUESSES = (SeededDraws(f"preview {number}") for number in (1, 2, 3))
"""Made-up answers to the questions of a preview. A value that is the same with all of them depends on no draw."""

LATER = timedelta(seconds=61, milliseconds=1)
PREVIEW_ID = "foreseen"
"""The id of commands that are only simulated."""


class PreviewDraws:
    """The draws of a preview.

    A draw that the log holds, or that staff may see before it is recorded, has its real answer. The answer to any other
    draw is made up, and so are all answers in a tournament without a secret. guessed: an answer was made up.
    """

    def __init__(self, oracle: Oracle, guess: SeededDraws = FIRST_GUESS) -> None:
        self._oracle, self._guess = oracle, guess
        self.guessed = False

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question, or a made-up one, as 64 hex digits."""
        if self._oracle.has_answered(question) or (about and self._oracle.is_committed):
            return self._oracle.answer(question, about)
        self.guessed = True
        return self._guess.answer(question)


class EventForeseen(View, frozen=True, kw_only=True):
    """An event that would be appended."""

    source: Annotated[str, "The service that would append it."]
    type: str
    data: dict[str, Any]


class Uncertain(View, frozen=True, kw_only=True):
    """A value that is not known before the command runs."""

    where: Annotated[str, "JSON pointer into this answer: an omitted member, or the first of the events that follow."]
    reason: Annotated[
        Literal["made", "rolled"],
        "made: an id, a secret or a time; rolled: a lot or dice, drawn when the command runs.",
    ]


class NothingMoves(View, frozen=True, kw_only=True):
    """The consequences of a command that changes nothing shown elsewhere."""


class PreviewView(View, frozen=True, kw_only=True):
    """The preview of a command; nothing was appended.

    With its ETag in If-Match, the command runs as shown or not at all.
    """

    preview: bool = True
    events: Annotated[list[EventForeseen], "The certain events, in order. Without uncertain values: all of them."]
    uncertain: list[Uncertain]
    moves: Any


class PreviewOutcome(Struct, frozen=True):
    """A tournament before a command, and after its certain events."""

    tournament: str
    command: Any
    before: LoadedAggregate
    after: LoadedAggregate
    events: Sequence[Recorded]
    uncertain: Sequence[Uncertain]

    def decoded_events(self) -> list[Event]:
        """Return the events as decisions make them."""
        return [read_event(event.type, event.version, event.data) for event in self.events]


Moves = Callable[[PreviewOutcome, Caller | None], View]
"""Computes the consequences of a command beyond its events, as a struct of the service."""


class Previews(Struct, frozen=True):
    """The previews of a service. shape: the struct of its answers. moves: computes their member `moves`."""

    shape: type[PreviewView] = PreviewView
    moves: Moves = lambda foreseen, caller: NothingMoves()

    def view(self, foreseen: PreviewOutcome, caller: Caller | None) -> PreviewView:
        """Return the answer, limited to what the caller may see."""
        omitted = {uncertain.where for uncertain in foreseen.uncertain}
        return self.shape(
            events=[
                EventForeseen(
                    source=event.source,
                    type=event.type,
                    data=_without(public_data(event), f"/events/{place}/data", omitted),
                )
                for place, event in enumerate(foreseen.events)
            ],
            uncertain=list(foreseen.uncertain),
            moves=self.moves(foreseen, caller),
        )


EVENTS_ONLY = Previews()
"""Previews of events without further consequences."""


def preview(
    handler: CommandHandler, envelope: CommandEnvelope, preceding: Sequence[CommandEnvelope] = ()
) -> PreviewOutcome:
    """Return the effect of a command without appending anything. Raises the exceptions of `CommandHandler.run`.

    Records when staff see a draw for the first time, see `Oracle.changes`. A request that was handled before has no
    further effect. preceding: commands that a rule runs before this one.
    """
    handler.may_append()
    with handler.repository.now(envelope.tournament) as loaded:
        before = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
        after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
        moment = handler.now()
        ahead = [event for before_it in preceding for event in _apply(handler, before_it, after)]
        base = after if ahead else loaded
        certain: Sequence[Recorded] = ()
        uncertain: Sequence[Uncertain] = ()
        rows: Sequence[PrivateRow] = ()
        if not handler.was_done(envelope, loaded):
            oracle = handler.oracle(envelope.tournament, base)
            draws = PreviewDraws(oracle)
            events, rows = handler.preview_events(envelope, base, moment, draws)
            if oracle.looks:
                try:
                    with handler.database.writing() as connection:
                        handler.private.write(connection, envelope.tournament, loaded.state.private, oracle.looks)
                except HeadMoved:
                    return preview(handler, envelope, preceding)
                for state in (loaded, before, after):
                    state.take_rows(oracle.looks)
            creates_tournament = not base.heads[handler.source].position  # whose id is made for this request
            other_request = replace(
                envelope,
                command=with_other_random_text(envelope.command),
                tournament=PREVIEW_ID if creates_tournament else envelope.tournament,
            )
            repeated = _events_unless_refused(handler, other_request, base, later(moment), draws)
            other_draws = [PreviewDraws(oracle, guess) for guess in OTHER_GUESSES] if draws.guessed else []
            rerolled = [_events_unless_refused(handler, envelope, base, moment, guesses) for guesses in other_draws]
            certain, uncertain = compare_decisions(events, repeated, rerolled, len(ahead))
    after.take(certain)
    after.take_rows(rows)
    return PreviewOutcome(envelope.tournament, envelope.command, before, after, [*ahead, *certain], uncertain)


def simulate(handler: CommandHandler, tournament: str, commands: Sequence[Any], by: By) -> LoadedAggregate:
    """Return a tournament as it would be after these commands. Nothing is appended.

    Raises the exceptions of `CommandHandler.run`.
    """
    with handler.repository.now(tournament) as loaded:
        after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
    for command in commands:
        after.foreseen |= bool(_apply(handler, CommandEnvelope(tournament, command, by, PREVIEW_ID), after))
    return after


def _apply(handler: CommandHandler, envelope: CommandEnvelope, after: LoadedAggregate) -> list[Recorded]:
    """Return the events that a command would append, and fold them into `after`."""
    draws = PreviewDraws(handler.oracle(envelope.tournament, after))
    recorded, rows = handler.preview_events(envelope, after, handler.now(), draws)
    after.take(recorded)
    after.take_rows(rows)
    return recorded


def _events_unless_refused(
    handler: CommandHandler, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, draws: Draws
) -> list[Recorded]:
    try:
        return handler.preview_events(envelope, loaded, moment, draws)[0]
    except Refusal:
        return []


def with_other_random_text(command: Any) -> Any:
    """Return the command as another request would send it: with other random text."""
    texts = {name: sha256(getattr(command, name).encode()).hexdigest() for name in _random_members(type(command))}
    return replace(command, **{name: text for name, text in texts.items() if getattr(command, name)})


def later(moment: str) -> str:
    """Return a later time, in the form of events."""
    time = datetime.fromisoformat(moment) + LATER
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def compare_decisions(
    events: Sequence[Recorded],
    repeated: Sequence[Recorded],
    rerolled: Sequence[Sequence[Recorded]],
    start: int = 0,
) -> tuple[Sequence[Recorded], list[Uncertain]]:
    """Return the certain events, and the pointers to uncertain values.

    events: decided now. repeated: decided at another time, with other random text. rerolled: decided with other draws,
    if the draws of `events` are made up. start: the number of events before them in the answer.
    """
    certain: list[Recorded] = []
    uncertain: list[Uncertain] = []
    for place, event in enumerate(events):
        where = f"/events/{start + place}"
        if any(len(others) <= place or _without_draws(others[place]) != _without_draws(event) for others in rerolled):
            return certain, [*uncertain, Uncertain(where=where, reason="rolled")]
        if len(repeated) <= place or repeated[place].type != event.type:
            return certain, [*uncertain, Uncertain(where=where, reason="made")]
        certain.append(event)
        differences = _differences(public_data(event), public_data(repeated[place]), f"{where}/data")
        uncertain += [Uncertain(where=pointer, reason="made") for pointer in differences]
        if rerolled:
            drawn = _drawn_members(public_data(event))
            uncertain += [Uncertain(where=f"{where}/data/{name}", reason="rolled") for name in drawn]
    return certain, uncertain


def _drawn_members(data: dict[str, Any]) -> list[str]:
    """Return the names of the event members that a draw determines."""
    return [name for name in ("seed", "draws", *(["winner"] if data.get("draws") else [])) if data.get(name)]


def _without_draws(event: Recorded) -> tuple[str, dict[str, Any]]:
    """Return type and data of an event without the members that a draw determines, such as the order of ties."""
    data = public_data(event)
    drawn = {*_drawn_members(data), *(["rows"] if data.get("draws") else [])}
    return event.type, {name: value for name, value in data.items() if name not in drawn}


def _differences(first: Any, second: Any, where: str) -> Iterator[str]:
    """Yield a JSON pointer to each value that differs."""
    if isinstance(first, dict) and isinstance(second, dict):
        for name in first:
            yield from _differences(first[name], second.get(name), pointer(where, name))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for place, (inner_1, inner_2) in enumerate(zip(first, second, strict=True)):
            yield from _differences(inner_1, inner_2, f"{where}/{place}")
    elif first != second:
        yield where


def _without(value: Any, where: str, omitted: set[str]) -> Any:
    """Return a value without the uncertain members; in a list they are replaced by null."""
    if isinstance(value, dict):
        places = {name: pointer(where, name) for name in value}
        return {
            name: _without(inner, places[name], omitted) for name, inner in value.items() if places[name] not in omitted
        }
    if isinstance(value, list):
        return [
            None if (place := f"{where}/{index}") in omitted else _without(inner, place, omitted)
            for index, inner in enumerate(value)
        ]
    return value


def _random_members(kind: type[Struct]) -> list[str]:
    hints = get_type_hints(kind, include_extras=True)
    names = [info.name for info in msgspec.structs.fields(kind)]
    return [
        name
        for name in names
        if get_origin(hints[name]) is Annotated
        and any(isinstance(note, FreshRandom) for note in get_args(hints[name])[1:])
    ]
