"""Sealing: texts that a service keeps next to its log, encrypted with a key derived from its signing keys.

While two signing keys are known, what either has sealed is opened, and the first seals.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE = 12
"""Bytes of a nonce of AES-GCM; it stands before the encrypted text."""


class Sealed(Exception):
    """A text that no key at hand opens: its key is gone, or it is damaged."""


class Sealer:
    """Seals and opens texts. seeds: of the service's private keys, first the one that signs. purpose: what it seals."""

    def __init__(self, seeds: Sequence[bytes], purpose: str) -> None:
        self._keys = [
            AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(seed)) for seed in seeds
        ]

    def seal(self, place: str, plain: str) -> bytes:
        """Return a text sealed for one place; it opens for no other."""
        nonce = secrets.token_bytes(NONCE)
        return nonce + self._keys[0].encrypt(nonce, plain.encode(), place.encode())

    def open(self, place: str, sealed: bytes) -> str:
        """Return the text that was sealed for a place. Raises Sealed."""
        return self._opened(place, sealed)[0]

    def reseal(self, place: str, sealed: bytes) -> bytes | None:
        """Return a text of an older key sealed with the first one; None if it need not or cannot be sealed again."""
        try:
            plain, key = self._opened(place, sealed)
        except Sealed:
            return None
        return self.seal(place, plain) if key else None

    def _opened(self, place: str, sealed: bytes) -> tuple[str, int]:
        for number, key in enumerate(self._keys):
            try:
                return key.decrypt(bytes(sealed[:NONCE]), bytes(sealed[NONCE:]), place.encode()).decode(), number
            except (InvalidTag, ValueError):
                continue
        raise Sealed(f"{place} cannot be opened with the keys at hand")
