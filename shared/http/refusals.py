"""What the edge itself refuses, by name. No Flask here: any layer may raise these."""

from __future__ import annotations

from shared.refusals import Refusal


class Unauthenticated(Refusal):
    """No token, or one that nobody here signed."""

    code = "unauthenticated"


class TokenExpired(Refusal):
    """The token was good until a moment that has passed."""

    code = "token-expired"


class TokenRevoked(Refusal):
    """The token was taken back by an event of the tournament."""

    code = "token-revoked"


class Forbidden(Refusal):
    """The caller is known, and this role may not do this."""

    code = "forbidden"


class WrongTournament(Refusal):
    """The token is for another tournament."""

    code = "wrong-tournament"


class MalformedJson(Refusal):
    """The body is not JSON; data tells line and column."""

    code = "malformed-json"


class UnsupportedMediaType(Refusal):
    """A command came as something other than application/json."""

    code = "unsupported-media-type"


class InvalidRequest(Refusal):
    """The request is JSON, and its members are not what they should be; faults lists all of them."""

    code = "invalid-request"


class InvalidIdempotencyKey(Refusal):
    """The Idempotency-Key is empty, too long or not visible ASCII."""

    code = "invalid-idempotency-key"


class IdempotencyKeyReused(Refusal):
    """The same Idempotency-Key came before with another request."""

    code = "idempotency-key-reused"


class PreconditionFailed(Refusal):
    """The resource is no longer at the version in If-Match; data tells the current ETag as `etag`."""

    code = "precondition-failed"


class PreconditionRequired(Refusal):
    """This command is only taken with If-Match."""

    code = "precondition-required"


class InvalidCursor(Refusal):
    """The cursor in `after` was not given out by this list."""

    code = "invalid-cursor"


class MalformedSeen(Refusal):
    """The Muster-Seen header cannot be read."""

    code = "malformed-seen"


class NotYetSeen(Refusal):
    """This service has not yet read as far as Muster-Seen asks; data: `retry_after` in whole seconds."""

    code = "not-yet-seen"


class TooManyRequests(Refusal):
    """The caller's allowance is used up; data: `retry_after` in whole seconds."""

    code = "too-many-requests"
