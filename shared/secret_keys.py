"""The secrets of an installation: keys that sign tokens, the key over personal data, keys that vouch for events.

Production gets them from the environment and refuses to start with a missing one or with one out of a
manual. Anywhere else a missing one is made at first start and kept in `secrets.json` in the data folder,
readable by its owner alone: deleting that file makes every token void and stored personal data unreadable.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from shared.environment import Reader, is_example
from shared.private_files import make_folder
from shared.signing_keys import (
    KID,
    PublicKeys,
    SigningKey,
    make_signing_key,
    parse_signing_keys,
    parse_source_keys,
    render_signing_keys,
)

KEY_BYTES = 32
TOKEN_KEYS, PERSONAL_KEY = "MUSTER_TOKEN_KEYS", "MUSTER_PERSONAL_KEY"
SOURCE_KEYS = "MUSTER_SOURCE_KEYS"
SOURCES = ("registration", "pairing", "scoring")
TOKEN_KEYS_FORM = f"kid:secret[,kid:secret…], each secret random and of at least {KEY_BYTES} bytes"
PERSONAL_KEY_FORM = f"{KEY_BYTES} random bytes in base64 (openssl rand -base64 {KEY_BYTES})"
SIGNING_KEY_FORM = "kid:seed[,kid:seed…], made by `python -m deploy.keys`"
SOURCE_KEYS_FORM = "source=kid:key[+kid:key…],… for every source, made by `python -m deploy.keys`"


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
        if not colon or not KID.fullmatch(kid):
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


def signing_key_of(source: str) -> str:
    """The variable that holds the private keys of a source."""
    return f"{source.upper()}_SIGNING_KEY"


def read_signing(read: Reader, data: Path, production: bool, service: str) -> tuple[tuple[SigningKey, ...], PublicKeys]:
    """The keys that `service` vouches with, first the one that signs, and the public keys of every source.

    Outside of production what is missing comes from `secrets.json`. What is wrong is added to the reader's faults;
    what is returned is then not to be used.
    """
    own = signing_key_of(service)
    given, public = read.text(own), read.text(SOURCE_KEYS)
    if production:
        for variable, value, form in ((own, given, SIGNING_KEY_FORM), (SOURCE_KEYS, public, SOURCE_KEYS_FORM)):
            if not value:
                read.fault(variable, "is missing", form)
    kept: Mapping[str, str] = {}
    if not production and not (given and public):
        try:
            kept = local_secrets(data)
        except (OSError, ValueError) as error:
            read.fault("MUSTER_DATA", f"has no usable secrets.json in {data} ({error})", "a writable folder")
            return (), {}
    keys: dict[str, tuple[SigningKey, ...]] = {}
    for source in SOURCES if kept else (service,):
        variable = signing_key_of(source)
        try:
            keys[source] = parse_signing_keys(read.text(variable) or kept[variable]) if given or kept else ()
        except ValueError as error:
            read.fault(variable, str(error), SIGNING_KEY_FORM)
            keys[source] = ()
    if production and any(is_example(key.seed.decode("latin-1")) for key in keys[service]):
        read.fault(own, "is an example", SIGNING_KEY_FORM)
        keys[service] = ()
    believed: PublicKeys = {source: {key.kid: key.public for key in named} for source, named in keys.items()}
    if public:
        believed = _source_keys(read, public, keys[service], service)
    return keys[service], MappingProxyType(dict(believed))


def _source_keys(read: Reader, text: str, own: tuple[SigningKey, ...], service: str) -> PublicKeys:
    """The public keys as the environment names them; a service that the others would not believe has to know it."""
    try:
        believed = parse_source_keys(text)
    except ValueError as error:
        read.fault(SOURCE_KEYS, str(error), SOURCE_KEYS_FORM)
        return {}
    if missing := [source for source in SOURCES if source not in believed]:
        read.fault(SOURCE_KEYS, f"has no key of {' and '.join(missing)}", SOURCE_KEYS_FORM)
    elif own and believed[service].get(own[0].kid) != own[0].public:
        said = f"does not hold the public key of {own[0].kid}, with which {service} signs"
        read.fault(SOURCE_KEYS, said, SOURCE_KEYS_FORM)
    return believed


def local_secrets(data: Path) -> Mapping[str, str]:
    """The secrets of an embedded installation; what is not there yet is made now.

    Several processes may ask at the same moment: the file appears whole under its name or not at all, and who
    comes second reads what the first one wrote. A file from before events were vouched for gets the keys added.
    Raises OSError where the folder cannot be written, ValueError where the file is not what was written.
    """
    file = data / "secrets.json"
    kept = _kept(file)
    if not _complete(kept):
        make_folder(data)
        with _alone(data):
            kept = _kept(file)
            if not _complete(kept):
                kept = {**_first_secrets(), **(kept or {})}
                kept |= {name: key for name, key in _first_signing_keys().items() if name not in kept}
                _write(file, kept)
    assert kept is not None
    return kept


def _kept(file: Path) -> dict[str, str] | None:
    """What the file holds; None where there is none. Raises ValueError where it is not what was written."""
    try:
        kept = json.loads(file.read_text())
    except FileNotFoundError:
        return None
    if not (isinstance(kept, dict) and all(isinstance(kept.get(k), str) for k in (TOKEN_KEYS, PERSONAL_KEY))):
        raise ValueError(f"{TOKEN_KEYS} and {PERSONAL_KEY} are not both in it; restore it from a backup")
    return kept


def _complete(kept: Mapping[str, str] | None) -> bool:
    return kept is not None and all(isinstance(kept.get(signing_key_of(source)), str) for source in SOURCES)


def _first_secrets() -> dict[str, str]:
    return {
        TOKEN_KEYS: f"local-1:{secrets.token_urlsafe(KEY_BYTES)}",
        PERSONAL_KEY: base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(),
    }


def _first_signing_keys() -> dict[str, str]:
    return {signing_key_of(source): render_signing_keys([make_signing_key("local-1")]) for source in SOURCES}


def _write(file: Path, content: Mapping[str, str]) -> None:
    draft = file.with_name(f".secrets.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            json.dump(content, out, indent=2)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time; the lock is the folder itself and ends with the process."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
