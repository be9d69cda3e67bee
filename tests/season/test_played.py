"""A player's tournaments in a season, public; warnings, for staff only."""

from __future__ import annotations


def test_tournaments_games_and_points_of_a_player(season):
    first, second = season.cup("Ana", "Ben", "Cy", "Dee", rounds=2), season.cup("Ben", "Ana", "Eli", "Fay")
    season.count(first, second)
    table = season.table()
    player = season.player("Ana")
    answer = season.ask("GET", "scoring", f"/season/players/{player}/tournaments", by="")
    assert answer.status == 200, answer
    one, two = answer.body["items"]
    assert [one["tournament"], two["tournament"]] == [first.id, second.id]
    assert (one["place"], one["field"], one["concluded"], one["reason"]) == (1, 4, True, "")
    assert (two["place"], two["entry"]) == (2, second.player("Ana"))
    results = {row["tournament"]: row for row in next(r for r in table["items"] if r["player"] == player)["results"]}
    assert [str(results[cup["tournament"]]["points"]) for cup in (one, two)] == [one["points"], two["points"]]
    assert [game["round"] for game in one["games"]] == [1, 2]
    for game in one["games"]:
        names = {one["id"]: one["name"] for one in first.ask("GET", "registration", "/players").body["items"]}
        assert (game["outcome"], game["kind"]) == ("win", "game")
        assert game["opponent_name"] == names[game["opponent"]] != "Ana"


def test_unfinished_tournament_is_listed_without_results(season):
    cup = season.cup("Ana", "Ben", conclude=False)
    season.count(cup)
    player = season.player("Ana")
    [one] = season.ask("GET", "scoring", f"/season/players/{player}/tournaments").body["items"]
    assert (one["tournament"], one["concluded"], one["games"], one["points"]) == (cup.id, False, [], "")


def test_released_tournament_is_not_listed(season):
    cup = season.cup("Ana", "Ben")
    season.count(cup)
    player = season.player("Ana")
    season.post(f"/tournaments/{cup.id}/release", {"reason": "another season's"})
    assert season.ask("GET", "scoring", f"/season/players/{player}/tournaments").body["items"] == []


def test_warnings_of_the_season_are_for_staff(season):
    cup = season.cup("Ana", "Ben", conclude=False)
    for name, reason in (("Ana", "late"), ("Ben", "loud"), ("Ana", "late again")):
        cup.do("registration", f"/players/{cup.player(name)}/warnings", {"reason": reason, "clause": "FF-DQ-1"})
    season.count(cup)
    player = season.player("Ana")
    rest = f"/season/players/{player}/warnings"
    answer = season.ask("GET", "scoring", rest)
    assert answer.status == 200, answer
    assert [(one["tournament"], one["reason"], one["clause"]) for one in answer.body["items"]] == [
        (cup.id, "late", "FF-DQ-1"),
        (cup.id, "late again", "FF-DQ-1"),
    ]
    assert season.ask("GET", "scoring", rest, by="").status == 401
    own = cup.ask("GET", "registration", f"/players/{cup.player('Ben')}/warnings").body
    assert ([one["reason"] for one in own["items"]], own["total"]) == (["loud"], 1)
    assert cup.ask("GET", "registration", f"/players/{cup.player('Ben')}/warnings", by="").status == 401


def test_warnings_of_a_private_tournament_need_access_to_it(season, muster):
    operator = muster.token("operator")
    cup = season.cup("Ana", "Ben", conclude=False, visibility="private")
    cup.do("registration", f"/players/{cup.player('Ana')}/warnings", {"reason": "late"})
    season.post("/tournaments", {"tournament": cup.id}, by=operator)
    season.post("/claims/by-name", {"tournament": cup.id}, by=operator)
    rest = f"/season/players/{season.player('Ana')}/warnings"
    assert season.ask("GET", "scoring", rest, by="organiser").body["items"] == []
    [one] = season.ask("GET", "scoring", rest, by=operator).body["items"]
    assert one["reason"] == "late"


def test_referee_of_a_tournament_sees_warnings_of_its_players(season, muster):
    first, second = (season.cup(*names, conclude=False) for names in (("Ana", "Ben"), ("Ben", "Ana")))
    alone = season.cup("Ana", "Ben", conclude=False)
    for cup, name, reason in ((first, "Ana", "late"), (second, "Ana", "loud"), (first, "Ben", "rude")):
        cup.do("registration", f"/players/{cup.player(name)}/warnings", {"reason": reason})
    rest = f"/players/{second.player('Ana')}/season-warnings"
    assert second.ask("GET", "scoring", rest, by="referee").body["items"] == [], "no season counts it yet"
    season.count(first, second)
    season.follow()
    answer = second.ask("GET", "scoring", rest, by="referee")
    assert answer.status == 200, answer
    assert [(one["tournament"], one["reason"]) for one in answer.body["items"]] == [
        (first.id, "late"),
        (second.id, "loud"),
    ]
    assert alone.ask("GET", "scoring", f"/players/{alone.player('Ana')}/season-warnings").body["total"] == 0
    for by, status in (("", 401), (second.player("Ana"), 403), (muster.token("referee", first.id), 403)):
        assert second.ask("GET", "scoring", rest, by=by).status == status
    assert second.ask("GET", "scoring", "/players/p99/season-warnings", by="referee").code == "player-unknown"


def test_unknown_player(season):
    for what in ("tournaments", "warnings"):
        answer = season.ask("GET", "scoring", f"/season/players/p99/{what}")
        assert (answer.status, answer.code) == (404, "player-unknown")
    cup = season.cup("Ana", "Ben", conclude=False)
    assert cup.ask("GET", "registration", "/players/p99/warnings").code == "player-unknown"
