"""Streams are broken off a hundred times while scoring is killed and lists open: nothing is lost, doubled or early."""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deploy.stack import Stack
from muster.simulator.director import Director
from muster.simulator.results_by_chance import results
from muster.simulator.simulation import roster_of
from shared.formats.packs import shipped_ruleset
from shared.settings import SERVICES
from shared.tournament.registration import INSTALLATION
from tests import http
from tests.faults.auditor import Auditor
from tests.faults.backup import Backup
from tests.faults.conftest import EMBEDDED
from tests.faults.holds import check
from tests.faults.load import RULESET, Load
from tests.faults.processes import children, kill
from tests.faults.stream_reader import StreamReader
from tests.faults.test_restored_alone import muster, some_results, stopped

READERS, BREAKS, EVENTS = 4, 100, 300
DRAFTED, RANKED = frozenset({"PairingsDrawn", "RoundPaired"}), frozenset({"StandingsRecorded"})
"""Events that are hidden until a round is published, and those that are recorded when standings are."""
WITH_LISTS = 3
"""Players of a tournament who hand in a list."""


@pytest.mark.fault("streams are broken off a hundred times, web and worker of scoring are killed, lists open")
def test_streams_are_broken_off_while_scoring_is_killed(stack: Stack) -> None:
    auditor = Auditor(stack)
    before = len(happened(auditor))
    with ExitStack() as reading, Load(stack) as load:
        readers = [reading.enter_context(StreamReader(stack.urls["scoring"], seed)) for seed in range(READERS)]
        for _ in range(2):
            opening = with_lists(load)
            load.more(10)
            for child in children(stack.pids()["scoring"]):
                os.kill(child, signal.SIGKILL)
            begin(load, opening)
            load.over()
            load.more(10)
            opening = with_lists(load)
            kill(load, "scoring")
            begin(load, opening)
        while sum(reader.broken for reader in readers) < BREAKS or len(happened(auditor)) - before < EVENTS:
            load.more(5)
    check(stack, load)
    expected = feed(stack)
    assert set(expected) == happened(auditor), "the feed itself"
    for reader in readers:
        reader.to_the_end()
        assert reader.problems == []
        assert len(reader.ids) == len(set(reader.ids)), "doubled"
        assert reader.ids == expected, (len(reader.ids), len(expected))
        opened = [message.event for message in reader.messages if message.type == "RostersOpened"]
        assert sum(len(event["data"]["rosters"]) for event in opened) >= 4 * WITH_LISTS
    assert any(reader.interrupted for reader in readers), "none was in the middle of anything"


@pytest.mark.fault("drafts are published while streams are broken off, workers and web processes are killed")
def test_drafts_are_published_while_streams_resume(stack: Stack) -> None:
    auditor, on_purpose = Auditor(stack), []
    with ExitStack() as reading, Load(stack) as load:
        readers = [reading.enter_context(StreamReader(stack.urls["scoring"], seed)) for seed in range(READERS)]
        for killed in ("scoring", "pairing"):
            drafted = load.announce(on_purpose=["rounds", "standings"])
            load.tournaments.append(drafted)
            on_purpose.append(drafted)
            drafted.pair()
            load.more(10)
            assert not any(told_of(reader, drafted, DRAFTED) for reader in readers), "early"
            kill(load, killed)
            drafted.do("pairing", "/rounds/1/publication")
            for child in children(stack.pids()["scoring"]):
                os.kill(child, signal.SIGKILL)
            drafted.start(1)
            drafted.play(1, results(shipped_ruleset(RULESET), load.random))
            drafted.close(1)
            load.over()
            load.more(10)
            assert not any(told_of(reader, drafted, RANKED) for reader in readers), "early"
            drafted.do("scoring", "/standings/publication")
        while sum(reader.broken for reader in readers) < BREAKS:
            load.more(5)
    check(stack, load)
    expected = feed(stack)
    assert set(expected) == happened(auditor), "the feed itself"
    for reader in readers:
        reader.to_the_end()
        assert reader.problems == []
        assert reader.ids == expected, (len(reader.ids), len(expected))
        assert len(reader.ids) == len(set(reader.ids)), "doubled"
    for drafted in on_purpose:
        opened = told_of(readers[0], drafted, DRAFTED | RANKED)
        assert {event["type"] for event in opened} == DRAFTED | RANKED


@pytest.mark.fault("scoring is put back and recovers from its peers while streams are read")
@pytest.mark.parametrize("stack", [EMBEDDED], indirect=True)
def test_a_recovery_leaves_streams_right_or_has_them_begin_again(stack: Stack, tmp_path: Path) -> None:
    with ExitStack() as reading:
        readers = [reading.enter_context(StreamReader(stack.urls["scoring"], seed)) for seed in range(2)]
        some_results(stack)
        yesterday = Backup(stack.settings("scoring").database_url, tmp_path)
        with stopped(stack):
            yesterday.take()
        some_results(stack)
        with stopped(stack, unready=["scoring"]):
            yesterday.put_back()
        assert muster(stack, "recover", "--service", "scoring").exit_code == 0
        load = some_results(stack)
    check(stack, load)
    expected = feed(stack)
    assert set(expected) == happened(Auditor(stack)), "the feed itself"
    for reader in readers:
        reader.to_the_end()
        assert set(reader.problems) <= {"feed-cursor-unknown"}
        assert reader.ids == expected, (len(reader.ids), len(expected))
        for told in reader.given_up:
            ids = [message.event["id"] for message in told]
            assert len(ids) == len(set(ids)), "doubled"
            assert set(ids) <= set(expected), "told of what never happened"


def with_lists(load: Load) -> Director:
    """A tournament in which lists were handed in, and nobody may see them yet."""
    director = load.announce()
    load.tournaments.append(director)
    ruleset = shipped_ruleset(RULESET)
    for number in range(1, WITH_LISTS + 1):
        director.does(f"p{number}", "roster", {"roster": roster_of(ruleset, Random(number))})
    return director


def told_of(reader: StreamReader, director: Director, types: frozenset[str]) -> list[dict[str, Any]]:
    """What a reader was told of these types about one tournament."""
    events = [message.event for message in list(reader.messages) if message.type in types]
    return [event for event in events if event["subject"] == director.id]


def begin(load: Load, director: Director) -> None:
    """Its first round begins, which opens the lists, and is played."""
    director.start(director.pair())
    director.play(1, results(shipped_ruleset(RULESET), load.random))


def happened(auditor: Auditor) -> set[str]:
    """Ids of the events that everybody may see once the first rounds have begun."""
    told = [event for service in SERVICES for _, event in auditor.feed(service)]
    return {event.id for event in told if event.tournament != INSTALLATION}


def feed(stack: Stack) -> list[str]:
    """Ids of what the feed shows to everybody, in its order."""
    found: list[str] = []
    query = {"limit": "500", "after": ""}
    with http.Client(base_url=stack.urls["scoring"]) as client:
        while True:
            answer = client.get("/feed", params=query).raise_for_status()
            found += [json.loads(line)["id"] for line in answer.text.splitlines()]
            if "Link" not in answer.headers:
                return found
            query["after"] = answer.headers["Muster-Feed-Cursor"]
