"""The contract of every format. Each test runs on one evening of each format, played once for all tests.

The duel is defined in tests, so the key of snapshots, which covers only `shared/`, does not include it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.cli import export
from muster.cli.main import main
from shared.formats import FORMATS
from shared.formats.fold import encode, fold
from shared.log.command_record import begins_command
from shared.log.event import Recorded
from shared.service.state import SHARED, Repository, Snapshots, code_version, code_version_of
from shared.settings import SERVICES
from shared.tournament.state import Tournament
from tests.console.in_process import client
from tests.examples import examples
from tests.formats.stories import STORIES, Played
from tests.fuzz.muster import Json, Muster
from tests.services.story import Answer


@pytest.fixture(scope="module")
def operations(muster: Muster) -> Mapping[str, Mapping[str, Json]]:
    """Return the documented operations of each service by operationId."""
    found: dict[str, Mapping[str, Json]] = {}
    for service in SERVICES:
        document = muster.ask("GET", service, "/openapi.json").body
        methods = (operation for path in document["paths"].values() for operation in path.values())
        found[service] = {one["operationId"]: one for one in methods if isinstance(one, dict)}
    return found


def state_of(logs: Mapping[str, Sequence[Recorded]]) -> bytes:
    """Return the state folded from logs, one after the other."""
    return encode(fold(Tournament(), [event for log in logs.values() for event in log]))


def test_an_evening_of_every_format_is_played(muster: Muster) -> None:
    assert set(STORIES) == set(FORMATS)


# Replay is live


@pytest.mark.parametrize("service", SERVICES)
def test_the_state_in_memory_equals_the_folded_logs(played: Played, service: str) -> None:
    with played.service(service).repository.now(played.evening.id) as loaded:
        assert encode(loaded.state) == state_of(played.logs)


def test_a_rebuild_changes_nothing(played: Played) -> None:
    muster, before = played.evening.muster, played.table
    operator = muster.token("operator")
    for service in SERVICES:
        rebuilt = muster.ask("POST", service, "/rebuild", token=operator).body
        assert [found for found in rebuilt["differences"] if found["tournament"] == played.evening.id] == []
    assert played.table == before


@settings(max_examples=examples(25))
@given(
    turns=st.lists(st.tuples(st.sampled_from(SERVICES), st.integers(1, 20))),
    rest=st.permutations(SERVICES),
)
def test_any_interleaving_of_logs_gives_the_same_bytes(
    played: Played, turns: list[tuple[str, int]], rest: list[str]
) -> None:
    logs, state = played.logs, Tournament()
    left = {source: iter(log) for source, log in logs.items()}
    for source, number in turns:
        fold(state, islice(left[source], number))
    for source in rest:
        fold(state, left[source])
    assert encode(state) == state_of(logs)


# Reads change nothing


def test_reads_append_nothing(played: Played, operations: Any) -> None:
    muster, token = played.evening.muster, played.evening.token("organiser")
    played.stir()
    answers, appending = [], set()
    for service, app in muster.apps.items():
        addresses = app.url_map.bind("localhost")
        for rule in app.url_map.iter_rules():
            if "GET" not in rule.methods or "tournament" not in rule.arguments:
                continue
            operation = rule.endpoint.rpartition(".")[2]
            address = addresses.build(rule.endpoint, {name: played.there[name] for name in rule.arguments})
            before = muster.length
            answer = muster.ask("GET", service, address, token=token)
            assert answer.status < 400 or answer.code in documented(operations[service][operation], answer), answer
            if muster.length != before:
                appending.add(operation)
                played.copy()
                played.stir()
            answers.append(answer.status)
    assert answers.count(200) > 20
    assert appending == set()


# Snapshots


def test_a_snapshot_read_back_is_the_state(played: Played) -> None:
    id, whole = played.evening.id, state_of(played.logs)
    for name in SERVICES:
        service = played.service(name)
        snapshots = Snapshots(service.database)
        with service.repository.now(id) as loaded:
            snapshots.save(id, loaded.state, loaded.heads)
        found = snapshots.read(id)
        assert found is not None
        assert encode(found[0]) == whole
        with Repository(service.database, service.sources).now(id) as begun_anew:
            assert begun_anew.taken == 0
            assert encode(begun_anew.state) == whole


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the code of `shared/` in another folder."""
    folder = tmp_path_factory.mktemp("code") / "shared"
    return shutil.copytree(SHARED, folder, ignore=shutil.ignore_patterns("__pycache__"))


def test_a_change_of_folding_code_changes_the_snapshot_key(played: Played, copy: Path) -> None:
    modules = folding(played)
    assert SHARED / "formats/fold.py" in modules
    for module in modules:
        place = copy / module.relative_to(SHARED)
        genuine = place.read_bytes()
        place.write_bytes(genuine + b"#")
        assert code_version_of(copy) != code_version(), module
        place.write_bytes(genuine)
    assert code_version_of(copy) == code_version()


def folding(played: Played) -> set[Path]:
    """Return the modules of `shared` that run while the evening is folded and its state is encoded."""
    logs, files = played.logs, set()
    tracing = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: files.add(frame.f_code.co_filename))
    try:
        state_of(logs)
    finally:
        sys.setprofile(tracing)
    return {Path(file) for file in files if SHARED in Path(file).parents}


# The exported log


def test_the_export_verifies(played: Played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    muster, file = played.evening.muster, tmp_path / "log.jsonl"
    operator = muster.token("operator")
    monkeypatch.setattr(export, "connect", lambda *_, **more: client(muster, operator, **more))
    exported = CliRunner().invoke(main, ["export", played.evening.id, "--output", str(file)])
    assert exported.exit_code == 0, exported.output
    assert len(file.read_bytes().splitlines()) == sum(played.evening.heads.values())
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert verified.exit_code == 0, verified.output
    assert ": OK, " in verified.stdout
    given = sum(begins_command(event) for log in played.logs.values() for event in log)
    assert f" {given} commands re-decided" in verified.stdout
    assert given > 5


# Refusals


def documented(operation: Json, answer: Answer) -> Sequence[str]:
    """Return the codes that an operation documents for a status."""
    codes: Sequence[str] = operation["responses"].get(str(answer.status), {}).get("x-problem-codes", ())
    return codes


def test_refusals_are_documented_and_append_nothing(played: Played, operations: Any) -> None:
    assert len(played.refused) >= 4
    for tried in played.refused:
        answer = tried.answer
        assert answer.code == tried.wanted, answer
        assert answer.code in documented(operations[tried.service][tried.operation], answer), tried
        assert not tried.appended, tried
        page = played.evening.muster.ask("GET", tried.service, answer.body["type"], Accept="application/json")
        assert (page.status, page.body["code"]) == (200, answer.code)
