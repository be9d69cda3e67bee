"""Rounds: the events of pairing, the slice that they fold into, lists in pages, clocks and times.

A page of pairings holds 500 at most, and an event 256 KB. Audits decide again what is on record, so the number of rows
in an event never changes: each caller gives it.

Times are as events have them: RFC 3339, UTC, milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from shared.log.event import Actor, Event, Part, StoredEvent
from shared.refusals import Expected, Fault, Refusal, expects
from shared.shapes import Check, Size
from shared.tournament.people import Entries

PAGE_ROWS = 500
"""Rows in one page of pairings or standings; larger rounds are several pages, appended together."""


class Seat(Part, frozen=True, kw_only=True):
    """One pairing: its game's id, its kind (game, bye, spare), who, where, and why.

    table 0: no table (a bye, or a tournament without tables). wave: of games played one after another at too few
    tables; 1 begins with the round. player_2 is empty for a bye. bye: `awarded` before the start, or `requested` by
    the player; empty for one of the pairing. sides: of a game of three or more groups, every side with its groups,
    player_1 and player_2 being the first of the first two; empty for a game of two (Fallout Skirmish §1.1, §3.2).
    """

    game: str
    kind: str
    player_1: str
    player_2: str = ""
    venue: str = ""
    table: int = 0
    wave: int = 1
    reason: str = ""
    rematch: bool = False
    bye: str = ""
    sides: list[list[str]] = field(default_factory=list)

    @property
    def players(self) -> tuple[str, ...]:
        """All who sit here, side by side; the spare player is in no player list."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)

    @property
    def all_players(self) -> set[str]:
        """All who sit here, the spare player too."""
        return {*self.players, *filter(None, (self.player_1, self.player_2))}

    def allies_of(self, player: str) -> tuple[str, ...]:
        """The others on a player's side."""
        side: list[str] = next((side for side in self.sides if player in side), [])
        return tuple(other for other in side if other != player)

    def rivals_of(self, player: str) -> tuple[str, ...]:
        """All on other sides than a player's, in the order of the sides."""
        own = {player, *self.allies_of(player)}
        return tuple(other for other in self.players if other not in own)


class DrawMade(Part, frozen=True, kw_only=True):
    """A recorded draw: purpose, round and group with the order that the seed gave."""

    purpose: str
    round: int
    order: list[str]
    seed: str


class DraftChange(Part, frozen=True, kw_only=True):
    """A change that somebody made to a draft of a round before it was published.

    actor, time: who and when, as of an event. before: the pairings that it replaced, after: those it put in place.
    """

    actor: Actor
    time: str
    reason: str
    before: list[Seat] = field(default_factory=list)
    after: list[Seat] = field(default_factory=list)


class PairingsDrawn(Event, frozen=True, kw_only=True):
    """A page of a round's pairings; RoundPaired follows the last page in the same transaction."""

    round: int
    page: int
    pages: int
    pairings: list[Seat]


class RoundPaired(Event, frozen=True, kw_only=True):
    """A round stands, not yet begun.

    stage: "swiss", "elimination", or "league" in a campaign. method: the policy's name, or "manual".
    seed: of the draws, 64 hex digits.
    made_from: position in scoring's log of the standings that the pairings were made from; 0 for the first round.
    left_out: why -> active players who were not paired (no_roster, not_checked_in, sitting_out; in a campaign
    no_group, wiped_out).
    reason: of a round entered by hand. changes: what was changed by hand between the pairing and its publication, in
    order: undone from the last to the first, they give the pairings that the rules made.
    """

    ends_secret: ClassVar[bool] = True

    round: int
    stage: str
    method: str
    games: int
    seed: str = ""
    draws: list[DrawMade] = field(default_factory=list)
    made_from: int = 0
    scenario: str = ""
    left_out: dict[str, list[str]] = field(default_factory=dict)
    reason: str = ""
    changes: list[DraftChange] = field(default_factory=list)


