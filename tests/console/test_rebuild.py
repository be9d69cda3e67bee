"""`muster rebuild`: what is made from the logs is put right by the logs, and what differed is said."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256

import msgspec
import pytest

from deploy.stack import Stack
from shared.formats.fold import encode, fold
from shared.log.copies import accept_run
from shared.log.event import Head
from shared.log.log import Stamp, chain_events
from shared.log.migrate import upgrade_database
from shared.log.reading import head_of
from shared.rules.parts import to_json
from shared.service import rebuild as rebuilding
from shared.service.commands import entries_of
from shared.service.rebuild import Difference, ReadModel, rebuild
from shared.service.state import Snapshots, code_version
from shared.service.wiring import Service
from shared.settings import load
from shared.tournament.registration import PlayerJoined, TournamentAnnounced
from shared.tournament.state import Tournament
from shared.web.tokens import BY_INSTALLATION
from tests.acting import acting
from tests.appending import append
from tests.state.logs import ARMADA, armada_night

Sql = Callable[..., list[tuple[object, ...]]]


@pytest.fixture
def sql(stack: Stack) -> Sql:
    """Reach into a service's database, as nobody should."""

    def run(service: str, statement: str, *parameters: object) -> list[tuple[object, ...]]:
        database = sqlite3.connect(stack.data / f"{service}.sqlite3", timeout=15)
        try:
            with database:
                return database.execute(statement, parameters).fetchall()
        finally:
            database.close()

    return run


def test_where_all_is_as_the_logs_say_nothing_differs(muster, evening, operator):
    told = muster("rebuild", token=operator)
    assert told.exit_code == 0, told.stderr
    assert told.stderr == ""
    lines = told.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["registration", "pairing", "scoring"]
    assert all(line.endswith("nothing differed") for line in lines)


def test_a_directory_that_says_otherwise_is_put_right(muster, evening, operator, sql):
    before = sql("registration", "SELECT * FROM directory ORDER BY tournament")
    sql("registration", "UPDATE directory SET players = 99 WHERE tournament = ?", evening.id)
    told = muster("rebuild", "--service", "registration", token=operator)
    assert told.exit_code == 1
    assert told.stderr == f"registration directory {evening.id} /players: 99, expected 9\n"
    assert told.stdout.endswith("; 1 differences\n")
    assert sql("registration", "SELECT * FROM directory ORDER BY tournament") == before
    assert muster("rebuild", token=operator).exit_code == 0


def test_lines_too_many_and_too_few(muster, evening, operator, sql):
    before = sql("registration", "SELECT * FROM directory ORDER BY tournament")
    sql("registration", "DELETE FROM directory WHERE tournament = ?", evening.id)
    sql("registration", "INSERT INTO directory VALUES ('t-ghost','','','','','','',0,'','','',0,NULL,0,0)")
    told = muster("rebuild", token=operator)
    assert told.exit_code == 1
    assert {line.split(":")[0] for line in told.stderr.splitlines()} == {
        f"registration directory {evening.id}",
        "registration directory t-ghost",
    }
    assert sql("registration", "SELECT * FROM directory ORDER BY tournament") == before


@pytest.mark.parametrize("state", [encode(Tournament()), b"not a state"])
@pytest.mark.parametrize("hashed", [True, False])
def test_a_snapshot_that_says_otherwise_is_thrown_away(muster, evening, operator, sql, state, hashed):
    heads = sql("scoring", "SELECT source, position, hash FROM heads WHERE tournament = ?", evening.id)
    at = msgspec.json.encode({source: {"position": position, "hash": hash} for source, position, hash in heads})
    hash = sha256(at + b"\n" + state).hexdigest() if hashed else "0" * 64
    row = (evening.id, code_version(), at.decode(), state, hash)
    sql("scoring", "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)", *row)
    told = muster("rebuild", "--service", "scoring", token=operator)
    assert told.exit_code == 1
    assert f"scoring snapshot {evening.id}" in told.stderr
    assert muster("tournament", "standings", evening.id).exit_code == 0
    assert muster("rebuild", token=operator).exit_code == 0


def test_only_the_operator_of_everything_rebuilds(muster, evening):
    for role in sorted(BY_INSTALLATION - {"operator"}):
        token = muster("token", "--role", role, "--actor", "somebody").stdout.strip()
        assert muster("rebuild", token=token).exit_code == 2
    token = muster("token", "--role", "operator", "--tournament", evening.id).stdout.strip()
    assert muster("rebuild", token=token).exit_code == 2
    assert muster("rebuild").exit_code == 2


