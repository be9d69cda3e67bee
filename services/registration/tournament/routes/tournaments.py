"""Routes of tournaments, venues and staff."""

from __future__ import annotations

from typing import Any

from services.registration.formats import FORMATS
from services.registration.handlers import HANDLERS
from services.registration.tournament import command_schemas as schemas
from services.registration.tournament import directory, view_schemas, views
from services.registration.tournament import player_schemas as schemas_players
from services.registration.tournament.commands import (
    AmendTournament,
    AnnounceTournament,
    AppointStaff,
    CancelTournament,
    ChangeTables,
    CloseRegistration,
    CloseVenue,
    DismissStaff,
    EnterStaff,
    KeepApart,
    OpenVenue,
    ReopenRegistration,
    RevokeToken,
)
from services.registration.tournament.packs import chosen_ruleset, ruleset_view, rulesets_view
from services.registration.tournament.token_issuer import TokenIssuer
from shared.application.gateway import shown
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway, wired
from shared.application.views import Appended
from shared.roles import EVERY_TOURNAMENT, HEAD_REFEREE, ORGANISER_UP, REFEREE
from shared.tournament.events.registration import Table
from shared.web.access import caller, caller_or_none
from shared.web.blueprint import Blueprint
from shared.web.idempotency import command_ids
from shared.web.paging import PageQuery, begins_after, page, page_of
from shared.web.refusals import Forbidden
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over")


tickets = wired(TokenIssuer)
blueprint = Blueprint("tournaments", description="Tournaments, their venues and their staff.")


@blueprint.get("/rulesets")
@blueprint.response(200, view_schemas.RulesetsShown)
def list_rulesets() -> dict[str, Any]:
    """List the shipped rulesets with their tiers and options."""
    return {"rulesets": rulesets_view()}


@blueprint.get("/rulesets/<ruleset>")
@blueprint.response(200, view_schemas.RulesetShown)
@blueprint.may_refuse("unknown-ruleset")
def show_ruleset(ruleset: str) -> dict[str, Any]:
    """Show a shipped ruleset: its tiers, who of the staff settles what, its blank forms, and the whole pack."""
    return ruleset_view(ruleset)


@blueprint.post("/tournaments")
@blueprint.allow(*HANDLERS[AnnounceTournament].roles, within=EVERY_TOURNAMENT)
@blueprint.arguments(schemas.AnnounceTournament)
@blueprint.response(201, view_schemas.Announced)
@blueprint.may_refuse(
    "tournament-exists",
    "format-not-played",
    "rounds-by-option",
    "dates-out-of-order",
    "unknown-ruleset",
    "ruleset-option-refused",
    "ruleset-refused",
    "operator-data-refused",
    "event-too-large",
)
def announce_tournament(body: dict[str, Any]) -> dict[str, Any]:
    """Announce a tournament; its ruleset becomes part of the log. The answer carries the organiser's token."""
    ruleset = chosen_ruleset(
        body.pop("ruleset", None),
        body.pop("pack", None),
        body["options"],
        body["tier"],
        body.pop("catalogues"),
    )
    body["tier"] = ruleset.tier
    for day in ("starts_on", "ends_on"):
        body[day] = body[day].isoformat() if body[day] else ""
    tournament = tickets.tournament_id(command_ids(caller())[0], caller())
    command = AnnounceTournament(**body, ruleset=ruleset.pack)
    receipt = gateway.command(tournament, command, begins=True)
    token = tickets.organiser(tournament, receipt.events[0].time)
    return shown(receipt, tournament, id=tournament, token=token.text, token_id=token.id)


@blueprint.get("/tournaments")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, page_of(view_schemas.TournamentListed))
@blueprint.may_refuse("invalid-cursor")
def list_tournaments(query: dict[str, Any]) -> Any:
    """List tournaments, newest first; private ones only to those who belong to them."""
    who = caller_or_none()
    after = begins_after(query, str, str)
    if who is not None:
        gateway.still_good(who)
    with gateway.handler.database.reading() as connection:
        lines = directory.page(
            connection,
            everything=who is not None and who.tournament == "*",
            own=who.tournament if who else "",
            behind=after,
            limit=query["limit"] + 1,
        )
    shown_lines = lines[: query["limit"]]
    last = shown_lines[-1] if len(lines) > len(shown_lines) else None
    return page(shown_lines, (last["announced_at"], last["tournament"]) if last else None)


@blueprint.get("/tournaments/<id:tournament>")
@blueprint.response(200, view_schemas.TournamentShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_tournament(tournament: str) -> Any:
    """Show a tournament with its ruleset, venues and staff."""
    with gateway.reading(tournament) as folded:
        same = not_modified(gateway.version(folded))
        entries = folded.state.entries
        return same or views.tournament_view(tournament, folded.state, FORMATS[entries.format].dates(entries))


@blueprint.post("/tournaments/<id:tournament>/amendments")
@blueprint.allow(*HANDLERS[AmendTournament].roles)
@blueprint.arguments(schemas.AmendTournament)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OVER, "too-late-to-change", "rounds-by-option", "capacity-too-small", "dates-out-of-order")
def amend_tournament(body: dict[str, Any], tournament: str) -> Appended:
    """Change name, dates, capacity, rounds, or who signs up. Send If-Match, so that nobody's change is lost."""
    for day in ("starts_on", "ends_on"):
        if day in body:
            body[day] = body[day].isoformat()
    return gateway.run(tournament, AmendTournament(**body))


