"""`muster rebuild`: caches and read models of running services, made anew from their logs."""

from __future__ import annotations

import click

from muster.cli.faults import NOT_HELD, tell
from muster.cli.offline.terminal import printable
from muster.client.connection import connect, token_option, told, url_option
from shared.refusals import Fault
from shared.settings import SERVICES

LONGEST = 3600.0
"""Seconds; a service folds every event that it holds."""


@click.command("rebuild")
@click.option("--service", "only", type=click.Choice(SERVICES), help="Left out: all three.")
@url_option
@token_option
@told
def command(only: str | None, url: str | None, token: str | None) -> None:
    """Delete every cache and read model, make them anew from the logs, and say what had been different.

    Snapshots, states in memory and registration's directory; the logs are verified on the way. Needs a token of the
    role operator: `muster token --role operator`. Exit code 1 when something differed; it is put right by then.
    """
    import httpx

    muster = connect(url, token, timeout=httpx.Timeout(LONGEST, connect=5.0))
    differed = False
    for service in [only] if only else SERVICES:
        answer = muster.post(service, "/rebuild")
        differences = answer["differences"]
        differed = differed or bool(differences)
        for one in differences:
            where = f"{service} {one['what']} {one['tournament']} {one['where']}".rstrip()
            tell([Fault(*map(printable, (where, one["found"], one["expected"])))])
        folded = f"{answer['tournaments']} tournaments, {answer['events']} events verified and folded"
        made = f"{answer['snapshots']} snapshots and {answer['lines']} lines made anew"
        found = f"{len(differences)} differences" if differences else "nothing differed"
        click.echo(f"{service}: {folded}, {made}; {found}")
    if differed:
        raise SystemExit(NOT_HELD)
