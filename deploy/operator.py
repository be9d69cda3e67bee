"""Whoever runs an installation, as a client of its services: for demonstrations, tests and benchmarks."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping

from muster_client import Muster
from shared import roles
from shared.keys import INSTALLATION
from shared.settings import SERVICES, installation_keys
from shared.web import tokens
from shared.web.tokens import Issuer

PATIENCE = 60.0
"""Seconds; services are killed here on purpose, and come back."""


def issuer_of(env: Mapping[str, str]) -> Issuer:
    """Who signs for the installation that an environment describes. Raises BadSettings."""
    return Issuer(INSTALLATION, installation_keys(env)[0])


def operator(urls: Mapping[str, str], issuer: Issuer, seconds: int = 86_400) -> Muster:
    """A client with an operator's token, good for so many seconds. issuer: of the installation."""
    now = int(time.time())
    token = tokens.mint(
        issuer,
        actor="operator",
        role=roles.OPERATOR,
        tournament=roles.EVERY_TOURNAMENT,
        jti=f"operator-{secrets.token_hex(8)}",
        iat=now,
        exp=now + seconds,
    )
    return Muster(urls, token, patience=PATIENCE, known=SERVICES)
