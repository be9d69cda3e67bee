"""Times on pages, and times that are typed, are those of the hall, also on the days on which clocks are changed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from muster_client import Muster
from services.console import hall_time
from services.console.app import build_web
from services.console.forms import Form
from services.console.settings import TIME_ZONE, load
from shared.settings import SERVICES, BadSettings
from tests.console.in_process import InProcess
from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.test_draft import drafted
from tests.console_pages.test_evening import paired

TEMPLATES = Path(hall_time.__file__).parent / "templates"
BERLIN = "Europe/Berlin"
WORSE = ["Europe", "../../etc/passwd", "/etc/localtime", "Europe/Berlin\0", "é" * 99]


def in_zone(zone: str, services, folder: Path) -> Flask:
    """The console on the services at hand, in a hall somewhere."""
    muster = Muster({name: f"http://{name}" for name in SERVICES}, patience=0.0, transport=InProcess(services))
    app = build_web({"MUSTER_DATA": str(folder), TIME_ZONE: zone}, muster)
    app.config["TESTING"] = True
    return app


@pytest.fixture(scope="module")
def hall(services, tmp_path_factory) -> Flask:
    return in_zone(BERLIN, services, tmp_path_factory.mktemp("berlin"))


@pytest.fixture
def staff(hall, services) -> Browser:
    return signed_in(hall, services.token("operator"))


def shown(hall: Flask, ask, language: str = "en") -> str:
    with hall.test_request_context(headers={"Accept-Language": language}):
        return str(ask())


def typed(hall: Flask, text: str) -> tuple[str | None, list[str]]:
    """What a typed time is read as, and the faults beside its field."""
    with hall.test_request_context(method="POST", data={"at": text}):
        form = Form()
        return form.moment("at"), form.faults.get("at", [])


@pytest.mark.parametrize("zone", [BERLIN, "America/New_York", "Asia/Kathmandu", "UTC"])
def test_the_zone_of_the_hall_is_a_setting(tmp_path, zone):
    assert hall_time.zone_key(load({"MUSTER_DATA": str(tmp_path), TIME_ZONE: zone}).zone) == zone


@pytest.mark.parametrize("zone", ["Berlin", "CET+1", *WORSE])
def test_a_zone_that_is_none_is_refused_in_one_line(tmp_path, zone):
    with pytest.raises(BadSettings) as bad:
        load({"MUSTER_DATA": str(tmp_path), TIME_ZONE: zone})
    assert [fault.where for fault in bad.value.faults] == [TIME_ZONE]
    assert "Europe/Berlin" in str(bad.value.faults[0].expected)


def test_without_a_setting_it_is_that_of_the_machine(tmp_path):
    zone = load({"MUSTER_DATA": str(tmp_path)}).zone
    now = datetime.now(UTC)
    assert now.astimezone(zone).utcoffset() == now.astimezone().utcoffset()


@pytest.mark.parametrize(
    ("moment", "english", "german"),
    [
        ("2026-12-05T13:32:00Z", "14:32 CET", "14:32 MEZ"),
        ("2026-03-29T00:59:59+00:00", "01:59 CET", "01:59 MEZ"),
        ("2026-03-29T01:00:00Z", "03:00 CEST", "03:00 MESZ"),
        ("2026-10-25T00:30:00Z", "02:30 CEST", "02:30 MESZ"),
        ("2026-10-25T01:30:00Z", "02:30 CET", "02:30 MEZ"),
        ("", "", ""),
        ("noon", "", ""),
        ("0001-01-01T00:00:00+14:00", "", ""),
    ],
)
def test_a_moment_is_shown_in_local_time(hall, moment, english, german):
    assert shown(hall, lambda: hall_time.clock(moment, zoned=True)) == english
    assert shown(hall, lambda: hall_time.clock(moment, zoned=True), "de") == german
    assert shown(hall, lambda: hall_time.clock(moment)) == english.partition(" ")[0]


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "13:32 UTC"),
        ("America/New_York", "08:32 EST"),
        ("America/Sao_Paulo", "10:32 UTC-3"),
        ("Asia/Kathmandu", "19:17 UTC+5:45"),
    ],
)
def test_a_zone_that_the_language_has_no_word_for_is_said_all_the_same(services, tmp_path, zone, said):
    hall = in_zone(zone, services, tmp_path)
    assert shown(hall, lambda: hall_time.clock("2026-12-05T13:32:00Z", zoned=True)) == said


def test_utc_is_named_on_every_page(services, tmp_path):
    hall = in_zone("UTC", services, tmp_path)
    assert shown(hall, lambda: hall_time.clock("2026-12-05T13:32:00Z")) == "13:32 UTC"


def test_a_moment_of_another_day_says_which(hall):
    element = '<time datetime="2099-12-31T23:30:00Z">00:30 ({})</time>'
    assert shown(hall, lambda: hall_time.at("2099-12-31T23:30:00Z")) == element.format("Fri, 1 Jan 2100")
    assert shown(hall, lambda: hall_time.at("2099-12-31T23:30:00Z"), "de") == element.format("Fr., 1. Jan. 2100")
    now = datetime.now(UTC).isoformat()
    assert re.fullmatch(r'<time datetime="[\d:T-]+Z">\d\d:\d\d</time>', shown(hall, lambda: hall_time.at(now)))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-12-05T14:32", "2026-12-05T13:32:00Z"),
        ("2026-07-05T14:32", "2026-07-05T12:32:00Z"),
        ("2026-03-29T03:00", "2026-03-29T01:00:00Z"),
        ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),  # the first of the two
        ("2026-10-25T03:00", "2026-10-25T02:00:00Z"),
        ("2026-12-05T14:32+05:00", "2026-12-05T09:32:00Z"),
    ],
)
def test_a_typed_time_is_read_by_the_clock_of_the_hall(hall, text, moment):
    assert typed(hall, text) == (moment, [])


@pytest.mark.parametrize("text", ["2026-03-29T02:00", "2026-03-29T02:30", "2026-03-29T02:59"])
def test_a_time_that_clocks_skip_is_refused_with_the_next_one(hall, text):
    moment, faults = typed(hall, text)
    assert moment is None
    assert text[-5:] in faults[0]
    assert text.replace("T02", "T03")[-5:] in faults[0]


@pytest.mark.parametrize("text", ["", "noon", "0001-01-01T00:00", "9999-12-31T23:59-10:00", "2026-12-05T25:00"])
def test_what_is_no_time_is_a_fault(hall, text):
    moment, faults = typed(hall, text)
    assert moment is None
    assert faults == ["Enter a date and a time."]


def test_a_round_is_published_at_the_time_that_the_organiser_typed(staff, services):
    draft = drafted(staff)
    assert staff.shows("Or publish at", BERLIN)
    assert staff.send(do="later", at="2099-03-29T02:30").status_code == 422
    assert staff.shows("There is no 02:30 on that day", 'aria-invalid="true"')
    staff.send(do="later", at="2099-07-01T10:30")
    assert staff.shows(
        "It will be published automatically at", '"2099-07-01T08:30:00Z">10:30 CEST (Wed, 1 Jul 2099)</time>'
    )
    page = staff.client.get(draft, headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "10:30 MESZ (Mi., 1. Juli 2099)" in page


def test_the_end_of_a_round_is_shown_with_its_zone(staff, hall):
    event = paired(staff)
    staff.open(f"{event}/round")
    assert re.search(r'started <time datetime="[^"]+Z">\d\d:\d\d</time>, ends <time', staff.page)
    guest = Browser(hall)
    guest.open(f"{event}/about")
    assert re.search(r'until <time datetime="[^"]+Z">\d\d:\d\d CES?T', guest.page)
    guest.open(f"{event}/wall/clock")
    assert re.search(r'Now <time datetime="[^"]+Z">\d\d:\d\d CES?T</time>', guest.page)
    guest.open(f"{event}/wall/pairings")
    assert re.search(
        r'Ends at</p><time datetime="[^"]+Z">\d\d:\d\d[^<]*</time>', guest.page
    )  # with the day, if it ends tomorrow


def test_no_template_writes_a_moment_in_another_way():
    """Whatever is called …_at and is written goes through a filter of the hall's time."""
    raw = re.compile(r"\.\w+_at\b(?!\|(?:at|clock)\b)(?!\()")
    written = {
        f"{file.name}: {printed}"
        for file in TEMPLATES.glob("*.html")
        for printed in re.findall(r"\{\{(.*?)\}\}", file.read_text())
        if raw.search(printed)
    }
    assert not written
