"""What is refused in every service alike, because of what a tournament is, and whose it is."""

from __future__ import annotations

from shared.refusals import Refusal


class UnknownTournament(Refusal):
    """No tournament has this id, as far as this service has heard."""

    code = "tournament-unknown"


class TournamentOver(Refusal):
    """The tournament is cancelled, or concluded and this is not for the time after."""

    code = "tournament-over"


class WrongFormat(Refusal):
    """The tournament is of another format than what was asked; data: `format`."""

    code = "wrong-format"


class OtherVenue(Refusal):
    """The member of staff was appointed for one venue, and this is about another; `data` names both."""

    code = "other-venue"


class NotYourDecision(Refusal):
    """The ruleset leaves this to others of the staff; `data` names their roles and the clause."""

    code = "not-your-decision"


class RostersHidden(Refusal):
    """Play has not begun; rosters, and the log that holds them, are open to some only."""

    code = "rosters-hidden"
