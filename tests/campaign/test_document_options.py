"""Options of a campaign compared with `data/options.yaml` and with their own titles."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from shared.campaign.tables import Options
from shared.formats.packs import load, shipped_ruleset, shipped_text
from shared.rules.model import PackRefused
from shared.rules.parts import Option
from tests.campaign.documents import FOLDER, rows
from tests.campaign.story import RULES, SHIPPED

SETTLED: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER.parent / "options.yaml").read_text("utf-8"))
FREE = {
    "fs.league.points": {"kind": "points"},
    "fs.league.tiebreaks": {
        "kind": "words",
        "default": "group_rating,total_vp",
        "choices": {word: word for word in ("group_rating", "total_vp", "head_to_head")},
    },
    "fs.campaign.rounds": {"kind": "whole", "default": 5, "least": 1, "most": 100},
}
"""Options whose values are no list of words (FS-AMB-59)."""


def option_of(row: dict[str, str]) -> Option:
    """Return an option as both tables give it: fixed at the announcement, with its default in force."""
    key, settled = row["key"], SETTLED[row["key"]]
    words = [settled["default"], *settled["others"]]
    values: dict[str, Any] = {
        "kind": "choice",
        "default": str(words[0]),
        "choices": {str(word): word for word in words},
    }
    if words[0] is False:
        values = {"kind": "flag", "default": False}
    values = FREE.get(key, values)
    sets = [f"/rules/options/{key}"]
    return Option(key=key, name=row["title"], until="announcement", sets=sets, clause=settled["settles"], **values)


@pytest.mark.clause("FS-AMB-1", "FS-AMB-2", "FS-AMB-3", "FS-AMB-4", "FS-AMB-5", "FS-AMB-6", "FS-AMB-7", "FS-AMB-8")
@pytest.mark.clause("FS-AMB-9", "FS-AMB-10", "FS-AMB-11", "FS-AMB-12", "FS-AMB-13", "FS-AMB-14", "FS-AMB-15")
@pytest.mark.clause("FS-AMB-16", "FS-AMB-17", "FS-AMB-18", "FS-AMB-19", "FS-AMB-20", "FS-AMB-21", "FS-AMB-22")
@pytest.mark.clause("FS-AMB-23", "FS-AMB-24", "FS-AMB-25", "FS-AMB-26", "FS-AMB-27", "FS-AMB-28", "FS-AMB-29")
@pytest.mark.clause("FS-AMB-30", "FS-AMB-31", "FS-AMB-32", "FS-AMB-33", "FS-AMB-34", "FS-AMB-35", "FS-AMB-36")
@pytest.mark.clause("FS-AMB-37", "FS-AMB-38", "FS-AMB-39", "FS-AMB-40", "FS-AMB-41", "FS-AMB-42", "FS-AMB-43")
@pytest.mark.clause("FS-AMB-44", "FS-AMB-45", "FS-AMB-46", "FS-AMB-47", "FS-AMB-48", "FS-AMB-49", "FS-AMB-50")
@pytest.mark.clause(
    "FS-AMB-51", "FS-AMB-52", "FS-AMB-53", "FS-AMB-54", "FS-AMB-55", "FS-AMB-56", "FS-AMB-57", "FS-AMB-58"
)
@pytest.mark.clause("FS-AMB-59", "FS-AMB-60", "FS-AUD-1", "FS-AUD-3", "FS-RND-5")
def test_every_option_and_its_default() -> None:
    assert {option.key: option for option in shipped_ruleset(SHIPPED).options} == {
        row["key"]: option_of(row) for row in rows("options")
    }
    assert RULES.options == Options()  # whose defaults test_options.py holds beside the same table


@pytest.mark.parametrize(
    ("old", "new", "place", "expected"),
    [
        ("draw: 1, loss: 0}", "draw: 1, loss: -1}", "fs.league.points/loss", "a whole number, 0 or more"),
        ("fs.campaign.rounds: 5", "fs.campaign.rounds: 0", "fs.campaign.rounds", "a whole number, 1 or more"),
    ],
)
def test_number_below_the_minimum_of_an_option_is_a_fault_of_the_pack(
    old: str, new: str, place: str, expected: str
) -> None:
    text = shipped_text(SHIPPED)
    assert text.count(old) == 1
    with pytest.raises(PackRefused) as refused:
        load(text.replace(old, new), "own.yaml")
    expectations = {fault.where.partition(":/")[2]: str(fault.expected) for fault in refused.value.faults}
    assert expectations[f"rules/options/{place}"] == expected
