"""What registration can be asked to do about a season and who is who in it, and what it refuses of it, by name."""

from __future__ import annotations

from msgspec import Struct

from services.registration.tournament.commands import Command
from shared.formats.season.entries import EntryNamed
from shared.refusals import Refusal


class GatherTournament(Command, frozen=True, kw_only=True):
    """name, format, ruleset, starts_on, own_tier: as the tournament was announced. status: as in the directory.

    played_on: empty for starts_on, or today where that is not said. tier: empty for its own, where the season weighs
    that. weight: per cent. A tournament that the caller may not read is told of as one that is not there.
    """

    tournament: str
    name: str = ""
    format: str = ""
    ruleset: str = ""
    starts_on: str = ""
    own_tier: str = ""
    status: str = ""
    played_on: str = ""
    division: str = ""
    tier: str = ""
    weight: int | None = None


class ReleaseTournament(Command, frozen=True, kw_only=True):
    tournament: str
    reason: str


class Claim(Struct, frozen=True, kw_only=True):
    """An entry of a gathered tournament, and whose it is: a player of the season, or (empty) a new one of this name.

    status: of that entry in its tournament, empty where there is none. known_as: what it is called there.
    """

    tournament: str
    entry: str
    player: str = ""
    name: str = ""
    known_as: str = ""
    faction: str = ""
    club: str = ""
    status: str = ""


class ClaimEntries(Command, frozen=True, kw_only=True):
    """All of them or none. by_link: the entry's own player says so, with the link of that tournament."""

    claims: list[Claim]
    by_link: bool = False


class MergeIdentities(Command, frozen=True, kw_only=True):
    """`player` is `into`."""

    player: str
    into: str
    reason: str


class SplitIdentity(Command, frozen=True, kw_only=True):
    """entries: that are not this player's; empty: all that came with `into`.

    into: a player who was merged with this one and is somebody of their own again; empty: a new one of this name.
    """

    player: str
    entries: list[EntryNamed] = []
    into: str = ""
    name: str = ""
    reason: str = ""


class EnterDivision(Command, frozen=True, kw_only=True):
    division: str
    players: list[str]
    reason: str = ""


class Carried(Struct, frozen=True, kw_only=True):
    """A player of an earlier season, as they come into this one."""

    before: str
    name: str
    club: str = ""
    division: str = ""


class ContinueSeason(Command, frozen=True, kw_only=True):
    """The players of an earlier season with the divisions that its end put them in. status: of that season."""

    season: str
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
