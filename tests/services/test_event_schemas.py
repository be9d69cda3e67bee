"""Event schemas and AsyncAPI, on every service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from shared.settings import SERVICES
from tests.fuzz.muster import Evening, Muster


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    muster = Muster(
        tmp_path_factory.mktemp("schemas"), MUSTER_PUBLIC_URL="https://muster.example", MUSTER_TRUSTED_PROXIES="1"
    )
    return muster.evening(until="between")


def test_dataschema_of_every_event_can_be_fetched(evening: Evening) -> None:
    muster = evening.muster
    results = muster.ask("GET", "scoring", "/feed?limit=500&view=results").lines
    assert results
    lines = muster.ask("GET", "scoring", "/feed?limit=500").lines + results
    for service in SERVICES:
        lines += evening.ask("GET", service, "/log").lines + evening.ask("GET", service, "/log?source=scoring").lines
        lines += muster.ask("GET", service, "/log", token=muster.token("operator")).lines
    seen = {line["dataschema"]: line for line in lines}
    assert {address.split("/")[3] for address in seen} == set(SERVICES)
    for address, line in seen.items():
        _, _, host, service, path = address.split("/", 4)
        assert host == "muster.example"
        answer = muster.ask("GET", service, f"/{path}")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/schema+json")
        assert "immutable" in answer.headers["Cache-Control"]
        schema = json.loads(answer.text)
        assert schema["$id"] == address
        if "data" in line:
            assert Draft202012Validator(schema).is_valid(line["data"])


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize(
    ("address", "versions"),
    [("VenueOpened/3", [1, 2]), ("VenueOpened/0", [1, 2]), ("VenueBurnt/1", [])],
)
def test_unknown_version_is_a_problem(evening: Evening, service: str, address: str, versions: list) -> None:
    answer = evening.muster.ask("GET", service, f"/schemas/events/{address}")
    assert (answer.status, answer.code, answer.body["data"]["versions"]) == (404, "event-unknown", versions)
    assert "immutable" not in answer.headers["Cache-Control"]


def test_all_services_answer_the_same_asyncapi(evening: Evening) -> None:
    answers = [evening.muster.ask("GET", service, "/asyncapi.json") for service in SERVICES]
    assert {answer.status for answer in answers} == {200}
    assert len({answer.headers["ETag"] for answer in answers}) == 1
    committed = json.loads((Path(__file__).parents[2] / "docs/reference/asyncapi.json").read_text())
    assert answers[0].body == committed
    again = evening.muster.ask("GET", "scoring", "/asyncapi.json", If_None_Match=answers[0].headers["ETag"])
    assert again.status == 304
