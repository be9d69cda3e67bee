"""Swiss tournaments, as `tournament/format.py` asks of a format."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from shared.tournament.guards import CUT, ROUNDS, STANDINGS

LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "roster": ("registration", "/players/{player}/roster"),
        "game": ("pairing", "/players/{player}/pairing"),
        "clock": ("pairing", "/clock"),
        "games": ("scoring", "/games"),
        "standing": ("scoring", "/standings/{player}"),
    }
)
ON_PURPOSE = (ROUNDS, CUT, STANDINGS)
