"""What every event of ours has in common."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A part of an event that has several members of its own."""


class Answer(Part, frozen=True, kw_only=True):
    """The answer to a question that a command drew.

    number: of the secret that gave it. value: 64 hex digits. changes: of who takes part and of the ruleset, since
    staff saw first what the answer would make: `+p7` came, `-p3` left.
    """

    question: str
    number: int
    value: str
    changes: list[str] = []


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A complete statement in the past tense; its class name is its type on the wire.

    Members hold strings, whole numbers, booleans, lists and objects. A member at its default is left out.
    answers: on the first event of a command, the answers that were drawn for it.
    ends_secret: the secret that answers questions is revealed with it, and a new one takes its place. ends_draws: it is
    revealed with it, and no new one follows.
    """

    ends_secret: ClassVar[bool] = False
    ends_draws: ClassVar[bool] = False

    answers: list[Answer] = []


StoredEvent = Any
"""What folding is handed of the row that an event came in: `position`, `type`, `time`, `actor`."""
