"""`muster tournament` and `muster token`: running services from the command line, in words and as JSON."""

from __future__ import annotations

import csv
import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from muster.cli import connection
from shared.roles import ISSUED
from shared.web.tokens import Verifier
from tests import http
from tests.coop.story import operator_data


@pytest.fixture
def announced(muster, operator) -> str:
    """The id of a new tournament."""
    told = muster(
        "tournament", "announce", "Spring", "--ruleset", "star-wars-armada-1.1", "--rounds", "3", token=operator
    )
    assert told.exit_code == 0, told.stderr
    return str(told.stdout.splitlines()[0])


def rows(told) -> list[dict[str, Any]]:
    assert told.exit_code == 0, told.stderr
    found: list[dict[str, Any]] = json.loads(told.stdout)
    return found


def ruleset_of(stack, shown: dict[str, Any]) -> dict[str, Any]:
    """The whole ruleset, from where a tournament says that it is."""
    found: dict[str, Any] = http.get(stack.urls["registration"] + shown["ruleset"]["address"]).json()["ruleset"]
    return found


def test_announce_join_and_look(muster, stack, operator, tmp_path: Path):
    arguments = ["--ruleset", "star-wars-armada-1.1", "--option", "sos=tome", "--rounds", "3", "--capacity", "2"]
    told = muster("tournament", "announce", "Autumn Open", *arguments, "--format", "json", token=operator)
    made = json.loads(told.stdout)
    assert made.keys() == {"id", "token"}
    file = tmp_path / "players.csv"
    file.write_text("player,club\nAna,Dice\nBen,\nCy,\n")
    joined = rows(
        muster("tournament", "join", made["id"], "--players", str(file), "--format", "json", token=made["token"])
    )
    assert [(row["name"], row["status"]) for row in joined] == [("Ana", "active"), ("Ben", "active"), ("Cy", "waiting")]
    assert all("?token=" in row["link"] for row in joined)
    waiting = rows(muster("tournament", "players", made["id"], "--status", "waiting", "--format", "json"))
    assert [row["name"] for row in waiting] == ["Cy"]
    shown = json.loads(muster("tournament", "show", made["id"], "--format", "json").stdout)
    assert ruleset_of(stack, shown)["chosen"] == {"sos": "tome"}
    table = muster("tournament", "show", made["id"]).stdout
    assert "Autumn Open" in table
    assert "2 active, 1 waiting" in table


@pytest.mark.parametrize(("arguments", "who"), [(["--sign-up", "open"], "open"), ([], "invite_only")])
def test_who_may_sign_up(muster, operator, arguments: list[str], who: str):
    told = muster("tournament", "announce", "Club", "--ruleset", "star-wars-armada-1.1", *arguments, token=operator)
    id = told.stdout.splitlines()[0]
    assert json.loads(muster("tournament", "show", id, "--format", "json").stdout)["sign_up"] == who


def test_a_pack_of_ones_own(muster, operator, tmp_path: Path):
    pack = tmp_path / "own.yaml"
    text = muster("ruleset", "show", "star-wars-armada-400").stdout
    pack.write_text(text.replace("id: star-wars-armada-400", "id: our-armada"))
    told = muster("tournament", "announce", "Ours", "--pack", str(pack), "--format", "json", token=operator)
    assert told.exit_code == 0, told.stderr
    listed = rows(muster("tournament", "list", "--format", "json"))
    assert listed[0]["ruleset"] == "our-armada"
    pack.write_text(text.replace("bands:", "bends:"))
    assert muster("tournament", "announce", "Ours", "--pack", str(pack), token=operator).exit_code == 2


def test_the_list_shows_private_tournaments_to_those_who_may(muster, operator):
    told = muster("tournament", "announce", "Secret", "--ruleset", "star-wars-armada-1.1", "--private", token=operator)
    id = told.stdout.splitlines()[0]
    assert id not in muster("tournament", "list").stdout
    assert id in muster("tournament", "list", token=operator).stdout


