"""What is settled before a view runs, in this order: who asks, in which form they take the answer, what is queried.

Tokens come as `Authorization: Bearer`, a player's also as a link (`?token=`). Of the ranges of Accept (RFC 9110,
12.5.1) the most specific decides, and a quality of 0 refuses. Parameters (`;charset=…`, `;version=…`) are not looked
at: nothing here comes in two kinds that only a parameter tells apart. Problems are answered whatever was asked for.
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
"""What nearly every client sends; both take JSON."""

_SHORT = re.compile(r"(;\s*q)=\.", re.IGNORECASE)
"""A quality without its zero, as older Java clients send it of everything that they take."""


def caller() -> Caller:
    """Return who asks.

    Raises Unauthenticated without a token of ours, TokenExpired after its end, TokenNarrowed for what it is not for,
    TokenRevoked where the installation took it back.
    """
    found = caller_or_none()
    if found is None:
        raise Unauthenticated("This needs a token: `Authorization: Bearer <token>`.")
    return found


def caller_or_none() -> Caller | None:
    """Return who asks, None where no token came. Raises as `caller` for a token that is not good, or not for this."""
    request = this_request()
    if request.edge.caller is None:
        who = _read(request, this_edge().verifier)
        request.edge.caller = _good_for(request, who) if who else None
    return request.edge.caller


def caller_of_token(token: str) -> Caller:
    """Return whose a token in a body is. Raises as `caller`."""
    return _good_for(this_request(), this_edge().verifier.verify(token))


def require(roles: Collection[str], tournament: str | None = None) -> Caller:
    """Return who asks, provided they have one of the roles in the tournament (None: outside of any tournament).

    Raises as `caller`, WrongTournament, or Forbidden with the roles that may.
    """
    who = caller()
    wanted = who.tournament if tournament is None else tournament
    if who.tournament not in (wanted, EVERY_TOURNAMENT):
        raise WrongTournament(
            f"The token is for the tournament {who.tournament}, and this is {wanted}.", tournament=who.tournament
        )
    if who.role not in roles:
        may = sorted(roles)
        raise Forbidden(f"The role {who.role} may not do this; these may: {', '.join(may)}.", role=who.role, roles=may)
    return who


def require_everywhere(roles: Collection[str], otherwise: str = "This is about all tournaments.") -> Caller:
    """Return who asks, provided they have one of the roles in every tournament.

    otherwise: what the bearer of a token of one tournament is told.
    Raises as `require`, and WrongTournament for a token of one tournament.
    """
    who = require(roles)
    if who.tournament != EVERY_TOURNAMENT:
        raise WrongTournament(otherwise, tournament=who.tournament)
    return who


def is_operator() -> bool:
    """Whether who asks runs the installation: an operator, or a service. Raises as `caller_or_none`."""
    who = caller_or_none()
    return who is not None and who.role in (OPERATOR, SERVICE) and who.tournament == EVERY_TOURNAMENT


def _good_for(request: EdgeRequest, who: Caller) -> Caller:
    """Raises TokenNarrowed where a token is for less than its role may do, and TokenRevoked."""
    if who.reading and request.method not in ("GET", "HEAD"):
        raise TokenNarrowed(f"This token is for reading only; {request.method} needs another one.", reading=True)
    if who.types and not request.edge.events:
        named = ", ".join(who.types)
        raise TokenNarrowed(f"This token can only read events, of these types: {named}.", types=list(who.types))
    if this_edge().is_revoked(who):
        raise TokenRevoked("The operator of this installation has revoked the token.")
    return who


def _read(request: EdgeRequest, verifier: Verifier) -> Caller | None:
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
    who = verifier.verify(linked)
    if who.role not in LINKED:
        raise Unauthenticated(
            "Only a player's token is accepted in an address; send this one as `Authorization: Bearer`."
        )
    return who


@dataclass(frozen=True, slots=True)
class RequestChecks:
    """What one operation lets in.

    roles: None for everybody. within: the part of the address that names the tournament of the token, EVERY_TOURNAMENT
    where a token of one will not do, None where it will.
    types: the media types of its answer. bare: it takes no query, and refuses one. events: it hands out events alone,
    those that a token is for where it is for some. previews: it is a command, and takes `preview`.
    """

    roles: Collection[str] | None = None
    within: str | None = None
    types: Sequence[str] = JSON_ALONE
    bare: bool = True
    events: bool = False
    previews: bool = False

    def guard(self, view: View) -> View:
        """Return the view behind this door."""

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
            if self.previews:
                request.edge.preview = preview_wanted(request)
            if self.bare and request.environ.get("QUERY_STRING"):
                refuse_query(request)
            return view(*args, **kwargs)

        return cast(View, guarded)


def best_type(accept: str | None, types: Sequence[str]) -> str:
    """Return which of the media types to answer in: of those equally welcome the first.

    accept: the header, None where there is none. Raises NotAcceptable with the types that there are.
    """
    found = _best(accept, tuple(types))
    if found is None:
        fault = Fault("Accept", (accept or "")[:140], one_of(types))
        raise NotAcceptable(f"This answer is available as {' or '.join(types)}.", [fault], types=list(types))
    return found


@lru_cache(maxsize=512)
def _best(accept: str | None, types: tuple[str, ...]) -> str | None:
    if accept is None or (accept in ANYTHING and types[0] == "application/json"):
        return types[0]
    read = parse_accept_header(_SHORT.sub(r"\1=0.", accept))
    ranges = [(value.partition(";")[0].strip(), quality) for value, quality in read]
    return MIMEAccept(ranges).best_match(types) if ranges else types[0]


def preview_wanted(request: EdgeRequest) -> bool:
    """Whether a command is only to be shown. Raises InvalidRequest for what is neither `true` nor `false`."""
    said = request.args.getlist(PREVIEW) if request.environ.get("QUERY_STRING") else []
    if any(one not in PREVIEW_VALUES for one in said) or len(said) > 1:
        raise_invalid(
            [Fault(f"/{PREVIEW}", to_short_json(said if len(said) > 1 else said[0]), expects("true-or-false-once"))]
        )
    return said == ["true"]


def refuse_query(request: EdgeRequest) -> None:
    """Raise InvalidRequest where the address has a query, for what takes none; see `common_parameters`."""
    beside = common_parameters(request)
    faults = [
        Fault(f"/{name}", to_short_json(value), expects("no-query"))
        for name, value in request.args.items()
        if name not in beside
    ]
    if faults:
        raise_invalid(faults)
