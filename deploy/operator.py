"""Whoever runs an installation, as a client of its services: for demonstrations, tests and benchmarks."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence

from services.console.client import Muster
from shared.http import tokens
from shared.secret_keys import TokenKey
from shared.settings import SERVICES

PATIENCE = 60.0
"""Seconds; services are killed here on purpose, and come back."""


def operator(urls: Mapping[str, str], keys: Sequence[TokenKey], seconds: int = 86_400) -> Muster:
    """A client with an operator's token, good for so many seconds."""
    now = int(time.time())
    token = tokens.mint(
        keys,
        actor="operator",
        role=tokens.OPERATOR,
        tournament=tokens.EVERY_TOURNAMENT,
        jti=f"operator-{secrets.token_hex(8)}",
        iat=now,
        exp=now + seconds,
    )
    return Muster(urls, token, patience=PATIENCE, known=SERVICES)
