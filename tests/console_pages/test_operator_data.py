"""The scenario sheets of a co-operative event on their page: every error, what is missing, and the next version."""

from __future__ import annotations

import html
import json
from io import BytesIO

import pytest

from tests.console_pages.conftest import CSRF, KEY, Browser, signed_in
from tests.console_pages.small_event import SmallEvent
from tests.coop.story import new_night, operator_data


@pytest.fixture
def night(services):
    """A co-operative evening that is a rehearsal, with data of version 1."""
    return new_night(services, 4, seated=False)


@pytest.fixture
def organiser(app, services, night) -> Browser:
    browser = signed_in(app, services.token("organiser", night.id))
    browser.open(f"/events/{night.id}/settings")
    assert browser.shows("Scenario sheets and cards")
    browser.open(f"/events/{night.id}/operator-data")
    return browser


def version(night) -> int:
    return int(night.ask("GET", "registration", "/operator-data").body["version"])


def test_data_are_checked_and_used_from_now_on(organiser, night):
    assert organiser.shows("Version 1", "fixture-one")
    text = json.dumps(operator_data(required_goals=3))
    assert organiser.send(data=text, do="check").status_code == 200
    assert organiser.shows("These data can be used. They are not saved yet.")
    assert version(night) == 1
    organiser.send(data=text, do="save")
    assert organiser.shows("Version 2", "The data are saved.")
    organiser.send(data=text, do="save")
    assert organiser.shows("Version 2", "Nothing was changed.")


def test_a_file_takes_the_place_of_the_text(organiser, night):
    raw = b"\xef\xbb\xbf" + json.dumps(operator_data(required_goals=3)).encode()
    hidden = {"csrf_token": CSRF.search(organiser.page)[1], "key": KEY.search(organiser.page)[1]}
    data = {**hidden, "do": "save", "data": "{", "data_file": (BytesIO(raw), "sheets.json")}
    organiser._take(organiser.client.post(organiser.address, data=data, follow_redirects=True))
    assert organiser.shows("Version 2", "The data are saved.")


def test_what_is_missing_is_named(organiser, night):
    data = operator_data(required_goals=None, power_track_spaces=None)
    data = {
        **data,
        "scenarios": [{**one, "sides": [_without_none(s) for s in one["sides"]]} for one in data["scenarios"]],
    }
    organiser.send(data=json.dumps(data), do="save")
    assert organiser.shows("These sides cannot be played yet:", "fixture-one, side 1", "required_goals")


def _without_none(side: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in side.items() if value is not None}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Choose a file, or paste the data."),
        ("{", "This is not JSON: see line 1, column 2."),
        ("[" * 100_000, "This is not JSON"),
        ('{"scenarios": NaN}', "This is not JSON."),
        ('{"scenarios": "\\ud800"}', "This is not JSON."),
        ('{"scenarios": 1e999}', "<code>/scenarios</code>"),
        ("1" * 5_000, "This is not JSON."),
        ("[]", "The data begin with {"),
        ('{"scenarios": 3}', "<code>/scenarios</code>"),
        ('{"scenarios": [], "more<b>": 1}', "more&lt;b&gt;"),
        ('{"scenarios": [{"scenario_id": "a", "name": "A", "sides": []}]}', "<code>/scenarios/0"),
        (json.dumps(operator_data(placeholder="yes")), "<code>/placeholder</code>"),
        ('{"table": {"survivors_min": 99999999999999999999}}', "Errors of the data"),
    ],
)
def test_bad_data_are_refused_and_kept(organiser, night, text, says):
    assert organiser.send(data=text, do="save").status_code == 422
    assert organiser.shows("Nothing was saved. Please check:", '<a href="#data">')
    assert organiser.shows(says)
    assert text in html.unescape(organiser.page)
    assert version(night) == 1


@pytest.mark.parametrize("role", ["head_referee", "player", "guest"])
def test_data_are_for_organisers(app, services, night, role):
    claims = {"player": "p1"} if role == "player" else {}
    other = Browser(app) if role == "guest" else signed_in(app, services.token(role, night.id, **claims))
    page = f"/events/{night.id}/operator-data"
    other.open("/sign-in")
    assert other.send(page, data=json.dumps(operator_data(required_goals=3)), do="save").status_code == 403
    assert version(night) == 1


def test_other_events_have_no_such_page(services, app):
    small = SmallEvent(services, app)
    assert small.browser("organiser").open(f"{small.page}/operator-data").status_code == 404
