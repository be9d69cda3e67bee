"""Routes and views of the cut, spare players, clocks, timetable and calendar.

The calendar has one event for the tournament, and one for each round with a stable UID. A round that has started has
exact times; a future one is an all-day event, because the timetable has no hours.
"""

from __future__ import annotations

from typing import Annotated, Any

from flask import Response
from msgspec import UNSET, UnsetType

from services.pairing import routes_rounds
from services.pairing.guards import round_of
from services.pairing.handlers import HANDLERS
from services.pairing.publication import Publication
from services.pairing.routes_rounds import OF_ROUND
from services.pairing.swiss_bracket import BracketView, bracket_view
from services.pairing.swiss_calendar_views import calendar_view
from services.pairing.swiss_clocks import (
    CallTime,
    ClockView,
    ExtendClock,
    StartRound,
    TimetableView,
    clock_view,
    timetable_view,
)
from services.pairing.swiss_cut import (
    CancelCutPublication,
    GiveUpSeat,
    MakeCut,
    OfferSpare,
    PublishCut,
    RecallSpare,
    tie_at_line,
)
from services.pairing.swiss_rounds import cut_places_due_now
from services.pairing.views import Named
from shared.roles import REFEREE_UP
from shared.service.game_lists import AtVenue
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended, TableLabel
from shared.service.wiring import gateway_of, service
from shared.shapes import Id, Query, View
from shared.swiss.games import ruleset_of
from shared.tournament.games import LIST_REMEDIES, awaited_lists
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament
from shared.web.request import not_modified
from shared.web.schema import LARGEST


class SeedView(Named, frozen=True, kw_only=True):
    """A seat of the cut."""

    seed: int
    given_up: bool
    status: Annotated[str, "The player's status: `active`, `dropped`, `disqualified` or `withdrawn`."]


class SeatGivenUpView(Named, frozen=True, kw_only=True):
    """A player who gave up a seat, and the player who moved up."""

    moved_up: Annotated[str, "Empty: no one moved up; the opponent has a walkover."]
    moved_up_name: str


class AtLineView(Named, frozen=True, kw_only=True):
    """A player of the tied group that the cut divides."""

    rank: int
    goes_on: Annotated[bool, "True if the player is in the cut."]


class LineTieView(View, frozen=True, kw_only=True):
    """The tied group that the cut divides: no column of the standings separates its players."""

    drawn: Annotated[bool, "True if a recorded draw ordered the players; false if their ids did."]
    players: Annotated[list[AtLineView], "In the order of the standings."]


class CutView(View, frozen=True, kw_only=True):
    """The players in the elimination stage, in seeding order."""

    bracket: Annotated[str, "`seeded`, `random` or `reseed`; `none`: the ruleset has no elimination stage."]
    clause: Annotated[str, "The clause of the ruleset about the bracket."]
    due: Annotated[int, "The places of the cut that the ruleset requires now; 0: no cut is due, or it has been made."]
    after_round: int | None
    draft: Annotated[bool, "True until it is published; only staff see a draft."]
    publish_at: Annotated[str, "The scheduled publication of a draft; empty: none."]
    seeds: list[SeedView]
    gave_up: list[SeatGivenUpView]
    tie_at_line: Annotated[
        LineTieView | None,
        "The tied group that the cut divides. null: a column of the standings separates the last player in the cut "
        "from the next, or the standings have changed since.",
    ] = None


class HeldPlayer(Named, frozen=True, kw_only=True):
    """A player whose list holds up a game."""

    reason: Annotated[str, "`no_roster`, `roster_rejected` or `roster_not_accepted`."]
    clause: str
    mended_by: Annotated[str, "The action that lets the game start, as an English sentence."]


class HeldGame(View, frozen=True, kw_only=True):
    """A game that cannot start until a list is accepted."""

    id: str
    venue: str
    table: int
    table_label: TableLabel = UNSET
    players: list[HeldPlayer]


class HeldGames(View, frozen=True, kw_only=True):
    """The games that did not start with their round."""

    round: int
    items: list[HeldGame]


def cut_view(state: Tournament) -> CutView:
    """Return the cut, in seeding order."""
    rounds, players, rule = state.rounds, state.entries.players, ruleset_of(state.entries).cut
    return CutView(
        bracket=rule.bracket,
        clause=rule.clause,
        due=cut_places_due_now(state),
        after_round=rounds.cut_after or None,
        draft=rounds.cut_draft,
        publish_at=rounds.cut_publish_at,
        seeds=[
            SeedView(
                seed=seed,
                player=player,
                name=state.entries.name_of(player),
                given_up=rounds.given_up.get(player) == "",
                status=players[player].status,
            )
            for seed, player in enumerate(rounds.cut, start=1)
        ],
        gave_up=[
            SeatGivenUpView(
                player=player,
                name=state.entries.name_of(player),
                moved_up=promoted,
                moved_up_name=state.entries.name_of(promoted) if promoted else "",
            )
            for player, promoted in rounds.given_up.items()
        ],
        tie_at_line=_tie_view(state),
    )


