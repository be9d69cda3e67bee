"""What a command would do, shown instead of done: the events that are certain, what is not, and what would move.

A command is decided as it would be now, and again with whatever differs from one request to the next: another moment,
other random text (`shared.shapes.MadeAnew`) and, if it draws, other answers. What is the same each time is certain.
Who meets whom is shown as it will be drawn, since the same field gives the same draw. Lots and dice are drawn when the
command is done: nobody looks at one before choosing.
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
from shared.shapes import MadeAnew, View
from shared.tournament.draws import Oracle, SeededDraws
from shared.tournament.guards import By
from shared.tournament.state import PrivateRow
from shared.web.tokens import Caller

FIRST_GUESS, *OTHER_GUESSES = (SeededDraws(f"preview {number}") for number in (1, 2, 3))
"""Answers to the questions of a preview: what is the same with all of them does not depend on a die."""

LATER = timedelta(seconds=61, milliseconds=1)
PREVIEW_ID = "foreseen"
"""The id of commands that nobody has run."""


class PreviewDraws:
    """Answers the questions of a preview.

    A draw that staff may see before it is recorded, and one that the log holds, are shown as they are. Any other is
    guessed, and so are those of a tournament without a secret. guessed: whether there was one.
    """

    def __init__(self, oracle: Oracle, guess: SeededDraws = FIRST_GUESS) -> None:
        self._oracle, self._guess = oracle, guess
        self.guessed = False

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer, or one that says nothing of the true one, as 64 hex digits."""
        if self._oracle.has_answered(question) or (about and self._oracle.is_committed):
            return self._oracle.answer(question, about)
        self.guessed = True
        return self._guess.answer(question)


class EventForeseen(View, frozen=True, kw_only=True):
    """An event that would be appended."""

    source: Annotated[str, "The service whose log it would be in."]
    type: str
    data: dict[str, Any]


class Uncertain(View, frozen=True, kw_only=True):
    """Something that is known once the command is done."""

    where: Annotated[str, "JSON pointer into this answer: a member that is left out, or the first of events to come."]
    reason: Annotated[
        Literal["made", "rolled"],
        "made: an id, a secret or a time of the moment; rolled: a lot or dice, drawn when the command is done.",
    ]


class NothingMoves(View, frozen=True, kw_only=True):
    """Nothing that is shown elsewhere would be another."""


