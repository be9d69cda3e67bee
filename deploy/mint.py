"""`python -m deploy.mint ROLE`: a token, signed with the keys of this installation.

Whoever can run this can already read the keys, so it asks for no password. It reads the environment of any one
service. An operator's token is how a new installation begins: it announces tournaments and appoints organisers.
"""

from __future__ import annotations

import os
import secrets
import sys
import time

import click

from shared.http import tokens
from shared.private_files import keep_to_oneself
from shared.settings import SERVICES, BadSettings, load

DAY = 86_400


@click.command()
@click.argument("role", type=click.Choice(sorted(set(tokens.ROLES) - tokens.LINKED)))
@click.option("--tournament", default=tokens.EVERY_TOURNAMENT, show_default=True, help="Its id; * for all of them.")
@click.option("--actor", help="Who is named in the events; the role where it is left out.")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How long it is good for.")
def main(role: str, tournament: str, actor: str | None, days: int) -> None:
    """Print a token for ROLE. The service is the one that MUSTER_SERVICE names."""
    keep_to_oneself()
    try:
        settings = load(os.environ.get("MUSTER_SERVICE") or SERVICES[0], os.environ)
    except BadSettings as bad:
        print(*bad.lines(), sep="\n", file=sys.stderr)
        sys.exit(2)
    now = int(time.time())
    print(
        tokens.mint(
            settings.token_keys,
            actor=actor or role,
            role=role,
            tournament=tournament,
            jti=secrets.token_hex(12),
            iat=now,
            exp=now + days * DAY,
        )
    )


if __name__ == "__main__":
    main()
