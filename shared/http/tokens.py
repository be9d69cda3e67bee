"""Signed tokens: who asks, in which tournament, in which role. No Flask, no clock of its own.

A token is a JWT signed with HS256. Claims: sub (actor), role, tournament (id, or `*` for every one), player and
venue (where they apply), jti (what a revocation names), iat, nbf and exp (optional), times in whole seconds since 1970.
Of the token keys of an installation (`settings.token_keys`) the first signs and all verify, so that a key is
replaced without a gap.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import jwt

from shared.http.refusals import TokenExpired, TokenNotYetValid, Unauthenticated
from shared.secret_keys import KEY_BYTES, TokenKey

OPERATOR = "operator"
ORGANISER = "organiser"
HEAD_REFEREE = "head_referee"
REFEREE = "referee"
PLAYER = "player"
SPARE = "spare"
INTEGRATION = "integration"
SERVICE = "service"

ROLES: Mapping[str, str] = MappingProxyType(
    {
        OPERATOR: "runs the installation; lets organisers announce tournaments",
        ORGANISER: "runs a tournament",
        HEAD_REFEREE: "decides what referees dispute; closes rounds",
        REFEREE: "takes and corrects results, rules on the floor",
        PLAYER: "plays; reports and confirms own games",
        SPARE: "plays against whoever would have none",
        INTEGRATION: "reads events and public answers from outside",
        SERVICE: "one Muster service reading the log of another",
    }
)

STAFF = frozenset({ORGANISER, HEAD_REFEREE, REFEREE})
LINKED = frozenset({PLAYER, SPARE})
"""Roles whose token may come as a link (`?token=`), on GET only."""

EVERY_TOURNAMENT = "*"
LONGEST_TOKEN = 2048

TokenKeys = Sequence[TokenKey]

# Times are compared at every use, for a token may be remembered for longer than it is good.
_OPTIONS: Any = {
    "require": ["sub", "jti", "iat"],
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. tournament: an id or `*`; player: only for players.

    begins, expires: from and until when the token is good, in seconds since 1970; None for always and never.
    """

    actor: str
    role: str
    tournament: str
    jti: str
    player: str | None = None
    venue: str | None = None
    expires: int | None = None
    begins: int | None = None


def mint(
    keys: TokenKeys,
    *,
    actor: str,
    role: str,
    tournament: str,
    jti: str,
    iat: int,
    player: str | None = None,
    venue: str | None = None,
    exp: int | None = None,
) -> str:
    """Sign a token. The same arguments give the same token, so that a repeated command gives the same link.

    keys: the first signs. iat, exp: seconds since 1970; exp None: no end.
    Raises ValueError for an unknown role, a player without a player id, an empty claim, or an end before the start.
    """
    check_keys(keys)
    if role not in ROLES:
        raise ValueError(f"the role {role!r} is none of {', '.join(ROLES)}")
    if role == PLAYER and not player:
        raise ValueError("a player's token names the player")
    if not (actor and tournament and jti):
        raise ValueError("actor, tournament and jti must not be empty")
    if exp is not None and exp <= iat:
        raise ValueError(f"a token issued at {iat} cannot end at {exp}")
    claims: dict[str, Any] = {"sub": actor, "role": role, "tournament": tournament, "jti": jti, "iat": iat}
    optional = {"player": player, "venue": venue, "exp": exp}
    claims.update({name: value for name, value in optional.items() if value is not None})
    token = jwt.encode(claims, keys[0].secret, algorithm="HS256", headers={"kid": keys[0].kid})
    if len(token) > LONGEST_TOKEN:
        raise ValueError(f"the token would have {len(token)} characters; at most {LONGEST_TOKEN} are read")
    return token


def check_keys(keys: TokenKeys) -> None:
    """Raise ValueError for no key, a kid used twice, or a secret shorter than 32 bytes (RFC 7518, 3.2)."""
    if not keys:
        raise ValueError("at least one token key is needed")
    if len({key.kid for key in keys}) != len(keys):
        raise ValueError("two token keys have the same kid")
    for key in keys:
        if len(key.secret) < KEY_BYTES:
            raise ValueError(f"the token key {key.kid!r} is shorter than {KEY_BYTES} bytes")


class Verifier:
    """Reads tokens, and remembers the good ones for a while: a signature is checked once a process, the times always.

    clock: seconds since 1970. remembered: how many tokens are kept; the oldest goes first.
    """

    def __init__(self, keys: TokenKeys, *, clock: Callable[[], float] = time.time, remembered: int = 4096) -> None:
        check_keys(keys)
        self._secrets = {key.kid: key.secret for key in keys}
        self._clock = clock
        self._remembered = remembered
        self._known: dict[str, Caller] = {}
        self._lock = threading.Lock()

    def verify(self, token: str) -> Caller:
        """Say who holds a token.

        Raises Unauthenticated when nobody here signed it or a claim is missing, TokenNotYetValid before its beginning,
        TokenExpired after its end.
        """
        caller = self._known.get(token)
        if caller is None:
            caller = self._read(token)
            with self._lock:
                while len(self._known) >= self._remembered:
                    del self._known[next(iter(self._known))]
                self._known[token] = caller
        if caller.expires is not None and self._clock() >= caller.expires:
            raise TokenExpired("The token has expired.", expired_at=caller.expires)
        if caller.begins is not None and self._clock() < caller.begins:
            raise TokenNotYetValid("The token is not good yet.", good_from=caller.begins)
        return caller

    def _read(self, token: str) -> Caller:
        if len(token) > LONGEST_TOKEN or not token.isascii():
            raise Unauthenticated("The token is not one of ours.")
        try:
            secret = self._secrets.get(jwt.get_unverified_header(token).get("kid", ""))
            if secret is None:
                raise Unauthenticated("The token was signed with a key that is not, or no longer, in use.")
            claims = jwt.decode(token, secret, algorithms=["HS256"], options=_OPTIONS)
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Unauthenticated("The token is damaged, or was not signed here.") from error
        return _caller(claims)


def _caller(claims: Mapping[str, Any]) -> Caller:
    texts = [claims.get(name) for name in ("sub", "role", "tournament", "jti")]
    extras = [claims.get(name) for name in ("player", "venue")]
    times = [claims.get(name) for name in ("iat", "exp", "nbf")]
    if (
        not all(isinstance(text, str) and text for text in texts)
        or not all(extra is None or isinstance(extra, str) for extra in extras)
        or texts[1] not in ROLES
        or (texts[1] == PLAYER and not extras[0])
        or not all(time is None or type(time) is int for time in times)
    ):
        raise Unauthenticated("The token does not say who it is for.")
    actor, role, tournament, jti = texts
    return Caller(actor, role, tournament, jti, extras[0], extras[1], times[1], times[2])  # type: ignore[arg-type]
