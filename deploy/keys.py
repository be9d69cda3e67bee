"""`python -m deploy.keys`: the key pairs of an installation, as lines of an environment.

Without a name: new keys for all. With one: a new key for it beside those that it has, step by step. Whose there are is
in `shared.secret_keys.PRIVATE`: a service's vouch for its events, `tickets` and `installation` sign tokens.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

from shared.secret_keys import PRIVATE, PURPOSES, SOURCE_KEYS, SOURCES, TOKEN_KEYS, add_local_key
from shared.signing_keys import (
    PublicKeys,
    SigningKey,
    make_signing_key,
    parse_signing_keys,
    parse_source_keys,
    render_signing_keys,
    render_source_keys,
)


@click.command()
@click.argument("whose", required=False, type=click.Choice(list(PRIVATE)))
@click.option("--kid", help="The name of the new keys; year and month where it is left out.")
def main(whose: str | None, kid: str | None) -> None:
    """Print keys. For WHOSE it reads the public keys and the private one, and prints what to set in turn.

    Where the environment has neither, it puts the new key into secrets.json of MUSTER_DATA (var), where that has one.
    """
    name = kid or time.strftime("%Y-%m")
    try:
        new = make_signing_key(name)
        lines = _exchange(whose, new, os.environ) if whose else all_new(name)
    except (OSError, ValueError) as error:
        print(f"--kid, or a key in use: {error}", file=sys.stderr)
        sys.exit(2)
    print(*lines, sep="\n")


def _exchange(whose: str, new: SigningKey, env: Mapping[str, str]) -> list[str]:
    data = Path(env.get("MUSTER_DATA") or "var").absolute()
    if env.get(PRIVATE[whose]) or env.get(_public_of(whose)) or not (data / "secrets.json").exists():
        return exchanged(whose, new, env)
    add_local_key(data, whose, new)
    return [
        f"# {new.kid} is the first key of {whose} in {data / 'secrets.json'}; restart Muster. The older ones count on."
    ]


def all_new(kid: str) -> list[str]:
    """Lines for an installation that has no keys."""
    keys = {whose: make_signing_key(kid) for whose in PRIVATE}
    private = [f"{variable}={render_signing_keys([keys[whose]])}" for whose, variable in PRIVATE.items()]
    public = [
        f"{variable}={render_source_keys({whose: {kid: keys[whose].public} for whose in of})}"
        for variable, of in ((SOURCE_KEYS, SOURCES), (TOKEN_KEYS, PURPOSES))
    ]
    return [*private, *public]


def exchanged(whose: str, new: SigningKey, env: Mapping[str, str]) -> list[str]:
    """Lines that exchange one key, in the order in which they are to be set. Raises ValueError."""
    variable, public = PRIVATE[whose], _public_of(whose)
    known, own = parse_source_keys(env.get(public, "")), parse_signing_keys(env.get(variable, ""))
    if new.kid in {*known.get(whose, {}), *(key.kid for key in own)}:
        raise ValueError(f"there is a key {new.kid} of {whose} already")
    both: PublicKeys = {**known, whose: {**known.get(whose, {}), new.kid: new.public}}
    only: PublicKeys = {**known, whose: {new.kid: new.public}}
    holder, over, repeated = _said_of(whose)
    return [
        "# 1. In every service; restart them. Everybody knows the new key then.",
        f"{public}={render_source_keys(both)}",
        f"# 2. {holder} It signs with the new key then.",
        f"{variable}={render_signing_keys([new, *own])}",
        f"# 3. In every service, {over}; restart them. Nobody believes the old key any more.",
        f"{public}={render_source_keys(only)}",
        f"# 4. {repeated}",
        f"{variable}={render_signing_keys([new])}",
    ]


def _public_of(whose: str) -> str:
    return SOURCE_KEYS if whose in SOURCES else TOKEN_KEYS


def _said_of(whose: str) -> tuple[str, str, str]:
    """Where the private key is; when nobody needs the old one to check; and when it may go for good."""
    if whose in SOURCES:
        repeated = (
            f"In {whose}, when nobody repeats a request from before: its Idempotency-Key is refused from then on."
        )
        return f"In {whose}; restart it.", "once their queues are empty", repeated
    over = "once the last token that the old key signed has ended"
    if whose == "tickets":
        return "In registration; restart it.", over, "In registration, with 3: the old invitations to parties end."
    return "Where `muster token` runs.", over, "Where `muster token` runs."


if __name__ == "__main__":
    main()
