"""What the request at hand asks, in plain values for handlers: its command id, what it has seen, which version."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

from shared.web import conditional, idempotency
from shared.web.access import caller_or_none
from shared.web.body import read_body
from shared.web.current import this_edge, this_request
from shared.web.personal import without_personal
from shared.web.seen import parse_seen


def command_id(actor: str = "") -> str:
    """Return the id of the command at hand, as it is recorded: the first of `command_ids`."""
    return command_ids(actor)[0]


def command_ids(actor: str = "") -> tuple[str, ...]:
    """Return the ids of the command at hand: from Idempotency-Key and the request, or a random one without a key.

    The first is the one to record; under the others the same request may stand in the log, from before the token keys
    were exchanged. actor: who asks, where the caller's name alone is another's here.
    Raises InvalidIdempotencyKey, and as `caller_or_none` and `read_body` where those have not run yet.
    """
    request = this_request()
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return (idempotency.command_id(None, ""),)
    idempotency.check_key(key)
    query = request.environ.get("QUERY_STRING")
    path = f"{request.path}?{query}" if query else request.path
    body = _public_body()
    who = caller_or_none()
    name = actor or (who.actor if who else "")
    return tuple(
        idempotency.command_id(key, idempotency.fingerprint(keyed, request.method, path, name, body))
        for keyed in this_edge().fingerprint_keys
    )


def guests_command_ids() -> tuple[str, ...]:
    """Return the ids of a command that comes without a token: as `command_ids`, with the key's digest for the key.

    Command ids are public with the log. With a token nobody else can repeat a request; without one the key alone does
    that, and what it answers may be a secret. So the log keeps neither the key nor what guesses can be tried on.
    Raises InvalidIdempotencyKey also for a key that could be guessed, and as `read_body`.
    """
    request = this_request()
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return (idempotency.command_id(None, ""),)
    idempotency.check_key(key, shortest=idempotency.SHORTEST_OF_GUESTS)
    body = _public_body()
    return tuple(
        idempotency.command_id(
            idempotency.guests_key(keyed, key),
            idempotency.fingerprint(keyed, request.method, request.path, key, body),
        )
        for keyed in this_edge().fingerprint_keys
    )


def _public_body() -> object:
    """What the request brings, without what is personal; None where it brings nothing. Raises as `read_body`."""
    request = this_request()
    if not (request.content_length or request.edge.body_read):
        return None
    return without_personal(request.edge.schema, read_body())


def asked_seen() -> dict[str, int]:
    """Return how far the answer must have read each log; empty where nothing was asked. Raises MalformedSeen."""
    return parse_seen(this_request().environ.get("HTTP_MUSTER_SEEN"))


def tell_seen(seen: Mapping[str, int]) -> None:
    """Have the answer say how far it had read each log."""
    this_request().edge.seen = seen


def tell_replayed(again: bool) -> None:
    """Have the answer say that the command was done before, and is only told again."""
    this_request().edge.replayed = again


def not_modified(etag: str) -> Response | None:
    """Have the answer carry an ETag; return an empty 304 where the caller has that version already."""
    request = this_request()
    request.edge.etag = etag
    if conditional.unchanged(request.environ.get("HTTP_IF_NONE_MATCH"), etag):
        return Response(status=304)
    return None


def tell_version(etag: str) -> None:
    """Have the answer carry an ETag."""
    this_request().edge.etag = etag


def demand_version(etag: str, *, required: bool = False) -> None:
    """Let a command pass only when If-Match, where given, names this version.

    Raises PreconditionFailed, and PreconditionRequired where required and missing.
    """
    conditional.demand_match(this_request().environ.get("HTTP_IF_MATCH"), etag, required=required)


def position_meant(source: str) -> int | None:
    """Return the position of a source's log that If-Match means, None without one. Raises PreconditionFailed."""
    return conditional.position_meant(this_request().environ.get("HTTP_IF_MATCH"), source)
