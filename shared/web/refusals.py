"""What the edge itself refuses, by name. No Flask here: any layer may raise these."""

from __future__ import annotations

from shared.refusals import Refusal


class Unauthenticated(Refusal):
    """No token, or one that nobody here signed."""

    code = "unauthenticated"


class TokenExpired(Refusal):
    """The token was good until a moment that has passed."""

    code = "token-expired"


class TokenNotYetValid(Refusal):
    """The token is good from a moment (`nbf`) that has not come."""

    code = "token-not-yet-valid"


class TokenRevoked(Refusal):
    """The token was taken back by an event, of the tournament or of the installation."""

    code = "token-revoked"


class TokenNarrowed(Refusal):
    """The token is for less than its role may do; data: `reading` or `types`."""

    code = "token-narrowed"


class Forbidden(Refusal):
    """The caller is known, and this role may not do this."""

    code = "forbidden"


class WrongTournament(Refusal):
    """The token is for another tournament."""

    code = "wrong-tournament"


class NotYourTournament(Refusal):
    """An organiser with a token for all tournaments leads those that they announced, and this is another's."""

    code = "not-your-tournament"


class IncompleteBody(Refusal):
    """Fewer bytes came than Content-Length announced; data: `announced`, `received`."""

    code = "incomplete-body"


class MalformedJson(Refusal):
    """The body is not JSON; data tells line and column."""

    code = "malformed-json"


class DuplicateMember(Refusal):
    """An object of the body names a member twice; readers of JSON do not agree on which of the two counts."""

    code = "duplicate-member"


class UnsupportedMediaType(Refusal):
    """A command came as another media type than it is taken as, or in another charset than UTF-8."""

    code = "unsupported-media-type"


class NotAcceptable(Refusal):
    """The Accept header takes none of the media types that this is answered in; data: `types`."""

    code = "not-acceptable"


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


class InvalidCursor(Refusal):
    """The cursor in `after` was not given out by this list."""

    code = "invalid-cursor"


class MalformedSeen(Refusal):
    """The Muster-Seen header cannot be read."""

    code = "malformed-seen"


class ImplausibleSeen(Refusal):
    """Muster-Seen names positions that no log has; data: `have`, how far this service has read each."""

    code = "implausible-seen"


class LogUnreadable(Refusal):
    """A log of this tournament is damaged, or holds what cannot be folded; data: `event` (its id)."""

    code = "log-unreadable"


class SchemaOutdated(Refusal):
    """The database has not been brought up to the schema that this code needs; data: `retry_after` in seconds."""

    code = "schema-outdated"


class NotYetSeen(Refusal):
    """This service has not yet read as far as Muster-Seen asks; data: `retry_after` in whole seconds."""

    code = "not-yet-seen"


class QuotaReached(Refusal):
    """A tournament holds as much of this as it takes; data: `quota`, `of`, `limit`, `used`, `asked`."""

    code = "quota-reached"


class TooManyRequests(Refusal):
    """The caller's allowance is used up; data: `retry_after` in whole seconds."""

    code = "too-many-requests"
