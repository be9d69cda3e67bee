"""Routes and views of rosters: readable fields, printed sheets, submission and acceptance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from services.registration.guards import player_of
from services.registration.handlers import HANDLERS
from services.registration.swiss_rosters import AcceptRoster, AcceptRosters, RejectRoster, SubmitRoster, moments_reached
from services.registration.swiss_sealed_rosters import (
    NO_SEALED_ROSTER,
    SealedRoster,
    note_writer,
    private_note,
    roster_writer,
    sealed_roster,
    sealed_rosters,
    secret_for,
)
from shared.formats.packs import roles_by_ruleset
from shared.refusals import Fault, Refusal, expects
from shared.roles import INTEGRATION, REFEREE_UP, SERVICE
from shared.rules.parts import Form
from shared.service.game_lists import SheetsPage, SheetView, sheet_view
from shared.service.routes import CommandBlueprint
from shared.service.views import ActorView, Appended, FaultView, actor_view, faults_view
from shared.service.visibility import is_token_valid_in
from shared.service.wiring import gateway_of
from shared.shapes import Id, View
from shared.swiss.games import ruleset_of
from shared.swiss.printed_sheets import ListParts, SheetSelection, fill_sheets, selected_players
from shared.swiss.roster import advice_on_roster
from shared.swiss.roster_parts import BY_ROUND_1, Roster, Since, open_since, openness_clause, openness_rows
from shared.swiss.ruleset import Ruleset
from shared.tournament.people import Entries, PaperRoster, Player
from shared.tournament.state import Tournament
from shared.web.auth import caller_or_none
from shared.web.paging import Paged, next_page, parse_after
from shared.web.schema import deferred
from shared.web.tokens import Caller

TRUSTED = (*REFEREE_UP, INTEGRATION, SERVICE)
"""Roles that may read, before play has begun, the fields that become public when it begins."""


class Reader(Struct, frozen=True):
    """The caller of a request, as a reader of rosters of a tournament.

    player: the caller's player id, or empty. is_judge: True for staff who do not play here. is_trusted: True for a
    trusted role. moments: moments of the ruleset that have come. opponents: the players the caller has met.
    """

    roster: Roster
    player: str
    is_judge: bool
    is_trusted: bool
    moments: frozenset[Since]
    opponents: frozenset[str]

    def sees_whole(self, owner: str) -> bool:
        """Return True for the owner of a roster, and for staff who do not play here."""
        return self.is_judge or (self.player != "" and self.player == owner)

    def fields_open(self, owner: str) -> list[str]:
        """Return the fields of a player's roster that the caller may read now.

        Raises RostersHidden if there are none. Source: FF-COND-2, DW-ROS-1, AR-TIME-6.
        """
        fields = self.roster.fields
        if self.sees_whole(owner):
            return list(fields)
        with_play = [field for field in fields if open_since(self.roster, field) in BY_ROUND_1]
        readable = [
            field for field in fields if self._is_open(field, owner) or (self.is_trusted and field in with_play)
        ]
        if readable or not fields:
            return readable
        raise _hidden(self.roster, with_play)

    def _is_open(self, field: str, owner: str) -> bool:
        """Return True if a row of the ruleset opens a field to the caller by now."""
        return any(
            row.since in self.moments and (row.to == "everybody" or (row.to == "opponents" and owner in self.opponents))
            for row in openness_rows(self.roster, field)
        )


def reader_of(tournament: str, state: Tournament, requester: Caller | None) -> Reader:
    """Return the caller as a reader of the rosters of a tournament.

    requester: None without a token. A token of another tournament gives no rights here.
    """
    if not is_token_valid_in(tournament, state, requester):
        requester = None
    player = (requester and requester.player) or ""
    return Reader(
        roster=ruleset_of(state.entries).roster,
        player=player,
        is_judge=_is_judge(state, requester),
        is_trusted=_is_trusted(requester),
        moments=moments_reached(state),
        opponents=_opponents(state, player),
    )


def _hidden(roster: Roster, later: Sequence[str]) -> RostersHidden:
    """Return the refusal. later: fields that become public when play begins."""
    if later:
        rule = "Rosters are public once the first round has begun; before that, only staff and integrations see them"
    else:
        rule = "Rosters are not public; staff see them"
    clause = openness_clause(roster, next(iter(later or roster.fields)))
    return RostersHidden(f"{rule}, and their owner.", roles=sorted(TRUSTED), clause=clause)


def _opponents(state: Tournament, player: str) -> frozenset[str]:
    """Return the opponents of a player in all started rounds."""
    if not player:
        return frozenset()
    pairs = [
        (seat.player_1, seat.player_2)
        for round in state.rounds.rounds.values()
        for seat in round.seats.values()
        if round.clock_of(seat.venue)
    ]
    return frozenset(opponent for pair in pairs if player in pair for opponent in pair if opponent != player)


def _is_judge(state: Tournament, requester: Caller | None) -> bool:
    """Return True if the caller is staff and does not play here."""
    if requester is None or requester.role not in REFEREE_UP:
        return False
    member = state.entries.staff.get(requester.actor)
    return not (member and member.player)


def _is_trusted(requester: Caller | None) -> bool:
    """Return True for a trusted role. An integration of one venue is excluded, because rosters are not per venue."""
    return (
        requester is not None and requester.role in TRUSTED and not (requester.role == INTEGRATION and requester.venue)
    )


class RosterTaken(Appended, frozen=True, kw_only=True):
    """The answer to submitting a roster."""

    advice: Annotated[list[FaultView], "Legal contents that the document advises against."]


class SealedView(View, frozen=True, kw_only=True):
    """A field that is not open yet. The log has the SHA-256 of the RFC 8785 JSON of [salt, field, value].

    The value is that in `roster`, or null if the roster lacks the field.
    """

    field: str
    digest: str
    shown: Annotated[bool, "True if you may see the field now; there is a salt then."]
    held: Annotated[bool, "False if registration lost the field with its database; submit the roster again."]
    salt: str
    clause: str


class PaperView(View, frozen=True, kw_only=True):
    """Who saw a roster on paper, and when."""

    actor: Annotated[ActorView, "The member of staff who accepted it."]
    name: Annotated[str, "The name of the actor, if they are appointed staff."]
    time: Annotated[str, "RFC 3339, UTC."]
    reason: str


class RosterView(View, frozen=True, kw_only=True):
    """The latest roster of a player, with the fields that you may read. Staff and owner may read all fields."""

    player: str
    status: str
    note: Annotated[
        str, "The staff's note on acceptance or rejection. Before play has begun, only staff and the owner see it."
    ]
    roster: dict[str, Any]
    sealed: Annotated[list[SealedView], "Fields that are not open yet; the log has only their digests."]
    faults: list[FaultView]
    advice: Annotated[list[FaultView], "Legal contents that the document advises against."]
    on_paper: Annotated[
        PaperView | UnsetType, "Only if staff saw the roster on paper. `roster` then has no entries."
    ] = UNSET


class RosterSheets(View, frozen=True, kw_only=True):
    """A roster on paper: one sheet for each form that holds lists."""

    items: list[SheetView]


def roster_view(entries: Entries, player: Player, fields: Collection[str], row: SealedRoster, note: str) -> RosterView:
    """Return the latest roster of a player.

    fields: the fields that the caller may read. row: the private row. note: a note that is not public.
    """
    ruleset, sheet = ruleset_of(entries), player.roster_sheet | row.shown(player)
    roster = {field: sheet[field] for field in ruleset.roster.fields if field in sheet and field in fields}
    return RosterView(
        player=player.id,
        status=player.roster,
        note=player.roster_note or note,
        roster=roster,
        sealed=[_sealed_view(player, ruleset, field, fields, row) for field in player.roster_sealed],
        faults=[
            FaultView(where=fault.where, said=fault.said, expected=fault.expected, clause=fault.clause)
            for fault in player.roster_faults
        ],
        advice=advice_view(ruleset, roster),
        on_paper=paper_view(entries, player.roster_on_paper) if player.roster_on_paper else UNSET,
    )


def paper_view(entries: Entries, seen: PaperRoster) -> PaperView:
    """Return who saw a roster on paper."""
    staff = entries.staff.get(seen.by.actor)
    return PaperView(
        actor=actor_view(seen.by), name=staff.name if staff else seen.by.actor, time=seen.time, reason=seen.reason
    )


def _sealed_view(
    player: Player, ruleset: Ruleset, field: str, fields: Collection[str], row: SealedRoster
) -> SealedView:
    held = row.fits(field, player.roster_sealed[field])
    shown = held and field in fields
    return SealedView(
        field=field,
        digest=player.roster_sealed[field],
        shown=shown,
        held=held,
        salt=row.salt(field) if shown else "",
        clause=openness_clause(ruleset.roster, field),
    )


def advice_view(ruleset: Ruleset, roster: Mapping[str, Any]) -> list[FaultView]:
    """Return the legal contents of a roster that the document advises against, with their places."""
    advice = advice_on_roster(ruleset, roster)
    return faults_view(replace(fault, where=f"/roster{fault.where}") for fault in advice)


def late_view(entries: Entries, submitted: str) -> list[FaultView]:
    """Return the advice about a list submitted after the recommended day (FF-REG-2, FF-AMB-22).

    submitted: RFC 3339 time.
    """
    rule = ruleset_of(entries).legality
    if rule is None or not entries.starts_on:
        return []
    due = rule.lists_due(date.fromisoformat(entries.starts_on)).isoformat()
    if submitted[:10] <= due:
        return []
    late = Fault("/roster", submitted[:10], expects("handed-in-by", day=due), rule.cites("list_due_days"))
    return faults_view([late])


OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")
ROUTE = "/tournaments/<id:tournament>/players/<id:player>/roster"


class RosterSheetsQuery(Paged, frozen=True, kw_only=True):
    """Filters of the sheets of rosters."""

    form: Annotated[Id, "Only sheets of this form. Empty: all forms that hold lists, form by form."] = ""
    player: Annotated[Id, "Only sheets of this player."] = ""
    venue: Annotated[Id, "Only sheets of players at this venue."] = ""


gateway = gateway_of("swiss")
blueprint = CommandBlueprint(
    "rosters", HANDLERS, description="Rosters: submitted, shown, accepted, rejected.", may_refuse=("wrong-format",)
)


@blueprint.post(ROUTE)
@blueprint.allow(*HANDLERS[SubmitRoster].roles)
@blueprint.previewed
@blueprint.arguments(deferred(SubmitRoster, without=("player", "secret", "sealed")))
@blueprint.response(201, RosterTaken)
@blueprint.may_refuse(
    *OF_PLAYER,
    "player-not-active",
    "not-yours",
    "roster-illegal",
    "roster-locked",
    "roster-too-large",
    "not-your-decision",
)
def submit_roster(body: dict[str, Any], tournament: str, player: str) -> RosterTaken:
    """Submit a roster. An illegal one is refused with every clause; a legal one is accepted at once, or by staff.

    If the ruleset has staff accept lists, a player's list waits for them (`submitted`); one that staff enter does not.
    Staff may accept a list that they saw on paper, with the reason in `on_paper`, without entering its contents.
    Contents that the rules advise against are returned as `advice`. Fields that the ruleset has not opened yet enter
    the log only as salted digests.
    """
    with gateway.reading(tournament) as loaded:
        rules = ruleset_of(loaded.state.entries).roster
    with gateway.handler.database.reading() as connection:
        secret = secret_for(rules, body["roster"], sealed_roster(connection, tournament, player))
    command = SubmitRoster(
        player=player,
        roster=body["roster"],
        override=body.get("override", ""),
        on_paper=body.get("on_paper", ""),
        secret=secret,
    )
    answer = gateway.run(tournament, command, inline_write=roster_writer(command.roster, secret))
    with gateway.reading(tournament) as loaded:
        entries = loaded.state.entries
        advice = advice_view(ruleset_of(entries), command.roster)
        advice += [late for event in answer.events[:1] for late in late_view(entries, event.time)]
    return RosterTaken(id=answer.id, events=answer.events, advice=advice)


@blueprint.get(ROUTE)
@blueprint.response(200, RosterView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "rosters-hidden")
def show_roster(tournament: str, player: str) -> RosterView:
    """Show a roster: completely to staff and its owner, to others the fields that the ruleset has opened so far.

    Most fields open when the first round begins. `sealed` lists those of which the log has only digests.
    """
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        owner = player_of(loaded.state.entries, player)
        reader = reader_of(tournament, loaded.state, caller_or_none())
        fields = reader.fields_open(owner.id)
        note = private_note(connection, tournament, owner) if reader.sees_whole(owner.id) else ""
        row = sealed_roster(connection, tournament, owner.id)
        return roster_view(loaded.state.entries, owner, fields, row, note)


@blueprint.get(f"{ROUTE}/sheets")
@blueprint.response(200, RosterSheets)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "rosters-hidden")
def print_roster(tournament: str, player: str) -> RosterSheets:
    """Show a roster on the ruleset's forms, with the fields that you may see.

    Fields that are not open yet are only on these sheets, not on those of scoring.
    """
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        state = loaded.state
        owner = player_of(state.entries, player)
        rows = {owner.id: sealed_roster(connection, tournament, owner.id)}
        sheets = _sheets(tournament, state, _forms(state), SheetSelection(player=owner.id), rows)
        return RosterSheets(items=sheets)


@blueprint.get("/tournaments/<id:tournament>/rosters/sheets")
@blueprint.arguments(RosterSheetsQuery, location="query")
@blueprint.response(200, SheetsPage)
@blueprint.may_refuse(
    *("tournament-unknown", "form-unknown", "player-unknown", "venue-unknown", "invalid-cursor", "rosters-hidden")
)
def print_rosters(query: RosterSheetsQuery, tournament: str) -> Any:
    """Show the rosters of all players on the ruleset's forms, with the fields that you may see.

    Rosters without such fields are left out. If no sheet remains, the answer is `rosters-hidden`.
    """
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament, venue=query.venue) as loaded, gateway.handler.database.reading() as connection:
        state = loaded.state
        forms = _forms(state, query.form)
        if query.player:
            player_of(state.entries, query.player)
        selection = SheetSelection(player=query.player, venue=query.venue)
        sheets = _sheets(tournament, state, forms, selection, sealed_rosters(connection, tournament))
        texts = [ruleset_of(state.entries).printed(form) for form in forms]
    items = sheets[after : after + query.limit]
    last = (after + len(items),) if len(sheets) > after + len(items) else None
    cursor, headers = next_page(last)
    view = SheetsPage(
        items=items,
        next=cursor,
        total=len(sheets),
        round=None,
        titles={word: title for text in texts for word, title in text.titles.items()},
        instructions=[line for text in texts for line in text.instructions],
    )
    return view, 200, headers


@blueprint.command(AcceptRoster, f"{ROUTE}/acceptance")
@blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("lists"))
def accept_roster(command: AcceptRoster, tournament: str) -> Appended:
    """Accept the latest roster. Before play has begun, only the player and staff see the note."""
    return gateway.run(tournament, command, inline_write=note_writer(command.note))


@blueprint.command(AcceptRosters, "/tournaments/<id:tournament>/rosters/acceptance")
@blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("lists"))
def accept_rosters(command: AcceptRosters, tournament: str) -> Appended:
    """Accept the latest rosters of several players: all of them, or none and the answer lists every fault."""
    return gateway.run(tournament, command, inline_write=note_writer(command.note))


@blueprint.command(RejectRoster, f"{ROUTE}/rejection")
@blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("lists"))
def reject_roster(command: RejectRoster, tournament: str) -> Appended:
    """Reject the latest roster, with a reason. Before play has begun, only the player and staff see the note."""
    return gateway.run(tournament, command, inline_write=note_writer(command.note))


def _forms(state: Tournament, id: str = "") -> list[Form]:
    """Return the forms that hold rosters, or the one with this id. Raises FormUnknown."""
    ruleset = ruleset_of(state.entries)
    forms = [form for form in ruleset.forms if form.holds == "roster" and id in ("", form.id)]
    if id and not forms:
        fault = Fault("/form", id, expects("form-of-lists"))
        raise FormUnknown(f"{ruleset.name} has no form {id} that holds lists.", [fault])
    return forms


def _sheets(
    tournament: str,
    state: Tournament,
    forms: Sequence[Form],
    selection: SheetSelection,
    rows: Mapping[str, SealedRoster],
) -> list[SheetView]:
    """Return the sheets of rosters with the fields that the caller may read, without rosters that have none.

    rows: private rows, by player. Raises RostersHidden if there is no sheet and some roster is hidden.
    """
    reader = reader_of(tournament, state, caller_or_none())
    parts: dict[str, ListParts] = {}
    hidden: RostersHidden | None = None
    for player in selected_players(state, selection):
        try:
            fields = frozenset(reader.fields_open(player.id))
        except RostersHidden as refusal:
            hidden = refusal
        else:
            parts[player.id] = ListParts(fields, rows.get(player.id, NO_SEALED_ROSTER).shown(player))
    selection = replace(selection, list_parts=lambda player: parts.get(player.id))
    sheets = [sheet_view(sheet) for form in forms for sheet in fill_sheets(state, form, selection)]
    if hidden is not None and not sheets:
        raise hidden
    return sheets


class RostersHidden(Refusal):
    """The ruleset has not opened the roster to you yet."""

    code = "rosters-hidden"


class FormUnknown(Refusal):
    """The ruleset has no form with this id that holds lists."""

    code = "form-unknown"
