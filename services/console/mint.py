"""`muster token`: a token signed with the keys of the installation on this machine."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping
from pathlib import Path

import click

from services.console.faults import refuse
from shared.environment import Reader
from shared.http.tokens import EVERY_TOURNAMENT, LONGEST_TOKEN, ROLES, mint
from shared.refusals import Fault
from shared.secret_keys import TOKEN_KEYS, TokenKey, read_secrets

DAY = 86_400
MOST_DAYS = 3650


@click.command("token")
@click.option("--role", type=click.Choice(list(ROLES)), required=True)
@click.option("--tournament", default=EVERY_TOURNAMENT, metavar="ID", help="Left out: every tournament.")
@click.option("--actor", metavar="NAME", help="Who is named in events; left out: the role, or the player.")
@click.option("--player", metavar="ID", help="For the role player: which one.")
@click.option("--venue", metavar="ID", help="Only there.")
@click.option("--days", type=click.IntRange(1, MOST_DAYS), default=30, show_default=True, metavar="N")
def command(role: str, tournament: str, actor: str | None, player: str | None, venue: str | None, days: int) -> None:
    """Print a token, signed with MUSTER_TOKEN_KEYS, else with the keys in secrets.json of MUSTER_DATA (var).

    Whoever can run this can read the keys, so it asks for no password. Revoke a token by its id, which is its
    claim `jti`.
    """
    now = int(time.time())
    try:
        token = mint(
            local_keys(os.environ),
            actor=actor or player or role,
            role=role,
            tournament=tournament,
            jti=secrets.token_hex(12),
            iat=now,
            player=player,
            venue=venue,
            exp=now + days * DAY,
        )
    except ValueError as error:
        refuse([Fault("", str(error), f"claims of a token of {LONGEST_TOKEN} characters at most")])
    click.echo(token)


def local_keys(env: Mapping[str, str]) -> tuple[TokenKey, ...]:
    """The token keys of this installation; leaves with the exit code for bad input where there are none."""
    read = Reader(env)
    data = Path(read.text("MUSTER_DATA", "var")).absolute()
    if not read.text(TOKEN_KEYS) and not (data / "secrets.json").exists():
        # Making keys here would give a token that no service accepts.
        refuse(
            [Fault(str(data / "secrets.json"), "not there", f"the folder of a Muster in MUSTER_DATA, or {TOKEN_KEYS}")]
        )
    keys, _ = read_secrets(read, data, production=False, personal=False)
    if read.faults:
        refuse(read.faults)
    return keys
