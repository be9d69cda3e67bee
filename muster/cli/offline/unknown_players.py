"""Players of results.csv whom players.csv does not have: who may be meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from unicodedata import normalize

MOST_GUESSES = 50
"""So many players are looked for among those who are known; each look goes through all of them."""


class UnknownPlayers:
    """What is expected in place of a player whom nobody knows; everybody is looked for once."""

    def __init__(self, known: Collection[str]) -> None:
        self._by_plain = {_plain(player): player for player in known}
        self._expected: dict[str, str] = {}

    def expected(self, player: str) -> str:
        """A player of the file, with who may be meant: other letters, a letter too many."""
        if player not in self._expected:
            self._expected[player] = self._looked_for(player)
        return self._expected[player]

    def _looked_for(self, player: str) -> str:
        if player.casefold() == "bye":
            return "a player of the players file; for a bye the kind bye, and nobody here"
        plain = _plain(player)
        near = [plain] if plain in self._by_plain else []
        if not near and len(self._expected) < MOST_GUESSES:
            near = get_close_matches(plain, self._by_plain, n=1, cutoff=0.8)
        return "a player of the players file" + (f", perhaps {self._by_plain[near[0]]!r}" if near else "")


def _plain(player: str) -> str:
    return normalize("NFC", player).casefold()
