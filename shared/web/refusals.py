"""The refusals of the edge, and its table of problems. No Flask: any layer may raise these.

A kind of problem has a code, an HTTP status, a title and advice. A service adds tables of the same form
(`Backend.problems`); each code is in one table only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from shared.refusals import Fault, Refusal

NOT_FOUND, UNPROCESSABLE = 404, 422


class Kind(NamedTuple):
    """A kind of problem. status: HTTP status. title: the same for every occurrence. about: advice for a person.

    names: for the status 404, the part of the address that is unknown, such as `venue`. If the body or the query named
    the unknown thing instead, the address exists and the status is 422.
    """

    status: int
    title: str
    about: str = ""
    names: str = ""

    def for_request(self, parts: Collection[str], faults: Iterable[Fault]) -> Kind:
        """Return the kind with its status for a request.

        parts: the parameters of the address. faults: the faults of the refusal.
        """
        places = [fault.where for fault in faults]
        if not self.names or not places or (self.names in parts and f"/{self.names}" in places):
            return self
        return self._replace(status=UNPROCESSABLE)

    def status_for(self, parts: Collection[str], *, takes_more: bool) -> int:
        """Return the status that an operation documents. takes_more: the operation takes a body or a query."""
        sent = self.names and takes_more and self.names not in parts
        return UNPROCESSABLE if sent else self.status


LONGEST_DETAIL = 2000
"""Longest detail in characters, because it may repeat values of the request."""

Table = Mapping[str, tuple[int, str] | tuple[int, str, str] | tuple[int, str, str, str]]

# fmt: off
EDGE: Table = MappingProxyType({
    "bad-request": (400, "The request cannot be read",
        "The HTTP request itself is broken. `detail` says where."),
    "malformed-json": (400, "The body is not JSON",
        "`data.line` and `data.column` (both from 1) say where reading stopped. JSON is UTF-8 without a BOM."),
    "incomplete-body": (400, "The body ended too early",
        "Fewer bytes arrived than the request announced, and nothing was done. Send it again, with the same "
        "Idempotency-Key."),
    "duplicate-member": (400, "A member occurs twice in one object", "`errors` points at the member. Send it once."),
    "invalid-idempotency-key": (400, "The Idempotency-Key cannot be used",
        "Give 1 to 128 visible ASCII characters, for example a UUID, and a new one for each new command."),
    "invalid-cursor": (400, "The cursor is not one of this list",
        "Take `after` unchanged from `next` of the previous page, or leave it out to begin at the start."),
    "malformed-seen": (400, "The Muster-Seen header cannot be read",
        "Send back the Muster-Seen header of an earlier answer unchanged: `registration=12, pairing=4`."),
    "implausible-seen": (400, "Muster-Seen names events that no log has",
        "`errors` says how many events each log can have. Send the header of an answer about this tournament, or "
        "leave it out."),
    "unauthenticated": (401, "The request carries no valid token",
        "Send `Authorization: Bearer <token>`. A player's own link carries its token as `?token=`, for reading only."),
    "token-expired": (401, "The token has expired",
        "Ask an organiser of the tournament for a new one."),
    "token-not-yet-valid": (401, "The token is not valid yet",
        "`data.good_from` says when it becomes valid, in seconds since 1970. If that moment has passed, a clock is"
        " wrong."),
    "token-revoked": (401, "The token was revoked",
        "An organiser or the operator revoked this token. Ask for a new one."),
    "token-narrowed": (403, "The token does not allow this",
        "`data` says what it allows: reading only, or events of some types, which GET /log and the log of a "
        "tournament hand out."),
    "forbidden": (403, "This role may not do this",
        "`data.roles` lists the roles that may. Ask someone who has one of them."),
    "wrong-tournament": (403, "The token is for another tournament",
        "A token is valid in one tournament. Use the one that you were given for this tournament."),
    "not-your-tournament": (403, "Another organiser leads this tournament",
        "With a token for all tournaments an organiser leads those that they announced. Ask its organiser, or an "
        "operator, to appoint you; the appointment comes with a token for this tournament."),
    "not-found": (404, "There is nothing at this address",
        "Every address of this service is listed under /docs."),
    "method-not-allowed": (405, "This address does not accept this method",
        "The header `Allow` lists the methods that it accepts."),
    "not-acceptable": (406, "Not available in the form asked for",
        "`data.types` lists the media types of this answer. A problem is always `application/problem+json`."),
    "quota-reached": (409, "The quota is used up",
        "`data` says what is counted and for whom, the maximum (`limit`) and how much there is (`used`). Staff "
        "have larger quotas than players and guests: ask them."),
    "beacon-awaited": (409, "The draw waits for the public beacon",
        "Repeat the command after `Retry-After` seconds."),
    "precondition-failed": (412, "It has changed since you read it",
        "Read the resource again, look at what changed, and repeat the command with the new ETag (`data.etag`)."),
    "too-large": (413, "The body is too large",
        "`data.limit` is the largest body that is accepted here, in bytes. Send a long list in several parts."),
    "unsupported-media-type": (415, "The body has the wrong media type",
        "Send `Content-Type: application/json`, or `text/csv` for a file of players, and everything in UTF-8."),
    "invalid-request": (422, "The request is not valid",
        "`errors` lists every fault: `where` as a JSON pointer, what was said, and what is expected, as a `code` with "
        "its `data` and as a sentence."),
    "idempotency-key-reused": (422, "The Idempotency-Key was used for another request",
        "A key identifies one request. Repeat that request unchanged, or choose a new key."),
    "too-many-requests": (429, "Too many requests",
        "Wait as many seconds as `Retry-After` says."),
    "internal-error": (500, "Something went wrong on our side",
        "Tell the operator the `request_id`. You can repeat a command with its Idempotency-Key: it takes effect at"
        " most once."),
    "unavailable": (503, "Not available at the moment",
        "Something that this service needs does not answer. Repeat the request after `Retry-After` seconds; repeat"
        " a command with its Idempotency-Key."),
    "behind-own-copies": (503, "The service has lost events that its peers hold",
        "Nothing was appended. An operator has to run `muster recover`; then repeat the request with the same "
        "Idempotency-Key."),
    "schema-outdated": (503, "The database has not been upgraded yet",
        "The operator runs `python -m deploy.migrate`; nothing needs a restart. Repeat the request after `Retry-"
        "After` seconds; repeat a command with its Idempotency-Key."),
    "log-unreadable": (503, "A log of this tournament cannot be read",
        "`data.event` names the event. An operator's GET /readyz says what repairs it: an upgrade, or `muster "
        "recopy`."),
    "not-yet-seen": (503, "The service has not read that far yet",
        "You know something from another service that has not reached this one. Repeat the request after `Retry-"
        "After` seconds."),
})
# fmt: on

HTTP_CODES: Mapping[int, str] = MappingProxyType(
    {
        400: "bad-request",
        401: "unauthenticated",
        403: "forbidden",
        404: "not-found",
        405: "method-not-allowed",
        406: "not-acceptable",
        412: "precondition-failed",
        413: "too-large",
        415: "unsupported-media-type",
        422: "invalid-request",
        429: "too-many-requests",
        503: "unavailable",
    }
)
"""HTTP status of a Flask or Werkzeug error -> problem code; others: bad-request below 500, else internal-error."""


def problem_members(code: str, kind: Kind, detail: str, request_id: str) -> dict[str, object]:
    """Return the members that every problem has."""
    return {
        "type": f"/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail if len(detail) <= LONGEST_DETAIL else detail[: LONGEST_DETAIL - 1] + "…",
        "code": code,
        "request_id": request_id,
    }


def merge(tables: Iterable[Table]) -> dict[str, Kind]:
    """Return the tables of the edge and of a service as one.

    Raises ValueError if a code is in two tables, is not kebab-case, or has no error status.
    """
    joined: dict[str, Kind] = {}
    for table in (EDGE, *tables):
        for code, entry in table.items():
            kind = Kind(*entry)
            if code in joined:
                raise ValueError(f"the problem code {code!r} is in two tables")
            if not code.replace("-", "a").isalnum() or code != code.lower():
                raise ValueError(f"the problem code {code!r} is not kebab-case")
            if not 400 <= kind.status <= 599:
                raise ValueError(f"the problem code {code!r} has the status {kind.status}: 400 to 599 expected")
            if kind.names and kind.status != NOT_FOUND:
                raise ValueError(f"the problem code {code!r} names a part of addresses, and is no {NOT_FOUND}")
            joined[code] = kind
    return joined


class Unauthenticated(Refusal):
    """No token, or a token that was not signed by a known key."""

    code = "unauthenticated"


class TokenExpired(Refusal):
    """The token has expired."""

    code = "token-expired"


class TokenNotYetValid(Refusal):
    """The token is not valid yet (`nbf`)."""

    code = "token-not-yet-valid"


class TokenRevoked(Refusal):
    """The token was revoked by an event of the tournament or of the installation."""

    code = "token-revoked"


class TokenNarrowed(Refusal):
    """The token does not cover this request, although its role may do it; data: `reading` or `types`."""

    code = "token-narrowed"


class Forbidden(Refusal):
    """The role of the caller may not do this."""

    code = "forbidden"


class WrongTournament(Refusal):
    """The token is for another tournament."""

    code = "wrong-tournament"


class NotYourTournament(Refusal):
    """Another organiser announced the tournament; a token for all tournaments covers only the organiser's own."""

    code = "not-your-tournament"