class PairingAmended(Event, frozen=True, kw_only=True):
    """Pairings of a round were changed before their results; the games named here, as they stand now.

    By hand, or in a bracket after a seat was given up or a correction lets another player go on.

    A game between other players than before has an id of its own, so that no result is ever taken for another's.
    removed: games that are played no more.
    """

    round: int
    pairings: list[Seat]
    reason: str
    removed: list[str] = field(default_factory=list)


class TableMoved(Event, frozen=True, kw_only=True):
    """A game goes on at another table; who plays whom is untouched."""

    round: int
    game: str
    venue: str
    table: int
    reason: str = ""


class RoundWithdrawn(Event, frozen=True, kw_only=True):
    """The round is taken back as if it had never been paired; its number is free again."""

    round: int
    reason: str


class RoundStarted(Event, frozen=True, kw_only=True):
    """The clock runs. ends_at: when time is called; overtime: minutes after that until the hard stop, if any.

    held: players whose game waits until their list is accepted; everybody else plays.
    """

    round: int
    minutes: int
    ends_at: str
    overtime: int | None = None
    held: list[str] = field(default_factory=list)


class TimeCalled(Event, frozen=True, kw_only=True):
    """A call was made: start, halfway, ten_minutes, end, hard_stop."""

    round: int
    call: str


class ClockExtended(Event, frozen=True, kw_only=True):
    """The round, or one game of it, has more time. ends_at: the new end of whichever it is."""

    round: int
    minutes: int
    ends_at: str
    reason: str
    game: str = ""


class SpareAvailable(Event, frozen=True, kw_only=True):
    """A spare player can be seated instead of a bye from the next pairing on; at most one for each venue."""

    staff: str


class SpareUnavailable(Event, frozen=True, kw_only=True):
    """This spare player no more; without one an odd number means a bye."""

    staff: str
    reason: str = ""


class CutMade(Event, frozen=True, kw_only=True):
    """Who goes on to elimination, in seeding order; made again before the first such pairing, the last one holds."""

    after_round: int
    seeds: list[str]
    made_from: int


class SeatGivenUp(Event, frozen=True, kw_only=True):
    """A place in the bracket was given up; `promoted` takes it, or nobody does (a walkover)."""

    player: str
    promoted: str = ""


Row = TypeVar("Row", bound=msgspec.Struct)

PAGE_BYTES = 200_000
"""Of the rows on one page, so that no event is larger than 256 KB."""


def paginate(rows: Sequence[Row], most: int = PAGE_ROWS, size: int | None = None) -> list[list[Row]]:
    """Rows in pages of at most `most` of them and `size` bytes of JSON; one empty page where there are none."""
    if size is None:
        return [list(rows[start : start + most]) for start in range(0, len(rows), most)] or [[]]
    pages: list[list[Row]] = [[]]
    used = 0
    for row in rows:
        length = len(msgspec.json.encode(row))
        if pages[-1] and (len(pages[-1]) == most or used + length > size):
            pages.append([])
            used = 0
        pages[-1].append(row)
        used += length
    return pages


class Round(Struct, gc=False):
    """A round as paired. status: paired or started. seats: game id -> pairing, as amended.

    changed: position of the last event that touched it (for ETags). made_from: scoring's position of the standings.
    extended: game id -> minutes it has beyond the round. numbered: game ids given out so far. held: players whose
    game waited for their list when the round began. draft: it is a private row that only staff see, not published yet.
    publish_at: when it is to be published, empty if no time is set.
    """

    number: int
    stage: str
    method: str
    seats: dict[str, Seat]
    status: str = "paired"
    seed: str = ""
    made_from: int = 0
    scenario: str = ""
    reason: str = ""
    left_out: dict[str, list[str]] = field(default_factory=dict)
    started_at: str = ""
    minutes: int = 0
    ends_at: str = ""
    overtime: int | None = None
    calls: list[str] = field(default_factory=list)
    extended: dict[str, int] = field(default_factory=dict)
    numbered: int = 0
    held: list[str] = field(default_factory=list)
    draft: bool = False
    publish_at: str = ""
    changed: int = 0


