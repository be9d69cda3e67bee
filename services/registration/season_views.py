"""What the tournaments of a season, and the season before it, say in logs of their own: read here for routes.

Whatever follows from it is decided with the command that it becomes part of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.registration.season.commands import (
    Carried,
    Claim,
    ClaimByName,
    ClaimOfEntry,
    ContinueSeason,
    EntryThere,
    GatherTournament,
    TournamentToGather,
)
from services.registration.season.identities import playing
from services.registration.season.views import EntryView, GatheredView, entries_view, gathered_view
from services.registration.tournament import directory
from shared.season.entries import SEASON_ENTRIES, GatheredTournament
from shared.season.state import SEASON
from shared.service.state import Repository
from shared.service.visibility import is_there
from shared.tournament.people import Player
from shared.tournament.state import Tournament
from shared.web.tokens import Caller


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
    return state if is_there(tournament, state, who) else Tournament()


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
