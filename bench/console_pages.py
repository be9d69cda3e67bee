"""How long the console takes to make each of its pages, of a small event and of a large one."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from statistics import median
from time import perf_counter

from msgspec import Struct, field

from bench.console_event import ROUND, ConsoleEvent, port_of
from bench.findings import Goal, Table, goal_of
from bench.load import TIMEOUT
from bench.plan import Plan
from bench.processes import children_of, processor_ms
from bench.samples import Row, in_turns, row_of
from deploy.stack import Stack

MEDIAN_MS = 100.0
"""Goal: of every page of the largest event."""
RATIO = 3.0
"""Goal: how many times as long a page of the largest event takes as that of the smallest."""
PROGRAMS = ("console.web", "registration.web", "pairing.web", "scoring.web")
PAGES: Mapping[str, tuple[str, ...]] = {
    "guest": (
        *("/", "/sign-in", "{event}/about", "{event}/pairings", "{event}/pairings?q=an", "{event}/standings"),
        *("{event}/standings?q=an", "{event}/history/{player}", "{event}/games/{game}", "{event}/overlay"),
        *("{event}/join", "{event}/bracket"),
    ),
    "player": ("{event}/table", "{event}/my-games", "{event}/standings"),
    "organiser": (
        *("{event}/round", "{event}/round?which=open", "{event}/rounds/{round}/draft", "{event}/players"),
        *("{event}/players?q=an", "{event}/player/{player}", "{event}/players/import", "{event}/check-in"),
        *("{event}/waiting", "{event}/lists?state=none", "{event}/standings?why={player}", "{event}/standings?round=1"),
        *("{event}/awards", "{event}/settings", "{event}/walls", "{event}/cut", "/events/new"),
    ),
    "referee": ("{event}/referee", "{event}/round", "{event}/games/{game}"),
    "wall": (
        *("{event}/wall/pairings", "{event}/wall/pairings?by=table", "{event}/wall/standings", "{event}/wall/clock"),
        "{event}/wall/bracket",
    ),
    "print": (
        *("{event}/prints", "{event}/prints/pairings", "{event}/prints/pairings?by=name", "{event}/prints/slips"),
        *(
            "{event}/prints/signs",
            "{event}/prints/standings",
            "{event}/prints/certificates",
            "{event}/prints/forms/{form}",
        ),
    ),
    "operator": ("/operator", "/operator/webhooks", "/operator/tokens"),
}
"""Who opens which pages."""
NOTES = [
    "From the request to the last byte, each on a new connection that stands already; the console and the services as",
    "they are started. Bytes: of the page alone, in gzip. Processor: of the console and the services together.",
]
SIGNED_IN_AS = {"wall": "guest", "print": "organiser"}
"""A kind of page -> who opens it, where that is another word."""


class Page(Struct):
    """A page of one event, and what it took. ms: from the request to the last byte; processor: of all web processes."""

    kind: str
    place: str
    address: str
    cookie: str
    size: int = 0
    ms: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As a row is called."""
        return f"{self.kind}: {self.place.replace('{event}', '') or '/'}"


def pages_of(event: ConsoleEvent) -> list[Page]:
    """Every page of one event."""
    cookies = event.cookies()
    forms = event.director.organiser.scoring.list_forms(event.director.id).items
    at = {"event": event.page, "round": ROUND, "form": forms[0].id if forms else "none"}
    at |= {"player": event.open[0]["player_1"], "game": event.disputed["id"]}
    return [
        Page(kind, place, place.format(**at), cookies[SIGNED_IN_AS.get(kind, kind)])
        for kind, places in PAGES.items()
        for place in places
        if forms or "{form}" not in place
    ]


def tables(plan: Plan, stack: Stack, events: Mapping[int, ConsoleEvent]) -> list[Table]:
    """A table for each size of event; the same page of all of them is opened in turns."""
    plan.say("console: pages")
    pages = {players: pages_of(event) for players, event in events.items()}
    asked = [page for same in zip(*pages.values(), strict=True) for page in same]
    web = [child for name in PROGRAMS for child in children_of(stack.pids()[name])]
    for page in asked:
        _open(port_of(stack), page, web)
        page.ms, page.processor = [], []
    gc.collect()
    gc.freeze()  # the clients of all players are looked through once, and not between two pages
    probe = plan.probe()
    for page in in_turns(asked, plan.size(20, 2), probe):
        _open(port_of(stack), page, web)
    gc.unfreeze()
    smallest, *_, largest = sorted(pages)
    return [
        Table(
            f"Pages of an event of {players:,} players",
            [_row(page) for page in of],
            goals(pages[smallest], of) if players == largest else [],
            NOTES,
            probe.seen(),
        )
        for players, of in pages.items()
    ]


def goals(small: Sequence[Page], large: Sequence[Page]) -> list[Goal]:
    """Of the page that takes longest, and of the one that grows most."""
    slowest = max(large, key=lambda page: median(page.ms))
    ratios = {page.name: median(page.ms) / median(other.ms) for page, other in zip(large, small, strict=True)}
    steepest = max(ratios, key=lambda name: ratios[name])
    return [
        goal_of(f"the slowest page, {slowest.name}", median(slowest.ms), MEDIAN_MS, "ms", at_least=False),
        goal_of(f"over the small event, most for {steepest}", ratios[steepest], RATIO, "", at_least=False),
    ]


def _open(port: int, page: Page, web: list[str]) -> None:
    """Open a page once. Raises RuntimeError where it is none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    connection.connect()
    headers = {"Accept-Encoding": "gzip", **({"Cookie": page.cookie} if page.cookie else {})}
    before, started = processor_ms(web), perf_counter()
    connection.request("GET", page.address, headers=headers)
    answer = connection.getresponse()
    text = answer.read()
    ended, after = perf_counter(), processor_ms(web)
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{page.kind}: GET {page.address}: {answer.status} {text[:300]!r}")
    page.size = len(text)
    page.ms.append((ended - started) * 1000)
    page.processor.append(after - before)


def _row(page: Page) -> Row:
    processor = f"{median(page.processor):.0f} ms of the processor"
    return row_of(f"{page.name} ({page.size:,} bytes, {processor})", "ms", page.ms, tail=True)
