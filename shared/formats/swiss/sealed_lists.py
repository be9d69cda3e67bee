"""Parts of a list that the log must not show: it has a salted digest of each, by which they are checked later."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from shared.events.canonical import canonical
from shared.formats.swiss.rules.openness import sealed_fields
from shared.formats.swiss.rules.roster_parts import Roster


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
