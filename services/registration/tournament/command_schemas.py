"""Shapes that the other rooms of registration still take from here."""

from __future__ import annotations

from shared.web.fields import Schema, Text


class Reason(Schema):
    """Why; it stands in the public log."""

    reason = Text(500, minimum=1, required=True)


class OptionalReason(Schema):
    """Why, if anybody should know; it stands in the public log."""

    reason = Text(500, load_default="")
