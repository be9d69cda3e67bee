"""The first view of a page in a browser on a slow line and a slow phone, with nothing kept from before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field

from bench.console_event import ConsoleEvent, console_of
from bench.findings import Table, goal_of
from bench.plan import Plan
from bench.samples import in_turns, row_of
from deploy.stack import Stack
from tests.deploy.chromium import program

BITS_PER_SECOND, UPWARDS, LATENCY_MS, SLOWER = 1_600_000, 750_000, 150, 4
"""The line, and how many times as slow as this machine the phone is; as browsers' own tools have a slow phone."""
PHONE = {"width": 360, "height": 740}
SETTLED_SECONDS = 1.0
"""After the load, for what comes behind it."""
PATIENCE = 60_000
"""Milliseconds."""
PAINTED_SECONDS = 1.8
"""Goal: until something is painted first, of every page."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SEEN = """() => {
  const painted = performance.getEntriesByName("first-contentful-paint")[0];
  const [page] = performance.getEntriesByType("navigation");
  return [painted ? painted.startTime : null, page.loadEventEnd];
}"""
PAGES: Mapping[str, tuple[str, str]] = {
    "the player's page": ("player", "{event}/table"),
    "the event": ("guest", "{event}/about"),
    "standings": ("guest", "{event}/standings"),
    "the wall": ("guest", "{event}/wall/pairings"),
}
"""Page -> who opens it, and where."""


class View(Struct):
    """What the views of one page took. kilobytes: on the line, with heads."""

    painted: list[float] = field(default_factory=list)
    loaded: list[float] = field(default_factory=list)
    requests: list[float] = field(default_factory=list)
    kilobytes: list[float] = field(default_factory=list)


def tables(plan: Plan, stack: Stack, event: ConsoleEvent) -> list[Table]:
    """One table; none, which is said, where there is no browser."""
    with browser(plan.say) as opened:
        if opened is None:
            return []
        plan.say("console: first views")
        cookies, views = event.cookies(), {name: View() for name in PAGES}
        for name in in_turns(list(PAGES), plan.size(3, 1), plan.probe()):
            who, place = PAGES[name]
            _view(opened, console_of(stack), place.format(event=event.page), cookies[who], views[name])
        version = opened.version
    rows = []
    for name, view in views.items():
        rows += [
            row_of(f"{name}: first contentful paint", "s", view.painted),
            row_of(f"{name}: load", "s", view.loaded),
        ]
        rows += [row_of(f"{name}: requests", "", view.requests), row_of(f"{name}: on the line", "KB", view.kilobytes)]
    slowest = max(views, key=lambda name: max(views[name].painted))
    goals = [goal_of(f"{slowest}, first paint", max(views[slowest].painted), PAINTED_SECONDS, "s", at_least=False)]
    notes = [
        f"Chromium {version}, {PHONE['width']} pixels wide, {BITS_PER_SECOND / 1e6:g} Mbit/s, {LATENCY_MS} ms, a "
        f"processor {SLOWER} times as slow; nothing is kept from before. An event of {event.players:,} players."
    ]
    return [Table("The first view in a slow browser", rows, goals, notes)]


@contextmanager
def browser(say: Callable[[str], None]) -> Iterator[Any]:
    """A headless Chromium; None, which is said, where there is none."""
    binary = program()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        binary = None
    if binary is None:
        say("console: first views left out, they need Chromium (TEST_BROWSER) and playwright")
        yield None
        return
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=binary, args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()


def _view(opened: Any, console: str, address: str, cookie: str, view: View) -> None:
    context = opened.new_context(viewport=PHONE, base_url=console)
    try:
        if cookie:
            name, _, value = cookie.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": console}])
        page, sizes = context.new_page(), []
        tools = context.new_cdp_session(page)
        tools.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
        tools.send("Network.enable")
        line = {"downloadThroughput": BITS_PER_SECOND / 8, "uploadThroughput": UPWARDS / 8, "latency": LATENCY_MS}
        tools.send("Network.emulateNetworkConditions", {"offline": False, **line})
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        answer = page.goto(address, wait_until="load", timeout=PATIENCE)
        if answer is None or answer.status != 200:
            raise RuntimeError(f"GET {address}: {answer and answer.status}")
        page.wait_for_timeout(SETTLED_SECONDS * 1000)
        painted, loaded = page.evaluate(SEEN)
        if painted is None:
            raise RuntimeError(f"{address}: nothing was painted")
        view.painted.append(painted / 1000)
        view.loaded.append(loaded / 1000)
        view.requests.append(len(sizes))
        view.kilobytes.append(sum(sizes) / 1024)
    finally:
        context.close()
