"""`muster fsck`, `rebuild`, `recopy` and `recover`: what a service holds is checked, and repaired from logs."""

from __future__ import annotations

from collections.abc import Sequence

import click
import httpx
from msgspec import Struct

from muster.cli.command_group import example
from muster.cli.connection import connect, online
from muster.cli.output import NOT_HELD, line_of, print_lines, printable, show_waiting
from muster_client import Muster
from shared.settings import SERVICES

AN_HOUR = httpx.Timeout(3600.0, connect=5.0)
"""Seconds; a service may fetch, verify and fold every event that it holds."""


@click.command("rebuild")
@click.option("--service", "only", type=click.Choice(SERVICES), help="Default: all three.")
@online
@example("muster rebuild --service registration --token-file operator.token")
def rebuild(only: str | None) -> None:
    """Delete every cache and read model, rebuild them from the logs, and report what differed.

    These are the snapshots, the states in memory and registration's directory. Each service verifies its logs first.
    A damaged log is named, and whatever was made from it stays as it is: repair it with `muster fsck --repair`. You
    need an operator's token: `muster token --role operator`. The exit code is 1 if something differed. Differences in
    caches and read models have been corrected by then.
    """
    muster = connect(timeout=AN_HOUR)
    differed = False
    for service in [only] if only else SERVICES:
        with show_waiting(f"{service}: rebuilding"):
            answer = muster.service(service).rebuild_from_logs()
        differences = answer.differences
        differed = differed or bool(differences)
        for one in differences:
            where = f"{service} {one.what} {one.tournament} {one.where}".rstrip()
            print_lines([line_of(where, one.found, one.expected)])
        folded = f"{answer.tournaments} tournaments, {answer.events} events verified and folded"
        made = f"{answer.snapshots} snapshots and {answer.lines} lines rebuilt"
        found = f"{len(differences)} differences" if differences else "nothing differed"
        click.echo(f"{service}: {folded}, {made}; {found}")
        if damaged := sum(one.what == "log" for one in differences):
            click.echo(f"{service}: {damaged} logs are not repaired by this: muster fsck --service {service}")
    if differed:
        raise SystemExit(NOT_HELD)


@click.command("recopy")
@click.argument("source", type=click.Choice(SERVICES))
@click.argument("tournament")
@click.option(
    "--service",
    "only",
    type=click.Choice(SERVICES),
    help="Replace the copy of this service only. Default: the copies of both other services.",
)
@click.option("--reason", default="", help="Why you do this; it is recorded.")
@online
@example("muster recopy registration t-5f0c7d1e6f0a --token-file operator.token")
def recopy(source: str, tournament: str, only: str | None, reason: str) -> None:
    """Replace the copies of SOURCE's log of TOURNAMENT with the log that SOURCE itself holds.

    Use it if /readyz says `fork`, `fold` or `damaged` about a copy. The service checks every hash and signature, and
    replaces nothing if the log of SOURCE is damaged. It records who did this and why, and keeps the replaced events
    aside. You need an operator's token: `muster token --role operator`. The exit code is 1 if a log could not be copied
    to its end.
    """
    muster = connect(timeout=AN_HOUR)
    whole = True
    for service in [only] if only else [name for name in SERVICES if name != source]:
        body = {"source": source, "tournament": tournament, "reason": reason}
        with show_waiting(f"{service}: copying the log of {source}"):
            answer = muster.plain.post(service, "/recopy", body)
        message = f"{answer['kept']} events kept, {answer['replaced']} set aside, ends at {answer['new']['position']}"
        click.echo(f"{service}: {message}")
        if answer["decided"]:
            named = ", ".join(map(printable, answer["events"][:10]))
            click.echo(f"{service}: {answer['decided']} of its own events were decided on the replaced ones: {named}")
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
    help="Restore this service only. Default: all but those of --without.",
)
@click.option("--without", multiple=True, type=click.Choice(SERVICES), help="Do not ask this peer, because it is gone.")
@click.option(
    "--feed", default=0, type=click.IntRange(0), help="The last feed position that a subscriber has read, if known."
)
@online
@example("muster recover --service registration --token-file operator.token")
def recover(only: str | None, without: tuple[str, ...], feed: int) -> None:
    """Restore the events of a service that its database has lost or damaged and its peers still hold.

    Use it after a database was lost or restored from a backup: until then the service answers commands with 503
    behind-own-copies. Every event comes from a verified copy, and its hash must follow from the event before it. The
    feed gets its positions back, and caches and read models are rebuilt. A damaged event is kept aside, on record. If
    the command is interrupted, run it again. Rows beside the log are in backups only: the command names the players
    whose roster is lost and has to be handed in again. You need an operator's token: `muster token --role operator`.
    The exit code is 1 if no peer holds a damaged event.
    """
    muster = connect(timeout=AN_HOUR)
    whole = True
    for service in [only] if only else [name for name in SERVICES if name not in without]:
        body = {"without": list(without), "feed": feed}
        with show_waiting(f"{service}: taking back events"):
            answer = muster.plain.post(service, "/recover", body)
        asked = " and ".join(answer["peers"]) or "nobody"
        if answer["lost"]:
            whole = False
            named = ", ".join(map(printable, answer["lost"][:10]))
            click.echo(f"{service}: damaged, and {asked} does not hold it: {named}", err=True)
        if rows := answer["lost_rows"]:
            named = ", ".join(map(printable, rows[:20]))
            more = f" and {len(rows) - 20} more" if len(rows) > 20 else ""
            click.echo(f"{service}: rosters that are lost and have to be handed in again: {named}{more}", err=True)
        if not answer["events"]:
            click.echo(f"{service}: nothing is missing that {asked} would have; its feed ends at {answer['feed']}")
            continue
        click.echo(
            f"{service}: {answer['events']} events of {answer['tournaments']} tournaments taken back from {asked}; "
            f"its feed ends at {answer['feed']}"
        )
        if answer["guessed"]:
            message = f"no peer knew the events at {answer['guessed']} feed positions; subscribers may get events again"
            click.echo(f"{service}: {message}")
    if not whole:
        raise SystemExit(NOT_HELD)


