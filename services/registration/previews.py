"""Previews of registration commands: changed players, ruleset differences, season consequences."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from services.registration.campaign_groups import MoveRuleset
from services.registration.campaign_routes import MovePreviewed, preview_view
from services.registration.players import JoinPlayers, unchanged_places
from services.registration.season_identities import ClaimByName
from services.registration.season_views import IdentityConsequences, consequences_view, same_names_view
from services.registration.views import PlaceMoved, places_moved
from shared.service.previews import PreviewOutcome, Previews, PreviewView
from shared.shapes import View
from shared.web.tokens import Caller


class RegistrationMoves(View, frozen=True, kw_only=True):
    """Changes that a command would make."""

    players: Annotated[list[PlaceMoved], "Players whose status would change."]
    unchanged: Annotated[int | UnsetType, "With `pass_over`: players who are already entered and are skipped."] = UNSET
    ruleset: Annotated[MovePreviewed | UnsetType, "The changes of a campaign's ruleset."] = UNSET
    season: Annotated[IdentityConsequences | UnsetType, "The consequences in a season."] = UNSET


class RegistrationPreview(PreviewView, frozen=True, kw_only=True):
    """The outcome that a command would have. Nothing is appended.

    Send this answer's ETag as If-Match with the command: it then has exactly this outcome, or is refused.
    """

    moves: RegistrationMoves


def _ruleset(foreseen: PreviewOutcome) -> MovePreviewed | UnsetType:
    command = foreseen.command
    return preview_view(foreseen.before.state.entries, command) if isinstance(command, MoveRuleset) else UNSET


def _season(foreseen: PreviewOutcome) -> IdentityConsequences | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    if before.entries.format != "season":
        return UNSET
    view = consequences_view(before, after)
    command = foreseen.command
    if isinstance(command, ClaimByName):
        return msgspec.structs.replace(view, same_names=same_names_view(before, command))
    return view


def _unchanged(foreseen: PreviewOutcome) -> int | UnsetType:
    command = foreseen.command
    if not isinstance(command, JoinPlayers) or not command.pass_over:
        return UNSET
    return len(unchanged_places(foreseen.before.state.entries, command))


def moves(foreseen: PreviewOutcome, caller: Caller | None) -> RegistrationMoves:
    """Return what a command would change."""
    return RegistrationMoves(
        players=places_moved(foreseen.before.state.entries, foreseen.after.state.entries),
        unchanged=_unchanged(foreseen),
        ruleset=_ruleset(foreseen),
        season=_season(foreseen),
    )


PREVIEWS = Previews(RegistrationPreview, moves)
