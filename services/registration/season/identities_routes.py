"""Routes of identities: which player of the season an entry of a tournament is."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import jsonify

from services.registration.handlers import HANDLERS
from services.registration.season import schemas as schemas_season
from services.registration.season.commands import Claim, ClaimEntries, MergeIdentities, SplitIdentity
from services.registration.season.decide import not_gathered
from services.registration.season.routes import PREVIEW
from services.registration.season.views import consequences_view, identity_view, playing
from services.registration.tournament.routes.joining import ENTERING
from services.registration.tournament.state import player_of
from services.registration.tournament.token_issuer import TokenIssuer
from shared.application.command_handler import CommandResult
from shared.application.gateway import by_of, shown
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of, wired
from shared.formats.season.entries import SEASON_ENTRIES, EntryNamed
from shared.names.likeness import plain
from shared.roles import PLAYER
from shared.web.access import caller, holder_of
from shared.web.blueprint import Blueprint
from shared.web.paging import PageQuery, begins_after, page, page_of
from shared.web.refusals import WrongTournament

CLAIMING = (
    "tournament-unknown",
    "tournament-over",
    "registration-closed",
    "name-taken",
    "tournament-not-gathered",
    "entry-unknown",
    "entry-claimed",
    "identity-merged",
    "player-unknown",
)
ROUTE = "/tournaments/<id:tournament>/season"


gateway = gateway_of("season")
tickets = wired(TokenIssuer)
blueprint = Blueprint(
    "identities", description="Seasons: who is who in their tournaments.", may_refuse=("wrong-format",)
)


def _run(query: dict[str, Any], tournament: str, command: Any) -> Any:
    """Do it, or (with `preview`) say what would follow."""
    if query["preview"]:
        before, after, events = gateway.preview(tournament, command)
        return jsonify(consequences_view(before.state, after, events))
    return _claimed(gateway.command(tournament, command), tournament)


def _claimed(receipt: CommandResult, tournament: str) -> dict[str, Any]:
    answer = shown(receipt, tournament)
    told = {event["type"]: event["data"] for event in answer["events"]}
    claimed = told.get("EntryClaimed", {}).get("player", "")
    players = []
    for recorded, event in zip(receipt.events, answer["events"], strict=True):
        if event["type"] in ENTERING:
            ticket = tickets.entered(tournament, event["data"]["player"], recorded.time, recorded.actor)
            link = tickets.link(tournament, ticket)
            data = {"id": event["data"]["player"], "name": event["data"]["name"], "status": "active"}
            players.append({**data, "token": ticket.text, "token_id": ticket.id, "link": link})
    return {**answer, "claimed": claimed, "players": players}


def _claim_of(season: str, one: dict[str, Any]) -> Claim:
    """The claim, with what the tournament says of its entry; of one that is not gathered it is not asked."""
    with gateway.repository.now(season) as folded:
        gathered = one["tournament"] in SEASON_ENTRIES.of(folded.state).gathered
    with gateway.repository.now(one["tournament"]) as folded:
        known = folded.state.entries.players.get(one["entry"]) if gathered else None
        if known is None:
            return Claim(**one)
        facts = {"known_as": known.name, "club": known.club, "status": known.status}
        return Claim(**{**one, "name": one["name"] or known.name}, **facts)


@blueprint.post(f"{ROUTE}/claims")
@blueprint.allow(*HANDLERS[ClaimEntries].roles)
@blueprint.arguments(schemas_season.PreviewQuery, location="query")
@blueprint.arguments(schemas_season.ClaimEntries)
@blueprint.response(201, schemas_season.ClaimedShown)
@blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
@blueprint.may_refuse(*CLAIMING)
def claim_entries(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
    """Say which players of the season entries are: all of them, or none and every fault."""
    return _run(query, tournament, ClaimEntries(claims=[_claim_of(tournament, one) for one in body["claims"]]))


@blueprint.post(f"{ROUTE}/claims/by-name")
@blueprint.allow(*HANDLERS[ClaimEntries].roles)
@blueprint.arguments(schemas_season.PreviewQuery, location="query")
@blueprint.arguments(schemas_season.ClaimByName)
@blueprint.response(201, schemas_season.ClaimedShown)
@blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
@blueprint.may_refuse(*CLAIMING)
def claim_by_name(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
    """Claim everybody of a tournament whom nobody has claimed: by the same name, or as new players."""
    there = body["tournament"]
    with gateway.reading(tournament) as folded:
        season = SEASON_ENTRIES.of(folded.state)
        if there not in season.gathered:
            raise not_gathered(there)
        known = {plain(player.name): season.identity(player.id) for player in playing(folded.state)}
        claims = dict(season.claims.get(there, {}))
    with gateway.repository.now(there) as folded:
        wanted = [
            Claim(
                tournament=there,
                entry=player.id,
                player=known.get(plain(player.name), ""),
                name=player.name,
                known_as=player.name,
                club=player.club,
                status=player.status,
            )
            for player in playing(folded.state)
            if player.id not in claims
        ]
    return _run(query, tournament, ClaimEntries(claims=wanted))


@blueprint.post(f"{ROUTE}/claims/own")
@blueprint.allow(PLAYER, within=None)
@blueprint.arguments(schemas_season.ClaimOwn)
@blueprint.response(201, schemas_season.ClaimedShown)
@blueprint.may_refuse(*CLAIMING, "wrong-tournament")
def claim_own(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Claim one's own entry with the link of its tournament; the answer carries the season's own link.

    Who is a player of the season already sends that token as `season_token`, and claims the entry for it.
    """
    who = caller()
    gateway.still_good(who)
    with gateway.repository.now(tournament) as folded:
        # Of a private season it is not even told that it gathers the tournament.
        open_to_all = folded.state.entries.visibility == "public"
        if not open_to_all or who.tournament not in SEASON_ENTRIES.of(folded.state).gathered:
            said = f"The token is for the tournament {who.tournament}, which this season does not gather."
            raise WrongTournament(said, tournament=who.tournament)
    player = _of_season(tournament, body["season_token"]) if body["season_token"] else ""
    entry = {"tournament": who.tournament, "entry": who.player or "", "player": player, "name": body["name"]}
    command = ClaimEntries(claims=[_claim_of(tournament, entry)], by_link=True)
    by = msgspec.structs.replace(by_of(who), actor=f"{who.tournament}.{who.actor}", player="")
    receipt = gateway.command(tournament, command, by=by)
    return _claimed(receipt, tournament)


