"""Draws over HTTP: committed at the announcement, repeatable, and verified at the end."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256, sha384
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from operator import methodcaller
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from muster.cli.output import BAD_INPUT, NOT_HELD
from muster.cli.verify import command
from shared.clock import format_utc, to_milliseconds
from shared.environment import QUICKNET
from shared.log.cloudevents import from_wire, to_wire
from shared.log.event import Answer as AnswerDrawn
from shared.log.event import Recorded
from shared.service import draws
from shared.service.draws import AHEAD_MS, BeaconAway, BeaconReader, read_signature, time_of
from shared.service.previews import PreviewDraws
from shared.service.wiring import read_beacons
from shared.settings import SERVICES, BadSettings, load
from shared.tournament.draws import DrawRecord, answer_to, digest_of
from tests.draws import FixedOracle, secret_of
from tests.services.house import House
from tests.services.story import Answer
from tests.state.logs import rechained

PLAYERS = 6
CUP = {"name": "Cup", "ruleset": "star-wars-armada-400", "tier": "casual", "rounds": 3}
FACTS = {"points_1": 200, "points_2": 150, "end": "rounds", "second_player": 2}


class Event(House):
    """One tournament of six players, led by its organiser."""

    id = ""

    def announce(self, **more: Any) -> None:
        self.id = self.ask("registration", "", {**CUP, **more}, role="operator").body["id"]
        self.copy()
        self.ask("registration", "/venues", {"name": "Hall", "tables": 12})
        for name in ("Ana", "Ben", "Cy", "Dee", "Eli", "Fay")[:PLAYERS]:
            self.ask("registration", "/players", {"name": name, "venue": "v1"})
        self.copy()

    def ask(self, service: str, path: str, body: Any = None, role: str = "organiser", **more: Any) -> Answer:
        club = self.clubs[service]
        token = club.token(role, self.id if role == "organiser" else "*")
        place = f"/tournaments/{self.id}{path}" if self.id else "/tournaments"
        answer = club.ask("GET" if body is None else "POST", place, body, token=token, **more)
        assert answer.status < 300, answer
        return answer

    def pairs(self, shown: Any) -> list[tuple[str, str]]:
        return [(seat["player_1"], seat["player_2"]) for seat in shown["pairings"]]

    def preview(self, number: int) -> list[tuple[str, str]]:
        moves = self.ask("pairing", "/rounds?preview=true", {"round": number}).body["moves"]
        return self.pairs(moves["round"])

    def play(self, number: int) -> None:
        """Pair, start and close a round in which every first player wins."""
        self.ask("pairing", "/rounds", {"round": number})
        self.ask("pairing", f"/rounds/{number}/start", {})
        self.copy()
        for seat in self.ask("pairing", f"/rounds/{number}").body["pairings"]:
            self.ask("scoring", f"/games/{seat['id']}/result", {"facts": FACTS})
        self.ask("scoring", f"/rounds/{number}/close", {})
        self.copy()

    def logs(self) -> dict[str, list[Recorded]]:
        return {
            name: [from_wire(line) for line in self.ask(name, "/log?limit=500").text.splitlines()] for name in SERVICES
        }


class Drand:
    """A drand server. answer: status and body for every request; None: a signature of the requested round.

    pause: seconds between two bytes of an answer. requests: the rounds that were requested.
    """

    def __init__(self) -> None:
        self.answer: tuple[int, bytes] | None = None
        self.salt = ""
        self.pause = 0.0
        self.requests: list[int] = []
        drand = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                round = int(self.path.rpartition("/")[2])
                drand.requests.append(round)
                good = json.dumps({"round": round, "signature": drand.signature(round)}).encode()
                status, body = drand.answer or (200, good)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                for place in range(0, len(body), 1 if drand.pause else len(body)):
                    self.wfile.write(body[place : place + 1] if drand.pause else body)
                    threading.Event().wait(drand.pause)

            def log_message(self, format: str, *args: Any) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/{QUICKNET}"

    def signature(self, round: int) -> str:
        return sha384(f"{self.salt}round {round}".encode()).hexdigest()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Drand:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


@pytest.fixture
def evening(tmp_path, monkeypatch) -> Iterator[Event]:
    evening = Event(tmp_path, {}, monkeypatch)
    evening.announce()
    yield evening
    for name in SERVICES:
        evening.end(name)


def audited(logs: dict[str, list[Recorded]]) -> Findings:
    findings = Findings()
    audit(logs, findings)
    return findings


def types(log: list[Recorded]) -> list[str]:
    return [event.type for event in log]


def test_first_event_is_a_commitment(evening):
    logs = evening.logs()
    for name in ("pairing", "scoring"):
        assert types(logs[name]) == ["DrawsCommitted"]
        assert logs[name][0].seen == '{"pairing":0,"registration":1,"scoring":0}'.replace(f'"{name}":0,', "").replace(
            f',"{name}":0', ""
        )
    assert "DrawsCommitted" not in types(logs["registration"])


def test_every_draw_is_verified(evening):
    for number in (1, 2, 3):
        evening.play(number)
    evening.ask("scoring", "/conclusion", {})
    evening.copy()
    logs = evening.logs()
    findings = audited(logs)
    assert findings.failures == []
    assert findings.counts["draws sealed"] == findings.counts["draws committed late"] == 0
    answers = [answer for log in logs.values() for event in log for answer in json.loads(event.data).get("answers", [])]
    questions = [answer["question"] for answer in answers]
    assert questions[:3] == ["pairing: 1, 1", "pairing: 2, 1", "pairing: 3, 1"]
    assert {"lot: standings, 1", "lot: standings, 2", "lot: standings, 3"} <= {*questions}
    assert findings.counts["draws checked"] == len(answers)
    assert types(logs["pairing"])[-1] == types(logs["scoring"])[-1] == "DrawsRevealed"


def test_repeated_draft_is_the_same(evening):
    """Whatever happens elsewhere, and in a process that has begun again: only another field gives another draw."""
    first = evening.preview(1)
    for _ in range(5):
        evening.ask("registration", "/amendments", {"name": "Cup of the North"})
        evening.copy()
        assert evening.preview(1) == first
    evening.begin_anew("pairing")
    assert evening.preview(1) == first
    evening.ask("pairing", "/rounds", {"round": 1})
    assert evening.pairs(evening.ask("pairing", "/rounds/1").body) == first


@pytest.mark.parametrize("on_purpose", [[], ["rounds"]])
def test_changing_the_field_after_a_preview_is_recorded(tmp_path, monkeypatch, on_purpose):
    """By a preview, or by a draft: what came and went since the first look stands in the event of the round."""
    evening = Event(tmp_path, {}, monkeypatch)
    evening.announce(on_purpose=on_purpose)
    if on_purpose:
        evening.ask("pairing", "/rounds", {"round": 1})
    else:
        evening.preview(1)
    evening.ask("registration", "/players", {"name": "Gus", "venue": "v1"})
    evening.ask("registration", "/players/p2/withdrawal", {})
    evening.copy()
    if on_purpose:
        evening.ask("pairing", "/rounds/1/repairing", {"reason": "Gus is here"})
        evening.ask("pairing", "/rounds/1/publication", {})
    else:
        evening.preview(1)
        evening.ask("pairing", "/rounds", {"round": 1})
    (answer,) = [json.loads(event.data)["answers"][0] for event in evening.logs()["pairing"] if "answers" in event.data]
    assert answer["changes"] == ["+p7", "-p2"]
    findings = audited(evening.logs())
    assert findings.failures == []
    for name in SERVICES:
        evening.end(name)


def test_withdrawn_round_uses_another_secret(evening):
    evening.ask("pairing", "/rounds", {"round": 1})
    evening.ask("pairing", "/rounds/1/withdrawal", {"reason": "a mistake"})
    evening.ask("pairing", "/rounds", {"round": 1})
    told = [json.loads(event.data).get("answers") for event in evening.logs()["pairing"]]
    assert [(one["question"], one["number"]) for answers in told for one in answers or ()] == [
        ("pairing: 1, 1", 1),
        ("pairing: 1, 2", 2),
    ]


def test_draws_cannot_be_predicted_from_public_data(evening):
    """A program with all public logs, and every secret that was revealed, cannot compute the next pairing's seed."""
    evening.play(1)
    logs = evening.logs()
    secrets = [json.loads(event.data)["secret"] for log in logs.values() for event in log if "Revealed" in event.type]
    hashes = [event.hash for log in logs.values() for event in log]
    digests = [json.loads(event.data)["digest"] for log in logs.values() for event in log if "Committed" in event.type]
    guessed = {answer_to(known, "pairing: 2, 1") for known in [*secrets, *hashes, *digests]}
    evening.ask("pairing", "/rounds", {"round": 2})
    (paired,) = [json.loads(event.data) for event in evening.logs()["pairing"] if event.type == "RoundPaired"][1:]
    assert paired["seed"] not in guessed


