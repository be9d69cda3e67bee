"""The keys of an installation: for signing events and tokens, and for sealing data outside the log.

Sources sign their events with Ed25519. Each source has one key pair, and more during a rotation:

    REGISTRATION_SIGNING_KEY=2027-01:SEED[,2026-09:SEED]               private: the first one signs
    MUSTER_SOURCE_KEYS=registration=2027-01:KEY+2026-09:KEY,pairing=…  public: all of them are accepted

SEED and KEY are 32 bytes in base64url without padding.

In production, keys come from the environment, and Muster does not start with missing or example keys. Elsewhere,
missing keys are generated at the first start and stored in `secrets.json` in the data folder, readable only by its
owner. Deleting that file invalidates every token and makes stored personal data unreadable.

Texts are sealed with keys derived from the signing keys. The first key seals; all keys open.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from shared.environment import Reader, is_example, make_private_folder
from shared.refusals import HIDDEN, NOTHING, Expected, expects

KEY_BYTES = 32
KID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""Pattern of key ids, here and in tokens."""

PublicKeys = Mapping[str, Mapping[str, bytes]]
"""Source -> kid -> public key."""


class KeysFault(ValueError):
    """A text that is not a list of keys. expected: the violated expectation; it repeats no key."""

    def __init__(self, expected: Expected) -> None:
        super().__init__(f"expected {expected}")
        self.expected = expected


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key: its id (`kid` of its signatures) and its seed of 32 bytes."""

    kid: str
    seed: bytes = field(repr=False)

    @property
    def public(self) -> bytes:
        """The public key that verifies its signatures."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()


def make_signing_key(kid: str) -> SigningKey:
    """Return a new key with this id. Raises ValueError for an invalid id."""
    if not KID.fullmatch(kid):
        raise ValueError("is not 1 to 64 letters, digits, dots, dashes and underscores")
    return SigningKey(kid, secrets.token_bytes(KEY_BYTES))


def parse_signing_keys(text: str) -> tuple[SigningKey, ...]:
    """Read `kid:seed[,kid:seed…]`. Raises KeysFault."""
    return tuple(SigningKey(kid, key) for kid, key in _parse_keys(text, ",").items())


def parse_source_keys(text: str) -> PublicKeys:
    """Read `source=kid:key[+kid:key…][,source=…]`. Raises KeysFault."""
    keys_of: dict[str, Mapping[str, bytes]] = {}
    for part in text.split(","):
        source, equals, keys = part.strip().partition("=")
        if not equals or not re.fullmatch(r"[a-z][a-z0-9@_-]{0,63}", source):
            raise KeysFault(expects("source-and-keys"))
        if source in keys_of:
            raise KeysFault(expects("source-once", source=source))
        keys_of[source] = MappingProxyType(_parse_keys(keys, "+"))
    return MappingProxyType(keys_of)


def render_signing_keys(keys: Sequence[SigningKey]) -> str:
    """Return keys in the form that `parse_signing_keys` reads."""
    return ",".join(f"{key.kid}:{encode_base64url(key.seed)}" for key in keys)


def render_source_keys(keys: PublicKeys) -> str:
    """Return keys in the form that `parse_source_keys` reads."""
    return ",".join(
        f"{source}={'+'.join(f'{kid}:{encode_base64url(key)}' for kid, key in named.items())}"
        for source, named in keys.items()
    )


