"""Concurrent requests and readers on both databases: everything happens once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Barrier, Thread

import pytest

from services.scoring import season_index
from services.scoring.app import build_with_seasons
from shared.settings import SERVICES
from tests.fuzz.muster import Muster
from tests.season.story import Season, new_season
from tests.services.conftest import logging_as_it_was
from tests.services.story import Answer


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def season(request: pytest.FixtureRequest, tmp_path: Path):
    """Return a season on a database of each kind."""
    made = None if request.param == "sqlite" else request.getfixturevalue("postgresql_urls")
    databases = {f"{service.upper()}_DATABASE_URL": made() for service in SERVICES} if made else {}
    with logging_as_it_was():
        muster = Muster(tmp_path, **databases)
        yield new_season(muster)
        for database in muster.databases.values():
            database.close()


def at_once(muster: Muster, asked: Sequence[tuple[str, str, str, object, str]]) -> list[Answer]:
    """Send all these requests at once: (method, service, address, body, token)."""
    start = Barrier(len(asked))
    answers: list[Answer | None] = [None] * len(asked)

    def ask(index: int) -> None:
        method, service, address, body, token = asked[index]
        client = muster.apps[service].test_client()
        start.wait()
        response = client.open(
            address, method=method, json=body, headers={"Authorization": f"Bearer {token}"} if token else {}
        )
        answers[index] = Answer(response.status_code, dict(response.headers), response.get_data())

    threads = [Thread(target=ask, args=(index,)) for index in range(len(asked))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answer for answer in answers if answer is not None]


def test_concurrent_claims_of_one_entry_give_one_player(season: Season):
    cup = season.cup("Ana", "Ben")
    season.gather(cup)
    claim = f"/tournaments/{season.id}/season/claims/own"
    names = ("Ana", "Anna", "Hannah", "Anne")
    answers = at_once(
        season.muster, [("POST", "registration", claim, {"name": name}, cup.token("p1")) for name in names]
    )
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
    assert {answer.code for answer in answers if answer.status == 409} == {"entry-claimed"}
    assert len(season.ask("GET", "registration", "/season/players").body["items"]) == 1


def test_concurrent_readers_see_a_correction_and_it_is_taken_once(season: Season):
    cup = season.cup("Ana", "Ben", "Cy", "Dee")
    season.count(cup)
    season.table()
    cup.loses("p1")
    before = season.heads["scoring"]
    here, organiser = f"/tournaments/{season.id}/season", season.token("organiser")
    answers = at_once(season.muster, [("GET", "scoring", f"{here}/standings", None, "")] * 4)
    assert {answer.status for answer in answers} == {200}
    assert len({str(answer.body["items"]) for answer in answers}) == 1
    assert season.heads["scoring"] == before
    taken = at_once(season.muster, [("POST", "scoring", f"{here}/results", None, organiser)] * 4)
    assert {answer.status for answer in taken} == {201}
    types = [line["type"].rpartition(".")[2] for line in season.ask("GET", "scoring", "/log").lines[before:]]
    assert types == ["SeasonResultsTaken", "SeasonStandingsRecorded"]


def test_concurrent_merges_and_corrections_converge(season: Season):
    cup = season.cup("Ana", "Ben", "Cy", "Dee")
    other = season.cup("Ana B", "Ben B")
    season.count(cup, other)
    season.table()
    merges = [
        {"player": season.player(f"{name} B"), "into": season.player(name), "reason": "one"} for name in ("Ana", "Ben")
    ]
    game = cup.game_of("p1")
    facts = {"facts": {"points_1": 10, "points_2": 300}, "reason": "misread"}
    organiser, there = season.token("organiser"), cup.token("organiser")
    answers = at_once(
        season.muster,
        [
            *(("POST", "registration", f"/tournaments/{season.id}/season/merges", body, organiser) for body in merges),
            ("POST", "scoring", f"/tournaments/{cup.id}/games/{game}/correction", facts, there),
            ("GET", "scoring", f"/tournaments/{season.id}/season/standings", None, ""),
        ],
    )
    assert {answer.status for answer in answers} <= {200, 201}, answers
    for tournament in (season.id, cup.id):
        season.muster.copy(tournament)
    table = season.table()
    assert not table["provisional"]
    assert {row["name"]: row["attended"] for row in table["items"]} == {"Ana": 2, "Ben": 2, "Cy": 1, "Dee": 1}


def test_starting_worker_finds_all_seasons_and_news(season: Season):
    cup = season.cup("Ana", "Ben", "Cy", "Dee")
    season.count(cup)
    season.table()
    cup.loses("p1")
    with season.muster.databases["scoring"].writing() as connection:
        connection.run("DELETE FROM season_tournaments")  # as if every hint had been lost
    before = season.heads["scoring"]
    service, seasons = build_with_seasons(season.muster.env)
    try:
        seasons.take_all()
        assert season.heads["scoring"] == before + 2
        seasons.take_all()
        assert season.heads["scoring"] == before + 2
        with service.database.reading() as connection:
            assert season_index.seasons_of(connection, cup.id) == [season.id]
    finally:
        service.database.close()


def test_season_index_is_rebuilt(season: Season):
    cup = season.cup("Ana", "Ben")
    season.count(cup)
    season.table()
    operator = season.muster.token("operator")

    def rebuilt() -> list[dict[str, str]]:
        return list(season.muster.ask("POST", "scoring", "/rebuild", token=operator).body["differences"])

    assert rebuilt() == []
    with season.muster.databases["scoring"].writing() as connection:
        connection.run("DELETE FROM season_tournaments")
    (found,) = rebuilt()
    assert (found["what"], found["tournament"]) == ("season_tournaments", season.id)
    assert rebuilt() == []
    assert [one["season"] for one in cup.loses("p1", preview=True).body["moves"]["seasons"]] == [season.id]
