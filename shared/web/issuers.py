"""Who signs tokens, and what each of them may say: a key is good for its purpose and for nothing else.

`tickets` is registration's key, for people of one tournament. `installation` is the key of whoever runs Muster: for
operators, integrations, and whatever else the command line is asked for; no service holds it. Each service signs, with
the key that vouches for its events, that it is itself. So a key that leaks is worth what its purpose is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.roles import EVERY_TOURNAMENT, OPERATOR, ROLES, SERVICE
from shared.secret_keys import INSTALLATION, TICKETS
from shared.signing_keys import KID, SigningKey

_TICKETS = frozenset(ROLES) - {OPERATOR, SERVICE}
_INSTALLATION = frozenset(ROLES) - {SERVICE}


@dataclass(frozen=True, slots=True)
class Issuer:
    """A private key and what it is for: `tickets`, `installation`, or the name of a service."""

    purpose: str
    key: SigningKey

    @property
    def kid(self) -> str:
        """How tokens name the key: `<purpose>/<kid>`."""
        return f"{self.purpose}/{self.key.kid}"


def key_named(kid: object) -> tuple[str, str]:
    """Purpose and name of the key that a token names; two empty texts where it names none."""
    purpose, slash, name = kid.partition("/") if isinstance(kid, str) else ("", "", "")
    return (purpose, name) if slash and KID.fullmatch(name) else ("", "")


def overreach(purpose: str, actor: str, role: str, tournament: str) -> str:
    """What a key of this purpose may not do for somebody; empty where it may."""
    if purpose in (TICKETS, INSTALLATION):
        if role not in (_TICKETS if purpose == TICKETS else _INSTALLATION):
            return f"sign for the role {role}"
        return "sign for every tournament" if purpose == TICKETS and tournament == EVERY_TOURNAMENT else ""
    itself = role == SERVICE and actor == purpose and tournament == EVERY_TOURNAMENT
    return "" if itself else f"sign for anybody but {purpose} itself"
