"""Parts of a ruleset about rosters: fields, checks, the catalogue, and the visibility of fields.

The log is public, copied by peers and never changed. So it contains only the fields that everyone may see. For every
other field it contains a salted digest, which anyone can check once the field is opened.
Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any, Literal

from msgspec import Struct

from shared.log.event import canonical_json
from shared.refusals import Fault, display_text, expects, one_of
from shared.rules.parts import Part


class Total(Part, frozen=True, tag_field="check", tag="total"):
    """The points of the lists in `of`, including nested entries, are at most `most`.

    - `written`: field of the roster that must state the same sum; empty for none.
    - `active`: False if the check is off.
    """

    of: list[str]
    most: int
    written: str = ""
    active: bool = True


class Count(Part, frozen=True, tag_field="check", tag="count"):
    """The list `of` has at least `least` and at most `most` entries."""

    of: str
    least: int
    most: int


class OnePer(Part, frozen=True, tag_field="check", tag="one_per"):
    """The list `of` has exactly one entry whose field `by` has each of the `choices`, and no others."""

    of: str
    by: str
    choices: list[str]


class OneOf(Part, frozen=True, tag_field="check", tag="one_of"):
    """The field `of` is one of the `choices`."""

    of: str
    choices: list[str]


class Named(Part, frozen=True, tag_field="check", tag="named"):
    """Every entry of the lists in `of` has non-empty `fields`. Missing lists are empty.

    `inner`: fields of nested entries; by default the same.
    """

    of: list[str]
    fields: list[str]
    inner: list[str] = []


class Priced(Part, frozen=True, tag_field="check", tag="priced"):
    """Every entry of the lists in `of` states `points` of at least `least`; entries in `nested` lists of at least 0."""

    of: list[str]
    nested: list[str] = []
    least: int = 1


class Unused(Part, frozen=True, tag_field="check", tag="unused"):
    """No entry of the lists in `of` has one of the `fields`, which the game does not use here."""

    of: list[str]
    fields: list[str]


class Matched(Part, frozen=True, tag_field="check", tag="matched"):
    """Entries of `of` with `value` in the field `by` are the entries of the list `paid`, by name, each once."""

    of: list[str]
    by: str
    value: str
    paid: str


class Purchases(Part, frozen=True, tag_field="check", tag="purchases"):
    """The maximum number of entries in all nested lists in `kinds` of an entry of `of`, by its field `by`.

    `unstated`: the value for entries without that field; empty if the field is required.
    """

    of: list[str]
    kinds: list[str]
    by: str
    limits: dict[str, int]
    unstated: str = ""


class Perks(Part, frozen=True, tag_field="check", tag="perks"):
    """Bought perks: each once in a roster, none of the kind `barred`, at the price of their requisite.

    - `of`: lists whose entries have perks in the list `nested`.
    - `doubled`: kind that costs twice as much.
    - `prices`: prices in the document, by name.
    """

    of: list[str]
    nested: str
    barred: str
    doubled: str
    prices: dict[str, int] = {}


class Upgrades(Part, frozen=True, tag_field="check", tag="upgrades"):
    """Raised statistics: none of `barred`, none above `most`, each once for an entry."""

    of: list[str]
    nested: str
    choices: list[str]
    barred: list[str]
    most: int


class Rated(Part, frozen=True, tag_field="check", tag="rated"):
    """Entries with fixed points, by the roster's field `by` and the entry's name (with its weapon)."""

    of: list[str]
    by: str
    value: str
    points: dict[str, int]


class Stated(Part, frozen=True, tag_field="check", tag="stated"):
    """If an entry states its points in the field `written`, they are the sum of its own and of all nested entries."""

    of: list[str]
    written: str


class Leader(Part, frozen=True, tag_field="check", tag="leader"):
    """At least one entry has the leader's perk. `perks`: nested lists of perks to search."""

    of: list[str]
    perk: str
    perks: list[str]


class Without(Part, frozen=True, tag_field="check", tag="without"):
    """No entry has one of the `values` in its field `by`. advice: such an entry is legal, but advised against."""

    of: list[str]
    by: str
    values: list[str]
    nested: str = ""
    advice: bool = False


class Among(Part, frozen=True, tag_field="check", tag="among"):
    """Every entry has one of the `choices`, or the value of the roster's field `own`, in its field `by`.

    `by_faction`: additional choices by faction.
    """

    of: list[str]
    by: str
    choices: list[str]
    own: str = ""
    by_faction: dict[str, list[str]] = {}


RosterCheck = (
    Total
    | Count
    | OnePer
    | OneOf
    | Named
    | Priced
    | Unused
    | Matched
    | Purchases
    | Perks
    | Upgrades
    | Rated
    | Stated
    | Leader
    | Without
    | Among
)


