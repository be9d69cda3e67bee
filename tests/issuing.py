"""Tokens for tests, signed as an installation would sign them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deploy.operator import issuer_of
from shared.roles import EVERY_TOURNAMENT, SERVICE
from shared.settings import load
from shared.web import tokens
from shared.web.tokens import Issuer

YEARS = 10 * 365 * 86_400
"""Seconds for which a token is good where a test says nothing else."""
ASKING = "pairing"
"""The service that asks where a test does not say which."""


class Tokens:
    """The tokens of one installation, each signed once. env: describes it; its keys stay as they are."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._signed: dict[str, str] = {}

    def of(self, role: str, tournament: str = EVERY_TOURNAMENT, **claims: Any) -> str:
        """As `token_of`."""
        wanted = repr((role, tournament, sorted(claims.items())))
        if wanted not in self._signed:
            self._signed[wanted] = token_of(self._env, role, tournament, **claims)
        return self._signed[wanted]


def token_of(env: Mapping[str, str], role: str, tournament: str = EVERY_TOURNAMENT, **claims: Any) -> str:
    """A token of the installation that an environment describes.

    A service's is signed by the service itself, and is for every tournament.
    """
    actor = claims.pop("actor", claims.get("player") or (ASKING if role == SERVICE else role))
    tournament = EVERY_TOURNAMENT if role == SERVICE else tournament
    issuer = Issuer(actor, load(actor, env).signing_keys[0]) if role == SERVICE else issuer_of(env)
    given = {"jti": f"{tournament}.{actor}.test", "iat": 1_750_000_000, **claims}
    given = {"exp": given["iat"] + YEARS, **given}
    return tokens.mint(issuer, actor=actor, role=role, tournament=tournament, **given)
