"""Invitations to a party: codes that nobody has to keep. One follows from the survivor's id and a secret."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Collection, Sequence
from hashlib import sha256

from services.registration.tournament.refusals import InvitationUnknown
from shared.refusals import Fault, expects

LENGTH = 8
"""Letters and digits of a code behind the id: one in 2^40 is right by chance."""


class Invitations:
    """secrets: the first makes codes, all are looked at."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._secrets = secrets

    def code(self, tournament: str, player: str) -> str:
        """What a survivor tells those whom they want at their table: their id and a few letters, always the same."""
        return f"{player}-{_letters(self._secrets[0], tournament, player)}"

    def inviter(self, tournament: str, code: str, players: Collection[str]) -> str:
        """Who gave a code. players: all there are. Raises InvitationUnknown."""
        player, _, letters = code.strip().lower().rpartition("-")
        right = (_letters(secret, tournament, player).encode() for secret in self._secrets)
        if player not in players or not any(hmac.compare_digest(letters.encode(), one) for one in right):
            fault = Fault("/invitation", code, expects("invitation-code"))
            raise InvitationUnknown("No survivor of this event has given this code.", [fault])
        return player


def _letters(secret: bytes, tournament: str, player: str) -> str:
    made = hmac.digest(secret, f"invitation/{tournament}/{player}".encode(), sha256)
    return b32encode(made).decode().lower()[:LENGTH]
