"""Rounds: the events of pairing, their slice of the state, pages of rows, clocks and times.

An event is at most 256 KB, and a page holds at most 500 pairings. Audits decide recorded commands again, so each kind
of event must keep its number of rows. For that reason each caller states its page size.

Times are strings as in events: RFC 3339, UTC, milliseconds.
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
"""Maximum rows in a page of pairings or standings. Larger rounds take several pages, appended together."""


class Seat(Part, frozen=True, kw_only=True):
    """A pairing of a round: the game, its players and its table.

    - `game`: id of the game.
    - `kind`: `game`, `bye` or `spare` (player 2 is the spare player, a member of staff).
    - `player_1`, `player_2`: ids; `player_2` is empty for a bye.
    - `venue`: id of the venue; empty if the tournament has none.
    - `table`: number of the table; 0 for a bye or a tournament without tables.
    - `wave`: order of games that share a table, from 1. Games of wave 1 begin with the round.
    - `reason`: why these players meet, for people.
    - `rematch`: true if the players have met before.
    - `bye`: `awarded` (before the start) or `requested` (by the player); empty for a bye made by pairing.
    - `sides`: for a game of three or more groups, all sides with the ids of their groups; empty for a game of two.
      `player_1` and `player_2` are then the first of the first two sides (Fallout Skirmish §1.1, §3.2).
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
        """The players of this game, in the order of the sides. A spare player is not included."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)

    @property
    def all_players(self) -> set[str]:
        """Everyone in this game, including a spare player."""
        return {*self.players, *filter(None, (self.player_1, self.player_2))}

    def allies_of(self, player: str) -> tuple[str, ...]:
        """Return the other players on a player's side."""
        side: list[str] = next((side for side in self.sides if player in side), [])
        return tuple(ally for ally in side if ally != player)

    def rivals_of(self, player: str) -> tuple[str, ...]:
        """Return the players on the other sides, in the order of the sides."""
        own = {player, *self.allies_of(player)}
        return tuple(rival for rival in self.players if rival not in own)


class DrawMade(Part, frozen=True, kw_only=True):
    """A recorded draw.

    - `purpose`: purpose of the draw.
    - `round`: number of the round it was made for.
    - `order`: the drawn order of player ids.
    - `seed`: seed of the order, 64 hex digits; empty for a coin that staff entered.
    """

    purpose: str
    round: int
    order: list[str]
    seed: str


class DraftChange(Part, frozen=True, kw_only=True):
    """A change made by hand to the draft of a round before its publication.

    - `actor`, `time`: actor and time of the change, as in an event.
    - `reason`: free text.
    - `before`, `after`: the replaced pairings, and the pairings that replaced them.
    """

    actor: Actor
    time: str
    reason: str
    before: list[Seat] = field(default_factory=list)
    after: list[Seat] = field(default_factory=list)


class PairingsDrawn(Event, frozen=True, kw_only=True):
    """One page of a round's pairings was made. RoundPaired follows the last page in the same transaction.

    - `round`: number of the round.
    - `page`, `pages`: number of this page, from 1, and number of all pages.
    - `pairings`: the pairings of this page.
    """

    round: int
    page: int
    pages: int
    pairings: list[Seat]


