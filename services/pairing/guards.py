"""What pairing refuses, by name."""

from __future__ import annotations

from shared.refusals import Refusal


class RoundUnknown(Refusal):
    """No round with this number stands paired."""

    code = "round-unknown"


class GameUnknown(Refusal):
    code = "game-unknown"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class StaffUnknown(Refusal):
    """Nobody of this id is on the staff, or their role does not play."""

    code = "staff-unknown"


class VenueUnknown(Refusal):
    """No open venue has this id."""

    code = "venue-unknown"


class TableUnknown(Refusal):
    code = "table-unknown"


class NoGame(Refusal):
    """The player is in no pairing of the latest round."""

    code = "no-game"


class RoundAlreadyPaired(Refusal):
    """Another round is next: the one asked for stands already, or is further away."""

    code = "round-already-paired"


class RoundNotClosed(Refusal):
    """Somebody still plays the round before; nobody plays two at once."""

    code = "round-not-closed"


class AllRoundsPlayed(Refusal):
    """No further round is planned, or the bracket has its winner."""

    code = "all-rounds-played"


class RoundsByTable(Refusal):
    """At this tier the number of players says how many rounds there are, and another number was announced."""

    code = "rounds-by-table"


class CutDue(Refusal):
    """The ruleset goes on with an elimination stage, and who is in it was not decided yet."""

    code = "cut-due"


class PlayersWithoutVenue(Refusal):
    """Every venue is paired apart, and some players are at none."""

    code = "players-without-venue"


class PairingsRefused(Refusal):
    """Pairings by hand that cannot stand; faults name every one."""

    code = "pairings-refused"


class ScenarioMissing(Refusal):
    """A round has one scenario, or a bye of it is worth what its scenario says, and none is named."""

    code = "scenario-missing"


class RoundNotLatest(Refusal):
    """Only the round paired last is changed or taken back."""

    code = "round-not-latest"


class RoundClosed(Refusal):
    """Scoring closed the round; what it was stands."""

    code = "round-closed"


class RoundAlreadyStarted(Refusal):
    code = "round-already-started"


class RoundNotStarted(Refusal):
    code = "round-not-started"


class RoundAlreadyPublished(Refusal):
    """The round is no draft, or none any more. data.round: which."""

    code = "round-already-published"


class RoundNotPublished(Refusal):
    """The round is a draft, which nobody plays. data.round: which."""

    code = "round-not-published"


class DraftOutdated(Refusal):
    """The draft was drawn from a secret that is lost. data.round: which round."""

    code = "draft-outdated"


class RoundHasAbsentPlayers(Refusal):
    """A player of the round left after the pairing, or may not begin without a legal roster."""

    code = "round-has-absent-players"


class RoundHasResults(Refusal):
    """Something was reported of the round already, so it cannot be taken back."""

    code = "round-has-results"


class GameHasResult(Refusal):
    """Something was reported of a game that would change."""

    code = "game-has-result"


class OrganiserDecides(Refusal):
    """A round that has begun is taken back by an organiser only."""

    code = "organiser-decides"


class BracketStands(Refusal):
    """Elimination pairings follow from the bracket; give a seat up instead of changing them."""

    code = "bracket-stands"


class OwnGame(Refusal):
    """Somebody of the staff changes a draft of their own game, and the ruleset leaves it to another one.

    data.clause: that says so.
    """

    code = "own-game"


class TableTaken(Refusal):
    """Another game goes on at this table."""

    code = "table-taken"


class CallOutOfOrder(Refusal):
    """The ruleset knows no such call, it was made already, or a later one was."""

    code = "call-out-of-order"


class TimeIsUp(Refusal):
    """The end was called; single games may still be given time."""

    code = "time-is-up"


class SpareTaken(Refusal):
    """There is a spare player already, and one is enough for a venue."""

    code = "spare-taken"


class NoSpare(Refusal):
    """The ruleset has no results of games against a spare player."""

    code = "no-spare"


class NoCut(Refusal):
    """The ruleset has no elimination stage, or not now; data: `status`, which of it."""

    code = "no-cut"


class CutAlreadyPublished(Refusal):
    """The cut is no draft, or none any more. data.after_round: after which round it was made."""

    code = "cut-already-published"


class CutNotPublished(Refusal):
    """The cut is a draft, from which nothing is paired. data.after_round: after which round it was made."""

    code = "cut-not-published"


class StandingsNotPublished(Refusal):
    """The standings that a cut is made from are held back. data.round: after which round."""

    code = "standings-not-published"


class CutStands(Refusal):
    """Elimination has begun; the cut is not made again."""

    code = "cut-stands"


class NotInCut(Refusal):
    """The player has no seat in the bracket, or not any more."""

    code = "not-in-cut"


class SessionUnknown(Refusal):
    """No table is seated for a session of this id."""

    code = "session-unknown"


class SessionHasBegun(Refusal):
    """A table that would change is set up; data: `sessions`."""

    code = "session-has-begun"


class SeatingRefused(Refusal):
    """Tables that cannot be seated like this; faults name every one."""

    code = "seating-refused"


class NoTimetable(Refusal):
    """No day of the tournament is fixed, and no round of it has begun: a calendar would be empty."""

    code = "no-timetable"


class CallUnknown(Refusal):
    """There is no such call, or it is not for whoever asks."""

    code = "call-unknown"


class CallOver(Refusal):
    """The call was answered or withdrawn. data: `call`, `status`, `by`, `answer`."""

    code = "call-over"


class CallTakenBefore(Refusal):
    """Somebody else of the staff is on the way. data: `call`, `referee`, `name`."""

    code = "call-taken"


class JudgeAlreadyCalled(Refusal):
    """A call to this table is open. data: `call`, `status`."""

    code = "judge-already-called"


class NotYourTable(Refusal):
    """A player calls to a table where they do not sit."""

    code = "not-your-table"


class NoTableToCallTo(Refusal):
    """Nobody sits at a table in a bye."""

    code = "no-table-to-call-to"