class IncompleteBody(Refusal):
    """The body is shorter than Content-Length; data: `announced`, `received`."""

    code = "incomplete-body"


class MalformedJson(Refusal):
    """The body is not JSON; data: `line`, `column`."""

    code = "malformed-json"


class DuplicateMember(Refusal):
    """An object of the body names a member twice; JSON parsers disagree on which one counts."""

    code = "duplicate-member"


class UnsupportedMediaType(Refusal):
    """The media type of the body is not accepted, or its charset is not UTF-8."""

    code = "unsupported-media-type"


class NotAcceptable(Refusal):
    """The Accept header allows none of the media types of the answer; data: `types`."""

    code = "not-acceptable"


class InvalidRequest(Refusal):
    """The members of the request are invalid; `faults` lists every fault."""

    code = "invalid-request"


class InvalidIdempotencyKey(Refusal):
    """The Idempotency-Key is empty, too long or not visible ASCII."""

    code = "invalid-idempotency-key"


class IdempotencyKeyReused(Refusal):
    """The Idempotency-Key was used for another request before."""

    code = "idempotency-key-reused"


class PreconditionFailed(Refusal):
    """The resource is not at the version in If-Match; data: `etag`, the current one."""

    code = "precondition-failed"


class InvalidCursor(Refusal):
    """The cursor was not issued by this list."""

    code = "invalid-cursor"


class MalformedSeen(Refusal):
    """The Muster-Seen header cannot be read."""

    code = "malformed-seen"


class ImplausibleSeen(Refusal):
    """Muster-Seen names positions that no log has; data: `have`, the positions that this service has read."""

    code = "implausible-seen"


class LogUnreadable(Refusal):
    """A log of this tournament has a damaged or unfoldable event; data: `event`, its id."""

    code = "log-unreadable"


class SchemaOutdated(Refusal):
    """The schema of the database is older than this code needs; data: `retry_after` in seconds."""

    code = "schema-outdated"


class NotYetSeen(Refusal):
    """This service has not yet read as far as Muster-Seen asks; data: `retry_after` in whole seconds."""

    code = "not-yet-seen"


class QuotaReached(Refusal):
    """A quota of a tournament is used up; data: `quota`, `of`, `limit`, `used`, `asked`."""

    code = "quota-reached"


class TooManyRequests(Refusal):
    """The caller's allowance is used up; data: `retry_after` in whole seconds."""

    code = "too-many-requests"