class RoundPaired(Event, frozen=True, kw_only=True):
    """A round, or its part at one venue, was paired. It has not started yet.

    - `round`: number of the round.
    - `stage`: `swiss`, `elimination`, or `league` in a campaign.
    - `method`: name of the pairing policy, or `manual`.
    - `games`: number of pairings, including byes.
    - `seed`: seed of the draws, 64 hex digits.
    - `draws`: the draws made for the pairings.
    - `made_from`: position in scoring's log of the standings used; 0 for the first round.
    - `scenario`: scenario of the round; empty if it has none.
    - `left_out`: active players who were not paired, by cause: `no_roster`, `not_checked_in`, `sitting_out`,
      `played_elsewhere` (this round, at the venue they left); in a campaign also `no_group`, `wiped_out`.
    - `reason`: reason given for a manual round; else empty.
    - `changes`: changes made by hand between pairing and publication, in order. Undoing them from last to first gives
      the pairings that the rules made.
    - `venue`: id of the venue whose part was paired; empty for the whole round.
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
    venue: str = ""


class PairingAmended(Event, frozen=True, kw_only=True):
    """Pairings of a round were changed before they had results.

    The change was made by hand, or in a bracket because a player gave up the seat or another player advances.

    - `round`: number of the round.
    - `pairings`: the new or changed pairings. A game between other players than before has a new id, so a result can
      never be taken for that of another game.
    - `reason`: free text.
    - `removed`: ids of games that are not played.
    """

    round: int
    pairings: list[Seat]
    reason: str
    removed: list[str] = field(default_factory=list)


class TableMoved(Event, frozen=True, kw_only=True):
    """A game was moved to another table. Its players are unchanged.

    - `round`, `game`: number of the round and id of the game.
    - `venue`, `table`: id of the new venue and number of the new table.
    - `reason`: free text; may be empty.
    """

    round: int
    game: str
    venue: str
    table: int
    reason: str = ""


class RoundWithdrawn(Event, frozen=True, kw_only=True):
    """A round, or its part at one venue, was withdrawn. Its number can be paired again.

    - `round`: number of the round.
    - `reason`: free text.
    - `venue`: id of the venue whose part was withdrawn; empty for the whole round.
    """

    round: int
    reason: str
    venue: str = ""


class RoundStarted(Event, frozen=True, kw_only=True):
    """A round, or its part at one venue, was started and its clock runs.

    - `round`: number of the round.
    - `minutes`: length of the round in minutes.
    - `ends_at`: time at which time is called.
    - `overtime`: minutes from `ends_at` to the hard stop; absent if there is none.
    - `held`: ids of players whose games wait until their rosters are accepted.
    - `venue`: id of the venue whose part was started; empty for the whole round.
    """

    round: int
    minutes: int
    ends_at: str
    overtime: int | None = None
    held: list[str] = field(default_factory=list)
    venue: str = ""


class TimeCalled(Event, frozen=True, kw_only=True):
    """A time call of a round was made.

    - `round`: number of the round.
    - `call`: `start`, `halfway`, `ten_minutes`, `end` or `hard_stop`.
    - `venue`: id of the venue where it was made; empty for the whole round.
    """

    round: int
    call: str
    venue: str = ""


class ClockExtended(Event, frozen=True, kw_only=True):
    """A round, its part at one venue, or one of its games got more time.

    - `round`: number of the round.
    - `minutes`: minutes added.
    - `ends_at`: the new end of the round, part or game.
    - `reason`: free text.
    - `game`: id of the game; empty for the whole round or part.
    - `venue`: id of the venue whose part got more time; empty for the whole round or a game.
    """

    round: int
    minutes: int
    ends_at: str
    reason: str
    game: str = ""
    venue: str = ""


class SpareAvailable(Event, frozen=True, kw_only=True):
    """A spare player became available, at most one for each venue. They replace a bye from the next pairing on.

    - `staff`: id of the spare player.
    """

    staff: str


class SpareUnavailable(Event, frozen=True, kw_only=True):
    """A spare player is no longer available.

    - `staff`: id of the spare player.
    - `reason`: free text; may be empty.
    """

    staff: str
    reason: str = ""


class CutMade(Event, frozen=True, kw_only=True):
    """The players who advance to the elimination stage were determined.

    The cut can be made again before the first elimination pairing. The latest one counts.

    - `after_round`: number of the last round before the cut.
    - `seeds`: ids of the players who advance, in seeding order.
    - `made_from`: position in scoring's log of the standings used.
    """

    after_round: int
    seeds: list[str]
    made_from: int


class SeatGivenUp(Event, frozen=True, kw_only=True):
    """A player gave up their place in the bracket.

    - `player`: id of the player.
    - `promoted`: id of the player who takes the place; empty for a walkover.
    """

    player: str
    promoted: str = ""


Row = TypeVar("Row", bound=msgspec.Struct)

PAGE_BYTES = 200_000
"""Maximum bytes of the rows on a page, so that no event exceeds 256 KB."""


def paginate(rows: Sequence[Row], most: int = PAGE_ROWS, size: int | None = None) -> list[list[Row]]:
    """Split rows into pages of at most `most` rows and `size` bytes of JSON. Without rows, return one empty page."""
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


class Clock(Struct, gc=False):
    """The clock of a part of a round, from its start.

    - `minutes`: length in minutes when it was started.
    - `overtime`: minutes from `ends_at` to the hard stop; None if there is none.
    - `calls`: time calls made, in order.
    - `held`: players whose games waited for their rosters when the part began.
    """

    started_at: str
    minutes: int
    ends_at: str
    overtime: int | None = None
    calls: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    @property
    def hard_stop_at(self) -> str | None:
        """Time at which every game ends regardless of its progress; None if there is no hard stop."""
        return None if self.overtime is None else add_minutes(self.ends_at, self.overtime)


WHOLE = ""
"""Venue in an event about a whole round, and the part of a round whose games are at no venue."""


class Origin(Struct, frozen=True):
    """What the part of a round was made from, if it was paired by itself. `made_from`: as in Round."""

    seed: str
    made_from: int


class Round(Struct, gc=False):
    """A round as paired. Its games at one venue are a part of it.

    - `seats`: pairing by game id, including amendments.
    - `clocks`: clock by venue. The clock of WHOLE applies to every venue without a clock of its own.
    - `made_from`: position in scoring's log of the standings used.
    - `extended`: extra minutes by game id.
    - `game_count`: number of game ids used so far.
    - `origins`: by venue, for the parts that were paired by themselves.
    - `drafts`: venue of each unpublished part -> time of its planned publication; empty if none is set. Drafts are
      private rows that only staff see.
    - `changed`: position of the last event about the round (for ETags).
    """

    number: int
    stage: str
    method: str
    seats: dict[str, Seat]
    seed: str = ""
    made_from: int = 0
    scenario: str = ""
    reason: str = ""
    left_out: dict[str, list[str]] = field(default_factory=dict)
    clocks: dict[str, Clock] = field(default_factory=dict)
    extended: dict[str, int] = field(default_factory=dict)
    game_count: int = 0
    origins: dict[str, Origin] = field(default_factory=dict)
    drafts: dict[str, str] = field(default_factory=dict)
    changed: int = 0

    @property
    def draft(self) -> bool:
        """True if nothing of the round is published."""
        return bool(self.drafts) and all(self.is_draft(part) for part in self.parts)

    def is_draft(self, part: str) -> bool:
        """Return True if a part is not published."""
        return part in self.drafts or WHOLE in self.drafts

    @property
    def publish_at(self) -> str:
        """Time of the next planned publication of a part; empty if none is set."""
        return min(filter(None, self.drafts.values()), default="")

    @property
    def parts(self) -> list[str]:
        """The venues of the round's parts, in pairing order. A round with a game at no venue is a single part."""
        venues = dict.fromkeys(seat.venue for seat in self.seats.values() if seat.venue or seat.kind != "bye")
        return [WHOLE] if WHOLE in venues or not venues else list(venues)

    def seats_of(self, part: str) -> list[Seat]:
        """Return the pairings of a part, in pairing order."""
        return [seat for seat in self.seats.values() if part in (WHOLE, seat.venue)]

    def clock_of(self, venue: str) -> Clock | None:
        """Return the clock at a venue; None before its start."""
        return self.clocks.get(venue) or self.clocks.get(WHOLE)

    @property
    def clock(self) -> Clock | None:
        """The clock of the part that ends last; None before the first start."""
        return max(self.clocks.values(), key=lambda clock: clock.ends_at, default=None)

    @property
    def has_started(self) -> bool:
        """True if a part has started."""
        return bool(self.clocks)

    @property
    def started_at(self) -> str:
        """Time of the first start; empty before it."""
        return min((clock.started_at for clock in self.clocks.values()), default="")

    @property
    def ends_at(self) -> str:
        """Time at which the last part ends; empty before the first start."""
        return self.clock.ends_at if self.clock else ""

    @property
    def held(self) -> set[str]:
        """Players whose games waited for their rosters when their part began."""
        return {player for clock in self.clocks.values() for player in clock.held}