class Rounds(Struct):
    """The fold of pairing's log. cut: seeds in order, empty without a cut. spares: staff who stand in for a bye.

    bracket: the places of the first elimination round as it was paired first, an empty one where no one plays; none
    before, and where it was paired by hand. withdrawn: round -> how often it was taken back, or a game of its bracket
    paired again: no id of a game comes twice. last_paired: position of the last event that paired a round or took it
    back. cut_draft: the cut is a private row, not published yet. cut_publish_at: when it is to be published.
    """

    rounds: dict[int, Round] = field(default_factory=dict)
    drawn: list[Seat] = field(default_factory=list)
    spares: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    cut_after: int = 0
    cut_made_from: int = 0
    cut_changed: int = 0
    bracket: list[str] = field(default_factory=list)
    given_up: dict[str, str] = field(default_factory=dict)
    withdrawn: dict[int, int] = field(default_factory=dict)
    last_paired: int = 0
    cut_draft: bool = False
    cut_publish_at: str = ""

    def latest(self) -> Round | None:
        """The round paired last, if any."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    @property
    def has_begun(self) -> bool:
        """Whether a round has started: play has begun, and what a ruleset opens with it is open from then on."""
        return any(round.status == "started" for round in self.rounds.values())


def _drawn(rounds: Rounds, event: PairingsDrawn, told: StoredEvent) -> None:
    rounds.drawn.extend(event.pairings)


def _paired(rounds: Rounds, event: RoundPaired, told: StoredEvent) -> None:
    rounds.rounds[event.round] = Round(
        event.round,
        event.stage,
        event.method,
        {seat.game: seat for seat in rounds.drawn},
        seed=event.seed,
        made_from=event.made_from,
        scenario=event.scenario,
        reason=event.reason,
        left_out=dict(event.left_out),
        numbered=event.games,
        changed=told.position,
    )
    rounds.drawn, rounds.last_paired = [], told.position
    if event.stage == "elimination" and event.round == rounds.cut_after + 1 and event.method != "manual":
        rounds.bracket = rounds.bracket or _places(rounds.rounds[event.round])


def place_of(seat: Seat) -> int:
    """Return the place of a game in its round of the bracket, from 1; neighbours feed the same game of the next."""
    return int(seat.game.partition("g")[2].partition("-")[0])


def _places(round: Round) -> list[str]:
    """Return the places of a bracket round in order, two for each game."""
    games = {place_of(seat): seat for seat in round.seats.values()}
    numbers = range(1, max(games, default=0) + 1)
    pairs = [(games[one].player_1, games[one].player_2) if one in games else ("", "") for one in numbers]
    return [player for pair in pairs for player in pair]


def _amended(rounds: Rounds, event: PairingAmended, told: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    round.numbered += sum(seat.game not in round.seats for seat in event.pairings)
    for game in event.removed:
        del round.seats[game]
    for seat in event.pairings:
        round.seats[seat.game] = seat
    if round.stage == "elimination":
        rounds.withdrawn[event.round] = rounds.withdrawn.get(event.round, 0) + 1
    round.changed = told.position


def _moved(rounds: Rounds, event: TableMoved, told: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    round.seats[event.game] = replace(round.seats[event.game], venue=event.venue, table=event.table, wave=1)
    round.changed = told.position


def _withdrawn(rounds: Rounds, event: RoundWithdrawn, told: StoredEvent) -> None:
    del rounds.rounds[event.round]
    rounds.withdrawn[event.round] = rounds.withdrawn.get(event.round, 0) + 1
    rounds.last_paired = told.position


def _started(rounds: Rounds, event: RoundStarted, told: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    round.status, round.started_at = "started", told.time
    round.minutes, round.ends_at, round.overtime = event.minutes, event.ends_at, event.overtime
    round.held = list(event.held)
    round.changed = told.position


def _called(rounds: Rounds, event: TimeCalled, told: StoredEvent) -> None:
    rounds.rounds[event.round].calls.append(event.call)
    rounds.rounds[event.round].changed = told.position


def _extended(rounds: Rounds, event: ClockExtended, told: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    if event.game:
        round.extended[event.game] = round.extended.get(event.game, 0) + event.minutes
    else:
        round.ends_at = event.ends_at
    round.changed = told.position


def _spare_available(rounds: Rounds, event: SpareAvailable, told: StoredEvent) -> None:
    rounds.spares.append(event.staff)


def _spare_unavailable(rounds: Rounds, event: SpareUnavailable, told: StoredEvent) -> None:
    rounds.spares.remove(event.staff)


def _cut(rounds: Rounds, event: CutMade, told: StoredEvent) -> None:
    rounds.cut, rounds.cut_after, rounds.cut_changed = list(event.seeds), event.after_round, told.position
    rounds.cut_made_from = event.made_from
    rounds.given_up, rounds.bracket = {}, []


def _given_up(rounds: Rounds, event: SeatGivenUp, told: StoredEvent) -> None:
    rounds.given_up[event.player] = event.promoted
    if event.promoted:
        rounds.cut[rounds.cut.index(event.player)] = event.promoted
    rounds.cut_changed = told.position


EVOLVE: Mapping[type[Event], Callable[[Rounds, Any, StoredEvent], None]] = MappingProxyType(
    {
        PairingsDrawn: _drawn,
        RoundPaired: _paired,
        PairingAmended: _amended,
        TableMoved: _moved,
        RoundWithdrawn: _withdrawn,
        RoundStarted: _started,
        TimeCalled: _called,
        ClockExtended: _extended,
        SpareAvailable: _spare_available,
        SpareUnavailable: _spare_unavailable,
        CutMade: _cut,
        SeatGivenUp: _given_up,
    }
)
"""Event -> what it changes. The catalogue of events is made of these rows: pairing\'s own, in every format."""


