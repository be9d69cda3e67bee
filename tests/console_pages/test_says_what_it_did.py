"""Every form that leads on to another page says there what it did: all POST routes of the console, in one evening."""

from __future__ import annotations

import json
import re
import time

import pytest
from flask import Flask

from services.console.pages import sign_ins as sign_in_codes
from tests.console_pages.conftest import CSRF, KEY, Browser, signed_in
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.small_event import SmallEvent
from tests.console_pages.test_draft import drafted, games, version
from tests.console_pages.test_evening import FIELDS, with_a_code
from tests.console_pages.test_my_list import FLEET
from tests.console_pages.test_sign_ins import link_of
from tests.console_pages.test_single_actions import ACTIONS, order_of_tie
from tests.coop.story import new_night, operator_data

GAME = re.compile(r'name="game" value="([\w-]+)"')
LOOKS_ONLY = {"results.look_first", "table.look_first"}
CHANGES_THE_PAGE_ITSELF = {"home.colours", "home.speak"}
SHOWS_A_SECRET = {"webhooks.of_event", "webhooks.of_installation", "prints.codes"}


class Forms:
    """Sends forms, and checks that the page behind each says something. endpoints: that led on so far."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self.endpoints: set[str] = set()

    def send(self, browser: Browser, page: str, address: str = "", **fields: object) -> tuple[str, list]:
        """Send one form of a page; it must lead on, with a message. Return where it leads, and that message."""
        address = address or page.partition("?")[0]
        csrf = CSRF.search(browser.page) or CSRF.search(browser.open(page).text)
        hidden = {"csrf_token": csrf[1], "key": f"key-{time.monotonic_ns()}"}
        answer = browser.client.post(address, data={**hidden, **fields})
        assert answer.status_code in (302, 303), (address, fields, answer.status_code, answer.text)
        with browser.client.session_transaction() as session:
            toast = session.pop("toast", [])
            assert toast, (address, fields)
        with self._app.test_request_context(address, method="POST") as context:
            self.endpoints.add(context.request.endpoint)
        return answer.headers["Location"], toast


@pytest.fixture
def forms(app) -> Forms:
    return Forms(app)


def settings_form(browser: Browser, event: str, name: str) -> dict[str, str]:
    """The hidden fields of one form of the settings."""
    browser.open(f"{event}/settings")
    form = next(one for one in browser.page.split("<form")[1:] if f'name="part" value="{name}"' in one)
    found = {"part": name, "key": KEY.search(form)[1]}
    stated = re.search(r'name="version" value="([^"]+)"', form)
    return found | ({"version": stated[1].replace("&#34;", '"')} if stated else {})


def test_every_form_says_what_it_did(app, services, organiser, forms):
    sign_ins(forms, app, services, organiser)
    before_round_one(forms, app, organiser)
    a_draft(forms, organiser)
    a_round(forms, app, organiser)
    a_cut(forms, app, services, organiser)
    rare_actions(forms, app, services)
    for_operators(forms, services, organiser)
    known = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    assert known - LOOKS_ONLY - CHANGES_THE_PAGE_ITSELF - SHOWS_A_SECRET - forms.endpoints == set()


def sign_ins(forms: Forms, app: Flask, services, organiser: Browser) -> None:
    browser = Browser(app)
    forms.send(browser, "/sign-in", token=services.token("operator"))
    organiser.open("/events/new")
    organiser.send(**FIELDS)
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana")
    link = link_of(organiser, event, "p1")
    forms.send(browser, link, token=link.partition("token=")[2])
    staff = services.token("organiser", event.rpartition("/")[2])
    forms.send(browser, f"/come-in?key={staff}", token=staff)
    browser.open("/sign-ins")
    forms.send(browser, "/sign-ins", sign_in=re.search(r'name="sign_in" value="(\w+)"', browser.page)[1], do="use")
    code = sign_in_codes.leave(app.config["SETTINGS"].data, "operator", services.token("operator"), time.time())
    forms.send(browser, f"/operator/come-in?code={code}", code=code)
    forms.send(browser, "/", "/sign-out")


def before_round_one(forms: Forms, app: Flask, organiser: Browser) -> None:
    players, _ = forms.send(organiser, "/events/new", **FIELDS, sign_up="open", capacity="3")
    event = players.removesuffix("/players")
    forms.send(organiser, players, players="Ana\nBen")
    _, toast = forms.send(organiser, players, f"{players}/p1", do="check-in", venue="v1")
    forms.send(organiser, players, f"{event}/undo", undo=toast[1], back=players)
    forms.send(organiser, f"{event}/check-in", do="check-in", player="p1", venue="v1")
    forms.send(organiser, players, f"{players}/check-in", player=["p2"], venue="v1")
    forms.send(organiser, players, f"{players}/several", part="several", do="check-out", player=["p1", "p2"])
    for does, fields in (("amend", {"name": "Benno"}), ("move", {"venue": "v2"}), ("withdraw", {"reason": "ill"})):
        forms.send(organiser, f"{event}/player/p2", do=does, **fields)
    organiser.open(f"{players}/import")
    organiser.send(text="name\nCy", do="look")
    looked = re.search(r'name="looked" value="([^"]+)"', organiser.page)[1]
    forms.send(organiser, f"{players}/import", text="name\nCy", looked=looked, do="send")
    forms.send(Browser(app), f"{event}/join", name="Di")
    forms.send(organiser, f"{event}/waiting", seats="8")
    forms.send(with_a_code(organiser, event, "Ana"), f"{event}/my-list", do="send", **FLEET)
    forms.send(organiser, f"{event}/lists/p1", do="reject", note="too many ships")
    papers = {"part": "paper", "paper-fleet_total.p3": "298", "on_paper": "handed in at the door"}
    forms.send(organiser, f"{event}/lists?state=none", **papers)
    forms.send(
        organiser, f"{event}/settings", **settings_form(organiser, event, "venue"), venue_name="Attic", venue_tables="2"
    )


def a_draft(forms: Forms, organiser: Browser) -> None:
    draft = drafted(organiser)
    one, other = (min(players) for players in games(organiser.page))
    for does, fields in (
        ("move", {"game": "r1g1", "table": "4"}),
        ("swap", {"s": [one, other]}),
        ("later", {"at": "2099-01-01T10:30"}),
        ("keep", {}),
        ("publish", {}),
    ):
        organiser.open(draft)
        forms.send(organiser, draft, do=does, version=version(organiser), **fields)


def a_round(forms: Forms, app: Flask, organiser: Browser) -> None:
    organiser.open("/events/new")
    organiser.send(**FIELDS)
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen\nCy\nDi")
    organiser.open(f"{event}/players")
    organiser.send(f"{event}/players/check-in", player=["p1", "p2", "p3", "p4"], venue="v1")
    board = f"{event}/round"
    for does, fields in (("pair", {}), ("withdraw", {"reason": "again"}), ("pair", {}), ("start", {})):
        forms.send(organiser, board, do=does, round=1, **fields)
    forms.send(organiser, board, do="extend", round=1, minutes="10", why="late lunch")
    forms.send(organiser, board, do="call", round=1, call="end")
    more = {"part": "several", "round": 1, "more": "5", "because": "late lunch"}
    forms.send(organiser, board, f"{board}/several", do="time", game=GAME.findall(organiser.open(board).text), **more)
    ana = with_a_code(organiser, event, "Ana")
    rival = with_a_code(organiser, event, re.search(r"<h1>against (\w+)</h1>", ana.page)[1])
    table, game = f"{event}/table", GAME.search(ana.page)[1]
    forms.send(ana, table, do="call", about="rules", details="?", game=game)
    for does, more in (("take", {}), ("answer", {"answer": "no"})):
        forms.send(organiser, f"{event}/referee", do=does, call="c1", **more)
    forms.send(ana, table, do="report", points_1="150", points_2="99", game=game)
    forms.send(rival, table, do="dispute", reason="no", game=game)
    forms.send(organiser, f"{event}/games/{game}", do="send", version="first", reason="slips")
    forms.send(organiser, f"{event}/games/{game}", do="warn", warned="p1", why="late")
    third = next(name for name in ("Ben", "Cy", "Di") if name not in rival.open("/sign-ins").text)
    third = with_a_code(organiser, event, third)
    other = GAME.search(third.page)[1]
    forms.send(third, table, do="report", points_1="150", points_2="99", game=other)
    forms.send(organiser, board, f"{event}/games/{other}/confirmation")
    forms.send(organiser, f"{event}/games/{other}", do="send", points_1="160", points_2="99", reason="slip")
    forms.send(organiser, board, do="close", round=1)
    for does in ("pair", "start"):
        forms.send(organiser, board, do=does, round=2)
    organiser.open(board)
    at = re.search(
        r'<tr id="r2g1".*?<th scope="row">(?:<label.*?</label>)?(?:<input[^>]*>)?(\d+)', organiser.page, re.DOTALL
    )[1]
    scores = {"points_1": "150", "points_2": "99"}
    forms.send(organiser, board, f"{event}/quick", part="quick", round=2, table=at, venue="v1", **scores)
    forms.send(ana, f"{event}/leave")
    forms.send(organiser, f"{event}/player/p1", do="reinstate")
    forms.send(organiser, f"{event}/awards", do="give", name="Best painted", player="p2")


def a_cut(forms: Forms, app: Flask, services, organiser: Browser) -> None:
    evening = CutEvening(services, app, ["Ana", "Ben", "Cy", "Di"], on_purpose=["standings", "cut"])
    evening.play(1)
    forms.send(organiser, f"{evening.page}/standings")
    organiser.open(f"{evening.page}/cut?places=2")
    forms.send(organiser, f"{evening.page}/cut", do="make", places="2", version=version(organiser))
    for does, fields in (("later", {"at": "2099-01-01T10:30"}), ("keep", {}), ("publish", {})):
        forms.send(organiser, f"{evening.page}/cut", do=does, **fields)


def rare_actions(forms: Forms, app: Flask, services) -> None:
    for action in ACTIONS.values():
        small = action.make(services, app)
        organiser, page = small.browser("organiser"), f"{small.page}/{action.page}"
        organiser.open(page)
        forms.send(organiser, page, **(action.fields or order_of_tie(organiser)))


def for_operators(forms: Forms, services, organiser: Browser) -> None:
    hook = {"name": "Site", "url": "https://93.184.216.34/hook"}
    made = services.ask("POST", "scoring", "/tournaments/installation/webhooks", hook, services.token("operator"))
    forms.send(organiser, f"/operator/webhooks/installation/{made.body['id']}", do="ping")
    night = new_night(services, 4, seated=False)
    coop = signed_in(organiser.client.application, services.token("organiser", night.id))
    forms.send(coop, f"/events/{night.id}/operator-data", data=json.dumps(operator_data(required_goals=3)))
    small = SmallEvent(services, organiser.client.application)
    made = small.asked.scoring.subscribe_webhook(small.id, **hook)
    forms.send(small.browser("organiser"), f"{small.page}/webhooks/{made.id}", do="delete")
    forms.send(organiser, "/operator/tokens", do="revoke", token="abc124", reason="it leaked")
