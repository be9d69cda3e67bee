"""Problems (RFC 9457): every refusal and failure is answered as `application/problem+json`.

Members: type (`/problems/<code>`, stable, can be fetched), title, status, detail, code and request_id; also errors
(each fault with where, said, code, data, expected and clause) and data, if there are any.
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
"""Longest value of a request that is repeated in an answer, in characters."""
HTML, JSON, TEXT = "text/html", "application/json", "text/plain"
DESCRIBED_AS = (TEXT, HTML, JSON)
"""Media types of descriptions of problems; the first one for clients that accept anything, such as `curl`."""
RETRY_AFTER = 2
"""Retry-After in seconds if a database or another dependency does not answer."""

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
    """Return the answer for a problem. A code without a table entry is answered with 422 and logged."""
    kind = this_edge().kinds.get(code)
    if kind is None:
        _log.error("problem code without a table entry", code=code)
        kind = Kind(422, "Refused")
    kind = kind.for_request(this_request().view_args or (), faults)
    body = problem_members(code, kind, detail, this_request().edge.request_id)
    if faults:
        body["errors"] = [
            {
                "where": _shorten(f.where, LONGEST_DETAIL),
                "said": _shorten(f.said, LONGEST_SAID),
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


def _shorten(text: str, longest: int) -> str:
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
    """Return a detail as a sentence.

    Details that the command line also prints start in lower case, without a period.
    """
    first_word = detail.split(" ", 1)[0]
    text = detail[:1].upper() + detail[1:] if first_word.isalpha() and first_word.islower() else detail
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def answer_refusal(refusal: Refusal) -> Response:
    """Return the answer for a refusal, with its faults and data."""
    return problem(refusal.code, sentence(refusal.detail), faults=refusal.faults, data=refusal.data)


def answer_http_error(error: HTTPException) -> Response | HTTPException:
    """Return the answer for an HTTP error of Flask or Werkzeug, such as 404, 405 or 413."""
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
    """Return the answer if a database or another dependency failed."""
    _log.error("unavailable", exc_info=error)
    detail = "Something that this service needs does not answer. What you sent may or may not have been done."
    return problem("unavailable", detail, data={"retry_after": RETRY_AFTER})


def answer_failure(error: Exception) -> Response:
    """Return the answer for an unexpected exception. The log has the traceback; the caller gets only the request id."""
    _log.error("unexpected failure", exc_info=error)
    detail = "The request failed. Tell the operator its request id."
    return problem("internal-error", detail)


def describe(code: str) -> Response:
    """Describe a kind of problem, as HTML, JSON or text. Raises NotAcceptable."""
    kind = this_edge().kinds.get(code) or abort(404)
    form = best_type(request.headers.get("Accept", HTML), DESCRIBED_AS)
    if form == HTML:
        return Response(render_template_string(_PAGE, code=code, kind=kind), mimetype=HTML)
    if form == JSON:
        return Response(orjson.dumps(_description(code, kind)), mimetype=JSON)
    text = f"{kind.title}\n{code}, HTTP status {kind.status}\n\n{kind.about}\n"
    return Response(text, mimetype=TEXT)


def describe_all() -> Response:
    """List every kind of problem of this service, as HTML, JSON or text. Raises NotAcceptable."""
    kinds = sorted(this_edge().kinds.items())
    form = best_type(request.headers.get("Accept", HTML), DESCRIBED_AS)
    if form == HTML:
        return Response(render_template_string(_INDEX, kinds=kinds), mimetype=HTML)
    if form == JSON:
        return Response(orjson.dumps({"items": [_description(*one) for one in kinds]}), mimetype=JSON)
    return Response(
        "".join(f"{code}, HTTP status {kind.status}: {kind.title}\n" for code, kind in kinds), mimetype=TEXT
    )


def _description(code: str, kind: Kind) -> dict[str, object]:
    return {"type": f"/problems/{code}", "code": code, "status": kind.status, "title": kind.title, "about": kind.about}


def install(app: Flask, unavailable: Sequence[type[Exception]]) -> None:
    """Install the error handlers of an application, and the routes that describe problems."""
    app.register_error_handler(Refusal, answer_refusal)
    app.register_error_handler(HTTPException, answer_http_error)
    app.register_error_handler(Exception, answer_failure)
    for kind in unavailable:
        app.register_error_handler(kind, answer_unavailable)
    pages = Blueprint("problems", __name__, url_prefix="/problems")
    pages.add_url_rule("/<code>", view_func=describe)
    pages.add_url_rule("", view_func=describe_all)
    app.register_blueprint(pages)
