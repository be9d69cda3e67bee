"""`muster rebuild`, `muster recopy`, `muster recover`: what services hold besides their own logs, put right."""

from __future__ import annotations

import click
import httpx

from muster.cli.command_group import example
from muster.cli.online.connection import connect, online
from muster.cli.output import NOT_HELD, tell
from muster.cli.tables import printable
from shared.refusals import Fault
from shared.settings import SERVICES

AN_HOUR = httpx.Timeout(3600.0, connect=5.0)
"""Seconds; a service may fetch, verify and fold every event that it holds."""


@click.command("rebuild")
@click.option("--service", "only", type=click.Choice(SERVICES), help="Default: all three.")
@online
@example("muster rebuild --service registration --token-file operator.token")
def rebuild(only: str | None) -> None:
    """Delete every cache and read model, make them anew from the logs, and say what had been different.

    Snapshots, states in memory and registration's directory; the logs are verified on the way. Needs a token of the
    role operator: `muster token --role operator`. Exit code 1 when something differed; it is put right by then.
    """
    muster = connect(timeout=AN_HOUR)
    differed = False
    for service in [only] if only else SERVICES:
        answer = muster.service(service).rebuild_from_logs()
        differences = answer.differences
        differed = differed or bool(differences)
        for one in differences:
            where = f"{service} {one.what} {one.tournament} {one.where}".rstrip()
            tell([Fault(*map(printable, (where, one.found, one.expected)))])
        folded = f"{answer.tournaments} tournaments, {answer.events} events verified and folded"
        made = f"{answer.snapshots} snapshots and {answer.lines} lines made anew"
        found = f"{len(differences)} differences" if differences else "nothing differed"
        click.echo(f"{service}: {folded}, {made}; {found}")
    if differed:
        raise SystemExit(NOT_HELD)


@click.command("recopy")
@click.argument("source", type=click.Choice(SERVICES))
@click.argument("tournament")
@click.option(
    "--service",
    "only",
    type=click.Choice(SERVICES),
    help="The service whose copy is replaced. Default: both that have one.",
)
@click.option("--reason", default="", help="Why; this is recorded.")
@online
@example("muster recopy registration t-5f0c7d1e6f0a --token-file operator.token")
def recopy(source: str, tournament: str, only: str | None, reason: str) -> None:
    """Replace the copies of the log of TOURNAMENT by SOURCE by what SOURCE itself holds and vouches for.

    For a copy that /readyz names as forked, or as one that cannot be folded. It is recorded who had it done and why,
    and what stood in the copy is kept aside. Needs a token of the role operator: `muster token --role operator`.
    Exit code 1 when a log could not be copied to its end.
    """
    muster = connect(timeout=AN_HOUR)
    whole = True
    for service in [only] if only else [name for name in SERVICES if name != source]:
        body = {"source": source, "tournament": tournament, "reason": reason}
        answer = muster.plain.post(service, "/recopy", body)
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


@click.command("recover")
@click.option(
    "--service",
    "only",
    type=click.Choice(SERVICES),
    help="Default: every service that is not given with --without.",
)
@click.option("--without", multiple=True, type=click.Choice(SERVICES), help="A peer that is gone, and is not asked.")
@click.option("--feed", default=0, type=click.IntRange(0), help="How far a subscriber has read the feed, if it knows.")
@online
@example("muster recover --service registration --token-file operator.token")
def recover(only: str | None, without: tuple[str, ...], feed: int) -> None:
    """Have a service take back what its peers hold of its log, after its database was restored or lost.

    Until then it answers commands with 503 behind-own-copies. Every event is taken from a verified copy and has to
    follow the one before it by its hash; the feed comes back with its positions, and what is made from logs is made
    anew. Asked again, it goes on where it was cut off. Needs a token of the role operator.
    """
    muster = connect(timeout=AN_HOUR)
    for service in [only] if only else [name for name in SERVICES if name not in without]:
        body = {"without": list(without), "feed": feed}
        answer = muster.plain.post(service, "/recover", body)
        asked = " and ".join(answer["peers"]) or "nobody"
        if not answer["events"]:
            click.echo(f"{service}: nothing is missing that {asked} would have; its feed ends at {answer['feed']}")
            continue
        click.echo(
            f"{service}: {answer['events']} events of {answer['tournaments']} tournaments taken back from {asked}; "
            f"its feed ends at {answer['feed']}"
        )
        if answer["guessed"]:
            click.echo(
                f"{service}: of {answer['guessed']} feed positions nobody knew the event; subscribers read again"
            )
