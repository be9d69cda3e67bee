"""Problems: every failure has a stable type and reveals nothing internal."""

from __future__ import annotations

import json

import orjson
import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from shared.refusals import Refusal
from shared.web.refusals import EDGE, HTTP_CODES, merge
from tests.web.fake import GOOD, RESULTS, bearer, fake_app
from tests.web.unlisted import unlisted

MEMBERS = {"type", "title", "status", "detail", "code", "request_id"}


def told(answer, status, code):
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    body = answer.get_json()
    assert body["code"] == code
    assert body["type"] == f"/problems/{code}"
    assert body["status"] == status
    assert set(body) >= MEMBERS
    assert body["request_id"] == answer.headers["X-Request-Id"]
    return body


def post(client, data, **headers):
    given = {"Content-Type": "application/json", **bearer(), **headers}
    return client.post(RESULTS, data=data, headers=given)


def test_domain_refusal_has_faults_and_data(client):
    body = told(client.post(RESULTS, json={**GOOD, "round": 9}, headers=bearer()), 409, "round-not-open")
    value = {"code": "value", "data": {"value": 8}, "expected": "8"}
    assert body["errors"] == [{"where": "/round", "said": "9", **value, "clause": "DW-7"}]
    assert body["data"] == {"open": 8}


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"", 1, 1),
        (b"   ", 1, 1),
        (b'{"round": 1,}', 1, 12),
        (b'{\n "round": x}', 2, 11),
        (b'{"round": NaN}', 1, 11),
        (b'\xef\xbb\xbf{"round": 1}', 1, 1),
        (b'{"name":\n "\xff"}', 2, 3),
        (b'{"name": "\\ud800"}', 1, 11),
        (b"[" * 100_000, 1, 1026),
    ],
)
def test_malformed_json_names_the_place(client, data, line, column):
    body = told(post(client, data), 400, "malformed-json")
    assert (body["data"]["line"], body["data"]["column"]) == (line, column)


@pytest.mark.parametrize("data", [b"[]", b"7", b"null", b'"text"'])
def test_json_that_is_not_an_object_is_invalid(client, data):
    body = told(post(client, data), 422, "invalid-request")
    assert body["errors"][0]["where"] == ""
    assert body["errors"][0]["said"] == data.decode()


def test_long_values_are_shortened(client):
    long = "x" * 500_000
    body = told(post(client, orjson.dumps({**GOOD, long: long})), 422, "invalid-request")
    fault = body["errors"][0]
    assert (len(fault["where"]), len(fault["said"]), fault["said"][-1]) == (2000, 120, "…")
    assert len(body["detail"]) == 2000


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonx"]
)
def test_commands_must_be_json(client, kind):
    told(post(client, json.dumps(GOOD), **{"Content-Type": kind}), 415, "unsupported-media-type")


def test_json_with_a_charset_is_json(client):
    answer = post(client, json.dumps(GOOD), **{"Content-Type": "application/json; charset=utf-8"})
    assert answer.status_code == 201


def test_a_body_of_ten_megabytes_is_too_large(client):
    body = told(post(client, b'"' + b"x" * 10_000_000 + b'"'), 413, "too-large")
    assert body["data"] == {"limit": 1_048_576}


def test_the_largest_body_is_a_setting():
    small = fake_app(size_limit=20).test_client()
    told(post(small, json.dumps(GOOD)), 413, "too-large")


