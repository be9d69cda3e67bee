"""Where a player's link leads: who they are here, and where their game and their standing are to be found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from services.registration import answers, directory, queries
from services.registration.domain.state import player_of
from shared.handling.front import Front
from shared.http.access import caller
from shared.http.blueprint import Blueprint
from shared.http.fields import Answer
from shared.http.tokens import PLAYER


class MeShown(Answer):
    """The player behind the link, and where to read and do what concerns them."""

    tournament = fields.String(required=True)
    name = fields.String(required=True, metadata={"description": "Of the tournament."})
    status = fields.String(required=True)
    player = fields.Nested(answers.PlayerShown, required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


def me_blueprint(front: Front, urls: Mapping[str, str]) -> Blueprint:
    """The one page of a phone that has no account. urls: service -> base URL, as phones reach it."""
    blueprint = Blueprint("me", description="The player behind a link.")

    @blueprint.get("/tournaments/<id:tournament>/me")
    @blueprint.allow(PLAYER)
    @blueprint.response(200, MeShown)
    @blueprint.may_refuse("tournament-unknown", "player-unknown")
    def show_me(tournament: str) -> dict[str, Any]:
        """Show the player whose token this is, with the addresses of their game, results and standing."""
        player = caller().player or ""
        here = f"/tournaments/{tournament}"
        with front.reading(tournament) as folded:
            found = player_of(folded.state.entries, player)
            return {
                "tournament": tournament,
                "name": folded.state.entries.name,
                "status": directory.status_of(folded.state),
                "player": queries.player_shown(found, queries.waiting_places(folded.state.entries)),
                "links": {
                    "roster": f"{urls['registration']}{here}/players/{player}/roster",
                    "check_in": f"{urls['registration']}{here}/players/{player}/check-in",
                    "drop": f"{urls['registration']}{here}/players/{player}/drop",
                    "game": f"{urls['pairing']}{here}/players/{player}/pairing",
                    "clock": f"{urls['pairing']}{here}/clock",
                    "games": f"{urls['scoring']}{here}/games",
                    "standing": f"{urls['scoring']}{here}/standings/{player}",
                },
            }

    return blueprint