@blueprint.post("/tournaments/<id:tournament>/cancellation")
@blueprint.allow(*HANDLERS[CancelTournament].roles)
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER)
def cancel_tournament(body: dict[str, Any], tournament: str) -> Appended:
    """Cancel the tournament; everything stays readable."""
    return gateway.run(tournament, CancelTournament(**body))


@blueprint.post("/tournaments/<id:tournament>/registration/close")
@blueprint.allow(*HANDLERS[CloseRegistration].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER)
def close_registration(tournament: str) -> Appended:
    """Let nobody join any more."""
    return gateway.run(tournament, CloseRegistration())


@blueprint.post("/tournaments/<id:tournament>/registration/reopen")
@blueprint.allow(*HANDLERS[ReopenRegistration].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "too-late-to-change")
def reopen_registration(tournament: str) -> Appended:
    """Let players join again, until round 1 is paired."""
    return gateway.run(tournament, ReopenRegistration())


@blueprint.post("/tournaments/<id:tournament>/kept-apart")
@blueprint.allow(*HANDLERS[KeepApart].roles)
@blueprint.arguments(schemas_players.KeepApart)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(
    *OVER, "kept-apart-not-offered", "too-late-to-change", "player-unknown", "event-too-large", "wrong-format"
)
def keep_apart(body: dict[str, Any], tournament: str) -> Appended:
    """Say who should not meet in round 1, group by group; heeded like rematches, where it can be."""
    command = KeepApart(groups=body["groups"])
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/venues")
@blueprint.allow(*HANDLERS[OpenVenue].roles)
@blueprint.arguments(schemas.OpenVenue)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "name-taken", "invalid-request")
def open_venue(body: dict[str, Any], tournament: str) -> Appended:
    """Open a venue with its tables."""
    tables = _tables(body["tables"]) or [Table(table=n) for n in range(1, body["table_count"] + 1)]
    return gateway.run(tournament, OpenVenue(name=body["name"], tables=tables))


@blueprint.post("/tournaments/<id:tournament>/venues/<id:venue>/tables")
@blueprint.allow(*HANDLERS[ChangeTables].roles)
@blueprint.arguments(schemas.ChangeTables)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OVER, "venue-unknown", "still-in-use", "other-venue")
def change_tables(body: dict[str, Any], tournament: str, venue: str) -> Appended:
    """Say which tables the venue has from now on, all of them."""
    command = ChangeTables(venue=venue, tables=_tables(body["tables"]))
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/venues/<id:venue>/closing")
@blueprint.allow(*HANDLERS[CloseVenue].roles)
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "venue-unknown", "still-in-use", "other-venue")
def close_venue(body: dict[str, Any], tournament: str, venue: str) -> Appended:
    """Close a venue; its players may be checked in elsewhere."""
    return gateway.run(tournament, CloseVenue(venue=venue, **body))


@blueprint.post("/tournaments/<id:tournament>/staff")
@blueprint.allow(*HANDLERS[AppointStaff].roles)
@blueprint.arguments(schemas.AppointStaff)
@blueprint.response(201, view_schemas.Appointed)
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "player-unknown", "judge-may-not-play")
def appoint_staff(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Appoint a member of staff; the answer carries their token."""
    receipt = gateway.command(tournament, AppointStaff(**body))
    event = receipt.events[0]
    staff = shown(receipt, tournament)["events"][0]["data"]["staff"]
    token = tickets.staff(tournament, staff, body["role"], body["venue"], event.time)
    return shown(receipt, tournament, staff=staff, token=token.text, token_id=token.id)


@blueprint.post("/tournaments/<id:tournament>/staff/<id:staff>/player")
@blueprint.allow(*HANDLERS[EnterStaff].roles)
@blueprint.arguments(schemas.EnterStaff)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "staff-unknown", "player-unknown", "judge-may-not-play")
def enter_staff(body: dict[str, Any], tournament: str, staff: str) -> Appended:
    """Say as whom a member of staff plays; refused for judges where the tier lets none play."""
    return gateway.run(tournament, EnterStaff(staff=staff, **body))


@blueprint.post("/tournaments/<id:tournament>/staff/<id:staff>/dismissal")
@blueprint.allow(*HANDLERS[DismissStaff].roles)
@blueprint.arguments(schemas.DismissStaff)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse("tournament-unknown", "staff-unknown")
def dismiss_staff(body: dict[str, Any], tournament: str, staff: str) -> Appended:
    """Dismiss a member of staff; their tokens are refused from now on, and players' links they hold on request."""
    command = DismissStaff(tournament=tournament, staff=staff, **body)
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/tokens/revocations")
@blueprint.allow(*HANDLERS[RevokeToken].roles)
@blueprint.arguments(schemas.RevokeToken)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse("tournament-unknown", "other-venue")
def revoke_token(body: dict[str, Any], tournament: str) -> Appended:
    """Revoke one token, for example of a lost phone; referees revoke those of players only."""
    who = caller()
    if who.role in (HEAD_REFEREE, REFEREE) and not body["token_id"].startswith(f"{tournament}.p"):
        raise Forbidden("Referees revoke tokens of players; organisers those of staff.", roles=list(ORGANISER_UP))
    command = RevokeToken(token=body["token_id"], reason=body["reason"])
    return gateway.run(tournament, command)


def _tables(tables: list[dict[str, Any]]) -> list[Table]:
    return [Table(table=table["table"], accessible=table["accessible"]) for table in tables]
