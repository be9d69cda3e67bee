"""Routes of tournaments, venues and staff."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from services.registration import directory, views
from services.registration.handlers import FORMATS, HANDLERS
from services.registration.players import KeepApart
from services.registration.rulesets import (
    Catalogue,
    RulesetsView,
    RulesetView,
    chosen_ruleset,
    ruleset_view,
    rulesets_view,
)
from services.registration.staff import AppointStaff, DismissStaff, EnterStaff, RevokeToken
from services.registration.tokens import TokenIssuer
from services.registration.tournaments import (
    AmendTournament,
    AnnounceTournament,
    CancelTournament,
    CloseRegistration,
    Plan,
    ReopenRegistration,
)
from services.registration.venues import AmendVenue, ChangeTables, CloseVenue, OpenVenue
from shared.formats.options import ruleset_type
from shared.formats.packs import load, shipped_ruleset
from shared.roles import EVERY_TOURNAMENT, HEAD_REFEREE, ORGANISER, ORGANISER_UP, REFEREE
from shared.service.routes import CommandBlueprint, Made, appended_view
from shared.service.views import Appended
from shared.service.wiring import current_part, gateway
from shared.shapes import Name, Query, Shape, Size, Whole
from shared.tournament.format import read_ruleset
from shared.tournament.registration import StaffAppointed, TokenRevoked, TournamentAnnounced, VenueOpened
from shared.web.auth import caller_or_none, require_caller
from shared.web.idempotency import command_ids
from shared.web.paging import Paged, page, page_of, parse_after
from shared.web.refusals import Forbidden
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over")

if TYPE_CHECKING:
    Format = str
else:
    Format = Literal[tuple(FORMATS)]


LONGEST_PACK = 200_000
"""Characters of a pack's text. The whole pack has to fit in one event."""
tickets = current_part(TokenIssuer)
blueprint = CommandBlueprint("tournaments", HANDLERS, description="Tournaments, their venues and their staff.")


@blueprint.get("/rulesets")
@blueprint.response(200, RulesetsView)
def list_rulesets() -> RulesetsView:
    """List the shipped rulesets with their tiers and options."""
    return rulesets_view()


@blueprint.get("/rulesets/<ruleset>")
@blueprint.response(200, RulesetView)
@blueprint.may_refuse("unknown-ruleset")
def show_ruleset(ruleset: str) -> RulesetView:
    """Show a shipped ruleset: its tiers, which staff decide what, its blank forms, and the whole pack."""
    return ruleset_view(shipped_ruleset(ruleset))


class PackText(Shape, frozen=True, kw_only=True):
    """A pack as its file has it."""

    text: Annotated[str, Size(LONGEST_PACK, 1), "The pack, as YAML or JSON."]


@blueprint.post("/rulesets/check")
@blueprint.allow(*HANDLERS[AnnounceTournament].roles, within=EVERY_TOURNAMENT)
@blueprint.arguments(PackText)
@blueprint.response(200, RulesetView)
@blueprint.may_refuse("ruleset-refused")
def check_ruleset(body: PackText) -> RulesetView:
    """Check a pack of your own, and show it as a ruleset. Nothing is kept.

    Each fault is at `pack:LINE:/pointer`. To use the pack, announce a tournament with the answer's `ruleset` as `pack`.
    """
    return ruleset_view(load(body.text, "pack"))


# The command contains the whole pack instead, with options and catalogues applied.
class Announcement(Plan, frozen=True, kw_only=True):
    """A new tournament. Give either `ruleset`, a shipped pack, or `pack`, your own pack as JSON."""

    format: Annotated[Format | UnsetType, "If given, it must be the format of the ruleset."] = UNSET
    ruleset: Annotated[str | UnsetType, "The id of a shipped ruleset: GET /rulesets."] = UNSET
    pack: Annotated[dict[str, Any] | UnsetType, "A whole ruleset pack as JSON, instead of `ruleset`."] = UNSET
    catalogues: Annotated[list[Catalogue], Size(20), "The items that rosters may contain, with their points."] = []


