"""What registration shows of the versions of its ruleset that a campaign is played by, and of what would differ."""

from __future__ import annotations

from typing import Annotated, Any

from services.registration.campaign.commands import MoveRuleset
from services.registration.campaign.ruleset_moves import differences
from shared.shapes import View, made_from
from shared.tournament.entries import Entries

BESIDE_RULES = ("options", "chosen")
"""Members of a pack that stay as they were announced, whatever their defaults are."""


class VersionView(View, frozen=True, kw_only=True):
    """A version of a ruleset."""

    id: str
    version: str


class RuleDiffers(View, frozen=True, kw_only=True):
    """A value that differs. null: it is on one side only."""

    where: Annotated[str, "JSON pointer into the pack."]
    before: Any
    after: Any


class MovePreviewed(View, frozen=True, kw_only=True):
    """What would differ from a round on; nothing was moved."""

    from_round: int
    before: VersionView
    after: VersionView
    differences: list[RuleDiffers]


class MoveView(VersionView, frozen=True, kw_only=True):
    """A version of the ruleset, and the round from which it holds; the one announced holds from 0 on."""

    from_round: int


class MovesView(View, frozen=True, kw_only=True):
    """Every version that the campaign has been played by, the first first."""

    items: list[MoveView]


def moves_view(entries: Entries) -> MovesView:
    """The ruleset as it was announced, and each that it has moved to."""
    packs = [(0, entries.ruleset), *((move.from_round, move.ruleset) for move in entries.moves)]
    return MovesView(
        items=[MoveView(from_round=number, id=pack["id"], version=pack["version"]) for number, pack in packs]
    )


def preview_view(entries: Entries, command: MoveRuleset) -> MovePreviewed:
    """What would differ from the ruleset that the round has now."""
    packs = [move.ruleset for move in entries.moves if move.from_round <= command.from_round]
    now = packs[-1] if packs else entries.ruleset
    return MovePreviewed(
        from_round=command.from_round,
        before=_version(now),
        after=_version(command.ruleset),
        differences=[made_from(RuleDiffers, one) for one in differences(_rules(now), _rules(command.ruleset))],
    )


def _rules(pack: dict[str, Any]) -> dict[str, Any]:
    """A pack without what stays as it was announced."""
    return {member: value for member, value in pack.items() if member not in BESIDE_RULES}


def _version(pack: dict[str, Any]) -> VersionView:
    return VersionView(id=pack["id"], version=pack["version"])
