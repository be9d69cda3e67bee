"""What a page costs to load: bytes on the wire and requests."""

from __future__ import annotations

import gzip
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.console.app import build_web
from services.console.responses import FOREVER
from tests.console_pages.conftest import CSRF, signed_in
from tests.console_pages.large_event import services_with
from tests.console_pages.test_evening import announced

MOST_BYTES, MOST_REQUESTS = 150 * 1024, 10
LOADED = re.compile(r'<(?:link(?! rel="apple-touch-icon")|script|img)[^>]* (?:href|src)="(/[^"]+)"')
"""What a view loads; the icon is loaded when a phone keeps the page among its programs."""
FONT = re.compile(r'url\("?([^")]+)"?\)')
GZIP = {"Accept-Encoding": "gzip, br"}
STATIC: dict[str, tuple[int, list[str]]] = {}
"""A file whose address changes with it -> its bytes on the wire, and what it loads; asked for once, as by a browser."""


@pytest.fixture(scope="module")
def large(services, tmp_path_factory):
    """An organiser at an event of 2,000 players."""
    data = str(tmp_path_factory.mktemp("weight"))
    return signed_in(build_web({"MUSTER_DATA": data}, services_with(services)), services.token("operator"))


def loaded(client: FlaskClient, address: str) -> dict[str, int]:
    """Everything that a browser loads for a page: address and bytes on the wire, without their heads."""
    answer = client.get(address, headers=GZIP)
    assert answer.status_code == 200
    return loaded_with(client, address, answer)


def loaded_with(client: FlaskClient, address: str, answer: TestResponse) -> dict[str, int]:
    """The same for a page that is there already, such as the answer to a form."""
    sizes = {address: len(answer.data)}
    waiting = [*LOADED.findall(unpacked(answer)), "/favicon.ico"]
    while waiting:
        found = waiting.pop()
        if found not in sizes:
            sizes[found], more = STATIC.get(found) or part_of(client, found)
            waiting += more
    return sizes


def unpacked(answer: TestResponse) -> str:
    """A page as it was before it was compressed; a few lines for a script are not worth it, and never were."""
    packed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(answer.data) if packed else answer.data).decode()


def part_of(client: FlaskClient, address: str) -> tuple[int, list[str]]:
    """The bytes on the wire of what a page loads, and what that loads in turn."""
    part = client.get(address, headers=GZIP)
    assert part.status_code == 200, address
    fonts = FONT.findall(unpacked(part)) if part.mimetype == "text/css" else []
    found = len(part.data), [f"{address.rpartition('/')[0]}/{name}" for name in fonts]
    if part.headers.get("Cache-Control") == FOREVER:
        STATIC[address] = found
    return found


def test_the_standings_of_2000_players_are_light(large):
    event = announced(large)
    for page in ("standings", "standings?round=3", "standings?q=bo"):
        sizes = loaded(large.client, f"{event}/{page}")
        assert any(name.endswith(".woff2") for name in sizes)
        assert len(sizes) <= MOST_REQUESTS, sizes
        assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_a_static_file_is_kept_for_good_under_an_address_that_changes_with_it(guest):
    guest.open("/")
    sheet = re.search(r'href="(/static/[0-9a-f]{12}/muster\.css)"', guest.page)[1]
    answer = guest.client.get(sheet, headers=GZIP)
    assert answer.headers["Cache-Control"] == FOREVER
    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"--felt" in gzip.decompress(answer.data)
    assert b"--felt" in guest.client.get(sheet).data
    known = answer.headers["ETag"]
    assert guest.client.get(sheet, headers={"If-None-Match": known}).status_code == 304


def test_a_static_file_is_not_kept_for_good_under_another_address(guest):
    for address in ("/static/muster.css", "/static/0123456789ab/muster.css"):
        answer = guest.client.get(address)
        assert answer.status_code == 200
        assert "immutable" not in answer.headers["Cache-Control"]
    for address in ("/static/", "/static/../app.py", "/static/0123456789ab/", "/static/none.css"):
        assert guest.client.get(address).status_code == 404


def test_the_icon_is_answered(guest):
    answer = guest.client.get("/favicon.ico")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


def test_answers_to_forms_are_compressed_but_pages_that_hand_out_a_key(organiser):
    event = announced(organiser)
    staff = {"staff_name": "Rita", "staff_role": "referee", "name": "Rita", "role": "referee"}

    def sent(place: str, **fields: str) -> TestResponse:
        organiser.open("/sign-in")
        data = {"csrf_token": CSRF.search(organiser.page)[1], **fields}
        return organiser.client.post(place, data=data, headers=GZIP)

    refused = sent(f"{event}/players", players="")
    assert (refused.status_code, refused.headers["Content-Encoding"]) == (422, "gzip")
    for page in (
        sent(f"{event}/players/p1", do="link"),
        sent(f"{event}/settings", part="staff", **staff),
        sent("/operator/tokens", do="appoint", event=event.split("/")[2], **staff),
    ):
        assert page.status_code == 200
        assert "Content-Encoding" not in page.headers
        assert b"eyJ" in page.data


def test_a_browser_that_takes_no_gzip_gets_plain_bytes_and_caches_know_the_difference(guest):
    plain = guest.client.get("/")
    packed = guest.client.get("/", headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] or "Accept-Encoding" in plain.headers["Vary"]
    assert b"Muster" in gzip.decompress(packed.data)
    assert "Content-Encoding" not in guest.client.get("/", headers={"Accept-Encoding": "gzip;q=0"}).headers
