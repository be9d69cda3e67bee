"""Generated requests against a co-op event: see tests/fuzz/test_requests.py."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
from schemathesis import Case

from tests.coop.story import Night, new_night, operator_data
from tests.fuzz.muster import MANY, Json, Muster
from tests.fuzz.mutants import mutant
from tests.fuzz.test_requests import SAME_EVERY_TIME, answered_as_documented, requests_to

TAGS = {
    "registration": frozenset({"parties"}),
    "pairing": frozenset({"seating"}),
    "scoring": frozenset({"sessions"}),
}
"""Service -> the tag of what only co-operative events have."""


class Nights:
    """Events with one table in play and one not set up; replaced when used up."""

    def __init__(self, muster: Muster) -> None:
        self.muster = muster
        self._night: Night | None = None
        self._done = 0

    def of(self, stage: str) -> Night:
        """An event; its stage does not matter here."""
        if self._night is None or self._done > 15:
            self._night, self._done = new_night(self.muster, 6), 0
            self._night.set_up("r1t1")
        return self._night

    def note(self, stage: str, address: str) -> None:
        """A command was done."""
        self._done += 1


@pytest.fixture(scope="module")
def nights(muster: Muster) -> Nights:
    return Nights(muster)


service, document = requests_to(TAGS)


@pytest.mark.timeout(1800)  # all requests to a service are one test
@SAME_EVERY_TIME
@schemathesis.pytest.from_fixture("document").parametrize()
def test_a_request_is_answered_as_documented(case: Case[Any], service: str, nights: Any) -> None:
    answered_as_documented(case, service, nights)


@pytest.mark.clause("AB-OPS-1")
def test_accepted_data_can_be_played(muster: Muster) -> None:
    """Operator data are either refused when entered, or playable."""
    statuses: Counter[str] = Counter()
    night = new_night(muster, 0, seated=False)
    for seed in range(60 * MANY):
        data, told = mutant(operator_data(), seed)
        before = night.heads
        answer = night.ask("POST", "registration", "/operator-data", {"data": data})
        assert answer.status in (201, 422), f"{told}: {answer}"
        statuses[answer.code] += 1
        if answer.status == 422:
            assert night.heads == before, told
            continue
        one = new_night(muster, 1, seated=False)
        one.do("registration", "/operator-data", {"data": data})
        play(one, data, told)
    assert set(statuses) == {"", "operator-data-refused"}


def play(night: Night, data: Json, told: str) -> None:
    """Play a table of one for a round; moves may be refused."""
    sheet = data["scenarios"][0]
    first = {"scenario": sheet["scenario_id"], "first_player": "p1"}
    steps: list[tuple[str, str, Json]] = [
        ("pairing", "/session-rounds", {}),
        ("scoring", "/sessions/r1t1/setup", {**first, "loyal_faction": sheet["sides"][0].get("loyal_faction")}),
        ("scoring", "/sessions/r1t1/moves", {"moves": [{"move": "card_revealed"}, {"move": "enemies_activated"}]}),
        ("scoring", "/sessions/r1t1/moves", {"moves": [{"move": "opposing_activated", "enemies_on_map": 3}]}),
        ("scoring", "/sessions/r1t1/moves", {"moves": [{"move": "goal_completed", "goal": "g01"}]}),
        ("scoring", "/sessions/r1t1/moves", {"moves": [{"move": "scenario_effect", "spaces": 99}]}),
    ]
    for service, rest, body in steps:
        answer = night.ask("POST", service, rest, body)
        assert answer.status in (201, 404, 409, 422), f"{told}: {answer}"
