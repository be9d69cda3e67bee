"""One decision for each of several players: all of them, or none and every fault by its player."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from shared.events.base import Event
from shared.refusals import Fault, Refusal


def for_each(
    players: Sequence[str],
    decide: Callable[[str], Sequence[Event]],
    refusals: tuple[type[Refusal], ...],
    *,
    nobody: str,
    wanted: str,
) -> list[Event]:
    """What follows for all of them. refusals: those that are about one player; any other is about all, and passes.

    nobody: what happened to nobody, "Nobody was checked in". wanted: who would be right, "a player who takes part".
    Raises the first of the refusals, with a fault for each player who has one.
    """
    events: list[Event] = []
    refused: list[Refusal] = []
    faults: list[Fault] = []
    for index, player in enumerate(players):
        try:
            events += decide(player)
        except refusals as refusal:
            refused.append(refusal)
            where = f"/players/{index}"
            own = [msgspec.structs.replace(fault, where=where, said=player) for fault in refusal.faults]
            faults += own or [Fault(where, player, f"{wanted}; {refusal.detail.rstrip('.')}")]
    if refused:
        first = refused[0]
        raise type(first)(f"{nobody}; faults: {len(faults)}. First: {first.detail}", faults, **first.data)
    return events
