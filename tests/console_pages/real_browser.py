"""The console in Debian's Chromium: the pages of the application in this process, on a port of their own.

with served(app) as address, chromium() as browser:
    page = browser.new_page(base_url=address)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Literal

from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from werkzeug.serving import make_server

from services.console import live
from tests import waiting
from tests.deploy.chromium import OWN_PAGES, program

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
LIVE = Path(live.__file__).parents[1] / "static" / "live.js"
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1280, 860), "wall": (1920, 1080)}
"""Width and height in pixels of what people look at."""
PLAYWRIGHTS = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "AvoidCorsURLLoaderRestartOnRedirect", "DestroyProfileOnBrowserClose"),
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("LensOverlay", "MediaRouter", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
)
"""What Playwright switches off itself: of two lists, Chromium reads the second alone."""
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    f"--disable-features={','.join((*PLAYWRIGHTS, *OWN_PAGES))}",
]
WCAG = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""The rules whose answer may be another one in the dark, where only tokens of colours differ."""


PATIENCE = 1_000 * waiting.PATIENCE
"""The patience of the tests in milliseconds, as Playwright takes it."""
expect.set_options(timeout=PATIENCE)


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The application behind a port, which holds streams; its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium; each of its contexts is somebody's own browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def window(
    browser: Browser,
    address: str,
    size: str,
    cookie: tuple[str, str] | None = None,
    theme: Literal["light", "dark"] = "light",
    locale: str = "en-GB",
    worker: bool = False,
) -> BrowserContext:
    """Somebody's own browser, whose pages stand still. cookie: name and value of what they are signed in with.

    worker: whether the page's worker runs, whose requests a test cannot intercept.
    """
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        color_scheme=theme,
        reduced_motion="reduce",
        locale=locale,
        service_workers="allow" if worker else "block",
    )
    if cookie:
        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": address}])
    return context


def hurried(context: BrowserContext) -> BrowserContext:
    """The same browser, whose live pages look ten times as often: no test has to wait a minute for one to look."""
    seconds = r"\b(SLOW|PROMPT|POLL|AWAY|GAP|SOON|RETURN|RECONNECT) = (\d+)"
    script, found = re.subn(seconds, lambda one: f"{one[1]} = {int(one[2]) / 10}", LIVE.read_text())
    assert found == 8
    context.route("**/live.js*", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    return context


def resized(page: Page, sizes: Iterable[str]) -> Iterator[str]:
    """The same page in several sizes, one after another, without loading it again: its style alone knows the size."""
    for size in sizes:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        yield size


def violations(page: Page) -> list[str]:
    """What axe finds on a page as it stands, in light and in dark: the rule and the place, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = _violations(page, WCAG)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in _violations(page, COLOURS)]
    page.emulate_media(color_scheme="light")
    return found


def _violations(page: Page, rules: dict[str, Any]) -> list[str]:
    found: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']}).then(result => result.violations)",
        rules,
    )
    return [f"{one['id']}: {one['help']}: {node['html'][:160]}" for one in found for node in one["nodes"]]