def test_preview_of_closing_shows_no_draw(evening):
    evening.ask("pairing", "/rounds", {"round": 1})
    evening.ask("pairing", "/rounds/1/start", {})
    evening.copy()
    for seat in evening.ask("pairing", "/rounds/1").body["pairings"]:
        evening.ask("scoring", f"/games/{seat['id']}/result", {"facts": FACTS})
    live = evening.ask("scoring", "/standings").body
    assert [row["rank"] for row in live["items"]] == [1, 1, 1, 4, 4, 4]
    assert live["draws"] == []
    shown = evening.ask("scoring", "/rounds/1/close?preview=true", {}).body
    recorded = shown["events"][0]["data"]
    assert {"seed", "draws"}.isdisjoint(recorded)
    assert {"where": "/events/0/data/draws", "reason": "rolled"} in shown["uncertain"]
    evening.ask("scoring", "/rounds/1/close", {})
    closed = evening.ask("scoring", "/standings?round=1").body
    assert [row["rank"] for row in closed["items"]] == [1, 2, 3, 4, 5, 6]


def test_correction_keeps_the_draws(evening):
    evening.play(1)
    before = evening.ask("scoring", "/standings?round=1").body
    game = evening.ask("pairing", "/rounds/1").body["pairings"][0]["id"]
    for points in (300, 200):
        facts = {**FACTS, "points_1": points}
        evening.ask("scoring", f"/games/{game}/correction", {"facts": facts, "reason": "misread"})
    after = evening.ask("scoring", "/standings?round=1").body
    assert (after["items"], after["draws"]) == (before["items"], before["draws"])


