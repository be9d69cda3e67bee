"""Routes of printed forms: which there are, and their sheets filled in."""

from __future__ import annotations

from itertools import islice
from typing import Any

from marshmallow import fields
from msgspec.structs import asdict, replace

from services.scoring.tournament.refusals import FormUnknown, PlayerUnknown
from services.scoring.tournament.state import round_of
from shared.application.roster_openness import fields_open
from shared.application.schemas import FormPrinted, SheetShown, form_titles
from shared.application.service import gateway_of
from shared.formats.by_format import rounds_if_fixed
from shared.formats.swiss.printed_sheets import Wanted, filled
from shared.formats.swiss.ruleset import printed, ruleset_of
from shared.refusals import Fault
from shared.rules.printed_forms import Form
from shared.tournament.state import Tournament
from shared.web.access import caller_or_none
from shared.web.blueprint import Blueprint
from shared.web.fields import Answer, Identifier, QueryNumber
from shared.web.paging import PageQuery, begins_after, page, page_of


class FormShown(FormPrinted):
    """A form: what stands above its lines and in them. What Muster does not know is written by hand."""

    copies = fields.Integer(
        required=True, allow_none=True, metadata={"description": "null: until the number of rounds is fixed."}
    )


class FormsShown(Answer):
    """The forms of a tournament's ruleset."""

    forms = fields.List(fields.Nested(FormShown), required=True)


class SheetsPage(page_of(SheetShown)):  # type: ignore[misc]
    """One page of sheets."""

    round = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The round that they are of; null: of all, or of none."},
    )
    titles = form_titles()
    instructions = fields.List(fields.String(), required=True)


class SheetsQuery(PageQuery):
    """round: left out, the latest (for standings the latest that is closed; for rounds of players, all of them).

    The answer says which it is.
    """

    round = QueryNumber(1, 1000)
    player = Identifier(load_default="", metadata={"description": "Only sheets of this player."})
    venue = Identifier(load_default="", metadata={"description": "Only sheets of this venue."})


gateway = gateway_of("swiss")
blueprint = Blueprint(
    "forms",
    description="Printed forms: slips, sheets, lists, filled in as far as is known.",
    may_refuse=("wrong-format",),
)


@blueprint.get("/tournaments/<id:tournament>/forms")
@blueprint.response(200, FormsShown)
@blueprint.may_refuse("tournament-unknown")
def list_forms(tournament: str) -> dict[str, Any]:
    """List the forms of the ruleset."""
    with gateway.reading(tournament) as folded:
        state = folded.state
        return {"forms": [form_view(state, form) for form in ruleset_of(state.entries).forms]}


@blueprint.get("/tournaments/<id:tournament>/forms/<id:form>")
@blueprint.arguments(SheetsQuery, location="query")
@blueprint.response(200, SheetsPage)
@blueprint.may_refuse(
    "tournament-unknown", "form-unknown", "round-unknown", "player-unknown", "rosters-hidden", "invalid-cursor"
)
def show_sheets(query: dict[str, Any], tournament: str, form: str) -> Any:
    """Show the sheets of a form, filled in; lists of players are as open as they are in registration.

    What the log does not hold of a list is left empty: its owner writes it by hand.
    """
    round, after = begins_after(query, int, int) or (0, 0)
    with gateway.reading(tournament) as folded:
        state = folded.state
        chosen = next((one for one in ruleset_of(state.entries).forms if one.id == form), None)
        if chosen is None:
            raise FormUnknown(f"{ruleset_of(state.entries).title} has no form {form}.")
        wanted = _wanted(state, chosen, {**query, "round": query.get("round", round or None)})
        if chosen.holds == "roster":
            fields_view = fields_open(tournament, state, caller_or_none(), owner=query["player"])
            wanted = replace(wanted, fields=frozenset(fields_view))
        sheets = list(islice(filled(state, chosen, wanted), after, after + query["limit"] + 1))
    items = [asdict(sheet) for sheet in sheets[: query["limit"]]]
    last = (wanted.round, after + len(items)) if len(sheets) > len(items) else None
    return page(items, last, round=wanted.round or None, **printed(ruleset_of(state.entries), chosen))


def form_view(state: Tournament, form: Form) -> dict[str, Any]:
    """A form, with how many copies of it are printed."""
    copies: int | None = form.copies
    if form.copies_a_round:
        rounds = rounds_if_fixed(state)
        copies = None if rounds is None else form.copies + form.copies_a_round * rounds
    names = ("id", "name", "holds", "filled_by", "heading", "columns", "lines", "order", "clause")
    return {name: getattr(form, name) for name in names} | {"copies": copies} | printed(ruleset_of(state.entries), form)


def _wanted(state: Tournament, form: Form, query: dict[str, Any]) -> Wanted:
    """Raises RoundUnknown, PlayerUnknown."""
    round, player = query.get("round"), query["player"]
    if round is not None:
        round_of(state, round)
    if player and player not in state.entries.players:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault("/player", player, "the id of a player here")])
    if round is None and form.holds in ("sides", "builder", "pairings"):
        round = max(state.rounds.rounds, default=0)
    if round is None and form.holds == "standings":
        round = max(state.results.closed, default=0)
    return Wanted(round or 0, player, query["venue"])
