"""The joined document and the client are what the services of today say."""

from __future__ import annotations

import json

import pytest
import schemathesis

from clients.generate.__main__ import ROOT, written
from clients.generate.document import Json, joined, served
from clients.generate.operations import operations, service_class
from clients.generate.types import annotation
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="module")
def documents() -> dict[str, Json]:
    with logging_as_it_was():
        return served()


def test_what_is_committed_is_what_the_services_say(documents: dict[str, Json]) -> None:
    stale = [
        path
        for path, text in written(documents).items()
        if not (ROOT / path).exists() or (ROOT / path).read_text(encoding="utf-8") != text
    ]
    assert not stale, "run `make client`"


def test_a_joined_document_has_every_operation_once_and_says_whose_it_is(
    documents: dict[str, Json],
) -> None:
    made = joined(documents)
    found = [op for item in made["paths"].values() for method, op in item.items() if method != "parameters"]
    assert len({op["operationId"] for op in found}) == len(found)
    own = {
        (service, op["operationId"])
        for service, document in documents.items()
        for item in document["paths"].values()
        for method, op in item.items()
        if method != "parameters"
    }
    assert {(op["x-service"], op["x-operation"]) for op in found} == own


def test_the_joined_document_is_valid_openapi() -> None:
    committed = json.loads((ROOT / "clients/openapi.json").read_text(encoding="utf-8"))
    schemathesis.openapi.from_dict(committed).validate()
    tags = [tag["name"] for tag in committed["tags"]]
    assert len(set(tags)) == len(tags)


def shape(**members: object) -> dict[str, object]:
    return {"type": "object", "properties": members}


def document(**schemas: object) -> dict[str, object]:
    return {"info": {"version": "1"}, "paths": {}, "x-problems": {}, "tags": [], "components": {"schemas": schemas}}


def test_shapes_of_one_name_that_differ_are_written_for_each_service_and_so_is_what_leads_to_them() -> None:
    leads = {"Outer": shape(inner={"$ref": "#/components/schemas/Inner"}), "Same": shape(a={"type": "string"})}
    one = document(Inner=shape(a={"type": "string"}), **leads)
    other = document(Inner=shape(a={"type": "integer"}), **leads)
    made = joined({"pairing": one, "scoring": other})["components"]["schemas"]
    assert set(made) == {"PairingInner", "ScoringInner", "PairingOuter", "ScoringOuter", "Same"}
    assert made["ScoringOuter"]["properties"]["inner"] == {"$ref": "#/components/schemas/ScoringInner"}


def test_a_response_that_two_services_mean_differently_is_refused() -> None:
    one, other = document(), document()
    one["components"]["responses"] = {"Problem": {"description": "a"}}  # type: ignore[index]
    other["components"]["responses"] = {"Problem": {"description": "b"}}  # type: ignore[index]
    with pytest.raises(ValueError, match="scoring means something else"):
        joined({"pairing": one, "scoring": other})


@pytest.mark.parametrize(
    ("said", "sent", "answered"),
    [
        ({"type": ["string", "null"]}, "str | None", "str | None"),
        ({"type": "string", "enum": ["a", "b"]}, "Literal['a', 'b']", "str"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Row"}}, "list[Row]", "list[Row]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]", "dict[str, int]"),
        ({"anyOf": [{"$ref": "#/components/schemas/Row"}, {"type": "null"}]}, "Row | None", "Row | None"),
        ({}, "Any", "Any"),
    ],
)
def test_a_shape_is_a_type_of_python(said: dict[str, object], sent: str, answered: str) -> None:
    assert (annotation(said, words=True), annotation(said, words=False)) == (sent, answered)


def test_what_no_type_is_known_for_is_refused() -> None:
    with pytest.raises(ValueError, match="none of the shapes"):
        annotation({"type": "tuple"}, words=True)


def test_a_command_without_an_answer_is_a_method_and_a_stream_is_none() -> None:
    ours = {"x-service": "scoring", "responses": {"204": {"description": ""}}}
    key = {"$ref": "#/components/parameters/IdempotencyKey"}
    stream = {"responses": {"200": {"content": {"text/event-stream": {}}}}}
    paths = {
        "/scoring/hooks/{hook}": {
            "parameters": [{"in": "path", "name": "hook", "schema": {"type": "string"}}],
            "delete": {**ours, "x-operation": "forget_hook", "parameters": [key]},
        },
        "/scoring/stream": {"get": {**ours, **stream, "x-operation": "stream_feed"}},
    }
    found = operations({"paths": paths, "components": {"schemas": {}}})
    assert [one.name for one in found] == ["forget_hook"]
    module = service_class("scoring", found)
    assert 'def forget_hook(self, hook: str, *, idempotency_key: str = "") -> Any:' in module
    compile(module, "scoring.py", "exec")
