"""Who asks, and whether they may. Tokens come as `Authorization: Bearer`, a player's also as a link (`?token=`)."""

from __future__ import annotations

from collections.abc import Collection

from shared.roles import EVERY_TOURNAMENT, LINKED, OPERATOR, SERVICE
from shared.web.current import EdgeRequest, this_edge, this_request
from shared.web.refusals import Forbidden, TokenNarrowed, TokenRevoked, Unauthenticated, WrongTournament
from shared.web.tokens import Caller, Verifier


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


def holder_of(token: str) -> Caller:
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


def require_everywhere(roles: Collection[str], otherwise: str = "This concerns every tournament.") -> Caller:
    """Return who asks, provided they have one of the roles in every tournament.

    otherwise: what the bearer of a token of one tournament is told.
    Raises as `require`, and WrongTournament for a token of one tournament.
    """
    who = require(roles)
    if who.tournament != EVERY_TOURNAMENT:
        raise WrongTournament(otherwise, tournament=who.tournament)
    return who


def watches() -> bool:
    """Whether who asks runs the installation: an operator, or a service. Raises as `caller_or_none`."""
    who = caller_or_none()
    return who is not None and who.role in (OPERATOR, SERVICE) and who.tournament == EVERY_TOURNAMENT


def _good_for(request: EdgeRequest, who: Caller) -> Caller:
    _keep_narrow(request, who)
    if this_edge().is_revoked(who):
        raise TokenRevoked("The token was revoked by whoever runs this installation.")
    return who


def _keep_narrow(request: EdgeRequest, who: Caller) -> None:
    """Raises TokenNarrowed where a token is for less than its role may do."""
    if who.reading and request.method not in ("GET", "HEAD"):
        raise TokenNarrowed(f"This token is for reading alone; {request.method} takes another.", reading=True)
    if who.types and not request.edge.events:
        named = ", ".join(who.types)
        raise TokenNarrowed(f"This token reads events alone, of these types: {named}.", types=list(who.types))


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
        raise Unauthenticated("A token in the address is taken for reading only; send it as `Authorization: Bearer`.")
    who = verifier.verify(linked)
    if who.role not in LINKED:
        raise Unauthenticated("Only a player's token is taken in an address; send this one as `Authorization: Bearer`.")
    return who
