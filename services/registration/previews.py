"""What a command of registration would move beside its events: a row for each thing, where there is such."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from services.registration.campaign.commands import MoveRuleset
from services.registration.campaign.views import MovePreviewed, preview_view
from services.registration.season.views import IdentityConsequences, consequences_view
from services.registration.tournament.views import PlaceMoved, places_moved
from shared.application.previews import Foreseen, Previews, PreviewView
from shared.shapes import View
from shared.web.tokens import Caller


class RegistrationMoves(View, frozen=True, kw_only=True):
    """What would be another than it is; what the format of the tournament does not have is left out."""

    players: list[PlaceMoved]
    ruleset: MovePreviewed | UnsetType = UNSET
    season: IdentityConsequences | UnsetType = UNSET


class RegistrationPreview(PreviewView, frozen=True, kw_only=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    moves: RegistrationMoves


def _players(foreseen: Foreseen) -> Any:
    return places_moved(foreseen.before.state.entries, foreseen.after.state.entries)


def _ruleset(foreseen: Foreseen) -> Any:
    command = foreseen.command
    return preview_view(foreseen.before.state.entries, command) if isinstance(command, MoveRuleset) else UNSET


def _season(foreseen: Foreseen) -> Any:
    before, after = foreseen.before.state, foreseen.after.state
    return consequences_view(before, after) if before.entries.format == "season" else UNSET


MOVES: Mapping[str, Callable[[Foreseen], Any]] = {"players": _players, "ruleset": _ruleset, "season": _season}
"""Member of the answer -> what makes it; UNSET where there is no such thing."""


def moves(foreseen: Foreseen, who: Caller | None) -> RegistrationMoves:
    """Everything that a command would move."""
    return RegistrationMoves(**{name: make(foreseen) for name, make in MOVES.items()})


PREVIEWS = Previews(RegistrationPreview, moves)
