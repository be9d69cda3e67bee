"""A campaign on both databases: built, paired, played, moved to another version, and verified."""

from __future__ import annotations

from collections import Counter
from threading import Barrier, Thread

import pytest

from shared.campaign.state import ENLISTED
from shared.formats.fold import fold
from shared.tournament.state import Tournament
from tests.auditing import failures
from tests.campaign.services.league import League, group, new_league, told
from tests.campaign.services.test_ruleset_moves import MOVES, move, version
from tests.fuzz.muster import Json, Muster


@pytest.mark.clause("FS-AUD-2", "FS-SVC-1", "FS-SVC-2")
def test_a_campaign_works_on_both_databases(muster_on: Muster) -> None:
    league = new_league(muster_on, 3, options={"fs.group.wiped_out": "new_group_500"})
    league.build("p1", group("vg", goods=["brass_knuckles_knife"]))
    league.hand_in("p2", group("ve", "super_mutants"))
    league.roll_turfs("p2", told(12, 12, seen="s1"), {}, told(1, 2, by="s1", seen="p1"))
    league.build("p3", group("vgg", "vault_residents"))
    league.refused(422, "group-refused", "registration", "/players/p3/group", group("g"))
    league.do("registration", "/registration/close")
    league.pair()
    (one,) = (pair for pair in league.pairs(1) if len(pair) == 2)
    league.play("r1g1", min(one), killed=max(one))
    league.end_round()
    league.do("registration", MOVES, move(version(rating_per_turf=60), 2), "operator")
    league.build(max(one), group("vv"))
    league.do("registration", "/players", {"name": "Late", "late": True})
    league.build("p4", group("vv", "raiders"))
    league.pair(pairings=[{"player_1": "p1", "player_2": "p4"}, {"player_1": "p2", "player_2": "p3"}])
    league.do("pairing", "/rounds/2/amendments", {"swap": ["p4", "p3"], "reason": "too far to travel"})
    for game in ("r2g3", "r2g4"):
        league.play(game)
    league.end_round()
    league.pair()
    assert failures(league.logs) == []
    state = fold(Tournament(), (event for log in league.logs.values() for event in log))
    assert ENLISTED.of(state).rolled == 15
    assert sorted(state.rounds.rounds) == [1, 2, 3]
    assert {player: len(found.turfs) for player, found in ENLISTED.of(state).groups.items()} == dict.fromkeys(
        ("p1", "p2", "p3", "p4"), 3
    )


@pytest.mark.clause("FS-TRF-1", "FS-RND-1", "FS-AUD-1")
def test_concurrent_requests_roll_turfs_and_pair_rounds_once(muster_on: Muster) -> None:
    league = new_league(muster_on, 2)
    league.hand_in("p1")
    league.build("p2")
    turf = "/players/p1/group/turfs"
    assert at_once(league, 6, "registration", turf, {"rolls": [{}]}) == {201: 3, 422: 3}
    shown = league.built("p1")
    assert (len(shown["turfs"]), shown["complete"]) == (3, True)
    league.muster.copy(league.id)
    assert at_once(league, 4, "pairing", "/rounds", {"round": 1}) == {201: 1, 409: 3}
    assert failures(league.logs) == []


def at_once(league: League, phones: int, service: str, rest: str, body: Json) -> Counter[int]:
    """Send the same request from several clients at once. Return status -> count."""
    barrier, statuses = Barrier(phones), list[int]()
    headers = {"Authorization": f"Bearer {league.token('organiser')}"}

    def ask() -> None:
        client = league.muster.apps[service].test_client()
        barrier.wait()
        answer = client.post(f"/tournaments/{league.id}{rest}", json=body, headers=headers)
        statuses.append(answer.status_code)

    threads = [Thread(target=ask) for _ in range(phones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(statuses)
