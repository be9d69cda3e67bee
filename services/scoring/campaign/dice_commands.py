"""What people can say of dice that were told at the table."""

from __future__ import annotations

from services.scoring.tournament.commands import Command


class ConfirmDice(Command, frozen=True, kw_only=True):
    """rolls: their ids; empty for all that wait for the player who asks."""

    rolls: list[str] = []


class DisputeDice(Command, frozen=True, kw_only=True):
    """They did not fall like this."""

    rolls: list[str]
    reason: str


class RuleDice(Command, frozen=True, kw_only=True):
    """stands: whether they count as told."""

    rolls: list[str]
    stands: bool
    reason: str
