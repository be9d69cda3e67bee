"""Routes of the floor in every format whose players meet: tables, a player's own game."""

from __future__ import annotations

from typing import Any

from services.pairing.formats import FORMATS
from services.pairing.handlers import HANDLERS
from services.pairing.tournament import views_floor as views
from shared.application.command_routes import CommandBlueprint
from shared.application.service import gateway_in
from shared.web.request import not_modified

gateway = gateway_in(FORMATS)
blueprint = CommandBlueprint(
    "floor",
    HANDLERS,
    description="The floor: clocks, calls, tables, a player's own game.",
    may_refuse=("wrong-format",),
)


@blueprint.get("/tournaments/<id:tournament>/tables")
@blueprint.response(200, views.TablesView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_tables(tournament: str) -> Any:
    """List the tables of every venue, each with the game that is played there, or as free."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.tables_view(loaded.state)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/pairing")
@blueprint.response(200, views.PlayersPairing)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown", "no-game")
def show_players_pairing(tournament: str, player: str) -> Any:
    """Show a player's game of the latest round, in a form that suits a phone."""
    with gateway.reading(tournament) as loaded:
        found = views.players_pairing(loaded.state, player)
        return not_modified(gateway.version(loaded)) or found
