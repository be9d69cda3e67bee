"""Which fields of a list are open, to whom and from when, as the ruleset has it.

The log is public, copied by peers and never changed. So it holds in clear only the fields that everybody may see. Of
every other field it has a salted digest, against which anybody checks the field once it is opened.

Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from shared.formats.swiss.rules.roster_parts import Count, OnePer, Openness, Roster, Since, Total
from shared.log.event import canonical
from shared.refusals import Fault, as_said, expects, one_of

SUBMISSION: frozenset[Since] = frozenset({"submission"})
"""The moments that have come when nobody has played yet."""
BY_ROUND_1: frozenset[Since] = SUBMISSION | {"round_1"}
"""The moments that have come once the first round has begun."""
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


def sealed_fields(roster: Roster, reached: Collection[Since]) -> list[str]:
    """Return the fields that not everybody may see yet; the log has digests of them.

    reached: the moments that have come.
    """
    return [field for field in roster.fields if opens(roster, field) not in reached]


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
    expected = one_of(list(roster.fields))
    faults = [
        Fault(f"/roster/open/{index}/of", as_said(field), expected)
        for index, row in enumerate(roster.open)
        for field in row.of
        if field not in roster.fields
    ]
    hidden = sealed_fields(roster, BY_ROUND_1)
    faults += [
        Fault(f"/roster/checks/{index}/written", as_said(check.written), expects("field-open-from-round-1"))
        for index, check in enumerate(roster.checks)
        if isinstance(check, Total) and check.written in hidden
    ]
    return faults


def salt_of(secret: str, field: str) -> str:
    """Return the salt of one field; it reveals nothing of other salts. secret: random text of this submission."""
    return _digest([secret, field])


def seal(salt: str, field: str, value: Any) -> str:
    """Return the digest of a field: hex SHA-256 of the canonical JSON (RFC 8785) of [salt, field, value].

    value: None if the list has no such field, which the log does not reveal either. Source: AR-TIME-6.
    """
    return _digest([salt, field, value])


def parted(sealed: Collection[str], sheet: Mapping[str, Any], secret: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a list as the log holds it: the open fields in clear, and the digests of the `sealed` ones."""
    clear = {field: value for field, value in sheet.items() if field not in sealed}
    return clear, {field: seal(salt_of(secret, field), field, sheet.get(field)) for field in sealed}


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(canonical(parts).encode()).hexdigest()
