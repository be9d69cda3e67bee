"""What `make run` shows once everything is up: addresses, documentation, the command line, other ports, a token.

The supervisor starts it beside the services. It is the only place that knows what a newcomer needs first.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from deploy.operator import issuer_of
from deploy.ready import NotReady, wait_until_ready
from services.console import operator_door
from services.console import settings as console_settings
from shared import roles
from shared.settings import Settings, load
from shared.web import tokens
from shared.web.tokens import Issuer

READY_SECONDS = 60.0
TOKEN_DAYS = 30
OPERATOR_SECONDS = 86_400
DEFAULT_PORT_BASE, HIGHEST_PORT_BASE = 8000, 64_000


def main(env: Mapping[str, str]) -> int:
    settings = load("registration", env)
    try:
        wait_until_ready(settings.urls, READY_SECONDS)
    except NotReady as error:
        print(f"not everything is ready: {error}", flush=True)
        env = {**env, "DEMO": "0"}
    played = None
    if env.get("DEMO") == "1":
        from deploy import demo_small  # of no use to a start that plays nothing

        try:
            played = demo_small.play(settings.urls, issuer_of(env))
        except Exception as error:  # it is only for show: who wants to use Muster can
            print(f"the demonstration tournament stopped: {type(error).__name__}: {error}", flush=True)
    issuer = None if settings.production else issuer_of(env)
    shown = lines(settings, int(time.time()), played, issuer, console_of(env))
    print("\n".join(["", *shown, ""]), flush=True)
    return 0


def console_of(env: Mapping[str, str]) -> str:
    """Where people reach the console; empty where it was left out. Raises BadSettings."""
    return "" if env.get("MUSTER_CONSOLE") == "0" else console_settings.load(env).public_url


def lines(settings: Settings, now: int, played: str | None, issuer: Issuer | None, console: str = "") -> list[str]:
    """What is shown. now: seconds since 1970. played: the id of a tournament to look at.

    console: its address, where it runs.
    issuer: who signs the token that is shown; None, as in production, where none is.
    """
    shown = [f"Muster is running. Ctrl-C stops it; its data stays in {settings.data}", ""]
    shown += [f"  {'console':<14}{console}/"] if console else []
    shown += [f"  {name:<14}{url}/docs" for name, url in settings.public_urls.items()]
    if played:
        standings = f"{settings.public_urls['scoring']}/tournaments/{played}/standings"
        shown.append(f"  {'to look at':<14}{f'{console}/events/{played}/about' if console else standings}")
    shown.append(f"  {'tournaments':<14}{settings.public_urls['registration']}/tournaments")
    shown += [f"  {'documentation':<14}README.md, docs/", ""]
    base = settings.port_base
    there = [f"MUSTER_DATA={shlex.quote(str(settings.data))}"] if settings.data != Path("var").absolute() else []
    there += [f"MUSTER_PORT_BASE={base}"] if base != DEFAULT_PORT_BASE else []
    muster = shlex.quote(os.path.relpath(Path(sys.executable).with_name("muster")))
    shown += ["The command line, in another window in this folder:"]
    shown += [f"  export {' '.join(there)}"] if there else []
    shown += [f"  {muster} tournament list", ""]
    other = base + 1000 if base < HIGHEST_PORT_BASE else DEFAULT_PORT_BASE
    shown += ["A second Muster beside this one, with a folder and ports of its own:"]
    shown += [f"  {muster} up --data {shlex.quote(f'{settings.data}-2')} --port-base {other}", ""]
    if issuer is not None:
        token = tokens.mint(
            issuer,
            actor="organiser",
            role=roles.ORGANISER,
            tournament=roles.EVERY_TOURNAMENT,
            jti=f"greeting-{now}",
            iat=now,
            exp=now + TOKEN_DAYS * 86_400,
        )
        shown += [f"An organiser's token for all tournaments, good for {TOKEN_DAYS} days:", f"  {token}"]
        if console:
            shown += ["", *_operators_way(settings, now, issuer, console, muster)]
            shown += ["", "To run an event, open this in a browser; it signs you in with that token:"]
            shown += [f"  {console}/come-in?key={token}"]
    elif console:
        shown += ["To run an event in a browser:", f"  {console}/sign-in"]
    return shown


def _operators_way(settings: Settings, now: int, issuer: Issuer, console: str, muster: str) -> list[str]:
    """How whoever started Muster comes in as its operator: by an address that works once."""
    token = tokens.mint(
        issuer,
        actor="operator",
        role=roles.OPERATOR,
        tournament=roles.EVERY_TOURNAMENT,
        jti=f"greeting-operator-{now}",
        iat=now,
        exp=now + OPERATOR_SECONDS,
    )
    try:
        code = operator_door.leave(settings.data, token, now)
    except OSError as error:
        return [
            f"For an operator's key (no address could be made: {error.strerror}):",
            f"  {muster} token --role operator",
        ]
    return [
        "To look after this installation (its health, webhooks, tokens), open this; it works once, within an hour:",
        f"  {console}/operator/come-in?code={code}",
        f"  Later: {muster} token --role operator, and sign in with that.",
    ]


if __name__ == "__main__":
    sys.exit(main(os.environ))
