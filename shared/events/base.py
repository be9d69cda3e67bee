"""What every event of ours has in common."""

from __future__ import annotations

from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A complete statement in the past tense; its class name is its type on the wire.

    Members hold strings, whole numbers, booleans, lists and objects. A member at its default is left out.
    """


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A part of an event that has several members of its own."""


StoredEvent = Any
"""What folding is handed of the row that an event came in: `position`, `type`, `time`, `actor`."""
