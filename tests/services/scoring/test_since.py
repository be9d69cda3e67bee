"""Changes since a version (`?since=`)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.scoring.views_standings import ServedVersion, ServedVersions
from shared.rules.parts import to_json
from shared.service.routes import Gateway
from shared.service.wiring import WIRED
from shared.tournament.registration import (
    PlayerAmended,
    PlayerDisqualified,
    PlayerDropped,
    PlayerJoined,
    TournamentAnnounced,
)
from tests.examples import examples
from tests.rules.tournaments import BY_ID
from tests.services.scoring.story import Floor, floor, score


@pytest.fixture
def six(open_floor) -> Floor:
    """Six players in their second round."""
    told = open_floor(6)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5", "p6"))
    told.play(1, (100, 50), (90, 60), (80, 70))
    told.begin(2, ("p1", "p3"), ("p2", "p5"), ("p4", "p6"))
    return told


def whole(told: Floor, rest: str = "") -> dict[str, Any]:
    answer = told.get("/standings" + rest)
    assert answer.status == 200, answer
    return answer.body


def since(told: Floor, version: str, rest: str = "") -> dict[str, Any]:
    return whole(told, f"?since={version}{rest}")


def brought_up(rows: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Apply an answer like a client: remove gone players, replace changed rows."""
    if change["since"] is None:
        rows = {}
    kept = {player: row for player, row in rows.items() if player not in change["gone"]}
    kept |= {player: kept[player] | {"rank": rank} for player, rank in change["ranks"].items()}
    return kept | {row["player"]: row for row in change["items"]}


def by_player(answer: dict[str, Any]) -> dict[str, Any]:
    return {row["player"]: row for row in answer["items"]}


def test_only_changed_rows_are_returned(six):
    before = whole(six)
    assert six.rule("r2g1", score(400, 0)).status == 201
    change = since(six, before["version"])
    assert change["since"] == before["version"] != change["version"]
    now = by_player(whole(six))
    changed = {player for player, row in now.items() if row != by_player(before)[player]}
    assert {row["player"] for row in change["items"]} | change["ranks"].keys() == changed
    assert 0 < len(changed) < 6
    assert (change["gone"], change["total"], change["next"]) == ([], 6, None)
    assert brought_up(by_player(before), change) == now


def test_rows_with_only_another_rank_are_listed_in_ranks(six):
    before = whole(six)
    assert six.rule("r2g3", score(400, 0)).status == 201
    change = since(six, before["version"])
    assert brought_up(by_player(before), change) == by_player(whole(six))
    assert change["ranks"] != {}
    assert change["ranks"].keys().isdisjoint(row["player"] for row in change["items"])


STANDINGS_MOVES = ("rule", "correct", "void", "rename", "drop", "out", "close", "begin")


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(STANDINGS_MOVES), st.integers(1, 3), st.booleans()), min_size=1, max_size=10))
def test_applying_changes_gives_the_current_standings(club, moves):
    told = floor(club, 6)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5", "p6"))
    filters = ("", "&status=active", "&sort=name")
    known = {rest: whole(told, f"?{rest[1:]}") for rest in filters}
    rows = {rest: by_player(answer) for rest, answer in known.items()}
    for what, number, asked in moves:
        latest, player = max(told.state.rounds.rounds), f"p{number}"
        status = told.state.entries.players[player].status
        match what:
            case "rule":
                told.rule(f"r{latest}g{number}", score(20 * number, 0))
            case "correct":
                told.correct(f"r1g{number}", score(0, 30 * number))
            case "void":
                told.void(f"r{latest}g{number}")
            case "rename":
                told.say("registration", PlayerAmended(player=player, name=f"Called {len(rows)} {number}"))
            case "drop" if status == "active":
                told.say("registration", PlayerDropped(player=player, after_round=0))
            case "out" if status == "active":
                told.say("registration", PlayerDisqualified(player=player, after_round=0, reason="x"))
            case "close":
                told.close(latest)
            case "begin":
                told.begin(latest + 1, ("p1", "p3"), ("p2", "p4"), ("p5", "p6"))
        if asked:
            for rest in filters:
                change = since(told, known[rest]["version"], rest)
                assert change["since"] == known[rest]["version"]
                rows[rest] = brought_up(rows[rest], change)
                known[rest] = whole(told, f"?{rest[1:]}")
                assert rows[rest] == by_player(known[rest])


def test_without_changes_the_answer_is_empty(six):
    change = since(six, whole(six)["version"])
    assert (change["items"], change["gone"], change["ranks"]) == ([], [], {})


def test_removed_and_renamed_players_are_listed(six):
    before = whole(six)
    six.say("registration", PlayerDisqualified(player="p2", after_round=1, reason="x"))
    six.say("registration", PlayerAmended(player="p6", name="Fay the Second"))
    change = since(six, before["version"])
    assert change["gone"] == ["p2"]
    assert "Fay the Second" in {row["name"] for row in change["items"]}
    assert brought_up(by_player(before), change) == by_player(whole(six))


def test_players_who_no_longer_match_a_filter_are_gone(six):
    before = whole(six, "?status=active")
    six.say("registration", PlayerDropped(player="p2", after_round=1))
    change = since(six, before["version"], "&status=active")
    assert "p2" in change["gone"]
    assert brought_up(by_player(before), change) == by_player(whole(six, "?status=active"))


def test_recorded_standings_change_after_a_correction(six):
    before = whole(six, "?round=1")
    assert six.correct("r1g1", score(50, 100)).status == 201
    change = since(six, before["version"], "&round=1")
    assert change["since"] == before["version"]
    assert brought_up(by_player(before), change) == by_player(whole(six, "?round=1"))


