"""A headless Chromium that opens one page in a new profile: the page as it then stands, and what it asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # what the browser asks for on its own goes nowhere
)
SECONDS = 120.0
"""For a page; far more than one takes on a busy machine."""
RENDERING_MS = 20_000
"""Of the page's own time, for what its scripts still do after it is loaded."""


@dataclass(frozen=True)
class Opened:
    """dom: the page's HTML after its scripts ran. asked: the addresses that it asked for, answered or not."""

    dom: str
    asked: frozenset[str]


def program() -> str | None:
    """The Chromium of this machine: TEST_BROWSER, or one on PATH."""
    named = os.environ.get("TEST_BROWSER")
    return next(filter(None, map(shutil.which, [named] if named else BROWSERS)), None)


def open_page(url: str, folder: Path) -> Opened:
    """Open a page. folder: an empty one, for the profile and the record of the network.

    Raises subprocess.CalledProcessError, subprocess.TimeoutExpired.
    """
    binary, record = program(), folder / "network.json"
    assert binary is not None
    own = (f"--user-data-dir={folder / 'profile'}", f"--log-net-log={record}")
    done = subprocess.run(
        [binary, *FLAGS, *own, f"--virtual-time-budget={RENDERING_MS}", "--dump-dom", url],
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
        env={**os.environ, "HOME": str(folder)},
    )
    page = urlsplit(url)
    return Opened(done.stdout, _asked(json.loads(record.read_text())["events"], f"{page.scheme}://{page.netloc}"))


def _asked(events: Sequence[Mapping[str, Any]], origin: str) -> frozenset[str]:
    """The addresses of requests that the record says came from a page of this origin, and not from the browser."""
    facts = (event["params"] for event in events if isinstance(event.get("params"), dict))
    return frozenset(each["url"] for each in facts if each.get("initiator") == origin and "url" in each)
