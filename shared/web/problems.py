"""Problems (RFC 9457): every refusal, fault and failure leaves as `application/problem+json`.

Members: type (`/problems/<code>`, stable, and answers to GET), title, status, detail, code, request_id; errors
(every fault: where, said, code, data, expected, clause) and data (facts to act on) where there are some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

import orjson
from flask import Blueprint, Flask, Response, abort, render_template_string, request
from msgspec import to_builtins
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from shared.logs import get_logger
from shared.refusals import Fault, Refusal
from shared.web.auth import best_type
from shared.web.body import with_written_value
from shared.web.refusals import HTTP_CODES, LONGEST_DETAIL, Kind, problem_members
from shared.web.request import this_edge, this_request

MEDIA_TYPE = "application/problem+json"
LONGEST_SAID = 200
"""Characters; what a request said is not said back in full."""
HTML, JSON, TEXT = "text/html", "application/json", "text/plain"
DESCRIBED_AS = (TEXT, HTML, JSON)
"""How kinds of problems are described; the first for who takes anything, as `curl` does."""
RETRY_AFTER = 2
"""Seconds that a caller is asked to wait when something that we need does not answer."""

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{{ kind.title }}</title>
<h1>{{ kind.title }}</h1><p><code>{{ code }}</code>, HTTP status {{ kind.status }}</p><p>{{ kind.about }}</p></html>
"""
_INDEX = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems</title><h1>Problems</h1><dl>
{% for code, kind in kinds %}<dt><a href="problems/{{ code }}">{{ code }}</a> ({{ kind.status }})</dt>
<dd>{{ kind.title }}</dd>{% endfor %}</dl></html>
"""

_log = get_logger("muster.http")


def problem(
    code: str,
    detail: str,
    *,
    faults: Sequence[Fault] = (),
    data: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Build the answer for a problem of a kind that a table names; an unnamed one is answered as 422 and logged."""
    kind = this_edge().kinds.get(code)
    if kind is None:
        _log.error("problem code without a table entry", code=code)
        kind = Kind(422, "Refused")
    kind = kind.told_of(this_request().view_args or (), faults)
    body = problem_members(code, kind, detail, this_request().edge.request_id)
    if faults:
        body["errors"] = [
            {
                "where": _short(f.where, LONGEST_DETAIL),
                "said": _short(f.said, LONGEST_SAID),
                "code": f.code,
                "data": to_builtins(f.data),
                "expected": str(f.expected),
                "clause": f.clause,
            }
            for f in (with_written_value(fault, this_request().edge.body) for fault in faults)
        ]
    if data:
        body["data"] = data
    text = orjson.dumps(body, default=str, option=orjson.OPT_NON_STR_KEYS)
    answer = Response(text, status=kind.status, mimetype=MEDIA_TYPE)
    answer.headers.update(_headers(kind, code, data or {}))
    answer.headers.update(headers or {})
    return answer


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _headers(kind: Kind, code: str, data: Mapping[str, object]) -> dict[str, str]:
    headers = {}
    if kind.status == HTTPStatus.UNAUTHORIZED:
        reason = "" if code == "unauthenticated" else f', error="invalid_token", error_description="{code}"'
        headers["WWW-Authenticate"] = f'Bearer realm="muster"{reason}'
    if "retry_after" in data:
        headers["Retry-After"] = str(data["retry_after"])
    if "etag" in data:
        headers["ETag"] = str(data["etag"])
    return headers


def sentence(detail: str) -> str:
    """A detail as a sentence: rules that also stand in lines of the command line begin small and end without a mark."""
    first = detail.split(" ", 1)[0]
    begun = detail[:1].upper() + detail[1:] if first.isalpha() and first.islower() else detail
    return begun if begun.endswith((".", "!", "?", "…")) else f"{begun}."


def answer_refusal(refusal: Refusal) -> Response:
    """Answer a refusal of ours, with all that it carries."""
    return problem(refusal.code, sentence(refusal.detail), faults=refusal.faults, data=refusal.data)


def answer_http_error(error: HTTPException) -> Response | HTTPException:
    """Answer what Flask and Werkzeug refuse: no such address, no such method, too large a body …"""
    status = error.code or 500
    if status < 400:
        return error
    code = HTTP_CODES.get(status, "bad-request" if status < 500 else "internal-error")
    detail = error.description or error.name
    data: dict[str, object] = {}
    headers: dict[str, str] = {}
    if status == 404:
        detail = f"There is nothing at {request.path}."
    elif isinstance(error, MethodNotAllowed):
        allowed = sorted(error.valid_methods or ())
        detail = f"{request.path} does not accept {request.method}; it accepts {', '.join(allowed)}."
        headers = {"Allow": ", ".join(allowed)}
    elif isinstance(error, RequestEntityTooLarge):
        data = {"limit": request.max_content_length}
        detail = f"The body is larger than {request.max_content_length} bytes."
    return problem(code, detail, data=data, headers=headers)


def answer_unavailable(error: Exception) -> Response:
    """Answer when a database or something else that we need failed; nothing of ours is wrong."""
    _log.error("unavailable", exc_info=error)
    detail = "Something that this service needs does not answer. What you sent may or may not have been done."
    return problem("unavailable", detail, data={"retry_after": RETRY_AFTER})


def answer_failure(error: Exception) -> Response:
    """Answer an exception that nobody expected: the log gets the traceback, the caller only the request id."""
    _log.error("unexpected failure", exc_info=error)
    detail = "The request failed. Tell the operator its request id."
    return problem("internal-error", detail)


def describe(code: str) -> Response:
    """Describe a kind of problem: for a person, or as JSON or text where that is asked for. Raises NotAcceptable."""
    kind = this_edge().kinds.get(code) or abort(404)
    form = best_type(request.headers.get("Accept", HTML), DESCRIBED_AS)
    if form == HTML:
        return Response(render_template_string(_PAGE, code=code, kind=kind), mimetype=HTML)
    if form == JSON:
        return Response(orjson.dumps(_described(code, kind)), mimetype=JSON)
    text = f"{kind.title}\n{code}, HTTP status {kind.status}\n\n{kind.about}\n"
    return Response(text, mimetype=TEXT)


def describe_all() -> Response:
    """List every kind of problem that this service answers with, as `describe` does one. Raises NotAcceptable."""
    kinds = sorted(this_edge().kinds.items())
    form = best_type(request.headers.get("Accept", HTML), DESCRIBED_AS)
    if form == HTML:
        return Response(render_template_string(_INDEX, kinds=kinds), mimetype=HTML)
    if form == JSON:
        return Response(orjson.dumps({"items": [_described(*one) for one in kinds]}), mimetype=JSON)
    return Response(
        "".join(f"{code}, HTTP status {kind.status}: {kind.title}\n" for code, kind in kinds), mimetype=TEXT
    )


def _described(code: str, kind: Kind) -> dict[str, object]:
    return {"type": f"/problems/{code}", "code": code, "status": kind.status, "title": kind.title, "about": kind.about}


def install(app: Flask, unavailable: Sequence[type[Exception]]) -> None:
    """Answer everything that goes wrong in an application with problems, and serve their descriptions."""
    app.register_error_handler(Refusal, answer_refusal)
    app.register_error_handler(HTTPException, answer_http_error)
    app.register_error_handler(Exception, answer_failure)
    for kind in unavailable:
        app.register_error_handler(kind, answer_unavailable)
    pages = Blueprint("problems", __name__, url_prefix="/problems")
    pages.add_url_rule("/<code>", view_func=describe)
    pages.add_url_rule("", view_func=describe_all)
    app.register_blueprint(pages)
