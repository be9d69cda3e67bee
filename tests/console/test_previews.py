"""`--preview` of every command that changes something, and what the command line says reverses one."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import click
import pytest

from tests.console.test_documented import commands
from tests.fuzz.muster import Evening

NOT_SHOWN_BEFORE = {"fsck", "play", "rebuild", "recopy", "recover"}
"""A whole tournament of chance; and what puts right what services hold beside their own logs."""


def test_every_command_that_changes_something_can_be_shown_before() -> None:
    sending = {
        name: {option for parameter in command.params for option in parameter.opts}
        for name, command in commands()
        if not isinstance(command, click.Group)
        and any(word in inspect.getsource(inspect.unwrap(command.callback)) for word in ("give(", ".post("))
    }
    assert {"send", "revoke", "tournament announce", "tournament join"} <= set(sending)
    assert {name for name, options in sending.items() if "--preview" not in options} <= NOT_SHOWN_BEFORE


@pytest.fixture
def evening(services) -> Evening:
    """In the middle of round 2; two who wait."""
    return services.evening()


def put(evening: Evening, rest: str, body: object = None) -> list[str]:
    """Arguments of `muster send` for a command of registration."""
    said = [] if body is None else [json.dumps(body)]
    return ["send", "registration", "POST", f"/tournaments/{evening.id}{rest}", *said]


def test_announcing_is_shown_and_announces_nothing(run, services) -> None:
    before = services.length
    told = run("tournament", "announce", "Spring", "--ruleset", "star-wars-armada-1.1", "--preview")
    assert told.exit_code == 0, told.output
    first, _, event, *_ = told.stdout.splitlines()
    assert first == "Nothing was done."
    assert event.startswith("  TournamentAnnounced: ")
    assert "name Spring" in event
    assert "token" not in told.stdout
    assert (services.length, told.stderr) == (before, "")


def test_a_list_of_players_is_shown_with_who_would_play_and_who_would_wait(run, services, tmp_path: Path) -> None:
    evening = services.announce(capacity=2)
    file = tmp_path / "players.csv"
    file.write_text("player\nAna\nBen\nCy\n")
    run("tournament", "join", evening.id, "--players", file, "--preview")  # the services have read the announcement
    before = services.length
    told = run("tournament", "join", evening.id, "--players", file, "--preview")
    assert told.stdout.splitlines() == [
        "Nothing was done.",
        "It would append:",
        "  PlayerJoined: external id Ana, name Ana, player p1",
        "  PlayerJoined: external id Ben, name Ben, player p2",
        "  PlayerWaitlisted: external id Cy, name Cy, player p3",
        "It would move:",
        "  players: id p1, name Ana, status none -> active",
        "  players: id p2, name Ben, status none -> active",
        "  players: id p3, name Cy, status none -> waiting",
    ]
    assert services.length == before
    as_json = json.loads(
        run("tournament", "join", evening.id, "--players", file, "--preview", "--format", "json").stdout
    )
    assert (as_json["preview"], len(as_json["events"])) == (True, 3)
    file.write_text("player\nAna\nana\n")
    faulty = run("tournament", "join", evening.id, "--players", file, "--preview")
    assert (faulty.exit_code, faulty.stdout) == (2, "")
    assert "Ana" in faulty.stderr or "ana" in faulty.stderr


def test_a_correction_is_shown_with_every_rank_that_would_move(run, services, evening) -> None:
    before = services.length
    body = json.dumps({"facts": {"points_1": 0, "points_2": 400}, "reason": "misread"})
    address = f"/tournaments/{evening.id}/games/r1g1/correction"
    told = run("send", "scoring", "POST", address, body, "--preview")
    assert told.exit_code == 0, told.output
    assert "  ResultCorrected: " in told.stdout
    assert "standings, ranks: player p" in told.stdout
    assert re.search(r" rank \d+ -> \d+", told.stdout)
    assert "facts (points 1 0, points 2 400)" in told.stdout
    assert services.length == before


def test_a_round_is_shown_as_it_would_hang_on_the_wall(run, services) -> None:
    evening = services.evening("between")
    told = run("send", "pairing", "POST", f"/tournaments/{evening.id}/rounds", "--preview")
    lines = told.stdout.splitlines()
    where = lines.index("  round 2:")
    games = [line.strip() for line in lines[where + 1 :]]
    assert sum(line.startswith("table ") for line in games) == 6
    assert sum(line.startswith("bye: Player ") for line in games) == 1


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (["send", "registration", "POST", "tournaments/t-1/cancellation", "{}"], "ADDRESS"),
        (["send", "registration", "POST", "/tournaments/t-1/cancellation", "{reason: wet}"], "BODY"),
    ],
)
def test_what_cannot_be_sent_is_refused_with_its_place(run, arguments: list[str], where: str) -> None:
    told = run(*arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith(f"{where}: ")


def test_a_revocation_is_shown_and_revokes_nothing(muster, operator) -> None:
    lost = muster("token", "--role", "integration").stdout.strip()
    told = muster("revoke", lost, "--preview", token=operator)
    assert told.exit_code == 0, told.stderr
    assert told.stdout.splitlines()[1:3] == ["It would append:", f"  InstallationTokenRevoked: token {id_of(lost)}"]
    done = muster("revoke", lost, token=operator)
    assert done.stdout == f"{id_of(lost)} is revoked\n", "nothing was revoked before"


def id_of(token: str) -> str:
    from muster.cli.tokens import token_id

    return token_id(token)


def test_real_services_announce_join_and_take_back(muster, operator, tmp_path: Path) -> None:
    told = muster(
        "tournament", "announce", "Autumn", "--ruleset", "star-wars-armada-1.1", "--rounds", "3", token=operator
    )
    id = told.stdout.splitlines()[0]
    file = tmp_path / "players.csv"
    file.write_text("player\nAna\n")
    shown = muster("tournament", "join", id, "--players", str(file), "--preview", token=operator)
    assert "  PlayerJoined: external id Ana, name Ana, player p1" in shown.stdout
    joined = muster("tournament", "join", id, "--players", str(file), token=operator)
    assert joined.exit_code == 0, joined.stderr
    back = muster("send", "registration", "POST", f"/tournaments/{id}/players/p1/withdrawal", "{}", token=operator)
    assert back.stdout.startswith("PlayerWithdrawn: "), back.stderr
    listed = muster("tournament", "players", id, "--format", "json").stdout
    assert [row["status"] for row in json.loads(listed)] == ["withdrawn"]
