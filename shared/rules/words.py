"""What a game's own people call things that have one name in files and on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from re import sub

from msgspec.structs import replace

from shared.refusals import Fault
from shared.rules.parts import Part

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
        return "draw" if said.casefold() in ("draw", self.draw.casefold()) else said

    def in_fault(self, fault: Fault) -> Fault:
        """A fault of the winner in these words."""
        said, expected = (sub(r"\bdraw\b", lambda _: self.draw, text) for text in (fault.said, fault.expected))
        return replace(fault, said=said, expected=expected)


PLAIN = Words(tied="equal", clause="")
"""What holds where a ruleset has no words of its own and ranks are shared."""
