"""What a caller may ask is counted over all processes of a service, on both databases."""

from __future__ import annotations

from collections import Counter

import httpx
import pytest

from tests import http
from tests.door.running import Service

MOST, PROCESSES = 100, 3


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def database(request: pytest.FixtureRequest) -> str:
    return "" if request.param == "sqlite" else request.getfixturevalue("postgresql_url")


def test_processes_share_one_allowance(database, tmp_path):
    # A day, so that hardly ever a window ends while the test runs.
    env = {"MUSTER_WEB_WORKERS": str(PROCESSES), "MUSTER_RATE_LIMIT": f"{MOST}/day"}
    # A connection of its own for each request, so that every process gets some.
    anew = httpx.Limits(max_keepalive_connections=0)
    with Service(tmp_path / "shared", database=database, **env) as service, http.Client(limits=anew) as client:
        answers = [client.get(f"{service.url}/rulesets") for _ in range(MOST * 2)]
    told = Counter(answer.status_code for answer in answers)
    share = MOST // 50
    assert told.keys() == {200, 429}
    assert MOST <= told[200] <= MOST + (PROCESSES - 1) * (share - 1)
    assert answers[-1].headers["RateLimit"].startswith('"caller";r=0;')
