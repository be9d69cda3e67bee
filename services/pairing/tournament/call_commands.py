"""What pairing can be asked about judges who are called to tables."""

from __future__ import annotations

from typing import Annotated, Literal

from shared.shapes import Command, Id, Text

CallReason = Literal["rules", "time", "dispute", "other"]


class CallJudge(Command, frozen=True, kw_only=True):
    """game: at whose table; a player calls to their own alone. text: what it is about, for staff."""

    game: Id
    reason: CallReason = "other"
    text: Annotated[str, Text(200)] = ""


class TakeCall(Command, frozen=True, kw_only=True):
    """Whoever asks goes to the table."""

    call: Id


class AnswerCall(Command, frozen=True, kw_only=True):
    """answer: what the judge said at the table; whoever called reads it, and staff."""

    call: Id
    answer: Annotated[str, Text(500, minimum=1)]


class WithdrawCall(Command, frozen=True, kw_only=True):
    """Nobody has to come any more."""

    call: Id
