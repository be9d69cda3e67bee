"""What a caller may ask is counted over all processes of a service."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack

import pytest

from tests import http
from tests.door.running import Service

MOST, PROCESSES = 100, 3


@pytest.mark.engine("postgresql")
def test_processes_share_one_allowance(postgresql_url, tmp_path):
    # A day, so that hardly ever a window ends while the test runs.
    with ExitStack() as running, http.Client() as client:
        processes = [
            running.enter_context(
                Service(tmp_path / str(number), database=postgresql_url, MUSTER_RATE_LIMIT=f"{MOST}/day")
            )
            for number in range(PROCESSES)
        ]
        answers = [client.get(f"{processes[number % PROCESSES].url}/rulesets") for number in range(MOST * 2)]
    told = Counter(answer.status_code for answer in answers)
    share = MOST // 50
    assert told.keys() == {200, 429}
    assert MOST <= told[200] <= MOST + (PROCESSES - 1) * (share - 1)
    assert answers[-1].headers["RateLimit"].startswith('"caller";r=0;')