class Rounds(Struct):
    """The fold of pairing's log.

    - `pending`: pages of a round whose RoundPaired has not been read yet.
    - `spares`: ids of available spare players.
    - `cut`: seeds in order; empty without a cut.
    - `bracket`: places of the first elimination round as first paired, with an empty text for no player; empty before
      that, and if the round was paired by hand.
    - `given_up`: player who gave up a place in the bracket -> the player promoted to it.
    - `withdrawn`: round -> number of times it was withdrawn, or a game of its bracket paired again. Game ids include
      it, so that none is used twice.
    - `withdrawn_parts`: round and venue (`3/v1`) -> number of times the part was withdrawn.
    - `last_paired`: position of the last event that paired or withdrew a round.
    - `paired_at`: the same for each venue; WHOLE: events about whole rounds.
    - `cut_draft`: True for an unpublished cut. `cut_publish_at`: time of its planned publication; empty if none is set.
    """

    rounds: dict[int, Round] = field(default_factory=dict)
    pending: list[Seat] = field(default_factory=list)
    spares: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    cut_after: int = 0
    cut_made_from: int = 0
    cut_changed: int = 0
    bracket: list[str] = field(default_factory=list)
    given_up: dict[str, str] = field(default_factory=dict)
    withdrawn: dict[int, int] = field(default_factory=dict)
    withdrawn_parts: dict[str, int] = field(default_factory=dict)
    last_paired: int = 0
    paired_at: dict[str, int] = field(default_factory=dict)
    cut_draft: bool = False
    cut_publish_at: str = ""

    def latest(self) -> Round | None:
        """Return the round paired last, if any."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def last_paired_at(self, venue: str) -> int:
        """Return the position of the last event that paired or withdrew a round at a venue; anywhere for WHOLE."""
        return self.last_paired if venue == WHOLE else max(self.paired_at.get(venue, 0), self.paired_at.get(WHOLE, 0))

    def times_withdrawn(self, number: int, venue: str) -> int:
        """Return how often a round, or its part at a venue, was withdrawn."""
        return self.withdrawn.get(number, 0) if venue == WHOLE else self.withdrawn_parts.get(f"{number}/{venue}", 0)

    @property
    def has_begun(self) -> bool:
        """True if a round has started. Rulesets open rosters at that time."""
        return any(round.has_started for round in self.rounds.values())


def _drawn(rounds: Rounds, event: PairingsDrawn, stored: StoredEvent) -> None:
    rounds.pending.extend(event.pairings)


def _paired(rounds: Rounds, event: RoundPaired, stored: StoredEvent) -> None:
    origins = {event.venue: Origin(event.seed, event.made_from)} if event.venue else {}
    seats = {seat.game: seat for seat in rounds.pending}
    known = rounds.rounds.get(event.round) if event.venue else None
    if known is not None:
        left_out = {why: [*known.left_out.get(why, ()), *players] for why, players in event.left_out.items()}
        round = replace(
            known,
            seats=known.seats | seats,
            left_out=known.left_out | left_out,
            game_count=max(known.game_count + event.games, *map(place_of, seats.values()), 0),
            origins=known.origins | origins,
            made_from=max(known.made_from, event.made_from),
            changed=stored.position,
        )
    else:
        round = Round(
            event.round,
            event.stage,
            event.method,
            seats,
            seed=event.seed,
            made_from=event.made_from,
            scenario=event.scenario,
            reason=event.reason,
            left_out=dict(event.left_out),
            game_count=max(event.games, *map(place_of, seats.values()), 0),
            origins=origins,
            changed=stored.position,
        )
    rounds.rounds = dict(sorted({**rounds.rounds, event.round: round}.items()))
    rounds.pending, rounds.last_paired = [], stored.position
    rounds.paired_at[event.venue] = stored.position
    if event.stage == "elimination" and event.round == rounds.cut_after + 1 and event.method != "manual":
        rounds.bracket = rounds.bracket or _places(rounds.rounds[event.round])


def place_of(seat: Seat) -> int:
    """Return the place of a game in its bracket round, from 1. Neighbouring places feed the same next game."""
    return int(seat.game.partition("g")[2].partition("-")[0])


def _places(round: Round) -> list[str]:
    """Return the places of a bracket round in order, two for each game."""
    games = {place_of(seat): seat for seat in round.seats.values()}
    numbers = range(1, max(games, default=0) + 1)
    pairs = [(games[number].player_1, games[number].player_2) if number in games else ("", "") for number in numbers]
    return [player for pair in pairs for player in pair]


def _amended(rounds: Rounds, event: PairingAmended, stored: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    round.game_count += sum(seat.game not in round.seats for seat in event.pairings)
    for game in event.removed:
        del round.seats[game]
    for seat in event.pairings:
        round.seats[seat.game] = seat
    if round.stage == "elimination":
        rounds.withdrawn[event.round] = rounds.withdrawn.get(event.round, 0) + 1
    round.changed = stored.position


def _moved(rounds: Rounds, event: TableMoved, stored: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    round.seats[event.game] = replace(round.seats[event.game], venue=event.venue, table=event.table, wave=1)
    round.changed = stored.position


def _withdrawn(rounds: Rounds, event: RoundWithdrawn, stored: StoredEvent) -> None:
    take_back(rounds, event.round, event.venue)
    rounds.last_paired = rounds.paired_at[event.venue] = stored.position
    if event.round in rounds.rounds:
        rounds.rounds[event.round].changed = stored.position


def take_back(rounds: Rounds, number: int, venue: str, *, counts: bool = True) -> None:
    """Remove a round, or its part at a venue, and count that unless it was a draft.

    Replaces the members of `rounds` instead of changing them, so that a shallow copy can be given.
    """
    round = rounds.rounds[number]
    parts = [venue] if venue else list(round.origins)
    left = {game: seat for game, seat in round.seats.items() if venue and seat.venue != venue}
    remaining = {other: known for other, known in rounds.rounds.items() if other != number}
    if left:
        gone = {player for game, seat in round.seats.items() if game not in left for player in seat.players}
        rest = replace(
            round,
            seats=left,
            clocks={place: clock for place, clock in round.clocks.items() if place != venue},
            origins={place: origin for place, origin in round.origins.items() if place != venue},
            drafts={place: at for place, at in round.drafts.items() if place != venue},
            extended={game: minutes for game, minutes in round.extended.items() if game in left},
            left_out={why: [one for one in players if one not in gone] for why, players in round.left_out.items()},
        )
        remaining = dict(sorted({**remaining, number: rest}.items()))
    rounds.rounds = remaining
    if counts:
        rounds.withdrawn = {**rounds.withdrawn, number: rounds.withdrawn.get(number, 0) + 1}
        times = {f"{number}/{part}": rounds.times_withdrawn(number, part) + 1 for part in parts}
        rounds.withdrawn_parts = rounds.withdrawn_parts | times


def _started(rounds: Rounds, event: RoundStarted, stored: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    round.clocks[event.venue] = Clock(stored.time, event.minutes, event.ends_at, event.overtime, held=list(event.held))
    round.changed = stored.position


def _clocks(round: Round, venue: str) -> list[Clock]:
    """Return the clocks that an event changes: those of the whole round, or the own one of a venue."""
    if venue == WHOLE:
        return list(round.clocks.values())
    if venue not in round.clocks:
        whole = round.clocks[WHOLE]
        round.clocks[venue] = replace(whole, calls=list(whole.calls), held=list(whole.held))
    return [round.clocks[venue]]


def _called(rounds: Rounds, event: TimeCalled, stored: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    for clock in _clocks(round, event.venue):
        clock.calls.append(event.call)
    round.changed = stored.position


def _extended(rounds: Rounds, event: ClockExtended, stored: StoredEvent) -> None:
    round = rounds.rounds[event.round]
    if event.game:
        round.extended[event.game] = round.extended.get(event.game, 0) + event.minutes
    else:
        for clock in _clocks(round, event.venue):
            clock.ends_at = event.ends_at
    round.changed = stored.position


def _spare_available(rounds: Rounds, event: SpareAvailable, stored: StoredEvent) -> None:
    rounds.spares.append(event.staff)


def _spare_unavailable(rounds: Rounds, event: SpareUnavailable, stored: StoredEvent) -> None:
    rounds.spares.remove(event.staff)


def _cut(rounds: Rounds, event: CutMade, stored: StoredEvent) -> None:
    rounds.cut, rounds.cut_after, rounds.cut_changed = list(event.seeds), event.after_round, stored.position
    rounds.cut_made_from = event.made_from
    rounds.given_up, rounds.bracket = {}, []


def _given_up(rounds: Rounds, event: SeatGivenUp, stored: StoredEvent) -> None:
    rounds.given_up[event.player] = event.promoted
    if event.promoted:
        rounds.cut[rounds.cut.index(event.player)] = event.promoted
    rounds.cut_changed = stored.position


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
"""Event type -> the function that applies it. The catalogue of events is built from these rows."""


def kept_apart(entries: Entries, round: int, playing: Collection[str]) -> list[tuple[str, str]]:
    """Return the pairs of players who asked not to meet; only round 1 respects them (AR-PAIR-2)."""
    if round > 1:
        return []
    groups = ([player for player in group if player in playing] for group in entries.kept_apart)
    return sorted({(min(pair), max(pair)) for group in groups for pair in combinations(group, 2)})


class PublicationPast(Refusal):
    """The requested time of publication has passed."""

    code = "publication-past"


class PublicationNotDue(Refusal):
    """No publication time is set or it has not come; only an automatic rule gets this. Data: `round` for a round."""

    code = "publication-not-due"


def expected_moment(value: str) -> Expected | None:
    return None if to_utc(value) else expects("moment")


PublishedAt = Annotated[str, Size(40), Check(expected_moment), "Left out: now."] | None
"""Member of a command that publishes a draft."""


def to_utc(moment: str) -> str:
    """Return a time in the form of events (UTC, milliseconds, `Z`); empty if it is not a time with a zone."""
    try:
        then = datetime.fromisoformat(moment)
        if then.tzinfo is None:
            return ""
        return then.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def future_time(at: str, now: str) -> str:
    """Return the time set by a command, in the form of events. Raise PublicationPast unless it is after `now`."""
    moment = to_utc(at)
    if moment <= now:
        raise PublicationPast(f"It is {now} already.", [Fault("/at", at, expects("time-after", time=now))])
    return moment


def require_due(at: str, now: str, subject: str, **data: Any) -> None:
    """Raise PublicationNotDue before the publication time `at`, or if it is empty.

    `subject` begins the refusal, including its verb ("The cut is"). `data` is added to the refusal.
    """
    if not at or now < at:
        raise PublicationNotDue(f"{subject} not due to be published.", **data)


def game_ends_at(round: Round, game: str) -> str:
    """Return the time at which time is called for a game, including its extension; empty before its part starts."""
    clock, extra = round.clock_of(round.seats[game].venue), round.extended.get(game, 0)
    if clock is None:
        return ""
    return add_minutes(clock.ends_at, extra) if extra else clock.ends_at


def add_minutes(moment: str, minutes: int) -> str:
    """Return a time some minutes later, in the form of events."""
    then = datetime.fromisoformat(moment) + timedelta(minutes=minutes)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")