def test_standings_have_the_contracted_form(muster, evening):
    found = rows(muster("tournament", "standings", evening.id, "--round", "2", "--format", "json"))
    assert [row["rank"] for row in found] == list(range(1, 10))
    columns = ["rank", "player", "tournament_points", "margin_of_victory", "strength_of_schedule", "tied"]
    assert all(list(row)[:6] == columns for row in found)
    assert not any("provisional" in row for row in found), "round 2 is closed"
    now = rows(muster("tournament", "standings", evening.id, "--format", "json"))
    assert [row["provisional"] for row in now] == [True] * 9, "round 3 is being played"
    assert {row["player"] for row in found} == set(evening.names.values())
    told = muster("tournament", "standings", evening.id, "--format", "csv").stdout
    assert [row["rank"] for row in csv.DictReader(io.StringIO(told))] == [str(rank) for rank in range(1, 10)]
    table = muster("tournament", "standings", evening.id).stdout
    assert "round 3 (provisional)" in table
    assert "dropped" in table


def test_pairings_with_names_tables_and_status(muster, evening):
    games = rows(muster("tournament", "pairings", evening.id, "--round", "1", "--format", "json"))
    assert len(games) == 5
    assert {game["kind"] for game in games} == {"game", "bye"}
    assert all(game["status"] in ("confirmed", "corrected", "bye") for game in games)
    names = [game[side] for game in games for side in ("player_1", "player_2") if side in game]
    assert sorted(names) == sorted(evening.names.values())
    assert {game["venue"] for game in games if game["kind"] == "game"} <= {"Hall", "Library"}
    still_open = rows(muster("tournament", "pairings", evening.id, "--status", "open", "--format", "json"))
    last = rows(muster("tournament", "pairings", evening.id, "--format", "json"))
    assert len(still_open) == sum(game["kind"] == "game" for game in last) > 0  # fewer where two venues have a bye
    table = muster("tournament", "pairings", evening.id).stdout
    assert all(game.get("venue", "") in table for game in last)


def test_players_as_a_table(muster, evening):
    table = muster("tournament", "players", evening.id).stdout
    assert all(name in table for name in evening.names.values())
    assert "Dice" in table


def test_a_co_operative_event_is_announced_with_what_its_operator_entered(muster, operator, tmp_path: Path):
    data = tmp_path / "bonds.json"
    data.write_text(json.dumps(operator_data()))
    arguments = ["tournament", "announce", "Bonds", "--ruleset", "atomic-bonds", "--operator-data", str(data)]
    assert muster(*arguments, token=operator).exit_code == 2
    told = muster(*arguments, "--rehearsal", "--format", "json", token=operator)
    assert told.exit_code == 0, told.stderr
    assert muster(*arguments, "--rehearsal", "--play", "swiss", token=operator).exit_code == 2
    data.write_text('{"scenarios": [')
    told = muster(*arguments, token=operator)
    assert (told.exit_code, told.stderr.partition(":")[0]) == (2, str(data))


def test_a_co_operative_event_is_played_by_running_services(muster, operator, tmp_path: Path):
    arguments = ["--ruleset", "atomic-bonds", "--players", "9", "--seed", "running"]
    played = muster("play", *arguments, "--format", "json", token=operator)
    assert played.exit_code == 0, played.stderr
    assert len(json.loads(played.stdout)) == 10
    id, file = played.stderr.partition(":")[0], tmp_path / "bonds.jsonl"
    assert muster("export", id, "--output", str(file)).exit_code == 0
    verified = muster("verify", str(file))
    assert verified.exit_code == 0, verified.stderr
    assert "commands re-decided" in verified.stdout
    assert muster("replay", str(file), "--round", "1").exit_code == 0


