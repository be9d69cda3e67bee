"""Given byes and a round that counts double, over HTTP: services, files and audit agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.formats.packs import load
from shared.log.cloudevents import to_wire
from shared.rules.parts import to_json
from tests.auditing import changed, failures, logs_of
from tests.fuzz.muster import Evening, Muster
from tests.rules.test_given_byes import DOUBLE, club_text
from tests.services.conftest import logging_as_it_was

TEXT = club_text(DOUBLE)
PACK: Any = to_json(load(TEXT, "club.yaml"))
BYES = {
    1: [{"player": "p2", "kind": "awarded"}, {"player": "p5", "kind": "requested"}],
    2: [{"player": "p1", "kind": "requested"}],
    3: [{"player": "p7", "kind": "awarded"}],
}


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("byes"))


def announced(muster: Muster, pack: Any = PACK) -> Evening:
    evening = _announce(muster, pack)
    evening.do("registration", "/players/list", {"players": [{"name": f"Player {n}"} for n in range(1, 8)]})
    return evening


def _announce(muster: Muster, pack: Any) -> Evening:
    body = {"name": "Club night", "pack": pack, "rounds": 3}
    answer = muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))
    assert answer.status == 201, answer
    return Evening(muster, answer.body["id"])


@pytest.fixture(scope="module")
def played(muster: Muster) -> Evening:
    """Three rounds of seven players with byes of every kind; the lower number wins, or draws with the next."""
    evening = announced(muster)
    for number, byes in BYES.items():
        evening.round(number, byes=byes)
        for game in evening.games(number):
            one, two = int(game["player_1"][1:]), int(game["player_2"][1:])
            points = 1 if abs(one - two) == 1 else 2 * (one < two)
            evening.report(game["id"], points_1=points, points_2=2 - points)
        evening.do("scoring", f"/rounds/{number}/close")
    return evening


def seats(evening: Evening, round: int) -> list[dict[str, Any]]:
    answer = evening.ask("GET", "pairing", f"/rounds/{round}")
    assert answer.status == 200, answer
    return list(answer.body["pairings"])


def test_single_remaining_player_gets_the_ordinary_bye(muster: Muster):
    evening = announced(muster)
    awarded = [{"player": f"p{number}", "kind": "awarded"} for number in range(1, 8)]
    refused = evening.ask("POST", "pairing", "/rounds", {"round": 1, "byes": awarded})
    assert (refused.status, refused.body["code"]) == (409, "too-few-players")
    assert "everybody has a given bye: give fewer, or pair the round by hand" in refused.body["detail"]
    evening.round(1, byes=awarded[:-1])
    (lone,) = [seat for seat in seats(evening, 1) if not seat["bye"]]
    assert (lone["kind"], lone["player_1"], lone["reason"]) == ("bye", "p7", "everybody else has a given bye")
    evening.do("scoring", "/rounds/1/close")
    assert [row["rank"] for row in rows_of(evening)] == [1, 1, 1, 1, 1, 1, 7]


def test_the_judgement_names_opponents_who_both_had_a_bye(muster: Muster):
    evening = announced(muster)
    evening.round(1, byes=[{"player": f"p{number}", "kind": "awarded"} for number in range(1, 7)])
    evening.do("scoring", "/rounds/1/close")
    evening.round(2)
    judged = evening.ask("GET", "pairing", "/rounds/2/judgement").body["findings"]
    found = [one for one in judged if one["code"] == "byes_meet"]
    assert {one["game"] for one in found} == {seat["id"] for seat in seats(evening, 2) if seat["kind"] == "game"}
    assert all(one["said"].endswith(": all had a bye in round 1.") for one in found)


@pytest.mark.parametrize("round", BYES)
def test_everyone_is_paired_or_has_the_given_bye(played: Evening, round: int):
    found = seats(played, round)
    assert {seat["player_1"]: seat["bye"] for seat in found if seat["bye"]} == {
        one["player"]: one["kind"] for one in BYES[round]
    }
    sitting = [player for seat in found for player in (seat["player_1"], seat["player_2"]) if player]
    assert sorted(sitting) == [f"p{number}" for number in range(1, 8)]
    assert sum(seat["kind"] == "bye" and not seat["bye"] for seat in found) == (7 - len(BYES[round])) % 2


def test_scoring_shows_the_value_of_each_bye(played: Evening):
    items = played.ask("GET", "scoring", "/games?round=3&limit=500").body["items"]
    worth = {item["player_1"]: item["score"] for item in items if item["kind"] == "bye"}
    assert worth["p7"]["values_1"] == {"half_points": 4}  # a win, and the third round counts double
    items = played.ask("GET", "scoring", "/games?round=1&limit=500").body["items"]
    worth = {item["player_1"]: item["score"] for item in items if item["kind"] == "bye"}
    assert {player: score["values_1"]["half_points"] for player, score in worth.items()} == worth_of_first(played)


def worth_of_first(played: Evening) -> dict[str, int]:
    return {
        seat["player_1"]: {"awarded": 2, "requested": 1, "": 1}[seat["bye"]]
        for seat in seats(played, 1)
        if seat["kind"] == "bye"
    }


def rows_of(played: Evening) -> list[dict[str, Any]]:
    answer = played.ask("GET", "scoring", "/standings")
    assert answer.status == 200, answer
    return list(answer.body["items"])


def test_same_rounds_from_files_give_the_same_result(played: Evening, tmp_path: Path):
    lines = ["round,kind,player_1,player_2,points_1,points_2"]
    for round in BYES:
        for item in played.ask("GET", "scoring", f"/games?round={round}&limit=500").body["items"]:
            facts = item.get("facts", {})
            bye = next((seat["bye"] for seat in seats(played, round) if seat["player_1"] == item["player_1"]), "")
            kind = f"{bye}_bye" if bye else item["kind"]
            cells = [
                round,
                kind,
                item["player_1"],
                item["player_2"],
                facts.get("points_1", ""),
                facts.get("points_2", ""),
            ]
            lines.append(",".join(str(cell) for cell in cells))
    (tmp_path / "club.yaml").write_text(TEXT, "utf-8")
    (tmp_path / "results.csv").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "players.csv").write_text("player\n" + "".join(f"p{n}\n" for n in range(1, 8)), "utf-8")
    arguments = ["standings", "--ruleset", str(tmp_path / "club.yaml"), "--format", "json"]
    arguments += ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv")]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.stderr
    offline = {row["player"]: (row["rank"], row["points"], row["buchholz"]) for row in json.loads(done.stdout)}
    assert offline == {
        row["player"]: (row["rank"], row["values"]["points"], row["values"]["buchholz"]) for row in rows_of(played)
    }


def test_logs_verify(played: Evening):
    assert failures(logs_of(played)) == []


def test_standings_from_the_logs_are_the_same(played: Evening, tmp_path: Path):
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs_of(played).values() for event in log))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 0
    again = json.loads(CliRunner().invoke(main, ["replay", str(file), "--format", "json"]).stdout)
    assert [(row["player"], row["points"]) for row in again] == [
        (row["name"], row["values"]["points"]) for row in rows_of(played)
    ]


@pytest.mark.parametrize("bye", ["", "requested", "bought"])
def test_changed_bye_in_the_log_is_detected(played: Evening, bye: str):
    def forge(data: dict[str, Any]) -> None:
        seat = next(seat for seat in data["pairings"] if seat.get("bye") == "awarded")
        seat["bye"] = bye

    assert failures(changed(logs_of(played), "pairing", "PairingsDrawn", forge)) != []


def refused(evening: Evening, body: Any) -> list[str]:
    before = evening.muster.heads(evening.id)
    answer = evening.ask("POST", "pairing", "/rounds", body)
    assert (answer.status, answer.code) == (422, "pairings-refused"), answer
    assert evening.muster.heads(evening.id) == before
    return answer.places


@pytest.mark.parametrize(
    ("byes", "places"),
    [
        ([{"player": "p9", "kind": "awarded"}], ["/byes/0/player"]),
        ([{"player": "p1", "kind": "awarded"}, {"player": "p1", "kind": "requested"}], ["/byes/1/player"]),
    ],
)
def test_bye_without_player_or_twice_is_refused(muster: Muster, byes: Any, places: list[str]):
    assert refused(announced(muster), {"byes": byes}) == places


def test_bye_unknown_to_the_ruleset_is_refused(muster: Muster):
    plain = {
        **PACK,
        "bye": {name: value for name, value in PACK["bye"].items() if name not in ("awarded", "requested")},
    }
    evening = announced(muster, plain)
    assert refused(evening, {"byes": [{"player": "p1", "kind": "awarded"}]}) == ["/byes/0/kind"]
    by_hand = [{"player_1": "p1", "kind": "awarded_bye"}]
    by_hand += [{"player_1": f"p{number}", "player_2": f"p{number + 1}"} for number in (2, 4, 6)]
    assert refused(evening, {"pairings": by_hand, "reason": "x"}) == ["/pairings/0/kind"]


def test_bye_over_the_limit_is_refused(muster: Muster):
    once = {**PACK, "bye": {**PACK["bye"], "requested": {**PACK["bye"]["requested"], "most": 1}}}
    evening = announced(muster, once)
    evening.round(1, byes=[{"player": "p1", "kind": "requested"}])
    for game in evening.games(1):
        if game["kind"] == "game":
            evening.report(game["id"], points_1=2, points_2=0)
    evening.do("scoring", "/rounds/1/close")
    asked = [{"player": player, "kind": "requested"} for player in ("p2", "p1")]
    assert refused(evening, {"byes": asked}) == ["/byes/1/kind"]
    by_hand = [{"player_1": "p1", "kind": "requested_bye"}]
    by_hand += [{"player_1": f"p{number}", "player_2": f"p{number + 1}"} for number in (2, 4, 6)]
    told = {"pairings": by_hand, "reason": "x", "allow_rematch": True}
    assert refused(evening, told) == ["/pairings/0/kind"]
    evening.round(2, byes=[{"player": "p2", "kind": "requested"}, {"player": "p1", "kind": "awarded"}])

    def forge(data: dict[str, Any]) -> None:
        next(seat for seat in data["pairings"] if seat.get("bye") == "awarded")["bye"] = "requested"

    assert failures(logs_of(evening)) == []
    forged = changed(logs_of(evening), "pairing", "PairingsDrawn", forge, which=1)
    assert "decision" in {failure.code for failure in failures(forged)}


def test_manual_round_has_byes_in_its_pairings(muster: Muster):
    evening = announced(muster)
    by_hand = [{"player_1": "p1", "kind": "awarded_bye"}]
    by_hand += [{"player_1": f"p{number}", "player_2": f"p{number + 1}"} for number in (2, 4, 6)]
    body = {"pairings": by_hand, "reason": "as it was last year"}
    assert refused(evening, {**body, "byes": [{"player": "p1", "kind": "awarded"}]}) == ["/byes"]
    evening.round(1, **body)
    assert [seat["bye"] for seat in seats(evening, 1)] == ["awarded", "", "", ""]
    assert failures(logs_of(evening)) == []
