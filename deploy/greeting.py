"""What `make run` shows once everything is up: addresses, documentation, the command line, other ports, sign-in links.

It is started beside the services. It is the only place that knows what a newcomer needs first.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from deploy.process_manager import PRINT_TOKEN
from deploy.ready import NotReady, wait_until_ready
from deploy.stack import issuer_of
from services.console import settings as console_settings
from services.console.pages import sign_ins
from shared.roles import EVERY_TOURNAMENT, OPERATOR, ORGANISER
from shared.settings import Settings, load
from shared.web import tokens
from shared.web.tokens import Issuer

READY_SECONDS = 60.0
DAY = 86_400
SIGNED_IN_SECONDS = {OPERATOR: DAY, ORGANISER: 7 * DAY}
"""Role -> how long its link signs in. Organisers prepare an event days before it, and some events are weekends."""
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
    on_terminal = env.get(PRINT_TOKEN) == "1"
    shown = lines(settings, int(time.time()), played, issuer, console_of(env), print_token=on_terminal)
    print("\n".join(["", *shown, ""]), flush=True)
    return 0


def console_of(env: Mapping[str, str]) -> str:
    """Where people reach the console; empty where it was left out. Raises BadSettings."""
    return "" if env.get("MUSTER_CONSOLE") == "0" else console_settings.load(env).public_url


def lines(
    settings: Settings,
    now: int,
    played: str | None,
    issuer: Issuer | None,
    console: str = "",
    *,
    print_token: bool = False,
) -> list[str]:
    """Return the lines of the greeting. now: seconds since 1970. played: the id of a tournament to look at.

    console: its address, where it runs.
    issuer: signs the tokens behind the links; None, as in production, where there are none.
    print_token: show an organiser's token, which stays valid; only where nothing keeps what is printed.
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
    shown += [f"  {muster} tournament list", f"  {muster} token --role operator", ""]
    other = base + 1000 if base < HIGHEST_PORT_BASE else DEFAULT_PORT_BASE
    shown += ["A second Muster beside this one, with a folder and ports of its own:"]
    shown += [f"  {muster} up --data {shlex.quote(f'{settings.data}-2')} --port-base {other}", ""]
    if issuer is None:
        return [*shown, "To run an event in a browser:", f"  {console}/sign-in"] if console else shown
    if print_token:
        token = _token(issuer, ORGANISER, f"greeting-{now}", now, DAY)
        shown += ["An organiser's token for all tournaments, good for a day:", f"  {token}", ""]
    if console:
        shown += ["To look after this installation (its health, webhooks, tokens), open this in a browser:"]
        shown += [_link(settings, OPERATOR, now, issuer, console), ""]
        shown += ["To run an event, open this in a browser; both links work once, within an hour:"]
        shown += [_link(settings, ORGANISER, now, issuer, console)]
    return shown


def _link(settings: Settings, role: str, now: int, issuer: Issuer, console: str) -> str:
    """Return the line with the link that signs in once, or with why there is none."""
    token = _token(issuer, role, f"greeting-{role}-{now}", now, SIGNED_IN_SECONDS[role])
    try:
        code = sign_ins.leave(settings.data, role, token, now)
    except OSError as error:
        return f"  no link could be made: {error.strerror}"
    return f"  {console}/{role}/come-in?code={code}"


def _token(issuer: Issuer, role: str, id: str, now: int, seconds: int) -> str:
    exp = now + seconds
    return tokens.mint(issuer, actor=role, role=role, tournament=EVERY_TOURNAMENT, jti=id, iat=now, exp=exp)


if __name__ == "__main__":
    sys.exit(main(os.environ))
