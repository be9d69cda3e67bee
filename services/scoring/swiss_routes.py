"""Routes and views of forms: the result form of a game, and printed sheets."""

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
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.blueprint import Blueprint
from shared.web.paging import Paged, next_page, parse_after


class FormView(FormPrinted, frozen=True, kw_only=True):
    """A printed form. Fields that Muster does not know are filled in by hand."""

    copies: Annotated[int | None, "The number of copies to print. null: the number of rounds is not yet fixed."]


class FormsView(View, frozen=True, kw_only=True):
    """The forms of a tournament's ruleset."""

    items: list[FormView]


def form_view(state: Tournament, form: Form) -> FormView:
    """Return the view of a form."""
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
    """A condition on another fact."""

    where: str
    value: str


class AskedFactView(View, frozen=True, kw_only=True):
    """A fact that a report of a game may contain."""

    where: Annotated[str, "JSON pointer into `facts`."]
    name: Annotated[str, "The name of the fact, the same for both sides."]
    side: Annotated[int, "1 or 2. 0: the fact concerns the whole game."]
    kind: Annotated[
        FactKind,
        "The type of the value. `whole`: a number. `choice`: one of `choices`. `flag`: no or yes, in the order of"
        " `choices`. `text`: a string. `names`, `numbers`, `letters`: a list. `units`: a list of lost units, "
        "as objects.",
    ]
    part: Annotated[
        FactPart,
        "The part of the form. `game`: identifies the game. `score`: the score itself. `table`: determines the score or"
        " the winner. `beside`: additional. `end`: how the game ended.",
    ]
    least: Annotated[int, "The minimum of a number, or the minimum length of a list."]
    most: Annotated[int | None, "The maximum of a number, or the maximum length of a list. null: none."]
    step: int
    together: Annotated[int | None, "The maximum of the sum of both sides. null: none."]
    choices: list[int | str | bool]
    needed: Annotated[bool, "The fact is required, unless it follows from others."]
    makes: Annotated[Makes, "`points` or `winner`: follows from this fact and need not be reported."]
    only: Annotated[OnlyView | UnsetType, "The fact applies only under this condition."] = UNSET
    game_round: Annotated[int, "The round of the game after which the fact is recorded. 0: at the end of the game."]
    clause: str


class ResultFormView(View, frozen=True, kw_only=True):
    """The facts that a report of a game may contain. Rules that combine several facts are checked by a preview."""

    game: str
    unit: Annotated[str, "The name of points."]
    draw: Annotated[str, "The name of a game without a winner."]
    scenario: Annotated[str, "The scenario of the round. Empty: none."]
    concedes: Annotated[bool, "A side may concede (`conceded_by`)."]
    unplayed: Annotated[list[str], "The kinds of results for a game that was not played. Only staff record them."]
    facts: list[AskedFactView]


def result_form_view(state: Tournament, round: int, seat: Seat) -> ResultFormView:
    """Return the result form of a game for the ruleset and the scenario of its round."""
    ruleset, scenario = ruleset_in_round(ruleset_of(state.entries), round), state.rounds.rounds[round].scenario
    form = ruleset.result
    return ResultFormView(
        game=seat.game,
        unit=form.unit,
        draw=draw_word(ruleset),
        scenario=scenario,
        concedes="conceded_by" in form.fields,
        unplayed=[kind for kind in form.kinds if kind not in (*PLAYED, "bye")],
        facts=[_fact_view(fact) for fact in asked_facts(ruleset, scenario)],
    )


def _fact_view(fact: AskedFact) -> AskedFactView:
    return AskedFactView(
        where=fact.where,
        name=fact.name,
        side=fact.side,
        kind=fact.kind,
        part=fact.part,
        least=fact.least,
        most=fact.most,
        step=fact.step,
        together=fact.together,
        choices=list(fact.choices),
        needed=fact.needed,
        makes=fact.makes,
        only=OnlyView(where=fact.only.where, value=fact.only.value) if fact.only else UNSET,
        game_round=fact.game_round,
        clause=fact.clause,
    )


class SheetsQuery(Paged, frozen=True, kw_only=True):
    """Query of sheets. The answer contains the round."""

    round: Annotated[
        int | UnsetType,
        Whole(1, 1000),
        "Absent: the latest round; for standings, the latest closed round; for players' sheets, all rounds.",
    ] = UNSET
    player: Annotated[Id, "Include only sheets of this player."] = ""
    venue: Annotated[Id, "Include only sheets of this venue."] = ""


gateway = gateway_of("swiss")
blueprint = Blueprint(
    "forms",
    description="Printed forms: slips, sheets and lists, filled in with known data.",
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
    """Show the sheets of a form with known data filled in.

    Fields of rosters that are not public yet stay empty. Registration prints those that the caller may read (GET
    …/rosters/sheets).
    """
    round, after = parse_after(query.after, int, int) or (0, 0)
    with gateway.reading(tournament, venue=query.venue) as loaded:
        state = loaded.state
        selected_form = next((candidate for candidate in ruleset_of(state.entries).forms if candidate.id == form), None)
        if selected_form is None:
            raise FormUnknown(f"{ruleset_of(state.entries).name} has no form {form}.")
        if selected_form.holds == "standings":
            state = ranked_state(loaded)
        selection = _select_sheets(
            state, selected_form, query, (round or None) if query.round is UNSET else query.round
        )
        sheets = list(fill_sheets(state, selected_form, selection))
    items = [sheet_view(sheet) for sheet in sheets[after : after + query.limit]]
    last = (selection.round, after + len(items)) if len(sheets) > after + len(items) else None
    words, (cursor, headers) = ruleset_of(state.entries).printed(selected_form), next_page(last)
    answer = SheetsPage(
        items=items,
        next=cursor,
        total=len(sheets),
        round=selection.round or None,
        titles=words.titles,
        instructions=words.instructions,
    )
    return answer, 200, headers


@blueprint.get("/tournaments/<id:tournament>/games/<id:game>/result-form")
@blueprint.response(200, ResultFormView)
@blueprint.may_refuse("tournament-unknown", "game-unknown", "bye-has-no-result")
def show_result_form(tournament: str, game: str) -> ResultFormView:
    """Show the facts that a report of this game may contain, with their bounds.

    They depend on the ruleset and on the scenario of the round. Use `preview=true` of the report to compute the score.
    """
    with gateway.reading(tournament) as loaded:
        round, seat = game_of(loaded.state, game)
        return result_form_view(loaded.state, round.number, seat)


def _select_sheets(state: Tournament, form: Form, query: SheetsQuery, round: int | None) -> SheetSelection:
    """Return the selected sheets. Raises RoundUnknown, PlayerUnknown."""
    player = query.player
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
    """The ruleset has no form with this id."""

    code = "form-unknown"
