"""Results: the events of scoring and the slice that they fold into, with rulings, standings, awards and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from msgspec import Struct, field

from shared.log.event import Actor, Event, Part, StoredEvent, read_actor, shared_link_holder
from shared.rules.model import NOBODY_WON
from shared.tournament.rounds import DrawMade, Round


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


ResultStatus = Literal["reported", "disputed", "confirmed", "ruled", "corrected"]


class Contest(Struct, frozen=True, gc=False):
    """Why a game waits for a referee. kind: dispute or appeal. side: who wants it, from 1. at: since when."""

    kind: str
    side: int
    reason: str
    at: str


class Result(Struct, gc=False):
    """What is known of one game. status: reported, disputed, confirmed, ruled or corrected; the last three bind.

    side: who reported (1, 2, or 0 for staff). level: of the last ruling: referee, head_referee, or organiser for one
    that overrides the head referee's. final_by: the role of whoever gave a final ruling. ruled_by: the actor who
    ruled or corrected last; None where only players and reports spoke. appealed: waits for the head referee.
    reporter: the actor of the report. both_links_of: who received the links through which both sides spoke, one of
    them at least by request; empty where no one did. contest: why a referee is waited for; None: nobody is.
    first_reported_at: when the first report or ruling came in; a correction leaves it as it is.
    improbable, counter_improbable: whether the facts, or those of the dispute, were asked back and stood by.
    """

    round: int
    game: str
    facts: dict[str, Any]
    status: ResultStatus = "reported"
    side: int = 0
    level: str = ""
    appealed: bool = False
    counter: dict[str, Any] | None = None
    changed: int = 0
    improbable: bool = False
    counter_improbable: bool = False
    final_by: str = ""
    ruled_by: Actor | None = None
    reporter: Actor | None = None
    both_links_of: str = ""
    contest: Contest | None = None
    first_reported_at: str = ""

    @property
    def binds(self) -> bool:
        """Whether standings count it."""
        return self.status in BINDING


BINDING = ("confirmed", "ruled", "corrected")


class Recorded(Struct, gc=False):
    """Standings after a round, as recorded last: rows in rank order, the seed and draws that broke ties.

    position: of their last page; of standings that were held back, the one that they had as `HeldBack`.
    """

    round: int
    rows: list[StandingRow]
    seed: str
    draws: list[DrawMade]
    position: int = 0


class HeldBack(Struct, gc=False):
    """The standings after a closed round that are not published: whoever needs them computes them.

    seed: draws their ties. position: of the event that moved them last: the closing, a correction or a coin.
    """

    seed: str
    position: int


class Award(Struct, gc=False):
    """An award beside the standings."""

    id: str
    name: str
    player: str
    reason: str = ""
    changed: int = 0


class Results(Struct):
    """The fold of scoring's log.

    results: game -> its result, in the order in which they changed last: who looks again finds news at the end.
    recorded: round -> its standings, complete; coming: those of which the last page is still to come.
    held_back: closed round -> its standings, where they are not recorded yet.
    coins: round -> orders of tied players that staff entered, the latest first.
    closed: round -> position of its closing. absences: game -> the sides (1, 2) that were not there.
    published: position at which standings that were held back were recorded last. publish_at: when those held back now
    will be, in a state with drafts; no event tells of it.
    voided: game -> position of its last voiding. reopened: round -> position of its last reopening.
    """

    results: dict[str, Result] = field(default_factory=dict)
    recorded: dict[int, Recorded] = field(default_factory=dict)
    coming: Recorded | None = None
    held_back: dict[int, HeldBack] = field(default_factory=dict)
    coins: dict[int, list[DrawMade]] = field(default_factory=dict)
    absences: dict[str, tuple[int, ...]] = field(default_factory=dict)
    closed: dict[int, int] = field(default_factory=dict)
    awards: dict[str, Award] = field(default_factory=dict)
    awarded: int = 0
    winner: str = ""
    early: str = ""
    concluded: bool = False
    concluded_on: str = ""
    published: int = 0
    publish_at: str = ""
    voided: dict[str, int] = field(default_factory=dict)
    reopened: dict[int, int] = field(default_factory=dict)

    def changed_at(self, game: str) -> int:
        """Return the position of the last event about the result of a game; 0 for none."""
        result = self.results.get(game)
        return max(result.changed if result else 0, self.voided.get(game, 0))

    def round_changed_at(self, number: int, round: Round | None) -> int:
        """Return the position of the last event about a round, its games, or its standings; 0 for none."""
        own = (self.closed.get(number, 0), self.reopened.get(number, 0), self.standings_changed_at(number))
        return max(*own, *map(self.changed_at, round.seats if round else ()))

    def standings_changed_at(self, number: int) -> int:
        """Return the position of the event that moved the standings after a closed round last; 0 for an open one."""
        standings = self.recorded.get(number) or self.held_back.get(number)
        return standings.position if standings else 0

    def seed_of(self, number: int) -> str:
        """Return the seed that draws ties in the standings after a closed round; empty for an open one."""
        standings = self.recorded.get(number) or self.held_back.get(number)
        return standings.seed if standings else ""

    def rounds_closed(self) -> int:
        """How many rounds stand closed; the last one's number."""
        return max(self.closed, default=0)


