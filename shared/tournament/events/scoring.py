"""Events that scoring owns: results, what was said about them, rulings, standings, awards, the end."""

from __future__ import annotations

from typing import Any, ClassVar

from shared.log.event import Event, Part
from shared.tournament.events.pairing import DrawMade


class ResultReported(Event, frozen=True, kw_only=True):
    """Facts of a game as a player or a member of staff gave them; they bind once confirmed or ruled.

    facts: what the ruleset's result form names. side: 1 or 2 for a player's report, 0 for staff. improbable: the facts
    were asked back, and whoever reported stood by them.
    """

    round: int
    game: str
    facts: dict[str, Any]
    side: int = 0
    improbable: bool = False


class ResultConfirmed(Event, frozen=True, kw_only=True):
    """The opponent, or staff, agreed: the result binds. side: 1 or 2, 0 for staff."""

    round: int
    game: str
    side: int = 0


class ResultDisputed(Event, frozen=True, kw_only=True):
    """A player does not agree; a referee rules. facts: what that player says happened, if given.

    improbable: of these facts, as of a report's.
    """

    round: int
    game: str
    side: int
    reason: str
    facts: dict[str, Any] | None = None
    improbable: bool = False


class ResultRuled(Event, frozen=True, kw_only=True):
    """A referee decided what the result is. level: "referee" or "head_referee"; the latter is final.

    improbable: as of a report.
    """

    round: int
    game: str
    facts: dict[str, Any]
    level: str
    reason: str
    clause: str = ""
    improbable: bool = False


class RulingAppealed(Event, frozen=True, kw_only=True):
    """A player asks the head referee to look at a referee's ruling; the ruling binds until then."""

    round: int
    game: str
    side: int
    reason: str


class AppealRejected(Event, frozen=True, kw_only=True):
    """The head referee lets the ruling stand."""

    round: int
    game: str
    reason: str


class ResultCorrected(Event, frozen=True, kw_only=True):
    """A binding result was wrong and is replaced; standings move.

    Later Swiss pairings stay. In a bracket pairing pairs the next game again if another player goes on.
    improbable: as of a report.
    """

    round: int
    game: str
    facts: dict[str, Any]
    reason: str
    improbable: bool = False


class RulingOverridden(ResultCorrected, frozen=True, kw_only=True):
    """An organiser put something else in the place of a ruling that stands; a correction in all that it brings.

    What took the place of a head referee's final ruling is final; what took a referee's can be appealed like that.
    """


class ResultVoided(Event, frozen=True, kw_only=True):
    """A result reported by mistake is taken back; the game is open again."""

    round: int
    game: str
    reason: str


class StandingRow(Part, frozen=True, kw_only=True):
    """One line of standings. values: the ruleset's columns, whole numbers or exact fractions as "p/q".

    rank counts from 1; tied: only a recorded draw separates this player from a neighbour.
    """

    rank: int
    player: str
    values: dict[str, int | str]
    tied: bool = False
    status: str = "active"


class StandingsRecorded(Event, frozen=True, kw_only=True):
    """A page of the standings after a round, as computed, with its share of the draws that broke ties.

    Standings that are held back are recorded when they are published.
    """

    round: int
    page: int
    pages: int
    rows: list[StandingRow]
    seed: str = ""
    draws: list[DrawMade] = []


class CoinEntered(Event, frozen=True, kw_only=True):
    """Staff flipped a coin for tied players: their order after a closed round, whose standings follow anew."""

    round: int
    order: list[str]
    reason: str = ""


class RoundClosed(Event, frozen=True, kw_only=True):
    """Every game of the round has a binding result; the standings recorded just before are those after it.

    seed: draws the ties of standings that are held back, which are recorded later; empty where they are recorded.
    """

    ends_secret: ClassVar[bool] = True

    round: int
    games: int
    seed: str = ""


class RoundReopened(Event, frozen=True, kw_only=True):
    """The last closed round is open again, because a result of it has to be entered anew."""

    round: int
    reason: str


class AwardGiven(Event, frozen=True, kw_only=True):
    """An award beside the standings; it never moves a rank."""

    award: str
    name: str
    player: str
    reason: str = ""


class AwardWithdrawn(Event, frozen=True, kw_only=True):
    """An award was taken back."""

    award: str
    reason: str


class TournamentConcluded(Event, frozen=True, kw_only=True):
    """The final standings stand; winner is empty when nobody is left in them. reason: why it ended before its time.

    draws: the one for the title, where several share the first place. Said again when a correction moves the title.
    """

    ends_draws: ClassVar[bool] = True

    winner: str
    rounds: int
    reason: str = ""
    draws: list[DrawMade] = []
