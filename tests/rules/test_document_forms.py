"""The forms of every shipped ruleset compared with a table: content, author, columns, copies."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from shared.formats.packs import shipped_ids, shipped_ruleset
from shared.rules.parts import Form
from tests.rules.documents import blocks, listed, missing_words, rows

MORE: dict[str, dict[str, Any]] = {
    "new after the cut": {"new_after_cut": True},
    "upwards": {"order": "upwards"},
    "each round alone": {"running": False},
}
NUMBERED = {"lines": "lines", "copies": "copies", "a round": "copies_a_round"}


def form_of(row: dict[str, str]) -> Form:
    """Return the form of a row."""
    members: dict[str, Any] = {"name": row["form"], "clause": row["clause"], "holds": row["holds"]}
    members |= {"filled_by": row["filled by"], "clauses": {}}
    members |= {name: listed(row[name]) for name in ("heading", "columns", "lists")}
    members["titles"] = dict(title.split("=", 1) for title in listed(row["titles"]))
    for more in listed(row["more"]):
        what, _, clause = more.partition(" by ")
        member = what
        if numbered := re.fullmatch(r"(\d+) (.+)", what):
            member = NUMBERED[numbered[2]]
            members[member] = int(numbered[1])
        members |= MORE.get(what, {})
        members["clauses"] |= {member: clause} if clause else {}
    return msgspec.convert(members, Form)


def said(ruleset: str) -> list[Form]:
    return [form_of(row) for row in rows("forms") if row["ruleset"] == ruleset]


def test_every_ruleset_with_forms_is_in_the_table() -> None:
    assert {row["ruleset"] for row in rows("forms")} == {id for id in shipped_ids() if shipped_ruleset(id).forms}


@pytest.mark.clause("AR-DOC-1", "AR-ROS-6", "AR-STAFF-2", "AR-TBL-1")
@pytest.mark.parametrize("ruleset", ["star-wars-armada-1.1", "star-wars-armada-400"])
def test_forms_of_armada(ruleset: str) -> None:
    assert shipped_ruleset(ruleset).forms == said(ruleset)


@pytest.mark.clause("DW-DOC-1", "DW-DOC-2", "DW-ROS-1", "DW-ROS-2", "DW-REG-3", "DW-TBL-1", "DW-TBL-4", "DW-TB-1")
@pytest.mark.clause("DW-RES-3")
def test_forms_of_dust_warfare() -> None:
    forms = shipped_ruleset("dust-warfare-1.0").forms
    assert [msgspec.structs.replace(form, instructions=[]) for form in forms] == said("dust-warfare-1.0")
    members = {form.name: form.instructions for form in forms if form.instructions}
    assert list(members) == ["player reporting sheet"]
    assert missing_words(members["player reporting sheet"], blocks("dust_tables")["DW-DOC-2"]) == []


@pytest.mark.clause("FF-DOC-1", "FF-REG-3", "FF-REG-4")
def test_forms_of_factions() -> None:
    assert shipped_ruleset("fallout-factions-comp-1.0").forms == said("fallout-factions-comp-1.0")
