"""A co-op event over HTTP from its announcement to its end."""

from __future__ import annotations

import json

from tests.coop.story import Night
from tests.services.story import Answer, Json


def test_two_rounds_of_sessions(new):
    night = new(8, seated=False, rounds=2)
    night.do("registration", "/parties", {"players": ["p1", "p2"]})
    night.do("registration", "/registration/close")
    assert night.seat().body["events"][0]["type"] == "SessionRoundOpened"
    tables = night.tables()
    assert sorted(map(len, tables.values())) == [4, 4]
    assert any({"p1", "p2"} <= set(survivors) for survivors in tables.values())

    night.set_up("r1t1")
    night.end_round("a1")
    night.win()
    night.set_up("r1t2")
    night.move_to(8)
    night.kill(night.here[1])
    assert night.state["ended"]["event"] == "SessionLost"
    for session in tables:
        night.session = session
        assert night.confirm(by=tables[session][0]).types == ["SessionConfirmed"]
        assert not night.state["binds"]
        night.confirm(by=tables[session][1])
        assert night.state["binds"]
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/session-rounds/1/ranking")
    ranking = night.ranking(1)
    assert [(row["rank"], row["session"], row["outcome"]) for row in ranking["tables"]] == [
        (1, "r1t1", "victory"),
        (2, "r1t2", "defeat"),
    ]
    assert {row["rank"] for row in ranking["survivors"] if row["player"] in tables["r1t1"]} == {1}
    assert not ranking["provisional"]

    night.seat()
    again = night.tables(2)
    met = [set(survivors) for survivors in tables.values()]
    assert all(len(set(survivors) & before) == 2 for survivors in again.values() for before in met)
    for session in again:
        night.set_up(session)
        night.do("scoring", f"/sessions/{session}/ending", {"outcome": "unfinished", "reason": "the hall closes"})
    night.do("pairing", "/session-rounds/2/close")
    ended = night.do("scoring", "/conclusion", {})
    assert ended.types == ["CoopRankingPublished", "TournamentConcluded"]
    final = night.ranking()
    assert final["final"]
    assert [row["points"] for row in final["survivors"]] == [4] * 4 + [1] * 4
    assert [row["rank"] for row in final["survivors"]] == [1] * 4 + [5] * 4
    assert night.ask("GET", "registration", "").body["format"] == "coop"

    for service, types in (
        ("registration", {"OperatorDataPinned", "PartyFormed"}),
        ("pairing", {"SessionRoundOpened", "TableSeated", "SessionRoundClosed"}),
        ("scoring", {"SessionStarted", "PowerTokenAdvanced", "SessionWon", "SessionConfirmed", "CoopRankingPublished"}),
    ):
        log = lines(night.ask("GET", service, "/log?limit=1000"))
        assert types <= {event["type"].rpartition(".")[2] for event in log}
        assert [event["id"] for event in feed(night, service)] == [event["id"] for event in log]


def feed(night: Night, service: str) -> list[Json]:
    """The events of this tournament in the feed of a service."""
    token, found, after = night.muster.token("operator"), [], 0
    while page := lines(night.muster.ask("GET", service, f"/log?limit=1000&after={after}", token=token)):
        found += page
        after = page[-1]["feedposition"]
    return [event for event in found if event["subject"] == night.id]


def lines(answer: Answer) -> list[Json]:
    """The events of a page, one on each line."""
    return [json.loads(line) for line in answer.text.splitlines()]
