"""Codes that phones scan: each opens a page of the console under its public address."""

from __future__ import annotations

from functools import lru_cache

import segno
from flask import current_app

KEPT = 512
"""Codes that are kept: those of walls, tables and slips are the same for everybody, and take 8 ms each to draw."""


def address_of(place: str) -> str:
    """Where others reach a path of this console."""
    return str(current_app.config["SETTINGS"].public_url) + place


def code_of(place: str) -> str:
    """A code that opens a path of this console, as the address of a picture: dark on light, as phones read it.

    For what everybody may open; it is kept in memory.
    """
    return _kept(address_of(place))


def code_of_key(place: str) -> str:
    """The same for a path that holds somebody's key; nothing of it is kept."""
    return _drawn(address_of(place))


def _drawn(address: str) -> str:
    return str(segno.make(address, error="m").svg_data_uri(scale=6, border=4, light="#fff"))


_kept = lru_cache(maxsize=KEPT)(_drawn)
