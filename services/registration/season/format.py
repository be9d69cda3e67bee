"""Seasons, as `tournament/format.py` asks of a format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

LINKS: Mapping[str, tuple[str, str]] = MappingProxyType({})
ON_PURPOSE: Collection[str] = ()
