"""The documentation is complete, correct and available offline."""

from __future__ import annotations

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from shared.web.blueprint import Blueprint
from shared.web.openapi import document_of
from shared.web.refusals import merge
from tests.examples import examples
from tests.web.fake import KINDS, bearer, fake_app

APP = fake_app()
DOCUMENT = APP.test_client().get("/openapi.json").get_json()
OPERATIONS = {
    operation["operationId"]: operation
    for methods in DOCUMENT["paths"].values()
    for method, operation in methods.items()
    if method != "parameters"
}


@pytest.fixture(scope="module")
def document() -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_wsgi("/openapi.json", APP)


def test_the_document_is_openapi_3_1():
    assert DOCUMENT["openapi"] == "3.1.0"
    schemathesis.openapi.from_dict(DOCUMENT).validate()


def test_every_operation_has_what_a_generator_needs():
    for name, operation in OPERATIONS.items():
        assert re.fullmatch("[a-z_]+", name)
        assert operation["tags"], name
        assert operation["summary"], name
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Problem"}, name
    for name, shape in DOCUMENT["components"]["schemas"].items():
        assert shape.get("description"), name


def test_an_operation_names_every_problem_it_answers_with():
    report = OPERATIONS["report_result"]
    codes = {code for answer in report["responses"].values() for code in answer.get("x-problem-codes", [])}
    assert codes == {
        "unauthenticated",
        "token-expired",
        "token-not-yet-valid",
        "token-revoked",
        "token-narrowed",
        "forbidden",
        "wrong-tournament",
        "not-your-tournament",
        "malformed-json",
        "incomplete-body",
        "duplicate-member",
        "not-acceptable",
        "unsupported-media-type",
        "too-large",
        "invalid-request",
        "invalid-idempotency-key",
        "idempotency-key-reused",
        "quota-reached",
        "beacon-awaited",
        "precondition-failed",
        "malformed-seen",
        "implausible-seen",
        "not-yet-seen",
        "log-unreadable",
        "too-many-requests",
        "schema-outdated",
        "behind-own-copies",
        "round-not-open",
    }
    assert codes <= set(merge([KINDS]))
    assert report["responses"]["409"]["x-problem-codes"] == ["quota-reached", "beacon-awaited", "round-not-open"]
    assert set(report["x-roles"]) == {"player", "referee"}
    listed = OPERATIONS["list_games"]["responses"]["400"]["x-problem-codes"]
    assert "invalid-cursor" in listed


def test_headers_are_documented_once_and_referred_to():
    def names(operation):
        return {p["$ref"].rpartition("/")[2] for p in OPERATIONS[operation]["parameters"] if "$ref" in p}

    assert names("report_result") == {"IdempotencyKey", "IfMatch", "MusterSeen"}
    assert names("show_standings") == {"IfNoneMatch", "MusterSeen"}
    assert names("set_clock") == {"IdempotencyKey", "IfMatch", "MusterSeen"}
    assert names("list_games") == names("read_feed") == set()  # of no one tournament: there are no positions to mean
    assert "304" in OPERATIONS["show_standings"]["responses"]


def test_security_schemes_are_documented():
    schemes = DOCUMENT["components"]["securitySchemes"]
    assert schemes["bearer"]["scheme"] == "bearer"
    assert OPERATIONS["report_result"]["security"] == [{"bearer": []}]
    assert OPERATIONS["show_standings"]["security"] == [{"bearer": []}, {"link": []}]
    assert OPERATIONS["list_games"]["security"] == []


def test_schemas_contain_field_limits():
    report = DOCUMENT["components"]["schemas"]["Report"]
    assert report["description"] == "A result as reported."
    assert report["additionalProperties"] is False
    assert report["properties"]["round"]["maximum"] == 99
    assert report["properties"]["winner"]["enum"] == ["1", "2", "draw", None]
    assert report["properties"]["name"]["maxLength"] == 100
    assert "additionalProperties" not in DOCUMENT["components"]["schemas"]["Shown"]


def test_document_supports_304(client):
    first = client.get("/openapi.json")
    assert client.get("/openapi.json", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_pages_load_only_own_resources(client):
    page = client.get("/docs")
    assert page.status_code == 200
    assert "http://" not in page.text + client.get("/docs/start.js").text
    assert "https://" not in page.text
    for asset in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert client.get(asset).status_code == 200, asset
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]


def test_unknown_problem_code_cannot_be_documented():
    blueprint = Blueprint("x")

    @blueprint.get("/x")
    @blueprint.may_refuse("never-heard-of")
    def x():
        return {}

    with pytest.raises(ValueError, match="never-heard-of"):
        document_of(fake_app(blueprints=[blueprint]))


def test_operation_must_document_an_answer():
    blueprint = Blueprint("x")

    @blueprint.get("/x")
    def x():
        return {}

    with pytest.raises(ValueError, match="documents no answer"):
        document_of(fake_app(blueprints=[blueprint]))


def test_operation_ids_must_be_unique():
    def made(name):
        blueprint = Blueprint(name)

        @blueprint.get(f"/{name}")
        @blueprint.response(200)
        def show():
            return {}

        return blueprint

    with pytest.raises(ValueError, match="'show'"):
        document_of(fake_app(blueprints=[made("a"), made("b")]))


@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@schemathesis.pytest.from_fixture("document").exclude(path_regex="/broken|/down|/metrics").parametrize()
def test_generated_requests_get_documented_answers(case):
    # Whoever reads the answer for schemathesis unpacks nothing.
    case.headers = {**(case.headers or {}), **bearer("organiser", "*"), "Accept-Encoding": "identity"}
    answer = case.call()
    conform = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
    checks = conform[1:] if answer.status_code == 503 else conform
    case.validate_response(answer, checks=list(checks))
