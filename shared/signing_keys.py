"""The keys with which sources vouch for their events: Ed25519, one pair a source, more while one is exchanged.

    REGISTRATION_SIGNING_KEY=2027-01:SEED[,2026-09:SEED]               private: the first signs
    MUSTER_SOURCE_KEYS=registration=2027-01:KEY+2026-09:KEY,pairing=…  public: any of them is believed

SEED and KEY are 32 bytes in base64url without padding.
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.refusals import Expected, expects

KEY_BYTES = 32
KID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""How a key may be called, here and in tokens."""

PublicKeys = Mapping[str, Mapping[str, bytes]]
"""Source -> kid -> public key."""


class KeysFault(ValueError):
    """A text that holds no keys. expected: what would be right at the first place that is wrong; it repeats no key."""

    def __init__(self, expected: Expected) -> None:
        super().__init__(f"expected {expected}")
        self.expected = expected


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key: its name as the signature's `kid`, and the 32 bytes that it is made from."""

    kid: str
    seed: bytes = field(repr=False)

    @property
    def public(self) -> bytes:
        """The key that others check its signatures with."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()


def make_signing_key(kid: str) -> SigningKey:
    """A new key of this name. Raises ValueError for a name that no key can have."""
    if not KID.fullmatch(kid):
        raise ValueError("is not 1 to 64 letters, digits, dots, dashes and underscores")
    return SigningKey(kid, secrets.token_bytes(KEY_BYTES))


def parse_signing_keys(text: str) -> tuple[SigningKey, ...]:
    """Read `kid:seed[,kid:seed…]`. Raises KeysFault."""
    return tuple(SigningKey(kid, key) for kid, key in _named(text, ",").items())


def parse_source_keys(text: str) -> PublicKeys:
    """Read `source=kid:key[+kid:key…][,source=…]`. Raises KeysFault."""
    found: dict[str, Mapping[str, bytes]] = {}
    for part in text.split(","):
        source, equals, keys = part.strip().partition("=")
        if not equals or not re.fullmatch(r"[a-z][a-z0-9@_-]{0,63}", source):
            raise KeysFault(expects("source-and-keys"))
        if source in found:
            raise KeysFault(expects("source-once", source=source))
        found[source] = MappingProxyType(_named(keys, "+"))
    return MappingProxyType(found)


def render_signing_keys(keys: Sequence[SigningKey]) -> str:
    """As `parse_signing_keys` reads it."""
    return ",".join(f"{key.kid}:{unpadded(key.seed)}" for key in keys)


def render_source_keys(keys: PublicKeys) -> str:
    """As `parse_source_keys` reads it."""
    return ",".join(
        f"{source}={'+'.join(f'{kid}:{unpadded(key)}' for kid, key in named.items())}" for source, named in keys.items()
    )


def unpadded(data: bytes) -> str:
    """Bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_unpadded(text: str) -> bytes:
    """The bytes that `unpadded` wrote. Raises ValueError."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("is not base64url without padding")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError("is not base64url without padding") from error
    if unpadded(data) != text:  # one text for one value, also in the bits that say nothing
        raise ValueError("is not base64url without padding")
    return data


def _named(text: str, separator: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for number, part in enumerate(text.split(separator), start=1):
        kid, colon, encoded = part.strip().partition(":")
        if not colon or not KID.fullmatch(kid):
            raise KeysFault(expects("kid-and-key", number=number))
        if kid in found:
            raise KeysFault(expects("kid-once", kid=kid))
        try:
            found[kid] = from_unpadded(encoded)
        except ValueError as error:
            raise KeysFault(expects("key-in-base64", kid=kid)) from error
        if len(found[kid]) != KEY_BYTES:
            raise KeysFault(expects("key-bytes", kid=kid, count=KEY_BYTES, found=len(found[kid])))
    return found
