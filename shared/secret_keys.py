"""The two secrets of an installation: the keys that sign tokens, and the key over personal data.

Production gets them from the environment and refuses to start with a missing one or with one out of a
manual. Anywhere else a missing one is made at first start and kept in `secrets.json` in the data folder,
readable by its owner alone: deleting that file makes every token void and stored personal data unreadable.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shared.environment import Reader, is_example

KEY_BYTES = 32
TOKEN_KEYS, PERSONAL_KEY = "MUSTER_TOKEN_KEYS", "MUSTER_PERSONAL_KEY"
TOKEN_KEYS_FORM = f"kid:secret[,kid:secret…], each secret random and of at least {KEY_BYTES} bytes"
PERSONAL_KEY_FORM = f"{KEY_BYTES} random bytes in base64 (openssl rand -base64 {KEY_BYTES})"


@dataclass(frozen=True, slots=True)
class TokenKey:
    """One HS256 key: its name as the token's `kid`, and at least 32 bytes of secret."""

    kid: str
    secret: bytes = field(repr=False)


def read_secrets(
    read: Reader, data: Path, production: bool, personal: bool
) -> tuple[tuple[TokenKey, ...], bytes | None]:
    """The token keys, first the one that signs, and the personal key where `personal` asks for it.

    What is wrong is added to the reader's faults; what is returned is then not to be used.
    """
    given = {TOKEN_KEYS: read.text(TOKEN_KEYS)}
    if personal:
        given[PERSONAL_KEY] = read.text(PERSONAL_KEY)
    forms = {TOKEN_KEYS: TOKEN_KEYS_FORM, PERSONAL_KEY: PERSONAL_KEY_FORM}
    if production:
        for variable, value in given.items():
            if not value:
                read.fault(variable, "is missing", forms[variable])
    elif not all(given.values()):
        try:
            kept = local_secrets(data)
        except (OSError, ValueError) as error:
            read.fault("MUSTER_DATA", f"has no usable secrets.json in {data} ({error})", "a writable folder")
            return (), None
        given = {variable: value or kept[variable] for variable, value in given.items()}

    keys: tuple[TokenKey, ...] = ()
    key: bytes | None = None
    try:
        keys = parse_token_keys(given[TOKEN_KEYS]) if given[TOKEN_KEYS] else ()
    except ValueError as error:
        read.fault(TOKEN_KEYS, str(error), TOKEN_KEYS_FORM)
    try:
        key = parse_personal_key(given[PERSONAL_KEY]) if given.get(PERSONAL_KEY) else None
    except ValueError as error:
        read.fault(PERSONAL_KEY, str(error), PERSONAL_KEY_FORM)
    if production:
        for token_key in keys:
            if is_example(token_key.secret.decode()):
                read.fault(TOKEN_KEYS, f"has an example as the secret of {token_key.kid}", TOKEN_KEYS_FORM)
        if key and (is_example(given[PERSONAL_KEY]) or is_example(key.decode("latin-1"))):
            read.fault(PERSONAL_KEY, "is an example", PERSONAL_KEY_FORM)
    return keys, key


def parse_token_keys(text: str) -> tuple[TokenKey, ...]:
    """Read `kid:secret,kid:secret`. Raises ValueError, whose text repeats no secret."""
    keys = []
    for number, part in enumerate(text.split(","), start=1):
        kid, colon, secret = part.strip().partition(":")
        if not colon or not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", kid):
            raise ValueError(f"has no kid:secret as key {number}")
        if len(secret.encode()) < KEY_BYTES:
            raise ValueError(f"has a secret of {len(secret.encode())} bytes for key {kid}")
        keys.append(TokenKey(kid, secret.encode()))
    if len({key.kid for key in keys}) < len(keys):
        raise ValueError("names two keys alike")
    return tuple(keys)


def parse_personal_key(text: str) -> bytes:
    """Read a key in base64. Raises ValueError, whose text does not repeat it."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("is not base64") from error
    if len(key) != KEY_BYTES:
        raise ValueError(f"has {len(key)} bytes")
    return key


def local_secrets(data: Path) -> Mapping[str, str]:
    """The secrets of an embedded installation, made now if there are none yet.

    Several processes may ask at the same moment: the file appears whole under its name or not at all, and who
    comes second reads what the first one wrote.
    Raises OSError where the folder cannot be written, ValueError where the file is not what was written.
    """
    file = data / "secrets.json"
    if not file.exists():
        data.mkdir(parents=True, exist_ok=True)
        made = {
            TOKEN_KEYS: f"local-1:{secrets.token_urlsafe(KEY_BYTES)}",
            PERSONAL_KEY: base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(),
        }
        draft = data / f".secrets.{os.getpid()}.{secrets.token_hex(4)}"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            json.dump(made, out, indent=2)
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(draft, file)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    kept = json.loads(file.read_text())
    if not (isinstance(kept, dict) and all(isinstance(kept.get(k), str) for k in (TOKEN_KEYS, PERSONAL_KEY))):
        raise ValueError(f"{TOKEN_KEYS} and {PERSONAL_KEY} are not both in it; restore it from a backup")
    return kept
