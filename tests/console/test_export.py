"""`muster export`: one file that all three owners agree on, even while they go on."""

from __future__ import annotations

import json
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from muster.audit.findings import Findings
from muster.audit.logs import audit
from muster.cli import export
from muster.cli.connection import service_urls
from muster.cli.verify import LogFile
from muster_client import Muster, record
from shared.log.cloudevents import from_wire, to_wire
from shared.log.event import Recorded
from shared.settings import SERVICES
from tests.console.conftest import announced
from tests.state.logs import Club, armada_night


def test_an_export_verifies_and_replays_as_scoring_shows_it(muster, evening, tmp_path: Path):
    told = muster("export", evening.id)
    assert told.exit_code == 0
    assert told.stderr.startswith(f"{evening.id}: ")
    events = [from_wire(line) for line in told.stdout_bytes.splitlines()]
    assert list(dict.fromkeys(event.source for event in events)) == list(SERVICES)
    file = tmp_path / "log.jsonl"
    file.write_bytes(told.stdout_bytes)
    verified = muster("verify", str(file))
    assert verified.exit_code == 0, verified.stderr
    assert "32 commands re-decided" in verified.stdout
    for round in ("1", "2"):
        replayed = muster("replay", str(file), "--round", round, "--format", "json")
        shown = muster("tournament", "standings", evening.id, "--round", round, "--format", "json")
        assert json.loads(replayed.stdout) == json.loads(shown.stdout)
    replayed = muster("replay", str(file), "--format", "json")
    assert json.loads(replayed.stdout) == json.loads(
        muster("tournament", "standings", evening.id, "--format", "json").stdout
    )


def test_it_is_complete_to_the_heads_of_the_owners(muster, evening):
    events = [from_wire(line) for line in muster("export", evening.id).stdout_bytes.splitlines()]
    last = {event.source: (event.position, event.hash) for event in events}
    for source in SERVICES:
        head = evening.organiser.plain.get(source, evening.path("/heads"))["heads"][source]
        assert last[source] == (head["position"], head["hash"])


def test_pages_are_no_seams(muster, evening, monkeypatch):
    whole = muster("export", evening.id).stdout_bytes
    monkeypatch.setattr(record, "PAGE", 7)
    monkeypatch.setattr(export, "IN_MEMORY", 100)
    assert muster("export", evening.id).stdout_bytes == whole


def test_it_writes_to_a_file(muster, evening, tmp_path: Path):
    assert muster("export", evening.id, "--output", str(tmp_path / "log.jsonl")).exit_code == 0
    assert muster("verify", str(tmp_path / "log.jsonl")).exit_code == 0
    told = muster("export", evening.id, "--output", str(tmp_path / "no" / "log.jsonl"))
    assert told.exit_code == 2


def test_each_export_during_play_verifies(muster, stack, tmp_path: Path):
    director = announced(stack, "Rush")
    director.join({"name": f"Player {n}"} for n in range(1, 13))
    over = threading.Event()

    def play() -> None:
        try:
            for number in (1, 2, 3):
                director.pair()
                director.do("pairing", f"/rounds/{number}/start", {})
                director.play(number, lambda game: {"points_1": 120, "points_2": 20, "second_player": 2})
                director.close(number)
        finally:
            over.set()

    playing = threading.Thread(target=play)
    playing.start()
    sizes: list[int] = []
    while not over.is_set() or not sizes:
        told = muster("export", director.id)
        assert told.exit_code == 0, told.stderr
        (tmp_path / "log.jsonl").write_bytes(told.stdout_bytes)
        verified = muster("verify", str(tmp_path / "log.jsonl"))
        assert verified.exit_code == 0, verified.stderr
        sizes.append(len(told.stdout_bytes.splitlines()))
    playing.join()
    assert sizes == sorted(sizes)


