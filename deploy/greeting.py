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
from services.console.settings import reached_at
from shared import roles
from shared.settings import PORT_OFFSETS, Settings, load
from shared.web import tokens
from shared.web.tokens import Issuer

READY_SECONDS = 60.0
TOKEN_DAYS = 30
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
    shown = lines(settings, int(time.time()), played, issuer, console_of(settings, env))
    print("\n".join(["", *shown, ""]), flush=True)
    return 0


def console_of(settings: Settings, env: Mapping[str, str]) -> str:
    """Where people reach the console; empty where it was left out."""
    port = settings.port_base + PORT_OFFSETS["console"]
    public = env.get("MUSTER_PUBLIC_URL", "").rstrip("/") or f"http://{reached_at(settings.bind)}:{port}"
    return "" if env.get("MUSTER_CONSOLE") == "0" else public


def lines(settings: Settings, now: int, played: str | None, issuer: Issuer | None, console: str = "") -> list[str]:
    """What is shown. now: seconds since 1970. played: the id of a tournament to look at.

    console: its address, where it runs.
    issuer: who signs the token that is shown; None, as in production, where none is.
    """
    shown = [f"Muster is running. Ctrl-C stops it; its data stays in {settings.data}", ""]
    shown += [f"  {name:<14}{url}/docs" for name, url in settings.urls.items()]
    if played:
        shown.append(f"  {'to look at':<14}{settings.urls['scoring']}/tournaments/{played}/standings")
    shown.append(f"  {'tournaments':<14}{settings.urls['registration']}/tournaments")
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
            shown += ["", "To run an event, open this in a browser; it signs you in with that token:"]
            shown += [f"  {console}/come-in?key={token}"]
    elif console:
        shown += ["To run an event in a browser:", f"  {console}/sign-in"]
    return shown


if __name__ == "__main__":
    sys.exit(main(os.environ))
