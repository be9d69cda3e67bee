"""Three venues through five rounds over HTTP, each at its own pace; `muster verify` holds.

A player drops, one moves, a result is corrected, and one venue is set aside and counted later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.auditing import logs_of
from tests.fuzz.muster import Evening, Muster
from tests.services.conftest import logging_as_it_was
from tests.services.test_moved_player import verified

ROUNDS = 5
VENUES = {"v1": 5, "v2": 6, "v3": 4}


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("apart"))


def announce(muster: Muster) -> Evening:
    evening = muster.announce(pairing_scope="venue", rounds=ROUNDS, rounds_apart=1, tier="casual")
    for venue, players in VENUES.items():
        evening.do("registration", "/venues", {"name": venue.upper(), "tables": 3})
        names = [{"name": f"{venue.upper()} {number}", "venue": venue} for number in range(players)]
        evening.do("registration", "/players/list", {"players": names})
    return evening


def part(evening: Evening, number: int, venue: str) -> list[Any]:
    return [game for game in evening.games(number) if game["venue"] == venue]


def begin(evening: Evening, number: int, venue: str) -> None:
    evening.do("pairing", "/rounds", {"round": number, "venue": venue})
    evening.do("pairing", f"/rounds/{number}/start", {"venue": venue})


def report(evening: Evening, number: int, venue: str) -> None:
    for game in part(evening, number, venue):
        # The player with the lower number wins by more points: the result follows from the players alone.
        low, high = (100, 50) if int(game["player_1"][1:]) < int(game["player_2"][1:]) else (50, 100)
        evening.report(game["id"], points_1=low, points_2=high)


def close(evening: Evening, number: int, venue: str) -> Any:
    return evening.do("scoring", f"/rounds/{number}/close", {"venue": venue})


def play(evening: Evening, number: int, *venues: str) -> None:
    for venue in venues:
        begin(evening, number, venue)
        report(evening, number, venue)
        close(evening, number, venue)


def refusal(evening: Evening, service: str, rest: str, body: Any = None) -> Any:
    heads = evening.heads
    answer = evening.ask("POST", service, rest, body)
    assert evening.heads == heads, "nothing is half done"
    return answer


def test_each_venue_at_its_own_pace(muster, tmp_path):
    evening = announce(muster)
    play(evening, 1, "v1", "v2")
    play(evening, 2, "v1")
    begin(evening, 1, "v3")
    assert refusal(evening, "pairing", "/rounds", {"venue": "v1"}).code == "venues-apart"
    assert refusal(evening, "scoring", "/rounds/1/close", {"venue": "v3"}).code == "games-open"
    assert refusal(evening, "scoring", "/conclusion", {"reason": "early"}).code == "round-not-closed"
    report(evening, 1, "v3")
    close(evening, 1, "v3")
    # p1 goes from v1 to v2, which has not paired round 3 yet; p12 of v3 leaves after round 1.
    evening.do("registration", "/players/p1/venue", {"venue": "v2"})
    evening.do("registration", "/players/p12/drop", {"reason": "ill"})
    first = part(evening, 1, "v2")[0]["id"]
    facts = {"points_1": 70, "points_2": 90}
    evening.do("scoring", f"/games/{first}/correction", {"facts": facts, "reason": "misread"}, "referee")
    play(evening, 2, "v2", "v3")
    begin(evening, 3, "v3")
    aside = evening.do("scoring", "/rounds/3/aside", {"venue": "v3", "reason": "no network"})
    assert [event["type"] for event in aside.body["events"]] == ["PartSetAside"]
    play(evening, 3, "v1", "v2")
    assert refusal(evening, "scoring", "/rounds/3/close", {"venue": "v1"}).code == "round-closed"
    play(evening, 4, "v1", "v2")
    play(evening, 5, "v2")
    standings = evening.ask("GET", "scoring", "/standings").body
    assert {one["venue"]: one["round"] for one in standings["after"]} == {"v1": 4, "v2": 5, "v3": 2}
    assert standings["provisional"] is True
    assert refusal(evening, "scoring", "/conclusion", {"reason": "early"}).code == "round-not-closed"
    report(evening, 3, "v3")
    counted = [event["type"] for event in close(evening, 3, "v3").body["events"]]
    assert counted == ["PartClosed", "StandingsRecorded"]
    play(evening, 4, "v3")
    play(evening, 5, "v3", "v1")
    standings = evening.ask("GET", "scoring", "/standings").body
    assert {one["round"] for one in standings["after"]} == {ROUNDS}
    evening.do("scoring", "/conclusion", {})
    logs = logs_of(evening)
    result = verified(logs, tmp_path)
    assert result.exit_code == 0, result.output
