"""What generators of clients and of requests take over from the documents is not what gets a request refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case

from shared.settings import SERVICES
from tests.fuzz.aim import aim
from tests.fuzz.muster import Evening, Json, Muster, documents

CONDITIONS = ("precondition-failed", "not-yet-seen", "malformed-seen", "idempotency-key-reused")
"""Problems with what an example of a header says."""


def parameters(service: str) -> Iterator[tuple[str, Json]]:
    document = documents()[service]
    yield from document["components"]["parameters"].items()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for parameter in operation if method == "parameters" else operation.get("parameters", ()):
                yield f"{method} {path}", parameter


@pytest.mark.parametrize("service", SERVICES)
def test_no_parameter_has_an_example_that_only_some_request_could_send(service: str) -> None:
    for where, parameter in parameters(service):
        schema = parameter.get("schema", {})
        for word in ("example", "examples", "default"):
            assert word not in parameter, (where, parameter)
        assert not {"example", "examples"} & set(schema), (where, parameter)
        if parameter.get("in") == "header":
            assert "default" not in schema
            assert parameter.get("description"), where


SAME_EVERY_TIME = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module", params=SERVICES)
def service(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def document(service: str) -> schemathesis.BaseSchema:
    """Requests with every example of the document, and of what has none the simplest that is required."""
    schema = schemathesis.openapi.from_dict(documents()[service])
    schema.config.generation.update(deterministic=True, modes=[schemathesis.GenerationMode.POSITIVE])
    schema.config.phases.examples.fill_missing = True
    schema.config.phases.coverage.enabled = False
    return schema


@pytest.fixture(scope="module")
def evening(muster: Muster) -> Evening:
    return muster.evening("before")


@pytest.fixture
def asked(service: str) -> Iterator[set[str]]:
    """The operations that were asked: all of them, since one that was not would have shown nothing."""
    operations: set[str] = set()
    yield operations
    assert operations == {
        operation["operationId"]
        for methods in documents()[service]["paths"].values()
        for method, operation in methods.items()
        if method != "parameters"
    }


@SAME_EVERY_TIME
@schemathesis.pytest.from_fixture("document").parametrize()
def test_no_example_gets_a_request_refused(case: Case[Any], service: str, evening: Evening, asked: set[str]) -> None:
    aim(case, evening)
    answer = case.call(app=evening.muster.apps[service])
    asked.add(case.operation.definition.raw["operationId"])
    assert answer.status_code < 400 or answer.json()["code"] not in CONDITIONS, answer.text
