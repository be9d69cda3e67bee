"""What a caller may ask is counted over all processes of a service that runs, on both databases."""

from __future__ import annotations

from collections import Counter

import httpx
import pytest

from deploy.stack import Stack

ENGINES = [
    pytest.param("embedded", id="sqlite-folder"),
    pytest.param("servers", id="postgresql-rabbitmq", marks=pytest.mark.engine("postgresql", "rabbitmq")),
]
MOST, PROCESSES = 100, 3


@pytest.fixture
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    servers: dict[str, str] = request.getfixturevalue("engine_env") if request.param == "servers" else {}
    return {**servers, "MUSTER_WEB_WORKERS": str(PROCESSES), "MUSTER_RATE_LIMIT": f"{MOST}/hour"}


@pytest.mark.parametrize("env", ENGINES, indirect=True)
def test_processes_share_one_allowance(env, tmp_path):
    with Stack(tmp_path, env=env) as stack:
        # A connection of its own for each request, so that every process gets some.
        answers = [httpx.get(f"{stack.urls['registration']}/rulesets") for _ in range(MOST * 2)]
        others = httpx.get(f"{stack.urls['pairing']}/tournaments/t-1/heads")
    told = Counter(answer.status_code for answer in answers)
    share = MOST // 50
    assert told.keys() == {200, 429}
    assert MOST <= told[200] <= MOST + (PROCESSES - 1) * (share - 1)
    assert answers[-1].headers["RateLimit"].startswith('"caller";r=0;')
    assert others.status_code == 404  # another service, another allowance
