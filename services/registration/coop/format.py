"""Co-operative events, as `tournament/format.py` asks of a format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "invitation": ("registration", "/players/{player}/invitation"),
        "tables": ("pairing", "/session-rounds"),
        "games": ("scoring", "/sessions"),
        "standing": ("scoring", "/ranking/{player}"),
    }
)
ON_PURPOSE: Collection[str] = ()