def encode_base64url(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Return the bytes of base64url without padding. Raises ValueError."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("is not base64url without padding")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError("is not base64url without padding") from error
    if encode_base64url(data) != text:  # accept one encoding only: unused bits must be zero
        raise ValueError("is not base64url without padding")
    return data


def _parse_keys(text: str, separator: str) -> dict[str, bytes]:
    keys: dict[str, bytes] = {}
    for number, part in enumerate(text.split(separator), start=1):
        kid, colon, encoded = part.strip().partition(":")
        if not colon or not KID.fullmatch(kid):
            raise KeysFault(expects("kid-and-key", number=number))
        if kid in keys:
            raise KeysFault(expects("kid-once", kid=kid))
        try:
            keys[kid] = decode_base64url(encoded)
        except ValueError as error:
            raise KeysFault(expects("key-in-base64", kid=kid)) from error
        if len(keys[kid]) != KEY_BYTES:
            raise KeysFault(expects("key-bytes", kid=kid, count=KEY_BYTES, found=len(keys[kid])))
    return keys


PERSONAL_KEY = "MUSTER_PERSONAL_KEY"
NEW_KEYS = "MUSTER_NEW_KEYS"
"""Set to `1` to continue with new keys after the keys of existing databases were lost."""
SOURCE_KEYS, TOKEN_KEYS = "MUSTER_SOURCE_KEYS", "MUSTER_TOKEN_KEYS"
SOURCES = ("registration", "pairing", "scoring")
TICKETS, INSTALLATION = "tickets", "installation"
PURPOSES = (TICKETS, INSTALLATION)
"""Purposes of keys that only sign tokens; see `shared.web.tokens`."""
PRIVATE_KEY_VARIABLES: Mapping[str, str] = MappingProxyType(
    {
        **{source: f"{source.upper()}_SIGNING_KEY" for source in SOURCES},
        TICKETS: "MUSTER_TICKET_KEY",
        INSTALLATION: "MUSTER_INSTALLATION_KEY",
    }
)
"""Owner of a private key -> its variable."""
PERSONAL_KEY_FORM = expects("personal-key", count=KEY_BYTES)
PRIVATE_FORM = expects("private-keys")


class SecretsFault(ValueError):
    """An unusable `secrets.json`."""

    def __init__(self, detail: str, expected: Expected) -> None:
        super().__init__(detail)
        self.expected = expected


def read_personal_key(read: Reader, data: Path, production: bool) -> bytes | None:
    """Return the key for personal data; None after a fault, which is added to the reader's faults."""
    given = read.text(PERSONAL_KEY)
    if production and not given:
        read.fault(PERSONAL_KEY, NOTHING, PERSONAL_KEY_FORM)
    if not given and not production:
        given = _local(read, data).get(PERSONAL_KEY, "")
    if not given:
        return None
    try:
        key = parse_personal_key(given)
    except ValueError:
        read.fault(PERSONAL_KEY, HIDDEN, PERSONAL_KEY_FORM)
        return None
    if production and (is_example(given) or is_example(key.decode("latin-1"))):
        read.fault(PERSONAL_KEY, HIDDEN, expects("own-secret", secret=PERSONAL_KEY_FORM))
    return key


def parse_personal_key(text: str) -> bytes:
    """Return a key from base64. Raises ValueError, whose text does not repeat the key."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("is not base64") from error
    if len(key) != KEY_BYTES:
        raise ValueError(f"has {len(key)} bytes")
    return key


def read_private_keys(read: Reader, data: Path, production: bool, whose: str) -> tuple[SigningKey, ...]:
    """Return the private keys of a source, of `tickets` or of `installation`; the first one signs.

    Outside of production, missing keys come from `secrets.json`. Faults are added to the reader's faults; the result
    must not be used then.
    """
    variable = PRIVATE_KEY_VARIABLES[whose]
    given = read.text(variable)
    if production and not given:
        read.fault(variable, NOTHING, PRIVATE_FORM)
    if not given and not production:
        given = _local(read, data).get(variable, "")
    try:
        keys = parse_signing_keys(given) if given else ()
    except KeysFault as fault:
        read.fault(variable, HIDDEN, expects("keys-with", keys=PRIVATE_FORM, right=fault.expected))
        return ()
    if production and any(is_example(key.seed.decode("latin-1")) for key in keys):
        read.fault(variable, HIDDEN, expects("own-secret", secret=PRIVATE_FORM))
        return ()
    return keys


def read_public_keys(
    read: Reader,
    data: Path,
    production: bool,
    variable: str,
    of: Sequence[str],
    own: Mapping[str, Sequence[SigningKey]],
) -> PublicKeys:
    """Return the public keys of the owners `of`, from a variable or, outside of production, from the private keys.

    own: private keys of this process; a fault is reported if their public keys are not among those of the variable.
    Faults are added to the reader's faults; the result must not be used then.
    """
    form = expects("public-keys", first=of[0], names=list(of))
    given = read.text(variable)
    if not given:
        if production:
            read.fault(variable, NOTHING, form)
            return {}
        keys = {name: own[name] if name in own else read_private_keys(read, data, production, name) for name in of}
        return MappingProxyType({name: {key.kid: key.public for key in keys[name]} for name in of})
    try:
        accepted = parse_source_keys(given)
    except KeysFault as fault:
        read.fault(variable, HIDDEN, expects("keys-with", keys=form, right=fault.expected))
        return {}
    if missing := [name for name in of if name not in accepted]:
        right = expects("keys-of", names=missing)
        read.fault(variable, HIDDEN, expects("keys-with", keys=form, right=right))
        return {}
    for name, private in own.items():
        if private and accepted[name].get(private[0].kid) != private[0].public:
            right = expects("key-of-signer", kid=private[0].kid, name=name)
            read.fault(variable, HIDDEN, expects("keys-with", keys=form, right=right))
    return accepted


def _local(read: Reader, data: Path) -> Mapping[str, str]:
    try:
        return local_secrets(data, replace_lost=read.text(NEW_KEYS) == "1")
    except (OSError, ValueError) as error:
        right = expects("secrets-file")
        if isinstance(error, OSError):
            right = expects("writable-folder", error=(error.strerror or type(error).__name__).lower())
        elif isinstance(error, SecretsFault):
            right = error.expected
        file = str(data / "secrets.json")
        if (file, "MUSTER_DATA") not in [(fault.said, fault.where) for fault in read.faults]:
            read.fault("MUSTER_DATA", file, right)
        return {}


def local_secrets(data: Path, *, replace_lost: bool = False) -> Mapping[str, str]:
    """Return the secrets of an embedded installation; generate missing ones.

    Safe for several processes at once: the file is replaced atomically, and later processes read what the first one
    wrote. Keys that an older file lacks are added.
    replace_lost: generate a missing file although there are databases. Without it that is an error, because with other
    keys no link would work and sealed data could not be opened.
    Raises OSError if the folder cannot be written, ValueError if the file is invalid or missing next to databases.
    """
    file = data / "secrets.json"
    kept = _kept(file)
    if not _complete(kept):
        make_private_folder(data)
        with _locked(data):
            kept = _kept(file)
            if kept is None and not replace_lost and any(data.glob("*.sqlite3")):
                raise SecretsFault(f"{file} is missing, and databases need it", expects("secrets-of-databases"))
            if not _complete(kept):
                kept = {**_first_secrets(), **(kept or {})}
                _write(file, kept)
    assert kept is not None
    return kept


def change_local_keys(data: Path, whose: str, change: Callable[[Sequence[SigningKey]], Sequence[SigningKey]]) -> None:
    """Replace the keys of one owner in `secrets.json` by the result of `change`. Raises OSError, ValueError."""
    file, variable = data / "secrets.json", PRIVATE_KEY_VARIABLES[whose]
    with _locked(data):
        kept = _kept(file)
        if kept is None or variable not in kept:
            raise ValueError(f"{file} has no key of {whose}")
        _write(file, {**kept, variable: render_signing_keys(change(parse_signing_keys(kept[variable])))})


def _kept(file: Path) -> dict[str, str] | None:
    """Return the contents of the file; None if it is missing. Raises ValueError if it is invalid."""
    try:
        kept = json.loads(file.read_text())
    except FileNotFoundError:
        return None
    if not (isinstance(kept, dict) and isinstance(kept.get(PERSONAL_KEY), str)):
        right = expects("secrets-file-with", name=PERSONAL_KEY)
        raise SecretsFault(f"{PERSONAL_KEY} is not in it; restore it from a backup", right)
    return kept


def _complete(kept: Mapping[str, str] | None) -> bool:
    return kept is not None and all(isinstance(kept.get(variable), str) for variable in PRIVATE_KEY_VARIABLES.values())


def _first_secrets() -> dict[str, str]:
    keys = {variable: render_signing_keys([make_signing_key("local-1")]) for variable in PRIVATE_KEY_VARIABLES.values()}
    return {PERSONAL_KEY: base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(), **keys}


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
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder for one process at a time; the lock ends with the process."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


NONCE_BYTES = 12
"""Length of the AES-GCM nonce, which precedes the encrypted text."""


class CannotOpen(Exception):
    """A sealed text that no known key opens: its key is gone, or it is damaged."""


class Sealer:
    """Seals and opens texts. seeds: the seeds of the private keys; the first one seals. purpose: what is sealed."""

    def __init__(self, seeds: Sequence[bytes], purpose: str) -> None:
        self._keys = [
            AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(seed)) for seed in seeds
        ]

    def seal(self, place: str, plain: str) -> bytes:
        """Return a text sealed for one place; it cannot be opened for another."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._keys[0].encrypt(nonce, plain.encode(), place.encode())

    def open(self, place: str, sealed: bytes) -> str:
        """Return the text that was sealed for a place. Raises CannotOpen."""
        return self._opened(place, sealed)[0]

    def reseal(self, place: str, sealed: bytes) -> bytes | None:
        """Return a text sealed with the first key instead of an older one; None if unnecessary or impossible."""
        try:
            plain, key = self._opened(place, sealed)
        except CannotOpen:
            return None
        return self.seal(place, plain) if key else None

    def _opened(self, place: str, sealed: bytes) -> tuple[str, int]:
        for number, key in enumerate(self._keys):
            try:
                return key.decrypt(
                    bytes(sealed[:NONCE_BYTES]), bytes(sealed[NONCE_BYTES:]), place.encode()
                ).decode(), number
            except (InvalidTag, ValueError):
                continue
        raise CannotOpen(f"{place} cannot be opened with the keys at hand")
