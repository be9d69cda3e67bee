"""The logs of a tournament of any size, without playing it: for benchmarks, and tests that need a large event.

Pairings go round in a circle, results are drawn from a seed, scores and standings are the ruleset's own. The events
are those that the services append, in the order of their commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from muster.simulator.results_by_chance import results
from services.scoring.rounds import standings_pages
from shared.formats.packs import shipped_swiss
from shared.log.copies import Outcome, accept_runs
from shared.log.database import Database
from shared.log.event import EMPTY_HEAD, Actor, Event, Head, Recorded
from shared.log.log import Stamp, chain_events
from shared.rules.model import Entrant, Facts, Game
from shared.rules.parts import to_json
from shared.service.commands import entries_of
from shared.swiss.ranking import as_draws, as_rows
from shared.swiss.scoring import score_game
from shared.swiss.standings import Standings, rank
from shared.tournament import registration, rounds
from shared.tournament.results import ResultConfirmed, ResultReported, RoundClosed
from shared.tournament.rounds import Seat, paginate

RULESET = "star-wars-armada-1.1"
SEED = "5a" * 32
START = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
STEP = timedelta(milliseconds=250)
RUN, RUNS = 1000, 20
"""Events of one run of copies, and runs of one transaction."""

Appended = tuple[str, str, Sequence[Event]]
"""Source, actor, and the events of one command."""

Logs = dict[str, list[Recorded]]
"""Source -> its log of one tournament."""


class Shape(Struct, frozen=True):
    """The size of a story. players: an even number. closed: number of closed rounds. open: one more round is open."""

    players: int
    closed: int
    open: bool = False
    seed: int = 1


def player_id(number: int) -> str:
    """Return the id of the player who signed up in this place, from 1."""
    return f"p{number}"


def seats_of(shape: Shape, round: int) -> list[Seat]:
    """Return the pairings of a round: the first player stays, the others move on by one place each round."""
    others = [player_id(number) for number in range(2, shape.players + 1)]
    shift = (round - 1) % len(others)
    circle = [player_id(1), *others[shift:], *others[:shift]]
    half = shape.players // 2
    shared: dict[str, Any] = {"kind": "game", "venue": "v1", "reason": "same group, 12 points"}
    return [
        Seat(game=f"r{round}g{table}", player_1=one, player_2=two, table=table, **shared)
        for table, (one, two) in enumerate(zip(circle[:half], reversed(circle[half:]), strict=True), start=1)
    ]


def facts_of_round(shape: Shape, round: int) -> list[dict[str, Any]]:
    """Return the facts of a round's games in the order of the tables; the same facts each time."""
    draw = results(shipped_swiss(RULESET), Random(f"{shape.seed}/{round}"))
    return [{"kind": "game", **draw({})} for _ in range(shape.players // 2)]


def games_of_round(shape: Shape, round: int) -> list[Game]:
    """Return the scored games of a round."""
    ruleset, games = shipped_swiss(RULESET), []
    for seat, told in zip(seats_of(shape, round), facts_of_round(shape, round), strict=True):
        facts = msgspec.convert(told, Facts)
        games.append(Game(round, seat.table, "game", seat.player_1, seat.player_2, facts, score_game(ruleset, facts)))
    return games


def entrants_of(shape: Shape) -> list[Entrant]:
    """Return the players as the rules see them."""
    return [Entrant(player_id(number), f"Player {number}") for number in range(1, shape.players + 1)]


def story(shape: Shape) -> Iterator[Appended]:
    """Yield the events of every command, from the announcement to the last closed round or the start of an open one."""
    ruleset = shipped_swiss(RULESET)
    yield "registration", "organiser", [_announced(to_json(ruleset), shape)]
    tables = [registration.Table(table=number) for number in range(1, shape.players // 2 + 1)]
    yield "registration", "organiser", [registration.VenueOpened(venue="v1", name="Old Town Hall", tables=tables)]
    for number in range(1, shape.players + 1):
        yield "registration", "organiser", [_joined(number)]
    games: list[Game] = []
    for round in range(1, shape.closed + 1 + shape.open):
        seats = seats_of(shape, round)
        yield "pairing", "organiser", _paired(round, seats)
        yield (
            "pairing",
            "organiser",
            [rounds.RoundStarted(round=round, minutes=120, ends_at="2026-03-07T12:00:00.000Z")],
        )
        if round > shape.closed:
            return
        for seat, facts in zip(seats, facts_of_round(shape, round), strict=True):
            reported = ResultReported(round=round, game=seat.game, facts=facts, side=1)
            yield "scoring", seat.player_1, [reported]
            yield "scoring", seat.player_2, [ResultConfirmed(round=round, game=seat.game, side=2)]
        games += games_of_round(shape, round)
        standings = rank(ruleset, entrants_of(shape), games, round=round, seed=SEED)
        yield "scoring", "organiser", _closed(standings, len(seats))


def recorded(commands: Iterable[Appended], tournament: str) -> Logs:
    """Return the hashed and chained logs of a story. Times and command ids are made up and always the same."""
    logs: Logs = {"registration": [], "pairing": [], "scoring": []}
    for number, (source, actor, events) in enumerate(commands):
        seen = {other: len(log) for other, log in logs.items() if other != source}
        time = (START + STEP * number).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        who = Actor(actor, "organiser" if actor == "organiser" else "player")
        stamp = Stamp(who, f"{UUID(int=number)}~0123456789abcdef", time, seen)
        log = logs[source]
        head = Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD
        log += chain_events(source, tournament, head, entries_of(events), stamp)
    return logs


def shelve(database: Database, logs: Iterable[Mapping[str, Sequence[Recorded]]]) -> None:
    """Write whole logs into a database without outbox rows, so that nothing is published."""
    runs: list[Sequence[Recorded]] = []
    for each in logs:
        for log in each.values():
            runs += [log[start : start + RUN] for start in range(0, len(log), RUN)]
    for start in range(0, len(runs), RUNS):
        verdicts = accept_runs(database, runs[start : start + RUNS])
        assert all(verdict is Outcome.ACCEPTED for verdict in verdicts), verdicts


def _announced(ruleset: dict[str, Any], shape: Shape) -> Event:
    return registration.TournamentAnnounced(
        name="Measured Cup",
        format="swiss",
        ruleset=ruleset,
        tier="competitive",
        starts_on="2026-03-07",
        ends_on="2026-03-08",
        rounds=shape.closed + shape.open,
        organiser="organiser",
    )


def _joined(number: int) -> Event:
    return registration.PlayerJoined(
        player=player_id(number),
        name=f"Player {number}",
        faction=("rebel", "imperial")[number % 2],
        club=f"Club {number % 40}",
        venue="v1",
    )


def _paired(round: int, seats: list[Seat]) -> list[Event]:
    pages = paginate(seats)
    drawn: list[Event] = [
        rounds.PairingsDrawn(round=round, page=number, pages=len(pages), pairings=page)
        for number, page in enumerate(pages, start=1)
    ]
    paired = rounds.RoundPaired(
        round=round, stage="swiss", method="random_in_bracket", games=len(seats), seed=SEED, made_from=0
    )
    return [*drawn, paired]


def _closed(standings: Standings, games: int) -> list[Event]:
    pages = standings_pages(as_rows(standings), standings.round, SEED, as_draws(standings))
    return [*pages, RoundClosed(round=standings.round, games=games)]
