"""`muster revoke`: a token is worth nothing any more."""

from __future__ import annotations

import click
import jwt

from muster.cli.faults import refuse
from muster.client.connection import connect, token_option, told, url_option
from shared.refusals import Fault


@click.command("revoke")
@click.argument("revoked", metavar="TOKEN")
@click.option("--tournament", metavar="ID", help="For a token that a tournament handed out.")
@click.option("--reason", default="", metavar="TEXT")
@url_option
@token_option
@told
def command(revoked: str, tournament: str | None, reason: str, url: str | None, token: str | None) -> None:
    """Revoke TOKEN: its id, or the token itself.

    A token that `muster token` printed is revoked by an operator; one that a tournament handed out, by its organiser or
    an operator with --tournament. All others stay good.
    """
    id = token_id(revoked)
    path = f"/tournaments/{tournament}/tokens/revocations" if tournament else "/tokens/revocations"
    answer = connect(url, token).post("registration", path, {"token_id": id, "reason": reason})
    click.echo(f"{id} is revoked" if answer["events"] else f"{id} was revoked before")


def token_id(text: str) -> str:
    """The id of a token, which may be given as itself; nothing of it is believed but its id."""
    if text.count(".") != 2 or not text.startswith("eyJ"):
        return text
    try:
        return str(jwt.decode(text, options={"verify_signature": False})["jti"])
    except (jwt.PyJWTError, KeyError):
        refuse([Fault("TOKEN", "is no token that can be read", "a token, or its id")])
