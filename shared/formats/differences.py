"""What differs between two packs, value by value: what an operator looks at before a campaign moves to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct


class Difference(Struct, frozen=True):
    """A value that changed. where: its JSON pointer. None: it is on one side only."""

    where: str
    before: Any
    after: Any


def differences(before: Any, after: Any, where: str = "") -> Iterator[Difference]:
    """Every value in which two plain trees differ, in the order of the first; rows of lists go by their number."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key), after.get(key), f"{where}/{_escaped(key)}")
    elif isinstance(before, list) and isinstance(after, list):
        for number in range(max(len(before), len(after))):
            one, other = (side[number] if number < len(side) else None for side in (before, after))
            yield from differences(one, other, f"{where}/{number}")
    else:
        yield Difference(where, before, after)


def _escaped(key: str) -> str:
    """A key as RFC 6901 writes it."""
    return key.replace("~", "~0").replace("/", "~1")
