"""Somebody who may publish, and has no key, invents what a service never said: nobody copies it, nobody is paired."""

from __future__ import annotations

from functools import partial

import httpx
import pytest

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_ruleset
from shared.log.cloudevents import CONTENT_TYPE, routing_key
from shared.log.copies import Outcome, accept_run
from shared.log.event import EMPTY_HEAD, Head, Recorded, canonical_json
from shared.log.log import Entry, Stamp, chain_events
from shared.messaging.envelope import log_line
from shared.messaging.publisher import Outgoing, Publisher
from shared.messaging.vouching import Signer
from tests.acting import acting
from tests.faults.auditor import Auditor
from tests.faults.holds import agree, broker_of, check, eventually
from tests.faults.load import RULESET, Load
from tests.faults.test_tampering import cases, dead_letters

COPIERS = ("pairing", "scoring")
STAMP = Stamp(acting("mallory"), "made-up", "2026-03-07T09:30:00.000Z", {})


def behind(log: list[Recorded], tournament: str, type: str, data: object, version: int = 1) -> Recorded:
    """An event of registration that nobody appended, with the position, link and hash that come next."""
    head = Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD
    return chain_events("registration", tournament, head, [Entry(type, version, canonical_json(data))], STAMP)[0]


def publish(stack: Stack, event: Recorded, signature: str = "") -> bytes:
    broker, body = broker_of(stack), log_line(event, signature)
    publisher = Publisher(broker)
    publisher.publish([Outgoing(broker.topology.exchange, routing_key(event), body, event.id, CONTENT_TYPE)])
    publisher.close()
    return body


def play(director: Director, round: int, load: Load) -> None:
    """A round to its end, so that every service has a log of its own."""
    director.play(round, results(shipped_ruleset(RULESET), load.random))
    director.close(round)


def put_aside(stack: Stack, service: str, dead: dict[bytes, str], sent: list[bytes]) -> bool:
    """Whether a service has refused all that was sent; collects its dead letters."""
    dead.update(dead_letters(stack, service))
    return set(sent) <= set(dead)


def test_an_invented_player_is_not_copied_and_nobody_is_paired_with_them(stack: Stack) -> None:
    auditor = Auditor(stack)
    others = Signer("registration", stack.settings("scoring").signing_keys)
    with Load(stack, directors=0) as load:
        director = load.announce()
        load.tournaments.append(director)
        log = eventually(lambda: auditor.log("registration", director.id, "registration"), "registration has its log")
        eventually(lambda: auditor.log("pairing", director.id, "registration") == log, "pairing has registration's log")
        invented = behind(log, director.id, "PlayerJoined", {"name": "Mallory", "player": "mallory"})
        nonsense = behind(log, director.id, "PlayerJoined", {"x": 1})
        nowhere = behind([], "t-nowhere", "TournamentAnnounced", {"format": "swiss", "name": "x", "ruleset": {}}, 2)
        sent = [publish(stack, event) for event in (invented, nonsense, nowhere)]
        sent.append(publish(stack, invented, others.log(invented)))  # scoring's key under registration's name
        for name in COPIERS:
            dead: dict[bytes, str] = {}
            eventually(
                lambda name=name, dead=dead: dead.update(dead_letters(stack, name)) or set(sent) <= set(dead), name
            )
            assert all(dead[body].startswith("poison: not vouched for") for body in sent)
            assert auditor.log(name, director.id, "registration") == log
            with pytest.raises(httpx.HTTPStatusError, match="404"):
                auditor.get(name, "/tournaments/t-nowhere/heads")
            eventually(partial(auditor.well, name), partial(auditor.ready, name))
        round = director.pair()
        director.start(round)
        seated = {game[side] for game in director.games(round) for side in ("player_1", "player_2")}
        assert seated == set(director.players)
        play(director, round, load)
        agree(auditor, [director])
    check(stack, load)


def test_what_newer_code_wrote_waits_by_name(stack: Stack) -> None:
    auditor = Auditor(stack)
    owner = Signer("registration", stack.settings("registration").signing_keys)
    with Load(stack, directors=0) as load:
        director = load.announce()
        load.tournaments.append(director)
        log = auditor.log("registration", director.id, "registration")
        newer = behind(log, director.id, "PlayerKnighted", {"player": "anna"}, 3)
        publish(stack, newer, owner.log(newer))
        for name in COPIERS:
            (case,) = eventually(partial(cases, auditor, name), f"{name} says that it waits")
            assert case["reason"] == "waits for newer code: PlayerKnighted, version 3"
            assert case["advice"] == f"upgrade {name} to the version that registration runs"
        director.join([{"name": "One more"}])  # what truly stands at that position
        for name in COPIERS:
            eventually(partial(auditor.well, name), f"{name} is past it")
        round = director.pair()
        director.start(round)
        play(director, round, load)
        agree(auditor, [director])
    check(stack, load)


def test_a_copy_that_an_older_version_took_in_is_named_and_healed(stack: Stack) -> None:
    auditor = Auditor(stack)
    with Load(stack, directors=0) as load:
        director = load.announce()
        load.tournaments.append(director)
        log = auditor.log("registration", director.id, "registration")
        eventually(lambda: auditor.log("pairing", director.id, "registration") == log, "pairing has it")
        with auditor.database("pairing") as database:
            nonsense = behind(log, director.id, "PlayerJoined", {"x": 1})
            assert accept_run(database, [nonsense]) is Outcome.ACCEPTED
        with pytest.raises(httpx.HTTPStatusError) as refused:
            auditor.get("pairing", f"/tournaments/{director.id}/rounds")
        assert (refused.value.response.status_code, refused.value.response.json()["code"]) == (503, "log-unreadable")
        assert refused.value.response.json()["data"]["event"] == nonsense.id
        (case,) = eventually(partial(cases, auditor, "pairing"), "readiness names it")
        assert (case["tournament"], case["position"], case["origin"]) == (director.id, nonsense.position, "fold")
        assert case["advice"] == f"muster recopy registration {director.id} --service pairing"

        host = operator(stack.urls, stack.issuer)
        asked = {"source": "registration", "tournament": director.id, "reason": "it cannot be folded"}
        done = host.plain.post("pairing", "/recopy", asked)
        assert (done["kept"], done["replaced"], done["decided"]) == (len(log), 1, 0)
        assert auditor.log("pairing", director.id, "registration") == log
        eventually(partial(auditor.well, "pairing"), "pairing is well again")
        kept = auditor.rows("pairing", "SELECT data FROM replaced WHERE tournament = :id", id=director.id)
        assert kept == [('{"x":1}',)]
        round = director.pair()
        director.start(round)
        play(director, round, load)
        agree(auditor, [director])
    check(stack, load)
