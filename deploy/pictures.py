"""`make pictures`: take the screenshots in the README and docs/tutorial/first-evening.md, one for each step.

They are taken from the console with headless Chromium.
"""

from __future__ import annotations

import shutil
import sys
from base64 import b64decode
from collections.abc import Sequence
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from deploy import demo_small
from deploy.stack import ROOT, Stack, operator
from muster.simulator.director import Director
from muster_client import Muster, bodies
from shared.settings import PORT_OFFSETS

FOLDER = ROOT / "docs" / "pictures"
SHARPNESS = 80
"""Quality of a WebP picture, of 100."""
DESK, PHONE, WALL = (1280, 860), (480, 900), (1280, 720)
"""Width and height in pixels."""
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gil", "Hana")
ROUNDS = 2
RESULTS: Sequence[dict[str, Any]] = (
    {"points_1": 150, "points_2": 129},
    {"points_1": 187, "points_2": 64},
    {"points_1": 96, "points_2": 210},
    {"points_1": 240, "points_2": 35},
)
"""Facts of the games of a round, in the order of their tables."""


class Evening:
    """An event that is played over HTTP while browsers show its pages.

    host: the client of an operator. console: the address of the console.
    """

    def __init__(self, browser: Browser, host: Muster, console: str) -> None:
        self._browser, self._host, self._console = browser, host, console
        self._desk = self._signed_in(DESK)

    def play(self) -> None:
        """Play the evening and take every picture."""
        self._picture(1, "/")
        self._picture(2, "/events/new")
        evening = Director.announce(
            self._host,
            name="Friday night",
            ruleset="star-wars-armada-1.1",
            tier="casual",
            rounds=ROUNDS,
            check_in=True,
        )
        evening.open_venue("Back room", 4)
        players = evening.join({"name": name, "venue": "v1"} for name in NAMES)
        event = f"/events/{evening.id}"
        self._picture(3, f"{event}/players")
        evening.organiser.registration.check_in_players(evening.id, players=players[:5])
        self._picture(4, f"{event}/check-in")
        self._picture_of_code(event)
        evening.organiser.registration.check_in_players(evening.id, players=players[5:])
        evening.pair()
        evening.start(1)
        self._picture(6, f"{event}/round")
        self._picture(7, f"{event}/wall/pairings", self._browser.new_context(viewport=_size(WALL)))
        first, second, third, fourth = evening.games(1)
        phone = self._browser.new_context(viewport=_size(PHONE), locale="en-GB")
        token = evening.players[first["player_1"]].connection.token
        self._picture(8, f"{event}/come-in?token={token}", phone)
        evening.report(first, RESULTS[0])
        self._dispute(evening, second, RESULTS[1])
        self._call(evening, third)
        self._picture(9, f"{event}/referee", self._signed_in(PHONE))
        ruling = {"facts": RESULTS[1], "reason": "both fleets counted again"}
        evening.do("scoring", f"/games/{second['id']}/ruling", ruling)
        for game, facts in ((third, RESULTS[2]), (fourth, RESULTS[3])):
            evening.report(game, facts)
        self._picture(10, f"{event}/round")
        evening.close(1)
        evening.pair()
        evening.start(ROUNDS)
        for game, facts in zip(evening.games(ROUNDS), RESULTS, strict=True):
            evening.report(game, facts)
        evening.close(ROUNDS)
        self._picture(11, f"{event}/standings?why={players[0]}")
        award = {"name": "Best painted", "player": players[3], "reason": "a fleet in three colours"}
        evening.do("scoring", "/awards", award)
        self._picture(12, f"{event}/awards")

    def _signed_in(self, size: tuple[int, int]) -> BrowserContext:
        context = self._browser.new_context(viewport=_size(size), locale="en-GB")
        page = context.new_page()
        page.goto(f"{self._console}/come-in?key={self._host.connection.token}", wait_until="load")
        page.close()
        return context

    def _picture(self, step: int, address: str, context: BrowserContext | None = None) -> None:
        page = (context or self._desk).new_page()
        page.goto(f"{self._console}{address}", wait_until="load")
        self._save(step, page)

    def _picture_of_code(self, event: str) -> None:
        page = self._desk.new_page()
        page.goto(f"{self._console}{event}/players", wait_until="load")
        page.locator("button[name=do][value=link]").first.click()
        page.wait_for_load_state("load")
        self._save(5, page)

    @staticmethod
    def _save(step: int, page: Page) -> None:
        """Save a screenshot of a page once its fonts are loaded. (Live pages never finish loading.)"""
        page.evaluate("document.fonts.ready.then(() => true)")
        how = {"format": "webp", "quality": SHARPNESS}
        shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", how)
        file = FOLDER / f"evening-{step:02}.webp"
        file.write_bytes(b64decode(shot["data"]))
        print(file.relative_to(ROOT))
        page.close()

    @staticmethod
    def _dispute(evening: Director, game: dict[str, Any], facts: dict[str, Any]) -> None:
        reporter, opponent = (evening.players[game[side]] for side in ("player_1", "player_2"))
        reporter.scoring.report_result(evening.id, game["id"], facts=cast(bodies.Facts, facts))
        opponent.scoring.dispute_result(evening.id, game["id"], reason="the last ship was out of range")

    @staticmethod
    def _call(evening: Director, game: dict[str, Any]) -> None:
        player = evening.players[game["player_2"]]
        player.pairing.call_judge(evening.id, game=game["id"], reason="rules", text="may it turn before it fires?")


def _size(size: tuple[int, int]) -> Any:
    width, height = size
    return {"width": width, "height": height}


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
        demo_small.play(stack.urls, stack.issuer)
        Evening(browser, host, f"http://127.0.0.1:{stack.port_base + PORT_OFFSETS['console']}").play()
    return 0


if __name__ == "__main__":
    sys.exit(main())
