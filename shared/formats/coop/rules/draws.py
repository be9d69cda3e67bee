"""Cards that the service draws. Each is drawn at the moment when it is revealed, from the hash of what the log held
before: so nobody, the service included, knows a card that still lies face down, and anybody can draw it again.

Source: AB-REP-4.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.formats.coop.rules.table import Table
from shared.rules.draw import recorded_draw

GOALS, CARD = "goals", "activation card"
"""Purposes of the draws; the session and how many cards lie open already make each another one."""


def drawn_goals(seed: str, session: str, table: Table, cards: Sequence[str], number: int) -> list[str]:
    """So many goal cards of those that do not lie open yet, in drawn order. AB-SET-5."""
    left = [card for card in cards if card not in table.goals]
    return recorded_draw(seed, f"{GOALS} {session} {len(table.goals)}", table.round, left)[:number]


def drawn_card(seed: str, session: str, table: Table, cards: Sequence[str]) -> str:
    """An activation card of those that are not in the discard pile. AB-ACT-1."""
    left = [card for card in cards if card not in table.discarded]
    return recorded_draw(seed, f"{CARD} {session} {len(table.discarded)}", table.round, left)[0]
