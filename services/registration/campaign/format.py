"""Campaigns, as `tournament/format.py` asks of a format."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from shared.tournament.guards import ROUNDS

LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "group": ("registration", "/players/{player}/group"),
        "game": ("pairing", "/players/{player}/pairing"),
        "standing": ("scoring", "/standings/{player}"),
    }
)
ON_PURPOSE = (ROUNDS,)
