"""Tables of the campaign rulebook, copied by hand, and its goods by their printed names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from shared.campaign.tables import Rules
from tests.campaign.story import RULES
from tests.transcribed import table

FOLDER = Path(__file__).parent / "data" / "documents"


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the rulebook."""
    return table(FOLDER / f"{name}.csv")


def blocks(name: str) -> Any:
    """Return what the rulebook gives in lists rather than in a table."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))


def keys(rules: Rules = RULES) -> dict[str, str]:
    """Return printed name of a good -> its key. Printed names are unique."""
    printed = {"/".join(good.names): key for key, good in rules.goods.items()}
    assert len(printed) == len(rules.goods)
    return printed


def named(kind: dict[str, Any]) -> dict[str, str]:
    """Return name -> key. Names are unique."""
    names = {thing.name: key for key, thing in kind.items()}
    assert len(names) == len(kind)
    return names


def span(printed: str) -> tuple[int, int]:
    """Return the totals of a row such as `2-4` or `16`."""
    least, _, most = printed.partition("-")
    return int(least), int(most or least)


def dice(printed: str) -> str:
    """Return dice as a pack writes them, for `1D3x10` or `D6`."""
    return re.sub(r"^D", "1D", printed).replace("x", "*")


def changes(printed: str) -> dict[str, int]:
    """Return changes of attributes for `P-2` or `Wounds+1`, separated by spaces."""
    found = re.findall(r"([A-Z][a-z]*|AP)([+-]\d+)", printed.replace("Wounds", "W"))
    return {attribute: int(number) for attribute, number in found}
