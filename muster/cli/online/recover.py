"""`muster recover`: a service takes back from its peers what its database has lost."""

from __future__ import annotations

import click

from muster.client.connection import connect, token_option, told, url_option
from shared.settings import SERVICES

LONGEST = 3600.0
"""Seconds; a service may fetch, verify and fold all of its logs."""


@click.command("recover")
@click.option(
    "--service",
    "only",
    type=click.Choice(SERVICES),
    help="Which one. Left out: each not in --without.",
)
@click.option("--without", multiple=True, type=click.Choice(SERVICES), help="A peer that is gone, and is not asked.")
@click.option("--feed", default=0, type=click.IntRange(0), help="How far a subscriber has read the feed, if it knows.")
@url_option
@token_option
@told
def command(only: str | None, without: tuple[str, ...], feed: int, url: str | None, token: str | None) -> None:
    """Have a service take back what its peers hold of its log, after its database was restored or lost.

    Until then it answers commands with 503 behind-own-copies. Every event is taken from a verified copy and has to
    follow the one before it by its hash; the feed comes back with its positions, and what is made from logs is made
    anew. Asked again, it goes on where it was cut off. Needs a token of the role operator.
    """
    import httpx

    muster = connect(url, token, timeout=httpx.Timeout(LONGEST, connect=5.0))
    for service in [only] if only else [name for name in SERVICES if name not in without]:
        body = {"without": list(without), "feed": feed}
        answer = muster.post(service, "/recover", body)
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
