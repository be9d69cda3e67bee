"""Generated requests to a campaign: from OpenAPI documents, and nearly valid groups and packs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
from schemathesis import Case

from tests.campaign.services.league import ABSENT, League, group, new_league, told
from tests.campaign.services.test_ruleset_moves import MOVES, move, version
from tests.fuzz.muster import MANY, Muster
from tests.fuzz.mutants import mutant
from tests.fuzz.test_requests import SAME_EVERY_TIME, answered_as_documented, requests_to

TAGS = {
    "registration": frozenset({"groups", "ruleset-moves"}),
    "pairing": frozenset({"rounds", "floor"}),
    "scoring": frozenset({"groups", "campaign games", "dice"}),
}
"""Service -> the OpenAPI tags that a campaign uses."""


class Leagues:
    """Campaigns before and in their first round, replaced after heavy use."""

    def __init__(self, muster: Muster) -> None:
        self.muster = muster
        self._leagues: dict[str, League] = {}
        self._done: Counter[str] = Counter()

    def of(self, stage: str) -> League:
        """before, between: no round is paired. middle: round 1 is paired."""
        if stage not in self._leagues or self._done[stage] > 15:
            made = self._leagues[stage] = new_league(self.muster, 5, built=True)
            self._done[stage] = 0
            if stage == "middle":
                made.pair()
        return self._leagues[stage]

    def note(self, stage: str, address: str) -> None:
        """Count a command."""
        self._done[stage] += 1


@pytest.fixture(scope="module")
def leagues(muster: Muster) -> Leagues:
    return Leagues(muster)


service, document = requests_to(TAGS)


@pytest.mark.timeout(1800)  # all requests to a service are one test
@SAME_EVERY_TIME
@schemathesis.pytest.from_fixture("document").parametrize()
def test_generated_requests_get_documented_answers(case: Case[Any], service: str, leagues: Any) -> None:
    answered_as_documented(case, service, leagues)


@pytest.mark.clause("FS-GRP-1", "FS-GRP-13", "FS-AUD-1")
def test_nearly_valid_groups_and_dice_are_refused_with_faults(muster: Muster) -> None:
    league = new_league(muster, 2)
    good = group("vgggg", stash=["hunting_rifle", "smg_10mm"], goods=["flamer", "brass_knuckles_knife"])
    rolls = {"rolls": [told(4, 5, seen="p2"), told(6, 6, by="p2", seen="s1")]}
    statuses: Counter[str] = Counter()
    for seed in range(150 * MANY):
        for rest, body in (("", mutant(good, seed)), ("/turfs", mutant(rolls, seed))):
            before = league.heads
            answer = league.ask("POST", "registration", f"/players/p1/group{rest}", body[0], "p1")
            assert answer.status in (201, 404, 422), f"{body[1]}: {answer}"
            assert answer.status == 201 or league.heads == before, body[1]
            statuses[answer.code] += 1
            if answer.status == 201:
                shown = league.built("p1")
                assert shown["caps"] >= 0
                assert len(shown["turfs"]) <= 3
    assert {"", "group-refused", "dice-refused", "invalid-request"} <= set(statuses)


@pytest.mark.clause("FS-AUD-3")
def test_an_accepted_version_can_be_played(muster: Muster) -> None:
    """A version is either refused or a round can be played to its end."""
    taken = Counter[str]()
    for seed in range(40 * MANY):
        league = new_league(muster, 2, built=True)
        pack, changed = mutant(version(), seed)
        before = league.heads
        answer = league.ask("POST", "registration", MOVES, move(pack) if isinstance(pack, dict) else pack, "operator")
        assert answer.status in (201, 422), f"{changed}: {answer}"
        taken[answer.code] += 1
        if answer.status == 422:
            assert league.heads == before, changed
            continue
        play(league, changed)
    assert {"", "ruleset-refused"} <= set(taken)


def play(league: League, changed: str) -> None:
    """Play a round and prepare its game; return the refusals."""
    fielded = [member["id"] for member in league.built("p1")["members"]]
    steps: list[tuple[str, str, Any]] = [
        ("pairing", "/rounds", None),
        *(("scoring", "/games/r1g1/muster", {"group": id, "fielded": fielded}) for id in ("p1", "p2")),
        *(("scoring", "/games/r1g1/objective", {"group": id}) for id in ("p1", "p2")),
        ("scoring", "/games/r1g1/result", {"facts": {"kind": "no_show", "conceded_by": 1}}),
        *(("scoring", f"/groups/{id}/steps/3/closing", ABSENT) for id in ("p1", "p2")),
        ("scoring", "/recruits", {}),
    ]
    for service, rest, body in steps:
        answer = league.ask("POST", service, rest, body)
        assert answer.status in (200, 201, 404, 409, 422), f"{changed}: {answer}"
