"""What generators of clients and of requests take over from the documents is not what gets a request refused."""

from __future__ import annotations

from collections import Counter
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


@pytest.fixture
def told() -> Iterator[Counter[str]]:
    """How often each refusal was met, empty for none; an operation that was not asked would have shown nothing."""
    codes: Counter[str] = Counter()
    yield codes
    assert codes


@pytest.fixture(scope="module")
def evening(muster: Muster) -> Evening:
    return muster.evening("before")


def made_from_examples(service: str) -> schemathesis.BaseSchema:
    """Requests with every example of the document, and of what has none the simplest that is required."""
    schema = schemathesis.openapi.from_dict(documents()[service])
    schema.config.generation.update(deterministic=True, modes=[schemathesis.GenerationMode.POSITIVE])
    schema.config.phases.examples.fill_missing = True
    schema.config.phases.coverage.enabled = False
    return schema


def asked(case: Case[Any], service: str, evening: Evening, told: Counter[str]) -> None:
    muster = evening.muster
    aim(case, evening)
    answer = case.call(app=muster.apps[service])
    code = answer.json()["code"] if answer.status_code >= 400 else ""
    told[code] += 1
    assert code not in CONDITIONS, answer.text


@made_from_examples("registration").parametrize()
@SAME_EVERY_TIME
def test_registration(case: Case[Any], evening: Evening, told: Counter[str]) -> None:
    asked(case, "registration", evening, told)


@made_from_examples("pairing").parametrize()
@SAME_EVERY_TIME
def test_pairing(case: Case[Any], evening: Evening, told: Counter[str]) -> None:
    asked(case, "pairing", evening, told)


@made_from_examples("scoring").parametrize()
@SAME_EVERY_TIME
def test_scoring(case: Case[Any], evening: Evening, told: Counter[str]) -> None:
    asked(case, "scoring", evening, told)
