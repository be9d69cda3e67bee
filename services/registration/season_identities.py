"""Identities in a season: entries claimed, players merged and taken apart again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import Struct

from services.registration.guards import NameTaken, PlayerUnknown, player_of
from services.registration.players import Entry, JoinPlayers, join
from services.registration.season_tournaments import MOST_CLAIMS, free_id, not_gathered
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
    """An entry of a gathered tournament. player: of the season; left out: a new one, called `name` or as there."""

    tournament: Id
    entry: Annotated[Id, "The id of the player in that tournament."]
    player: Id = ""
    name: Annotated[str, Name()] = ""


class Claim(ClaimOfEntry, frozen=True, kw_only=True):
    """The same with what its tournament says. status: of that entry there, empty where there is none.

    known_as: what it is called there. external_id: that it has there.
    """

    known_as: str = ""
    club: str = ""
    status: str = ""
    external_id: str = ""


class ClaimEntries(Command, frozen=True, kw_only=True):
    """All of them or none. by_link: the entry's own player says so, with the link of that tournament."""

    claims: list[Claim]
    by_link: bool = False


class EntryThere(Shape, frozen=True, kw_only=True):
    """A player of a gathered tournament, as that one says."""

    entry: Id
    name: str
    club: str = ""
    status: str
    external_id: str = ""


class ClaimByName(Command, frozen=True, kw_only=True):
    """Unclaimed entries of a tournament: of the player of the season with the same external id, else of the same name.

    The others are new players. Different external ids are different people; where these have one name, the entry stays
    unclaimed. entries: those who take part there.
    """

    tournament: Id
    entries: list[EntryThere]


class ClaimOwnEntry(ClaimEntries, frozen=True, kw_only=True):
    """An entry that its own player claims, with the link of that tournament."""


class MergeIdentities(Command, frozen=True, kw_only=True):
    """`player` is `into`, and why that is known."""

    player: Id
    into: Id
    reason: Reason


class EntryOfPlayer(Shape, frozen=True, kw_only=True):
    """An entry, by tournament and the id of the player there."""

    tournament: Id
    entry: Id


class SplitIdentity(Command, frozen=True, kw_only=True):
    """Entries that are not this player's; left out: all that came with `into`.

    into: a player who was merged with this one; left out: a new one, called `name`.
    """

    player: Id
    entries: Annotated[list[EntryOfPlayer], Size(MOST_CLAIMS)] = []
    into: Id = ""
    name: Annotated[str, Name()] = ""
    reason: Reason


class EntryUnknown(Refusal):
    """No player of the gathered tournament has this id, or they withdrew before it began."""

    code = "entry-unknown"


class EntryClaimedAlready(Refusal):
    """The entry is somebody's of the season; data: `player`."""

    code = "entry-claimed"


class IdentityMerged(Refusal):
    """The player was merged with another one; data: `into`."""

    code = "identity-merged"


class IdentitiesMet(Refusal):
    """The two have played against each other, so they are not one; data: `tournaments`."""

    code = "identities-met"


class NotMerged(Refusal):
    """There is nothing to take apart."""

    code = "identity-not-merged"


def claim(state: Tournament, command: ClaimEntries, context: Context) -> Sequence[Event]:
    """Entries are players of the season, known ones or new ones; all of them or none, also after the end."""
    require_announced(state)
    _refuse_claims(state, command.claims, by_link=command.by_link)
    claims = [one for one in command.claims if _owner(state, one) is None]
    new = [one for one in claims if not one.player]
    wanted = [Entry(name=one.name, club=one.club, external_id=free_id(state, one.external_id)) for one in new]
    places = ["" if command.by_link else f"/claims/{command.claims.index(one)}" for one in new]
    joined, players = _joining(state, wanted, places, context)
    ids = iter(players)
    return [
        *joined,
        *(
            EntryClaimed(
                player=one.player or next(ids),
                tournament=one.tournament,
                entry=one.entry,
                name=one.known_as,
                by_link=command.by_link,
                external_id=one.external_id,
            )
            for one in claims
        ),
    ]