def with_coin(coins: Mapping[int, list[DrawMade]], entered: CoinEntered) -> dict[int, list[DrawMade]]:
    """The coins of every round with one more, which comes before those entered earlier; a coin has no seed."""
    made = DrawMade(purpose="standings", round=entered.round, order=entered.order, seed="")
    return {**coins, entered.round: [made, *coins.get(entered.round, [])]}


def _note_absence(results: Results, game: str, facts: Mapping[str, Any]) -> None:
    kind = facts.get("kind")
    if kind in ("no_show", "forfeit"):
        results.absences[game] = (facts["conceded_by"],)
    elif kind in NOBODY_WON:
        results.absences[game] = (1, 2)
    else:
        results.absences.pop(game, None)


def _put(results: Results, result: Result) -> None:
    """A result that is new or changed: behind all others."""
    results.results.pop(result.game, None)
    results.results[result.game] = result


def _reported(results: Results, event: ResultReported, told: StoredEvent) -> None:
    _note_absence(results, event.game, event.facts)
    _put(
        results,
        Result(
            event.round,
            event.game,
            event.facts,
            side=event.side,
            changed=told.position,
            improbable=event.improbable,
            reporter=read_actor(told.actor),
            first_reported_at=known.first_reported_at if (known := results.results.get(event.game)) else told.time,
        ),
    )


def _confirmed(results: Results, event: ResultConfirmed, told: StoredEvent) -> None:
    result = results.results[event.game]
    result.status, result.changed = "confirmed", told.position
    if event.side and result.reporter:
        result.both_links_of = shared_link_holder(result.reporter, read_actor(told.actor))
    _put(results, result)


def _disputed(results: Results, event: ResultDisputed, told: StoredEvent) -> None:
    result = results.results[event.game]
    result.status, result.counter, result.changed = "disputed", event.facts, told.position
    result.counter_improbable = event.improbable
    since = result.contest.at if result.contest else told.time  # disputed again, it waits since the first time
    result.contest = Contest("dispute", event.side, event.reason, since)
    _put(results, result)


def _settled(status: ResultStatus) -> Callable[[Results, Any, StoredEvent], None]:
    def settle(results: Results, event: ResultRuled | ResultCorrected, told: StoredEvent) -> None:
        _note_absence(results, event.game, event.facts)
        known, actor = results.results.get(event.game), read_actor(told.actor)
        final_by: str = actor.role
        if isinstance(event, ResultRuled):
            level = event.level
        elif known and isinstance(event, RulingOverridden) and known.level in ("head_referee", "organiser"):
            level = "organiser"
        elif known and known.appealed:  # nobody else corrects what is appealed
            level = "head_referee"
        else:
            level, final_by = (known.level, known.final_by) if known else ("", "")
        _put(
            results,
            Result(
                event.round,
                event.game,
                event.facts,
                status,
                level=level,
                final_by=final_by,
                ruled_by=actor,
                changed=told.position,
                improbable=event.improbable,
                first_reported_at=known.first_reported_at if known else told.time,
            ),
        )
        if status == "corrected":
            _move_held_back(results, event.round, told)

    return settle