def test_a_private_tournament_needs_a_token_of_it(muster, stack, evening):
    private = announced(stack, "Among friends", visibility="private")
    refused = muster("export", private.id)
    assert refused.exit_code == 2
    assert refused.stdout == ""
    of_another = muster("token", "--role", "organiser", "--actor", "club-b", "--tournament", evening.id).stdout.strip()
    assert muster("export", private.id, token=of_another).exit_code == 2
    of_this = muster("token", "--role", "organiser", "--actor", "club-b", "--tournament", private.id).stdout.strip()
    told = muster("export", private.id, "--token", of_this)
    assert told.exit_code == 0
    events = [from_wire(line) for line in told.stdout_bytes.splitlines()]
    assert [event.type for event in events if event.source == "registration"] == ["TournamentAnnounced"]


def test_refusals_and_outages_are_reported_in_lines(muster, stack):
    told = muster("export", "t-nowhere")
    assert told.exit_code == 2
    assert told.stderr == "No such tournament: There is no tournament with this id.\n"
    told = muster("export", "t-nowhere", url="http://127.0.0.1:9")
    assert told.exit_code == 1
    assert told.stderr.startswith("registration does not answer at http://127.0.0.1:9 ")
    assert len(told.stderr.splitlines()) == 1
    told = muster("export", "t-nowhere", "--token", "nonsense")
    assert told.exit_code == 2
    assert "token" in told.stderr


# Upstream who do not agree, or who answer with something else


class Upstream(Muster):
    """Owners who answer from logs in memory. ends: how far each said that its log went when it was asked."""

    def __init__(self, club: Club, ends: dict[str, int] | None = None, **logs: list[Recorded]) -> None:
        self.logs = club.logs | logs
        self.ends = ends or {source: len(log) for source, log in self.logs.items()}
        self.asked: list[tuple[str, int, int]] = []
        urls = {source: f"http://{source}" for source in SERVICES}
        super().__init__(urls, following=False, transport=httpx.MockTransport(self.answer))

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/heads"):
            return httpx.Response(200, json={"tournament": "t-club", "heads": self.heads(request.url.host)})
        asked = request.url.params
        return httpx.Response(
            200, content=b"\n".join(self.lines(request.url.host, int(asked["after"]), int(asked["limit"])))
        )

    def heads(self, service: str) -> dict[str, Any]:
        end = self.ends[service]
        return {service: {"position": end, "hash": self.logs[service][end - 1].hash}} if end else {}

    def lines(self, service: str, after: int, limit: int) -> list[bytes]:
        self.asked.append((service, after, limit))
        return [to_wire(event) for event in self.logs[service][after : after + limit]]


@pytest.fixture
def spools() -> dict[str, Any]:
    return {source: BytesIO() for source in SERVICES}


def gathered(owners: Upstream, spools: dict[str, Any]) -> dict[str, int]:
    return export.gather(owners, "t-club", spools)


def test_a_log_is_read_on_to_what_the_others_had_seen_of_it(spools):
    club = armada_night()
    whole = {source: len(log) for source, log in club.logs.items()}
    # Registration was asked before anybody joined, pairing before round 2, scoring when all was over.
    ends = gathered(Upstream(club, {"registration": 1, "pairing": 3, "scoring": whole["scoring"]}), spools)
    assert ends == whole
    findings = Findings()
    log = LogFile(findings)
    for spool in spools.values():
        spool.seek(0)
        for line in spool:
            log.add(line.rstrip(b"\n"))
    log.settle()
    audit(log.logs, findings)
    assert findings.failures == []


def test_export_stops_at_the_last_seen_position(spools):
    club = armada_night()
    ends = gathered(Upstream(club, {"registration": 6, "pairing": 0, "scoring": 0}), spools)
    assert ends == {"registration": 6, "pairing": 0, "scoring": 0}


@pytest.mark.parametrize("source", SERVICES)
def test_an_owner_who_lost_events_that_others_saw(source, spools):
    club = armada_night()
    with pytest.raises(export.Incomplete) as refused:
        gathered(Upstream(club, None, **{source: club.logs[source][:3]}), spools)
    assert refused.value.args[0] == source


