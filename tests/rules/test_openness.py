"""Visibility of roster fields under packs, and the digests of hidden fields in the log."""

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
def test_fields_that_shipped_packs_hide_during_a_round():
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
def test_fields_not_visible_to_everyone_are_sealed(rows, hidden):
    assert sealed_fields(with_rows(*rows), BY_ROUND_1) == hidden


def test_fields_are_either_in_clear_or_sealed():
    clear, sealed = split_sealed(["objectives"], ARMADA.example, "a secret")
    assert (set(clear), list(sealed)) == (set(ARMADA.example) - {"objectives"}, ["objectives"])
    salt = salt_of("a secret", "objectives")
    assert sealed["objectives"] == seal(salt, "objectives", ARMADA.example["objectives"])
    assert seal(salt, "objectives", None) == hashlib.sha256(f'["{salt}","objectives",null]'.encode()).hexdigest()


def test_salts_and_digests_reveal_nothing_about_other_fields():
    assert salt_of("a secret", "ships") != salt_of("a secret", "objectives")
    _, without = split_sealed(["ships", "objectives"], {"faction": "rebel"}, "a secret")
    assert list(without) == ["ships", "objectives"]
    assert len({*without.values()}) == 2


def test_openness_rejects_unknown_fields_and_hidden_totals():
    faults = faults_of_openness(with_rows(row("staff", "round_1", "cards", "fleet_total")))
    assert [(fault.where, fault.said) for fault in faults] == [
        ("/roster/open/0/of", "cards"),
        ("/roster/checks/0/written", "fleet_total"),
    ]
    assert all(str(fault.expected) for fault in faults)


def test_blank_lines_match_the_number_of_required_entries():
    assert [line["category"] for line in blank_entries(ARMADA, "objectives")] == ["assault", "defense", "navigation"]
    assert (blank_entries(ARMADA, "commanders"), blank_entries(ARMADA, "ships")) == ([{}], [{}])