class PreviewView(View, frozen=True, kw_only=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    preview: bool = True
    events: Annotated[list[EventForeseen], "That are certain, in order; none, and nothing uncertain: nothing changes."]
    uncertain: list[Uncertain]
    moves: Any


class PreviewOutcome(Struct, frozen=True):
    """A tournament before a command, and after the events that are certain."""

    tournament: str
    command: Any
    before: LoadedAggregate
    after: LoadedAggregate
    events: Sequence[Recorded]
    uncertain: Sequence[Uncertain]

    def typed(self) -> list[Event]:
        """The events as decisions make them."""
        return [read_event(event.type, event.version, event.data) for event in self.events]


Moves = Callable[[PreviewOutcome, Caller | None], View]
"""What a command would move beside its events: a struct of the service's own."""


class Previews(Struct, frozen=True):
    """How a service shows what a command would do. shape: of its answers. moves: what stands in their `moves`."""

    shape: type[PreviewView] = PreviewView
    moves: Moves = lambda foreseen, who: NothingMoves()

    def view(self, foreseen: PreviewOutcome, who: Caller | None) -> PreviewView:
        """The answer. who: asks, and is shown nothing that is not theirs to see."""
        left_out = {one.where for one in foreseen.uncertain}
        return self.shape(
            events=[
                EventForeseen(
                    source=event.source,
                    type=event.type,
                    data=_without(public_data(event), f"/events/{place}/data", left_out),
                )
                for place, event in enumerate(foreseen.events)
            ],
            uncertain=list(foreseen.uncertain),
            moves=self.moves(foreseen, who),
        )


EVENTS_ONLY = Previews()
"""Events alone."""


def preview(
    handler: CommandHandler, envelope: CommandEnvelope, preceding: Sequence[CommandEnvelope] = ()
) -> PreviewOutcome:
    """Return what a command would append, and what would follow; nothing is appended. Raises as `CommandHandler.run`.

    The first look of staff at a draw is noted, see `Oracle.changes`.
    preceding: commands that a rule gives before it. A request that was done already does nothing more.
    """
    handler.may_append()
    with handler.repository.now(envelope.tournament) as loaded:
        before = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
        after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
        moment, ahead = handler.now(), [event for one in preceding for event in _taken(handler, one, after)]
        base = after if ahead else loaded
        certain: Sequence[Recorded] = ()
        uncertain: Sequence[Uncertain] = ()
        rows: Sequence[PrivateRow] = ()
        if not handler.was_done(envelope, loaded):
            oracle = handler.oracle(envelope.tournament, base)
            draws = PreviewDraws(oracle)
            events, rows = handler.foreseen(envelope, base, moment, draws)
            if oracle.looks:
                try:
                    with handler.database.writing() as connection:
                        handler.private.write(connection, envelope.tournament, loaded.state.private, oracle.looks)
                except HeadMoved:
                    return preview(handler, envelope, preceding)
                for one in (loaded, before, after):
                    one.take_rows(oracle.looks)
            creates_tournament = not base.heads[handler.source].position  # with an id that is made for this request
            other = replace(
                envelope,
                command=made_anew(envelope.command),
                tournament=PREVIEW_ID if creates_tournament else envelope.tournament,
            )
            anew = _unless_refused(handler, other, base, later(moment), draws)
            others = [PreviewDraws(oracle, guess) for guess in OTHER_GUESSES] if draws.guessed else []
            rolled = [_unless_refused(handler, envelope, base, moment, guesses) for guesses in others]
            certain, uncertain = compared(events, anew, rolled, len(ahead))
    after.take(certain)
    after.take_rows(rows)
    return PreviewOutcome(envelope.tournament, envelope.command, before, after, [*ahead, *certain], uncertain)


def simulate(handler: CommandHandler, tournament: str, commands: Sequence[Any], by: By) -> LoadedAggregate:
    """Return a tournament as it would be after commands, one after the other; nothing is appended. Raises as `run`."""
    with handler.repository.now(tournament) as loaded:
        after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
    for command in commands:
        after.foreseen |= bool(_taken(handler, CommandEnvelope(tournament, command, by, PREVIEW_ID), after))
    return after


def _taken(handler: CommandHandler, envelope: CommandEnvelope, after: LoadedAggregate) -> list[Recorded]:
    """Return the events of a command, and fold them into `after`; no log has them."""
    draws = PreviewDraws(handler.oracle(envelope.tournament, after))
    recorded, rows = handler.foreseen(envelope, after, handler.now(), draws)
    after.take(recorded)
    after.take_rows(rows)
    return recorded


def _unless_refused(
    handler: CommandHandler, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, draws: Draws
) -> list[Recorded]:
    try:
        return handler.foreseen(envelope, loaded, moment, draws)[0]
    except Refusal:
        return []


def made_anew(command: Any) -> Any:
    """The command as another request would bring it: with other random text."""
    other = {name: sha256(getattr(command, name).encode()).hexdigest() for name in _random(type(command))}
    return replace(command, **{name: text for name, text in other.items() if getattr(command, name)})


def later(moment: str) -> str:
    """Another moment, as events have it."""
    found = datetime.fromisoformat(moment) + LATER
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def compared(
    told: Sequence[Recorded],
    anew: Sequence[Recorded],
    rolled: Sequence[Sequence[Recorded]],
    start: int = 0,
) -> tuple[Sequence[Recorded], list[Uncertain]]:
    """The events that are certain, and what is not.

    told: as decided now. anew: at another moment, with other random text. rolled: each time with other answers, if
    those of `told` are guessed. start: how many events stand before them in the answer.
    """
    certain: list[Recorded] = []
    uncertain: list[Uncertain] = []
    for place, event in enumerate(told):
        where = f"/events/{start + place}"
        if any(len(other) <= place or _said(other[place]) != _said(event) for other in rolled):
            return certain, [*uncertain, Uncertain(where=where, reason="rolled")]
        if len(anew) <= place or anew[place].type != event.type:
            return certain, [*uncertain, Uncertain(where=where, reason="made")]
        certain.append(event)
        found = _differing(public_data(event), public_data(anew[place]), f"{where}/data")
        uncertain += [Uncertain(where=one, reason="made") for one in found]
        if rolled:
            drawn = _drawn(public_data(event))
            uncertain += [Uncertain(where=f"{where}/data/{name}", reason="rolled") for name in drawn]
    return certain, uncertain


def _drawn(data: dict[str, Any]) -> list[str]:
    """Return the members of an event that follow from a lot. Rows of tied players are in no order yet."""
    return [name for name in ("seed", "draws", *(["winner"] if data.get("draws") else [])) if data.get(name)]


def _said(event: Recorded) -> tuple[str, dict[str, Any]]:
    """Return what an event says, apart from what follows from a lot."""
    data = public_data(event)
    lots = {*_drawn(data), *(["rows"] if data.get("draws") else [])}
    return event.type, {name: value for name, value in data.items() if name not in lots}


def _differing(one: Any, other: Any, where: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one:
            yield from _differing(one[name], other.get(name), f"{where}/{_escaped(name)}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (this, that) in enumerate(zip(one, other, strict=True)):
            yield from _differing(this, that, f"{where}/{place}")
    elif one != other:
        yield where


def _without(value: Any, where: str, left_out: set[str]) -> Any:
    """A value without the members that are uncertain; in a list null stands in their place."""
    if isinstance(value, dict):
        places = {name: f"{where}/{_escaped(name)}" for name in value}
        return {
            name: _without(one, places[name], left_out) for name, one in value.items() if places[name] not in left_out
        }
    if isinstance(value, list):
        return [
            None if (place := f"{where}/{index}") in left_out else _without(one, place, left_out)
            for index, one in enumerate(value)
        ]
    return value


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _random(kind: type[Struct]) -> list[str]:
    hints = get_type_hints(kind, include_extras=True)
    names = [info.name for info in msgspec.structs.fields(kind)]
    return [
        name
        for name in names
        if get_origin(hints[name]) is Annotated
        and any(isinstance(note, MadeAnew) for note in get_args(hints[name])[1:])
    ]