class CatalogueItem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry that rosters may have.

    - `in_list`: its list in a roster.
    - `points`: its price, if it has one.
    - `factions`: factions that may have it; empty for all.
    - `fields`: required values of further fields.
    - `released`: day of release (YYYY-MM-DD), if it determines legality. `release`: kind of release, a key of the
      ruleset's `legality.weekdays`.
    - `legal_from`: first legal day, set by the organiser for this item; overrides the delay after its release.
    """

    in_list: str
    name: str
    points: int | None = None
    factions: list[str] = []
    fields: dict[str, int | str] = {}
    released: str = ""
    release: str = ""
    legal_from: str = ""


Since = Literal["submission", "round_1", "end"]
"""Time from which a field is visible: submission, the start of round 1, or the end of the tournament."""


class Openness(Part, frozen=True):
    """The audience of roster fields, in addition to the owner and staff.

    - `of`: the fields; empty for all that no other row names.
    - `to`: everyone, only opponents in a started round, or only staff.
    """

    to: Literal["everybody", "opponents", "staff"]
    since: Since = "round_1"
    of: list[str] = []


class Roster(Part, frozen=True):
    """The rules for rosters.

    - `locked`: time from which a roster cannot change.
    - `staff_accept`: legal rosters wait until staff accept them; otherwise they are accepted at once.
    - `open`: visibility of fields. By default everyone sees everything once round 1 has begun.
    - `fields`: allowed fields. `entries` is a list of objects, each with texts, whole numbers (including `points`) and
      further lists of the same kind.
    - `catalogue`: available entries. If it is empty, names and prices are taken as written.
    - `example`: a legal roster to copy; empty for none.
    """

    locked: Literal["start", "first_game"]
    fields: dict[str, Literal["text", "whole", "entries"]]
    checks: list[RosterCheck]
    open: list[Openness] = []
    catalogue: list[CatalogueItem] = []
    example: dict[str, Any] = {}
    staff_accept: bool = False


SUBMISSION: frozenset[Since] = frozenset({"submission"})
"""Times reached before play begins."""
BY_ROUND_1: frozenset[Since] = SUBMISSION | {"round_1"}
"""Times reached once round 1 has begun."""
DEFAULT_OPENNESS = Openness(clause="", to="everybody", since="round_1")
"""Visibility of fields that the ruleset does not mention."""


def openness_rows(roster: Roster, field: str) -> list[Openness]:
    """Return the rows that apply to a field: those that name it, else those that name no field, else the default."""
    rows = [row for row in roster.open if field in row.of]
    return rows or [row for row in roster.open if not row.of] or [DEFAULT_OPENNESS]


def openness_clause(roster: Roster, field: str) -> str:
    """Return the clause about the visibility of a field."""
    return openness_rows(roster, field)[-1].clause or roster.cites("open")


def open_since(roster: Roster, field: str) -> Since | None:
    """Return the time from which everyone sees a field; None if that never happens."""
    times = {row.since for row in openness_rows(roster, field) if row.to == "everybody"}
    order: tuple[Since, ...] = ("submission", "round_1", "end")
    return next((since for since in order if since in times), None)


def sealed_fields(roster: Roster, reached: Collection[Since]) -> list[str]:
    """Return the fields that not everyone may see yet. The log contains their digests.

    `reached`: the times that have been reached.
    """
    return [field for field in roster.fields if open_since(roster, field) not in reached]


def blank_entries(roster: Roster, name: str) -> list[dict[str, str]]:
    """Return placeholders for the entries of a hidden list: their minimum number and known kinds."""
    for check in roster.checks:
        if isinstance(check, OnePer) and check.of == name:
            return [{check.by: choice} for choice in check.choices]
        if isinstance(check, Count) and check.of == name:
            return [{} for _ in range(max(1, check.least))]
    return [{}]


def faults_of_openness(roster: Roster) -> list[Fault]:
    """Return faults of rows about unknown fields, and of a hidden total that scoring needs to check results."""
    expected = one_of(list(roster.fields))
    faults = [
        Fault(f"/roster/open/{index}/of", display_text(field), expected)
        for index, row in enumerate(roster.open)
        for field in row.of
        if field not in roster.fields
    ]
    hidden = sealed_fields(roster, BY_ROUND_1)
    faults += [
        Fault(f"/roster/checks/{index}/written", display_text(check.written), expects("field-open-from-round-1"))
        for index, check in enumerate(roster.checks)
        if isinstance(check, Total) and check.written in hidden
    ]
    return faults


def salt_of(secret: str, field: str) -> str:
    """Return the salt of a field. It reveals nothing about other salts. `secret`: random text of the submission."""
    return _digest([secret, field])


def seal(salt: str, field: str, value: Any) -> str:
    """Return the digest of a field: hex SHA-256 of the RFC 8785 JSON of `[salt, field, value]`.

    `value` is None if the roster has no such field, which the log does not reveal either. Source: AR-TIME-6.
    """
    return _digest([salt, field, value])


def split_sealed(
    sealed: Collection[str], sheet: Mapping[str, Any], secret: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a roster as the log contains it: visible fields, and digests of the `sealed` ones."""
    clear = {field: value for field, value in sheet.items() if field not in sealed}
    return clear, {field: seal(salt_of(secret, field), field, sheet.get(field)) for field in sealed}


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()
