"""Over HTTP: results posted to scoring beside a bare view, and how soon standings show a result."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection
from time import monotonic

import orjson

from bench.bare_app import prepare
from bench.crew import Crew
from bench.findings import Table, goal_of
from bench.floor import Floor
from bench.load import Request, ask_once, client, per_second, shares
from bench.plan import LABELS, Plan
from bench.samples import in_turns, ratio_of, row_of
from bench.servers import BARE, SCORING, Server
from bench.story import Shape
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database

RATIO = 0.8
"""Goal: Muster's rate as a share of the bare view's."""
SHOWN_MS = 50.0
"""Goal: the 99th percentile from a POST to standings that show it."""
CLIENTS = 4
CLOSED = 4
"""Rounds played before the one that results come in for."""
LARGE, SMALL = 500, 48


def run(plan: Plan) -> list[Table]:
    """Each database behind the same server configuration."""
    tables = []
    for engine in plan.engines:
        plan.say(f"http: {LABELS[engine]}, making tournaments of {SMALL} and {LARGE} players")
        url, bare_url = plan.places.database(engine), plan.places.database(engine)
        database = open_database(url)
        upgrade_database(database, "scoring")
        prepare(bare_url)
        with (
            Server(SCORING, url, plan.places.empty_folder("scoring")) as scoring,
            Server(BARE, bare_url, plan.places.empty_folder("bare")) as bare,
        ):
            issuer = scoring.tickets
            floors = {
                LARGE: Floor(database, issuer, Shape(LARGE, CLOSED, open=True), 1),
                SMALL: Floor(database, issuer, Shape(SMALL, CLOSED, open=True), 10),
            }
            tables += [_posts(plan, engine, scoring, bare, floors), _shown(plan, engine, scoring, floors)]
        database.close()
    return tables


@dataclass
class _Target:
    """Who is posted to. clear: makes what was posted possible again."""

    name: str
    crew: Crew
    asks: Callable[[], list[Request]]
    clear: Callable[[], None]
    rates: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def sample(self) -> None:
        """Post everything once, by all clients."""
        answers = self.crew.do(*shares(self.asks(), len(self.crew)))
        self.rates.append(per_second(answers))
        self.ms += [ms for answered in answers for ms in answered.ms]
        self.faults += [fault for answered in answers for fault in answered.faults]
        self.clear()


def _posts(plan: Plan, engine: str, scoring: Server, bare: Server, floors: dict[int, Floor]) -> Table:
    plan.say(f"http: {LABELS[engine]}, posts")
    one, many = floors[LARGE], floors[SMALL]
    with Crew(CLIENTS, client, *scoring.homes) as clients, Crew(CLIENTS, client, bare.port) as others:
        targets = [
            _Target(f"Muster, a tournament of {LARGE}", clients, one.reports, one.clear),
            _Target("bare view", others, one.reports, lambda: None),
            _Target(f"Muster, {len(many.tournaments)} tournaments of {SMALL}", clients, many.reports, many.clear),
        ]
        for target in targets:
            target.sample()
            target.rates, target.ms = [], []
        probe = plan.probe()
        for target in in_turns(targets, plan.size(15, 2), probe):
            gc.collect()
            target.sample()
    bare_rates = targets[1].rates
    ratios = [
        ratio_of(f"{target.name} / bare view, round by round", target.rates, bare_rates)
        for target in (targets[0], targets[2])
    ]
    rows = [row_of(target.name, "posts/s", target.rates) for target in targets] + ratios
    rows += [row_of(f"{target.name}: POST to answer", "ms", target.ms, tail=True) for target in targets]
    goals = [goal_of(ratio.name.removesuffix(", round by round"), ratio.median, RATIO, "") for ratio in ratios]
    notes = [
        f"{CLIENTS} clients in a closed loop, each on a kept connection; every post by another player, with a key.",
        "Reports of one tournament go to one web process, as an edge sends them; the bare view is asked by all.",
        "No worker runs beside the server; clients, servers and database share this machine's cores.",
    ]
    faults = [fault for target in targets for fault in target.faults]
    if faults:
        notes.append(f"{len(faults)} answers were not 2xx, and the requests sent again; the first: {faults[0]}")
    return Table(f"{LABELS[engine]}: results posted over HTTP", rows, goals, notes, probe.seen())


def _shown(plan: Plan, engine: str, scoring: Server, floors: dict[int, Floor]) -> Table:
    plan.say(f"http: {LABELS[engine]}, from a post to standings")
    times: dict[int, dict[str, list[float]]] = {size: {"post": [], "get": [], "both": []} for size in floors}
    probe = plan.probe()
    for size in in_turns(list(floors), plan.size(4, 1), probe):
        _confirm_all(floors[size], scoring.port, times[size])
        floors[size].clear()
    rows, goals = [], []
    for size, found in sorted(times.items()):
        rows += [
            row_of(f"{size} players: the POST alone", "ms", found["post"], tail=True),
            row_of(f"{size} players: the GET alone", "ms", found["get"], tail=True),
            row_of(f"{size} players: from POST to standings that show it", "ms", found["both"], tail=True),
        ]
        goals.append(
            goal_of(f"{size} players: p99 from POST to shown", rows[-1].p99 or 0.0, SHOWN_MS, "ms", at_least=False)
        )
    notes = [
        f"One client: the opponent's word makes a result count, standings are read on a new connection with "
        f"Muster-Seen; {CLOSED} rounds are closed, and each answer is looked at."
    ]
    return Table(f"{LABELS[engine]}: from a result to standings", rows, goals, notes, probe.seen())


def _confirm_all(floor: Floor, port: int, times: dict[str, list[float]]) -> None:
    """Both players report each game; the second report binds, and is timed until standings show it."""
    posts = HTTPConnection("127.0.0.1", port)
    for tournament in floor.tournaments:
        before = _points(floor, tournament, port)
        for number in range(len(floor.seats)):
            ask_once(posts, floor.report(tournament, number, 1))
            before = _confirm(floor, tournament, number, posts, before, times)
    posts.close()


def _confirm(
    floor: Floor,
    tournament: str,
    number: int,
    posts: HTTPConnection,
    before: dict[str, int],
    times: dict[str, list[float]],
) -> dict[str, int]:
    """The second report of one game, and standings that show it; returns everybody's points then."""
    seat, confirming = floor.seats[number], floor.report(tournament, number, 2)
    started = monotonic()
    headers, _ = ask_once(posts, confirming)
    posted = monotonic()
    reads = HTTPConnection("127.0.0.1", posts.port)
    _, text = ask_once(reads, floor.standings(tournament, headers["Muster-Seen"]))
    ended = monotonic()
    reads.close()
    now = _rows(text)
    if all(now[player] == before[player] for player in (seat.player_1, seat.player_2)):
        raise RuntimeError(f"standings do not show {seat.game}")
    times["post"].append((posted - started) * 1000)
    times["get"].append((ended - posted) * 1000)
    times["both"].append((ended - started) * 1000)
    return now


def _points(floor: Floor, tournament: str, port: int) -> dict[str, int]:
    connection = HTTPConnection("127.0.0.1", port)
    _, text = ask_once(connection, floor.standings(tournament))
    connection.close()
    return _rows(text)


def _rows(text: bytes) -> dict[str, int]:
    return {row["player"]: row["values"]["tournament_points"] for row in orjson.loads(text)["items"]}
