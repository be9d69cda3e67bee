"""What scoring refuses about a season, by name."""

from __future__ import annotations

from shared.refusals import Refusal


class TournamentsOpen(Refusal):
    """Tournaments that the season counts have no results yet; data: `tournaments`."""

    code = "tournaments-open"


class NothingTaken(Refusal):
    """No tournament of the season has results, so nobody stands anywhere."""

    code = "season-without-results"


class TieUndecided(Refusal):
    """Members share the last place above a line, and the ruleset leaves it to staff to name who goes.

    data: `ties`, each with what the line is for, its division, the places to fill and the players who share it.
    """

    code = "tie-undecided"


class NoFinal(Refusal):
    """The ruleset of the season has no final."""

    code = "no-final"


class CutMade(Refusal):
    """The cut was made, and somebody has answered."""

    code = "cut-made"


class CutMissing(Refusal):
    """Nobody was invited to a final yet."""

    code = "cut-missing"


class NotInvited(Refusal):
    """The player is not invited to the final, or has declined."""

    code = "not-invited"


class NotYourInvitation(Refusal):
    """Players answer for themselves; staff for everybody."""

    code = "not-your-invitation"


class StandingsUnknown(Refusal):
    """No standings were recorded under this number."""

    code = "standings-unknown"