@blueprint.post("/tournaments")
@blueprint.allow(*HANDLERS[AnnounceTournament].roles, within=EVERY_TOURNAMENT)
@blueprint.previewed
@blueprint.arguments(Announcement)
@blueprint.response(201, views.Announced)
@blueprint.makes(Made((TournamentAnnounced,), "", "/tournaments/<id:tournament>"))
@blueprint.may_refuse(
    "tournament-exists",
    "format-not-played",
    "rounds-by-option",
    "not-on-purpose",
    "dates-out-of-order",
    "already-over",
    "unknown-ruleset",
    "ruleset-option-refused",
    "ruleset-refused",
    "operator-data-refused",
    "event-too-large",
)
def announce_tournament(body: Announcement) -> views.Announced:
    """Announce a tournament. Its ruleset becomes part of the log. The answer contains the organiser's token."""
    ruleset = None if body.ruleset is UNSET else body.ruleset
    pack = None if body.pack is UNSET else body.pack
    format = "" if body.format is UNSET else body.format
    chosen = chosen_ruleset(ruleset, pack, body.options, body.tier, body.catalogues)
    command = AnnounceTournament(
        name=body.name,
        format=format,
        ruleset=chosen.pack,
        options=body.options,
        tier=chosen.tier,
        starts_on=body.starts_on,
        ends_on=body.ends_on,
        capacity=body.capacity,
        rounds=body.rounds,
        pairing_scope=body.pairing_scope,
        rounds_apart=body.rounds_apart,
        visibility=body.visibility,
        check_in=body.check_in,
        sign_up=body.sign_up,
        rehearsal=body.rehearsal,
        on_purpose=body.on_purpose,
        operator_data=body.operator_data,
    )
    if body.ends_on is not None and not (body.starts_on and body.starts_on > body.ends_on):
        tickets.require_valid_after(body.ends_on, gateway.handler.now())
    tournament = tickets.tournament_id(command_ids(require_caller())[0], require_caller())
    receipt = gateway.command(tournament, command, creates_tournament=True)
    token = tickets.for_announcer(tournament, receipt.events[0].time)
    events = appended_view(receipt).events
    return views.Announced(id=tournament, events=events, token=token.text, token_id=token.id)


class TournamentsQuery(Paged, frozen=True, kw_only=True):
    """Filters of the list of tournaments."""

    status: Annotated[
        Literal["announced", "running", "concluded", "cancelled"] | UnsetType, "Only tournaments with this status."
    ] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Only tournaments whose name contains each of these words; accents do not matter."
    ] = UNSET


@blueprint.get("/tournaments")
@blueprint.arguments(TournamentsQuery, location="query")
@blueprint.response(200, page_of(directory.TournamentListed))
@blueprint.may_refuse("invalid-cursor")
def list_tournaments(query: TournamentsQuery) -> Any:
    """List tournaments, newest first. Private ones are only listed for their own staff and players."""
    requester = caller_or_none()
    after = parse_after(query.after, str, str)
    if requester is not None:
        gateway.require_still_valid(requester)
    everywhere = requester is not None and requester.tournament == EVERY_TOURNAMENT
    is_organiser = requester is not None and requester.role == ORGANISER
    with gateway.handler.database.reading() as connection:
        lines, total = directory.page(
            connection,
            everything=everywhere and not is_organiser,
            own=requester.tournament if requester else "",
            organiser=requester.actor if requester and everywhere and is_organiser else "",
            status="" if query.status is UNSET else query.status,
            search="" if query.q is UNSET else query.q,
            after=after,
            limit=query.limit + 1,
        )
    items = lines[: query.limit]
    last = items[-1] if len(lines) > len(items) else None
    return page(items, (last.announced_at, last.id) if last else None, total)


