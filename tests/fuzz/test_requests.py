"""Whatever is asked, of every operation of the three services, is answered as their documents say.

Requests are made up from the documents by schemathesis: what they allow and what they do not, at every edge, the
same ones at every run. They are aimed at a tournament in the middle of a round (`tests/fuzz/aim.py`).

Of every answer: it is no failure of ours; its status, its content type, its headers and its shape are documented;
a refusal is a problem with a code that the operation documents, and has appended nothing to any log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.examples import examples
from tests.fuzz.aim import aim, chance_of
from tests.fuzz.muster import Evening, Json, Muster, documents

CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
OF_ADDRESSES = ("not-found", "method-not-allowed")
"""Told of addresses that no operation has, and so documented by none."""

WITH_HEADERS = frozenset({"join_player", "pair_round", "report_result", "show_standings", "show_tournament"})
"""Operations that are asked with headers of every kind as well; they are the same everywhere, and read in one place."""

WITH_FACTS = frozenset(
    {"ReportResult", "DisputeResultBody", "RuleResultBody", "CorrectResultBody", "OverrideRulingBody"}
)
"""Shapes with facts in them, beside `ReportResultBody`, which is asked with facts of every kind."""

CHOICES = ("ChooseRollInjury", "ChooseVisitTurf", "ChooseHire", "ChooseMoveItem", "ChooseOrganiserEntry")
"""What is asked of the 42 shapes of a choice, which are all made in one way."""

FACTS: tuple[Json, ...] = (
    {"points_1": 100, "points_2": 50},
    {"points_1": 0, "points_2": 90, "end": "concession", "conceded_by": 1},
    {"kind": "forfeit", "conceded_by": 2},
    {"points_1": 1},
)

SHARED = [
    *("healthz", "readyz", "metrics_text", "log", "heads", "whole_log"),
    "check_database",
    *("rebuild_from_logs", "recopy_from_owner", "recover_from_peers", "copies_held", "copies_heads", "copies_feed"),
]
"""Operations that are one and the same in every service, and asked of registration alone."""

OF_OTHER_FORMATS = {
    "registration": {"parties", "groups", "ruleset-moves"},
    "pairing": {"seating"},
    "scoring": {"sessions", "groups", "campaign games", "dice"},
}
"""Tags of operations that are asked where there is something: `tests/coop` and `tests/campaign`."""

STAGES = {
    "registration": ("before", "middle"),
    "pairing": ("between", "middle"),
    "scoring": ("between", "middle"),
}
"""How far the tournaments are that a service is asked about."""

KEPT = 25
"""Commands that one tournament takes before the next one is made, so that not everybody is disqualified soon."""

SAME_EVERY_TIME = settings(
    max_examples=examples(6),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Evenings:
    """Tournaments of every stage, and others when they are over or worn out."""

    def __init__(self, muster: Muster) -> None:
        self.muster = muster
        self._evenings: dict[str, Evening] = {}
        self._done: Counter[str] = Counter()

    def of(self, stage: str) -> Evening:
        if stage not in self._evenings or self._done[stage] >= KEPT:
            self._evenings[stage], self._done[stage] = self.muster.evening(stage), 0
        return self._evenings[stage]

    def note(self, stage: str, address: str) -> None:
        """A command was done."""
        self._done[stage] += KEPT if address.endswith(("/cancellation", "/conclusion")) else 1


@pytest.fixture(scope="module")
def evenings(muster: Muster) -> Evenings:
    return Evenings(muster)


def plainer(document: Json, wanted: Callable[[Json], bool]) -> Json:
    """The wanted operations, without what is the same everywhere, but for one place: headers, and facts of a result."""
    components = document["components"]
    schemas = dict(components["schemas"])
    for name in WITH_FACTS & schemas.keys():
        schemas[name] = {**schemas[name], "properties": {**schemas[name]["properties"], "facts": {"enum": FACTS}}}
    if choices := schemas.get("ChooseBody"):
        kept = [shape for shape in choices["oneOf"] if shape["$ref"].endswith(CHOICES)]
        assert len(kept) == len(CHOICES)
        schemas["ChooseBody"] = {"oneOf": kept}
    paths = {
        path: {
            method: operation
            if method == "parameters" or operation["operationId"] in WITH_HEADERS
            else {**operation, "parameters": [p for p in operation["parameters"] if "$ref" not in p]}
            for method, operation in methods.items()
            if method == "parameters" or wanted(operation)
        }
        for path, methods in document["paths"].items()
    }
    asked = {path: methods for path, methods in paths.items() if methods.keys() - {"parameters"}}
    return {**document, "paths": asked, "components": {**components, "schemas": schemas}}


def made_from(service: str, tags: frozenset[str]) -> schemathesis.BaseSchema:
    """Requests to the operations with one of these tags, or to all that are no other format's."""

    def wanted(operation: Json) -> bool:
        if tags:
            return not tags.isdisjoint(operation["tags"])
        shared = operation["operationId"] in SHARED and service != "registration"
        return not shared and OF_OTHER_FORMATS[service].isdisjoint(operation["tags"])

    schema = schemathesis.openapi.from_dict(plainer(documents()[service], wanted))
    schema.config.generation.update(deterministic=True)
    schema.config.phases.coverage.unexpected_methods = {"patch"}
    return schema


def answered_as_documented(case: Case[Any], service: str, evenings: Evenings) -> None:
    """Ask, and look at the answer."""
    operation = case.operation.definition.raw
    stage = STAGES[service][chance_of(case) % 2]
    evening = evenings.of(stage)
    aim(case, evening)
    before = evening.heads
    answer = case.call(app=evenings.muster.apps[service])
    if answer.status_code < 400:
        if case.method != "GET":
            evenings.note(stage, case.path)
    else:
        problem = answer.json()
        assert answer.headers["content-type"] == ["application/problem+json"]
        documented = operation["responses"].get(str(answer.status_code), {}).get("x-problem-codes", ())
        assert problem["code"] in (*documented, *OF_ADDRESSES), problem
        assert problem["status"] == answer.status_code
        assert answer.status_code < 500 or problem["code"] in ("not-yet-seen",), problem
        assert evening.heads == before, f"appended all the same: {problem}"
    case.validate_response(answer, checks=CHECKS)


def requests_to(tags: Mapping[str, frozenset[str]]) -> tuple[Any, Any]:
    """Two fixtures: `service`, each of these in turn, and `document`, of which its requests are made.

    tags: service -> those of its operations.
    """

    @pytest.fixture(scope="module", params=tags)
    def service(request: pytest.FixtureRequest) -> str:
        name: str = request.param
        return name

    @pytest.fixture(scope="module")
    def document(service: str) -> schemathesis.BaseSchema:
        return made_from(service, tags[service])

    return service, document


service, document = requests_to(dict.fromkeys(STAGES, frozenset()))


# Made up when it runs: as a parameter it would be made up by every process that collects tests.
@pytest.mark.timeout(1800)  # all requests to a service are one test
@SAME_EVERY_TIME
@schemathesis.pytest.from_fixture("document").parametrize()
def test_a_request_is_answered_as_documented(case: Case[Any], service: str, evenings: Evenings) -> None:
    answered_as_documented(case, service, evenings)
