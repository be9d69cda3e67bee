"""Draws over the services: committed to at the announcement, the same when asked again, checked in the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from shared.log.cloudevents import from_wire
from shared.log.event import Answer as AnswerDrawn
from shared.log.event import Recorded
from shared.service.previews import ForeseenDraws
from shared.settings import SERVICES
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


def test_the_first_event_of_who_draws_is_a_commitment(evening):
    logs = evening.logs()
    for name in ("pairing", "scoring"):
        assert types(logs[name]) == ["DrawsCommitted"]
        assert logs[name][0].seen == '{"pairing":0,"registration":1,"scoring":0}'.replace(f'"{name}":0,', "").replace(
            f',"{name}":0', ""
        )
    assert "DrawsCommitted" not in types(logs["registration"])


def test_an_event_is_verified_draw_by_draw(evening):
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


def test_a_draft_is_the_same_however_often_it_is_made(evening):
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
def test_who_looks_at_pairings_and_changes_the_field_is_on_record(tmp_path, monkeypatch, on_purpose):
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


def test_a_withdrawn_round_is_a_new_attempt_by_another_secret(evening):
    evening.ask("pairing", "/rounds", {"round": 1})
    evening.ask("pairing", "/rounds/1/withdrawal", {"reason": "a mistake"})
    evening.ask("pairing", "/rounds", {"round": 1})
    told = [json.loads(event.data).get("answers") for event in evening.logs()["pairing"]]
    assert [(one["question"], one["number"]) for answers in told for one in answers or ()] == [
        ("pairing: 1, 1", 1),
        ("pairing: 1, 2", 2),
    ]


def test_nobody_foresees_a_draw_from_what_is_public(evening):
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


def test_a_preview_of_the_closing_shows_no_lot(evening):
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


def test_a_correction_keeps_the_lots(evening):
    evening.play(1)
    before = evening.ask("scoring", "/standings?round=1").body
    game = evening.ask("pairing", "/rounds/1").body["pairings"][0]["id"]
    for points in (300, 200):
        facts = {**FACTS, "points_1": points}
        evening.ask("scoring", f"/games/{game}/correction", {"facts": facts, "reason": "misread"})
    after = evening.ask("scoring", "/standings?round=1").body
    assert (after["items"], after["draws"]) == (before["items"], before["draws"])


def test_a_cancelled_event_reveals_what_it_drew(evening):
    evening.ask("pairing", "/rounds", {"round": 1})
    evening.ask("registration", "/cancellation", {"reason": "snow"})
    evening.copy()
    logs = evening.logs()
    findings = audited(logs)
    assert findings.failures == []
    assert (findings.counts["draws checked"], findings.counts["draws sealed"]) == (1, 0)
    assert types(logs["scoring"])[-1] == "DrawsRevealed"


def test_a_lost_secret_is_recorded_and_replaced(evening):
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


def test_a_preview_guesses_only_what_nobody_may_see_yet():
    known = AnswerDrawn(question="lot: title, 3", number=1, value="ab" * 32)
    record = DrawRecord(committed={1: digest_of(secret_of(1))}, answers={known.question: known})
    foreseen, pairing = ForeseenDraws(FixedOracle(record)), answer_to(secret_of(1), "pairing: 1, 1")
    assert foreseen.answer(known.question) == known.value
    assert foreseen.answer("pairing: 1, 1", ["p1", "p2"]) == foreseen.answer("pairing: 1, 1") == pairing
    assert not foreseen.guessed
    assert foreseen.answer("lot: standings, 1") != answer_to(secret_of(1), "lot: standings, 1")
    assert foreseen.guessed