def test_an_unknown_version_returns_everything(six):
    """The version may be from another process, from before a restart, or too old."""
    version = whole(six)["version"]
    six.say("registration", PlayerJoined(player="p7", name="Gus"))
    six.club.app.extensions[WIRED][Gateway].repository.forget(six.id)
    assert six.rule("r2g3", score(40, 0)).status == 201
    change = since(six, version)
    assert (change["since"], change["gone"], len(change["items"])) == (None, [], 7)
    assert change["items"] == whole(six)["items"]


def test_invalid_versions_are_refused(six, open_floor):
    other = open_floor(2)
    version = whole(six)["version"]
    for wrong in (whole(other)["version"], whole(six, "?status=active")["version"], version[:-1], "x", ""):
        answer = six.get(f"/standings?since={wrong}")
        assert (answer.status, answer.code, answer.places) == (400, "invalid-cursor", ["/since"]), wrong
    cursor = whole(six, "?limit=2")["next"]
    assert six.get(f"/standings?since={cursor}").code == "invalid-cursor"


@pytest.mark.parametrize("beside", ["limit=2", "around=p1", "after=x"])
def test_changes_are_not_paged(six, beside):
    answer = six.get(f"/standings?since={whole(six)['version']}&{beside}")
    assert (answer.code, answer.places) == ("invalid-request", ["/since"])


def test_changes_are_not_available_as_csv(six):
    answer = six.get(f"/standings?since={whole(six)['version']}", Accept="text/csv")
    assert (answer.status, answer.code) == (406, "not-acceptable")


@settings(max_examples=examples(50))
@given(st.lists(st.integers(1, 30), max_size=60))
def test_kept_versions_are_limited_by_number_and_rows(sizes: list[int]):
    looks = ServedVersions(limit=5, row_limit=60)
    for position, size in enumerate(sizes):
        looks.add(ServedVersion({"scoring": position}, ["row"] * size))  # type: ignore[list-item]
    kept = [position for position in range(len(sizes)) if looks.at({"scoring": position})]
    assert kept == list(range(len(sizes) - len(kept), len(sizes)))
    assert len(kept) <= 5
    assert sum(sizes[position] for position in kept) <= 60
    assert not sizes or kept


def games(told: Floor, rest: str = "") -> dict[str, Any]:
    answer = told.get("/games?limit=500" + rest)
    assert answer.status == 200, answer
    return answer.body


def by_game(answer: dict[str, Any]) -> dict[str, Any]:
    return {game["id"]: game for game in answer["items"]}


def games_brought_up(known: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    if change["since"] is None:
        known = {}
    return {id: game for id, game in known.items() if id not in change["gone"]} | by_game(change)


GAME_MOVES = ("report", "rule", "correct", "void", "close", "rename", "drop", "pair")


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(GAME_MOVES), st.integers(1, 3), st.booleans()), min_size=1, max_size=8))
def test_applying_changes_gives_the_current_games(club, moves):
    told = floor(club, 6)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5", "p6"))
    known = {rest: games(told, rest) for rest in ("", "&status=open", "&round=all")}
    rows = {rest: by_game(answer) for rest, answer in known.items()}
    for what, number, asked in moves:
        game = f"r1g{number}"
        match what:
            case "report":
                told.report(game, score(10 * number, 0), by=f"p{2 * number}")
            case "rule":
                told.rule(game, score(20 * number, 0))
            case "correct":
                told.correct(game, score(0, 30 * number))
            case "void":
                told.void(game)
            case "close":
                told.close(1)
            case "rename":
                told.say("registration", PlayerAmended(player=f"p{number}", name=f"Called {number}"))
            case "drop":
                if told.state.entries.players[f"p{number}"].status == "active":
                    told.say("registration", PlayerDropped(player=f"p{number}", after_round=0))
            case "pair":
                latest = max(told.state.rounds.rounds)
                told.begin(latest + 1, ("p1", "p3"), ("p2", "p4"))
        if asked:
            for rest in known:
                change = games(told, f"{rest}&since={known[rest]['version']}")
                rows[rest] = games_brought_up(rows[rest], change)
                known[rest] = games(told, rest)
                assert rows[rest] == by_game(known[rest])


def test_changed_games_are_found_after_a_restart(six):
    before = games(six, "&round=all")
    six.club.app.extensions[WIRED][Gateway].repository.forget(six.id)
    assert six.rule("r2g3", score(40, 0)).status == 201
    change = games(six, f"&round=all&since={before['version']}")
    assert [game["id"] for game in change["items"]] == ["r2g3"]
    assert (change["gone"], change["total"]) == ([], 6)


def test_a_game_changes_the_rows_of_a_crosstable(club):
    """In a round robin, a row contains all games of its player."""
    told = Floor(club, "t-crosstable")
    pack = to_json(BY_ID["round-robin"])
    told.say(
        "registration",
        TournamentAnnounced(name="Club", format="swiss", ruleset=pack),
        *[PlayerJoined(player=f"p{n}", name=f"Player {n}") for n in range(1, 5)],
    )
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    before = whole(told)
    assert told.rule("r1g1", {"points_1": 1, "points_2": 1}).status == 201
    change = since(told, before["version"])
    assert {row["player"] for row in change["items"]} >= {"p1", "p2"}
    assert brought_up(by_player(before), change) == by_player(whole(told))
    assert [len(row["crosstable"]["p2"]) for row in change["items"] if row["player"] == "p1"] == [1]
