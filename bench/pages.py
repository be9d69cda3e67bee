"""Pages: processor time and size of every page of the console at an event of 2,000 players, by who looks.

Console and services run in this process, on SQLite, so that the time of a page is that of the whole way: the request,
those to the services, their answers, the page, compressed. It is processor time, which a busy machine hardly changes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote_to_bytes

import httpx
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct, field
from werkzeug.routing import Rule

from bench.common import Bench, Row, Table, row_of
from bench.crowded import PLAYERS, crowded_event
from bench.story import Shape, recorded, shelve, story
from deploy.stack import issuer_of
from muster_client import Muster
from services.console.app import build_web
from shared.keys import TICKETS
from shared.log.database import Database
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.messaging.peers import UpstreamFeed
from shared.roles import EVERY_TOURNAMENT
from shared.service.wiring import WIRED, Service
from shared.settings import SERVICES, load
from shared.tournament.guards import tokens_of
from shared.web import tokens
from shared.web.tokens import Issuer

MOST_MS, MOST_KB = 150.0, 60.0
"""Goals: processor time of a page with everything behind it, and its size as it is sent."""
NEAR_LINEAR = 1.5
"""Goal: standings on paper, the time for a player in the largest field over that in the smallest."""
ON_PAPER, QUICK_ON_PAPER = (100, 500, 2_000), (100, 200)
SLOWEST = 5
"""Pages that a note names."""
EVENT = "t-crowded"
DAY = 86_400

PLACES: Mapping[str, Sequence[str]] = {
    "player": ("p1",),
    "game": ("r4g1", "r4g200"),
    "number": ("1", "4"),
    "of": ("installation",),
    "webhook": ("w1",),
    "role": ("organiser",),
    "award": ("a1",),
}
"""Values of each part of an address but the event and the form of a ruleset."""
MORE = (
    *("round?which=open&page=2", "round?round=1", "lists?state=none", "standings?why=p1", "standings?round=3"),
    *(
        "standings?q=a",
        "pairings?q=a",
        "players?q=a",
        "players?venue=v3",
        "referee?call=c1",
        "walls?clock=during&seconds=12",
    ),
    *("wall/pairings?by=table&page=40", "prints/pairings?by=name", "prints/certificates?first=100"),
    *("prints/slips?page=3&paper=letter", "prints/signs?page=10"),
)
"""Pages that show more, or something else, by what their address asks for."""
NO_PAGES = {
    "sign_ins.by_key",
    "sign_ins.by_link",
    "public.season",
    "public.season_player",
    "events.show",
    "home.healthz",
    "favicon",
}
NO_PAGES |= {"live.follow", "table.manifest", "table.worker", "standings.save", "players.export"}
NO_PAGES |= {"rounds.quick", "records.download", "operator_data.show"}
"""Endpoints that redirect, are no page, or no page of such an event."""


def every_page(app: Flask, event: str, forms: Sequence[str]) -> Iterator[str]:
    """Yield the address of every page that the console has. forms: ids of the ruleset's forms."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and "filename" not in rule.arguments and rule.endpoint not in NO_PAGES:
            yield from _addresses_of(app, rule, {**PLACES, "event": (event,), "form": forms})
    yield from (f"/events/{event}/{more}" for more in MORE)


def _addresses_of(app: Flask, rule: Rule, known: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the pages behind one rule, with all known values of its parts."""
    assert rule.arguments <= known.keys(), f"PLACES lacks values of {rule.arguments - known.keys()}"
    names = sorted(rule.arguments)
    for values in product(*(known[name] for name in names)):
        with app.test_request_context():
            parts: dict[str, Any] = dict(zip(names, values, strict=True))
            yield app.url_for(rule.endpoint, **parts)


class Page(Struct):
    """A measured page. ms: processor time of each request. asked: requests to the services for one page."""

    address: str
    ms: list[float] = field(default_factory=list)
    kb: float = 0.0
    asked: int = 0


class InProcess(httpx.BaseTransport):
    """The three services in this process, each with a database of its own. asked: requests so far."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.env = {
            "MUSTER_DATA": str(folder),
            "MUSTER_SEEN_WAIT_MS": "0",
            "MUSTER_RATE_LIMIT": "off",
            "MUSTER_LOG_LEVEL": "error",
            **{f"{name.upper()}_URL": f"http://{name}" for name in SERVICES},
            **{f"{name.upper()}_DATABASE_URL": bench.database("sqlite") for name in SERVICES},
        }
        self.asked = 0
        self.databases: dict[str, Database] = {}
        self.apps: dict[str, Flask] = {}
        for name in SERVICES:
            self.databases[name] = open_database(load(name, self.env).database_url)
            upgrade_database(self.databases[name], name)
            app = self.apps[name] = import_module(f"services.{name}.app").build_web(self.env, self.databases[name])
            service: Service = app.extensions[WIRED][Service]
            urls = {other: f"http://{other}" for other in service.sources[1:]}
            feed = UpstreamFeed(urls, service._headers, self)
            service.upstream = lambda *_, feed=feed: feed  # type: ignore[method-assign]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        app = self.apps[request.url.host]

        def called(environ: dict[str, object], start: object) -> object:
            path = unquote_to_bytes(request.url.raw_path.partition(b"?")[0])
            environ |= {"PATH_INFO": path.decode("latin-1"), "wsgi.multithread": False}
            return app(environ, start)  # type: ignore[arg-type]

        return httpx.WSGITransport(app=called).handle_request(request)  # type: ignore[arg-type]

    def console(self) -> Flask:
        """Return a console of these services."""
        services = Muster({name: f"http://{name}" for name in SERVICES}, patience=0.0, transport=self)
        return build_web(self.env, services)

    def token(self, role: str, event: str = EVERY_TOURNAMENT, player: str | None = None) -> str:
        """Return a token of the operator, or one of a player's that the log issued."""
        actor = player or role
        jti, issuer = f"{EVERY_TOURNAMENT}.{actor}.bench", issuer_of(self.env)
        if player:
            issuer = Issuer(TICKETS, load("registration", self.env).ticket_keys[0])
            service: Service = self.apps["registration"].extensions[WIRED][Service]
            with service.repository.now(event) as loaded:
                jti = tokens_of(event, loaded.state.entries, player)[0]
        now = int(time.time())
        return tokens.mint(
            issuer, actor=actor, role=role, tournament=event, jti=jti, iat=now, exp=now + DAY, player=player
        )


