"""What scoring refuses, by name."""

from __future__ import annotations

from shared.refusals import Refusal


class GameUnknown(Refusal):
    """No round has a game with this id."""

    code = "game-unknown"


class GameHeld(Refusal):
    """The game has not begun: it waits for a player's list; data: `players`."""

    code = "game-held"


class ListNotOpenYet(Refusal):
    """A result is held against a list, and scoring has not read yet what registration opened; data: `retry_after`."""

    code = "not-yet-seen"


class NoResultForBye(Refusal):
    """A bye is worth what the ruleset says; there is nothing to report."""

    code = "bye-has-no-result"


class NotYourGame(Refusal):
    """A player speaks of their own games only."""

    code = "not-your-game"


class RoundNotBegun(Refusal):
    """The round is paired and has not started."""

    code = "round-not-begun"


class RoundClosed(Refusal):
    """The round is closed; a result of it is corrected, not reported."""

    code = "round-closed"


class RoundNotClosed(Refusal):
    """The round is not closed, and this needs it to be."""

    code = "round-not-closed"


class RoundUnknown(Refusal):
    """No such round is paired."""

    code = "round-unknown"


class ResultExists(Refusal):
    """Another result of this game was reported; data: `facts`, `status`."""

    code = "result-exists"


class ResultMissing(Refusal):
    """Nothing was reported of this game yet."""

    code = "result-missing"


class OwnGame(Refusal):
    """The member of staff plays this game themselves, and the ruleset leaves it to another one."""

    code = "own-game"


class OwnReport(Refusal):
    """The result waits for the opponent's word, not for that of whoever reported it."""

    code = "own-report"


class ResultSettled(Refusal):
    """The result binds or was ruled, and this step belongs before that; data: `status`."""

    code = "result-settled"


class ResultNotBinding(Refusal):
    """The result does not bind yet; report, confirm or rule instead of correcting."""

    code = "result-not-binding"


class StaffOnly(Refusal):
    """Only staff report forfeits and no-shows."""

    code = "staff-only"


class RulingFinal(Refusal):
    """A head referee has ruled; only they change it, or an organiser by overriding it."""

    code = "ruling-final"


class RulingStands(Refusal):
    """A referee has ruled, and by the ruleset nobody but they, an appeal or an organiser's override changes it."""

    code = "ruling-stands"


class RulingNotFinal(Refusal):
    """No ruling stands against an organiser's own, so there is nothing to override."""

    code = "ruling-not-final"


class AppealOpen(Refusal):
    """A player has appealed; the head referee decides, and nobody before."""

    code = "appeal-open"


class NoHeadReferee(Refusal):
    """There is nobody to appeal to (FF-STAFF-4)."""

    code = "no-head-referee"


class NotAppealed(Refusal):
    """No appeal is open on this game."""

    code = "not-appealed"


class GamesOpen(Refusal):
    """Games of the round lack a binding result, or an appeal is open; data: `games`."""

    code = "games-open"


class LaterRoundPaired(Refusal):
    """A later round was paired from these standings; correct results instead."""

    code = "later-round-paired"


class BracketPlayedOn(Refusal):
    """Another player would go on, and later games of the bracket were played; data: `round`, `games`."""

    code = "bracket-played-on"


class CoinNotOffered(Refusal):
    """The ruleset draws every tie from a seed."""

    code = "coin-not-offered"


class NotTied(Refusal):
    """The players named are not those whom only a draw separates."""

    code = "not-tied"


class StandingsAlreadyPublished(Refusal):
    """No standings are kept back. data.round: the last round that is closed."""

    code = "standings-already-published"


class RoundsRemain(Refusal):
    """Rounds that were planned have not been played; data: `planned`, `closed`."""

    code = "rounds-remain"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class AwardUnknown(Refusal):
    code = "award-unknown"


class FormUnknown(Refusal):
    """The ruleset prints no form of this name."""

    code = "form-unknown"


class SessionUnknown(Refusal):
    """No table is seated for a session of this id."""

    code = "session-unknown"


class NotYourTable(Refusal):
    """Survivors speak of their own table only."""

    code = "not-your-table"


class SetUpRefused(Refusal):
    """The table cannot be laid out like this; faults name every one."""

    code = "set-up-refused"


class SessionAlreadySetUp(Refusal):
    """The table lies already; data: `status`."""

    code = "session-set-up"


class SessionNotBegun(Refusal):
    """The table is not set up, and nothing can have happened at it."""

    code = "session-not-begun"


class SessionEnded(Refusal):
    """The session is over, and only corrected; data: `outcome`, `event`, `position`, `time`, `cause`."""

    code = "session-ended"


class SessionNotEnded(Refusal):
    """The session goes on, and this comes after its end."""

    code = "session-not-ended"


class SessionSettled(Refusal):
    """The result of the session binds; it is corrected, not reported."""

    code = "session-settled"


class MoveImpossible(Refusal):
    """What is said cannot have happened at this table; faults name the clause."""

    code = "impossible-move"


class MoveOutOfOrder(Refusal):
    """Another part of the round comes first; data: `part`."""

    code = "move-out-of-order"


class OtherDetail(Refusal):
    """The event takes moves, or reports of whole sessions, and this is the other."""

    code = "other-detail"


class TimeRemains(Refusal):
    """The session has time left; data: `minutes_played`, `limit`."""

    code = "time-remains"


class SessionsOpen(Refusal):
    """Sessions of the round lack a result that binds; data: `sessions`."""

    code = "sessions-open"


class AlreadyRolled(Refusal):
    """The dice are rolled, and stand; data: `result`."""

    code = "already-rolled"


class NotMustered(Refusal):
    """The group has not said who plays in this game."""

    code = "not-mustered"


class GameNotReady(Refusal):
    """Something has to be recorded before the game; faults name what, and of whom."""

    code = "game-not-ready"


class GroupsWaiting(Refusal):
    """Groups of the round have not closed their post-game phase, or lack the result of their game; data: `groups`."""

    code = "groups-waiting"


class GroupUnknown(Refusal):
    """No group with this id is in the campaign."""

    code = "group-unknown"


class NotYourGroup(Refusal):
    """A player decides for the own group only."""

    code = "not-your-group"


class NotYourDice(Refusal):
    """Dice are confirmed or disputed by whoever was named with them beside the teller, or by staff."""

    code = "not-your-dice"


class AccountUnknown(Refusal):
    """A group has no balance of this name."""

    code = "account-unknown"
