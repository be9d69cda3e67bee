"""Signed tokens: actor, role, tournament and validity of a caller. No Flask, no clock of its own.

A token is a JWT signed with EdDSA (Ed25519), so verification needs only public keys. Claims:

- sub: the actor. role. tournament: an id, or `*` for all. player, venue: if they apply.
- via: another person who received the player's link, with `how` and `by` as in events.
- jti: the id that a revocation names. iat, exp, nbf (optional): whole seconds since 1970.
- after_end: days that the token stays valid after the end of the event. types: the event types that it may read.
  reading: true for a read-only token.

`kid` in the header names the key as `<purpose>/<name>`, and each key is valid only for its purpose, which limits the
damage of a leaked key:

- `tickets`, held by registration: people of one tournament, and organisers at the request of an operator.
- `installation`, held by the operator and by no service: operators, organisers and integrations.
- the name of a service: that service itself, with the key that also signs its events.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shared.keys import INSTALLATION, KID, TICKETS, PublicKeys, SigningKey
from shared.roles import EVERY_TOURNAMENT, ISSUED, OPERATOR, ORGANISER, PLAYER, ROLES, SERVICE, Role, Via
from shared.web.refusals import TokenExpired, TokenNotYetValid, Unauthenticated

_TICKETS = frozenset(ROLES) - {OPERATOR, SERVICE}
BY_INSTALLATION = frozenset(ROLES) - ISSUED - {SERVICE}
"""The roles that the installation's key signs for."""
LONGEST_TOKEN = 2048
REMEMBERED = 32_768
"""Verified tokens that a process caches, about 1 KB each: more than a large event has players."""
ALGORITHM = "EdDSA"
# Times are checked at every use, because a token may be cached longer than it is valid.
_OPTIONS: Any = {
    "require": ["sub", "jti", "iat", "exp"],
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
}


@dataclass(frozen=True, slots=True)
class Issuer:
    """A private key and its purpose: `tickets`, `installation`, or the name of a service."""

    purpose: str
    key: SigningKey

    @property
    def kid(self) -> str:
        """The `kid` of the key in tokens: `<purpose>/<name>`."""
        return f"{self.purpose}/{self.key.kid}"


def key_named(kid: object) -> tuple[str, str]:
    """Return purpose and name of a key from its `kid`; two empty strings if it is invalid."""
    purpose, slash, name = kid.partition("/") if isinstance(kid, str) else ("", "", "")
    return (purpose, name) if slash and KID.fullmatch(name) else ("", "")


