"""Identities in a season: claiming entries, merging players and splitting them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import Struct

from services.registration.guards import NameTaken, PlayerUnknown, player_of
from services.registration.players import Entry, JoinPlayers, join
from services.registration.season_tournaments import MAX_CLAIMS, free_id, not_gathered
from shared.log.event import Event
from shared.names import normalize_name
from shared.refusals import Fault, Refusal, expects, one_of, to_short_json
from shared.season.entries import SEASON_ENTRIES, EntryClaimed, EntryNamed, IdentitiesMerged, IdentitySplit
from shared.season.state import SEASON
from shared.shapes import Command, Id, Name, Reason, Shape, Size
from shared.tournament.guards import Context, require_announced
from shared.tournament.people import PLAYING, Player
from shared.tournament.registration import PlayerJoined, PlayerWaitlisted
from shared.tournament.state import Tournament
from shared.web.refusals import InvalidRequest


class ClaimOfEntry(Shape, frozen=True, kw_only=True):
    """A claim that an entry of a gathered tournament belongs to a player of the season."""

    tournament: Id
    entry: Annotated[Id, "The id of the player in that tournament."]
    player: Annotated[Id, "The player of the season. Default: a new player."] = ""
    name: Annotated[str, Name(), "The name of a new player. Default: the name in that tournament."] = ""


class Claim(ClaimOfEntry, frozen=True, kw_only=True):
    """A claim with the data of the entry from its tournament."""

    known_as: Annotated[str, "The name in that tournament."] = ""
    club: str = ""
    status: Annotated[str, "The status in that tournament; empty if the entry does not exist."] = ""
    external_id: str = ""


class ClaimEntries(Command, frozen=True, kw_only=True):
    """Claim entries for players of the season: all of them or none."""

    claims: list[Claim]
    by_link: Annotated[bool, "True if the player of the entry claims it, with the link of that tournament."] = False


class TournamentEntry(Shape, frozen=True, kw_only=True):
    """A player of a gathered tournament."""

    entry: Id
    name: str
    club: str = ""
    status: str
    external_id: str = ""


class ClaimByName(Command, frozen=True, kw_only=True):
    """Claim the unclaimed entries of a tournament: by external id, else by name, else for new players.

    Different external ids are different people. If an entry has the name of a player with another external id, it stays
    unclaimed.
    """

    tournament: Id
    entries: Annotated[list[TournamentEntry], "The participants of the tournament."]


class ClaimOwnEntry(ClaimEntries, frozen=True, kw_only=True):
    """Claim your own entry, with the link of its tournament."""


class MergeIdentities(Command, frozen=True, kw_only=True):
    """Merge two players of the season who are the same person."""

    player: Id
    into: Annotated[Id, "The player who remains."]
    reason: Reason


class EntryOfPlayer(Shape, frozen=True, kw_only=True):
    """An entry of a tournament."""

    tournament: Id
    entry: Annotated[Id, "The id of the player in that tournament."]


class SplitIdentity(Command, frozen=True, kw_only=True):
    """Split entries off a player."""

    player: Id
    entries: Annotated[
        list[EntryOfPlayer], Size(MAX_CLAIMS), "The entries to split off. Default: all that came with `into`."
    ] = []
    into: Annotated[Id, "A player who was merged into this one. Default: a new player."] = ""
    name: Annotated[str, Name(), "The name of a new player."] = ""
    reason: Reason


class EntryUnknown(Refusal):
    """No participant of the gathered tournament has this id."""

    code = "entry-unknown"


class EntryClaimedAlready(Refusal):
    """A player of the season has claimed the entry. data: `player`."""

    code = "entry-claimed"


class IdentityMerged(Refusal):
    """The player was merged into another one. data: `into`."""

    code = "identity-merged"


class IdentitiesMet(Refusal):
    """The two have played against each other, so they are different people. data: `tournaments`."""

    code = "identities-met"


class NotMerged(Refusal):
    """There is nothing to split."""

    code = "identity-not-merged"


def claim(state: Tournament, command: ClaimEntries, context: Context) -> Sequence[Event]:
    """Claim entries for existing or new players of the season: all of them or none, also after its end."""
    require_announced(state)
    _refuse_claims(state, command.claims, by_link=command.by_link)
    claims = [claim for claim in command.claims if _owner(state, claim) is None]
    new = [claim for claim in claims if not claim.player]
    entries = [Entry(name=claim.name, club=claim.club, external_id=free_id(state, claim.external_id)) for claim in new]
    places = ["" if command.by_link else f"/claims/{command.claims.index(claim)}" for claim in new]
    joined, players = _join_season(state, entries, places, context)
    ids = iter(players)
    return [
        *joined,
        *(
            EntryClaimed(
                player=claim.player or next(ids),
                tournament=claim.tournament,
                entry=claim.entry,
                name=claim.known_as,
                by_link=command.by_link,
                external_id=claim.external_id,
            )
            for claim in claims
        ),
    ]


def claim_by_name(state: Tournament, command: ClaimByName, context: Context) -> Sequence[Event]:
    """Claim the unclaimed entries of a tournament: by external id, else by name, else for new players.

    Entries in `same_names` stay unclaimed. Raises the refusals of `claim`.
    """
    if command.tournament not in SEASON_ENTRIES.of(state).gathered:
        raise not_gathered(command.tournament)
    matches = _matches(state, command)
    claims = [
        Claim(
            tournament=command.tournament,
            entry=entry.entry,
            player=match.player,
            name=entry.name,
            known_as=entry.name,
            club=entry.club,
            status=entry.status,
            external_id=entry.external_id,
        )
        for entry in command.entries
        if (match := matches.get(entry.entry)) is not None and not match.is_uncertain
    ]
    return claim(state, ClaimEntries(claims=claims), context)


class Match(Struct, frozen=True):
    """The player of the season for an entry; empty for a new player.

    is_uncertain: the names are the same, but they may be two people.
    """

    player: str
    is_uncertain: bool = False


def same_names(state: Tournament, command: ClaimByName) -> list[tuple[TournamentEntry, str]]:
    """Return the entries with an uncertain match, with the player of the season of the same name."""
    matches = _matches(state, command)
    return [
        (entry, match.player)
        for entry in command.entries
        if (match := matches.get(entry.entry)) is not None and match.is_uncertain
    ]


def external_ids(state: Tournament, player: str) -> list[str]:
    """Return the external ids of a player of the season: their own, and those of their entries."""
    season = SEASON_ENTRIES.of(state)
    of_entries = [
        season.external_ids.get(entry.tournament, {}).get(entry.entry, "") for entry in season.entries_of(player)
    ]
    return list(dict.fromkeys(filter(None, (state.entries.players[player].external_id, *of_entries))))


def _matches(state: Tournament, command: ClaimByName) -> dict[str, Match]:
    """Return entry id -> match, for the unclaimed entries of a tournament.

    External ids take precedence over names. A player of the season gets at most one entry per tournament.
    """
    season = SEASON_ENTRIES.of(state)
    claimed = season.claims.get(command.tournament, {})
    unclaimed = [entry for entry in command.entries if entry.entry not in claimed]
    players = [player for player in playing(state) if season.identity(player.id) == player.id]
    ids = {player.id: {normalize_name(id) for id in external_ids(state, player.id)} for player in players}
    by_id = {id: player for player, known in ids.items() for id in sorted(known)}
    by_name = {normalize_name(player.name): season.identity(player.id) for player in playing(state)}
    matches: dict[str, Match] = {}
    taken = set(claimed.values())
    for entry in unclaimed:
        player = by_id.get(normalize_name(entry.external_id), "") if entry.external_id else ""
        if player and player not in taken:
            matches[entry.entry] = Match(player)
            taken.add(player)
    for entry in unclaimed:
        if entry.entry in matches:
            continue
        player = by_name.get(normalize_name(entry.name), "")
        differs = bool(entry.external_id and player and ids.get(player)) or player in taken
        matches[entry.entry] = Match(player, is_uncertain=bool(player) and differs)
        if player and not differs:
            taken.add(player)
    return matches


def playing(state: Tournament) -> Iterator[Player]:
    """Yield the players who have or had a seat in a tournament."""
    return (player for player in state.entries.players.values() if player.status in PLAYING)


def _join_season(
    state: Tournament, entries: Sequence[Entry], places: Sequence[str], context: Context
) -> tuple[Sequence[Event], list[str]]:
    """Return the events and ids of new players of the season. Raises the refusals of `join`.

    places: JSON pointers of the players in the request.
    """
    if not entries:
        return [], []
    try:
        joined = join(state, JoinPlayers(entries=list(entries)), context)
    except NameTaken as refusal:
        locations = {f"/players/{index}/name": f"{place}/name" for index, place in enumerate(places)}
        faults = [msgspec.structs.replace(fault, where=locations[fault.where]) for fault in refusal.faults]
        raise NameTaken(refusal.detail, faults) from refusal
    return joined, [event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted)]


def _owner(state: Tournament, claim: Claim) -> str | None:
    return SEASON_ENTRIES.of(state).claims.get(claim.tournament, {}).get(claim.entry)


def _refuse_claims(state: Tournament, claims: Sequence[Claim], *, by_link: bool) -> None:
    """Raise the first refusal, with the faults of all claims."""
    faults: list[Fault] = []
    first: Refusal | None = None
    occurrences = Counter((claim.tournament, claim.entry) for claim in claims)
    for index, claim in enumerate(claims):
        where = "" if by_link else f"/claims/{index}"
        refusal = _claim_refusal(state, claim, where, occurrences[(claim.tournament, claim.entry)] > 1)
        if refusal is not None:
            first = first or refusal
            faults += refusal.faults
    if first is not None:
        raise type(first)(first.detail, faults, **first.data)


def _claim_refusal(state: Tournament, claim: Claim, where: str, is_repeated: bool) -> Refusal | None:
    owner = _owner(state, claim)
    if claim.tournament not in SEASON_ENTRIES.of(state).gathered:
        return not_gathered(claim.tournament, f"{where}/tournament")
    if claim.status not in PLAYING:
        fault = Fault(f"{where}/entry", claim.entry, expects("player-of", tournament=claim.tournament))
        return EntryUnknown(f"{claim.tournament} has no player {claim.entry} who takes part.", [fault])
    if is_repeated:
        fault = Fault(f"{where}/entry", claim.entry, expects("each-entry-once"))
        return EntryClaimedAlready(f"{claim.entry} of {claim.tournament} is listed twice.", [fault])
    if owner is not None and owner != claim.player:
        fault = Fault(f"{where}/entry", claim.entry, expects("unclaimed-entry", player=owner))
        return EntryClaimedAlready(f"{claim.entry} of {claim.tournament} is {owner}.", [fault], player=owner)
    if not claim.player:
        return None
    if claim.player not in state.entries.players:
        fault = Fault(f"{where}/player", claim.player, expects("player-of-season-or-new"))
        return PlayerUnknown(f"No player of this season has the id {claim.player}.", [fault])
    return _merged_refusal(state, claim.player, f"{where}/player")


def _merged_refusal(state: Tournament, player: str, where: str) -> IdentityMerged | None:
    """Return the refusal if a player was merged into another one."""
    current = SEASON_ENTRIES.of(state).identity(player)
    if current == player:
        return None
    fault = Fault(where, player, one_of([current]))
    return IdentityMerged(f"{player} has been merged into {current}.", [fault], into=current)


def merge(state: Tournament, command: MergeIdentities, context: Context) -> Sequence[Event]:
    """Merge two players of the season, also after its end."""
    entries = require_announced(state)
    for where, player in (("/player", command.player), ("/into", command.into)):
        player_of(entries, player, where)
        if refusal := _merged_refusal(state, player, where):
            raise refusal
    if command.player == command.into:
        fault = Fault("/into", command.into, expects("other-player"))
        raise IdentityMerged("A player cannot be merged with themselves.", [fault], into=command.into)
    _refuse_opponents(state, command)
    merged = SEASON_ENTRIES.of(state).entries_of(command.player)
    return [IdentitiesMerged(player=command.player, into=command.into, entries=merged, reason=command.reason)]


def _refuse_opponents(state: Tournament, command: MergeIdentities) -> None:
    """Raise IdentitiesMet if the two players have played against each other."""
    met = set()
    for tournament, claims in SEASON_ENTRIES.of(state).claims.items():
        taken = SEASON.of(state).taken.get(tournament)
        for row in taken.rows if taken else ():
            if claims.get(row.entry) == command.player:
                met |= {tournament for game in row.games if claims.get(game.opponent) == command.into}
    if met:
        raise IdentitiesMet(
            f"{command.player} and {command.into} have played against each other.",
            [Fault("/into", command.into, expects("player-not-met"))],
            tournaments=sorted(met),
        )


def split(state: Tournament, command: SplitIdentity, context: Context) -> Sequence[Event]:
    """Move entries from a player to one who was merged before, or to a new player."""
    player_of(require_announced(state), command.player)
    entries = _entries_to_split(state, command)
    if command.into:
        return [_split(command, command.into, entries)]
    if not command.name:
        raise InvalidRequest("The new player needs a name.", [Fault("/name", "nothing", expects("name-or-into"))])
    joined, (into,) = _join_season(state, [Entry(name=command.name)], [""], context)
    return [*joined, _split(command, into, entries)]


def _split(command: SplitIdentity, into: str, entries: Sequence[EntryNamed]) -> IdentitySplit:
    return IdentitySplit(player=command.player, into=into, entries=list(entries), reason=command.reason)


def _entries_to_split(state: Tournament, command: SplitIdentity) -> Sequence[EntryNamed]:
    """Return the entries to move. Raises NotMerged if there is nothing to split."""
    season = SEASON_ENTRIES.of(state)
    own = season.entries_of(command.player)
    merge = season.merged.get(command.into)
    entries = [EntryNamed(tournament=entry.tournament, entry=entry.entry) for entry in command.entries]
    if command.into and (merge is None or season.identity(command.into) != command.player):
        fault = Fault("/into", command.into, expects("merged-player", player=command.player))
        raise NotMerged(f"{command.into} is not merged with {command.player}.", [fault])
    if not entries:
        if merge is None:
            raise NotMerged(
                "The request does not say what to take apart.",
                [Fault("/entries", "nothing", expects("entries-or-into"))],
            )
        return [entry for entry in merge.entries if entry in own]
    faults = [
        Fault(f"/entries/{index}", to_short_json(entry), expects("entry-of-player", player=command.player))
        for index, entry in enumerate(entries)
        if entry not in own or entry in entries[:index]
    ]
    if not faults and merge is None and len(entries) == len(own):
        expected = expects("some-entries", count=len(own), player=command.player)
        fault = Fault("/entries", f"{len(own)}", expected)
        raise NotMerged(f"{command.player} would have no entry left.", [fault])
    if faults:
        raise NotMerged(f"Not all of these are entries of {command.player}.", faults)
    return entries
