"""Who sees what of a list, as packs say it; and how the log has what it must not show."""

from __future__ import annotations

import hashlib

import pytest
from msgspec.structs import replace

from shared.formats.packs import shipped, shipped_swiss
from shared.swiss.roster_parts import (
    BY_ROUND_1,
    SUBMISSION,
    Openness,
    Roster,
    blank_entries,
    faults_of_openness,
    open_since,
    salt_of,
    seal,
    sealed_fields,
    split_sealed,
)

ARMADA = shipped_swiss("star-wars-armada-1.1").roster


def with_rows(*rows: Openness) -> Roster:
    return replace(ARMADA, open=list(rows))


def row(to: str, since: str = "round_1", *of: str) -> Openness:
    return Openness(clause="CLUB", to=to, since=since, of=list(of))


@pytest.mark.clause("AR-TIME-6", "DW-ROS-1", "FF-COND-2")
def test_what_the_shipped_packs_hide_while_a_round_is_played():
    hidden = {id: sealed_fields(ruleset.roster, BY_ROUND_1) for id, ruleset in shipped("swiss").items()}
    assert {id: fields for id, fields in hidden.items() if fields} == {
        "star-wars-armada-1.1": ["objectives"],
        "star-wars-armada-400": ["objectives"],
    }
    assert open_since(ARMADA, "objectives") == "end"
    assert sealed_fields(ARMADA, SUBMISSION) == list(ARMADA.fields)
    assert sealed_fields(ARMADA, {*BY_ROUND_1, "end"}) == []


@pytest.mark.parametrize(
    ("rows", "hidden"),
    [
        ([], []),
        ([row("everybody", "end")], list(ARMADA.fields)),
        ([row("staff", "round_1", "ships")], ["ships"]),
        ([row("opponents"), row("everybody", "submission", "faction")], [n for n in ARMADA.fields if n != "faction"]),
        ([row("opponents", "round_1", "ships"), row("everybody", "end", "ships")], ["ships"]),
        ([row("everybody", "end", "ships"), row("everybody", "round_1", "ships")], []),
    ],
)
def test_a_field_is_sealed_unless_everybody_sees_it_while_a_round_is_played(rows, hidden):
    assert sealed_fields(with_rows(*rows), BY_ROUND_1) == hidden


def test_the_parts_are_in_clear_or_sealed_and_never_both():
    clear, sealed = split_sealed(["objectives"], ARMADA.example, "a secret")
    assert (set(clear), list(sealed)) == (set(ARMADA.example) - {"objectives"}, ["objectives"])
    salt = salt_of("a secret", "objectives")
    assert sealed["objectives"] == seal(salt, "objectives", ARMADA.example["objectives"])
    assert seal(salt, "objectives", None) == hashlib.sha256(f'["{salt}","objectives",null]'.encode()).hexdigest()


def test_nothing_about_one_part_follows_from_the_salt_of_another_or_from_an_empty_place():
    assert salt_of("a secret", "ships") != salt_of("a secret", "objectives")
    _, without = split_sealed(["ships", "objectives"], {"faction": "rebel"}, "a secret")
    assert list(without) == ["ships", "objectives"]
    assert len({*without.values()}) == 2


def test_a_pack_is_told_of_fields_that_are_none_and_of_a_total_that_results_are_held_against():
    faults = faults_of_openness(with_rows(row("staff", "round_1", "cards", "fleet_total")))
    assert [(fault.where, fault.said) for fault in faults] == [
        ("/roster/open/0/of", "cards"),
        ("/roster/checks/0/written", "fleet_total"),
    ]
    assert all(str(fault.expected) for fault in faults)


def test_lines_to_be_written_by_hand_are_as_many_as_the_rules_ask_for():
    assert [line["category"] for line in blank_entries(ARMADA, "objectives")] == ["assault", "defense", "navigation"]
    assert (blank_entries(ARMADA, "commanders"), blank_entries(ARMADA, "ships")) == ([{}], [{}])
