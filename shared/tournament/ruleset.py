"""The ruleset inside a tournament's state: read once, and what every format's says."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from shared.refusals import Fault, expects, shown
from shared.rules.parts import Tier
from shared.rules.refusals import PackRefused
from shared.rules.ruleset import AnyRuleset
from shared.rules.shape_checks import faults_of_shape
from shared.tournament.entries import Entries

_KEEP = 512

Wanted = TypeVar("Wanted", bound=AnyRuleset)


class _Read(Struct, frozen=True):
    """A ruleset as read from the pack in a state. kept: what a format has worked out by it so far."""

    pack: dict[str, Any]
    ruleset: AnyRuleset
    kept: dict[bytes, Any]


_read: OrderedDict[tuple[int, type], _Read] = OrderedDict()


def rules_of(entries: Entries) -> AnyRuleset:
    """What the tournament's ruleset says as those of all formats do, with the organiser's options in force."""
    return read_common(entries.ruleset)


def tier_of(entries: Entries) -> Tier:
    """The tournament's level of play; the ruleset's first where the announcement names none."""
    tiers = rules_of(entries).tiers
    return next((tier for tier in tiers if tier.id == entries.tier), tiers[0])


def voids_games(entries: Entries) -> bool:
    """Return True if the games of disqualified players count for no one."""
    return bool(entries.ruleset.get("disqualification", {}).get("opponents") == "void_games")


def read_common(pack: dict[str, Any]) -> AnyRuleset:
    """What a ruleset of any format says as all do. Raises PackRefused when it is none."""
    return read_ruleset(pack, AnyRuleset)


def read_ruleset(pack: dict[str, Any], wanted: type[Wanted]) -> Wanted:
    """The ruleset that `to_json` wrote, as its format has it; read once for the same pack.

    Raises PackRefused with every fault when it is none.
    """
    found: Wanted = _reading(pack, wanted).ruleset  # type: ignore[assignment]
    return found


def kept_with(pack: dict[str, Any], wanted: type[Wanted]) -> dict[bytes, Any]:
    """Where a format keeps what it has worked out by a ruleset, as long as the ruleset itself is kept."""
    return _reading(pack, wanted).kept


def _reading(pack: dict[str, Any], wanted: type[Wanted]) -> _Read:
    key = (id(pack), wanted)
    found = _read.get(key)
    if found is None or found.pack is not pack:
        found = _read[key] = _Read(pack, _converted(pack, wanted), {})
        while len(_read) > _KEEP:
            _read.popitem(last=False)
    return found


def _converted(pack: dict[str, Any], wanted: type[Wanted]) -> Wanted:
    if wanted is not AnyRuleset and (faults := faults_of_shape(pack, wanted)):
        raise PackRefused("this is not a ruleset of the format", faults)
    try:
        return msgspec.convert(pack, wanted)
    except msgspec.ValidationError as error:
        raise PackRefused(f"this is not a ruleset: {error}", [Fault("", shown(pack), expects("ruleset"))]) from error