def test_cancelled_event_reveals_its_secret(evening):
    evening.ask("pairing", "/rounds", {"round": 1})
    evening.ask("registration", "/cancellation", {"reason": "snow"})
    evening.copy()
    logs = evening.logs()
    findings = audited(logs)
    assert findings.failures == []
    assert (findings.counts["draws checked"], findings.counts["draws sealed"]) == (1, 0)
    assert types(logs["scoring"])[-1] == "DrawsRevealed"


def test_lost_secret_is_recorded_and_replaced(evening):
    with evening.clubs["pairing"].database.writing() as connection:
        connection.run("DELETE FROM private_rows WHERE kind = 'secret' AND tournament = :id", id=evening.id)
    evening.begin_anew("pairing")
    evening.play(1)
    logs = evening.logs()
    assert types(logs["pairing"])[:6] == [
        "DrawsCommitted",
        "PairingsDrawn",
        "RoundPaired",
        "DrawsLost",
        "DrawsCommitted",
        "DrawsRevealed",
    ]
    findings = audited(logs)
    assert findings.failures == []
    assert findings.counts["draws committed late"] == findings.counts["secrets lost"] == 1


def test_a_secret_is_encrypted_in_its_row(evening):
    evening.play(1)
    with evening.clubs["pairing"].database.reading() as connection:
        rows = connection.rows(
            "SELECT body FROM private_rows WHERE kind = 'secret' AND tournament = :id", id=evening.id
        )
    held = [body for (body,) in rows if body]
    evening.ask("registration", "/cancellation", {"reason": "snow"})
    evening.copy()
    secret = json.loads(evening.logs()["pairing"][-1].data)["secret"]
    assert len(held) == 1
    assert secret not in held[0]


def changed(logs: dict[str, list[Recorded]], source: str, type: str, change: Callable[[Any], object]) -> list[Failure]:
    """Change the data of the first event of a type, make the chain good again, and return what an audit finds."""
    event = next(one for one in logs[source] if one.type == type)
    data = json.loads(event.data)
    change(data)
    text = msgspec.json.encode(data, order="sorted").decode()
    forged = {**logs, source: rechained(logs[source], {event.position: {"data": text}})}
    return audited(forged).failures