def claim_by_name(state: Tournament, command: ClaimByName, context: Context) -> Sequence[Event]:
    """Claim the unclaimed entries of a tournament: by external id, else by name, else as new players.

    Entries of `same_names` stay unclaimed. Raises as `claim`.
    """
    there = command.tournament
    if there not in SEASON_ENTRIES.of(state).gathered:
        raise not_gathered(there)
    found = _matches(state, command)
    wanted = [
        Claim(
            tournament=there,
            entry=one.entry,
            player=match.player,
            name=one.name,
            known_as=one.name,
            club=one.club,
            status=one.status,
            external_id=one.external_id,
        )
        for one in command.entries
        if (match := found.get(one.entry)) is not None and not match.look
    ]
    return claim(state, ClaimEntries(claims=wanted), context)


class Match(Struct, frozen=True):
    """The player of the season for an entry, empty for a new one. look: they have one name and may be two people."""

    player: str
    look: bool = False


def same_names(state: Tournament, command: ClaimByName) -> list[tuple[EntryThere, str]]:
    """Return the unclaimed entries whose name a player of the season has who may be someone else, with that player."""
    found = _matches(state, command)
    return [
        (one, match.player) for one in command.entries if (match := found.get(one.entry)) is not None and match.look
    ]


def external_ids(state: Tournament, player: str) -> list[str]:
    """Return the external ids of a player of the season: their own, and those of their entries."""
    season = SEASON_ENTRIES.of(state)
    known = [season.external_ids.get(one.tournament, {}).get(one.entry, "") for one in season.entries_of(player)]
    return list(dict.fromkeys(filter(None, (state.entries.players[player].external_id, *known))))


def _matches(state: Tournament, command: ClaimByName) -> dict[str, Match]:
    """Return who the unclaimed entries of a tournament are: entry -> match.

    An external id goes before a name. A player gets one entry of a tournament.
    """
    season = SEASON_ENTRIES.of(state)
    claimed = season.claims.get(command.tournament, {})
    waiting = [one for one in command.entries if one.entry not in claimed]
    players = [player for player in playing(state) if season.identity(player.id) == player.id]
    ids = {player.id: {normalize_name(id) for id in external_ids(state, player.id)} for player in players}
    by_id = {id: player for player, known in ids.items() for id in sorted(known)}
    by_name = {normalize_name(player.name): season.identity(player.id) for player in playing(state)}
    found: dict[str, Match] = {}
    taken = set(claimed.values())
    for one in waiting:
        player = by_id.get(normalize_name(one.external_id), "") if one.external_id else ""
        if player and player not in taken:
            found[one.entry] = Match(player)
            taken.add(player)
    for one in waiting:
        if one.entry in found:
            continue
        player = by_name.get(normalize_name(one.name), "")
        differs = bool(one.external_id and player and ids.get(player)) or player in taken
        found[one.entry] = Match(player, look=bool(player) and differs)
        taken |= {player} if player and not differs else set()
    return found


def playing(state: Tournament) -> Iterator[Player]:
    """Everybody who has or had a seat in a tournament."""
    return (player for player in state.entries.players.values() if player.status in PLAYING)


def _joining(
    state: Tournament, wanted: Sequence[Entry], places: Sequence[str], context: Context
) -> tuple[Sequence[Event], list[str]]:
    """New players of the season, and their ids. places: of each in the request, for what is wrong with its name.

    Raises as `join`.
    """
    if not wanted:
        return [], []
    try:
        joined = join(state, JoinPlayers(entries=list(wanted)), context)
    except NameTaken as refusal:
        there = {f"/players/{index}/name": f"{place}/name" for index, place in enumerate(places)}
        faults = [msgspec.structs.replace(fault, where=there[fault.where]) for fault in refusal.faults]
        raise NameTaken(refusal.detail, faults) from refusal
    return joined, [event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted)]


