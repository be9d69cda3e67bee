"""What OpenAPI says about one operation beyond its shapes: headers, who may, and every problem it answers with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from flask import Flask
from msgspec import Struct

from shared.roles import LINKED, OPERATOR, ORGANISER, ROLES
from shared.web import idempotency, versions
from shared.web.derived import schema_of
from shared.web.kinds import UNPROCESSABLE, Kind
from shared.web.paging import Paged
from shared.web.request import EXTENSION

COMMANDS = frozenset({"post", "put", "patch", "delete"})
PROBLEM = "Problem"
BEARER, LINK = "bearer", "link"

READING = (
    "unauthenticated",
    "token-expired",
    "token-not-yet-valid",
    "token-revoked",
    "token-narrowed",
    "behind-own-copies",
)
"""Of what everybody may read: a token that comes has to be good, and that it was not revoked has to be known."""
WITH_TOKEN = (*READING, "forbidden")
WITHIN_ONE = ("wrong-tournament", "not-your-tournament")
WITH_CURSOR = ("invalid-cursor",)
WITH_BODY = (
    "malformed-json",
    "duplicate-member",
    "incomplete-body",
    "unsupported-media-type",
    "too-large",
    "invalid-request",
)
WITH_KEY = ("invalid-idempotency-key", "idempotency-key-reused", "quota-reached")
WITH_SEEN = ("malformed-seen", "implausible-seen", "not-yet-seen", "log-unreadable")
EVERYWHERE = ("not-acceptable",)
OF_LOGS = ("too-many-requests", "schema-outdated")

# No examples here: generators send them, and a key of somebody else, a position that no log has reached or a version
# that nothing has is refused.
PARAMETERS: Mapping[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": idempotency.HEADER,
        "description": "Makes the command safe to repeat: with the same key it has its effect once and answers "
        "the same each time, with `Idempotent-Replayed: true` when it is told again. Use a new one, such as a UUID, "
        "for each new command. A key counts in one tournament of one service.",
        "schema": {"type": "string", "minLength": 1, "maxLength": idempotency.LONGEST_KEY, "pattern": "^[!-~]+$"},
    },
    "MusterSeen": {
        "name": versions.SEEN,
        "description": "How far the answer must have read each log: Muster-Seen of an earlier answer, of any "
        "service, unchanged: each log with its position, separated by commas, as in `registration=12, pairing=4`. "
        "Leave it out when there is none. A service that is behind waits a short while and then answers 503.",
        "schema": {"type": "string", "maxLength": versions.LONGEST},
    },
    "IfMatch": {
        "name": "If-Match",
        "description": "The ETag of the version that the command means, as it was read, with its quotation marks; "
        "another one is answered with 412. Leave it out to act whatever has changed.",
        "schema": {"type": "string"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "The ETag of the version that you have; if it is still current, the answer is an empty 304.",
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "description": "The `id` that came last: the stream goes on behind it, whatever `after` says. Browsers send it "
        "by themselves when they come back.",
        "schema": {"type": "string"},
    },
}

PREVIEW: Mapping[str, Any] = {
    "name": "preview",
    "description": "`true`: the answer is what the command would do, and nothing is done. What would be refused is "
    "refused. An Idempotency-Key is not used up by it. With its ETag as If-Match the command is done as shown, or "
    "refused.",
    "schema": {"type": "boolean", "default": False},
}

HEADERS: Mapping[str, dict[str, Any]] = {
    "MusterSeen": {
        "description": "How far this answer had read each log. Send it with the next request, to any service.",
        "schema": {"type": "string"},
        "example": versions.EXAMPLE,
    },
    "ETag": {"description": "The version shown.", "schema": {"type": "string"}, "example": '"scoring-31"'},
    "Location": {
        "description": "Where what was made is shown, from the service's root; missing for nothing and for several.",
        "schema": {"type": "string"},
    },
    "RequestId": {"description": "Names this request in the log of the service.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}},
}


def document(doc: dict[str, Any], notes: Mapping[str, Any], *, app: Flask, method: str, **_: object) -> dict[str, Any]:
    """Complete the documentation of an operation.

    notes: roles, within, codes, absent, sent (of them, see `may_refuse`), versioned, resumed (whether it takes
    Last-Event-ID), reads_logs, query (whether it takes one), previews (whether it can be shown only), located (whether
    what was made has an address), file (whether it takes a body that is documented by hand), parts (of the address), as
    the blueprint left them. Positions and versions are those of one tournament: elsewhere they mean nothing.
    Raises ValueError for a problem code that no table names.
    """
    command, body = method in COMMANDS, "requestBody" in doc
    takes_more = body or notes["file"] or bool(notes.get("query"))
    query = [p["schema"] for p in doc.get("parameters", ()) if isinstance(p, dict) and p.get("in") == "query"]
    roles, versioned = notes.get("roles", []), notes.get("versioned")
    reads_logs = notes.get("reads_logs", True)
    follows = reads_logs and "tournament" in notes["parts"]
    names = ["MusterSeen"] if follows else []
    if command:
        names.append("IdempotencyKey")
    if versioned and not command:
        names.append("IfNoneMatch")
    if notes.get("resumed"):
        names.append("LastEventId")
    versioned = versioned or (command and follows)
    if versioned and command:
        names.append("IfMatch")
    doc["security"] = _security(roles, method)
    if roles:
        doc["x-roles"] = {role: ROLES[role] for role in roles}
    if "narrowed" in notes:
        question, rulesets, otherwise = notes["narrowed"]
        doc["x-decided-by"] = {
            "question": question,
            "rulesets": {id: _let_in(roles, may) for id, may in rulesets.items()},
            "otherwise": _let_in(roles, otherwise),
        }
    if notes.get("previews"):
        names.append("Preview")
    doc["parameters"] = [*doc.get("parameters", ()), *names]
    responses = {status: r for status, r in doc.get("responses", {}).items() if str(status) != "422"}
    answered = set(responses)
    if notes.get("previews"):
        _with_preview(responses, app.extensions[EXTENSION].previewed)
    for status, answer in responses.items():
        if str(status).startswith("2") and isinstance(answer, dict):
            extra = {"X-Request-Id": "RequestId"}
            extra |= {"Muster-Seen": "MusterSeen"} if reads_logs else {}
            extra |= {"ETag": "ETag"} if versioned else {}
            extra |= {"Location": "Location"} if notes.get("located") and status in answered else {}
            answer["headers"] = {**extra, **answer.get("headers", {})}
    if versioned and not command:
        responses[304] = {"description": "You have the current version.", "headers": {"ETag": "ETag"}}
    codes = [
        *(WITH_TOKEN if roles else ()),
        *(WITHIN_ONE if roles and notes.get("within") else ()),
        *(READING if reads_logs and not roles else ()),
        *(WITH_BODY if body else ()),
        *(("invalid-request",) if notes["strict"] else ()),
        *(WITH_KEY if command else ()),
        *(WITH_CURSOR if any(map(_asks_for_a_page, query)) else ()),
        *(WITH_SEEN if follows else ()),
        *(("precondition-failed",) if versioned and command else ()),
        *EVERYWHERE,
        *(OF_LOGS if reads_logs else ()),
        *notes.get("codes", ()),
    ]
    places = (notes["parts"], notes.get("absent", ()), notes.get("sent", ()), takes_more)
    told = problem_responses(app.extensions[EXTENSION].kinds, codes, *places)
    doc["responses"] = {**responses, **told}
    return doc


def _with_preview(responses: dict[Any, Any], shape: type[Struct] | None) -> None:
    """Add what a command answers that is only to be shown; where it answers 200 anyway, one of the two."""
    if shape is None:
        return
    said, schema = "With `preview=true`: what it would do; nothing was appended.", schema_of(shape)
    done = next((status for status in responses if str(status) == "200"), None)
    before = responses[done] if done is not None else {}
    shapes = [media["schema"] for media in before.get("content", {}).values()]
    responses[200 if done is None else done] = {
        **before,
        "description": f"{before['description']}. {said}" if before else said,
        "content": {"application/json": {"schema": {"oneOf": [*shapes, schema]} if shapes else schema}},
    }


def _asks_for_a_page(schema: Any) -> bool:
    made = getattr(schema, "makes", None)
    return made is not None and issubclass(made, Paged)


def callers_text(notes: Mapping[str, Any]) -> str:
    """What the description of an operation says of who may call it: the roles of its row in the table of commands."""
    may = [role for role in ROLES if role in notes.get("roles", ())]
    if may:
        return f"**Who may call it:** {', '.join(f'`{role}`' for role in may)}."
    public = notes["reads_logs"] and "tournament" in notes["parts"]
    return f"**Who may call it:** everybody{', where the tournament is public' if public else ''}."


def narrowed_text(notes: Mapping[str, Any]) -> str:
    """What the description of an operation says of rulesets that let only some of its roles act."""
    question, rulesets, otherwise = notes["narrowed"]
    roles = notes.get("roles", [])
    said = [f"`{id}`: {', '.join(_let_in(roles, may))}" for id, may in rulesets.items()]
    return (
        f"Of these roles the ruleset lets those act who settle `{question}`. {'; '.join(said)}; others: "
        f"{', '.join(_let_in(roles, otherwise))}. An organiser stands in for a role that nobody holds; an option may "
        "narrow it further. Anybody else is refused with `not-your-decision`, which names who may; so does `decisions` "
        "of the tournament at registration."
    )


def _let_in(roles: Iterable[str], deciders: Collection[str]) -> list[str]:
    """Of the roles let in those that decide; an operator counts as an organiser."""
    may = {*deciders, *([OPERATOR] if ORGANISER in deciders else [])}
    return [role for role in roles if role in may]


def problem_responses(
    kinds: Mapping[str, Kind],
    codes: Iterable[str],
    parts: Collection[str] = (),
    absent: Collection[str] = (),
    sent: Collection[str] = (),
    takes_more: bool = False,
) -> dict[int, dict[str, Any]]:
    """Return one response for each status, naming the codes that come with it.

    absent: codes that come with the status of their table. sent: codes that come as of something sent, too.
    parts, takes_more: as for `Kind.status_for`. Raises ValueError for a code that no table names.
    """
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*codes, *absent)):
        if code not in kinds:
            raise ValueError(f"the problem code {code!r} is documented, and stands in no table")
        kind = kinds[code]
        statuses = [kind.status] if code in absent else [kind.status_for(parts, takes_more=takes_more)]
        for status in [*statuses, UNPROCESSABLE] if code in sent else statuses:
            by_status.setdefault(status, []).append(code)
    return {status: _response(kinds, by_status[status]) for status in sorted(by_status)}


def _response(kinds: Mapping[str, Kind], codes: list[str]) -> dict[str, Any]:
    retry = any(kinds[code].status in (429, 503) for code in codes)
    return {
        "description": "; ".join(f"`{code}`: {kinds[code].title}" for code in codes),
        "content": {"application/problem+json": {"schema": PROBLEM}},
        "headers": {"X-Request-Id": "RequestId", **({"Retry-After": "RetryAfter"} if retry else {})},
        "x-problem-codes": codes,
    }


def _security(roles: list[str], method: str) -> list[dict[str, list[str]]]:
    if not roles:
        return []
    linked = method == "get" and LINKED & set(roles)
    return [{BEARER: []}, {LINK: []}] if linked else [{BEARER: []}]