def key_violation(purpose: str, actor: str, role: str, tournament: str) -> str:
    """Return what a key of this purpose may not do for an actor; empty if it may."""
    if purpose in (TICKETS, INSTALLATION):
        if role not in (_TICKETS if purpose == TICKETS else BY_INSTALLATION):
            return f"sign for the role {role}"
        wide = purpose == TICKETS and tournament == EVERY_TOURNAMENT and role != ORGANISER
        return "sign for every tournament" if wide else ""
    is_itself = role == SERVICE and actor == purpose and tournament == EVERY_TOURNAMENT
    return "" if is_itself else f"sign for anybody but {purpose} itself"


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller that a token names. tournament: an id or `*`. player: set for players only.

    via: another person who received the player's link. signed_by: the purpose of the key.
    begins, expires: the validity, in seconds since 1970; begins None: no start. after_end: days that the token stays
    valid after the end of the event; None: the end does not matter.
    types: event types that the token may read; empty: all. reading: the token gives no commands.
    """

    actor: str
    role: Role
    tournament: str
    jti: str
    player: str | None = None
    venue: str | None = None
    expires: int = 0
    begins: int | None = None
    via: Via | None = None
    signed_by: str = ""
    after_end: int | None = None
    types: tuple[str, ...] = ()
    reading: bool = False


def mint(
    issuer: Issuer,
    *,
    actor: str,
    role: str,
    tournament: str,
    jti: str,
    iat: int,
    exp: int,
    player: str | None = None,
    venue: str | None = None,
    via: Via | None = None,
    after_end: int | None = None,
    types: Sequence[str] = (),
    reading: bool = False,
) -> str:
    """Sign a token. The same arguments give the same token, so that a repeated command answers the same link.

    iat, exp: seconds since 1970. via: another person who receives the player's link.
    Raises ValueError for an unknown role, a player who is not the actor, an empty claim, an end before the start, and
    for a caller that the key may not sign for.
    """
    if role not in ROLES:
        raise ValueError(f"the role {role!r} is none of {', '.join(ROLES)}")
    if role == PLAYER and player != actor:
        raise ValueError("a player's token names the player, who is its actor")
    if not (actor and tournament and jti):
        raise ValueError("actor, tournament and jti must not be empty")
    if exp <= iat:
        raise ValueError(f"a token issued at {iat} cannot end at {exp}")
    if violation := key_violation(issuer.purpose, actor, role, tournament):
        raise ValueError(f"the key {issuer.kid} may not {violation}")
    claims: dict[str, Any] = {"sub": actor, "role": role, "tournament": tournament, "jti": jti, "iat": iat, "exp": exp}
    optional = {
        "player": player,
        "venue": venue,
        "via": msgspec.to_builtins(via),
        "after_end": after_end,
        "types": list(types) or None,
        "reading": reading or None,
    }
    claims.update({name: value for name, value in optional.items() if value is not None})
    token = jwt.encode(claims, _private(issuer.key.seed), algorithm=ALGORITHM, headers={"kid": issuer.kid})
    if len(token) > LONGEST_TOKEN:
        raise ValueError(f"the token would have {len(token)} characters; at most {LONGEST_TOKEN} are read")
    return token


@lru_cache(maxsize=8)
def _private(seed: bytes) -> Ed25519PrivateKey:
    """Return the private key; deriving it takes as long as signing."""
    return Ed25519PrivateKey.from_private_bytes(seed)


class Verifier:
    """Verifies tokens, with a cache: a process checks each signature once, and the times at every use.

    keys: purpose -> name -> public key. clock: returns seconds since 1970. remembered: size of the cache; the oldest
    token is dropped first.
    """

    def __init__(
        self, keys: PublicKeys, *, clock: Callable[[], float] = time.time, remembered: int = REMEMBERED
    ) -> None:
        if not any(keys.values()):
            raise ValueError("at least one token key is needed")
        self._keys = {
            (purpose, kid): Ed25519PublicKey.from_public_bytes(public)
            for purpose, named in keys.items()
            for kid, public in named.items()
        }
        self._clock = clock
        self._remembered = remembered
        self._known: dict[str, Caller] = {}
        self._lock = threading.Lock()

    def verify(self, token: str) -> Caller:
        """Return the caller that a token names.

        Raises Unauthenticated if the signature is invalid, the key may not sign for this caller, or a claim is missing;
        TokenNotYetValid, TokenExpired.
        """
        caller = self._known.get(token)
        if caller is None:
            caller = self._decode(token)
            with self._lock:
                while len(self._known) >= self._remembered:
                    del self._known[next(iter(self._known))]
                self._known[token] = caller
        if self._clock() >= caller.expires:
            raise TokenExpired("The token has expired.", expired_at=caller.expires)
        if caller.begins is not None and self._clock() < caller.begins:
            raise TokenNotYetValid("The token is not valid yet.", good_from=caller.begins)
        return caller

    def _decode(self, token: str) -> Caller:
        if len(token) > LONGEST_TOKEN or not token.isascii():
            raise Unauthenticated("Muster did not issue this token.")
        try:
            named = _key_named_in(token.partition(".")[0])
            if named not in self._keys:
                raise Unauthenticated(
                    "The token was signed with a key that is not in use here: another installation's, or retired."
                )
            claims = jwt.decode(token, self._keys[named], algorithms=[ALGORITHM], options=_OPTIONS)
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Unauthenticated("The token is damaged, or was signed by another installation.") from error
        caller = _caller(claims, named[0])
        if violation := key_violation(caller.signed_by, caller.actor, caller.role, caller.tournament):
            advice = " Use the token that the tournament issued." if caller.role in ISSUED else ""
            raise Unauthenticated(
                f"The token was signed with the key {'/'.join(named)}, which may not {violation}.{advice}"
            )
        return caller


@lru_cache(maxsize=64)  # at least the number of keys: all tokens of one key have the same header
def _key_named_in(header: str) -> tuple[str, str]:
    return key_named(jwt.get_unverified_header(f"{header}..").get("kid"))


def _caller(claims: Mapping[str, Any], signed_by: str) -> Caller:
    texts = [claims.get(name) for name in ("sub", "role", "tournament", "jti")]
    extras = [claims.get(name) for name in ("player", "venue")]
    times = [claims.get(name) for name in ("iat", "exp")]
    begins, after_end = claims.get("nbf"), claims.get("after_end")
    types, reading = claims.get("types", []), claims.get("reading", False)
    if (
        not all(isinstance(text, str) and text for text in texts)
        or not all(extra is None or isinstance(extra, str) for extra in extras)
        or texts[1] not in ROLES
        or (texts[1] == PLAYER and extras[0] != texts[0])
        or not all(type(moment) is int for moment in times)
        or not all(number is None or type(number) is int for number in (begins, after_end))
        or not (isinstance(types, list) and all(isinstance(name, str) for name in types))
        or type(reading) is not bool
    ):
        raise Unauthenticated("The token does not say who it is for.")
    try:
        via = msgspec.convert(claims.get("via"), Via | None)
    except msgspec.ValidationError as error:
        raise Unauthenticated("The token does not say who else received it.") from error
    actor, role, tournament, jti = texts
    player, venue = extras
    return Caller(
        actor,  # type: ignore[arg-type]
        role,  # type: ignore[arg-type]
        tournament,  # type: ignore[arg-type]
        jti,  # type: ignore[arg-type]
        player,
        venue,
        expires=times[1],  # type: ignore[arg-type]
        begins=begins,
        via=via,
        signed_by=signed_by,
        after_end=after_end,
        types=tuple(types),
        reading=reading,
    )