@pytest.mark.parametrize(
    ("source", "type", "change", "code"),
    [
        ("pairing", "PairingsDrawn", lambda data: data["answers"][0].update(value="0" * 64), "draw"),
        ("pairing", "PairingsDrawn", lambda data: data["answers"][0].update(question="pairing: 1, 2"), "draw"),
        ("pairing", "PairingsDrawn", lambda data: data["answers"][0].update(number=2), "draw"),
        ("pairing", "DrawsRevealed", lambda data: data.update(secret="0" * 64), "draw"),
        ("pairing", "DrawsRevealed", lambda data: data.update(secret="none"), "draw"),
        ("pairing", "DrawsCommitted", lambda data: data.update(digest="0" * 64), "draw"),
        ("pairing", "RoundPaired", lambda data: data.update(seed="0" * 64), "decision"),
        ("pairing", "PairingsDrawn", lambda data: data.pop("answers"), "decision"),
        ("scoring", "StandingsRecorded", lambda data: data["answers"][0].update(value="0" * 64), "draw"),
    ],
)
def test_a_forged_draw_is_found(evening, source, type, change, code):
    evening.play(1)
    evening.ask("registration", "/cancellation", {"reason": "snow"})
    evening.copy()
    assert code in {failure.code for failure in changed(evening.logs(), source, type, change)}


@pytest.fixture
def drand() -> Iterator[Drand]:
    with Drand() as drand:
        yield drand


@pytest.fixture
def online(tmp_path, monkeypatch, drand) -> Iterator[Event]:
    """An event of an installation that names the beacon."""
    event = Event(tmp_path, {"MUSTER_BEACON": drand.url}, monkeypatch)
    event.announce()
    yield event
    for name in SERVICES:
        event.end(name)


def read_at(event: Event, moment: str) -> None:
    for name in ("pairing", "scoring"):
        event.services[name].clock = lambda: moment
        read_beacons(event.services[name])


def refused_round(event: Event) -> Answer:
    club = event.clubs["pairing"]
    return club.ask("POST", f"/tournaments/{event.id}/rounds", {"round": 1}, token=club.token("organiser", event.id))


LATER = "2099-01-01T00:00:00.000Z"


def test_beacon_value_is_part_of_each_question(online, drand):
    committed = json.loads(online.logs()["pairing"][0].data)
    moment = online.logs()["pairing"][0].time
    assert to_milliseconds(moment) + AHEAD_MS < time_of(committed["beacon"]) <= to_milliseconds(moment) + 30_000
    answer = refused_round(online)
    assert (answer.status, answer.body["code"], answer.headers["Retry-After"]) == (409, "beacon-awaited", "10")
    read_at(online, moment)
    assert types(online.logs()["pairing"]) == ["DrawsCommitted"]  # its time has not come
    for number in (1, 2, 3):
        read_at(online, LATER)
        online.play(number)
    online.ask("scoring", "/conclusion", {})
    online.copy()
    logs = online.logs()
    findings = audited(logs)
    assert findings.failures == []
    assert findings.counts["draws sealed"] == findings.counts["beacons missed"] == 0
    assert findings.counts["beacons read"] >= 6
    revealed = next(json.loads(event.data) for event in logs["pairing"] if event.type == "DrawsRevealed")
    drawn = next(json.loads(event.data)["answers"][0] for event in logs["pairing"] if event.type == "PairingsDrawn")
    value = sha256(bytes.fromhex(drand.signature(committed["beacon"]))).hexdigest()
    assert drawn["value"] == answer_to(revealed["secret"], f"pairing: 1, 1, beacon {value}")
    for forged in ("00" * 48, "zz" * 48):
        failures = changed(logs, "pairing", "BeaconRead", methodcaller("update", signature=forged))
        assert "draw" in {failure.code for failure in failures}


def test_verify_compares_the_recorded_values_with_a_server(online, drand, tmp_path):
    read_at(online, LATER)
    file = tmp_path / "cup.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in online.logs().values() for event in log))
    verified = CliRunner().invoke(command, [str(file), "--beacon", drand.url])
    assert (verified.exit_code, "2 values of the public beacon compared" in verified.output) == (0, True)
    drand.answer = (200, b"{}")
    assert CliRunner().invoke(command, [str(file), "--beacon", drand.url]).exit_code == BAD_INPUT
    drand.salt, drand.answer = "another ", None
    forged = CliRunner().invoke(command, [str(file), "--beacon", drand.url])
    assert (forged.exit_code, forged.output.count("of the beacon's round")) == (NOT_HELD, 2)


