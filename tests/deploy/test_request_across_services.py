"""From a request to what followed: its id stands in the log of every service that copied its events."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deploy.stack import Stack
from shared.roles import OPERATOR
from shared.settings import SERVICES
from tests import http
from tests.faults.holds import eventually
from tests.issuing import token_of
from tests.waiting import until

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
ENGINES = [
    "embedded",
    pytest.param("servers", marks=[pytest.mark.engine("postgresql"), pytest.mark.engine("rabbitmq")]),
]
LOGGED = {"MUSTER_LOG_LEVEL": "info", "MUSTER_LOG_FORMAT": "json", "MUSTER_CATCH_UP_SECONDS": "60"}


@pytest.fixture
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    servers: dict[str, str] = request.getfixturevalue("engine_env") if request.param == "servers" else {}
    return servers


def lines_about(stack: Stack, request_id: str) -> list[dict[str, object]]:
    """What the log of the whole stack says under a request: after the name of the process comes JSON."""
    found = []
    for line in stack.log.read_text().splitlines():
        if request_id in line and "{" in line:
            found.append(json.loads(line[line.index("{") :]))
    return found


@pytest.mark.parametrize("env", ENGINES, indirect=True)
def test_the_log_of_each_peer_names_the_request_that_a_copied_event_comes_from(
    env: dict[str, str], tmp_path: Path
) -> None:
    with Stack(tmp_path, env={**env, **LOGGED}) as stack:
        eventually(
            lambda: stack.log.read_text().count('"event":"consuming"') >= len(SERVICES), "all of them hear what is told"
        )
        answer = http.post(
            f"{stack.urls['registration']}/tournaments",
            json={"name": "Friday night", "ruleset": "star-wars-armada-1.1", "tier": "casual"},
            headers={
                "Authorization": f"Bearer {token_of(stack.env, OPERATOR)}",
                "Idempotency-Key": "friday-1",
                "X-Request-Id": "anna-1",
                "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01",
            },
        )
        assert (answer.status_code, answer.headers["X-Request-Id"]) == (201, "anna-1")

        def copies() -> dict[object, dict[str, object]]:
            lines = [line for line in lines_about(stack, "anna-1") if line["event"] == "copied"]
            return {line["service"]: line for line in lines if line["source"] == "registration"}

        until(lambda: len(copies()) == 2, "both peers copy the event", pause=0.1)
        copied = copies()
        asked = [line for line in lines_about(stack, "anna-1") if line["event"] == "request"]
    assert copied.keys() == {"pairing", "scoring"}
    (request,) = asked
    for line in (request, *copied.values()):
        assert line["trace_id"] == TRACE
        assert line["events"] == request["events"]
