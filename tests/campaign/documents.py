"""The tables of the campaign's rulebook as they were copied by hand, and its goods by the names that it prints."""

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
    """A table of the rulebook, a row each."""
    return table(FOLDER / f"{name}.csv")


def blocks(name: str) -> Any:
    """What the rulebook says in lists rather than in one table."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))


def keys(rules: Rules = RULES) -> dict[str, str]:
    """Good as it is printed, its names joined as in the rulebook -> its key. No two are printed alike."""
    printed = {"/".join(good.names): key for key, good in rules.goods.items()}
    assert len(printed) == len(rules.goods)
    return printed


def named(kind: dict[str, Any]) -> dict[str, str]:
    """Name -> key of anything that has a name; no two have the same."""
    names = {thing.name: key for key, thing in kind.items()}
    assert len(names) == len(kind)
    return names


def span(printed: str) -> tuple[int, int]:
    """The totals of a row: `2-4`, or `16` alone."""
    least, _, most = printed.partition("-")
    return int(least), int(most or least)


def dice(printed: str) -> str:
    """Dice as a pack writes them: `1D3x10`, and `D6` for one die."""
    return re.sub(r"^D", "1D", printed).replace("x", "*")


def changes(printed: str) -> dict[str, int]:
    """What is added to attributes: `P-2`, `Wounds+1`; several apart by spaces."""
    found = re.findall(r"([A-Z][a-z]*|AP)([+-]\d+)", printed.replace("Wounds", "W"))
    return {attribute: int(number) for attribute, number in found}