def test_names_are_shown_and_not_obeyed(muster, operator, announced, tmp_path: Path):
    file = tmp_path / "players.csv"
    file.write_text("player\n[red]Ana[/red]\n")
    assert muster("tournament", "join", announced, "--players", str(file), token=operator).exit_code == 0
    assert "[red]Ana[/red]" in muster("tournament", "players", announced).stdout


@pytest.mark.parametrize(
    ("arguments", "starts"),
    [
        (["show", "t-nowhere"], ["No such tournament: "]),
        (["standings", "t-nowhere"], ["No such tournament: "]),
        (["pairings", "../../log"], None),
        (["announce", "x", "--ruleset", "no-such"], ["No such ruleset: ", "/ruleset: "]),
        (
            ["announce", "x", "--ruleset", "star-wars-armada-1.1", "--starts-on", "soon"],
            ["The request is not ", "/starts_on: "],
        ),
        (["announce", "x", "--option", "sos"], ["--option: 'sos', expected KEY=VALUE"]),
        (["announce", "x", "--ruleset", "star-wars-armada-1.1", "--option", "sos=x"], ["", ""]),
        (["join", "t-nowhere", "--players", "nowhere.csv"], ["nowhere.csv: no such file or directory, expected "]),
    ],
)
def test_refusals_are_reported_in_lines(muster, operator, arguments, starts):
    told = muster("tournament", *arguments, token=operator)
    assert told.exit_code == 2, told.output
    assert told.stdout == ""
    lines = told.stderr.splitlines()
    if starts is not None:
        assert len(lines) == len(starts)
        assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True)), lines


def test_every_fault_of_a_file_is_a_line(muster, announced, operator, tmp_path: Path):
    file = tmp_path / "players.csv"
    file.write_text("player,venue\nAna,v9\n,\nAna,\n")
    told = muster("tournament", "join", announced, "--players", str(file), token=operator)
    assert told.exit_code == 2
    assert len(told.stderr.splitlines()) > 2
    assert "row 4" in told.stderr


def test_without_the_right_to_announce(muster):
    told = muster("tournament", "announce", "x", "--ruleset", "star-wars-armada-1.1")
    assert told.exit_code == 2
    assert told.stderr.startswith("The request carries no valid token: ")


# Tokens


@pytest.mark.parametrize("role", ["operator", "organiser", "integration"])
def test_a_token_is_one_that_services_accept(muster, stack, role):
    named = ["--actor", "kim"] if role == "organiser" else []
    told = muster("token", "--role", role, "--tournament", "t-1", "--days", "2", "--venue", "v1", *named)
    assert told.exit_code == 0, told.stderr
    caller = Verifier(stack.settings("scoring").token_keys).verify(told.stdout.strip())
    assert (caller.role, caller.tournament) == (role, "t-1")
    assert caller.actor == ("kim" if named else role)


def test_who_a_token_is_for(muster, stack):
    told = muster("token", "--role", "organiser", "--actor", "kim")
    caller = Verifier(stack.settings("scoring").token_keys).verify(told.stdout.strip())
    assert (caller.actor, caller.tournament) == ("kim", "*")


@pytest.mark.parametrize(
    ("env", "arguments"),
    [
        ({"MUSTER_DATA": "/nowhere"}, ["--role", "operator"]),
        ({"MUSTER_INSTALLATION_KEY": "k:short"}, ["--role", "operator"]),
        *(({}, ["--role", role, "--actor", "kim"]) for role in sorted(ISSUED)),
        *(({}, ["--role", "organiser", "--actor", name]) for name in ("organiser", "s1", "p17", "t-cup.p1")),
        ({}, ["--role", "organiser"]),
        ({}, ["--role", "king"]),
        ({}, ["--role", "service"]),
        ({}, ["--role", "integration", "--type", "Nothing"]),
        ({}, ["--role", "organiser", "--actor", "kim", "--type", "ResultReported"]),
        ({}, []),
        ({}, ["--role", "organiser", "--actor", "kim", "--days", "0"]),
    ],
)
def test_a_token_that_cannot_be_made(muster, monkeypatch, env, arguments):
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    told = muster("token", *arguments) if "MUSTER_DATA" not in env else _token_without_keys(arguments)
    assert told.exit_code == 2
    assert told.stdout == ""


