"""What registration refuses about a season, by name."""

from __future__ import annotations

from shared.refusals import Refusal


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
