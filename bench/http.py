"""Results posted to scoring over HTTP, and the time until standings show them.

Muster runs whole, as `make run` starts it, with one web process for each service. The peer is a bare Flask view that
commits one row, on the same server configuration and database; the limit is a view that only answers. Muster also
checks token, key, state and rules, and its workers copy every result meanwhile.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from time import monotonic

import orjson
from flask import Flask, jsonify
from flask import request as received
from flask.typing import ResponseReturnValue
from msgspec import structs

from bench.clients import Event, Request, open_event, send_all, send_once
from bench.common import ROOT, Bench, Table, ratio_of, row_of
from deploy.process_manager import web
from deploy.ready import wait_until_ready
from deploy.stack import FOREIGN, Stack, free_ports, give_back, operator
from shared.log.schema import open_database
from shared.service.app import DATABASE
from shared.settings import PORT_OFFSETS, load

RATIO, SHOWN_MS = 0.8, 50.0
"""Goals: Muster's rate over the bare view's; the 99th percentile from a POST to standings that show it."""
CLIENTS = 4
ONE, TEN = 500, 48
"""Players of the one tournament, and of each of the ten."""
BARE_VIEW = "bare view with a commit"
READY_SECONDS = 120.0


def run(bench: Bench) -> list[Table]:
    """Return two tables for each pair of engines."""
    tables = []
    for name, engine, env in bench.kinds():
        bench.progress(f"http: {name}")
        with Stack(bench.empty_folder("http"), env=env) as stack, bare_server(bench, engine) as bare_port:
            tables += [_posts(bench, name, stack, bare_port), _shown(bench, name, stack)]
    return tables


def _posts(bench: Bench, name: str, stack: Stack, bare_port: int) -> Table:
    host, port = operator(stack.urls, stack.issuer), stack.settings("scoring").port
    one, ten = bench.size(ONE, 100), bench.size(TEN, 16)

    def one_event() -> list[Request]:
        return open_event(host, one).reports()

    def ten_events() -> list[Request]:
        each = [open_event(host, ten).reports() for _ in range(10)]
        return [request for turn in zip(*each, strict=True) for request in turn]

    def echoes() -> list[Request]:
        return [structs.replace(request, path="/echo") for request in bodies]

    bodies = one_event()
    contenders: dict[str, tuple[int, Callable[[], list[Request]]]] = {
        f"Muster, a tournament of {one}": (port, one_event),
        f"Muster, ten tournaments of {ten}": (port, ten_events),
        BARE_VIEW: (bare_port, lambda: bodies),
        "limit: bare view without a database": (bare_port, echoes),
    }
    rates: dict[str, list[float]] = {contender: [] for contender in contenders}
    times: dict[str, list[float]] = {contender: [] for contender in contenders}
    for contender in bench.turns(list(contenders), 15, 2):
        asked, make = contenders[contender]
        rate, ms = send_all(asked, make(), CLIENTS)
        rates[contender].append(rate)
        times[contender] += ms
    rows = [row_of(contender, "posts/s", found) for contender, found in rates.items()]
    rows += [row_of(f"{contender}: POST to answer", "ms", found, tail=True) for contender, found in times.items()]
    rows += [ratio_of(f"{each} / {BARE_VIEW}", rates[each], rates[BARE_VIEW], RATIO) for each in list(rates)[:2]]
    notes = [
        f"{CLIENTS} clients in a closed loop, each on a kept connection; every post by another player, with a key."
    ]
    return Table(f"{name}: results posted over HTTP", rows, notes)


def _shown(bench: Bench, name: str, stack: Stack) -> Table:
    host = operator(stack.urls, stack.issuer)
    sizes = bench.size((TEN, ONE), (16, 100))
    posts: dict[int, list[float]] = {players: [] for players in sizes}
    whole: dict[int, list[float]] = {players: [] for players in sizes}
    for players in bench.turns(sizes, 4, 1):
        _confirm_all(open_event(host, players), stack.settings("scoring").port, posts[players], whole[players])
    rows = []
    for players in sizes:
        rows.append(row_of(f"{players} players: the POST alone", "ms", posts[players], tail=True))
        what = f"{players} players: from POST to standings that show it"
        rows.append(row_of(what, "ms", whole[players], tail=True, at_most=SHOWN_MS))
    notes = ["One client; standings are read on a new connection with Muster-Seen."]
    return Table(f"{name}: from a result to standings", rows, notes)


def _confirm_all(event: Event, port: int, posts: list[float], whole: list[float]) -> None:
    """Report and confirm each game. The confirmation is timed until standings show it."""
    connection, path = HTTPConnection("127.0.0.1", port), event.director.path("/standings")
    for report, confirmation, game in zip(event.reports(), event.confirmations(), event.games, strict=True):
        send_once(connection, report)
        started = monotonic()
        headers, _ = send_once(connection, confirmation)
        posts.append((monotonic() - started) * 1000)
        reader = HTTPConnection("127.0.0.1", port)
        _, content = send_once(reader, Request("GET", path, {"Muster-Seen": headers["Muster-Seen"]}))
        whole.append((monotonic() - started) * 1000)
        reader.close()
        points = {row["player"]: row["values"]["tournament_points"] for row in orjson.loads(content)["items"]}
        if not points[game["player_1"]] + points[game["player_2"]]:
            raise RuntimeError(f"standings do not show {game['id']}")
    connection.close()


@contextmanager
def bare_server(bench: Bench, engine: str) -> Iterator[int]:
    """Run the bare application behind gunicorn as a service is configured; yield its port."""
    base, folder = free_ports(), bench.empty_folder("bare")
    env = {
        **{name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)},
        "MUSTER_SERVICE": "scoring",
        "MUSTER_WORKER": "apart",
        "MUSTER_DATA": str(folder),
        "MUSTER_PORT_BASE": str(base),
        "SCORING_DATABASE_URL": bench.database(engine),
    }
    command, port = (*web("scoring")[:-1], "bench.http:bare_app()"), base + PORT_OFFSETS["scoring"]
    with (folder / "server.log").open("wb") as log, subprocess.Popen(command, cwd=ROOT, env=env, stderr=log) as process:
        try:
            wait_until_ready({"bare": f"http://127.0.0.1:{port}"}, READY_SECONDS, lambda: process.poll() is None)
            yield port
        finally:
            process.terminate()
            give_back(base)


def bare_app() -> Flask:
    """Return a Flask application with two views: one inserts and commits a row, one only answers."""
    database = open_database(load("scoring", os.environ).database_url)
    kind = "INTEGER" if database.name == "sqlite" else "BIGINT GENERATED BY DEFAULT AS IDENTITY"
    with database.writing() as connection:
        connection.run(f"CREATE TABLE IF NOT EXISTS posted (id {kind} PRIMARY KEY, game TEXT, facts TEXT)")
    insert = "INSERT INTO posted (game, facts) VALUES (:game, :facts) RETURNING id"
    app = Flask(__name__)
    app.extensions[DATABASE] = database  # closed when the worker ends

    @app.get("/readyz")
    def readyz() -> ResponseReturnValue:
        return jsonify(status="ready")

    @app.post("/tournaments/<tournament>/games/<game>/result")
    def commit(tournament: str, game: str) -> ResponseReturnValue:
        values = {"game": game, "facts": orjson.dumps(received.get_json()).decode()}
        with database.reading() as connection:  # every statement is a transaction of its own there
            id = connection.value(insert, **values)
        return jsonify(id=id, game=game), 201

    @app.post("/echo")
    def echo() -> ResponseReturnValue:
        return jsonify(received.get_json()), 201

    return app
