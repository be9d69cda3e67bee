"""Views of seasons, and what their tournaments and the season before say in their own logs.

Routes read other logs here. What follows is decided with the command that carries the values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from services.registration import directory
from services.registration.season_identities import (
    Claim,
    ClaimByName,
    ClaimOfEntry,
    EntryThere,
    external_ids,
    playing,
    same_names,
)
from services.registration.season_tournaments import Carried, ContinueSeason, GatherTournament, TournamentToGather
from services.registration.views import Joined
from shared.season.entries import SEASON_ENTRIES, GatheredTournament, SeasonEntries
from shared.season.state import SEASON
from shared.service.state import Repository
from shared.service.views import SeasonMoveView, moves_view
from shared.service.visibility import is_visible
from shared.shapes import View
from shared.tournament.people import Player
from shared.tournament.state import Tournament
from shared.web.tokens import Caller


class GatheredView(View, frozen=True, kw_only=True):
    """A tournament that the season counts."""

    id: str
    name: str
    format: str
    ruleset: str
    played_on: str
    division: Annotated[str, "Whose players it is for; empty: all."]
    tier: str
    weight: Annotated[int | None, "In per cent, where it was given by hand."]
    status: Annotated[str, "announced, running, concluded or cancelled."]
    results_taken: bool
    entries: int
    claimed: int


class EntryView(View, frozen=True, kw_only=True):
    """An entry of a gathered tournament. player: of the season; empty: nobody has claimed it."""

    id: Annotated[str, "The player in that tournament."]
    tournament: str
    name: str
    status: str
    player: str


class EntryOwned(View, frozen=True, kw_only=True):
    """An entry of a player of the season."""

    tournament: str
    entry: str


class IdentityView(View, frozen=True, kw_only=True):
    """A player of the season with all entries that are theirs. merged_into: who they are by now, empty: themselves."""

    id: str
    name: str
    status: str
    division: str
    merged_into: str
    entries: list[EntryOwned]
    before: Annotated[EntryOwned | None, "Who they were in which season."]


class SameName(View, frozen=True, kw_only=True):
    """An entry that has the name of a player of the season who may be someone else; it is not claimed."""

    entry: str
    name: str
    club: str
    external_id: str
    player: Annotated[str, "The player of the season."]
    player_name: str
    player_club: str
    player_external_ids: list[str]


def same_names_view(state: Tournament, command: ClaimByName) -> list[SameName]:
    """Return the entries that staff have to look at, each with the player of the season of that name."""
    return [
        SameName(
            entry=one.entry,
            name=one.name,
            club=one.club,
            external_id=one.external_id,
            player=player,
            player_name=state.entries.players[player].name,
            player_club=state.entries.players[player].club,
            player_external_ids=external_ids(state, player),
        )
        for one, player in same_names(state, command)
    ]


class Claimed(Joined, frozen=True, kw_only=True):
    """claimed: the player of the season that the entry is; players: whoever is new, with their link."""

    claimed: str
    same_names: Annotated[list[SameName] | UnsetType, "By name: entries left unclaimed for staff to look at."] = UNSET


class IdentityConsequences(View, frozen=True, kw_only=True):
    """What would move in a season. twice: tournaments in which one player would have two entries."""

    moves: list[SeasonMoveView]
    twice: list[str]
    same_names: Annotated[list[SameName] | UnsetType, "By name: entries that stay unclaimed for staff to look at."] = (
        UNSET
    )


def gathered_view(
    one: GatheredTournament, claims: Mapping[str, str], there: Tournament, *, results_taken: bool
) -> GatheredView:
    """A tournament of a season with how far it is, and how many of its players are claimed."""
    entries = [player.id for player in playing(there)]
    return GatheredView(
        id=one.tournament,
        name=one.name,
        format=one.format,
        ruleset=one.ruleset,
        played_on=one.played_on,
        division=one.division,
        tier=one.tier,
        weight=one.weight,
        status=directory.status_of(there),
        results_taken=results_taken,
        entries=len(entries),
        claimed=sum(entry in claims for entry in entries),
    )


def entries_view(gathered: str, claims: Mapping[str, str], players: Sequence[Player]) -> list[EntryView]:
    """Entries of a gathered tournament with whose they are."""
    return [
        EntryView(
            id=player.id,
            tournament=gathered,
            name=player.name,
            status=player.status,
            player=claims.get(player.id, ""),
        )
        for player in players
    ]


def identity_view(state: Tournament, player: Player) -> IdentityView:
    """A player of the season, with the entries that are theirs."""
    season = SEASON_ENTRIES.of(state)
    now = season.identity(player.id)
    before = season.before.get(player.id)
    return IdentityView(
        id=player.id,
        name=player.name,
        status=player.status,
        division=season.divisions.get(player.id, ""),
        merged_into=now if now != player.id else "",
        entries=[EntryOwned(tournament=entry.tournament, entry=entry.entry) for entry in season.entries_of(player.id)],
        before=EntryOwned(tournament=before[0], entry=before[1]) if before else None,
    )


def consequences_view(before: Tournament, after: Tournament) -> IdentityConsequences:
    """What a change of identities would move; nothing of it is appended."""
    was_twice = _twice(SEASON_ENTRIES.of(before))
    return IdentityConsequences(
        moves=moves_view(before, after),
        twice=[found for found in _twice(SEASON_ENTRIES.of(after)) if found not in was_twice],
    )


def _twice(season: SeasonEntries) -> list[str]:
    """Tournaments in which somebody has two entries."""
    return [
        tournament
        for tournament, claims in season.claims.items()
        if any(number > 1 for number in Counter(claims.values()).values())
    ]


def to_gather(repository: Repository, body: TournamentToGather, who: Caller) -> GatherTournament:
    """The command by which a season gathers a tournament, as that was announced."""
    with repository.now(body.tournament) as there:
        state = _as_read(there.state, body.tournament, who)
        return GatherTournament(
            tournament=body.tournament,
            played_on=body.played_on,
            division=body.division,
            tier=body.tier,
            weight=body.weight,
            name=state.entries.name,
            format=state.entries.format,
            ruleset=str(state.entries.ruleset.get("id", "")),
            starts_on=state.entries.starts_on,
            own_tier=state.entries.tier,
            status=directory.status_of(state),
        )


def to_continue(repository: Repository, season: str, who: Caller) -> ContinueSeason:
    """The command by which a season takes over the players of an earlier one."""
    with repository.now(season) as there:
        earlier = _as_read(there.state, season, who)
        return ContinueSeason(
            season=season,
            format=earlier.entries.format,
            status=directory.status_of(earlier),
            players=_carried(earlier) if earlier.entries.format == "season" else [],
        )


def to_claim(repository: Repository, season: str, claims: Sequence[ClaimOfEntry]) -> list[Claim]:
    """Claims, each with what its tournament says of the entry; one that is not gathered is not asked."""
    gathered = _gathered(repository, season)
    return [
        _claim(claim, _player_there(repository, claim) if claim.tournament in gathered else None) for claim in claims
    ]


def _player_there(repository: Repository, claim: ClaimOfEntry) -> Player | None:
    with repository.now(claim.tournament) as there:
        return there.state.entries.players.get(claim.entry)


def _claim(claim: ClaimOfEntry, player: Player | None) -> Claim:
    """Return a claim with what its tournament says. player: the entry there; None if there is none."""
    return Claim(
        tournament=claim.tournament,
        entry=claim.entry,
        player=claim.player,
        name=claim.name or (player.name if player else ""),
        known_as=player.name if player else "",
        club=player.club if player else "",
        status=player.status if player else "",
        external_id=player.external_id if player else "",
    )


def _gathered(repository: Repository, season: str) -> frozenset[str]:
    with repository.now(season) as here:
        return frozenset(SEASON_ENTRIES.of(here.state).gathered)


def to_claim_by_name(repository: Repository, season: str, tournament: str) -> ClaimByName:
    """The command by which everybody of a tournament is claimed; one that is not gathered is not asked."""
    if tournament not in _gathered(repository, season):
        return ClaimByName(tournament=tournament, entries=[])
    with repository.now(tournament) as there:
        entries = [
            EntryThere(
                entry=player.id,
                name=player.name,
                club=player.club,
                status=player.status,
                external_id=player.external_id,
            )
            for player in playing(there.state)
        ]
        return ClaimByName(tournament=tournament, entries=entries)


def gathered_now(
    repository: Repository, gathered: Sequence[tuple[GatheredTournament, Mapping[str, str], bool]]
) -> list[GatheredView]:
    """Tournaments of a season, and how far each is. gathered: each with its claims, and whether results are taken."""
    items = []
    for one, claimed, results_taken in gathered:
        with repository.now(one.tournament) as there:
            items.append(gathered_view(one, claimed, there.state, results_taken=results_taken))
    return items


def entries_now(
    repository: Repository, tournament: str, claims: Mapping[str, str], after: int, limit: int
) -> tuple[list[EntryView], int | None, int]:
    """A page of the players of a tournament, where the next one begins, and how many there are in all.

    after: the last that was shown.
    """
    with repository.now(tournament) as there:
        everybody = list(playing(there.state))
        wanted = [player for player in everybody if player.order > after]
        players = wanted[:limit]
        last = players[-1].order if len(wanted) > limit else None
        return entries_view(tournament, claims, players), last, len(everybody)


def _as_read(state: Tournament, tournament: str, who: Caller) -> Tournament:
    """A tournament as the caller may read it: a private one of others is not there."""
    return state if is_visible(tournament, state, who) else Tournament()


def _carried(state: Tournament) -> list[Carried]:
    """The players of a season in the order of its last table, each in the division where they go on."""
    players, moves = state.entries.players, {move.player: move.to for move in SEASON.of(state).moves}
    table = SEASON.of(state).table
    rows = table.rows if table else []
    return [
        Carried(
            before=row.player,
            name=players[row.player].name,
            club=players[row.player].club,
            external_id=players[row.player].external_id,
            division=moves.get(row.player, row.division),
        )
        for row in rows
        if row.status == "active"
    ]
