"""Run the examples of streams in the HTTP guide as printed: in a real browser, and with curl."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import IO
from urllib.parse import urlsplit

import pytest

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_ruleset
from shared.roles import INTEGRATION
from shared.settings import PORT_OFFSETS
from tests import http
from tests.deploy.chromium import Browser
from tests.deploy.edge import edge_of, two_ports
from tests.deploy.relay import Relay
from tests.event_streams import EventReader
from tests.issuing import token_of
from tests.waiting import PATIENCE, remains

GUIDE = (Path(__file__).parents[2] / "docs/reference/http/feed.md").read_text().partition("### Streams")[2]
ADDRESS = "http://127.0.0.1:8003"
LISTENING = "window.said = []; console.log = (...what) => said.push(what); console.warn = (...what) => said.push(what)"
RULESET = "star-wars-armada-1.1"


@pytest.fixture(scope="module")
def stack(shared_stack: Stack) -> Stack:
    return shared_stack


@pytest.fixture
def evening(stack: Stack) -> Director:
    """Four players at two tables, and a round that has begun."""
    director = Director.announce(operator(stack.urls, stack.issuer), name="Streams", ruleset=RULESET, rounds=2)
    director.join([{"name": name} for name in ("Ana", "Ben", "Cy", "Dee")])
    director.start(director.pair())
    return director


def examples(stack: Stack, director: Director) -> list[str]:
    """The scripts of the guide, with addresses that there are."""
    found = re.findall(r"```javascript\n(.+?)```", GUIDE, re.DOTALL)
    return [one.replace(ADDRESS, stack.urls["scoring"]).replace("t-5f0c7d1e6f0a", director.id) for one in found]


@pytest.mark.engine("browser")
def test_a_page_follows_results_over_the_death_of_scoring(stack: Stack, evening: Director, tmp_path: Path) -> None:
    script, _ = examples(stack, evening)
    facts = results(shipped_ruleset(RULESET), Random(1))
    one, other = evening.games(1)
    with Browser(tmp_path) as browser:
        browser.open(f"{stack.urls['scoring']}/docs")
        browser.until("document.readyState === 'complete' && location.pathname === '/docs'")
        browser.run(LISTENING)
        browser.run(script)
        browser.until("results?.readyState === EventSource.OPEN")
        evening.report(one, facts(one))
        browser.until("said.length >= 1")
        stack.kill("scoring")
        evening.report(other, facts(other))
        told = http.get(f"{stack.urls['scoring']}/feed?view=results&tournament={evening.id}").text.splitlines()
        browser.until(f"said.length >= {len(told)}")
        remains(lambda: len(browser.run("said")) == len(told), "nothing comes twice", 1.0)
        said = browser.run("said")
        assert [table for table, _ in said] == [json.loads(line)["data"]["table"] for line in told], "once each"
        browser.run("results.close()")


@pytest.mark.engine("browser", "edge")
def test_a_page_behind_the_edge_waits_until_scoring_is_back(stack: Stack, evening: Director, tmp_path: Path) -> None:
    """Scoring is away for about ten seconds: the edge says three times when to come back, and no stream is given up."""
    script, _ = examples(stack, evening)
    facts = results(shipped_ruleset(RULESET), Random(1))
    one, other = evening.games(1)
    address, scoring = two_ports(), urlsplit(stack.urls["scoring"]).port or 0
    ports = {name: stack.port_base + offset for name, offset in PORT_OFFSETS.items()}
    with Relay(scoring) as relay, edge_of({**ports, "scoring": relay.port}, address):
        own = f"https://127.0.0.1:{address}"  # the name that the browser may look up; the certificate is of localhost
        with Browser(tmp_path, "--ignore-certificate-errors") as browser:
            browser.open(f"{own}/scoring/docs")
            browser.until("document.readyState === 'complete' && location.pathname === '/scoring/docs'")
            browser.run(LISTENING)
            browser.run(script.replace(stack.urls["scoring"], f"{own}/scoring"))
            browser.until("results?.readyState === EventSource.OPEN")
            browser.run("window.first = results; window.away = 0; first.addEventListener('error', () => away++); true")
            evening.report(one, facts(one))
            browser.until("said.length >= 1")
            relay.close()
            browser.until("away >= 4")  # the break itself, and three answers of the edge
            assert browser.run("first.readyState !== EventSource.CLOSED")
            evening.report(other, facts(other))
            relay.open()
            told = http.get(f"{stack.urls['scoring']}/feed?view=results&tournament={evening.id}").text.splitlines()
            browser.until(f"said.length >= {len(told)}")
            tables = [table for table, _ in browser.run("said")]
            assert tables == [json.loads(line)["data"]["table"] for line in told], "once each"
            assert browser.run("first === results")
            browser.run("results.close()")


@pytest.mark.engine("browser")
def test_a_page_given_up_by_the_browser_opens_another_stream(stack: Stack, evening: Director, tmp_path: Path) -> None:
    """A proxy that answers 503 while scoring is away: the browser gives up, and the page does not."""
    script, _ = examples(stack, evening)
    facts = results(shipped_ruleset(RULESET), Random(1))
    one, other = evening.games(1)
    with Relay(urlsplit(stack.urls["scoring"]).port or 0) as relay, Browser(tmp_path) as browser:
        own = f"http://127.0.0.1:{relay.port}"
        browser.open(f"{own}/docs")
        browser.until("document.readyState === 'complete' && location.pathname === '/docs'")
        browser.run(LISTENING)
        browser.run(script.replace(stack.urls["scoring"], own))
        browser.until("results?.readyState === EventSource.OPEN")
        browser.run("window.first = results; true")
        evening.report(one, facts(one))
        browser.until("said.length >= 1")
        relay.close()
        relay.open(refusing=True)
        browser.until("first.readyState === EventSource.CLOSED")
        evening.report(other, facts(other))
        relay.close()
        relay.open()
        told = http.get(f"{stack.urls['scoring']}/feed?view=results&tournament={evening.id}").text.splitlines()
        browser.until(f"said.length >= {len(told)}")
        tables = [table for table, _ in browser.run("said")]
        assert tables == [json.loads(line)["data"]["table"] for line in told], "once each"
        browser.run("results.close()")


@pytest.mark.engine("browser")
def test_a_page_with_a_token_reads_by_fetch_and_hears_why_it_is_refused(
    stack: Stack, evening: Director, tmp_path: Path
) -> None:
    _, script = examples(stack, evening)
    address = f"{stack.urls['scoring']}/tournaments/{evening.id}/stream"
    told = json.dumps([address, token_of(stack.env, INTEGRATION)])
    given = f"const [address, token] = {told}, last = '', parse = text => {{ window.came += text; }}"
    with Browser(tmp_path) as browser:
        browser.open(f"{stack.urls['scoring']}/docs")
        browser.until("document.readyState === 'complete' && location.pathname === '/docs'")
        browser.run(f"window.came = ''; (async () => {{ {given}; {script} }})(); true")
        browser.until("came.includes('event: RoundStarted')")
        browser.run(f"window.refused = new EventSource('{address}?after={'a' * 40}'); true")
        browser.until("refused.readyState === EventSource.CLOSED")


def read_until(lines: IO[bytes], reader: EventReader, done: Callable[[], bool]) -> None:
    """Read line by line. Fail where the output ends first."""
    while not done():
        line = lines.readline()
        assert line, "curl ended"
        reader.feed(line)


@pytest.mark.engine("curl")
def test_curl_shows_what_happens(stack: Stack, evening: Director) -> None:
    (command,) = re.findall(r"^    (curl -N .+)$", GUIDE, re.MULTILINE)
    facts = results(shipped_ruleset(RULESET), Random(1))
    game = evening.games(1)[0]
    reader = EventReader()
    with subprocess.Popen(
        ["sh", "-c", "exec " + command.replace(ADDRESS, stack.urls["scoring"])], stdout=subprocess.PIPE
    ) as curl:
        assert curl.stdout is not None
        limit = threading.Timer(PATIENCE, curl.kill)
        limit.start()
        try:
            read_until(curl.stdout, reader, lambda: bool(reader.last_id))
            evening.report(game, facts(game))
            read_until(curl.stdout, reader, lambda: bool(reader.messages))
        finally:
            limit.cancel()
            curl.kill()
    assert reader.messages[0].type == "ResultReported"
    assert re.findall(r"^(id|event|data): ", GUIDE, re.MULTILINE) == ["id", "event", "data"]
