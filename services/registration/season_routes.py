"""Routes of seasons: gathered tournaments, divisions, continuation, identities."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec.structs import replace

from services.registration import season_views
from services.registration.guards import player_of
from services.registration.handlers import HANDLERS
from services.registration.routes_joining import ENTERING, entering, joined_player
from services.registration.season_identities import (
    ClaimByName,
    ClaimEntries,
    ClaimOfEntry,
    ClaimOwnEntry,
    MergeIdentities,
    SplitIdentity,
)
from services.registration.season_tournaments import (
    MAX_CLAIMS,
    ContinueSeason,
    EnterDivision,
    GatherTournament,
    ReleaseTournament,
    TournamentToGather,
    not_gathered,
)
from services.registration.season_views import (
    Claimed,
    EntryView,
    GatheredView,
    IdentityView,
    identity_view,
    same_names_view,
    to_claim,
    to_claim_by_name,
)
from shared.formats.fold import current_data
from shared.roles import PLAYER
from shared.season.entries import SEASON_ENTRIES, TournamentGathered
from shared.season.state import SEASON
from shared.service.routes import CommandBlueprint, Made, actor_of, appended_view
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Command, Id, Name, Shape, Size
from shared.tournament.guards import By
from shared.web.auth import caller_of_token, require_caller
from shared.web.paging import Paged, page, page_of, parse_after, single_page
from shared.web.refusals import WrongTournament

OVER = ("tournament-unknown", "tournament-over")


# The command contains the players of that season.
class EarlierSeason(Shape, frozen=True, kw_only=True):
    """The earlier season whose players join this one."""

    season: Annotated[Id, "A concluded season."]


gateway = gateway_of("season")
seasons_blueprint = CommandBlueprint(
    "seasons", HANDLERS, description="Seasons: tournaments gathered, divisions.", may_refuse=("wrong-format",)
)


@seasons_blueprint.post("/tournaments/<id:tournament>/season/tournaments")
@seasons_blueprint.allow(*HANDLERS[GatherTournament].roles)
@seasons_blueprint.previewed
@seasons_blueprint.arguments(TournamentToGather)
@seasons_blueprint.response(201, Appended)
@seasons_blueprint.makes(Made((TournamentGathered,), "tournament"))
@seasons_blueprint.may_refuse(*OVER, "tournament-gathered", "tournament-not-for-season", "division-unknown")
def gather_tournament(body: TournamentToGather, tournament: str) -> Appended:
    """Count a tournament in the season. It may be announced, running or concluded."""
    return gateway.run(tournament, season_views.to_gather(gateway.repository, body, require_caller()))


@seasons_blueprint.get("/tournaments/<id:tournament>/season/tournaments")
@seasons_blueprint.response(200, page_of(GatheredView))
@seasons_blueprint.may_refuse("tournament-unknown")
def list_gathered(tournament: str) -> dict[str, Any]:
    """List the tournaments that the season counts, in their order."""
    with gateway.reading(tournament) as loaded:
        claims, taken = SEASON_ENTRIES.of(loaded.state).claims, SEASON.of(loaded.state).taken
        gathered = [
            (row, dict(claims.get(row.tournament, {})), row.tournament in taken)
            for row in SEASON_ENTRIES.of(loaded.state).in_order()
        ]
    return single_page(season_views.gathered_now(gateway.repository, gathered))


@seasons_blueprint.command(ReleaseTournament, "/tournaments/<id:tournament>/season/tournaments/<id:gathered>/release")
@seasons_blueprint.may_refuse(*OVER, "tournament-not-gathered")
def release_tournament(command: ReleaseTournament, tournament: str) -> Appended:
    """Stop counting a tournament in the season. It can be gathered again."""
    return gateway.run(tournament, command)


@seasons_blueprint.get("/tournaments/<id:tournament>/season/tournaments/<id:gathered>/entries")
@seasons_blueprint.arguments(Paged, location="query")
@seasons_blueprint.response(200, page_of(EntryView))
@seasons_blueprint.may_refuse("tournament-unknown", "tournament-not-gathered", "invalid-cursor")
def list_entries(query: Paged, tournament: str, gathered: str) -> Any:
    """List the players of a gathered tournament, with the player of the season who has claimed each entry."""
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        if gathered not in SEASON_ENTRIES.of(loaded.state).gathered:
            raise not_gathered(gathered, "/gathered")
        claims = dict(SEASON_ENTRIES.of(loaded.state).claims.get(gathered, {}))
    items, last, total = season_views.entries_now(gateway.repository, gathered, claims, after, query.limit)
    return page(items, None if last is None else (last,), total)


@seasons_blueprint.command(EnterDivision, "/tournaments/<id:tournament>/season/divisions")
@seasons_blueprint.may_refuse(*OVER, "division-unknown", "player-unknown")
def enter_division(command: EnterDivision, tournament: str) -> Appended:
    """Put players into a division."""
    return gateway.run(tournament, command)


@seasons_blueprint.post("/tournaments/<id:tournament>/season/continuation")
@seasons_blueprint.allow(*HANDLERS[ContinueSeason].roles)
@seasons_blueprint.previewed
@seasons_blueprint.arguments(EarlierSeason)
@seasons_blueprint.response(201, Appended)
@seasons_blueprint.may_refuse(*OVER, "season-not-over", "registration-closed", "name-taken", "event-too-large")
def continue_season(body: EarlierSeason, tournament: str) -> Appended:
    """Enter the players of an earlier season, each in the division that its end assigned."""
    return gateway.run(tournament, season_views.to_continue(gateway.repository, body.season, require_caller()))


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
IDENTITY = Made(ENTERING, "player", f"{ROUTE}/players/<id:player>")


# The commands also contain the entries' data from their tournaments, and never a token.
class EntriesToClaim(Shape, frozen=True, kw_only=True):
    """Claims of entries."""

    claims: Annotated[list[ClaimOfEntry], Size(MAX_CLAIMS, 1)]


class TournamentToClaim(Shape, frozen=True, kw_only=True):
    """The tournament whose unclaimed entries are claimed."""

    tournament: Id


class OwnClaim(Shape, frozen=True, kw_only=True):
    """The player of the season for your own entry."""

    season_token: Annotated[str, Size(2048), "Your token in the season. Default: you become a new player."] = ""
    name: Annotated[str, Name(), "The name of a new player. Default: your name in the tournament."] = ""


identities_blueprint = CommandBlueprint(
    "identities",
    HANDLERS,
    description="Seasons: identities of players across tournaments.",
    may_refuse=("wrong-format",),
)


def _claimed(tournament: str, command: Command, by: By | None = None) -> Claimed:
    """Run a command and return the answer, with links of new players. by: as in `Gateway.command`."""
    receipt = gateway.command(tournament, command, by=by)
    claimed = [current_data(event)["player"] for event in receipt.events if event.type == "EntryClaimed"]
    players = [joined_player(tournament, event) for event in entering(receipt.events)]
    answer = appended_view(receipt)
    return Claimed(id=answer.id, events=answer.events, claimed=claimed[-1] if claimed else "", players=players)


@identities_blueprint.post(f"{ROUTE}/claims")
@identities_blueprint.allow(*HANDLERS[ClaimEntries].roles)
@identities_blueprint.previewed
@identities_blueprint.arguments(EntriesToClaim)
@identities_blueprint.response(201, Claimed)
@identities_blueprint.makes(IDENTITY)
@identities_blueprint.may_refuse(*CLAIMING)
def claim_entries(body: EntriesToClaim, tournament: str) -> Claimed:
    """Claim entries for players of the season. If any claim is invalid, none is made and every fault is listed."""
    command = ClaimEntries(claims=to_claim(gateway.repository, tournament, body.claims))
    return _claimed(tournament, command)


@identities_blueprint.post(f"{ROUTE}/claims/by-name")
@identities_blueprint.allow(*HANDLERS[ClaimByName].roles)
@identities_blueprint.previewed
@identities_blueprint.arguments(TournamentToClaim)
@identities_blueprint.response(201, Claimed)
@identities_blueprint.makes(IDENTITY)
@identities_blueprint.may_refuse(*CLAIMING)
def claim_by_name(body: TournamentToClaim, tournament: str) -> Claimed:
    """Claim the unclaimed entries of a tournament: by external id, else by name, else for new players.

    Different external ids are different people. If an entry has the name of a player with another external id, it is
    not claimed, and `same_names` lists it.
    """
    command = to_claim_by_name(gateway.repository, tournament, body.tournament)
    claimed = _claimed(tournament, command)
    with gateway.reading(tournament) as loaded:
        return replace(claimed, same_names=same_names_view(loaded.state, command))


@identities_blueprint.post(f"{ROUTE}/claims/own")
@identities_blueprint.allow(PLAYER, within=None)
@identities_blueprint.previewed
@identities_blueprint.arguments(OwnClaim)
@identities_blueprint.response(201, Claimed)
@identities_blueprint.makes(IDENTITY)
@identities_blueprint.may_refuse(*CLAIMING, "wrong-tournament")
def claim_own(body: OwnClaim, tournament: str) -> Claimed:
    """Claim your own entry with the link of its tournament. The answer contains your link for the season.

    If you are already a player of the season, send that token as `season_token`.
    """
    requester = require_caller()
    gateway.require_still_valid(requester)
    with gateway.repository.now(tournament) as loaded:
        # Do not reveal the tournaments that a private season gathers.
        is_public = loaded.state.entries.visibility == "public"
        if not is_public or requester.tournament not in SEASON_ENTRIES.of(loaded.state).gathered:
            raise WrongTournament(
                f"The token is for the tournament {requester.tournament}, which this season does not gather.",
                tournament=requester.tournament,
            )
    player = _season_player(tournament, body.season_token) if body.season_token else ""
    entry = ClaimOfEntry(tournament=requester.tournament, entry=requester.player or "", player=player, name=body.name)
    command = ClaimOwnEntry(claims=to_claim(gateway.repository, tournament, [entry]), by_link=True)
    by = replace(actor_of(requester), actor=f"{requester.tournament}.{requester.actor}")
    return _claimed(tournament, command, by)


def _season_player(tournament: str, token: str) -> str:
    """Return the player of the season to whom a token belongs.

    Raises Unauthenticated, WrongTournament, TokenRevoked.
    """
    holder = caller_of_token(token)
    if holder.tournament != tournament or not holder.player:
        raise WrongTournament(
            "`season_token` does not belong to a player of this season.", tournament=holder.tournament
        )
    gateway.require_still_valid(holder)
    return holder.player


@identities_blueprint.command(MergeIdentities, f"{ROUTE}/merges")
@identities_blueprint.may_refuse("tournament-unknown", "player-unknown", "identity-merged", "identities-met")
def merge_identities(command: MergeIdentities, tournament: str) -> Appended:
    """Merge two players of the season who are the same person. Their results count together from now on."""
    return gateway.run(tournament, command)


@identities_blueprint.command(SplitIdentity, f"{ROUTE}/splits", answer=Claimed, makes=IDENTITY)
@identities_blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "registration-closed",
    "player-unknown",
    "identity-not-merged",
    "name-taken",
)
def split_identity(command: SplitIdentity, tournament: str) -> Claimed:
    """Split entries off a player, to a player merged before or a new player."""
    return _claimed(tournament, command)


@identities_blueprint.get(f"{ROUTE}/players")
@identities_blueprint.arguments(Paged, location="query")
@identities_blueprint.response(200, page_of(IdentityView))
@identities_blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_identities(query: Paged, tournament: str) -> Any:
    """List the players of the season with their entries."""
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        everyone = loaded.state.entries.players.values()
        remaining = [player for player in everyone if player.order > after]
        players = remaining[: query.limit]
        items = [identity_view(loaded.state, player) for player in players]
    return page(items, (players[-1].order,) if len(remaining) > len(players) else None, len(everyone))


@identities_blueprint.get(f"{ROUTE}/players/<id:player>")
@identities_blueprint.response(200, IdentityView)
@identities_blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_identity(tournament: str, player: str) -> IdentityView:
    """Show a player of the season with their entries."""
    with gateway.reading(tournament) as loaded:
        return identity_view(loaded.state, player_of(loaded.state.entries, player))
