"""A season over HTTP, from its announcement to verified standings."""

from __future__ import annotations

from tests.auditing import failures, logs_of


def test_season_from_announcement_to_verified_standings(season):
    spring = season.cup("Ana", "Ben", "Cy", "Dee", name="Spring cup", starts_on="2026-03-01")
    autumn = season.cup("Ben", "Ana", "Eve", "Cy", name="Autumn cup", starts_on="2026-10-01")
    season.count(spring, autumn)
    assert season.ask("GET", "registration", "").body["format"] == "season"
    table = season.table()
    assert (table["final"], table["provisional"]) == (False, False)
    assert {row["name"] for row in table["items"]} == {"Ana", "Ben", "Cy", "Dee", "Eve"}
    ana = next(row for row in table["items"] if row["name"] == "Ana")
    assert [one["tournament"] for one in ana["results"]] == [spring.id, autumn.id]
    assert failures(logs_of(season)) == []
