"""Routes and views of forms: what is asked of a game, and printed sheets."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.scoring.guards import PlayerUnknown, game_of, round_of
from services.scoring.swiss_views import ranked_state
from shared.formats.options import rounds_if_fixed
from shared.refusals import Fault, Refusal, expects
from shared.rules.model import PLAYED
from shared.rules.parts import Form
from shared.service.game_lists import FormPrinted, SheetsPage, sheet_view
from shared.service.wiring import gateway_of
from shared.shapes import Id, View, Whole
from shared.swiss.games import ruleset_of
from shared.swiss.printed_sheets import SheetSelection, fill_sheets
from shared.swiss.scoring import AskedFact, FactKind, FactPart, Makes, asked_facts, draw_word, ruleset_in_round
from shared.tournament.guards import require_venue
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.blueprint import Blueprint
from shared.web.paging import Paged, next_page, parse_after


class FormView(FormPrinted, frozen=True, kw_only=True):
    """A form: what stands above its lines and in them. What Muster does not know is written by hand."""

    copies: Annotated[int | None, "null: until the number of rounds is fixed."]


class FormsView(View, frozen=True, kw_only=True):
    """The forms of a tournament's ruleset."""

    items: list[FormView]


def form_view(state: Tournament, form: Form) -> FormView:
    """A form, with how many copies of it are printed."""
    copies: int | None = form.copies
    if form.copies_a_round:
        rounds = rounds_if_fixed(state)
        copies = None if rounds is None else form.copies + form.copies_a_round * rounds
    words = ruleset_of(state.entries).printed(form)
    return FormView(
        id=form.id,
        name=form.name,
        holds=form.holds,
        filled_by=form.filled_by,
        heading=form.heading,
        columns=form.columns,
        lines=form.lines,
        order=form.order,
        clause=form.clause,
        titles=words.titles,
        instructions=words.instructions,
        copies=copies,
    )


class OnlyView(View, frozen=True, kw_only=True):
    """Another fact, and what it has to be."""

    where: str
    value: str


class AskedFactView(View, frozen=True, kw_only=True):
    """A fact that may be said of a game."""

    where: Annotated[str, "JSON pointer into `facts`."]
    name: Annotated[str, "The same for both sides."]
    side: Annotated[int, "1 or 2; 0: of the game."]
    kind: Annotated[
        FactKind,
        "whole: a number; choice: one of `choices`; flag: no or yes, as `choices` have them; text; names, numbers,"
        " letters: a list of them; units: a list of units that are gone, each an object.",
    ]
    part: Annotated[
        FactPart,
        "game: which it was; score; table: what makes the score or the winner; beside: recorded besides; end: how it"
        " ended.",
    ]
    least: Annotated[int, "Of a number; of a list, how many."]
    most: Annotated[int | None, "The same; null: open."]
    step: int
    together: Annotated[int | None, "The most of both sides in sum; null: open."]
    choices: list[int | str | bool]
    needed: Annotated[bool, "A game without it is refused, unless something else makes it."]
    makes: Annotated[Makes, "points, winner: which of them follows from it, and need not be said then."]
    only: Annotated[OnlyView | UnsetType, "Asked only where this was said."] = UNSET
    game_round: Annotated[int, "Of the game, after which it is counted; 0: at its end."]
    clause: str


class ResultFormView(View, frozen=True, kw_only=True):
    """What may be said of a game, with the bounds of each fact; what holds of several together, a preview says."""

    game: str
    unit: Annotated[str, "What points are called."]
    draw: Annotated[str, "What a game without a winner is called."]
    scenario: Annotated[str, "Of the round; empty where it has none."]
    concedes: Annotated[bool, "Whether a side may concede: `conceded_by`."]
    unplayed: Annotated[list[str], "Kinds of a game that was not played; only staff record them."]
    facts: list[AskedFactView]


def result_form_view(state: Tournament, round: int, seat: Seat) -> ResultFormView:
    """What a game is asked for, by the ruleset and the scenario of its round."""
    ruleset, scenario = ruleset_in_round(ruleset_of(state.entries), round), state.rounds.rounds[round].scenario
    form = ruleset.result
    return ResultFormView(
        game=seat.game,
        unit=form.unit,
        draw=draw_word(ruleset),
        scenario=scenario,
        concedes="conceded_by" in form.fields,
        unplayed=[kind for kind in form.kinds if kind not in (*PLAYED, "bye")],
        facts=[_fact_view(asked) for asked in asked_facts(ruleset, scenario)],
    )


def _fact_view(asked: AskedFact) -> AskedFactView:
    return AskedFactView(
        where=asked.where,
        name=asked.name,
        side=asked.side,
        kind=asked.kind,
        part=asked.part,
        least=asked.least,
        most=asked.most,
        step=asked.step,
        together=asked.together,
        choices=list(asked.choices),
        needed=asked.needed,
        makes=asked.makes,
        only=OnlyView(where=asked.only.where, value=asked.only.value) if asked.only else UNSET,
        game_round=asked.game_round,
        clause=asked.clause,
    )


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
    round, after = parse_after(query.after, int, int) or (0, 0)
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        chosen = next((one for one in ruleset_of(state.entries).forms if one.id == form), None)
        if chosen is None:
            raise FormUnknown(f"{ruleset_of(state.entries).name} has no form {form}.")
        if chosen.holds == "standings":
            state = ranked_state(loaded)
        wanted = _wanted(state, chosen, query, (round or None) if query.round is UNSET else query.round)
        sheets = list(fill_sheets(state, chosen, wanted))
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


def _wanted(state: Tournament, form: Form, query: SheetsQuery, round: int | None) -> SheetSelection:
    """Raises RoundUnknown, PlayerUnknown, UnknownVenue."""
    player = query.player
    require_venue(state.entries, query.venue)
    if round is not None:
        round_of(state, round)
    if player and player not in state.entries.players:
        fault = Fault("/player", player, expects("player-of-tournament"))
        raise PlayerUnknown(f"No player has the id {player}.", [fault])
    if round is None and form.holds in ("sides", "builder", "pairings"):
        round = max(state.rounds.rounds, default=0)
    if round is None and form.holds == "standings":
        round = max(state.results.closed, default=0)
    return SheetSelection(round or 0, player, query.venue)


class FormUnknown(Refusal):
    """The ruleset prints no form of this name."""

    code = "form-unknown"
