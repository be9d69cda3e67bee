"""Waiting until services are ready; `python -m deploy.ready URL...` asks once, for a container."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Mapping

import httpx

POLL_SECONDS = 0.1
ADVICE = {
    "disk": "the disk of its data folder is full or read-only: make room, or repair it",
    "schema": "its database is not brought up to date: python -m deploy.migrate",
    "own_copies": "its database has lost what its peers hold: muster recover (docs/how-to/backup.md)",
}
"""Failing check that only an operator can fix -> advice."""
LASTING = frozenset({"own_copies"})
"""Checks that only a command of an operator fixes, so waiting is useless."""


class NotReady(Exception):
    """A service did not become ready in time; the text names each with its last answer."""


def wait_until_ready(
    urls: Mapping[str, str],
    seconds: float,
    still_coming: Callable[[], bool] = lambda: True,
    unready: Collection[str] = (),
) -> None:
    """Wait until GET <url>/readyz answers 200 for every service.

    urls: base URL by name. still_coming: returns False if waiting is pointless. unready: names of services for
    which any answer is enough.
    Raises NotReady after `seconds`, or as soon as waiting is pointless: all services have answered, and those that are
    not ready need an operator.
    """
    deadline = time.monotonic() + seconds
    waiting = dict.fromkeys(urls, "no answer")
    lasting: set[str] = set()
    with httpx.Client(timeout=2.0, trust_env=False) as client:
        while waiting:
            for name in list(waiting):
                try:
                    answer = client.get(f"{urls[name]}/readyz")
                except httpx.HTTPError as error:
                    waiting[name] = type(error).__name__
                    lasting.discard(name)
                    continue
                if answer.status_code == 200 or name in unready:
                    del waiting[name]
                else:
                    failing = _failing(answer)
                    waiting[name] = _said(answer, failing)
                    lasting = lasting | {name} if LASTING.intersection(failing) else lasting - {name}
            vain = lasting.issuperset(waiting)
            if waiting and (vain or time.monotonic() > deadline or not still_coming()):
                raise NotReady("; ".join(f"{name}: {said}" for name, said in waiting.items()))
            if waiting:
                time.sleep(POLL_SECONDS)


def _failing(answer: httpx.Response) -> list[str]:
    """Return the failing checks of a service that is not ready."""
    try:
        checks = answer.json()["checks"]
        return [name for name, check in checks.items() if check["needed"] and not check["ok"]]
    except (ValueError, KeyError, TypeError, AttributeError):  # not an answer of Muster
        return []


def _said(answer: httpx.Response, failing: Collection[str]) -> str:
    """Return the reason why a service is not ready, with advice if there is any."""
    if not failing:
        return f"{answer.status_code} {answer.text[:300]}"
    return "; ".join(ADVICE.get(name, f"its check {name} fails, see /readyz") for name in failing)


if __name__ == "__main__":
    try:
        wait_until_ready({url: url for url in sys.argv[1:]}, seconds=0)
    except NotReady as error:
        sys.exit(str(error))
