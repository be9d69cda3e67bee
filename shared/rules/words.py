"""What a game's own people call things that have one name in files and on the wire."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from shared.refusals import Expected, Fault
from shared.rules.parts import Part

DRAW = "draw"
"""A game without a winner, in files and on the wire; and the name of this word among the values of a fault."""
LONGEST_WORD = 40
"""Characters of a word of a ruleset's own, which a report may bring."""


class Words(Part, frozen=True):
    """Words that people read and write; the names of members, columns and values stay as they are.

    draw: a game without a winner; whoever reports one may say this or `draw`, in any case. tied: what separates
    players whom nothing else does; empty for the usual word (`Ruleset.called`). game_round: a part of a game. columns:
    a value of the standings -> its heading.
    """

    draw: str = "draw"
    tied: str = ""
    game_round: str = "game round"
    columns: dict[str, str] = {}

    def headings(self, names: Iterable[str]) -> dict[str, str]:
        """What stands above each of these columns: the pack's word, else the name itself without underscores."""
        return {name: self.columns.get(name, name.replace("_", " ")) for name in names}

    def winner(self, said: str) -> str:
        """What is said of the winner as files and the wire have it: a drawn game is `draw`, all else stays."""
        return DRAW if said.casefold() in (DRAW, self.draw.casefold()) else said

    def in_fault(self, fault: Fault) -> Fault:
        """Return a fault of the winner in these words: `draw` is a value of what was said, and of what is expected."""
        said = self.draw if fault.said == DRAW else fault.said
        if not isinstance(fault.expected, Expected) or fault.data.get(DRAW) != DRAW:
            return replace(fault, said=said)
        return replace(fault, said=said, expected=replace(fault.expected, data={**fault.data, DRAW: self.draw}))


PLAIN = Words(tied="equal", clause="")
"""What holds where a ruleset has no words of its own and ranks are shared."""
