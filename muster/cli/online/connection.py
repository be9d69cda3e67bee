"""Where running services are, who asks, and how a command ends when they refuse.

Where they are: `--url`, else MUSTER_URL, else REGISTRATION_URL is registration's address (without any of them
http://127.0.0.1:8001, or MUSTER_PORT_BASE + 1). Pairing and scoring are at PAIRING_URL and SCORING_URL, else at
registration's address with its port + 1 and + 2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import NoReturn, ParamSpec
from urllib.parse import urlsplit, urlunsplit

import click
import httpx

from muster.cli.output import BAD_INPUT, NOT_HELD, printable, refuse, tell
from muster.client import TIMEOUT, Muster, Refused, Unreachable
from shared.environment import http_fault
from shared.refusals import Fault
from shared.settings import PORT_OFFSETS, SERVICES

P = ParamSpec("P")


def connect(url: str | None, token: str | None, *, following: bool = True, timeout: httpx.Timeout = TIMEOUT) -> Muster:
    """A client as options and environment say; leaves with the exit code for bad input when they cannot be used."""
    urls = service_urls(url, os.environ)
    return Muster(urls, token or os.environ.get("MUSTER_TOKEN", ""), following=following, timeout=timeout)


def service_urls(url: str | None, env: Mapping[str, str]) -> dict[str, str]:
    """Where each service is, by the rule at the head of this module."""
    name, base = _first({"--url": url or "", **{key: env.get(key, "") for key in ("MUSTER_URL", "REGISTRATION_URL")}})
    if not base:
        start = env.get("MUSTER_PORT_BASE", "8000")
        if not (start.isascii() and start.isdigit()):
            refuse([Fault("MUSTER_PORT_BASE", f"is {start!r}", "a whole number")])
        name, base = "MUSTER_PORT_BASE", f"http://127.0.0.1:{int(start) + PORT_OFFSETS['registration']}"
    urls = {"registration": _checked(name, base)}
    parts = urlsplit(urls["registration"])
    for service in SERVICES[1:]:
        variable = f"{service.upper()}_URL"
        if given := env.get(variable, ""):
            urls[service] = _checked(variable, given)
            continue
        if parts.port is None:
            refuse([Fault(variable, "is missing", f"{service}'s address, since {name} has no port to count from")])
        port = parts.port + PORT_OFFSETS[service] - PORT_OFFSETS["registration"]
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        urls[service] = urlunsplit((parts.scheme, f"{host}:{port}", parts.path, "", ""))
    return urls


def online(command: Callable[P, None]) -> Callable[P, None]:
    """The options of where services are and who asks; and lines and an exit code when one refuses or does not answer.

    2 for what the caller got wrong, 1 for what was not done for another reason.
    """

    @click.option("--url", metavar="URL", help="Registration's address; also MUSTER_URL.")
    @click.option("--token", metavar="TOKEN", help="Who you are; also MUSTER_TOKEN.")
    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Refused as refused:
            lines = [Fault(*map(printable, (f.where, f.said, f.expected, f.clause))) for f in refused.faults()]
            tell(lines)
            _leave(BAD_INPUT if refused.problem and refused.status < 500 else NOT_HELD)
        except Unreachable as error:
            tell([Fault("", str(error), "a running Muster: `make run`, or its address with --url")])
            _leave(NOT_HELD)

    return wrapped


def _leave(code: int) -> NoReturn:
    sys.stdout.flush()
    raise SystemExit(code)


def _first(given: Mapping[str, str]) -> tuple[str, str]:
    return next(((name, value.strip()) for name, value in given.items() if value.strip()), ("", ""))


def _checked(name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where the port is not a number
    except ValueError as error:
        refuse([Fault(name, f"is not a URL ({error})", "http://host:port")])
    if fault := http_fault(url, parts):
        refuse([Fault(name, *fault)])
    return url.rstrip("/")
