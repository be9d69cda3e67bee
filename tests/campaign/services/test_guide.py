"""Run the commands of docs/how-to/campaign.md: only those described as refused are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.campaign.services.league import League
from tests.programs import run_program
from tests.services.story import Answer, Json

GUIDE = Path(__file__).parents[3] / "docs/how-to/campaign.md"
SERVICES = {8001: "registration", 8002: "pairing", 8003: "scoring"}
FIRST = "## 2. Build the groups"
"""`new_league` replaces the section before: announcing the campaign and entering two players."""

SHELL = r"""
R=localhost:8001/tournaments/$T P=localhost:8002/tournaments/$T S=localhost:8003/tournaments/$T
said() { printf '%s\037' "$@"; printf '\036'; }
ask() { said organiser "$@"; }
curl() { said p2 "$@"; }
"""


class Printed(NamedTuple):
    """A command of the guide. by: the owner of the token."""

    by: str
    service: str
    rest: str
    body: Json | None
    get: bool


def commands(tournament: str) -> Iterator[Printed]:
    """Return the commands of the guide as a shell expands them."""
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text("utf-8").partition(FIRST)[2], re.DOTALL)
    script = "\n".join([f"T={tournament}", "TOKEN=x BEN=x", SHELL, *blocks])
    shell = run_program(["bash", "-c", script], capture_output=True, text=True, check=True)
    for said in shell.stdout.split("\036")[:-1]:
        by, *words = said.split("\037")[:-1]
        place = urlsplit("http://" + next(word for word in words if word.startswith("localhost:")))
        body = json.loads(words[words.index("-d") + 1]) if "-d" in words else None
        rest = place.path.removeprefix(f"/tournaments/{tournament}") + (f"?{place.query}" if place.query else "")
        yield Printed(by, SERVICES[place.port or 0], rest, body, body is None and "-X" not in words)


@pytest.mark.clause("FS-GAM-10", "FS-PGP-1", "FS-AUD-1")
def test_the_commands_of_the_campaign_guide_work(new: Callable[..., League]) -> None:
    league = new(2, options={"fs.campaign.rounds": 1})
    refused: list[str] = []
    answers: list[tuple[str, Answer]] = []
    for printed in commands(league.id):
        method = "GET" if printed.get else "POST"
        answer = league.ask(method, printed.service, printed.rest, printed.body, printed.by)
        if answer.status >= 400:
            refused.append(answer.code)
        answers.append((printed.rest, answer))
    assert refused == ["group-refused", "step-refused"]
    closed = next(answer for rest, answer in answers if rest.endswith("/p1/steps/1b/closing"))
    assert closed.types == ["RewardClaimed", "CapsMoved", "StepClosed"]
    (die,) = next(answer for rest, answer in answers if "standing=unconfirmed" in rest).body["items"]
    assert (die["id"], die["waits_for"]) == ("s7", "p1")
    assert next(answer for rest, answer in answers if rest == "/dice/confirmation").types == ["DiceConfirmed"]
    assert answers[-1][1].types == ["TournamentConcluded"]
