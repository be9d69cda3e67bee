"""`make pictures`: the pictures of the README, taken of the console with the demonstration tournament.

Debian's Chromium takes them, so they show what a browser shows.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from deploy import demo_small
from deploy.operator import operator
from deploy.stack import ROOT, Stack
from shared.settings import PORT_OFFSETS

FOLDER = ROOT / "docs" / "pictures"
DESK, PHONE, WALL = "1280,860", "480,900", "1280,720"
SECONDS = 120


def main() -> int:
    browser = shutil.which("chromium")
    if browser is None:
        print("chromium is missing: apt-get install chromium", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    with Stack(env={"MUSTER_CONSOLE": "1"}) as stack:
        event = demo_small.play(stack.urls, stack.issuer)
        console = f"http://127.0.0.1:{stack.port_base + PORT_OFFSETS['console']}"
        phone = _code_of_a_player(stack, event)
        for name, size, address in (
            ("round", DESK, f"{console}/events/{event}/round"),
            ("standings", DESK, f"{console}/events/{event}/standings?why=p1"),
            ("wall", WALL, f"{console}/events/{event}/wall/pairings"),
            ("phone", PHONE, f"{console}/events/{event}/come-in?token={phone}"),
        ):
            _take(browser, FOLDER / f"{name}.png", size, address)
            print(f"docs/pictures/{name}.png")
    return 0


def _code_of_a_player(stack: Stack, event: str) -> str:
    with operator(stack.urls, stack.issuer) as muster:
        return muster.registration.issue_player_link(event, "p1", reason="a picture").token


def _take(browser: str, file: Path, size: str, address: str) -> None:
    """A picture of a page. size: width and height in pixels, with a comma between them."""
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", f"--window-size={size}", f"--screenshot={file}"]
        # A font that is still on its way would leave the picture in another one.
        command += ["--virtual-time-budget=3000", address]
        subprocess.run(command, check=True, timeout=SECONDS, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
