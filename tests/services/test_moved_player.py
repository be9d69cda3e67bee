"""A player changes venue between two rounds, over HTTP: paired at the new one, and `muster verify` says the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.log.cloudevents import to_wire
from tests.auditing import Logs, changed, logs_of
from tests.fuzz.muster import Evening, Muster
from tests.services.conftest import logging_as_it_was

HALL, ATTIC = "v1", "v2"


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("moved"))


@pytest.fixture(scope="module")
def played(muster: Muster) -> Evening:
    """Five players in the hall and three in the attic, so two byes; p1 is moved in round 1, and there are none."""
    evening = muster.announce(pairing_scope="venue", rounds=2)
    for name in ("Hall", "Attic"):
        evening.do("registration", "/venues", {"name": name, "tables": 3})
    for venue, numbers in ((HALL, range(1, 6)), (ATTIC, range(6, 9))):
        players = [{"name": f"Player {number}", "venue": venue} for number in numbers]
        evening.do("registration", "/players/list", {"players": players})
    evening.round(1)
    evening.do("registration", "/players/p1/venue", {"venue": ATTIC, "reason": "a bye at either place"})
    finish(evening, 1)
    evening.round(2)
    finish(evening, 2)
    evening.do("scoring", "/conclusion", {})
    return evening


def finish(evening: Evening, round: int) -> None:
    for game in evening.games(round):
        evening.report(game["id"])
    evening.do("scoring", f"/rounds/{round}/close")


def playing(evening: Evening, round: int) -> dict[str, set[str]]:
    """Venue -> who plays there, or has the bye of it."""
    found: dict[str, set[str]] = {}
    for seat in evening.ask("GET", "pairing", f"/rounds/{round}").body["pairings"]:
        found.setdefault(seat["venue"], set()).update(filter(None, (seat["player_1"], seat["player_2"])))
    return found


def verified(logs: Logs, folder: Path) -> Result:
    file = folder / "log.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs.values() for event in log))
    return CliRunner().invoke(main, ["verify", str(file)])


def test_a_round_under_way_keeps_its_tables(played: Evening):
    assert playing(played, 1) == {HALL: {"p1", "p2", "p3", "p4", "p5"}, ATTIC: {"p6", "p7", "p8"}}


def test_the_next_round_pairs_the_player_at_the_new_venue(played: Evening):
    assert playing(played, 2) == {HALL: {"p2", "p3", "p4", "p5"}, ATTIC: {"p1", "p6", "p7", "p8"}}
    assert [game["kind"] for game in played.games(2)] == ["game"] * 4


def test_results_at_the_old_venue_count_at_the_new_one(played: Evening):
    won = []
    for round in (1, 2):
        for item in played.ask("GET", "scoring", f"/games?round={round}").body["items"]:
            won += [item["score"][f"values_{side}"] for side in (1, 2) if item[f"player_{side}"] == "p1"]
    rows = played.ask("GET", "scoring", "/standings").body["items"]
    values = next(row["values"] for row in rows if row["player"] == "p1")
    assert len(won) == 2
    assert values["tournament_points"] == sum(one["tournament_points"] for one in won)


def test_logs_verify(played: Evening, tmp_path: Path):
    result = verified(logs_of(played), tmp_path)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("venue", [HALL, "v9"])
def test_changed_venue_in_the_log_is_detected(played: Evening, tmp_path: Path, venue: str):
    def forge(data: dict[str, Any]) -> None:
        data["venue"] = venue

    result = verified(changed(logs_of(played), "registration", "PlayerMoved", forge), tmp_path)
    assert result.exit_code == 1
    assert "MovePlayer" in result.output or "PairRound" in result.output, result.output


def test_changed_player_in_the_log_is_detected(played: Evening, tmp_path: Path):
    def forge(data: dict[str, Any]) -> None:
        data["player"] = "p2"

    assert verified(changed(logs_of(played), "registration", "PlayerMoved", forge), tmp_path).exit_code == 1


def test_changed_event_without_its_hash_is_detected(played: Evening, tmp_path: Path):
    logs = logs_of(played)
    file = tmp_path / "log.jsonl"
    content = b"".join(to_wire(event) + b"\n" for log in logs.values() for event in log)
    assert content.count(b"a bye at either place") == 2, "in the event and in its command"
    file.write_bytes(content.replace(b"a bye at either place", b"a bye at either venue"))
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 1
