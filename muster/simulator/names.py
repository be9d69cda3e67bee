"""Names for players and venues that nobody has to think of."""

from __future__ import annotations

from collections.abc import Sequence

PLAYERS = (
    *("Ada", "Bela", "Cleo", "Dora", "Edda", "Finn", "Gil", "Hana", "Ivo", "Jana", "Kai", "Lena", "Milo", "Nora"),
    *("Oskar", "Pia", "Quinn", "Rosa", "Sami", "Tara", "Ugo", "Vera", "Wim", "Xenia", "Yara", "Zeno", "Anton"),
    *("Britt", "Carl", "Dina", "Emil", "Frida", "Georg", "Heidi", "Igor", "Judit", "Klaus", "Liv", "Mats", "Nele"),
    *("Otto", "Petra", "Rolf", "Signe", "Tomas", "Ulla", "Viggo", "Wanda"),
)
VENUES = ("Old Town Hall", "Harbour Library", "Castle Cellar", "Market Arcade", "River Mill", "Station Buffet")


def player_names(count: int) -> list[str]:
    """So many names, all different: Ada, Bela … Wanda, Ada 2 …"""
    return _names(PLAYERS, count)


def venue_names(count: int) -> list[str]:
    """So many names of venues, all different."""
    return _names(VENUES, count)


def _names(known: Sequence[str], count: int) -> list[str]:
    return [
        known[index % len(known)] + (f" {index // len(known) + 1}" if index >= len(known) else "")
        for index in range(count)
    ]
