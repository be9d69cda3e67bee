"""Values that are nearly right: something good, changed in one or two places. The same seed gives the same mutant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 10**9, 2**53, 2**63, 10**30, 1.5, 1.0, 1e300),
    *("", "x", "1", " ", "none", "random", "🎉", "שלום", "a/b~c", "\u0000", "\u2028", "x" * 2000),
    *([], [0], [[]], [{}], {}, {"x": 1}, {"": {}}, {"🎉": 1}),
)
"""What one would not expect somewhere."""

Path = tuple[str | int, ...]


def mutant(good: Any, seed: int) -> tuple[Any, str]:
    """A copy of a JSON value with one or two changes, and what was changed, to be shown when something is wrong."""
    chance = Random(seed)
    value = json.loads(json.dumps(good))
    told = []
    for _ in range(chance.choice((1, 1, 1, 2))):
        path = chance.choice(list(_paths(value)) or [()])
        if path:
            told.append(_change(value, path, chance))
    return value, "; ".join(told)


def _change(value: Any, path: Path, chance: Random) -> str:
    holder: Any = _at(value, path[:-1])
    last: Any = path[-1]
    how = chance.choice(("odd", "odd", "near", "near", "without", "again"))
    if how == "odd":
        holder[last] = json.loads(json.dumps(chance.choice(ODD)))
    elif how == "near":
        holder[last] = _near(holder[last], value, chance)
    elif how == "without":
        del holder[last]
        return f"{path} taken out"
    elif isinstance(holder, list):
        holder.insert(0, json.loads(json.dumps(holder[last])))
    else:
        holder[f"{last}_"] = holder[last]
    return f"{path} {how}: {json.dumps(_at(value, path))[:200]}"


def _near(found: Any, whole: Any, chance: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(found, bool):
        return not found
    if isinstance(found, int):
        return found + chance.choice((-1000, -2, -1, 1, 2, 1000, 10**6))
    if isinstance(found, str):
        return chance.choice([text for path in _paths(whole) if isinstance(text := _at(whole, path), str)])
    if isinstance(found, list):
        return chance.choice((found[:1], found[1:], [*found, *json.loads(json.dumps(found))], found[::-1]))
    if isinstance(found, dict):
        return {key: value for key, value in found.items() if chance.random() < 0.5}
    return found


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The way to everything inside a value."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(inner, (*path, key))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value
