"""What the rulesets of all formats have in common, and their plain JSON values."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.rules.parts import Document, Entry, Legality, Option, Tier
from shared.rules.printed_forms import Form, Printed, titles_of
from shared.rules.staff import StaffRules


class RoundsOption(msgspec.Struct, frozen=True):
    """An option that sets the number of rounds. key: of the option; clause: that says so."""

    key: str
    rounds: int
    clause: str


class AnyRuleset(msgspec.Struct, frozen=True, kw_only=True):
    """What every ruleset says, whatever its format.

    id: stable, with the version of the document in it. chosen: the options that were set, already applied to the
    other parts.
    """

    id: str
    version: str
    name: str
    format: str
    document: Document
    tiers: list[Tier]
    entry: Entry
    staff: StaffRules | None = None
    forms: list[Form] = []
    options: list[Option] = []
    chosen: dict[str, Any] = {}

    @property
    def rounds_option(self) -> RoundsOption | None:
        """The option that sets the number of rounds; None if the announcement does."""
        return None

    @property
    def due_dates(self) -> Legality | None:
        """When lists are due and releases are legal; None if the ruleset has no such rule."""
        return None

    def printed(self, form: Form) -> Printed:
        """Return what is on every sheet of a form in addition to its lines."""
        return Printed(titles_of(form, None), form.instructions)


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(AnyRuleset)


def to_json(ruleset: msgspec.Struct) -> dict[str, Any]:
    """A ruleset as plain JSON values: strings, whole numbers, booleans, lists, objects; nothing is null.

    Defaults are written out, so that a later default never changes what an old event says.
    """
    built: dict[str, Any] = _without_nulls(msgspec.to_builtins(ruleset))
    return built


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(item) for item in value]
    return value
