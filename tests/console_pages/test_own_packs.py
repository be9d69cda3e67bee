"""A pack of one's own: checked on the page of a new event, with every error by line, and used."""

from __future__ import annotations

import html
from io import BytesIO
from pathlib import Path

import pytest

from deploy.stack import ROOT
from tests.console_pages.conftest import CSRF, KEY, Browser
from tests.console_pages.small_event import SmallEvent

CHESS = (ROOT / "docs/examples/chess-club.yaml").read_text()
NEW = "/events/new"
FIELDS = {"name": "Chess <evening>", "ruleset": "own", "rounds": "3"}


def upload(browser: Browser, raw: bytes, **fields: object):
    """Send the form with a chosen file, as a browser does."""
    browser.open(NEW)
    hidden = {"csrf_token": CSRF.search(browser.page)[1], "key": KEY.search(browser.page)[1]}
    data = {**hidden, **FIELDS, **fields, "pack_file": (BytesIO(raw), "pack.yaml")}
    return browser._take(browser.client.post(NEW, data=data, follow_redirects=True))


def test_a_pack_is_checked_then_used(organiser):
    assert upload(organiser, CHESS.encode(), do="look").status_code == 200
    assert organiser.shows("is a pack that Muster can use", "Check the pack")
    organiser.send(NEW, **FIELDS, pack_text=CHESS)
    assert organiser.shows("Chess &lt;evening&gt;", "is created")
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen")
    organiser.open(f"{event}/round")
    organiser.send(f"{event}/round", do="pair", round=1)
    assert organiser.shows("Round 1 of 3", "paired")


def test_a_file_with_a_mark_of_its_encoding_is_taken(organiser):
    assert upload(organiser, b"\xef\xbb\xbf" + CHESS.encode()).status_code == 200
    assert organiser.shows("is created")


def test_every_error_of_a_pack_has_its_line(organiser):
    lines = CHESS.replace("format: swiss", "format: ladder")
    assert organiser.open(NEW).status_code == 200
    assert organiser.send(NEW, **FIELDS, pack_text=lines, do="look").status_code == 422
    number = 1 + lines.split("\n").index(next(line for line in lines.split("\n") if "ladder" in line))
    assert organiser.shows("This pack has 1 error.", f'<td class="num">{number}</td>', "<code>/format</code>", "ladder")
    assert organiser.shows('value="Chess &lt;evening&gt;"', "format: ladder")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"   \n",
        b"\xff\xfe\x00",
        b"[" * 150_000,
        b"- " * 90_000,
        b"&a [*a]",
        b"x" * 200_001,
        b"id: one\nid: two\n",
        b"\x00",
        b'{"id": 3}',
        b"a: !!python/object:os.system x",
        "\u2028\u202e: 1".encode(),
    ],
)
def test_what_is_no_pack_creates_no_event(organiser, services, raw):
    assert upload(organiser, raw).status_code == 422
    assert organiser.shows("Nothing was saved. Please check:", '<a href="#pack_text">', 'value="Chess &lt;evening&gt;"')


def test_a_pack_of_another_format_is_named(organiser):
    pack = next((ROOT / "shared/coop/packs").glob("*.yaml")).read_text()
    assert upload(organiser, pack.encode()).status_code == 422
    assert organiser.shows("The pack is for the format coop.")


def test_a_copy_has_the_pack_of_its_event(organiser, services, app):
    organiser.open(NEW)
    organiser.send(NEW, **FIELDS, pack_text=CHESS)
    event = organiser.address.removesuffix("/players").rpartition("/")[2]
    organiser.open(f"{NEW}?copy={event}")
    text = organiser.page.split('name="pack_text"')[1].split(">", 1)[1].split("</textarea>")[0]
    assert "chess" in text
    organiser.send(NEW, **{**FIELDS, "name": "Again"}, pack_text=html.unescape(text))
    assert organiser.shows("Again", "is created")


def test_only_those_who_announce_have_packs_checked(services, app):
    small = SmallEvent(services, app)
    for role in ("organiser", "head_referee"):
        token = services.token(role, small.id)
        assert services.ask("POST", "registration", "/rulesets/check", {"text": CHESS}, token).status == 403
    assert services.ask("POST", "registration", "/rulesets/check", {"text": CHESS}).status == 401
    token = services.token("organiser")
    assert services.ask("POST", "registration", "/rulesets/check", {"text": CHESS}, token).status == 200
    answer = services.ask("POST", "registration", "/rulesets/check", {"text": "id: 3"}, token)
    assert answer.code == "ruleset-refused"
    assert {fault["where"].split(":")[0] for fault in answer.faults} == {"pack"}
    for body in ({}, {"text": ""}, {"text": 3}, {"text": "x" * 200_001}, {"text": "x", "more": 1}):
        assert services.ask("POST", "registration", "/rulesets/check", body, token).status == 422


def test_docs_packs_are_good(organiser):
    for file in sorted(Path(ROOT / "docs/examples").glob("*.yaml")):
        assert upload(organiser, file.read_bytes(), do="look").status_code == 200
