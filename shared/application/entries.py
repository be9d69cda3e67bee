"""What was decided, as the log takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from shared.eventlog.append import Entry
from shared.events.base import Event
from shared.events.canonical import NotCanonical, canonical
from shared.events.command_record import CommandForm, recorded_texts
from shared.formats.fold import CATALOGUE
from shared.refusals import Fault
from shared.web.refusals import InvalidRequest


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """Events as the log takes them: each in its catalogue version, with canonical data.

    Raises InvalidRequest when they hold what no event can.
    """
    names = [type(event).__name__ for event in events]
    try:
        return [
            Entry(name, CATALOGUE[name].version, canonical(event)) for name, event in zip(names, events, strict=True)
        ]
    except NotCanonical as found:
        raise _cannot_hold(found) from found


def entries_on_record(
    events: Sequence[Event], command: msgspec.Struct, by: Mapping[str, Any], form: CommandForm
) -> list[Entry]:
    """The same with the command that they came of, and who gave it. Raises InvalidRequest."""
    entries = entries_of(events)
    if not entries:
        return []
    try:
        texts = recorded_texts(command, by, form, [msgspec.to_builtins(event) for event in events])
    except NotCanonical as found:
        raise _cannot_hold(found) from found
    return [msgspec.structs.replace(entry, command=text) for entry, text in zip(entries, texts, strict=True)]


def _cannot_hold(found: NotCanonical) -> InvalidRequest:
    expected = "text, whole numbers up to 2^53 - 1, lists and objects with names in ASCII"
    return InvalidRequest(
        "The log cannot hold this.", [Fault(found.where, found.found, f"{expected}; not {found.what}")]
    )