def test_body_without_length_is_limited():
    environ = EnvironBuilder(RESULTS, method="POST", data=b" " * 5000, headers=bearer().items()).get_environ()
    environ |= {"CONTENT_TYPE": "application/json", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    del environ["CONTENT_LENGTH"]
    _, status, headers = run_wsgi_app(fake_app(size_limit=1000), environ)
    assert status.startswith("413")
    assert headers["Content-Type"] == "application/problem+json"


def test_unknown_address(client):
    told(client.get("/nothing/here"), 404, "not-found")
    told(client.post("/tournaments/spring.open/results", json=GOOD, headers=bearer()), 404, "not-found")
    told(client.get("/docs/passwd"), 404, "not-found")
    for number in ("-1", "01", "1.0", "1234567890", "9" * 5000, "٧"):
        told(client.get(f"/rounds/{number}"), 404, "not-found")
    assert client.get("/rounds/999999999").get_json() == {"round": 999_999_999}


def test_method_not_allowed(client):
    answer = client.delete(RESULTS, headers=bearer())
    told(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "OPTIONS, POST"


def test_failure_reveals_only_the_request_id(client):
    answer = client.get("/broken", headers={"X-Request-Id": "from-outside-1"})
    body = told(answer, 500, "internal-error")
    assert body["request_id"] == "from-outside-1"
    assert "RuntimeError" not in answer.text
    assert "eyJ" not in answer.text


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "ключ", 'a"b'])
def test_unsafe_request_id_is_replaced(client, given):
    answer = client.get("/healthz", headers={"X-Request-Id": given.encode("latin-1", "ignore").decode("latin-1")})
    assert len(answer.headers["X-Request-Id"]) == 16


def test_missing_engine_is_unavailable(client):
    answer = client.get("/down")
    told(answer, 503, "unavailable")
    assert answer.headers["Retry-After"] == "2"


@pytest.mark.parametrize("code", [*EDGE, "round-not-open"])
def test_every_problem_type_has_a_description(client, code):
    page = client.get(f"/problems/{code}", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    assert code in page.text
    text = client.get(f"/problems/{code}", headers={"Accept": "*/*"})
    assert text.mimetype == "text/plain"
    assert code in text.text
    assert f'"problems/{code}"' in client.get("/problems").text


def test_unknown_problem_type_has_no_page(client):
    told(client.get("/problems/no-such-code"), 404, "not-found")


def test_every_answer_has_security_headers(client):
    for path in ("/healthz", "/nothing", "/docs", "/problems"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "default-src" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"]


def test_every_kind_has_an_error_status_a_title_and_advice():
    for code, kind in merge([]).items():
        assert kind.status >= 400, code
        assert kind.title, code
        assert kind.about, code
    assert set(HTTP_CODES.values()) <= set(EDGE)


@pytest.mark.parametrize(
    "table",
    [{"not-found": (404, "Twice")}, {"Not_Kebab": (400, "x")}, {"fine": (200, "Not an error")}],
)
def test_invalid_problem_tables_are_refused_at_startup(table):
    with pytest.raises(ValueError, match="code"):
        fake_app(problems=[{"round-not-open": (409, "x")}, table])


def test_problem_codes_must_be_unique():
    with pytest.raises(ValueError, match="two tables"):
        fake_app(problems=[{"round-not-open": (409, "x")}, {"round-not-open": (409, "x")}])


def test_every_refusal_of_the_edge_is_in_the_table():
    assert unlisted(merge([]), ["shared.web"]) == {}


def test_unlisted_refusal_is_found():
    class Unnamed(Refusal):
        code = "unnamed-in-any-table"

    assert unlisted(merge([]), [__name__])["unnamed-in-any-table"].endswith("Unnamed")
    assert "unnamed-in-any-table" not in unlisted(merge([]), ["shared.web"])
    assert Unnamed("x").code == "unnamed-in-any-table"


def test_problem_types_are_available_as_json(client):
    one = client.get("/problems/round-not-open", headers={"Accept": "application/json"})
    assert one.mimetype == "application/json"
    shown = {
        "type": "/problems/round-not-open",
        "code": "round-not-open",
        "status": 409,
        "title": "The round takes no results",
        "about": "Ask a referee to open it again.",
    }
    assert one.get_json() == shown
    every = client.get("/problems", headers={"Accept": "application/json, text/html;q=0.5"}).get_json()["items"]
    assert shown in every
    assert {item["code"] for item in every} == {*EDGE, "round-not-open"}
    told(client.get("/problems", headers={"Accept": "image/png"}), 406, "not-acceptable")