def _of_season(tournament: str, token: str) -> str:
    """The player of the season whose token this is. Raises Unauthenticated, WrongTournament, TokenRevoked."""
    holder = holder_of(token)
    if holder.tournament != tournament or not holder.player:
        raise WrongTournament("`season_token` is no player's of this season.", tournament=holder.tournament)
    gateway.still_good(holder)
    return holder.player


@blueprint.post(f"{ROUTE}/merges")
@blueprint.allow(*HANDLERS[MergeIdentities].roles)
@blueprint.arguments(schemas_season.PreviewQuery, location="query")
@blueprint.arguments(schemas_season.MergeIdentities)
@blueprint.response(201, ReceiptShown)
@blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "identity-merged", "identities-met")
def merge_identities(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
    """Say that two players of the season are one; results are counted together from now on."""
    return _run(query, tournament, MergeIdentities(**body))


@blueprint.post(f"{ROUTE}/splits")
@blueprint.allow(*HANDLERS[SplitIdentity].roles)
@blueprint.arguments(schemas_season.PreviewQuery, location="query")
@blueprint.arguments(schemas_season.SplitIdentity)
@blueprint.response(201, schemas_season.ClaimedShown)
@blueprint.alternative(200, schemas_season.IdentityConsequences, description=PREVIEW)
@blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "registration-closed",
    "player-unknown",
    "identity-not-merged",
    "name-taken",
)
def split_identity(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
    """Take entries out of a player again, into one of their own."""
    entries = [EntryNamed(**one) for one in body.pop("entries")]
    return _run(query, tournament, SplitIdentity(**body, entries=entries))


@blueprint.get(f"{ROUTE}/players")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, page_of(schemas_season.IdentityShown))
@blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_identities(query: dict[str, Any], tournament: str) -> Any:
    """List the players of the season with the entries that are theirs."""
    (after,) = begins_after(query, int) or (0,)
    with gateway.reading(tournament) as folded:
        wanted = [player for player in folded.state.entries.players.values() if player.order > after]
        players = wanted[: query["limit"]]
        items = [identity_view(folded.state, player) for player in players]
    return page(items, (players[-1].order,) if len(wanted) > len(players) else None)


@blueprint.get(f"{ROUTE}/players/<id:player>")
@blueprint.response(200, schemas_season.IdentityShown)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_identity(tournament: str, player: str) -> dict[str, Any]:
    """Show a player of the season with the entries that are theirs."""
    with gateway.reading(tournament) as folded:
        return identity_view(folded.state, player_of(folded.state.entries, player))
