"""Dice that are rolled at the table, with who rolled them and who saw it."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from shared.formats.campaign.rules.dice import NATIVE, formula

PHYSICAL = 30
"""Of a hundred D6 so many are cubes, and no D12 that is halved. FS-DICE-1."""


class Dice(NamedTuple):
    """What somebody rolls by chance, before a witness. roller, witness: ids of players."""

    chance: Random
    roller: str
    witness: str

    def told(self, expression: str) -> dict[str, Any]:
        """A roll as it is told to a service."""
        asked = formula(expression)
        sides = 6 if asked.sides == 6 and self.chance.randrange(100) < PHYSICAL else NATIVE
        dice = [{"sides": sides, "natural": self.chance.randint(1, sides)} for _ in range(asked.count)]
        return {"dice": dice, "rolled_by": self.roller, "witnessed_by": self.witness}
