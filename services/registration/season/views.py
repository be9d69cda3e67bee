"""What registration shows of a season: its tournaments, their entries, and who is who."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from services.registration.season.commands import ClaimByName
from services.registration.season.identities import external_ids, playing, same_names
from services.registration.tournament import directory
from services.registration.tournament.views import Joined
from shared.season.entries import SEASON_ENTRIES, GatheredTournament, SeasonEntries
from shared.service.season_views import SeasonMoveView, moves_view
from shared.shapes import View
from shared.tournament.people import Player
from shared.tournament.state import Tournament


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
