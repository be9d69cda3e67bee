"""`make pictures`: the pictures of the README and the documents, taken of the console.

They show the demonstration tournament, and the evening of the tutorial. A headless Chromium takes them, so they show
what a browser shows.
"""

from __future__ import annotations

import shutil
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from deploy import demo_small
from deploy.evening_pictures import DESK, PHONE, WALL, Evening
from deploy.stack import ROOT, Stack, operator
from muster_client import Muster, answers
from shared.settings import PORT_OFFSETS

FOLDER = ROOT / "docs" / "pictures"
SHARPNESS = 80
"""Of a picture in WebP, of 100."""
FACTS: Any = {"points_1": 187, "points_2": 142}

Game = answers.GameShown


def main() -> int:
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        print("chromium is missing: apt-get install chromium-headless-shell", file=sys.stderr)
        return 2
    with (
        Stack(env={"MUSTER_CONSOLE": "1"}) as stack,
        operator(stack.urls, stack.issuer) as host,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"]) as browser,
    ):
        console = f"http://127.0.0.1:{stack.port_base + PORT_OFFSETS['console']}"
        event = demo_small.play(stack.urls, stack.issuer)
        Evening(browser, host, console, FOLDER, _save).play()
        page, come_in = f"{console}/events/{event}", f"{console}/come-in?key={host.connection.token}"
        mine, *others = [one for one in host.scoring.list_games(event, round="3").items if one.kind != "bye"]
        table = f"{page}/come-in?token={_player(host, event, mine.player_1).connection.token}"
        standings = f"{page}/standings?why={mine.player_1}"
        _take(browser, FOLDER / "round.png", DESK, f"{page}/round")
        _take(browser, FOLDER / "wall.png", WALL, f"{page}/wall/pairings")
        _take(browser, FOLDER / "phone.png", PHONE, table)
        _take(browser, FOLDER / "new-event.webp", DESK, come_in, f"{console}/events/new")
        _take(browser, FOLDER / "table.webp", PHONE, table)
        _take(browser, FOLDER / "wall.webp", WALL, f"{page}/wall/pairings")
        _take(browser, FOLDER / "standings.webp", DESK, come_in, standings)
        _results_come_in(host, event, *others)
        _take(browser, FOLDER / "round.webp", DESK, come_in, f"{page}/round")
        _take(browser, FOLDER / "referee.webp", PHONE, come_in, f"{page}/referee")
    return 0


def _player(host: Muster, event: str, player: str) -> Muster:
    """Muster as a player sees it who has scanned their code."""
    return host.acting_as(host.registration.issue_player_link(event, player, reason="a picture").token)


def _results_come_in(host: Muster, event: str, settled: Game, disputed: Game, reported: Game) -> None:
    """One game is settled, one disputed, one reported by one side, where a judge is called, too."""
    for game in (settled, disputed, reported):
        _player(host, event, game.player_1).scoring.report_result(event, game.id, facts=FACTS)
    _player(host, event, settled.player_2).scoring.confirm_result(event, settled.id)
    doubts = _player(host, event, disputed.player_2)
    doubts.scoring.dispute_result(event, disputed.id, reason="the last ship was out of range")
    calls = _player(host, event, reported.player_2)
    calls.pairing.call_judge(event, game=reported.id, reason="rules", text="may it turn before it fires?")


def _take(browser: Browser, file: Path, size: tuple[int, int], *addresses: str) -> None:
    """Save a picture of the last of these pages. size: width and height in pixels."""
    with browser.new_page(viewport={"width": size[0], "height": size[1]}, locale="en-GB") as page:
        for address in addresses:
            page.goto(address, wait_until="load")
        _save(page, file)


def _save(page: Page, file: Path) -> None:
    """Save what a page shows, once its fonts are loaded. Live pages never stop loading, so that is not waited for."""
    page.evaluate("document.fonts.ready.then(() => true)")
    if file.suffix == ".webp":
        how = {"format": "webp", "quality": SHARPNESS}
        shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", how)
        file.write_bytes(b64decode(shot["data"]))
    else:
        page.screenshot(path=file)
    print(file.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
