"""A table at which survivors play together, as it stands at one moment, and what one can tell from looking at it."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct, field

TURNS, ENEMIES, OPPOSING, FIRST_PLAYER = "turns", "enemies", "opposing", "first_player"
"""Parts of a round: the survivors' turns, then those of the round end in their order (AB-ACT-2); named by what is
next: the enemies of the card activate, the opposing faction, the first player is chosen."""


class Drawn(Struct, frozen=True, gc=False):
    """The activation card of this round end. enemies_on_map: the opposing ones when it was revealed, if told."""

    card: str = ""
    enemies: list[str] = []
    icons: list[str] = []
    enemies_on_map: int | None = None


class Table(Struct, gc=False):
    """What lies on the table. round: the one begun last, 0 before play. part: empty before play and after the end.

    spaces: of the power track. conditions: further ones of the victory condition, met: those that hold.
    kills, cards, others: forward moves of the token by reason, for reports; back: spaces that the sheet
    moved it back. camp_*: where the C.A.M.P. tokens are.
    modified: survivor -> asset -> the modification on it.
    """

    survivors: list[str] = field(default_factory=list)
    scenario: str = ""
    loyal: str = ""
    opposing: str = ""
    loyal_icon: str = ""
    opposing_icon: str = ""
    spaces: int = 0
    required: int = 0
    conditions: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    position: int = 0
    round: int = 0
    rounds_ended: int = 0
    part: str = ""
    first_player: str = ""
    drawn: Drawn | None = None
    discarded: list[str] = field(default_factory=list)
    killed: dict[str, int] = field(default_factory=dict)
    kills: int = 0
    cards: int = 0
    others: int = 0
    back: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    camp_gained: int = 0
    camp_spaces: list[str] = field(default_factory=list)
    mutated: list[str] = field(default_factory=list)
    modified: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def last_space(self) -> int:
        """The position that loses the session. AB-PWR-3."""
        return self.spaces - 1

    @property
    def open_goals(self) -> list[str]:
        """Revealed goals that may still be completed."""
        return [goal for goal in self.goals if goal not in self.completed]

    @property
    def extra(self) -> int:
        """Goals completed beyond those that the scenario asks for. AB-GOAL-3."""
        return max(0, len(self.completed) - self.required)


def power_share(position: int, spaces: int) -> Fraction:
    """How far along its track the token is: 0 at the top, 1 on the last space. AB-RNK-2."""
    return Fraction(position, spaces - 1)
