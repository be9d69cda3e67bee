"""Views of seasons, and the commands that carry values from other tournaments' logs.

Routes read other logs here. Decisions only use the values in the command.
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
    TournamentEntry,
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
    division: Annotated[str, "The division that it counts for; empty: all."]
    tier: str
    weight: Annotated[int | None, "The weight set by hand, in per cent."]
    status: Annotated[str, "`announced`, `running`, `concluded` or `cancelled`."]
    results_taken: bool
    entries: int
    claimed: int


class EntryView(View, frozen=True, kw_only=True):
    """An entry of a gathered tournament."""

    id: Annotated[str, "The player in that tournament."]
    tournament: str
    name: str
    status: str
    player: Annotated[str, "The player of the season; empty: unclaimed."]


class EntryOwned(View, frozen=True, kw_only=True):
    """An entry of a player of the season."""

    tournament: str
    entry: str


class IdentityView(View, frozen=True, kw_only=True):
    """A player of the season with their entries."""

    id: str
    name: str
    status: str
    division: str
    merged_into: Annotated[str, "The player into whom they were merged; empty: not merged."]
    entries: list[EntryOwned]
    before: Annotated[EntryOwned | None, "Their season and player id before this one."]


class SameName(View, frozen=True, kw_only=True):
    """An unclaimed entry with the name of a player of the season who may be another person."""

    entry: str
    name: str
    club: str
    external_id: str
    player: Annotated[str, "The player of the season."]
    player_name: str
    player_club: str
    player_external_ids: list[str]


def same_names_view(state: Tournament, command: ClaimByName) -> list[SameName]:
    """Return the entries that staff must check, each with the player of the season of that name."""
    return [
        SameName(
            entry=entry.entry,
            name=entry.name,
            club=entry.club,
            external_id=entry.external_id,
            player=player,
            player_name=state.entries.players[player].name,
            player_club=state.entries.players[player].club,
            player_external_ids=external_ids(state, player),
        )
        for entry, player in same_names(state, command)
    ]


class Claimed(Joined, frozen=True, kw_only=True):
    """The answer to claiming entries. `players` are the new players of the season."""

    claimed: Annotated[str, "The player of the season who has the last claimed entry."]
    same_names: Annotated[list[SameName] | UnsetType, "Claims by name: unclaimed entries that staff must check."] = (
        UNSET
    )


class IdentityConsequences(View, frozen=True, kw_only=True):
    """The consequences of a change of identities in a season."""

    moves: Annotated[list[SeasonMoveView], "Changes of the standings."]
    twice: Annotated[list[str], "Tournaments in which one player would have two entries."]
    same_names: Annotated[
        list[SameName] | UnsetType, "Claims by name: entries that stay unclaimed for staff to check."
    ] = UNSET


def gathered_view(
    gathered: GatheredTournament, claims: Mapping[str, str], state: Tournament, *, results_taken: bool
) -> GatheredView:
    """Return a tournament of a season. claims: entry -> player of the season. state: state of that tournament."""
    entries = [player.id for player in playing(state)]
    return GatheredView(
        id=gathered.tournament,
        name=gathered.name,
        format=gathered.format,
        ruleset=gathered.ruleset,
        played_on=gathered.played_on,
        division=gathered.division,
        tier=gathered.tier,
        weight=gathered.weight,
        status=directory.status_of(state),
        results_taken=results_taken,
        entries=len(entries),
        claimed=sum(entry in claims for entry in entries),
    )


def entries_view(gathered: str, claims: Mapping[str, str], players: Sequence[Player]) -> list[EntryView]:
    """Return entries of a gathered tournament. claims: entry -> player of the season."""
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
    """Return a player of the season with their entries."""
    season = SEASON_ENTRIES.of(state)
    current = season.identity(player.id)
    before = season.before.get(player.id)
    return IdentityView(
        id=player.id,
        name=player.name,
        status=player.status,
        division=season.divisions.get(player.id, ""),
        merged_into=current if current != player.id else "",
        entries=[EntryOwned(tournament=entry.tournament, entry=entry.entry) for entry in season.entries_of(player.id)],
        before=EntryOwned(tournament=before[0], entry=before[1]) if before else None,
    )


def consequences_view(before: Tournament, after: Tournament) -> IdentityConsequences:
    """Return the consequences of a change of identities."""
    former = _tournaments_with_duplicates(SEASON_ENTRIES.of(before))
    return IdentityConsequences(
        moves=moves_view(before, after),
        twice=[id for id in _tournaments_with_duplicates(SEASON_ENTRIES.of(after)) if id not in former],
    )


def _tournaments_with_duplicates(season: SeasonEntries) -> list[str]:
    """Return the tournaments in which one player has several entries."""
    return [
        tournament
        for tournament, claims in season.claims.items()
        if any(number > 1 for number in Counter(claims.values()).values())
    ]


def to_gather(repository: Repository, body: TournamentToGather, requester: Caller) -> GatherTournament:
    """Return the command that gathers a tournament, with data from its announcement."""
    with repository.now(body.tournament) as loaded:
        state = _visible_state(loaded.state, body.tournament, requester)
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


def to_continue(repository: Repository, season: str, requester: Caller) -> ContinueSeason:
    """Return the command that takes over the players of an earlier season."""
    with repository.now(season) as loaded:
        earlier = _visible_state(loaded.state, season, requester)
        return ContinueSeason(
            season=season,
            format=earlier.entries.format,
            status=directory.status_of(earlier),
            players=_carried(earlier) if earlier.entries.format == "season" else [],
        )


def to_claim(repository: Repository, season: str, claims: Sequence[ClaimOfEntry]) -> list[Claim]:
    """Return the claims with data of each entry from its tournament, if the season has gathered that tournament."""
    gathered = _gathered(repository, season)
    return [
        _claim(claim, _player_of_entry(repository, claim) if claim.tournament in gathered else None) for claim in claims
    ]


def _player_of_entry(repository: Repository, claim: ClaimOfEntry) -> Player | None:
    with repository.now(claim.tournament) as loaded:
        return loaded.state.entries.players.get(claim.entry)


def _claim(claim: ClaimOfEntry, player: Player | None) -> Claim:
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
    with repository.now(season) as loaded:
        return frozenset(SEASON_ENTRIES.of(loaded.state).gathered)


def to_claim_by_name(repository: Repository, season: str, tournament: str) -> ClaimByName:
    """Return the command that claims the entries of a tournament; without entries if it is not gathered."""
    if tournament not in _gathered(repository, season):
        return ClaimByName(tournament=tournament, entries=[])
    with repository.now(tournament) as loaded:
        entries = [
            TournamentEntry(
                entry=player.id,
                name=player.name,
                club=player.club,
                status=player.status,
                external_id=player.external_id,
            )
            for player in playing(loaded.state)
        ]
        return ClaimByName(tournament=tournament, entries=entries)


def gathered_now(
    repository: Repository, gathered: Sequence[tuple[GatheredTournament, Mapping[str, str], bool]]
) -> list[GatheredView]:
    """Return the tournaments of a season. gathered: (tournament, its claims, True if its results were taken)."""
    items = []
    for tournament, claims, results_taken in gathered:
        with repository.now(tournament.tournament) as loaded:
            items.append(gathered_view(tournament, claims, loaded.state, results_taken=results_taken))
    return items


def entries_now(
    repository: Repository, tournament: str, claims: Mapping[str, str], after: int, limit: int
) -> tuple[list[EntryView], int | None, int]:
    """Return a page of the players of a tournament, the cursor of the next page, and the total number.

    after: the last player of the previous page.
    """
    with repository.now(tournament) as loaded:
        everyone = list(playing(loaded.state))
        remaining = [player for player in everyone if player.order > after]
        players = remaining[:limit]
        last = players[-1].order if len(remaining) > limit else None
        return entries_view(tournament, claims, players), last, len(everyone)


def _visible_state(state: Tournament, tournament: str, requester: Caller) -> Tournament:
    """Return the state if the caller may read the tournament, otherwise an empty one."""
    return state if is_visible(tournament, state, requester) else Tournament()


def _carried(state: Tournament) -> list[Carried]:
    """Return the active players of a season in the order of its final table, with their next divisions."""
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