def _owner(state: Tournament, claim: Claim) -> str | None:
    return SEASON_ENTRIES.of(state).claims.get(claim.tournament, {}).get(claim.entry)


def _refuse_claims(state: Tournament, claims: Sequence[Claim], *, by_link: bool) -> None:
    """Raises the first refusal with the faults of every claim, each at its place."""
    faults: list[Fault] = []
    first: Refusal | None = None
    twice = Counter((one.tournament, one.entry) for one in claims)
    for index, one in enumerate(claims):
        where = "" if by_link else f"/claims/{index}"
        refusal = _wrong(state, one, where, twice[(one.tournament, one.entry)] > 1)
        if refusal is not None:
            first = first or refusal
            faults += refusal.faults
    if first is not None:
        raise type(first)(first.detail, faults, **first.data)


def _wrong(state: Tournament, claim: Claim, where: str, twice: bool) -> Refusal | None:
    owner = _owner(state, claim)
    if claim.tournament not in SEASON_ENTRIES.of(state).gathered:
        return not_gathered(claim.tournament, f"{where}/tournament")
    if claim.status not in PLAYING:
        fault = Fault(f"{where}/entry", claim.entry, expects("player-of", tournament=claim.tournament))
        return EntryUnknown(f"{claim.tournament} has no player {claim.entry} who takes part.", [fault])
    if twice:
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
    return _gone(state, claim.player, f"{where}/player")


def _gone(state: Tournament, player: str, where: str) -> IdentityMerged | None:
    """The refusal for a player who is another one by now."""
    now = SEASON_ENTRIES.of(state).identity(player)
    if now == player:
        return None
    fault = Fault(where, player, one_of([now]))
    return IdentityMerged(f"{player} has been merged into {now}.", [fault], into=now)


def merge(state: Tournament, command: MergeIdentities, context: Context) -> Sequence[Event]:
    """Two players of the season are one, also after its end."""
    entries = require_announced(state)
    for where, player in (("/player", command.player), ("/into", command.into)):
        player_of(entries, player, where)
        if gone := _gone(state, player, where):
            raise gone
    if command.player == command.into:
        fault = Fault("/into", command.into, expects("other-player"))
        raise IdentityMerged("A player cannot be merged with themselves.", [fault], into=command.into)
    _refuse_opponents(state, command)
    brought = SEASON_ENTRIES.of(state).entries_of(command.player)
    return [
        IdentitiesMerged(player=command.player, into=command.into, entries=brought, reason=command.reason),
    ]


def _refuse_opponents(state: Tournament, command: MergeIdentities) -> None:
    """Raises IdentitiesMet for two who sat down with each other."""
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
    """Entries are taken out of a player, into one of their own: who was merged before, or somebody new."""
    player_of(require_announced(state), command.player)
    entries = _to_split(state, command)
    if command.into:
        return [_split(command, command.into, entries)]
    if not command.name:
        raise InvalidRequest("The new player needs a name.", [Fault("/name", "nothing", expects("name-or-into"))])
    joined, (into,) = _joining(state, [Entry(name=command.name)], [""], context)
    return [*joined, _split(command, into, entries)]


def _split(command: SplitIdentity, into: str, entries: Sequence[EntryNamed]) -> IdentitySplit:
    return IdentitySplit(player=command.player, into=into, entries=list(entries), reason=command.reason)


def _to_split(state: Tournament, command: SplitIdentity) -> Sequence[EntryNamed]:
    """The entries that leave. Raises NotMerged where there is nothing to take apart."""
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
        Fault(f"/entries/{index}", to_short_json(one), expects("entry-of-player", player=command.player))
        for index, one in enumerate(entries)
        if one not in own or one in entries[:index]
    ]
    if not faults and merge is None and len(entries) == len(own):
        right = expects("some-entries", count=len(own), player=command.player)
        fault = Fault("/entries", f"{len(own)}", right)
        raise NotMerged(f"{command.player} would have no entry left.", [fault])
    if faults:
        raise NotMerged(f"Not all of these are entries of {command.player}.", faults)
    return entries
