"""Logs changed as somebody would who can write every hash anew, and what an audit says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from shared.log.event import GENESIS, Recorded, canonical_json, compute_hash, event_id

Logs = dict[str, list[Recorded]]
Event = dict[str, Any]
"""An event as a forger has it in hand: `type`, `data`, `command` (the record, or empty), and `row` as recorded."""


def in_hand(log: list[Recorded]) -> list[Event]:
    """The events of a log as a forger has them."""
    return [
        {"row": row, "type": row.type, "data": json.loads(row.data), "command": row.command and json.loads(row.command)}
        for row in log
    ]


def forged(logs: Logs, source: str, forge: Callable[[list[Event]], int], *, whole: bool = True) -> tuple[Logs, int]:
    """The logs with one of them changed, and every place, link and hash in it made anew, as a forger would.

    forge: changes the events, and says which of them (from 0) has to be named. whole: or else as far as the last event
    of the command that has to be named.
    """
    told = in_hand(logs[source])
    index = forge(told)
    if not whole:
        del told[next((later for later in range(index + 1, len(told)) if told[later]["command"]), len(told)) :]
    made, previous = [], GENESIS
    for position, event in enumerate(told, 1):
        row = event["row"]
        values = {name: getattr(row, name) for name in row.__struct_fields__}
        id = event_id(source, row.tournament, position)
        values |= {"position": position, "id": id, "data": canonical_json(event["data"]), "prev_hash": previous}
        values["command"] = canonical_json(event["command"]) if event["command"] else ""
        previous = compute_hash(Recorded(**values))
        made.append(Recorded(**{**values, "hash": previous}))
    return {**logs, source: made}, index + 1


def anything(data: Any) -> bool:
    """Whatever the data of an event are."""
    return True


def of(told: list[Event], kind: str, like: Callable[[Any], bool] = anything) -> int:
    """The first event of a kind whose data are like that."""
    return next(index for index, event in enumerate(told) if event["type"] == kind and like(event["data"]))


def without(kind: str, like: Callable[[Any], bool] = anything) -> Any:
    """A forgery that removes an event on which no command stands; the one before it, of the same command, is named."""

    def forge(told: list[Event]) -> int:
        index = next(
            number
            for number, event in enumerate(told)
            if event["type"] == kind and not event["command"] and like(event["data"])
        )
        del told[index]
        return index - 1

    return forge


def change(kind: str, do: Callable[[Any], object], like: Callable[[Any], bool] = anything) -> Any:
    """A forgery that changes one event, and should be named there."""

    def forge(told: list[Event]) -> int:
        index = of(told, kind, like)
        do(told[index]["data"])
        return index

    return forge