def kept_apart(entries: Entries, round: int, playing: Collection[str]) -> list[tuple[str, str]]:
    """Pairs among the players of a round who asked not to meet: in round 1 alone. Source: AR-PAIR-2."""
    if round > 1:
        return []
    groups = ([player for player in group if player in playing] for group in entries.kept_apart)
    return sorted({(min(pair), max(pair)) for group in groups for pair in combinations(group, 2)})


class PublicationPast(Refusal):
    """The time at which a draft would be published is over."""

    code = "publication-past"


class PublicationNotDue(Refusal):
    """No time is set for the draft, or it has not come; for a rule alone. data.round: which, for one of a round."""

    code = "publication-not-due"


def _expected_moment(said: str) -> Expected | None:
    return None if to_utc(said) else expects("moment")


PublishedAt = Annotated[str, Size(40), Check(_expected_moment), "Left out: now."] | None
"""A member of a command that publishes a draft."""


def to_utc(moment: str) -> str:
    """A moment in the form that events have: UTC, milliseconds, Z; empty for what is none."""
    try:
        then = datetime.fromisoformat(moment)
        if then.tzinfo is None:
            return ""
        return then.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def future_time(at: str, now: str) -> str:
    """A time that a command sets, in the form of events. now: in that form. Raises PublicationPast."""
    moment = to_utc(at)
    if moment <= now:
        raise PublicationPast(f"It is {now} already.", [Fault("/at", at, expects("time-after", time=now))])
    return moment


def require_due(at: str, now: str, subject: str, **data: Any) -> None:
    """Raise PublicationNotDue before the time at which something is published, or if no time is set (empty).

    subject: begins the refusal, with its verb: "The cut is". data: of the refusal.
    """
    if not at or now < at:
        raise PublicationNotDue(f"{subject} not due to be published.", **data)


def game_ends_at(round: Round, game: str) -> str:
    """When time is called for one game: with the round, or as many minutes later as it was given; empty before."""
    more = round.extended.get(game, 0)
    return add_minutes(round.ends_at, more) if more else round.ends_at


def add_minutes(moment: str, minutes: int) -> str:
    """A moment some minutes later, in the form that events have."""
    then = datetime.fromisoformat(moment) + timedelta(minutes=minutes)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def hard_stop_at(round: Round) -> str | None:
    """When every game ends, whatever is in progress; None: there is no such time."""
    return None if round.overtime is None else add_minutes(round.ends_at, round.overtime)
