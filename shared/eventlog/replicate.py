"""Accept foreign events as verified copies: the one rule that gives order, exactly-once and tamper evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from shared.eventlog.database import Connection, Database
from shared.eventlog.read import hash_at, head_of, heads_of_several
from shared.eventlog.verify import Broken, verify
from shared.events.recorded import EMPTY, Head, Recorded


class Outcome(StrEnum):
    """What became of a foreign event: it is the copy's new end, was known already, or something before it misses."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    GAP = "gap"


Verdict = Outcome | Broken
InlineProjection = Callable[[Connection, Sequence[Verdict], Sequence[int]], None]
Place = tuple[str, str]


def accept(database: Database, events: Sequence[Recorded]) -> Outcome:
    """Copy consecutive events of one foreign log, as far as they are new; durable on return.

    GAP: the first one lies beyond the copy's end, nothing was written; fetch what misses from the owner.
    Raises Broken when an event's hash, link or order does not hold, or when a known position carries another hash
    than the copy does (a fork): then nothing of the batch is written.
    """
    verdict = accept_all(database, [events])[0]
    if isinstance(verdict, Broken):
        raise verdict
    return verdict


def accept_all(
    database: Database, runs: Sequence[Sequence[Recorded]], also: InlineProjection | None = None
) -> list[Verdict]:
    """Copy several runs of consecutive events in one transaction; durable on return.

    Each run is judged by itself, as `accept` does; a Broken one is returned instead of raised, and the others are
    written all the same. Runs of one log are taken in the order given.
    also: more to write in the same transaction, told what became of each run, and how many events at its end are new.
    """
    verdicts: list[Verdict] = [_verified(run) for run in runs]
    new = [0] * len(runs)
    # In one order everywhere: two writers that meet wait for each other, and never both.
    order = sorted(range(len(runs)), key=lambda index: (runs[index][0].source, runs[index][0].tournament, index))
    with database.writing() as connection:
        known = _heads(connection, [_place(run) for run in runs])
        for index in order:
            if not isinstance(verdicts[index], Broken):
                verdicts[index], new[index] = _take(connection, known, runs[index])
        if also is not None:
            also(connection, verdicts, new)
    return verdicts


def _verified(run: Sequence[Recorded]) -> Verdict:
    try:
        verify(run, Head(run[0].position - 1, run[0].prev_hash))
    except Broken as broken:
        return broken
    return Outcome.GAP


def _take(connection: Connection, known: dict[Place, Head], run: Sequence[Recorded]) -> tuple[Verdict, int]:
    """Copy what is new of a run; returns what became of it, and how many of its events are new."""
    place = _place(run)
    head = known.get(place, EMPTY)
    while True:
        if run[0].position > head.position + 1:
            return Outcome.GAP, 0
        behind = [event for event in run if event.position <= head.position]
        new = run[len(behind) :]
        try:
            # Between two hashes that the copy holds as well, a verified chain has no room for another event.
            for event in (behind[0], behind[-1]) if behind else ():
                _same(connection, event)
            if new and new[0].prev_hash != head.hash:
                raise Broken(new[0], f"prev_hash is {new[0].prev_hash}, the copy ends with {head.hash}")
        except Broken as broken:
            return broken, 0
        if not new:
            return Outcome.DUPLICATE, 0
        if connection.extend(head, new, own=False):
            known[place] = Head(new[-1].position, new[-1].hash)
            return Outcome.ACCEPTED, len(new)
        head = known[place] = head_of(connection, *place)  # another process was faster


def _place(run: Sequence[Recorded]) -> Place:
    return run[0].source, run[0].tournament


def _heads(connection: Connection, places: Sequence[Place]) -> dict[Place, Head]:
    found = heads_of_several(connection, sorted({tournament for _, tournament in places}))
    return {(source, tournament): head for tournament, heads in found.items() for source, head in heads.items()}


def _same(connection: Connection, event: Recorded) -> None:
    stored = hash_at(connection, event.source, event.tournament, event.position)
    if stored != event.hash:
        raise Broken(event, f"this position holds {stored} already, the event carries {event.hash}")
