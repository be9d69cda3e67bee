"""The connection to running services: their addresses, the token, and the exit of a command that is refused.

The address of registration is `--url`, else MUSTER_URL, else REGISTRATION_URL, else http://127.0.0.1:8001 (with
MUSTER_PORT_BASE, that port + 1). Pairing and scoring are at PAIRING_URL and SCORING_URL, else at registration's address
with its port + 1 and + 2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import NoReturn, ParamSpec
from urllib.parse import urlsplit, urlunsplit

import click
import httpx

from muster.cli.connection_options import connection_options, given, token_of
from muster.cli.output import BAD_INPUT, NOT_HELD, line_of, print_faults, print_lines, printable, refuse
from muster_client import Muster, MusterError, NotSent, Problem, UnexpectedAnswer, Unreachable
from muster_client.connection import TIMEOUT
from muster_client.plain import LARGEST_PAGE
from shared.environment import http_fault
from shared.refusals import NOTHING, Fault, expects, without_secret
from shared.settings import PORT_OFFSETS, SERVICES

P = ParamSpec("P")

PATIENCE = 15.0
"""Seconds for which a request is retried while a service is busy, behind or starting."""


def connect(*, following: bool = True, timeout: httpx.Timeout = TIMEOUT) -> Muster:
    """Return a client for the options and the environment. Exit with the code for bad input if they are unusable."""
    urls = service_urls(given("url"), os.environ)
    return Muster(urls, token_of(), following=following, timeout=timeout, patience=PATIENCE)


def service_urls(url: str | None, env: Mapping[str, str]) -> dict[str, str]:
    """Return the address of each service by the rule in the module docstring."""
    name, base = _first({"--url": url or "", **{key: env.get(key, "") for key in ("MUSTER_URL", "REGISTRATION_URL")}})
    if not base:
        start = env.get("MUSTER_PORT_BASE", "8000")
        if not (start.isascii() and start.isdigit()):
            refuse([Fault("MUSTER_PORT_BASE", start, expects("whole-number"))])
        name, base = "MUSTER_PORT_BASE", f"http://127.0.0.1:{int(start) + PORT_OFFSETS['registration']}"
    urls = {"registration": _checked(name, base)}
    parts = urlsplit(urls["registration"])
    for service in SERVICES[1:]:
        variable = f"{service.upper()}_URL"
        if given := env.get(variable, ""):
            urls[service] = _checked(variable, given)
            continue
        if parts.port is None:
            refuse([Fault(variable, NOTHING, expects("address-of-service", service=service, setting=name))])
        port = parts.port + PORT_OFFSETS[service] - PORT_OFFSETS["registration"]
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        urls[service] = urlunsplit((parts.scheme, f"{host}:{port}", parts.path, "", ""))
    return urls


def online(command: Callable[P, None]) -> Callable[P, None]:
    """Return the command with the connection options; a refusal of a service is printed and sets the exit code.

    Exit code 2 means that the caller made a mistake; 1 that the command failed for another reason, such as no answer.
    """

    @connection_options
    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Problem as problem:
            print_lines([line_of(*line) for line in lines_of(problem)] + [*_suggestions(problem)])
            _leave(BAD_INPUT if problem.status < 500 else NOT_HELD)
        except NotSent as error:
            print_lines([line_of("", str(error), expects("accepted-by-service"))])
            _leave(BAD_INPUT)
        except UnexpectedAnswer as answer:
            print_faults([Fault(answer.service, str(answer.status), expects("answer-of-muster"))])
            _leave(NOT_HELD)
        except Unreachable as error:
            print_lines([line_of("", str(error), expects("running-muster"))])
            _leave(NOT_HELD)

    return wrapped


def lines_of(problem: Problem) -> Iterator[tuple[str, str, str, str]]:
    """Yield title and detail of a problem, then each fault: place, value, expected, clause."""
    yield "", f"{problem.title}: {problem.detail}", "", ""
    yield from ((fault.where, fault.said, fault.expected, fault.clause) for fault in problem.faults)


def _suggestions(problem: Problem) -> Iterator[str]:
    """Yield the tournaments that may be meant by an unknown id, since people also type names."""
    asked = str(click.get_current_context().params.get("tournament") or "")
    if problem.code != "tournament-unknown" or not asked:
        return
    try:
        known = connect().registration.list_tournaments(limit=LARGEST_PAGE).items
    except MusterError:
        return
    close = get_close_matches(asked, [one.id for one in known])
    for one in known:
        if one.id in close or one.name.casefold() == asked.casefold():
            yield printable(f"did you mean {one.id} ({one.name})?")


def _leave(code: int) -> NoReturn:
    sys.stdout.flush()
    raise SystemExit(code)


def _first(given: Mapping[str, str]) -> tuple[str, str]:
    return next(((name, value.strip()) for name, value in given.items() if value.strip()), ("", ""))


def _checked(name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where the port is not a number
    except ValueError:
        refuse([Fault(name, without_secret(url), expects("http-url"))])
    if right := http_fault(url, parts):
        refuse([Fault(name, without_secret(url), right)])
    return url.rstrip("/")
