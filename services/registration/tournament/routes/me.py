"""Where a player's link leads: who they are here, and where their game and their standing are to be found."""

from __future__ import annotations

from typing import Annotated

from services.registration.formats import FORMATS
from services.registration.tournament import directory, views
from services.registration.tournament.state import player_of
from services.registration.tournament.views_links import LinkView, links_view
from shared.application.service import gateway, service
from shared.roles import PLAYER
from shared.shapes import View
from shared.web.access import caller
from shared.web.blueprint import Blueprint

OF_EVERY_FORMAT = {
    "check_in": ("registration", "/players/{player}/check-in"),
    "drop": ("registration", "/players/{player}/drop"),
    "player_links": ("registration", "/players/{player}/links"),
}
"""What concerns a player in every format -> the service and the path, in the tournament, where it is found."""


class MeView(View, frozen=True, kw_only=True):
    """The player behind the link, and where to read and do what concerns them."""

    tournament: str
    name: Annotated[str, "The tournament's name."]
    status: str
    player: views.PlayerView
    links: dict[str, str]
    player_links: Annotated[
        list[LinkView],
        "The player's links, and who received each one. Tell an organiser of any that you do not know.",
    ]


blueprint = Blueprint("me", description="The player behind a link.")


@blueprint.get("/tournaments/<id:tournament>/me")
@blueprint.allow(PLAYER)
@blueprint.response(200, MeView)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_me(tournament: str) -> MeView:
    """Show the player whom this token belongs to, with the addresses of their game, results and standing."""
    player = caller().player or ""
    here = f"/tournaments/{tournament}"
    with gateway.reading(tournament) as loaded:
        found = player_of(loaded.state.entries, player)
        own = FORMATS[loaded.state.entries.format].links
        return MeView(
            tournament=tournament,
            name=loaded.state.entries.name,
            status=directory.status_of(loaded.state),
            player=views.player_view(found, views.waiting_places(loaded.state.entries)),
            player_links=links_view(tournament, loaded.state, found),
            links={
                name: service.settings.public_urls[place] + here + rest.format(player=player)
                for name, (place, rest) in {**OF_EVERY_FORMAT, **own}.items()
            },
        )
