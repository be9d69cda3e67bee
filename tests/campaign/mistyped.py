"""Campaigns in which people mistype, and take it back: one is played at random, another says the same with mistakes.

script = played(folder, 4, 2, "a seed")             who said what, and how the campaign ended
again = said_again(folder, script, "a seed")        every request again, one in ten after a mistake that is taken back
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import httpx
import msgspec

from muster.audit.replay import fold_logs
from muster.simulator import campaign as simulator
from muster.simulator import campaign_games
from muster.simulator.campaign import CampaignSimulation, GroupPhase
from muster.simulator.director import Director
from muster_client import Muster as Client
from shared.campaign.ruleset import CampaignRuleset
from shared.campaign.state import CAMPAIGN
from shared.formats.packs import shipped_ruleset
from shared.log.event import Recorded, Via
from shared.log.reading import whole_log
from shared.settings import SERVICES
from shared.tournament.state import Tournament
from tests.auditing import heard_logs
from tests.campaign.story import SHIPPED
from tests.chance import seeded_chance
from tests.console.in_process import InProcess
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was
from tests.services.story import Answer

Json = dict[str, Any]

MISTYPED = 10
"""Percentage of statements that are made after another one was made by mistake."""

AWAY = 12
"""Percentage of players whose steps staff close."""

STATEMENT = re.compile(r"/tournaments/[^/]+/groups/([^/]+)/(choices|steps/[^/]+/closing)")
LAST = re.compile("/steps/(1|2|3|9)/closing|/recruits$|/rounds|/conclusion|/result$")
"""Requests on which others go on, or that end a phase. No mistake stands before them."""

GAINS = {"MemberJoined", "ItemGained", "TurfGained", "StepClosed", "RecruitTurnPassed", "CapsMoved"}
"""Events after which a mistake is taken back at once: later requests would name other ids, or others would go on."""


@dataclass(frozen=True)
class Request:
    """A command that was not refused. who: claims of its token."""

    service: str
    path: str
    body: bytes
    who: Json


@dataclass
class Script:
    """A campaign from its first request to its last.

    questions: id of a roll -> the question that it answered. groups, standings: how it ended.
    """

    tournament: str = ""
    requests: list[Request] = field(default_factory=list)
    questions: dict[str, str] = field(default_factory=dict)
    groups: Json = field(default_factory=dict)
    standings: list[Json] = field(default_factory=list)


@dataclass
class SaidAgain(Script):
    """The same campaign with mistakes. counts: what was taken back how. balances: account -> its lowest balance."""

    counts: Counter[str] = field(default_factory=Counter)
    balances: dict[str, int] = field(default_factory=dict)
    logs: dict[str, list[Recorded]] = field(default_factory=dict)


def claims_of(request: httpx.Request) -> Json:
    token = request.headers.get("Authorization", "").rpartition(" ")[2]
    if not token:
        return {}
    payload = token.split(".")[1]
    claims: Json = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return claims


class Listening(InProcess):
    """The way to the services, which keeps every command that is not refused."""

    def __init__(self, muster: Muster, requests: list[Request]) -> None:
        super().__init__(muster)
        self._requests = requests

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        if request.method != "GET" and answer.status_code < 300:
            address = request.url.raw_path.decode()
            self._requests.append(Request(request.url.host, address, request.read(), claims_of(request)))
        return answer


@dataclass
class LateReports(CampaignSimulation):
    """A campaign whose last game of a round is reported when the other groups wait for recruits.

    kept: what each group does after its game. Nobody confirms dice, leaves or joins.
    """

    late: Json | None = None
    kept: dict[tuple[int, str], GroupPhase] = field(default_factory=dict)

    def _phases(self, number: int) -> dict[str, GroupPhase]:
        """Return the groups in their phase. Each keeps what it has done."""
        return {id: self.kept.setdefault((number, id), phase) for id, phase in super()._phases(number).items()}

    def games(self, number: int) -> list[str]:
        shown = [game for game in self._paired(number) if game["kind"] != "bye"]
        self.late = shown[-1] if len(shown) > 1 else None
        with mock.patch.object(self, "_paired", return_value=[game for game in shown if game is not self.late]):
            return super().games(number)

    def after_games(self, number: int) -> list[str]:
        early = self._phases(number)
        for phase in early.values():
            phase.until("2", "3", "4")
        for phase in early.values():
            phase.until("4")
        if self.late is not None:
            groups = "/".join(group for side in campaign_games.sides_of(self.late) for group in side)
            chance = self.chance(f"{number}/{groups}")
            campaign_games.CampaignGame(self.director, self.rules, self.late, chance).play()
        return super().after_games(number)

    def vouch(self, number: int) -> list[str]:
        return []

    def between(self, number: int) -> list[str]:
        return []

    def leave(self, when: str) -> list[str]:
        return []


def groups_of(muster: Muster, tournament: str) -> tuple[Json, dict[str, list[Recorded]]]:
    """Return every group as it is at the end, and the logs."""
    logs = {}
    for source, database in muster.databases.items():
        with database.reading() as connection:
            logs[source] = whole_log(connection, source, tournament)
    state: Tournament = fold_logs(heard_logs(logs))
    groups: Json = msgspec.to_builtins(CAMPAIGN.of(state).groups)
    return groups, logs


def dice_of(logs: dict[str, list[Recorded]]) -> list[Json]:
    """Return the data of every die in scoring's log."""
    return [json.loads(event.data) for event in logs["scoring"] if event.type == "DieRolled"]


