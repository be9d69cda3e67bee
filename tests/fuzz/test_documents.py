"""The three OpenAPI documents are such that a client can be generated from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from shared.settings import SERVICES
from tests.fuzz.muster import Json, documents


def operations(service: str) -> dict[str, Json]:
    """operationId -> the operation with its method and path."""
    return {
        operation["operationId"]: {**operation, "at": f"{method} {path}"}
        for path, methods in documents()[service]["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    }


def schemas(value: Any, where: str = "") -> Iterator[tuple[str, Json]]:
    """Every JSON Schema of a part of a document that has a type, with its place."""
    if isinstance(value, dict):
        if isinstance(value.get("type"), str | list):
            yield where, value
        for key, inner in value.items():
            yield from schemas(inner, f"{where}/{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from schemas(inner, f"{where}/{index}")


@pytest.mark.parametrize("service", SERVICES)
def test_a_document_is_openapi_3_1(service: str) -> None:
    document = documents()[service]
    assert document["openapi"].startswith("3.1")
    import schemathesis  # it takes two seconds to import

    schemathesis.openapi.from_dict(document).validate()
    for _, schema in schemas(document["components"]["schemas"]):
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("service", SERVICES)
def test_every_operation_says_what_it_does_and_what_it_refuses(service: str) -> None:
    for name, operation in operations(service).items():
        assert re.fullmatch("[a-z_]+", name), name
        assert operation["summary"].endswith((".", ";")) or operation.get("description"), name
        assert operation["tags"], name
        problems = {status for status, answer in operation["responses"].items() if "x-problem-codes" in answer}
        assert problems or operation["tags"] == ["service"], name
        if operation["security"]:
            assert {"401", "403"} <= problems, name
        if operation["at"].startswith(("post", "put", "patch", "delete")):
            assert {"400", "422"} <= problems, name


def test_one_name_stands_for_one_operation() -> None:
    """What every service offers alike has one name; no other name is there twice."""
    known: dict[str, Json] = {}
    for service in SERVICES:
        for name, operation in operations(service).items():
            first = known.setdefault(name, operation)
            assert (first["at"], first["summary"]) == (operation["at"], operation["summary"])


@pytest.mark.parametrize("service", SERVICES)
def test_a_default_may_be_sent(service: str) -> None:
    document = documents()[service]
    for where, schema in schemas({"components": document["components"], "paths": document["paths"]}):
        if "default" in schema:
            plain = {key: schema[key] for key in schema if key != "items"}
            assert jsonschema.Draft202012Validator(plain).is_valid(schema["default"]), where


@pytest.mark.parametrize("service", SERVICES)
def test_lists_of_objects_say_what_is_in_them(service: str) -> None:
    for where, schema in schemas(documents()[service]["components"]["schemas"]):
        items = schema.get("items")
        assert items is None or {"$ref", "oneOf"} & items.keys() or items["type"] != "object", where


@pytest.mark.parametrize("service", SERVICES)
def test_whole_numbers_fit_every_reader(service: str) -> None:
    for where, schema in schemas(documents()[service]["paths"]):
        if schema["type"] == "integer":
            assert schema["maximum"] <= 2**53 - 1, where