@click.command("fsck")
@click.option("--service", "only", type=click.Choice(SERVICES), help="Default: all three.")
@click.option("--repair", is_flag=True, help="Repair what is damaged. Default: say what would be done.")
@online
@example("muster fsck --token-file operator.token")
def fsck(only: str | None, repair: bool) -> None:
    """Check logs, copies, snapshots, read models and the feed of each service for damage.

    The default names each damage and the command that repairs it, and changes nothing. With --repair these commands
    run: `recover` takes damaged events of a service's own log back from its peers, `recopy` replaces a damaged copy,
    and `rebuild` corrects what is made from logs. Then everything is checked again. You need an operator's token:
    `muster token --role operator`. The exit code is 1 if anything is damaged at the end.
    """
    muster = connect(timeout=AN_HOUR)
    services = [only] if only else list(SERVICES)
    damaged, repairs = _check(muster, services)
    if not repair:
        for one in repairs:
            click.echo(f"would run: {one.command}")
        if repairs:
            click.echo("Nothing was changed. To run this: muster fsck --repair")
    elif repairs:
        for one in repairs:
            with show_waiting(f"{one.service}: {one.command}"):
                muster.plain.post(one.service, one.path, one.body)
            click.echo(f"done: {one.command}")
        damaged, _ = _check(muster, services)
    if damaged:
        raise SystemExit(NOT_HELD)


class _Repair(Struct, frozen=True):
    """A repair request, and the command that sends it."""

    service: str
    path: str
    body: dict[str, object] | None
    command: str


def _check(muster: Muster, services: Sequence[str]) -> tuple[bool, list[_Repair]]:
    """Print the damage. Return True if there is any, and its repairs: own logs first, since copies come from them."""
    found: dict[str, list[_Repair]] = {"/recover": [], "/recopy": [], "/rebuild": []}
    damaged = False
    for service in services:
        with show_waiting(f"{service}: checking"):
            checked = muster.service(service).check_database()
        for one in checked.findings:
            damaged = True
            print_lines([line_of(f"{service} {one.what} {one.where or one.tournament}", one.reason)])
            repair = _repair_of(service, one.remedy, one.source, one.tournament)
            if repair is not None and repair not in found[repair.path]:
                found[repair.path].append(repair)
        said = f"{len(checked.findings)} damaged" if checked.findings else "nothing is damaged"
        click.echo(f"{service}: {checked.tournaments} tournaments, {checked.events} events checked; {said}")
    return damaged, [repair for repairs in found.values() for repair in repairs]


def _repair_of(service: str, remedy: str, source: str, tournament: str) -> _Repair | None:
    """Return the repair that a service suggests; None if no command repairs the damage."""
    match remedy:
        case "recover":
            return _Repair(service, "/recover", {"without": [], "feed": 0}, f"muster recover --service {service}")
        case "recopy":
            body: dict[str, object] = {"source": source, "tournament": tournament, "reason": "fsck"}
            return _Repair(service, "/recopy", body, f"muster recopy {source} {tournament} --service {service}")
        case "rebuild":
            return _Repair(service, "/rebuild", None, f"muster rebuild --service {service}")
    return None
