"""What a tournament takes from elsewhere before it ends: a step of a process, wired where there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from shared.application.deciding import CommandEnvelope


class TakenFirst(Struct, frozen=True):
    """What a tournament takes from elsewhere before it ends, such as a season from its tournaments.

    take: does so, for a tournament that takes anything. foreseen: the commands of it, for a preview.
    """

    take: Callable[[str], object]
    foreseen: Callable[[str], Sequence[CommandEnvelope]]