def run(bench: Bench) -> list[Table]:
    """Return one table for all pages of the large event, and one for standings on paper by size."""
    services = InProcess(bench, bench.empty_folder("pages"))
    bench.progress(f"pages: making an event of {PLAYERS:,} players")
    crowded_event(services.databases, EVENT)
    app = services.console()
    pages = _look(bench, app, services)
    sizes = bench.size(ON_PAPER, QUICK_ON_PAPER)
    return [*(_table(who, found) for who, found in pages.items()), _on_paper(bench, services, app, sizes)]


def browser(app: Flask, token: str = "") -> FlaskClient:
    """Return a browser that is signed in with a token; without one, that of a guest."""
    client = app.test_client()
    if token:
        form = client.get("/sign-in").get_data(as_text=True)
        sent = {"token": token, "csrf_token": form.partition('name="csrf_token" value="')[2].partition('"')[0]}
        assert client.post("/sign-in", data=sent).status_code == 302
    return client


def _look(bench: Bench, app: Flask, services: InProcess) -> dict[str, list[Page]]:
    """Return the pages that each kind of viewer sees, measured in turns."""
    forms = services.apps["scoring"].test_client().get(f"/tournaments/{EVENT}/forms").get_json()["items"]
    addresses = list(every_page(app, EVENT, [form["id"] for form in forms]))
    viewers = {
        "organiser": browser(app, services.token("operator")),
        "player": browser(app, services.token("player", EVENT, "p1")),
        "guest": browser(app),
    }
    found: dict[str, list[Page]] = {}
    for who, client in viewers.items():
        bench.progress(f"pages: as {who}")
        found[who] = [page for address in addresses if (page := _measured(bench, client, address, services))]
    return found


def _measured(bench: Bench, client: FlaskClient, address: str, services: InProcess) -> Page | None:
    """Return a page after one that warms up; None if this viewer does not see it."""
    if client.get(address).status_code != 200:
        return None
    page = Page(address)
    for _ in range(bench.size(5, 1)):
        services.asked, started = 0, time.process_time()
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        page.ms.append((time.process_time() - started) * 1000)
        page.kb, page.asked = len(answer.data) / 1024, services.asked
    return page


def _table(who: str, pages: Sequence[Page]) -> Table:
    slowest = sorted(pages, key=lambda page: median(page.ms), reverse=True)
    largest, most = max(pages, key=lambda page: page.kb), max(pages, key=lambda page: page.asked)
    rows = [
        row_of(f"slowest page: {_name(slowest[0])}", "ms", slowest[0].ms, at_most=MOST_MS),
        row_of(f"all {len(pages)} pages, median of each", "ms", [median(page.ms) for page in pages]),
        row_of(f"largest page: {_name(largest)}", "KB", [largest.kb], at_most=MOST_KB),
        row_of(f"requests to services: {_name(most)}", "", [most.asked]),
    ]
    notes = [f"then {_name(page)}: {median(page.ms):.0f} ms, {page.kb:.0f} KB" for page in slowest[1:SLOWEST]]
    return Table(f"{PLAYERS:,} players, as {who}", rows, ["Processor time of console and services.", *notes])


def _name(page: Page) -> str:
    return page.address.removeprefix(f"/events/{EVENT}")


def _on_paper(bench: Bench, services: InProcess, app: Flask, sizes: Sequence[int]) -> Table:
    """Return the time of printed standings for a player, by the size of the field."""
    client, each = browser(app, services.token("operator")), dict[int, list[float]]()
    for players in sizes:
        event = f"t-paper-{players}"
        bench.progress(f"pages: standings of {players:,} players on paper")
        logs = recorded(story(Shape(players, closed=3)), event)
        for database in services.databases.values():
            shelve(database, [logs])
        each[players] = [_printed(client, event) * 1000 / players for _ in range(bench.size(6, 2))][1:]
    rows: list[Row] = [
        row_of(f"{players:,} players: for each", "ms of a processor", found) for players, found in each.items()
    ]
    first, last = sizes[0], sizes[-1]
    ratio = [one / median(each[first]) for one in each[last]]
    rows.append(row_of(f"{last:,} players / {first:,} players", "×", ratio, at_most=NEAR_LINEAR))
    return Table("Standings on paper", rows, ["1 is linear."])


def _printed(client: FlaskClient, event: str) -> float:
    """Return the processor seconds of the printed standings of all players."""
    started = time.process_time()
    assert client.get(f"/events/{event}/prints/standings").status_code == 200
    return time.process_time() - started
