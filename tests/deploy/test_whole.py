"""The real services in a stack, on both pairs of engines: all answer, and whatever is killed comes back."""

from __future__ import annotations

import pytest

from deploy.checks import port_faults
from deploy.process_manager import PROGRAMS
from deploy.stack import Stack
from shared.roles import INTEGRATION
from tests import http
from tests.issuing import token_of
from tests.waiting import until

ENGINES = [
    pytest.param("embedded", id="sqlite-folder"),
    pytest.param("servers", id="postgresql-rabbitmq", marks=pytest.mark.engine("postgresql", "rabbitmq")),
]


@pytest.fixture
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    servers: dict[str, str] = request.getfixturevalue("engine_env") if request.param == "servers" else {}
    return servers


@pytest.mark.attack("every process killed, then all at once")
@pytest.mark.parametrize("env", ENGINES, indirect=True)
def test_all_answer_and_what_is_killed_comes_back_as_does_everything_after_a_power_cut(env, tmp_path):
    with Stack(tmp_path, env=env) as stack:
        assert stack.pids().keys() == {"supervisor", *PROGRAMS}
        for url in stack.urls.values():
            for path in ("/healthz", "/readyz", "/openapi.json", "/docs"):
                assert http.get(url + path, follow_redirects=True).status_code == 200, path
            assert http.get(url + "/metrics").status_code == 401
            assert "muster_http_request_seconds" in http.get(url + "/metrics", headers=for_prometheus(stack)).text
        before = stack.pids()
        for name in PROGRAMS:
            stack.kill(name)
        after = stack.pids()
        assert before.keys() == after.keys()
        assert {name for name in before if before[name] == after[name]} == {"supervisor"}
        assert "Traceback" not in stack.output(10_000)
        stack.kill_all()  # as in a power cut
        stack.start()
        until(lambda: not not_yet_ok(stack), lambda: not_yet_ok(stack))
    assert port_faults(stack.port_base, "127.0.0.1") == []


def for_prometheus(stack: Stack) -> dict[str, str]:
    """The header of somebody who may read measurements."""
    return {"Authorization": f"Bearer {token_of(stack.env, INTEGRATION, actor='prometheus')}"}


def not_yet_ok(stack: Stack) -> dict[str, object]:
    """What the services that are ready, but lack something that they can do without for a while, say about it."""
    answers = {name: http.get(f"{url}/readyz").json() for name, url in stack.urls.items()}
    return {name: answer for name, answer in answers.items() if answer["status"] != "ok"}