def test_an_owner_whose_log_is_not_the_one_its_head_names(spools):
    club, other = Club("Ana", "Ben"), Club("Ana", "Bob")
    owners = Upstream(club)
    owners.heads = Upstream(other).heads  # type: ignore[method-assign]
    with pytest.raises(export.Incomplete) as refused:
        gathered(owners, spools)
    assert refused.value.args[0] == "t-club.registration.3"


@pytest.mark.parametrize(
    "lines",
    [[b"<html>"], [b"{}"], [to_wire(Club("Ana", tournament="t-other").logs["registration"][0])]],
)
def test_an_owner_who_answers_with_something_else(lines, spools):
    owners = Upstream(Club("Ana", "Ben"))
    owners.lines = lambda *_, **__: lines  # type: ignore[method-assign]
    with pytest.raises(export.Incomplete):
        gathered(owners, spools)


def test_an_owner_whose_log_was_changed(spools):
    club = Club("Ana", "Ben")
    owners = Upstream(club)
    changed = [to_wire(event).replace(b'"Ana"', b'"Eve"') for event in club.logs["registration"]]
    owners.lines = lambda *_, **__: changed  # type: ignore[method-assign]
    with pytest.raises(export.Incomplete) as refused:
        gathered(owners, spools)
    assert refused.value.args[0] == "registration 2 (t-club.registration.2)"


# Where the services are


@pytest.mark.parametrize(
    ("url", "env", "expected"),
    [
        (None, {}, ["http://127.0.0.1:8001", "http://127.0.0.1:8002", "http://127.0.0.1:8003"]),
        (
            None,
            {"MUSTER_PORT_BASE": "9000"},
            ["http://127.0.0.1:9001", "http://127.0.0.1:9002", "http://127.0.0.1:9003"],
        ),
        ("http://h:1", {"MUSTER_URL": "http://x:5"}, ["http://h:1", "http://h:2", "http://h:3"]),
        (
            None,
            {"MUSTER_URL": "http://x:5/", "REGISTRATION_URL": "http://y:7"},
            ["http://x:5", "http://x:6", "http://x:7"],
        ),
        (None, {"REGISTRATION_URL": "http://[::1]:81"}, ["http://[::1]:81", "http://[::1]:82", "http://[::1]:83"]),
        (
            "https://a.example/r",
            {"PAIRING_URL": "https://a.example/p/", "SCORING_URL": "https://a.example/s"},
            ["https://a.example/r", "https://a.example/p", "https://a.example/s"],
        ),
    ],
)
def test_one_address_is_enough_where_ports_follow_one_another(url, env, expected):
    assert list(service_urls(url, env).values()) == expected


@pytest.mark.parametrize(
    ("url", "env", "place"),
    [
        ("https://a.example", {}, "PAIRING_URL: "),
        ("https://a.example", {"PAIRING_URL": "https://b.example"}, "SCORING_URL: "),
        ("a.example:8001", {}, "--url: "),
        ("http://a:port", {}, "--url: "),
        (None, {"MUSTER_URL": "ftp://a:1"}, "MUSTER_URL: "),
        (None, {"SCORING_URL": "x"}, "SCORING_URL: "),
        (None, {"MUSTER_PORT_BASE": "x"}, "MUSTER_PORT_BASE: "),
    ],
)
def test_an_address_that_is_none_is_bad_input(url, env, place, capsys):
    with pytest.raises(SystemExit) as left:
        service_urls(url, env)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith(place)


def test_rows_of_an_export_need_no_service(muster, evening):
    told = muster("export", evening.id)
    offline = muster(
        "replay", "-", "--round", "2", "--format", "json", url="http://127.0.0.1:9", input=told.stdout_bytes
    )
    assert [row["rank"] for row in json.loads(offline.stdout)] == list(range(1, 10))