def _tie_view(state: Tournament) -> LineTieView | None:
    tie = tie_at_line(state)
    return tie and LineTieView(
        drawn=tie.drawn,
        players=[
            AtLineView(
                player=row.player,
                name=state.entries.name_of(row.player),
                rank=row.rank,
                goes_on=row.player in state.rounds.cut,
            )
            for row in tie.rows
        ],
    )


def held_view(state: Tournament, round: Round, venue: str | UnsetType = UNSET) -> HeldGames:
    """Return the games of a round, or of a venue in it, that wait for a list: players, reasons and remedies."""
    seats = [seat for seat in round.seats.values() if venue in (UNSET, seat.venue)]
    held = [(seat, awaited_lists(state, round, seat)) for seat in seats]
    return HeldGames(
        round=round.number,
        items=[
            HeldGame(
                id=seat.game,
                venue=seat.venue,
                table=seat.table,
                table_label=state.entries.table_label(seat.venue, seat.table) or UNSET,
                players=[
                    HeldPlayer(
                        player=lack.player,
                        name=lack.name,
                        reason=lack.reason,
                        clause=lack.clause,
                        mended_by=str(LIST_REMEDIES[lack.reason]),
                    )
                    for lack in lacking
                ],
            )
            for seat, lacking in held
            if lacking
        ],
    )


OVER = ("tournament-unknown", "tournament-over", "other-venue")


gateway = gateway_of("swiss")
stages_blueprint = CommandBlueprint(
    "stages", HANDLERS, description="The cut and its bracket, and spare players.", may_refuse=("wrong-format",)
)


@stages_blueprint.command(MakeCut, "/tournaments/<id:tournament>/cut", required=False)
@stages_blueprint.may_refuse(*OVER, "no-cut", "cut-stands", "round-not-closed", "standings-not-published")
def make_cut(command: MakeCut, tournament: str) -> Appended:
    """Make the cut: choose the players of the elimination stage from the recorded standings."""
    return gateway.run(tournament, command)


@stages_blueprint.post("/tournaments/<id:tournament>/cut/publication")
@stages_blueprint.allow(*HANDLERS[PublishCut].roles)
@stages_blueprint.previewed
@stages_blueprint.arguments(Publication, required=False)
@stages_blueprint.response(201, Appended)
@stages_blueprint.may_refuse(*OVER, "no-cut", "cut-already-published", "publication-past")
def publish_cut(body: Publication, tournament: str) -> Appended:
    """Publish a draft cut, now or at a given time.

    The cut starts as a draft if the tournament says so (`on_purpose`). At the given time the service publishes the cut
    in its form at that time.
    """
    return gateway.run(tournament, PublishCut(at=body.at))


@stages_blueprint.command(CancelCutPublication, "/tournaments/<id:tournament>/cut/publication/cancellation")
@stages_blueprint.may_refuse(*OVER, "no-cut", "cut-already-published")
def cancel_cut_publication(command: CancelCutPublication, tournament: str) -> Appended:
    """Cancel the scheduled publication of the cut."""
    return gateway.run(tournament, command)


@stages_blueprint.get("/tournaments/<id:tournament>/cut")
@stages_blueprint.response(200, CutView)
@stages_blueprint.versioned
@stages_blueprint.may_refuse("tournament-unknown")
def show_cut(tournament: str) -> Any:
    """Show the seats of the cut in seeding order; empty if no cut has been made."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or cut_view(loaded.state)


@stages_blueprint.get("/tournaments/<id:tournament>/bracket")
@stages_blueprint.response(200, BracketView)
@stages_blueprint.versioned
@stages_blueprint.may_refuse("tournament-unknown")
def show_bracket(tournament: str) -> Any:
    """Show the bracket as a tree of past and future games; empty if no cut has been made."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or bracket_view(loaded.state)


@stages_blueprint.command(GiveUpSeat, "/tournaments/<id:tournament>/cut/given-up")
@stages_blueprint.may_refuse(*OVER, "player-unknown", "not-in-cut")
def give_up_seat(command: GiveUpSeat, tournament: str) -> Appended:
    """Give up a seat. Until elimination is paired the next player moves up; later the opponent has a walkover."""
    return gateway.run(tournament, command)


@stages_blueprint.command(OfferSpare, "/tournaments/<id:tournament>/spare")
@stages_blueprint.may_refuse(*OVER, "staff-unknown", "spare-taken", "no-spare")
def offer_spare(command: OfferSpare, tournament: str) -> Appended:
    """Put a member of staff on standby as the spare player, who plays against a player who would have a bye."""
    return gateway.run(tournament, command)


