"""Where a player's link leads: who they are here, and where their game and their standing are to be found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from services.registration.tournament import directory, view_schemas, views
from services.registration.tournament.routes.links import links_view
from services.registration.tournament.state import player_of
from shared.application.service import gateway, service
from shared.roles import PLAYER
from shared.web.access import caller
from shared.web.blueprint import Blueprint
from shared.web.fields import Answer

OF_EVERY_FORMAT = {
    "check_in": ("registration", "/players/{player}/check-in"),
    "drop": ("registration", "/players/{player}/drop"),
    "player_links": ("registration", "/players/{player}/links"),
}
LINKS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "swiss": {
        **OF_EVERY_FORMAT,
        "roster": ("registration", "/players/{player}/roster"),
        "game": ("pairing", "/players/{player}/pairing"),
        "clock": ("pairing", "/clock"),
        "games": ("scoring", "/games"),
        "standing": ("scoring", "/standings/{player}"),
    },
    "campaign": {
        **OF_EVERY_FORMAT,
        "group": ("registration", "/players/{player}/group"),
        "game": ("pairing", "/players/{player}/pairing"),
        "standing": ("scoring", "/standings/{player}"),
    },
    "coop": {
        **OF_EVERY_FORMAT,
        "invitation": ("registration", "/players/{player}/invitation"),
        "tables": ("pairing", "/session-rounds"),
        "games": ("scoring", "/sessions"),
        "standing": ("scoring", "/ranking/{player}"),
    },
}
"""Format -> what concerns a player -> the service and the path, in the tournament, where it is found."""


class MeShown(Answer):
    """The player behind the link, and where to read and do what concerns them."""

    tournament = fields.String(required=True)
    name = fields.String(required=True, metadata={"description": "Of the tournament."})
    status = fields.String(required=True)
    player = fields.Nested(view_schemas.PlayerShown, required=True)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    player_links = fields.List(
        fields.Nested(view_schemas.LinkShown),
        required=True,
        metadata={
            "description": "The player's links and who was handed each; one that you do not know of: tell an organiser."
        },
    )


blueprint = Blueprint("me", description="The player behind a link.")


@blueprint.get("/tournaments/<id:tournament>/me")
@blueprint.allow(PLAYER)
@blueprint.response(200, MeShown)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_me(tournament: str) -> dict[str, Any]:
    """Show the player whose token this is, with the addresses of their game, results and standing."""
    player = caller().player or ""
    here = f"/tournaments/{tournament}"
    with gateway.reading(tournament) as folded:
        found = player_of(folded.state.entries, player)
        return {
            "tournament": tournament,
            "name": folded.state.entries.name,
            "status": directory.status_of(folded.state),
            "player": views.player_view(found, views.waiting_places(folded.state.entries)),
            "player_links": links_view(tournament, folded.state, found),
            "links": {
                name: service.settings.urls[place] + here + rest.format(player=player)
                for name, (place, rest) in LINKS.get(folded.state.entries.format, OF_EVERY_FORMAT).items()
            },
        }
