"""What pairing's log says of a Swiss event: rounds and their games, clocks, the spare player, the cut.

Who should not meet in a round, from the wishes that registration recorded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from shared.log.event import Event, StoredEvent
from shared.tournament.entries import Entries
from shared.tournament.events.pairing import (
    ClockExtended,
    CutMade,
    PairingAmended,
    PairingsDrawn,
    RoundPaired,
    RoundStarted,
    RoundWithdrawn,
    Seat,
    SeatGivenUp,
    SpareAvailable,
    SpareUnavailable,
    TableMoved,
    TimeCalled,
)


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
    def begun(self) -> bool:
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