@stages_blueprint.delete("/tournaments/<id:tournament>/spare")
@stages_blueprint.allow(*HANDLERS[RecallSpare].roles)
@stages_blueprint.previewed
@stages_blueprint.arguments(RecallSpare, location="query")
@stages_blueprint.response(200, Appended)
@stages_blueprint.may_refuse(*OVER)
def recall_spare(command: RecallSpare, tournament: str) -> Appended:
    """Take spare players off standby. With an odd number of players there is a bye again."""
    return gateway.run(tournament, command)


OF_PART = (*OF_ROUND, "venue-unknown", "part-unknown")


class ClockQuery(Query, frozen=True, kw_only=True):
    """Query of the clock."""

    venue: Annotated[Id, "Only the clock of this venue."] = ""


CALENDAR, TEXT = "text/calendar", {"type": "string"}

clock_blueprint = routes_rounds.floor_blueprint
number = f"<int(min=1, max={LARGEST}):round>"


@clock_blueprint.command(StartRound, f"/tournaments/<id:tournament>/rounds/{number}/start", required=False)
@clock_blueprint.versioned
@clock_blueprint.may_refuse(
    *OF_PART, "round-already-started", "round-not-published", "round-has-absent-players", "bracket-moved-on"
)
def start_round(command: StartRound, tournament: str) -> Appended:
    """Start the clock of a round, or of its part at one venue. This is refused if a player of it has left.

    Players without an accepted list hold up only their own game; GET …/rounds/{n}/held lists these games.
    """
    return gateway.run(tournament, command)


@clock_blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/held")
@clock_blueprint.allow(*REFEREE_UP)
@clock_blueprint.arguments(AtVenue, location="query")
@clock_blueprint.response(200, HeldGames)
@clock_blueprint.may_refuse("tournament-unknown", "round-unknown", "venue-unknown")
def list_held_games(query: AtVenue, tournament: str, round: int) -> HeldGames:
    """List the games that did not start with their round, the players whose lists they wait for, and the remedies."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        return held_view(loaded.state, round_of(loaded.state, round), query.venue)


@clock_blueprint.command(CallTime, f"/tournaments/<id:tournament>/rounds/{number}/calls")
@clock_blueprint.may_refuse(*OF_PART, "round-not-started", "call-out-of-order")
def call_time(command: CallTime, tournament: str) -> Appended:
    """Make a time call, at one venue or at all: each once, in the ruleset's order."""
    return gateway.run(tournament, command)


@clock_blueprint.command(ExtendClock, f"/tournaments/<id:tournament>/rounds/{number}/extensions")
@clock_blueprint.may_refuse(*OF_PART, "round-not-started", "game-unknown", "game-has-result", "time-is-up")
def extend_clock(command: ExtendClock, tournament: str) -> Appended:
    """Give a round, its part at one venue, or one of its games, more time, with a reason."""
    return gateway.run(tournament, command)


@clock_blueprint.get("/tournaments/<id:tournament>/clock")
@clock_blueprint.arguments(ClockQuery, location="query")
@clock_blueprint.response(200, ClockView)
@clock_blueprint.may_refuse("tournament-unknown", "venue-unknown")
def show_clock(query: ClockQuery, tournament: str) -> ClockView:
    """Show the clock of the round that is being played, with its time calls; with the clock of each venue."""
    with gateway.reading(tournament) as loaded:
        return clock_view(loaded.state, service.clock(), query.venue)


@clock_blueprint.get("/tournaments/<id:tournament>/timetable")
@clock_blueprint.response(200, TimetableView)
@clock_blueprint.versioned
@clock_blueprint.may_refuse("tournament-unknown")
def show_timetable(tournament: str) -> Any:
    """Show the planned rounds by day, with their duration and break, and recommendations that the event ignores."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or timetable_view(loaded.state)


@clock_blueprint.get("/tournaments/<id:tournament>/timetable.ics")
@clock_blueprint.answers_as(CALENDAR)
@clock_blueprint.arguments(AtVenue, location="query")
@clock_blueprint.doc(responses={200: {"description": "An iCalendar object.", "content": {CALENDAR: {"schema": TEXT}}}})
@clock_blueprint.versioned
@clock_blueprint.may_refuse("tournament-unknown", "venue-unknown", "no-timetable")
def show_calendar(query: AtVenue, tournament: str) -> Response:
    """Show the timetable as an iCalendar feed. A round is an all-day event until it starts.

    With `venue`, rounds have the times of its part, in its time zone, and its address.
    """
    with gateway.reading(tournament, venue=query.venue) as loaded:
        if same := not_modified(gateway.version(loaded)):
            return same
        changed, revision = gateway.last_change(tournament, loaded, ("registration", "pairing"))
        venue = query.venue or ""
        calendar = calendar_view(loaded.state, tournament, changed=changed, revision=revision, venue=venue)
    return Response(calendar, content_type=f"{CALENDAR}; charset=utf-8")
