"""Forged logs, with every hash recomputed, and the audit's findings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from shared.log.event import GENESIS, Recorded, canonical_json, compute_hash, event_id

Logs = dict[str, list[Recorded]]
Event = dict[str, Any]
"""An event as a forger has it in hand: `type`, `data`, `command` (the record, or empty), and `row` as recorded."""


def in_hand(log: list[Recorded]) -> list[Event]:
    """Return the events of a log as a forger edits them."""
    return [
        {"row": row, "type": row.type, "data": json.loads(row.data), "command": row.command and json.loads(row.command)}
        for row in log
    ]


def forged(logs: Logs, source: str, forge: Callable[[list[Event]], int], *, whole: bool = True) -> tuple[Logs, int]:
    """Return the logs with one of them forged and its positions, links and hashes recomputed.

    forge: changes the events and returns the index of the event that the audit must name, from 0.
    whole: the audit may name any event up to the last one of that command.
    """
    forged_events = in_hand(logs[source])
    index = forge(forged_events)
    if not whole:
        del forged_events[
            next(
                (later for later in range(index + 1, len(forged_events)) if forged_events[later]["command"]),
                len(forged_events),
            ) :
        ]
    made, previous = [], GENESIS
    for position, event in enumerate(forged_events, 1):
        row = event["row"]
        values = {name: getattr(row, name) for name in row.__struct_fields__}
        id = event_id(source, row.tournament, position)
        values |= {"position": position, "id": id, "data": canonical_json(event["data"]), "prev_hash": previous}
        values["command"] = canonical_json(event["command"]) if event["command"] else ""
        previous = compute_hash(Recorded(**values))
        made.append(Recorded(**{**values, "hash": previous}))
    return {**logs, source: made}, index + 1


def anything(data: Any) -> bool:
    """Match any event data."""
    return True


def of(events: list[Event], kind: str, like: Callable[[Any], bool] = anything) -> int:
    """Return the first event of a type with matching data."""
    return next(index for index, event in enumerate(events) if event["type"] == kind and like(event["data"]))


def without(kind: str, like: Callable[[Any], bool] = anything) -> Any:
    """Return a forgery that removes an event, which must be reported at the event before it in the same command."""

    def forge(events: list[Event]) -> int:
        index = next(
            number
            for number, event in enumerate(events)
            if event["type"] == kind and not event["command"] and like(event["data"])
        )
        del events[index]
        return index - 1

    return forge


def change(kind: str, do: Callable[[Any], object], like: Callable[[Any], bool] = anything) -> Any:
    """Return a forgery that changes one event, which must be reported there."""

    def forge(events: list[Event]) -> int:
        index = of(events, kind, like)
        do(events[index]["data"])
        return index

    return forge
