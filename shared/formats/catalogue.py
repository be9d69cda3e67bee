"""Every event there is: its owner, its version, its class. A literal table; docs/events.md is made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from shared.events.base import Event
from shared.events.recorded import Recorded
from shared.events.upcasting import UPCASTS, upcast
from shared.formats import FORMATS
from shared.tournament import calls, entries, results, rounds, screens, webhooks

_COMMON: Mapping[str, Iterable[type[Event]]] = MappingProxyType(
    {
        "registration": [*entries.EVOLVE, *screens.EVOLVE],
        "pairing": [*rounds.EVOLVE, *calls.EVOLVE],
        "scoring": [*results.EVOLVE, *webhooks.EVOLVE],
    }
)
"""Owner -> the events that a tournament of any format has: those that its slice of the state knows."""

OWNERS: dict[str, tuple[type[Event], ...]] = FORMATS.following(
    lambda: {
        owner: (*common, *(event for format in FORMATS.values() for event in format.events.get(owner, ())))
        for owner, common in _COMMON.items()
    }
)
"""Owner -> the events that this service appends; those of a campaign are appended by whoever owns the step."""


class UnknownEvent(Exception):
    """An event of a type or version that this code does not know: it was written by newer code."""


class EventType(msgspec.Struct, frozen=True):
    """A row of the catalogue. version: the one appended today; older ones are upcast when read."""

    name: str
    owners: tuple[str, ...]
    version: int
    schema: type[Event]
    decoder: msgspec.json.Decoder  # type: ignore[type-arg]


CATALOGUE: dict[str, EventType] = FORMATS.following(
    lambda: {
        schema.__name__: EventType(
            schema.__name__,
            tuple(owner for owner, owned in OWNERS.items() if schema in owned),
            1 + len(UPCASTS.get(schema.__name__, ())),
            schema,
            msgspec.json.Decoder(schema),
        )
        for schemas in OWNERS.values()
        for schema in schemas
    }
)


def read_event(type: str, version: int, data: str) -> Event:
    """The typed event that stored data means today, upcast when it was written in an older version.

    Raises UnknownEvent for a type or version of the future, msgspec.ValidationError when the data does not fit.
    """
    known = CATALOGUE.get(type)
    if known is None or version > known.version:
        raise UnknownEvent(f"{type} version {version}; this code knows {known.version if known else 'no such type'}")
    if version == known.version:
        return known.decoder.decode(data)  # type: ignore[no-any-return]
    return msgspec.convert(upcast(type, version, msgspec.json.decode(data)), known.schema)


def data_of(recorded: Recorded) -> dict[str, Any]:
    """What a stored event says today, as an object: for answers, which show what was recorded as it is meant now.

    Raises UnknownEvent as `read_event`.
    """
    data: dict[str, Any] = msgspec.json.decode(recorded.data)
    known = CATALOGUE.get(recorded.type)
    if known is None or recorded.version > known.version:
        raise UnknownEvent(f"{recorded.type} version {recorded.version}")
    return data if recorded.version == known.version else upcast(recorded.type, recorded.version, data)
