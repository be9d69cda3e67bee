"""`muster recopy`: a copy that a service holds, made anew from its owner."""

from __future__ import annotations

import click

from muster.cli.faults import NOT_HELD
from muster.cli.offline.terminal import printable
from muster.client.connection import connect, token_option, told, url_option
from shared.settings import SERVICES

LONGEST = 3600.0
"""Seconds; a service fetches, verifies and folds the whole log."""


@click.command("recopy")
@click.argument("source", type=click.Choice(SERVICES))
@click.argument("tournament")
@click.option("--service", "only", type=click.Choice(SERVICES), help="Whose copy. Left out: both that have one.")
@click.option("--reason", default="", help="Why; it is recorded.")
@url_option
@token_option
@told
def command(source: str, tournament: str, only: str | None, reason: str, url: str | None, token: str | None) -> None:
    """Replace the copies of the log of TOURNAMENT by SOURCE by what SOURCE itself holds and vouches for.

    For a copy that /readyz names as forked, or as one that cannot be folded. It is recorded who had it done and why,
    and what stood in the copy is kept aside. Needs a token of the role operator: `muster token --role operator`.
    Exit code 1 when a log could not be copied to its end.
    """
    import httpx

    muster = connect(url, token, timeout=httpx.Timeout(LONGEST, connect=5.0))
    whole = True
    for service in [only] if only else [name for name in SERVICES if name != source]:
        body = {"source": source, "tournament": tournament, "reason": reason}
        answer = muster.post(service, "/recopy", body)
        told = f"{answer['kept']} events kept, {answer['replaced']} set aside, ends at {answer['new']['position']}"
        click.echo(f"{service}: {told}")
        if answer["decided"]:
            named = ", ".join(map(printable, answer["events"][:10]))
            click.echo(f"{service}: {answer['decided']} of its own events were decided on what was replaced: {named}")
        if answer["refused"]:
            whole = False
            click.echo(f"{service}: not copied to its end: {printable(answer['refused'])}", err=True)
    if not whole:
        raise SystemExit(NOT_HELD)
