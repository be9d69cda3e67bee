"""What a command of registration would move beside its events: a row for each thing, where there is such."""

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
    """What would be another than it is; what the format of the tournament does not have is left out."""

    players: list[PlaceMoved]
    unchanged: Annotated[int | UnsetType, "Of a list: players who are there as it says, and are passed over."] = UNSET
    ruleset: MovePreviewed | UnsetType = UNSET
    season: IdentityConsequences | UnsetType = UNSET


class RegistrationPreview(PreviewView, frozen=True, kw_only=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    moves: RegistrationMoves


def _ruleset(foreseen: PreviewOutcome) -> MovePreviewed | UnsetType:
    command = foreseen.command
    return preview_view(foreseen.before.state.entries, command) if isinstance(command, MoveRuleset) else UNSET


def _season(foreseen: PreviewOutcome) -> IdentityConsequences | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    if before.entries.format != "season":
        return UNSET
    shown = consequences_view(before, after)
    command = foreseen.command
    if isinstance(command, ClaimByName):
        return msgspec.structs.replace(shown, same_names=same_names_view(before, command))
    return shown


def _unchanged(foreseen: PreviewOutcome) -> int | UnsetType:
    command = foreseen.command
    if not isinstance(command, JoinPlayers) or not command.pass_over:
        return UNSET
    return len(unchanged_places(foreseen.before.state.entries, command))


def moves(foreseen: PreviewOutcome, who: Caller | None) -> RegistrationMoves:
    """Everything that a command would move."""
    return RegistrationMoves(
        players=places_moved(foreseen.before.state.entries, foreseen.after.state.entries),
        unchanged=_unchanged(foreseen),
        ruleset=_ruleset(foreseen),
        season=_season(foreseen),
    )


PREVIEWS = Previews(RegistrationPreview, moves)
