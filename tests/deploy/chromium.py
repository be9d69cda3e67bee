"""A headless Chromium that opens one page in a new profile: the page as it then stands, and what it asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from tests.programs import run_program
from tests.waiting import until

# The one without a window first: it takes two thirds of the processor time for a page, and half of it for a context.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
# Pages of the window of the others, which nobody sees here: with them, each context costs four times as much.
OWN_PAGES = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    f"--disable-features={','.join(OWN_PAGES)}",
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
    done = run_program(
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


class Navigated(Exception):
    """The page went away while it was asked."""


class Browser:
    """A headless Chromium that is told what to do, over the pipe that it has for that; one page, for a `with` block."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self._folder = folder
        self._flags = flags
        self._number = 0
        self._session = ""

    def __enter__(self) -> Self:
        binary = program()
        assert binary is not None
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # Chromium reads what to do from descriptor 3, and answers on 4.
        start = f'exec 3<&{commands} 4>&{answers}; exec "$@"'
        flags = (
            *FLAGS,
            *self._flags,
            "--remote-debugging-pipe",
            "--window-size=1400,1500",
            f"--user-data-dir={self._folder}",
        )
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", start, "chromium", binary, *flags],
            pass_fds=(commands, answers),
            env={**os.environ, "HOME": str(self._folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._read = os.fdopen(self._answers, "rb")
        page = self._tell("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._tell("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._read.close()
        os.close(self._commands)

    def open(self, url: str) -> None:
        """Go to an address; `until` says when its page has come."""
        self._tell("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """The value of an expression on the page. Raises AssertionError with what the page threw."""
        done = self._tell("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true on the page, and return its value."""
        return until(lambda: self._tried(script), script, pause=0.05)

    def _tried(self, script: str) -> Any:
        with suppress(Navigated):  # the page that was asked has gone meanwhile
            return self.run(script)

    def picture(self, file: Path) -> None:
        """Write down what the page looks like, as PNG."""
        file.write_bytes(b64decode(self._tell("Page.captureScreenshot")["data"]))

    def _tell(self, method: str, **params: object) -> Any:
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        os.write(
            self._commands,
            json.dumps({"id": self._number, "method": method, "params": params, **session}).encode() + b"\0",
        )
        while True:
            answer = json.loads(self._message())
            if answer.get("id") == self._number:
                if "navigated" in answer.get("error", {}).get("message", ""):
                    raise Navigated
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _message(self) -> bytes:
        parts = bytearray()
        while (byte := self._read.read(1)) != b"\0":
            assert byte, "the browser has ended"
            parts += byte
        return bytes(parts)