def test_unreadable_beacon_is_recorded_as_missed(online, drand):
    drand.stop()
    committed = online.logs()["pairing"][0]
    due = time_of(json.loads(committed.data)["beacon"])
    read_at(online, format_utc(due + 30_000))
    assert types(online.logs()["pairing"]) == ["DrawsCommitted"]
    read_at(online, format_utc(due + 91_000))
    online.play(1)
    missed = online.logs()["pairing"][1]
    assert (missed.type, json.loads(missed.data)) == ("BeaconMissed", {"number": 1, "reason": "ConnectError"})
    online.ask("registration", "/cancellation", {"reason": "snow"})
    online.copy()
    findings = audited(online.logs())
    assert findings.failures == []
    assert findings.counts["beacons missed"] == 2
    assert findings.counts["draws checked"] > 0


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (404, "{}", "HTTP status 404"),
        (200, "<html>", "an answer that is not JSON"),
        (200, "[]", "an answer that is not JSON"),
        (200, json.dumps({"round": 8, "signature": "ab" * 48}), "an answer without the signature of this round"),
        (200, json.dumps({"round": 7, "signature": "AB" * 48}), "an answer without the signature of this round"),
        (200, json.dumps({"round": 7, "signature": "ab" * 47}), "an answer without the signature of this round"),
        (200, json.dumps({"round": 7, "signature": None}), "an answer without the signature of this round"),
        (200, " " * 5_000, "an answer that is too long"),
        (200, "[" * 4_000, "an answer that is not JSON"),
        (200, '{"a":' * 800, "an answer that is not JSON"),
        (200, "\xff\xfe\x00\x01\x02\x03\x80\x81\xfe\xff", "an answer that is not JSON"),
        (200, json.dumps({"round": 10**30, "signature": "ab" * 48}), "an answer without the signature of this round"),
    ],
)
def test_only_a_signature_of_the_named_round_is_accepted(drand, status, body, reason):
    drand.answer = (status, body.encode("latin-1"))
    with pytest.raises(BeaconAway, match=reason):
        read_signature(drand.url, 7)


def test_server_that_sends_a_byte_now_and_then_is_given_up(drand, monkeypatch):
    monkeypatch.setattr(draws, "READ_SECONDS", 0.3)
    drand.pause = 0.05
    with pytest.raises(BeaconAway, match=r"DeadlineExceeded|ReadTimeout"):
        read_signature(drand.url, 7)


def test_address_that_is_none_is_no_answer():
    for url in ("https://exa mple", "drand", "ftp://drand.example", "http://["):
        with pytest.raises(BeaconAway):
            read_signature(url, 7)


def test_one_pass_reads_a_round_once_and_stops_when_its_time_is_over(drand, monkeypatch):
    reader = BeaconReader(drand.url)
    assert [reader.signature(7), reader.signature(7)] == [drand.signature(7)] * 2
    assert drand.requests == [7]
    monkeypatch.setattr(draws, "PASS_SECONDS", -1.0)
    with pytest.raises(BeaconAway, match="no server answers in time"):
        BeaconReader(drand.url).signature(7)
    with pytest.raises(BeaconAway, match="names no beacon"):
        BeaconReader("").signature(7)


def test_awaited_beacon_holds_up_no_publication(online):
    with online.services["pairing"].database.reading() as connection:
        private = online.services["pairing"].repository.private
        assert private.due(connection, LATER, 10) == []
        assert private.due(connection, LATER, 10, beacons=True) == [(online.id, "beacon", "1")]


def test_beacon_of_another_chain_is_refused(tmp_path):
    with pytest.raises(BadSettings) as refused:
        load("pairing", {"MUSTER_DATA": str(tmp_path), "MUSTER_BEACON": "https://api.drand.sh/8990e7a9"})
    assert [fault.expected.code for fault in refused.value.faults] == ["quicknet-url"]
    for more in ("/", "?a=1", "#a", "/public/1"):
        with pytest.raises(BadSettings):
            load("pairing", {"MUSTER_DATA": str(tmp_path), "MUSTER_BEACON": f"https://api.drand.sh/{QUICKNET}{more}"})


def test_preview_guesses_only_hidden_draws():
    known = AnswerDrawn(question="lot: title, 3", number=1, value="ab" * 32)
    record = DrawRecord(committed={1: digest_of(secret_of(1))}, answers={known.question: known})
    foreseen, pairing = PreviewDraws(FixedOracle(record)), answer_to(secret_of(1), "pairing: 1, 1")
    assert foreseen.answer(known.question) == known.value
    assert foreseen.answer("pairing: 1, 1", ["p1", "p2"]) == foreseen.answer("pairing: 1, 1") == pairing
    assert not foreseen.guessed
    assert foreseen.answer("lot: standings, 1") != answer_to(secret_of(1), "lot: standings, 1")
    assert foreseen.guessed
