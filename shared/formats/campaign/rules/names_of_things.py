"""What people call the things of the tables: names are taken as well as keys, in any case, and refusals show names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from shared import refusals
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Expected

Names = Mapping[str, tuple[str, ...]]
"""Key -> what it is called."""


def goods(rules: Rules) -> Names:
    """Goods; one key may stand for several that are alike."""
    return {key: good.names for key, good in rules.goods.items()}


def forces(rules: Rules) -> Names:
    """Forces."""
    return {key: (force.name,) for key, force in rules.forces.items()}


def merchants(rules: Rules) -> Names:
    """Merchants."""
    return {key: (merchant.name,) for key, merchant in rules.merchants.items()}


def perks(rules: Rules) -> Names:
    """Perks."""
    return {key: (perk.name,) for key, perk in rules.advancement.perks.items()}


def injuries(rules: Rules) -> Names:
    """Injuries."""
    return {row.injury: (row.name,) for row in rules.injuries}


def one_of(names: Names, keys: Iterable[str]) -> Expected:
    """Return the expectation of one of these by name: `one of Baseball Bat / Sledgehammer, Ripper`."""
    return refusals.one_of([written(names.get(key, (key,))) for key in keys])


def written(names: Sequence[str]) -> str:
    """Return the names of one key, which are of things that are alike."""
    return " / ".join(names)


def key_of(names: Names, said: str) -> str:
    """The key of what somebody says by key or by name, in any case; what nothing is called stays as it is."""
    if said in names:
        return said
    plain = " ".join(said.split()).casefold()
    return next(
        (key for key, called in names.items() if plain in (key.casefold(), *(name.casefold() for name in called))), said
    )


SAID: Mapping[str, Callable[[Rules], Names]] = {
    "good": goods,
    "line": goods,
    "merchant": merchants,
    "perk": perks,
    "injury": injuries,
}
"""Member of what is said with a choice -> the table that it names something of."""


def by_keys(rules: Rules, of: Mapping[str, Any]) -> dict[str, Any]:
    """What is said with a choice, by keys. A sale that waits is named by its item, which is in no table."""
    return {
        name: key_of(SAID[name](rules), value) if name in SAID and isinstance(value, str) else value
        for name, value in of.items()
    }
