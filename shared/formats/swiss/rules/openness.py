"""Which parts of a list are open, to whom and from when, as the ruleset has it.

The log is public once play has begun, copied by peers and never changed. So it holds in clear only what everybody sees
from the first round on at the latest; the rest is sealed: the log has a salted digest of each part, by which it is
checked later.

Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from shared.events.canonical import canonical
from shared.formats.swiss.rules.roster_parts import Count, OnePer, Openness, Roster, Since, Total
from shared.refusals import Fault

OPEN = Openness(clause="", to="everybody", since="round_1")
"""What holds for fields of which a ruleset says nothing."""


def rows_of(roster: Roster, field: str) -> list[Openness]:
    """The rows that speak of a field of a list: those that name it, else those that name none, else `OPEN`."""
    named = [row for row in roster.open if field in row.of]
    return named or [row for row in roster.open if not row.of] or [OPEN]


def cited(roster: Roster, field: str) -> str:
    """The clause that says who sees a field."""
    return rows_of(roster, field)[-1].clause or roster.cites("open")


def opens(roster: Roster, field: str) -> Since | None:
    """From when everybody sees a field; None where not everybody ever does."""
    found = {row.since for row in rows_of(roster, field) if row.to == "everybody"}
    order: tuple[Since, ...] = ("submission", "round_1", "end")
    return next((since for since in order if since in found), None)


def sealed_fields(roster: Roster) -> list[str]:
    """The fields that the log does not hold in clear: those that somebody does not see while a round is played."""
    return [field for field in roster.fields if opens(roster, field) not in ("submission", "round_1")]


def blank_entries(roster: Roster, name: str) -> list[dict[str, str]]:
    """What is known of the entries of a list that nobody shows: how many there are at least, and of which kinds."""
    for check in roster.checks:
        if isinstance(check, OnePer) and check.of == name:
            return [{check.by: choice} for choice in check.choices]
        if isinstance(check, Count) and check.of == name:
            return [{} for _ in range(max(1, check.least))]
    return [{}]


def faults_of_openness(roster: Roster) -> list[Fault]:
    """Rows about fields that a list does not have, and a total hidden that scoring holds results against."""
    known = ", ".join(roster.fields)
    faults = [
        Fault(f"/roster/open/{index}/of", field or "nothing", f"one of {known}")
        for index, row in enumerate(roster.open)
        for field in row.of
        if field not in roster.fields
    ]
    hidden = sealed_fields(roster)
    faults += [
        Fault(
            f"/roster/checks/{index}/written",
            check.written or "nothing",
            "a field that everybody sees from round_1: results are held against it",
        )
        for index, check in enumerate(roster.checks)
        if isinstance(check, Total) and check.written in hidden
    ]
    return faults


def salt_of(secret: str, field: str) -> str:
    """The salt of one field, which tells nothing about those of others. secret: random text of this submission."""
    return _digest([secret, field])


def seal(salt: str, field: str, value: Any) -> str:
    """What stands in the log for a field: hex SHA-256 of the canonical JSON (RFC 8785) of [salt, field, value].

    value: None where the list has no such field, which the log does not tell either. Source: AR-TIME-6.
    """
    return _digest([salt, field, value])


def parted(roster: Roster, sheet: Mapping[str, Any], secret: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A list as the log holds it: its fields in clear, and the digests of the others by field."""
    hidden = sealed_fields(roster)
    clear = {field: value for field, value in sheet.items() if field not in hidden}
    return clear, {field: seal(salt_of(secret, field), field, sheet.get(field)) for field in hidden}


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(canonical(parts).encode()).hexdigest()
