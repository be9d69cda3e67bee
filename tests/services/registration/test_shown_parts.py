"""`muster verify --roster`: a list as registration shows it, held against the digests in the log.

The answers and the log are those of a registration, which Armada's players handed their fleets in to.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from tests.services.conftest import NewClub
from tests.services.registration.story import Evening, announced
from tests.services.registration.test_hidden_parts import FLEET
from tests.services.story import NOBODY

Verify = Callable[..., Result]
DIGEST = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def evening(new_club: NewClub) -> Evening:
    """Ana handed in two lists, Ben one, Cy none; it is over, so that everybody sees everything."""
    evening = announced(new_club("registration"))
    evening.join("Ana", "Ben", "Cy")
    for player, faction in (("p1", "imperial"), ("p1", "rebel"), ("p2", "rebel")):
        evening.do(player, "roster", {"roster": {**FLEET, "faction": faction}}, by=player)
    evening.post("/cancellation", {"reason": "snow"})
    return evening


@pytest.fixture
def shown(evening: Evening) -> Callable[[str], Any]:
    return lambda player: evening.get(f"/players/{player}/roster", by=NOBODY).body


@pytest.fixture
def verify(evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verify:
    """Call `muster verify` with the whole log, and a file for each of these answers."""
    monkeypatch.chdir(tmp_path)
    Path("log.jsonl").write_bytes(evening.get("/log", by="organiser").text)

    def call(*answers: Any) -> Result:
        told = []
        for number, answer in enumerate(answers, 1):
            Path(f"{number}.json").write_text(answer if isinstance(answer, str) else json.dumps(answer), "utf-8")
            told += ["--roster", f"{number}.json"]
        return CliRunner().invoke(main, ["verify", "log.jsonl", *told])

    return call


@pytest.mark.clause("AR-TIME-6")
def test_lists_that_are_shown_are_those_that_were_handed_in(verify: Verify, shown: Any) -> None:
    done = verify(shown("p1"), shown("p2"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == [
        "1.json: objectives of p1 as handed in (registration 7)",
        "2.json: objectives of p2 as handed in (registration 9)",
    ]


@pytest.mark.clause("AR-TIME-6")
def test_another_card_another_salt_or_another_player_is_found(verify: Verify, shown: Any) -> None:
    card, salt, player = shown("p1"), shown("p1"), shown("p1") | {"player": "p2"}
    card["roster"]["objectives"][1]["name"] = "Contested Outpost"
    salt["sealed"][0]["salt"] = DIGEST
    done = verify(card, salt, player, shown("p1"))
    assert done.exit_code == 1
    right = shown("p1")["sealed"][0]["digest"]
    lines = done.stderr.splitlines()
    assert [line.partition(": digest ")[0] for line in lines] == [
        "1.json: objectives of p1",
        "2.json: objectives of p1",
        "3.json: objectives of p2",
    ]
    assert lines[0].endswith(f", expected {right}, as handed in (registration 7)")
    assert done.stdout.splitlines()[1:] == [
        "4.json: objectives of p1 as handed in (registration 7)",
        "rosters: 3 failures",
    ]


@pytest.mark.clause("AR-TIME-6")
def test_the_part_in_clear_is_looked_at_too(verify: Verify, shown: Any) -> None:
    changed = shown("p1")
    changed["roster"]["faction"] = "imperial"
    done = verify(changed)
    assert done.exit_code == 1
    assert done.stderr == '1.json: faction of p1: "imperial", expected "rebel", as handed in (registration 7)\n'


def test_what_shows_no_hidden_part_is_no_answer_to_check(verify: Verify, shown: Any) -> None:
    hidden, nobody = shown("p1"), shown("p3")
    hidden["sealed"][0] |= {"salt": "", "shown": False}
    done = verify(hidden, nobody, {"roster": {}}, "[1]", "no json", shown("p1") | {"player": "p9"})
    assert (done.exit_code, done.stdout) == (2, "")
    assert [line.partition(", expected")[0] for line in done.stderr.splitlines()] == [
        "1.json: no part with its salt",
        "2.json: no part with its salt",
        "3.json: is not an answer of a service about a roster",
        "4.json: is not an answer of a service about a roster",
        "5.json: is not an answer of a service about a roster",
        "6.json: a roster of p9, who handed none in",
    ]
