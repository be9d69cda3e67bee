"""What registration can be asked to do about a season and who is who in it, and what it refuses of it, by name."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Struct

from shared.refusals import Refusal
from shared.shapes import Command, Id, Name, OptionalReason, Reason, Shape, Size, Whole

MOST_CLAIMS = 500


class TournamentToGather(Shape, frozen=True, kw_only=True):
    """A tournament that the season is to count.

    played_on: by which day it has its place among the others; left out: the day it starts on. tier: one that the season
    weighs; left out: the tournament's own, where that is one. weight: in per cent.
    """

    tournament: Id
    played_on: date | None = None
    division: Annotated[str, Name()] = ""
    tier: Annotated[str, Name()] = ""
    weight: Annotated[int | None, Whole(1, 10_000)] = None


class GatherTournament(TournamentToGather, Command, frozen=True, kw_only=True):
    """name, format, ruleset, starts_on, own_tier: as the tournament was announced. status: as in the directory.

    A tournament that the caller may not read is told of as one that is not there.
    """

    name: str = ""
    format: str = ""
    ruleset: str = ""
    starts_on: str = ""
    own_tier: str = ""
    status: str = ""


class ReleaseTournament(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    gathered: Id
    reason: Reason


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


class EnterDivision(Command, frozen=True, kw_only=True):
    """Players who play in this division from now on."""

    division: Annotated[str, Name()]
    players: Annotated[list[Id], Size(MOST_CLAIMS, 1)]
    reason: OptionalReason = ""


class Carried(Struct, frozen=True, kw_only=True):
    """A player of an earlier season, as they come into this one."""

    before: str
    name: str
    club: str = ""
    division: str = ""
    external_id: str = ""


class ContinueSeason(Command, frozen=True, kw_only=True):
    """The players of an earlier season with the divisions that its end put them in. status: of that season."""

    season: Id
    format: str = ""
    status: str = ""
    players: list[Carried] = []


class TournamentNotGathered(Refusal):
    """The season does not count this tournament."""

    code = "tournament-not-gathered"


class TournamentCannotBeGathered(Refusal):
    """It is a season itself, of a format that no season counts, cancelled, or private and not the caller's."""

    code = "tournament-not-for-season"


class AlreadyGathered(Refusal):
    """The season counts this tournament already."""

    code = "tournament-gathered"


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


class DivisionUnknown(Refusal):
    """The season has no such division."""

    code = "division-unknown"


class SeasonNotOver(Refusal):
    """The earlier season has not ended, or the tournament named is none."""

    code = "season-not-over"
