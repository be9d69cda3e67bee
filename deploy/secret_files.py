"""`python -m deploy.secret_files [FOLDER]`: create the secrets for docker-compose.yml as files that only you can read.

Existing files stay unchanged and missing ones are created, so you can run it again after an upgrade that needs more
secrets. A secret in the `.env` of an earlier version is reused. Exit codes: 0 done, 2 the secrets are unusable.
"""

from __future__ import annotations

import base64
import os
import secrets
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

from deploy.keys import all_new
from shared.environment import FILE, FOLDER, NON_OWNER_BITS
from shared.keys import KEY_BYTES, PERSONAL_KEY, PRIVATE_KEY_VARIABLES, SOURCE_KEYS, TOKEN_KEYS
from shared.settings import SERVICES

PASSWORDS = (
    "POSTGRES_PASSWORD",
    "MUSTER_DB_OWNER_PASSWORD",
    *(f"{service.upper()}_DATABASE_PASSWORD" for service in SERVICES),
    *(f"{service.upper()}_BROKER_PASSWORD" for service in SERVICES),
    "INTEGRATION_BROKER_PASSWORD",
    "MUSTER_CONSOLE_KEY",
)
CONTAINER_USER = 10001
"""As whom the containers run where nobody says otherwise: see deploy/Dockerfile."""
KEYS = (*PRIVATE_KEY_VARIABLES.values(), SOURCE_KEYS, TOKEN_KEYS)
"""Made together: the public ones are of the private ones."""


class SecretsUnusable(Exception):
    """The secret files are incomplete, or other users can read them; the text says which."""


def file_name(variable: str) -> str:
    """Return the name of a secret's file."""
    return variable.lower()


def make_secrets(folder: Path, earlier: Mapping[str, str]) -> list[str]:
    """Write the missing secret files. Return the names of the variables that were created or reused.

    earlier: values of an earlier version, used for missing files. Raises SecretsUnusable, OSError.
    """
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    folder.chmod(FOLDER)
    there = {variable for variable in (*PASSWORDS, *KEYS, PERSONAL_KEY) if (folder / file_name(variable)).exists()}
    for variable in sorted(there):
        if (folder / file_name(variable)).stat().st_mode & NON_OWNER_BITS:
            raise SecretsUnusable(f"{folder / file_name(variable)} can be read by others; expected: chmod 600")
    known = there | {variable for variable in KEYS if earlier.get(variable)}
    missing = [variable for variable in KEYS if variable not in known]
    if 0 < len(missing) < len(KEYS):
        raise SecretsUnusable(
            f"{folder} has keys and lacks {', '.join(map(file_name, missing))}; expected all of them, since the public "
            "ones belong to the private ones: put back what is missing from its backup"
        )
    values = dict(line.split("=", 1) for line in all_new(time.strftime("%Y-%m")))
    values |= {variable: secrets.token_hex(24) for variable in PASSWORDS}
    values[PERSONAL_KEY] = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    values |= {variable: value for variable, value in earlier.items() if variable in values and value}
    made = [variable for variable in values if variable not in there]
    for variable in made:
        _write(folder / file_name(variable), values[variable])
    return made


def _write(file: Path, value: str) -> None:
    """Write a file completely or not at all. Never replace an existing file."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE), "w") as out:
            out.write(f"{value}\n")
            out.flush()
            os.fsync(out.fileno())
        os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def values_of(file: Path) -> dict[str, str]:
    """Return the NAME=value pairs of an environment file; empty if the file does not exist."""
    if not file.exists():
        return {}
    lines = (line.strip() for line in file.read_text("utf-8").splitlines())
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


@click.command()
@click.argument("folder", default="secrets", type=click.Path(path_type=Path))
@click.option("--earlier", default=".env", type=click.Path(path_type=Path), help="Secrets of before are taken from it.")
def main(folder: Path, earlier: Path) -> None:
    """Create the secret files for docker-compose.yml that are missing in FOLDER."""
    try:
        made = make_secrets(folder, values_of(earlier))
    except FileExistsError as error:
        print(f"{error.filename2 or error.filename}: appeared meanwhile; expected one run at a time", file=sys.stderr)
        sys.exit(2)
    except (SecretsUnusable, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print(f"{folder}: made {', '.join(map(file_name, made))}" if made else f"{folder}: nothing is missing")
    user = f"{os.getuid()}:{os.getgid()}"
    if os.getuid() == 0:
        # Nothing of Muster runs as root, so that what root makes is given away.
        for path in (folder, *folder.iterdir()):
            os.chown(path, CONTAINER_USER, CONTAINER_USER)
    elif values_of(earlier).get("MUSTER_USER") != user:
        print(f"The containers read these files as the user that owns them: set MUSTER_USER={user} in .env")


if __name__ == "__main__":
    main()
