"""A season on complete installations with workers, on both sets of engines, follows its tournaments automatically."""

from __future__ import annotations

from typing import Any

import pytest

from deploy.stack import Stack, operator
from muster.audit.findings import Findings
from muster.audit.logs import audit
from muster.simulator.director import Director
from muster_client import Muster
from muster_client.plain import path_of
from shared.log.cloudevents import from_wire
from shared.settings import SERVICES
from tests.fuzz.muster import ARMADA
from tests.season.story import POINTS, meetings
from tests.waiting import until


def cup(host: Muster, name: str, *players: str) -> Director:
    """Return a tournament of one manually paired round, won by the players named first."""
    director = Director.announce(host, name=name, ruleset=ARMADA, rounds=1)
    ids = director.join({"name": player} for player in players)
    pairings = [{"player_1": one, "player_2": two} for one, two in meetings(ids, 1)]
    director.pair(pairings=pairings, reason="as every year")
    director.start(1)
    for place, game in enumerate(director.games(1)):
        report = {"facts": {"points_1": 300 - 20 * place, "points_2": 100}}
        director.do("scoring", f"/games/{game['id']}/result", report)
    director.close(1)
    director.do("scoring", "/conclusion", {})
    return director


def log_of(season: Director, service: str) -> list[Any]:
    """Return a service's own log. Reading it triggers nothing."""
    connection = season.organiser.connection
    answer = connection.http.get(
        connection.urls[service] + season.path("/log"), params={"source": service, "limit": 5000}
    )
    answer.raise_for_status()
    return [from_wire(line) for line in answer.content.splitlines()]


def recorded(season: Director) -> list[Any]:
    return [event for event in log_of(season, "scoring") if event.type == "SeasonStandingsRecorded"]


def all_recorded(season: Director) -> Any:
    """Return the standings of both cups once they are recorded as shown."""
    shown = season.organiser.plain.get("scoring", season.path("/season/standings"))
    taken = season.organiser.plain.get("scoring", season.path("/season/results"))
    return None if shown["provisional"] or taken["waiting"] or len(shown["items"]) < 5 else shown


def follow(stack: Stack) -> None:
    host = operator(stack.urls, stack.issuer)
    spring = cup(host, "Spring cup", "Ana", "Ben", "Cy", "Dee")
    autumn = cup(host, "Autumn cup", "Ben", "Ana", "Eve", "Cy")
    season = Director.announce(host, name="League", ruleset=POINTS)
    for one in (spring, autumn):
        season.do("registration", "/season/tournaments", {"tournament": one.id})
        season.do("registration", "/season/claims/by-name", {"tournament": one.id})
    # Nobody asks for standings: the worker of scoring takes the results and records them by itself. Until it has, an
    # answer shows what it will record, and says that this is provisional.
    until(lambda: recorded(season))
    before = until(lambda: all_recorded(season))

    game = next(game for game in spring.games(1) if "p1" in (game["player_1"], game["player_2"]))
    points = (0, 400) if game["player_1"] == "p1" else (400, 0)
    body = {"facts": {"points_1": points[0], "points_2": points[1]}, "reason": "the sheet was misread"}
    correction = spring.path(f"/games/{game['id']}/correction")
    told = spring.organiser.plain.post("scoring", correction, body, preview="true")
    assert [one["season"] for one in told["moves"]["seasons"]] == [season.id]
    assert told["moves"]["seasons"][0]["moves"]
    spring.organiser.plain.post("scoring", correction, body)
    latest = until(lambda: [one for one in recorded(season) if b"corrected" in one.data.encode()])
    after = until(lambda: all_recorded(season))
    assert after["number"] > before["number"]
    history = season.organiser.plain.get("scoring", season.path(f"/season/players/{_named(season, 'Ana')}/history"))
    causes = [one for item in history["items"] for cause in item["causes"] for one in cause["causes"]]
    assert "the sheet was misread" in {one["reason"] for one in causes}
    assert latest

    findings = Findings()
    audit({service: log_of(season, service) for service in SERVICES}, findings)
    assert findings.failures == []
    for service in SERVICES:
        differences = host.plain.post(service, "/rebuild")["differences"]
        assert differences == [], service
    assert season.organiser.plain.get("scoring", season.path("/season/standings"))["items"] == after["items"]


def _named(season: Director, name: str) -> str:
    items = season.organiser.plain.items("registration", path_of(season.id, "/season/players"))
    return next(str(item["id"]) for item in items if item["name"] == name)


def test_season_follows_automatically_on_embedded_engines(shared_stack: Stack) -> None:
    follow(shared_stack)


@pytest.mark.engine("postgresql")
@pytest.mark.engine("rabbitmq")
def test_season_follows_automatically_on_postgresql_and_rabbitmq(shared_stack_on_servers: Stack) -> None:
    follow(shared_stack_on_servers)
