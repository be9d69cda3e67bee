"""Checks before a view runs, in this order: the caller, the media type of the answer, the query.

Tokens are sent as `Authorization: Bearer`; a player's token also as a link (`?token=`). In Accept (RFC 9110, 12.5.1)
the most specific range decides, and a quality of 0 excludes a type. Media type parameters (`;charset=…`, `;version=…`)
are ignored, because no answer exists in two versions that differ only in a parameter. Problems ignore Accept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from shared.refusals import Fault, expects, one_of, to_short_json
from shared.roles import EVERY_TOURNAMENT, LINKED, OPERATOR, SERVICE
from shared.web.body import PREVIEW, common_parameters, raise_invalid
from shared.web.refusals import Forbidden, NotAcceptable, TokenNarrowed, TokenRevoked, Unauthenticated, WrongTournament
from shared.web.request import EdgeRequest, this_edge, this_request
from shared.web.tokens import Caller, Verifier

View = TypeVar("View", bound=Callable[..., Any])

JSON_ALONE = ("application/json",)
PREVIEW_VALUES = ("true", "false")

ANYTHING = frozenset({"*/*", "application/json"})
"""The usual values of Accept; both accept JSON."""

_SHORT_QUALITY = re.compile(r"(;\s*q)=\.", re.IGNORECASE)
"""A quality without its leading zero, as older Java clients send it."""


def require_caller() -> Caller:
    """Return the caller.

    Raises Unauthenticated (missing or foreign token), TokenExpired, TokenNotYetValid, TokenNarrowed (the token does not
    cover this request) and TokenRevoked.
    """
    caller = caller_or_none()
    if caller is None:
        raise Unauthenticated("This needs a token: `Authorization: Bearer <token>`.")
    return caller


def caller_or_none() -> Caller | None:
    """Return the caller, None without a token. Raises the exceptions of `require_caller` for an invalid token."""
    request = this_request()
    if request.edge.caller is None:
        caller = _verified_caller(request, this_edge().verifier)
        request.edge.caller = _require_covered(request, caller) if caller else None
    return request.edge.caller


def caller_of_token(token: str) -> Caller:
    """Return the caller that a token in a body names. Raises the exceptions of `require_caller`."""
    return _require_covered(this_request(), this_edge().verifier.verify(token))


def require(roles: Collection[str], tournament: str | None = None) -> Caller:
    """Return the caller if they have one of the roles in the tournament. tournament: None accepts any.

    Raises the exceptions of `require_caller`, WrongTournament, and Forbidden with the roles that are allowed.
    """
    caller = require_caller()
    if tournament is not None and caller.tournament not in (tournament, EVERY_TOURNAMENT):
        raise WrongTournament(
            f"The token is for the tournament {caller.tournament}, and this is {tournament}.",
            tournament=caller.tournament,
        )
    if caller.role not in roles:
        allowed = sorted(roles)
        raise Forbidden(
            f"The role {caller.role} may not do this; these may: {', '.join(allowed)}.", role=caller.role, roles=allowed
        )
    return caller


def require_everywhere(roles: Collection[str], otherwise: str = "This is about all tournaments.") -> Caller:
    """Return the caller if they have one of the roles in every tournament.

    otherwise: the refusal text for a token of one tournament.
    Raises the exceptions of `require`, and WrongTournament for a token of one tournament.
    """
    caller = require(roles)
    if caller.tournament != EVERY_TOURNAMENT:
        raise WrongTournament(otherwise, tournament=caller.tournament)
    return caller


def is_operator() -> bool:
    """Return True if the caller is an operator or a service. Raises the exceptions of `caller_or_none`."""
    caller = caller_or_none()
    return caller is not None and caller.role in (OPERATOR, SERVICE) and caller.tournament == EVERY_TOURNAMENT


def _require_covered(request: EdgeRequest, caller: Caller) -> Caller:
    """Return the caller. Raises TokenNarrowed if the token does not cover this request, and TokenRevoked."""
    if caller.reading and request.method not in ("GET", "HEAD"):
        raise TokenNarrowed(f"This token is for reading only; {request.method} needs another one.", reading=True)
    if caller.types and not request.edge.events:
        named = ", ".join(caller.types)
        raise TokenNarrowed(f"This token can only read events, of these types: {named}.", types=list(caller.types))
    if this_edge().is_revoked(caller):
        raise TokenRevoked("The operator of this installation has revoked the token.")
    return caller


def _verified_caller(request: EdgeRequest, verifier: Verifier) -> Caller | None:
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Unauthenticated("The header Authorization is not `Bearer <token>`.")
        return verifier.verify(token.strip())
    if "token=" not in request.environ.get("QUERY_STRING", ""):
        return None
    linked = request.args.get("token")
    if linked is None:
        return None
    if request.method not in ("GET", "HEAD"):
        raise Unauthenticated(
            "A token in the address is accepted for reading only; send it as `Authorization: Bearer`."
        )
    caller = verifier.verify(linked)
    if caller.role not in LINKED:
        raise Unauthenticated(
            "Only a player's token is accepted in an address; send this one as `Authorization: Bearer`."
        )
    return caller


@dataclass(frozen=True, slots=True)
class RequestChecks:
    """The checks of one operation.

    roles: the roles allowed; None: everyone. within: the part of the address that names the token's tournament;
    EVERY_TOURNAMENT: a token of one tournament is not enough; None: it is.
    types: the media types of the answer. bare: the operation takes no query and refuses one.
    events: the operation returns only events, filtered by what the token covers.
    previews: the operation is a command and takes `preview`.
    """

    roles: Collection[str] | None = None
    within: str | None = None
    types: Sequence[str] = JSON_ALONE
    bare: bool = True
    events: bool = False
    previews: bool = False

    def guard(self, view: View) -> View:
        """Return the view with these checks before it."""

        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            request = this_request()
            request.edge.events = self.events
            request.edge.for_roles = self.roles is not None and self.within not in (None, EVERY_TOURNAMENT)
            if self.roles is not None and self.within == EVERY_TOURNAMENT:
                require_everywhere(self.roles)
            elif self.roles is not None:
                require(self.roles, None if self.within is None else kwargs[self.within])
            request.edge.media = best_type(request.environ.get("HTTP_ACCEPT"), self.types)
            request.edge.several_media = len(self.types) > 1
            has_query = bool(request.environ.get("QUERY_STRING"))
            if self.previews:
                request.edge.preview = has_query and parse_preview(request)
            if self.bare and has_query:
                refuse_query(request)
            return view(*args, **kwargs)

        return cast(View, guarded)


def best_type(accept: str | None, types: Sequence[str]) -> str:
    """Return the media type to answer with: the most preferred one, or the first of several.

    accept: the header, None without one. Raises NotAcceptable with the available types.
    """
    best = _negotiate(accept, tuple(types))
    if best is None:
        fault = Fault("Accept", (accept or "")[:140], one_of(types))
        raise NotAcceptable(f"This answer is available as {' or '.join(types)}.", [fault], types=list(types))
    return best


@lru_cache(maxsize=512)
def _negotiate(accept: str | None, types: tuple[str, ...]) -> str | None:
    if accept is None or (accept in ANYTHING and types[0] == "application/json"):
        return types[0]
    parsed = parse_accept_header(_SHORT_QUALITY.sub(r"\1=0.", accept))
    ranges = [(value.partition(";")[0].strip(), quality) for value, quality in parsed]
    return MIMEAccept(ranges).best_match(types) if ranges else types[0]


def parse_preview(request: EdgeRequest) -> bool:
    """Return the query parameter `preview`. Raises InvalidRequest unless it is `true` or `false`, once."""
    values = request.args.getlist(PREVIEW)
    if any(value not in PREVIEW_VALUES for value in values) or len(values) > 1:
        written = to_short_json(values if len(values) > 1 else values[0])
        raise_invalid([Fault(f"/{PREVIEW}", written, expects("true-or-false-once"))])
    return values == ["true"]


def refuse_query(request: EdgeRequest) -> None:
    """Raise InvalidRequest for every query parameter of an operation that takes none, except the common ones."""
    common = common_parameters(request)
    faults = [
        Fault(f"/{name}", to_short_json(value), expects("no-query"))
        for name, value in request.args.items()
        if name not in common
    ]
    if faults:
        raise_invalid(faults)
