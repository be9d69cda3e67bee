"""Routes of forms: what a game is asked for, and printed forms with their sheets filled in."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.scoring.swiss.views import ranked_state
from services.scoring.swiss.views_forms import FormsView, ResultFormView, form_view, result_form_view
from services.scoring.tournament.refusals import FormUnknown, PlayerUnknown
from services.scoring.tournament.state import game_of, round_of
from shared.refusals import Fault, expects
from shared.rules.parts import Form
from shared.service.game_lists import SheetsPage, sheet_view
from shared.service.wiring import gateway_of
from shared.shapes import Id, Whole
from shared.swiss.games import ruleset_of
from shared.swiss.printed_sheets import Wanted, filled
from shared.tournament.guards import need_venue
from shared.tournament.state import Tournament
from shared.web.blueprint import Blueprint
from shared.web.paging import Paged, begins_after, next_page


class SheetsQuery(Paged, frozen=True, kw_only=True):
    """Which sheets; the answer says of which round they are."""

    round: Annotated[
        int | UnsetType,
        Whole(1, 1000),
        "Left out: the latest; for standings the latest that is closed, for rounds of players all of them.",
    ] = UNSET
    player: Annotated[Id, "Only sheets of this player."] = ""
    venue: Annotated[Id, "Only sheets of this venue."] = ""


gateway = gateway_of("swiss")
blueprint = Blueprint(
    "forms",
    description="Printed forms: slips, sheets, lists, filled in as far as is known.",
    may_refuse=("wrong-format",),
)


@blueprint.get("/tournaments/<id:tournament>/forms")
@blueprint.response(200, FormsView)
@blueprint.may_refuse("tournament-unknown")
def list_forms(tournament: str) -> FormsView:
    """List the forms of the ruleset."""
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        return FormsView(items=[form_view(state, form) for form in ruleset_of(state.entries).forms])


@blueprint.get("/tournaments/<id:tournament>/forms/<id:form>")
@blueprint.arguments(SheetsQuery, location="query")
@blueprint.response(200, SheetsPage)
@blueprint.may_refuse(
    *("tournament-unknown", "form-unknown", "round-unknown", "player-unknown", "venue-unknown", "invalid-cursor"),
)
def show_sheets(query: SheetsQuery, tournament: str, form: str) -> Any:
    """Show the sheets of a form, filled in.

    Fields of a list that are not open to everybody yet stay empty; registration prints what the caller may read of
    them (GET …/rosters/sheets).
    """
    round, after = begins_after(query.after, int, int) or (0, 0)
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        chosen = next((one for one in ruleset_of(state.entries).forms if one.id == form), None)
        if chosen is None:
            raise FormUnknown(f"{ruleset_of(state.entries).name} has no form {form}.")
        if chosen.holds == "standings":
            state = ranked_state(loaded)
        wanted = _wanted(state, chosen, query, (round or None) if query.round is UNSET else query.round)
        sheets = list(filled(state, chosen, wanted))
    items = [sheet_view(sheet) for sheet in sheets[after : after + query.limit]]
    last = (wanted.round, after + len(items)) if len(sheets) > after + len(items) else None
    words, (cursor, headers) = ruleset_of(state.entries).printed(chosen), next_page(last)
    shown = SheetsPage(
        items=items,
        next=cursor,
        total=len(sheets),
        round=wanted.round or None,
        titles=words.titles,
        instructions=words.instructions,
    )
    return shown, 200, headers


@blueprint.get("/tournaments/<id:tournament>/games/<id:game>/result-form")
@blueprint.response(200, ResultFormView)
@blueprint.may_refuse("tournament-unknown", "game-unknown", "bye-has-no-result")
def show_result_form(tournament: str, game: str) -> ResultFormView:
    """Show what a report of this game may say: each fact with its bounds, by the ruleset and the scenario of its round.

    What a report would give, `preview=true` of the report shows.
    """
    with gateway.reading(tournament) as loaded:
        round, seat = game_of(loaded.state, game)
        return result_form_view(loaded.state, round.number, seat)


def _wanted(state: Tournament, form: Form, query: SheetsQuery, round: int | None) -> Wanted:
    """Raises RoundUnknown, PlayerUnknown, UnknownVenue."""
    player = query.player
    need_venue(state.entries, query.venue)
    if round is not None:
        round_of(state, round)
    if player and player not in state.entries.players:
        fault = Fault("/player", player, expects("player-of-tournament"))
        raise PlayerUnknown(f"No player has the id {player}.", [fault])
    if round is None and form.holds in ("sides", "builder", "pairings"):
        round = max(state.rounds.rounds, default=0)
    if round is None and form.holds == "standings":
        round = max(state.results.closed, default=0)
    return Wanted(round or 0, player, query.venue)