@blueprint.get("/tournaments/<id:tournament>")
@blueprint.response(200, views.TournamentView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_tournament(tournament: str) -> Any:
    """Show a tournament with its venues and staff, and the address of its ruleset."""
    with gateway.reading(tournament) as loaded:
        unchanged = not_modified(gateway.version(loaded))
        return unchanged or views.tournament_view(tournament, loaded.state)


class RulesetQuery(Query, frozen=True, kw_only=True):
    """The version of the ruleset to show."""

    round: Annotated[
        int | UnsetType, Whole(0, 10_000), "The version for this round of a campaign. Default: the latest version."
    ] = UNSET


@blueprint.get("/tournaments/<id:tournament>/ruleset")
@blueprint.arguments(RulesetQuery, location="query")
@blueprint.response(200, RulesetView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_tournaments_ruleset(query: RulesetQuery, tournament: str) -> Any:
    """Show the whole ruleset of this tournament, with the organiser's options applied."""
    with gateway.reading(tournament) as loaded:
        unchanged = not_modified(gateway.version(loaded))
        pack = loaded.state.entries.ruleset_at(None if query.round is UNSET else query.round)
        return unchanged or ruleset_view(read_ruleset(pack, ruleset_type(pack)))


@blueprint.command(AmendTournament, "/tournaments/<id:tournament>/amendments")
@blueprint.versioned
@blueprint.may_refuse(
    *OVER,
    "too-late-to-change",
    "rounds-by-option",
    "not-on-purpose",
    "ruleset-option-refused",
    "capacity-too-small",
    "dates-out-of-order",
    "already-over",
)
def amend_tournament(command: AmendTournament, tournament: str) -> Appended:
    """Change the name, dates, capacity, rounds, options, sign-up, or `on_purpose` of a tournament.

    Send If-Match to avoid overwriting another change. Options can change before round 1 is published, unless their
    `until` is `announcement`. Lists that were accepted before stay accepted.
    """
    if isinstance(command.ends_on, date):
        tickets.require_valid_after(command.ends_on, gateway.handler.now())
    return gateway.run(tournament, command)


@blueprint.command(CancelTournament, "/tournaments/<id:tournament>/cancellation")
@blueprint.may_refuse(*OVER)
def cancel_tournament(command: CancelTournament, tournament: str) -> Appended:
    """Cancel the tournament. All data stay readable."""
    return gateway.run(tournament, command)


@blueprint.command(CloseRegistration, "/tournaments/<id:tournament>/registration/close")
@blueprint.may_refuse(*OVER)
def close_registration(command: CloseRegistration, tournament: str) -> Appended:
    """Close registration: no one can join any more."""
    return gateway.run(tournament, command)


@blueprint.command(ReopenRegistration, "/tournaments/<id:tournament>/registration/reopen")
@blueprint.may_refuse(*OVER, "too-late-to-change")
def reopen_registration(command: ReopenRegistration, tournament: str) -> Appended:
    """Reopen registration until round 1 is paired."""
    return gateway.run(tournament, command)


@blueprint.command(KeepApart, "/tournaments/<id:tournament>/kept-apart")
@blueprint.may_refuse(
    *OVER, "kept-apart-not-offered", "too-late-to-change", "player-unknown", "event-too-large", "wrong-format"
)
def keep_apart(command: KeepApart, tournament: str) -> Appended:
    """Set groups of players who should not meet in round 1. Pairing avoids it if possible, like rematches."""
    return gateway.run(tournament, command)


@blueprint.command(OpenVenue, "/tournaments/<id:tournament>/venues", makes=Made((VenueOpened,), "venue"))
@blueprint.may_refuse(*OVER, "name-taken")
def open_venue(command: OpenVenue, tournament: str) -> Appended:
    """Open a venue with its tables."""
    return gateway.run(tournament, command)


@blueprint.command(AmendVenue, "/tournaments/<id:tournament>/venues/<id:venue>/amendments")
@blueprint.versioned
@blueprint.may_refuse(*OVER, "venue-unknown", "name-taken", "other-venue")
def amend_venue(command: AmendVenue, tournament: str) -> Appended:
    """Change name, time zone, address or note of a venue. Send If-Match to avoid overwriting another change."""
    return gateway.run(tournament, command)


@blueprint.command(ChangeTables, "/tournaments/<id:tournament>/venues/<id:venue>/tables")
@blueprint.versioned
@blueprint.may_refuse(*OVER, "venue-unknown", "still-in-use", "other-venue")
def change_tables(command: ChangeTables, tournament: str) -> Appended:
    """Replace the tables of a venue."""
    return gateway.run(tournament, command)


@blueprint.command(CloseVenue, "/tournaments/<id:tournament>/venues/<id:venue>/closing")
@blueprint.may_refuse(*OVER, "venue-unknown", "still-in-use", "other-venue")
def close_venue(command: CloseVenue, tournament: str) -> Appended:
    """Close a venue. Its players can be checked in elsewhere."""
    return gateway.run(tournament, command)


@blueprint.command(
    AppointStaff,
    "/tournaments/<id:tournament>/staff",
    answer=views.Appointed,
    makes=Made((StaffAppointed,), "staff"),
)
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "player-unknown", "judge-may-not-play")
def appoint_staff(command: AppointStaff, tournament: str) -> views.Appointed:
    """Appoint a member of staff. The answer contains their token."""
    receipt = gateway.command(tournament, command)
    answer = appended_view(receipt)
    staff = answer.events[0].data["staff"]
    token = tickets.for_staff(tournament, staff, command.role, command.venue, answer.events[0].time)
    return views.Appointed(id=answer.id, events=answer.events, token=token.text, token_id=token.id)


@blueprint.command(EnterStaff, "/tournaments/<id:tournament>/staff/<id:staff>/player")
@blueprint.may_refuse(*OVER, "staff-unknown", "player-unknown", "judge-may-not-play")
def enter_staff(command: EnterStaff, tournament: str) -> Appended:
    """Record the player of a member of staff who also plays. Refused for judges if the tier does not let them play."""
    return gateway.run(tournament, command)


@blueprint.command(DismissStaff, "/tournaments/<id:tournament>/staff/<id:staff>/dismissal")
@blueprint.may_refuse("tournament-unknown", "staff-unknown")
def dismiss_staff(command: DismissStaff, tournament: str) -> Appended:
    """Dismiss a member of staff. Their tokens become invalid, and on request the players' links that they received."""
    return gateway.run(tournament, command)


@blueprint.command(RevokeToken, "/tournaments/<id:tournament>/tokens/revocations", makes=Made((TokenRevoked,), "token"))
@blueprint.may_refuse("tournament-unknown", "other-venue")
def revoke_token(command: RevokeToken, tournament: str) -> Appended:
    """Revoke one token, for example after a phone was lost. Referees can only revoke players' tokens."""
    if require_caller().role in (HEAD_REFEREE, REFEREE) and not command.token_id.startswith(f"{tournament}.p"):
        raise Forbidden(
            "Referees can revoke tokens of players; only organisers can revoke those of staff.",
            roles=list(ORGANISER_UP),
        )
    return gateway.run(tournament, command)
