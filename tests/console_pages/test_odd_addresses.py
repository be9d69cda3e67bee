"""Odd addresses and forms of the pages for rarer actions: a refusal in words, never an error of the console."""

from __future__ import annotations

import pytest

from tests.campaign.services.league import new_league
from tests.console_pages.conftest import CSRF, Browser, signed_in
from tests.console_pages.small_event import SmallEvent
from tests.coop.story import new_night
from tests.season.story import new_season

PAGES = (
    *("games/{id}/voiding", "round/{number}/reopening", "awards/{id}/withdrawal", "apart", "spare", "ties"),
    *("player/{id}/table", "player/{id}/erasure", "webhooks", "webhooks/{id}", "record", "record.jsonl"),
    "operator-data",
)
IDS = ("p1", "p999", "r1g1", "%00", "..%2Fp1", "x" * 300, "é", "%F0%9F%8E%B2", "'--", "p1?x=1")
FIELDS = (
    {},
    {"do": "\x00", "reason": "\x00", "key": "x" * 200, "part": "\ud83d", "venue": "v999", "staff": "s999"},
    {"reason": "y" * 100_000, "table": "9" * 5_000, "hours": "-1", "players": "\n" * 5_000, "data": "\\ud800"},
    {"table": "1e9", "hours": "0x10", "name": "<b>", "url": "https://[::1", "types": "," * 500, "sure": "perhaps"},
)


def test_odd_addresses_and_forms_are_refused_in_words(services, app):
    small = SmallEvent(services, app)
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/players")
    csrf = CSRF.search(organiser.page)[1]
    wrong = {}
    for page in PAGES:
        for id in IDS if "{id}" in page else ("1", "0", "999", "9" * 40, "-1", "x") if "{number}" in page else ("",):
            address = f"{small.page}/{page.format(id=id, number=id)}"
            found = [organiser.client.get(address).status_code]
            for fields in FIELDS:
                data = {name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()}
                found.append(organiser.client.post(address, data={"csrf_token": csrf, **data}).status_code)
            if any(status >= 500 for status in found):
                wrong[address] = found
    assert not wrong


@pytest.mark.parametrize("make", [lambda s: new_league(s, 4), lambda s: new_night(s, 4), new_season])
def test_events_of_other_formats_have_no_pages_of_swiss_ones(services, app, make):
    event = make(services)
    organiser: Browser = signed_in(app, services.token("operator"))
    for page in ("apart", "spare", "ties", "player/p1/table"):
        assert organiser.open(f"/events/{event.id}/{page}").status_code == 404, page
    for page in ("record", "webhooks"):
        assert organiser.open(f"/events/{event.id}/{page}").status_code == 200, page
