"""`python -m deploy.keys`: print the key pairs of an installation as environment variables.

Without a name: new keys for all owners. With a name: a new key for that owner in addition to its existing ones, step
by step. With --drop: the keys without one of them. `shared.keys.PRIVATE_KEY_VARIABLES` lists the owners: a service
signs its events, while `tickets` and `installation` sign tokens.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, count
from pathlib import Path

import click

from shared.keys import (
    KID,
    PRIVATE_KEY_VARIABLES,
    PURPOSES,
    SOURCE_KEYS,
    SOURCES,
    TOKEN_KEYS,
    PublicKeys,
    SigningKey,
    change_local_keys,
    make_signing_key,
    parse_signing_keys,
    parse_source_keys,
    render_signing_keys,
    render_source_keys,
)


class NotPossible(ValueError):
    """A key that cannot be made or dropped; the text says why and what to do."""


@click.command()
@click.argument("whose", required=False, type=click.Choice(list(PRIVATE_KEY_VARIABLES)))
@click.option("--kid", help="The name of the new keys; without it year and month, and a number if that name is taken.")
@click.option("--drop", metavar="KID", help="Take out this key of WHOSE, which leaked or is not needed any more.")
def main(whose: str | None, kid: str | None, drop: str | None) -> None:
    """Print keys. For WHOSE, read its public and private keys and print the variables to set, in order.

    If the environment has neither, change secrets.json in MUSTER_DATA (default: var), if that file exists.
    """
    if drop and (kid or not whose):
        print("--drop: expected WHOSE key it is, and no --kid", file=sys.stderr)
        sys.exit(2)
    if kid and not KID.fullmatch(kid):
        print("--kid: expected 1 to 64 letters, digits, dots, dashes and underscores", file=sys.stderr)
        sys.exit(2)
    try:
        if not whose:
            lines = all_new(kid or time.strftime("%Y-%m"))
        elif drop:
            lines = _drop(whose, drop, os.environ)
        else:
            lines = _exchange(whose, kid, os.environ)
    except NotPossible as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except (OSError, ValueError) as error:
        print(f"a key in use: {error}", file=sys.stderr)
        sys.exit(2)
    print(*lines, sep="\n")


def _local(whose: str, env: Mapping[str, str]) -> Path | None:
    """Return the data folder whose secrets.json holds the keys; None if the environment holds them."""
    data = Path(env.get("MUSTER_DATA") or "var").absolute()
    given = env.get(PRIVATE_KEY_VARIABLES[whose]) or env.get(_public_of(whose)) or not (data / "secrets.json").exists()
    return None if given else data


def new_key(whose: str, kid: str | None, used: Collection[str]) -> SigningKey:
    """Return a new key. Raises NotPossible if a key in use has the name that was asked for."""
    month = time.strftime("%Y-%m")
    numbered = chain([month], (f"{month}-{number}" for number in count(2)))
    if kid in used:
        raise NotPossible(f"a key of {whose} named {kid} exists already; choose another name with --kid")
    return make_signing_key(kid or next(name for name in numbered if name not in used))


def without(whose: str, kid: str, used: Sequence[str]) -> list[str]:
    """Return the names of the keys that stay. Raises NotPossible for a key that is unknown or the only one."""
    if kid not in used:
        raise NotPossible(f"{whose} has no key named {kid}; it has {', '.join(used) or 'none'}")
    if len(used) == 1:
        raise NotPossible(f"{kid} is the only key of {whose}; make another one first: python -m deploy.keys {whose}")
    return [name for name in used if name != kid]


def _exchange(whose: str, kid: str | None, env: Mapping[str, str]) -> list[str]:
    data = _local(whose, env)
    if data is None:
        return exchanged(whose, new_key(whose, kid, _in_use(whose, env)), env)
    made: list[SigningKey] = []

    def added(own: Sequence[SigningKey]) -> list[SigningKey]:
        made.append(new_key(whose, kid, [key.kid for key in own]))
        return [*made, *own]

    change_local_keys(data, whose, added)
    return [
        f"# {made[0].kid} is the first key of {whose} in {data / 'secrets.json'}; restart Muster. "
        f"Older keys stay valid until you remove them: python -m deploy.keys {whose} --drop KID"
    ]


def _drop(whose: str, kid: str, env: Mapping[str, str]) -> list[str]:
    data = _local(whose, env)
    if data is None:
        return dropped(whose, kid, env)

    def kept(own: Sequence[SigningKey]) -> list[SigningKey]:
        left = without(whose, kid, [key.kid for key in own])
        return [key for key in own if key.kid in left]

    change_local_keys(data, whose, kept)
    return [f"# {kid} of {whose} is no longer in {data / 'secrets.json'}; restart Muster. {_after_drop(whose)}"]


def dropped(whose: str, kid: str, env: Mapping[str, str]) -> list[str]:
    """Return the lines of an environment without a key. Raises ValueError, NotPossible."""
    variable, public = PRIVATE_KEY_VARIABLES[whose], _public_of(whose)
    known, own = parse_source_keys(env.get(public, "")), parse_signing_keys(env.get(variable) or "")
    left = without(whose, kid, _in_use(whose, env))
    kept = {name: key for name, key in known.get(whose, {}).items() if name in left}
    return [
        f"# Set all of this, then restart every service. {_after_drop(whose)}",
        "# In every service:",
        f"{public}={render_source_keys({**known, whose: kept})}",
        f"# {_said_of(whose)[0].partition(';')[0].rstrip('.')}, too:",
        f"{variable}={render_signing_keys([key for key in own if key.kid in left])}",
    ]


def _in_use(whose: str, env: Mapping[str, str]) -> list[str]:
    """Return the names of the keys in an environment, the private ones first. Raises ValueError."""
    known, own = (
        parse_source_keys(env.get(_public_of(whose), "")),
        parse_signing_keys(env.get(PRIVATE_KEY_VARIABLES[whose]) or ""),
    )
    return list(dict.fromkeys([*(key.kid for key in own), *known.get(whose, {})]))


def _after_drop(whose: str) -> str:
    if whose in SOURCES:
        return f"Messages with the old signature become dead letters; the others fetch their events from {whose}."
    return "Every token that it signed is void then."


def all_new(kid: str) -> list[str]:
    """Return the lines for an installation without keys."""
    keys = {whose: make_signing_key(kid) for whose in PRIVATE_KEY_VARIABLES}
    private = [f"{variable}={render_signing_keys([keys[whose]])}" for whose, variable in PRIVATE_KEY_VARIABLES.items()]
    public = [
        f"{variable}={render_source_keys({whose: {kid: keys[whose].public} for whose in of})}"
        for variable, of in ((SOURCE_KEYS, SOURCES), (TOKEN_KEYS, PURPOSES))
    ]
    return [*private, *public]


def exchanged(whose: str, new: SigningKey, env: Mapping[str, str]) -> list[str]:
    """Return the lines that replace one key, in the order in which to set them. Raises ValueError."""
    variable, public = PRIVATE_KEY_VARIABLES[whose], _public_of(whose)
    known, own = parse_source_keys(env.get(public, "")), parse_signing_keys(env.get(variable, ""))
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
    """Return the texts of a key rotation: where the private key is, when to drop the old key, when to delete it."""
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