def played(folder: Path, groups: int, rounds: int, seed: str) -> Script:
    """Play a campaign at random without mistakes. All dice after games are rolled by the service."""
    ruleset = shipped_ruleset(SHIPPED)
    assert isinstance(ruleset, CampaignRuleset)
    script = Script()
    with (
        logging_as_it_was(),
        seeded_chance(seed),
        mock.patch.object(simulator, "AT_TABLE", 0),
        mock.patch.object(simulator, "AWAY", AWAY),
    ):
        muster = Muster(folder)
        urls = {name: f"http://{name}" for name in SERVICES}
        operator = Client(urls, muster.token("operator"), transport=Listening(muster, script.requests))
        options = {"fs.campaign.rounds": str(rounds)}
        director = Director.announce(operator, name="Wastes", ruleset=SHIPPED, options=options)
        LateReports(director, ruleset.rules, groups, rounds, seed=seed, phones=1).play()
        script.tournament = director.id
        script.groups, logs = groups_of(muster, director.id)
        script.questions = {die["roll"]: die["question"] for die in dice_of(logs)}
        script.standings = director.standings()["items"]
    return script


class Again:
    """Says a script again in a campaign of its own, with mistakes that are taken back."""

    def __init__(self, muster: Muster, script: Script, questions: dict[str, str], seed: str) -> None:
        self.muster, self.script, self.questions = muster, script, questions
        self.chance = Random(f"mistakes of {seed}")
        self.counts: Counter[str] = Counter()
        self.id = ""
        self.rolls: dict[str, str] = {}
        self.standing: dict[str, list[int]] = {}
        self.said: dict[int, Request] = {}

    def say_all(self) -> None:
        """Say every request. A mistake stands for a while, unless others would rely on it."""
        for request in self.script.requests:
            found = STATEMENT.match(request.path)
            if LAST.search(request.path) or b'"end_turn"' in request.body:
                self._take_all_back()
            elif found:
                self._mistype(found[1], request)
            answer = self._send(request)
            if answer.status >= 400 and any(self.standing.values()):
                self._take_all_back()
                answer = self._send(request)
            assert answer.status in (200, 201), (request.path, request.body, answer)
            self._note(answer)
            if found and answer.events:
                self.said[self._position(answer)] = request
            if not self.id:
                self.id = str(answer.body["id"])
            self.muster.copy(self.id)
            if self.chance.randrange(3) == 0:
                self._take_all_back()

    def _mistype(self, group: str, request: Request) -> None:
        """Perhaps make another legal choice than the one that follows."""
        if self.chance.randrange(100) >= MISTYPED:
            return
        token = self._token(request.who)
        asked = self._ask("GET", f"/groups/{group}/post-game", None, token).body
        body = json.loads(request.body)
        others = [one for one in asked["choices"] if (one["does"], one["of"]) != (body.get("does"), body.get("of"))]
        if not others:
            return
        wrong = self.chance.choice(others)
        said = {"does": wrong["does"], "of": wrong["of"], "service": True}
        answer = self._ask("POST", f"/groups/{group}/choices", said, token)
        if answer.status != 201 or not answer.events:
            self.counts["refused"] += 1
            return
        self._note(answer)
        self.muster.copy(self.id)
        self.counts["mistyped"] += 1
        self.standing.setdefault(group, []).append(self._position(answer))
        if GAINS & set(answer.types) or self.chance.randrange(2):
            self._take_back(group, token)

    def _take_all_back(self) -> None:
        for group in self.standing:
            while self.standing[group]:
                self._take_back(group, "")

    def _take_back(self, group: str, token: str) -> None:
        """Take the last mistake of a group back: the player where that is possible, otherwise the organiser."""
        statement = self.standing[group].pop()
        path = f"/groups/{group}/statements/{statement}/taking-back"
        answer = self._ask("POST", path, {}, token) if token else None
        by = "player"
        if answer is None or answer.status != 201:
            assert answer is None or answer.code in ("staff-only", "reason-needed"), answer
            by = "staff"
            organiser = self.muster.token("organiser", self.id)
            answer = self._ask("POST", path, {"reason": "mistyped", "drop": True}, organiser)
        assert answer.status == 201, (group, statement, answer)
        self._note(answer)
        self.muster.copy(self.id)
        self.counts[by] += 1
        self.counts["stood"] += answer.types.count("StatementDecidedAgain")
        first = next(event["data"] for event in answer.events if event["type"] == "StatementTakenBack")
        for fallen in first.get("fallen", []):
            self.counts["fallen"] += 1
            if fallen in self.standing[group]:
                self.standing[group].remove(fallen)
                continue
            self._note(again := self._send(self.said[fallen]))
            assert again.status == 201, (self.said[fallen], again)
            self.said[self._position(again)] = self.said.pop(fallen)
            self.muster.copy(self.id)

    def _send(self, request: Request) -> Answer:
        path = request.path.replace(self.script.tournament, self.id) if self.id else request.path
        body = self._with_rolls(request.body.decode().replace(self.script.tournament, self.id or "-"))
        return self.muster.ask("POST", request.service, path, body.encode() or None, self._token(request.who), **JSON)

    def _with_rolls(self, body: str) -> str:
        """Return a body with the rolls that answer the same questions here."""
        known = {roll: self.rolls[question] for roll, question in self.questions.items() if question in self.rolls}
        return (
            re.sub(r'"(s\d+)"', lambda roll: f'"{known.get(roll[1], roll[1])}"', body)
            if '"rolls":["s' in body
            else body
        )

    def _ask(self, method: str, rest: str, body: Json | None, token: str) -> Answer:
        return self.muster.ask(method, "scoring", f"/tournaments/{self.id}{rest}", body, token)

    def _note(self, answer: Answer) -> None:
        for event in answer.body.get("events", ()):
            if event["type"] == "DieRolled":
                self.rolls[event["data"]["question"]] = event["data"]["roll"]

    def _position(self, answer: Answer) -> int:
        return int(answer.events[0]["position"])

    def _token(self, who: Json) -> str:
        more: Json = {"player": who["player"]} if "player" in who else {"actor": who["sub"]}
        if "via" in who:
            more["via"] = msgspec.convert(who["via"], Via)
        return self.muster.token(who["role"], self.id if who["tournament"] != "*" else "*", **more)


JSON = {"Content_Type": "application/json"}


def said_again(folder: Path, script: Script, seed: str) -> SaidAgain:
    """Say every request of a script once more, with mistakes. Return how the campaign ended."""
    with logging_as_it_was(), seeded_chance(seed):
        muster = Muster(folder)
        again = Again(muster, script, script.questions, seed)
        again.say_all()
        groups, logs = groups_of(muster, again.id)
        organiser = muster.token("organiser", again.id)

        def shown(rest: str) -> Any:
            return muster.ask("GET", "scoring", f"/tournaments/{again.id}{rest}", token=organiser).body

        balances = {
            f"{group} {account}": min(
                [entry["balance"] for entry in shown(f"/groups/{group}/balances/{account}")["entries"]] or [0]
            )
            for group in groups
            for account in ("caps", "clean", "radiated")
        }
        standings = shown("/standings")["items"]
    return SaidAgain(again.id, script.requests, {}, groups, standings, again.counts, balances, logs)