def _move_held_back(results: Results, round: int, told: StoredEvent) -> None:
    for number, held in results.held_back.items():
        if number >= round:
            held.position = told.position


def _appealed(results: Results, event: RulingAppealed, told: StoredEvent) -> None:
    result = results.results[event.game]
    result.appealed, result.changed = True, told.position
    result.contest = Contest("appeal", event.side, event.reason, told.time)
    _put(results, result)


def _appeal_rejected(results: Results, event: AppealRejected, told: StoredEvent) -> None:
    result = results.results[event.game]
    result.appealed, result.level, result.changed = False, "head_referee", told.position
    result.contest = None
    result.ruled_by = read_actor(told.actor)
    result.final_by = result.ruled_by.role
    _put(results, result)


def _voided(results: Results, event: ResultVoided, told: StoredEvent) -> None:
    del results.results[event.game]
    results.absences.pop(event.game, None)
    results.voided[event.game] = told.position


def _standings(results: Results, event: StandingsRecorded, told: StoredEvent) -> None:
    """A copy may hold the first pages and not yet the last: what was recorded before stands until all are there."""
    if event.page == 1:
        results.coming = Recorded(event.round, [], event.seed, [])
    coming = results.coming
    if coming is None:
        raise KeyError(f"page {event.page} of standings without its first")
    coming.rows.extend(event.rows)
    coming.draws.extend(event.draws)
    coming.position = told.position
    if event.page == event.pages:
        results.recorded[event.round], results.coming = coming, None
        if held := results.held_back.pop(event.round, None):
            coming.position, results.published = held.position, told.position


def _closed(results: Results, event: RoundClosed, told: StoredEvent) -> None:
    results.closed[event.round] = told.position
    if event.seed:
        results.held_back[event.round] = HeldBack(event.seed, told.position)


def _reopened(results: Results, event: RoundReopened, told: StoredEvent) -> None:
    del results.closed[event.round]
    results.recorded.pop(event.round, None)
    results.held_back.pop(event.round, None)
    results.coins.pop(event.round, None)
    results.reopened[event.round] = told.position


def _coin(results: Results, event: CoinEntered, told: StoredEvent) -> None:
    results.coins = with_coin(results.coins, event)
    _move_held_back(results, event.round, told)


def _award(results: Results, event: AwardGiven, told: StoredEvent) -> None:
    results.awards[event.award] = Award(event.award, event.name, event.player, event.reason, told.position)
    results.awarded += 1


def _award_withdrawn(results: Results, event: AwardWithdrawn, told: StoredEvent) -> None:
    del results.awards[event.award]


def _concluded(results: Results, event: TournamentConcluded, told: StoredEvent) -> None:
    results.concluded, results.winner, results.early = True, event.winner, event.reason
    results.concluded_on = told.time[:10]


EVOLVE: Mapping[type[Event], Callable[[Results, Any, StoredEvent], None]] = MappingProxyType(
    {
        ResultReported: _reported,
        ResultConfirmed: _confirmed,
        ResultDisputed: _disputed,
        ResultRuled: _settled("ruled"),
        RulingAppealed: _appealed,
        AppealRejected: _appeal_rejected,
        ResultCorrected: _settled("corrected"),
        RulingOverridden: _settled("corrected"),
        ResultVoided: _voided,
        StandingsRecorded: _standings,
        RoundClosed: _closed,
        RoundReopened: _reopened,
        CoinEntered: _coin,
        AwardGiven: _award,
        AwardWithdrawn: _award_withdrawn,
        TournamentConcluded: _concluded,
    }
)
"""Event -> what it changes. The catalogue of events is made of these rows: scoring\'s own, in every format."""
