"""Parts of a ruleset about rosters: fields, checks, the catalogue, and which fields are open to whom and when.

The log is public, copied by peers and never changed. So it holds in clear only the fields that everybody may see. For
every other field it holds a salted digest, which anybody can check once the field is opened.
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
    """The points of the lists in `of`, with everything nested in them, are at most `most`.

    written: the roster's own field that must state the same sum; empty when it has none. active: whether it is held.
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
    """Every entry of the lists in `of` has its `fields`, none empty; lists that are left out are empty.

    inner: the fields of what is nested in an entry; the same ones where nothing is said.
    """

    of: list[str]
    fields: list[str]
    inner: list[str] = []


class Priced(Part, frozen=True, tag_field="check", tag="priced"):
    """Every entry of the lists in `of` says its `points`, `least` or more; what it bought in `nested`, if only 0."""

    of: list[str]
    nested: list[str] = []
    least: int = 1


class Unused(Part, frozen=True, tag_field="check", tag="unused"):
    """No entry of the lists in `of` has one of the `fields`: the game has no use for them here."""

    of: list[str]
    fields: list[str]


class Matched(Part, frozen=True, tag_field="check", tag="matched"):
    """Entries of `of` with `value` in the field `by` are those of the list `paid`, by name, each of them once."""

    of: list[str]
    by: str
    value: str
    paid: str


class Purchases(Part, frozen=True, tag_field="check", tag="purchases"):
    """How many entries of the nested lists in `kinds` one entry of `of` has in all, by its field `by`.

    unstated: what counts for an entry without that field; empty: the field is due.
    """

    of: list[str]
    kinds: list[str]
    by: str
    limits: dict[str, int]
    unstated: str = ""


class Perks(Part, frozen=True, tag_field="check", tag="perks"):
    """Perks that are bought: each once in a roster, none of the kind `barred`, at the price of their requisite.

    of: lists with entries that have perks in the nested list `nested`. doubled: the kind that costs twice as much.
    prices: what the document itself says that a perk costs, by its name.
    """

    of: list[str]
    nested: str
    barred: str
    doubled: str
    prices: dict[str, int] = {}


class Upgrades(Part, frozen=True, tag_field="check", tag="upgrades"):
    """Statistics that are raised: none of `barred`, none above `most`, each once for an entry."""

    of: list[str]
    nested: str
    choices: list[str]
    barred: list[str]
    most: int


class Rated(Part, frozen=True, tag_field="check", tag="rated"):
    """Entries whose points are fixed, by the roster's field `by` and the entry's name (with its weapon)."""

    of: list[str]
    by: str
    value: str
    points: dict[str, int]


class Stated(Part, frozen=True, tag_field="check", tag="stated"):
    """An entry whose field `written` states its points states the sum of them and of everything nested in it."""

    of: list[str]
    written: str


class Leader(Part, frozen=True, tag_field="check", tag="leader"):
    """At least one entry has the perk of a leader. perks: the nested lists of perks that are looked through."""

    of: list[str]
    perk: str
    perks: list[str]


class Without(Part, frozen=True, tag_field="check", tag="without"):
    """No entry has one of the `values` in its field `by`. advice: it is allowed, and only told."""

    of: list[str]
    by: str
    values: list[str]
    nested: str = ""
    advice: bool = False


class Among(Part, frozen=True, tag_field="check", tag="among"):
    """Every entry has in its field `by` one of the `choices`, or what the roster's own field `own` says.

    by_faction: faction -> what its rosters may have besides.
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
    """Something a roster may hold. in_list: where it stands in a roster; points: its price, where it has one.

    factions: who may have it (nobody named: all). fields: further fields that its entry has, with their values.
    released: the day it came out (YYYY-MM-DD), where that decides from when it is legal; release: what kind of release
    it was, by a name under the ruleset's `legality.weekdays`. legal_from: the day from which it is legal here, whatever
    the delay after its release says; the organiser's word for this one item.
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
"""From when: as soon as a list is handed in, once the first round has begun, or once the tournament is over."""


class Openness(Part, frozen=True):
    """Who sees fields of a list, beside its owner and the staff, and from when.

    of: the fields; none: all that no row names. to: everybody, whoever meets its owner in a round that has started, or
    nobody else.
    """

    to: Literal["everybody", "opponents", "staff"]
    since: Since = "round_1"
    of: list[str] = []


class Roster(Part, frozen=True):
    """What a list must keep to. locked: from when it cannot change. staff_accept: a legal list waits until staff have
    checked and accepted it; else it is accepted at once.

    open: who sees what of it; where nothing is said, everybody sees all of it once the first round has begun.

    fields: the fields that a roster may have. `entries` is a list of objects, each with texts, whole numbers
    (`points` among them) and further lists of the same kind.
    catalogue: what there is to choose from; while it is empty, names and prices are taken as they are written.
    example: a legal roster, the form to copy; empty where the pack has none.
    """

    locked: Literal["start", "first_game"]
    fields: dict[str, Literal["text", "whole", "entries"]]
    checks: list[RosterCheck]
    open: list[Openness] = []
    catalogue: list[CatalogueItem] = []
    example: dict[str, Any] = {}
    staff_accept: bool = False


SUBMISSION: frozenset[Since] = frozenset({"submission"})
"""The moments that have come when nobody has played yet."""
BY_ROUND_1: frozenset[Since] = SUBMISSION | {"round_1"}
"""The moments that have come once the first round has begun."""
DEFAULT_OPENNESS = Openness(clause="", to="everybody", since="round_1")
"""What holds for fields of which a ruleset says nothing."""


def openness_rows(roster: Roster, field: str) -> list[Openness]:
    """Return the rows that apply to a field: those that name it, else those that name no field, else the default."""
    named = [row for row in roster.open if field in row.of]
    return named or [row for row in roster.open if not row.of] or [DEFAULT_OPENNESS]


def openness_clause(roster: Roster, field: str) -> str:
    """The clause that says who sees a field."""
    return openness_rows(roster, field)[-1].clause or roster.cites("open")


def open_since(roster: Roster, field: str) -> Since | None:
    """From when everybody sees a field; None where not everybody ever does."""
    found = {row.since for row in openness_rows(roster, field) if row.to == "everybody"}
    order: tuple[Since, ...] = ("submission", "round_1", "end")
    return next((since for since in order if since in found), None)


def sealed_fields(roster: Roster, reached: Collection[Since]) -> list[str]:
    """Return the fields that not everybody may see yet; the log has digests of them.

    reached: the moments that have come.
    """
    return [field for field in roster.fields if open_since(roster, field) not in reached]


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
    """Return the salt of one field; it reveals nothing of other salts. secret: random text of this submission."""
    return _digest([secret, field])


def seal(salt: str, field: str, value: Any) -> str:
    """Return the digest of a field: hex SHA-256 of the canonical JSON (RFC 8785) of [salt, field, value].

    value: None if the list has no such field, which the log does not reveal either. Source: AR-TIME-6.
    """
    return _digest([salt, field, value])


def split_sealed(
    sealed: Collection[str], sheet: Mapping[str, Any], secret: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a list as the log holds it: the open fields in clear, and the digests of the `sealed` ones."""
    clear = {field: value for field, value in sheet.items() if field not in sealed}
    return clear, {field: seal(salt_of(secret, field), field, sheet.get(field)) for field in sealed}


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()
