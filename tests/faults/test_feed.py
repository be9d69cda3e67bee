"""Scoring is killed while somebody follows the public feed: they are told of everything, and of nothing twice."""

from __future__ import annotations

import os
import signal

from deploy.stack import Stack
from shared.settings import SERVICES
from shared.tournament.registration import INSTALLATION
from tests.faults.auditor import Auditor
from tests.faults.feed_reader import FeedReader
from tests.faults.holds import check
from tests.faults.load import Load
from tests.faults.processes import children, kill

EVENTS = 500


def test_worker_and_web_of_scoring_are_killed_while_a_reader_follows(stack: Stack) -> None:
    auditor = Auditor(stack)
    before = len(public(auditor))
    with FeedReader(stack.urls["scoring"]) as reader, Load(stack) as load:
        for _ in range(3):
            load.more(15)
            for child in children(stack.pids()["scoring"]):
                os.kill(child, signal.SIGKILL)
            load.over()
            load.more(15)
            kill(load, "scoring")
        while len(public(auditor)) - before < EVENTS:
            load.more(15)
    check(stack, load)
    reader.to_the_end()
    reader.check(public(auditor))
    assert reader.interrupted, "it was not in the middle of anything"


def public(auditor: Auditor) -> set[str]:
    """Ids of the events that everybody may see."""
    told = [event for service in SERVICES for _, event in auditor.feed(service)]
    return {event.id for event in told if event.tournament != INSTALLATION}
