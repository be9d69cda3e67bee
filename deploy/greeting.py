"""The greeting of `make run` and `muster up`: the organiser's link, addresses, commands, the operator's link.

It runs as a program next to the services and prints once all of them are ready.
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
from deploy.stack import ROOT, issuer_of
from services.console import settings as console_settings
from services.console.pages import sign_ins
from shared.roles import EVERY_TOURNAMENT, OPERATOR, ORGANISER
from shared.settings import Settings, load
from shared.web import tokens
from shared.web.tokens import Issuer

READY_SECONDS = 60.0
DAY = 86_400
SIGNED_IN_SECONDS = {OPERATOR: DAY, ORGANISER: 7 * DAY}
"""Role -> seconds that a sign-in by its link lasts. Organisers prepare an event days before it."""
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
        from deploy import demo_small  # other starts do without it

        try:
            played = demo_small.play(settings.urls, issuer_of(env))
        except Exception as error:  # it is only for show: Muster works without it
            print(f"the demonstration tournament stopped: {type(error).__name__}: {error}", flush=True)
    issuer = None if settings.production else issuer_of(env)
    on_terminal = env.get(PRINT_TOKEN) == "1"
    shown = lines(settings, int(time.time()), played, issuer, console_of(env), print_token=on_terminal)
    print("\n".join(["", *shown, ""]), flush=True)
    return 0


def console_of(env: Mapping[str, str]) -> str:
    """Return the console's public address; empty if the console is switched off. Raises BadSettings."""
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
    """Return the lines of the greeting. The organiser's link comes first: it is the only address that a club needs.

    now: seconds since 1970.
    played: the id of the demonstration tournament, if one was played.
    issuer: signs the tokens in the links; None, as in production: no links are printed.
    console: the console's address; empty if the console is switched off.
    print_token: print an organiser's token too. Only for output that nothing stores: the token stays valid.
    """
    return [
        *_organiser_link(settings, now, issuer, console),
        f"Muster is running. Ctrl-C stops it. {_data_place(settings)}",
        "",
        *_addresses(settings, played, console),
        *_commands(settings),
        *_token_lines(issuer, now, print_token),
        *_operator_link(settings, now, issuer, console),
    ]


def _organiser_link(settings: Settings, now: int, issuer: Issuer | None, console: str) -> list[str]:
    if not console:
        return []
    if issuer is None:
        return ["To run an event, sign in here:", f"  {console}/sign-in", ""]
    heading = "To run an event, open this link. It signs you in once, within an hour:"
    return [heading, _link(settings, ORGANISER, now, issuer, console), ""]


def _operator_link(settings: Settings, now: int, issuer: Issuer | None, console: str) -> list[str]:
    if not console or issuer is None:
        return []
    heading = "Administration (health, webhooks, tokens). This link works once, within an hour, too:"
    return [heading, _link(settings, OPERATOR, now, issuer, console)]


def _data_place(settings: Settings) -> str:
    if settings.sqlite:
        return f"Its data stay in {settings.data}"
    return f"Its data stay in your databases, its keys in {settings.data}"


def _addresses(settings: Settings, played: str | None, console: str) -> list[str]:
    rows = [("console", f"{console}/")] if console else []
    rows += [(name, f"{url}/docs") for name, url in settings.public_urls.items()]
    if played:
        standings = f"{settings.public_urls['scoring']}/tournaments/{played}/standings"
        rows.append(("example", f"{console}/events/{played}/about" if console else standings))
    rows.append(("tournaments", f"{settings.public_urls['registration']}/tournaments"))
    if (ROOT / "docs").is_dir():  # a wheel has none
        rows.append(("documentation", "README.md, docs/"))
    return [*(f"  {name:<14}{place}" for name, place in rows), ""]


def _commands(settings: Settings) -> list[str]:
    base = settings.port_base
    variables = [f"MUSTER_DATA={shlex.quote(str(settings.data))}"] if settings.data != Path("var").absolute() else []
    variables += [f"MUSTER_PORT_BASE={base}"] if base != DEFAULT_PORT_BASE else []
    muster = shlex.quote(os.path.relpath(Path(sys.executable).with_name("muster")))
    other_base = base + 1000 if base < HIGHEST_PORT_BASE else DEFAULT_PORT_BASE
    return [
        "The command line, in another window in this folder:",
        *([f"  export {' '.join(variables)}"] if variables else []),
        f"  {muster} tournament list",
        f"  {muster} token --role operator",
        "",
        "A second Muster, with a folder and ports of its own:",
        f"  {muster} up --data {shlex.quote(f'{settings.data}-2')} --port-base {other_base}",
        "",
    ]


def _token_lines(issuer: Issuer | None, now: int, print_token: bool) -> list[str]:
    if issuer is None or not print_token:
        return []
    token = _token(issuer, ORGANISER, f"greeting-{now}", now, DAY)
    return ["An organiser's token for all tournaments, valid for a day:", f"  {token}", ""]


def _link(settings: Settings, role: str, now: int, issuer: Issuer, console: str) -> str:
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