# A service by itself, on both engines


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def service(request, tmp_path) -> Iterator[Service]:
    """Scoring with a night of Armada in its database: its own log and both copies."""
    env = {"MUSTER_DATA": str(tmp_path)}
    if request.param == "postgresql":
        env["SCORING_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
    built = Service(load("scoring", env), ("scoring", "registration", "pairing"), {})
    upgrade_database(built.database, "scoring")
    for log in armada_night().logs.values():
        accept_run(built.database, log)
    yield built
    built.database.close()


def copied(service: Service, tournament: str, lines: dict[str, int]) -> ReadModel:
    """A read model of names and numbers of players, kept in `lines`."""

    def rewrite(connection, made):
        lines.clear()
        lines.update((line["tournament"], line["players"]) for line in made)

    return ReadModel(
        "events",  # any table will do to lock
        lambda connection: {key: {"tournament": key, "players": value} for key, value in lines.items()},
        lambda id, state: {"tournament": id, "players": len(state.entries.players)},
        rewrite,
    )


def test_every_event_is_verified_and_folded(service):
    rebuilt = rebuild(service)
    assert (rebuilt.tournaments, rebuilt.events, rebuilt.differences) == (1, 53, [])


def test_a_state_in_memory_that_went_astray(service):
    with service.repository.now("t-club") as loaded:
        loaded.state.entries.players["p1"].name = "Mallory"
    (difference,) = rebuild(service).differences
    assert difference == Difference("memory", "t-club", "/entries/players/p1/name", "'Mallory'", "'Ana'")
    with service.repository.now("t-club") as loaded:
        assert loaded.state.entries.players["p1"].name == "Ana"
    assert rebuild(service).differences == []


def test_the_order_of_players_counts(service):
    with service.repository.now("t-club") as loaded:
        players = loaded.state.entries.players
        players["p1"] = players.pop("p1")
    (difference,) = rebuild(service).differences
    assert difference.where == "/entries/players"


def test_a_snapshot_of_an_earlier_moment_is_folded_on_and_kept(service):
    snapshots = Snapshots(service.database)
    club = armada_night()
    early = Tournament()
    fold(early, club.logs["registration"][:3])
    heads = {"registration": Head(3, club.logs["registration"][2].hash)}
    snapshots.save("t-club", early, heads)
    rebuilt = rebuild(service)
    assert rebuilt.differences == []
    assert rebuilt.snapshots == 1
    saved = snapshots.load("t-club")
    assert saved is not None
    assert saved[1]["scoring"].position == 30
    assert saved[0] == service.repository.cold("t-club").state


def test_a_read_model_is_compared_and_rewritten(service):
    lines = {"t-club": 4, "t-ghost": 1}
    rebuilt = rebuild(service, [copied(service, "t-club", lines)])
    assert rebuilt.differences[0] == Difference("events", "t-club", "/players", "4", "5")
    assert [one.tournament for one in rebuilt.differences] == ["t-club", "t-ghost"]
    assert lines == {"t-club": 5}
    assert rebuild(service, [copied(service, "t-club", lines)]).differences == []


def test_a_tournament_that_goes_on_while_it_is_folded(service, monkeypatch):
    lines: dict[str, int] = {"t-club": 5}
    fold_from_start = rebuilding._fold_from_start

    def and_then_somebody_joins(*arguments):
        made = fold_from_start(*arguments)
        club = armada_night()
        club.say("registration", PlayerJoined(player="p6", name="Fay"))
        accept_run(service.database, club.logs["registration"][-1:])
        lines["t-club"] = 6  # as the projection would have written it
        return made

    monkeypatch.setattr(rebuilding, "_fold_from_start", and_then_somebody_joins)
    assert rebuild(service, [copied(service, "t-club", lines)]).differences == []
    assert lines == {"t-club": 6}


def test_a_log_that_this_release_cannot_read_is_named_and_left(service):
    with service.database.reading() as connection:
        head = head_of(connection, "scoring", "t-club")
    entry = msgspec.structs.replace(entries_of([PlayerJoined(player="p9", name="x")])[0], type="PlayerTeleported")
    stamp = Stamp(acting("x"), "c", "2026-03-07T12:00:00.000Z", {})
    accept_run(service.database, chain_events("scoring", "t-club", head, [entry], stamp))
    lines = {"t-club": 5}
    rebuilt = rebuild(service, [copied(service, "t-club", lines)])
    assert [(one.what, one.tournament) for one in rebuilt.differences] == [("log", "t-club")]
    assert lines == {"t-club": 5}


def test_other_tournaments_are_rebuilt_too(service):
    announced = TournamentAnnounced(name="Other", format="swiss", ruleset=to_json(ARMADA))
    stamp = Stamp(acting("x"), "c", "2026-03-07T12:00:00.000Z", {})
    append(service.database, "scoring", "t-none", Head(), entries_of([announced]), stamp)
    rebuilt = rebuild(service)
    assert rebuilt.tournaments == 2
    assert [(one.what, one.tournament) for one in rebuilt.differences] == [("log", "t-none")]


def test_fsck_says_what_it_would_do_and_then_does_it(muster, evening, operator, sql):
    sql("registration", "UPDATE directory SET players = 99 WHERE tournament = ?", evening.id)
    told = muster("fsck", token=operator)
    assert (told.exit_code, told.stderr) == (1, "registration directory /players: 99, expected 9\n")
    assert told.stdout.splitlines()[-2:] == [
        "would run: muster rebuild --service registration",
        "Nothing was changed. To run this: muster fsck --repair",
    ]
    assert sql("registration", "SELECT players FROM directory WHERE tournament = ?", evening.id) == [(99,)]
    done = muster("fsck", "--repair", token=operator)
    assert (done.exit_code, "done: muster rebuild --service registration" in done.stdout) == (0, True)
    told = muster("fsck", token=operator)
    assert (told.exit_code, told.stderr) == (0, "")
