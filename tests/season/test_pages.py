"""Standings of a season in pages: around a member, by name, and unknown members."""

from __future__ import annotations

import pytest

SIX = ("Ana", "Ben", "Cy", "Dee", "Eve", "Zoë")


@pytest.fixture
def counted(season):
    season.count(season.cup(*SIX))
    season.table()
    return season


def names(answer) -> list[str]:
    assert answer.status == 200, answer
    return [row["name"] for row in answer.body["items"]]


def test_standings_are_complete_without_paging(counted):
    def ask(query: str = ""):
        return counted.ask("GET", "scoring", f"/season/standings{query}")

    everybody = names(ask())
    assert (len(everybody), ask().body["total"], ask().body["next"]) == (6, 6, None)
    first = ask("?limit=3")
    assert names(first) == everybody[:3]
    assert names(ask(f"?limit=3&after={first.body['next']}")) == everybody[3:]
    middle = counted.player(everybody[2])
    assert names(ask(f"?around={middle}&limit=3")) == everybody[1:4]
    assert names(ask("?q=zoe")) == ["Zoë"]
    assert names(ask("?division=north")) == []
    refused = ask("?around=p99")
    assert (refused.status, refused.code, refused.places) == (422, "player-unknown", ["/around"])
    assert ask("?limit=2&after=x").code == "invalid-cursor"
