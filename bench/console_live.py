"""A thousand phones on live pages beside results: what they cost the results, and when they have heard of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http.client import HTTPConnection
from statistics import median
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import orjson
from msgspec import Struct, field

from bench.console_event import AT_ONCE, ConsoleEvent, port_of
from bench.crew import Crew
from bench.findings import Table, goal_of
from bench.hall import dealt, phones
from bench.live_crowd import HeardOf, Hold, Looks, Phone, Rest, live_crowd
from bench.load import TIMEOUT, Answered, Request, ask_once, per_second
from bench.plan import Plan
from bench.processes import children_of, processor_ms, resident_mb
from bench.samples import Row, row_of
from deploy.stack import Stack
from muster.simulator.director import at_once
from shared.settings import PORT_OFFSETS

PHONES = 1_000
CLIENTS, PROCESSES = 8, 2
BURST, PACED = 90, 30
"""Games of which results are posted as fast as they are taken, and one after the other."""
PAUSE_SECONDS = 0.5
IDLE_SECONDS = 5.0
HEARD_FIRST_SECONDS = 2.0
"""Until the phones have been told the first thing."""
KEPT = 0.8
"""Goal: rate of results beside the phones, over that without them."""
HEARD_MS = 1_000.0
"""Goal: until the last phone has heard of a result, 99th percentile."""


class Taken(Struct):
    """With so many phones. rates: posts a second; ms: of each. heard: milliseconds from a result's answer until the
    first phone, half of them, and the last have heard.

    processor: milliseconds of the console for a post; idle: percent of a core while nothing happens.
    """

    phones: int
    rates: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    heard: list[tuple[float, float, float]] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    subscriptions: list[float] = field(default_factory=list)


def tables(plan: Plan, stack: Stack, event: ConsoleEvent) -> list[Table]:
    """One table. The phones are those of the players whose games are open."""
    many = plan.size(PHONES, 50)
    plan.say(f"console: {many:,} phones on live pages")
    games, looks = list(event.open), Looks([], [])
    held = _phones(event, games, many)
    none, all_of_them = Taken(0), Taken(len(held))
    live, page = f"{event.page}/live", f"{event.page}/table"
    with Crew(PROCESSES, phones) as clients, Crew(1, live_crowd, port_of(stack), live, page) as crowd:
        for _ in range(plan.size(2, 1)):
            for taken, hall in ((none, []), (all_of_them, held)):
                crowd.do(Hold(hall))
                sleep(plan.size(HEARD_FIRST_SECONDS, 0.5))
                _add(looks, crowd.do(Rest())[0])  # who begins to listen is told that anything may have changed
                _measure_idle(plan, stack, taken)
                _burst(plan, stack, event, _next(games, plan.size(BURST, 10)), clients, taken)
                _add(looks, crowd.do(Rest())[0])
        for game in _next(games, plan.size(PACED, 5)):
            _paced(event, game, crowd, all_of_them)
        _add(looks, crowd.do(Rest())[0])
        crowd.do(Hold([]))
    return [_table(event, none, all_of_them, looks)]


def _next(games: list[dict[str, Any]], many: int) -> list[dict[str, Any]]:
    """The next ones that are open still. Raises RuntimeError where there are too few."""
    found, games[:] = games[:many], games[many:]
    if len(found) < many:
        raise RuntimeError(f"{len(found)} open games are left, {many} are needed")
    return found


def _phones(event: ConsoleEvent, games: Sequence[dict[str, Any]], many: int) -> list[Phone]:
    """Two at each table, signed in."""
    at = [(game, game[side]) for game in games for side in ("player_1", "player_2")][:many]
    cookies: dict[str, str] = {}

    def sign_in(player: str) -> None:
        cookies[player] = event.cookie_of(player)

    at_once(sign_in, [player for _, player in at], AT_ONCE)
    return [Phone(cookies[player], (game["id"], game["player_1"], game["player_2"])) for game, player in at]


def _console(stack: Stack) -> list[str]:
    return children_of(stack.pids()["console.web"])


def _measure_idle(plan: Plan, stack: Stack, taken: Taken) -> None:
    seconds, pids = plan.size(IDLE_SECONDS, 1.0), _console(stack)
    before = processor_ms(pids)
    sleep(seconds)
    taken.idle.append((processor_ms(pids) - before) / seconds / 10)
    taken.megabytes.append(resident_mb(pids))


def _burst(
    plan: Plan, stack: Stack, event: ConsoleEvent, games: list[dict[str, Any]], clients: Crew, taken: Taken
) -> None:
    """One phone of each game reports, then the other confirms."""
    port, pids = stack.settings("scoring").port, _console(stack)
    reports = [_post(event, game, "player_1", "result", {"facts": event.facts(game)}) for game in games]
    confirmations = [_post(event, game, "player_2", "confirmation", {}) for game in games]
    before, seconds = processor_ms(pids), 0.0
    for asks in (reports, confirmations):
        answered: list[Answered] = [
            one for process in clients.do(*dealt(asks, port, CLIENTS, PROCESSES)) for one in process
        ]
        seconds += len(asks) / per_second(answered)
        taken.ms += [ms for one in answered for ms in one.ms]
    taken.rates.append(2 * len(games) / seconds)
    taken.subscriptions.append(_subscriptions(stack, event))
    sleep(plan.size(PAUSE_SECONDS * 2, PAUSE_SECONDS))
    taken.processor.append((processor_ms(pids) - before) / (2 * len(games)))


def _paced(event: ConsoleEvent, game: dict[str, Any], crowd: Crew, taken: Taken) -> None:
    """One result, and when the phones have heard of it."""
    connection = HTTPConnection("127.0.0.1", event.stack.settings("scoring").port, timeout=TIMEOUT)
    ask_once(connection, _post(event, game, "player_1", "result", {"facts": event.facts(game)}))
    answered = monotonic()
    connection.close()
    came = [max(0.0, at - answered) * 1000 for at in crowd.do(HeardOf(game["id"]))[0]]
    taken.heard.append((came[0], median(came), came[-1]))
    sleep(PAUSE_SECONDS)


def _post(event: ConsoleEvent, game: dict[str, Any], side: str, what: str, body: object) -> Request:
    headers = {
        "Authorization": f"Bearer {event.director.players[game[side]].token}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid4()),
    }
    return Request("POST", event.director.path(f"/games/{game['id']}/{what}"), headers, orjson.dumps(body))


def _subscriptions(stack: Stack, event: ConsoleEvent) -> float:
    """Streams that scoring holds, as it says."""
    connection = HTTPConnection("127.0.0.1", stack.port_base + PORT_OFFSETS["scoring"], timeout=TIMEOUT)
    _, text = ask_once(connection, Request("GET", "/metrics", {"Authorization": f"Bearer {event.operator.token}"}))
    connection.close()
    return sum(float(number) for number in re.findall(rb"^muster_streams(?:{.*})? (\S+)", text, re.M))


def _add(looks: Looks, more: Looks) -> None:
    looks.ms += more.ms
    looks.faults += more.faults


def _table(event: ConsoleEvent, none: Taken, hall: Taken, looks: Looks) -> Table:
    rows: list[Row] = []
    for taken in (none, hall):
        rows.append(row_of(f"{taken.phones:,} phones: results", "/s", taken.rates))
        rows.append(row_of(f"{taken.phones:,} phones: POST to answer", "ms", taken.ms, tail=True))
        rows.append(row_of(f"{taken.phones:,} phones: the console's processor time a post", "ms", taken.processor))
        rows.append(row_of(f"{taken.phones:,} phones: of a core while nothing happens", "%", taken.idle))
        rows.append(row_of(f"{taken.phones:,} phones: the console, resident", "MB", taken.megabytes))
    first, half, last = (list(each) for each in zip(*hall.heard, strict=True))
    for name, found in (("first phone has", first), ("half of the phones have", half), ("last phone has", last)):
        rows.append(row_of(f"from the answer until the {name} heard", "ms", found, tail=True))
    if looks.ms:
        rows.append(row_of("a phone's page, that it comes for then", "ms", looks.ms, tail=True))
    rows.append(row_of(f"{hall.phones:,} phones: subscriptions of the console", "", hall.subscriptions))
    kept = median(hall.rates) / median(none.rates)
    until = row_of("", "ms", last, tail=True).p99 or 0.0
    goals = [
        goal_of("results beside the phones / without", kept, KEPT, ""),
        goal_of("until the last phone has heard, p99", until, HEARD_MS, "ms", at_least=False),
        goal_of("subscriptions", max(hall.subscriptions), 1, "", at_least=False),
    ]
    notes = [
        f"The event of {event.players:,} players. {CLIENTS} clients report and confirm results in a closed loop; then "
        f"{len(last)} results one after the other. A phone that hears of its game comes for its page within a second.",
        "Clients, phones and services share the cores. What the phones come for within a second after a burst "
        "counts as the console's processor time of its posts.",
    ]
    if looks.faults:
        notes.append(f"{len(looks.faults)} looks failed, the first: {looks.faults[0]}")
    return Table(f"{hall.phones:,} phones on live pages beside results", rows, goals, notes)
