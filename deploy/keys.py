"""`python -m deploy.keys`: keys with which the services vouch for their events, as lines of an environment.

Without a service: new keys for all of them. With one: a new key for it beside those that it has, step by step.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

import click

from shared.secret_keys import SOURCE_KEYS, signing_key_of
from shared.settings import SERVICES
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
@click.argument("service", required=False, type=click.Choice(SERVICES))
@click.option("--kid", help="The name of the new keys; year and month where it is left out.")
def main(service: str | None, kid: str | None) -> None:
    """Print keys. For SERVICE it reads MUSTER_SOURCE_KEYS and the service's key, and prints what to set in turn."""
    try:
        made = make_signing_key
        name = kid or time.strftime("%Y-%m")
        lines = exchanged(service, made(name), os.environ) if service else all_new(name)
    except ValueError as error:
        print(f"--kid, or a key in the environment: {error}", file=sys.stderr)
        sys.exit(2)
    print(*lines, sep="\n")


def all_new(kid: str) -> list[str]:
    """Lines for an installation that has no keys."""
    keys = {service: make_signing_key(kid) for service in SERVICES}
    public: PublicKeys = {service: {key.kid: key.public} for service, key in keys.items()}
    private = [f"{signing_key_of(service)}={render_signing_keys([key])}" for service, key in keys.items()]
    return [*private, f"{SOURCE_KEYS}={render_source_keys(public)}"]


def exchanged(service: str, new: SigningKey, env: Mapping[str, str]) -> list[str]:
    """Lines that exchange the key of one service, in the order in which they are to be set. Raises ValueError."""
    variable = signing_key_of(service)
    known, own = parse_source_keys(env.get(SOURCE_KEYS, "")), parse_signing_keys(env.get(variable, ""))
    if new.kid in {*known.get(service, {}), *(key.kid for key in own)}:
        raise ValueError(f"there is a key {new.kid} of {service} already")
    both = {**known, service: {**known.get(service, {}), new.kid: new.public}}
    only = {**known, service: {new.kid: new.public}}
    return [
        "# 1. In every service; restart them. Everybody knows the new key then.",
        f"{SOURCE_KEYS}={render_source_keys(both)}",
        f"# 2. In {service}; restart it. It signs with the new key then.",
        f"{variable}={render_signing_keys([new, *own])}",
        "# 3. In every service, once their queues are empty; restart them. Nobody believes the old key any more.",
        f"{SOURCE_KEYS}={render_source_keys(only)}",
        f"{variable}={render_signing_keys([new])}",
    ]


if __name__ == "__main__":
    main()
