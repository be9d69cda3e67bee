"""Taking statements back, as far as every format does it alike: draws of a repeated decision, and refusals."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from shared.log.event import Answer
from shared.refusals import Fault, Refusal, expects
from shared.tournament.statements import Statement, Statements


class KnownDraws(Struct, frozen=True):
    """Draws that answer only what the log has answered. answers: question -> answer."""

    answers: Mapping[str, Answer]

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the recorded answer. Raise StatementsFall for a new question."""
        if question in self.answers:
            return self.answers[question].value
        fault = Fault("/draws", "nothing", expects("lots-drawn-before"))
        raise StatementsFall("Deciding a statement again draws nothing new.", [fault])


def known_statement(said: Statements, position: int, types: Collection[str] = ()) -> Statement:
    """Return a statement. types: the types that can be taken back; empty for all.

    Raises StatementUnknown, also if it was taken back already.
    """
    statements = {known.position: known for known in said.statements if known.is_of(types)}
    if position in statements:
        return statements[position]
    if (earlier := said.taken_back.get(position)) is not None:
        fault = Fault("/statement", f"{position}", expects("not-taken-back-yet", event=earlier))
        raise StatementUnknown("This was taken back already.", [fault], taken_back_by=earlier)
    expected = expects("known-statement", statements=list(statements)) if statements else expects("no-statement")
    fault = Fault("/statement", f"{position}", expected)
    raise StatementUnknown("Nothing with this number was said here.", [fault])


def require_reason(reason: str) -> None:
    """Raise ReasonNeeded if a reason is empty."""
    if not reason.strip():
        fault = Fault("/reason", "nothing", expects("reason"))
        raise ReasonNeeded("Say why this is taken back.", [fault])


def require_none_falls(fallen: Mapping[int, Refusal]) -> None:
    """Raise StatementsFall with the later statements that no longer hold. fallen: their refusals, by position."""
    faults = [
        replace(fault, where=f"/statements/{position}{fault.where}")
        for position, refused in fallen.items()
        for fault in refused.faults or [Fault("", refused.detail, expects("statement-that-holds"))]
    ]
    if fallen:
        raise StatementsFall("Later statements would no longer hold.", faults, statements=sorted(fallen))


class StatementUnknown(Refusal):
    """There is no such statement that could be taken back; data: `taken_back_by`."""

    code = "statement-unknown"


class ReasonNeeded(Refusal):
    """A reason is needed."""

    code = "reason-needed"


class StatementsFall(Refusal):
    """Later statements would no longer hold; data: `statements`."""

    code = "statements-fall"