def _token_without_keys(arguments):
    from click.testing import CliRunner

    from muster.cli.main import main

    return CliRunner().invoke(main, ["token", *arguments], env={"MUSTER_INSTALLATION_KEY": ""})


# A service that is busy, behind, broken, or something else


Answer = tuple[int, dict[str, str], bytes]


class Moody(BaseHTTPRequestHandler):
    """Answers what the test lays out, one answer after another; notes the keys of commands."""

    answers: ClassVar[list[Answer]] = []
    keys: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        status, headers, body = self.answers.pop(0) if self.answers else (200, {}, b'{"items":[],"next":null}')
        self.keys.append(self.headers.get("Idempotency-Key"))
        if status == 0:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def moody() -> Iterator[str]:
    Moody.answers, Moody.keys = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Moody)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


BUSY: Answer = (
    503,
    {"Retry-After": "0", "Content-Type": "application/problem+json"},
    b'{"title":"Busy","detail":"Wait."}',
)
MADE: Answer = (201, {}, b'{"id":"t-1","token":"x"}')


def test_a_command_is_repeated_with_its_key_until_it_is_answered(muster, moody):
    Moody.answers = [BUSY, (0, {}, b""), BUSY, MADE]
    told = muster("tournament", "announce", "x", "--ruleset", "y", url=moody)
    assert told.exit_code == 0
    assert told.stdout.startswith("t-1\n")
    assert len(Moody.keys) == 4
    assert len(set(Moody.keys)) == 1
    assert Moody.keys[0]


def test_patience_ends(muster, moody, monkeypatch):
    monkeypatch.setattr(connection, "PATIENCE", 0.5)
    Moody.answers = [BUSY] * 1000
    told = muster("tournament", "list", url=moody)
    assert told.exit_code == 1
    assert told.stderr == "Busy: Wait.\n"
    Moody.answers = [(0, {}, b"")] * 1000
    told = muster("tournament", "list", url=moody)
    assert told.exit_code == 1
    assert told.stderr.startswith("registration does not answer at ")


@pytest.mark.parametrize("answer", [(502, {}, b"<html>Bad Gateway"), (404, {}, b"nothing"), (200, {}, b"<html>hello")])
def test_something_that_is_no_muster(muster, moody, monkeypatch, answer):
    monkeypatch.setattr(connection, "PATIENCE", 0.0)
    Moody.answers = [answer]
    told = muster("tournament", "list", url=moody)
    assert told.exit_code == 1
    assert told.stderr == f"registration: {answer[0]}, expected an answer of a Muster service\n"


def test_a_catalogue_goes_with_the_announcement(muster, stack, operator, tmp_path: Path):
    file = tmp_path / "ships.yaml"
    text = "ruleset: star-wars-armada-1.1\ndocument: ours\nitems:\n  - {in_list: ships, name: CR90, points: 44}\n"
    arguments = ["tournament", "announce", "Spring", "--ruleset", "star-wars-armada-1.1", "--catalogue", str(file)]
    file.write_text(text, "utf-8")
    told = muster(*arguments, "--format", "json", token=operator)
    assert told.exit_code == 0, told.stderr
    shown = json.loads(muster("tournament", "show", json.loads(told.stdout)["id"], "--format", "json").stdout)
    assert [item["name"] for item in ruleset_of(stack, shown)["roster"]["catalogue"]] == ["CR90"]
    file.write_text(text.replace("in_list: ships", "in_list: ship").replace("44", "-44"), "utf-8")
    told = muster(*arguments, token=operator)
    assert (told.exit_code, told.stdout) == (2, "")
    places = [line.split(": ")[0] for line in told.stderr.splitlines()]
    assert places == [f"{file}:4:/items/0/in_list", f"{file}:4:/items/0/points"]
