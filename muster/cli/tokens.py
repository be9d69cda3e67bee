"""`muster token`: sign a token with the key of the installation, which no service holds; `muster revoke`."""

from __future__ import annotations

import os
import secrets
import sys
import time

import click
import jwt

from muster.cli.command_group import example
from muster.cli.connection import connect, online
from muster.cli.output import BAD_INPUT, line_of, print_lines, refuse
from muster.cli.tournament import give, preview_option
from shared.formats.fold import CATALOGUE
from shared.keys import INSTALLATION
from shared.log.event import FREE_NAME, is_free_name
from shared.refusals import Fault, display_text, expects
from shared.roles import EVERY_TOURNAMENT, INTEGRATION, ORGANISER
from shared.settings import BadSettings, installation_keys
from shared.web.tokens import BY_INSTALLATION, LONGEST_TOKEN, Issuer, mint

DAY = 86_400
MOST_DAYS = 3650
TOKEN_SHOWN = 8
"""Characters of a possible token that a fault shows."""


@click.command("token")
@click.option("--role", type=click.Choice(sorted(BY_INSTALLATION)), required=True)
@click.option(
    "--tournament", default=EVERY_TOURNAMENT, metavar="ID", help="For this tournament alone. Default: every tournament."
)
@click.option("--actor", metavar="NAME", help="The name that events record; needed for an organiser.")
@click.option("--venue", metavar="ID", help="For this venue alone; an integration gets only its events.")
@click.option("--type", "types", multiple=True, metavar="EVENT", help="For events of this type alone. Can be repeated.")
@click.option("--reading", is_flag=True, help="The token can read but not change anything.")
@click.option("--days", type=click.IntRange(1, MOST_DAYS), default=30, show_default=True, metavar="N")
@example("muster token --role operator > operator.token")
def token(
    role: str,
    tournament: str,
    actor: str | None,
    venue: str | None,
    types: tuple[str, ...],
    reading: bool,
    days: int,
) -> None:
    """Print a token, signed with the key of this installation.

    The key is in MUSTER_INSTALLATION_KEY, or else in secrets.json in the folder MUSTER_DATA (var). Anyone who can run
    this can read the key, so there is no password. The token's id goes to standard error; `muster revoke` takes it.

    An organiser announces tournaments and leads those that were announced under the same name.

    Players, referees and other appointed staff get their tokens from their tournament: with the entry or appointment,
    and later as a link that staff issue on request.
    """
    if unknown := sorted(set(types) - set(CATALOGUE)):
        refuse([Fault("--type", name, expects("name-of-event")) for name in unknown])
    if role == ORGANISER and not (actor and is_free_name(actor)):
        refuse([Fault("--actor", display_text(actor), FREE_NAME)])
    if types and role != INTEGRATION:
        refuse([Fault("--role", role, expects("role-with-option", role=INTEGRATION, option="--type"))])
    now, id = int(time.time()), secrets.token_hex(12)
    try:
        token = mint(
            Issuer(INSTALLATION, installation_keys(os.environ)[0]),
            actor=actor or role,
            role=role,
            tournament=tournament,
            jti=id,
            iat=now,
            exp=now + days * DAY,
            venue=venue,
            types=types,
            reading=reading,
        )
    except BadSettings as bad:
        refuse(bad.faults)
    except ValueError as error:
        print_lines([line_of("", str(error), expects("token-claims", most=LONGEST_TOKEN))])
        raise SystemExit(BAD_INPUT) from error
    click.echo(f"id: {id}", err=True)
    click.echo(token)


@click.command("revoke")
@click.argument("revoked", metavar="TOKEN")
@click.option("--tournament", metavar="ID", help="The tournament that handed the token out, where one did.")
@click.option("--reason", default="", metavar="TEXT")
@preview_option
@online
@example("muster revoke 3f1c0a9be27d44815e6a7b02 --token-file operator.token")
def revoke(revoked: str, tournament: str | None, reason: str, preview: bool) -> None:
    """Revoke a token. It stops working for good; all other tokens stay valid.

    TOKEN is the token's id or the token itself; - reads it from standard input. An operator revokes what `muster token`
    printed. An organiser or an operator revokes what a tournament handed out, with --tournament.
    """
    id = token_id(revoked)
    path = f"/tournaments/{tournament}/tokens/revocations" if tournament else "/tokens/revocations"
    body = {"token_id": id, "reason": reason}
    answer = give(connect(), "registration", path, body, preview=preview)
    if answer is None:
        return
    click.echo(f"{id} is revoked" if answer["events"] else f"{id} was revoked before")


def token_id(text: str) -> str:
    """Return the id of a token that is given as an id, as a token, or on standard input. The token is not verified."""
    text = sys.stdin.read().strip() if text == "-" else text
    if text.count(".") != 2 or not text.startswith("eyJ"):
        return text
    try:
        return str(jwt.decode(text, options={"verify_signature": False})["jti"])
    except (jwt.PyJWTError, KeyError):
        refuse([Fault("TOKEN", text[:TOKEN_SHOWN] + "…", expects("token-or-id"))])
