"""What scoring can be asked to do about a season, and what it refuses of it, by name.

Results are read from their tournament before, and given.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from shared.refusals import Refusal
from shared.season.state import ChangedBy, LogEnd
from shared.shapes import Command, Id, OptionalReason, Size
from shared.tournament.format import ResultRow


class Found(Struct, frozen=True, kw_only=True):
    """The results of a tournament as its logs say now. heads: source -> where its log ends.

    causes: what changed them since they were taken.
    """

    tournament: str
    rows: list[ResultRow]
    heads: dict[str, LogEnd]
    causes: list[ChangedBy] = []


class TakeResults(Command, frozen=True, kw_only=True):
    """found: of one tournament or several. Without any the standings are looked at all the same."""

    found: list[Found] = []


class MakeFinalCut(Command, frozen=True, kw_only=True):
    """named: whom staff name of those who share the last place."""

    named: Annotated[list[Id], Size(500)] = []


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """Who was invited will come."""

    player: Id


class DeclineInvitation(Command, frozen=True, kw_only=True):
    """named: whom staff name in a tie for the place that becomes free."""

    player: Id
    reason: OptionalReason = ""
    named: Annotated[list[Id], Size(500)] = []


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
