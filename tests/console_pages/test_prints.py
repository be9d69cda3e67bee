"""Paper: what is printed is read back from the PDF that a browser makes of it."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable

import httpx
import pytest
from pypdf import PdfReader

from services.console.pages import prints
from tests.console.in_process import InProcess
from tests.console_pages.conftest import signed_in
from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import announced, paired

A4, LETTER = (210, 297), (216, 279)
PAGES = ("", "/pairings", "/pairings?by=name", "/slips", "/signs", "/standings", "/certificates", "/forms/standings")


@pytest.fixture(scope="module")
def event(organiser_of_all) -> str:
    """An event in its first round: two venues, five tables, four players."""
    return paired(organiser_of_all)


@pytest.fixture
def printed(organiser_of_all, browser, address) -> Callable[..., PdfReader]:
    """A page of the console as a PDF."""

    def read(place: str, **options: object) -> PdfReader:
        context = browser.new_context(base_url=address)
        name, value = organiser_of_all.cookie()
        context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.goto(place)
        pdf = page.pdf(prefer_css_page_size=True, print_background=True, **options)
        context.close()
        return PdfReader(io.BytesIO(pdf))

    return read


def text_of(pdf: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in pdf.pages)


def sizes(pdf: PdfReader) -> set[tuple[int, int]]:
    """Of its pages, in millimetres."""
    return {
        (round(float(p.mediabox.width) / 72 * 25.4), round(float(p.mediabox.height) / 72 * 25.4)) for p in pdf.pages
    }


@pytest.mark.engine("browser")
@pytest.mark.parametrize(("paper", "size"), [("a4", A4), ("letter", LETTER)])
def test_slips_and_signs_fill_their_sheets(printed, event, paper, size):
    slips = printed(f"{event}/prints/slips?paper={paper}")
    assert (len(slips.pages), sizes(slips)) == (1, {size})
    for words in ("Ana", "Ben", "Cy", "Di", "Round 1, table 1", "Round 1, table 2", "Signature"):
        assert words in text_of(slips)
    signs = printed(f"{event}/prints/signs?paper={paper}")
    assert (len(signs.pages), sizes(signs)) == (5, {size})
    assert "Scan to report your result" in signs.pages[0].extract_text()
    assert "Library" in signs.pages[4].extract_text()


@pytest.mark.engine("browser")
@pytest.mark.parametrize(("paper", "size"), [("A4", A4), ("Letter", LETTER)])
def test_lists_take_the_paper_of_the_printer(printed, event, paper, size):
    listed = printed(f"{event}/prints/pairings?by=name", format=paper)
    assert sizes(listed) == {size}
    words = text_of(listed)
    assert re.search(r"Ana.*Ben.*Cy.*Di", re.sub(r"\s", " ", words))
    assert "All prints" not in words


@pytest.mark.engine("browser")
def test_forty_lines_of_a_list_fit_a_sheet(organiser_of_all, browser, address, event):
    with window(browser, address, "desk", organiser_of_all.cookie()) as context:
        page = context.new_page()
        page.emulate_media(media="print")
        for place in ("pairings", "pairings?by=name", "standings"):
            page.goto(f"{event}/prints/{place}")
            heights = [row.bounding_box()["height"] for row in page.locator("tbody tr").all()]
            assert len(heights) >= 2, place
            assert max(heights) <= (297 - 2 * 15) / 25.4 * 96 / 42, place


@pytest.mark.engine("browser")
def test_axe_finds_nothing_on_what_is_printed(organiser_of_all, browser, address, event):
    context = window(browser, address, "desk", organiser_of_all.cookie())
    page, found = context.new_page(), {}
    for place in PAGES:
        if page.goto(f"{event}/prints{place}").status == 200 and (faults := violations(page)):
            found[place] = faults
    context.close()
    assert not found


def test_the_menu_names_what_can_be_printed_and_each_of_it_is_there(organiser):
    event = paired(organiser)
    organiser.open(f"{event}/prints")
    assert organiser.shows("Pairings by table", "Pairings by name", "Result slips", "Table signs", "Certificates")
    for form in set(re.findall(r'href="([^"]+/prints/forms/[^"]+)"', organiser.page)):
        assert organiser.open(form).status_code == 200, form
    for place in PAGES[:-1]:
        assert organiser.open(f"{event}/prints{place}").status_code == 200, place


def test_before_the_first_round_there_are_signs_and_no_slips(organiser):
    event = announced(organiser)
    organiser.open(f"{event}/prints")
    assert organiser.shows("once a round is paired")
    assert organiser.open(f"{event}/prints/slips").status_code == 404
    assert organiser.open(f"{event}/prints/signs").status_code == 200
    assert organiser.page.count('class="sheet sign"') == 5


CARD = re.compile(r'<section class="code-card"><h2><bdi>([^<]+)</bdi></h2><img class="qr" src="([^"]+)"')


def test_all_players_codes_are_on_one_sheet_and_each_opens_its_own_page(organiser, guest, monkeypatch):
    event = paired(organiser)
    opened: list[str] = []
    monkeypatch.setattr(prints, "qr_code_of_key", lambda place: opened.append(place) or f"code-{len(opened)}")
    organiser.open(f"{event}/prints")
    organiser.send(f"{event}/prints/codes", paper="letter")
    assert CARD.findall(organiser.page) == [("Ana", "code-1"), ("Ben", "code-2"), ("Cy", "code-3"), ("Di", "code-4")]
    assert organiser.page.count("sheet codes is-letter") == 1
    guest.open(opened[1])
    assert guest.shows("against")
    assert "Ben" not in guest.page.split('class="seatcard"')[1].split("</h1>")[0]
    guest.open(f"{event}/my-games")
    assert guest.shows("Round 1")


def test_sending_the_form_of_codes_again_makes_the_same_codes(organiser, monkeypatch):
    event = paired(organiser)
    opened: list[str] = []
    monkeypatch.setattr(prints, "qr_code_of_key", lambda place: opened.append(place) or "code")
    for _time in (1, 2):
        organiser.open(f"{event}/prints")
        organiser.send(f"{event}/prints/codes", key="the-same")
    assert len(opened) == 8
    assert opened[:4] == opened[4:]


def test_codes_of_a_large_field_come_in_parts(organiser, monkeypatch):
    monkeypatch.setattr(prints, "CODES_A_SHEET", 1)
    monkeypatch.setattr(prints, "SHEETS_OF_CODES", 3)
    event = paired(organiser)
    organiser.open(f"{event}/prints")
    organiser.send(f"{event}/prints/codes")
    assert [name for name, _ in CARD.findall(organiser.page)] == ["Ana", "Ben", "Cy"]
    assert organiser.shows("Now 1 to 3 of 4", "Next")
    organiser.send(page="2")
    assert [name for name, _ in CARD.findall(organiser.page)] == ["Di"]
    for page in ("99", "-1", "x", "9" * 30):
        assert organiser.send(page=page).status_code == 200, page


def test_codes_are_made_for_staff_alone_and_one_venue_at_a_time(organiser, guest, app, services):
    event = paired(organiser)
    guest.open("/")
    assert guest.send(f"{event}/prints/codes").status_code in (401, 403)
    assert not CARD.search(guest.page)
    ana = signed_in(app, services.token("player", event.rpartition("/")[2], player="p1"))
    ana.open(f"{event}/about")
    assert ana.send(f"{event}/prints/codes").status_code == 403
    organiser.open(f"{event}/prints")
    assert organiser.send(f"{event}/prints/codes", venue="v99").status_code == 422
    assert not CARD.search(organiser.page)


def test_what_slips_ask_is_asked_of_scoring_once_for_all_sheets(organiser, monkeypatch):
    event = paired(organiser)
    asked, answered = [], InProcess.handle_request

    def handle(transport: InProcess, request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path.rpartition("/")[2])
        return answered(transport, request)

    monkeypatch.setattr(prints, "A_SHEET", 1)
    monkeypatch.setattr(InProcess, "handle_request", handle)
    organiser.open(f"{event}/prints/slips")
    assert organiser.page.count('class="sheet slips') == 2
    assert asked.count("result-form") == 1


def test_dust_warfares_forms_are_printed(organiser):
    organiser.open("/events/new")
    organiser.send(name="Desert", ruleset="dust-warfare-1.0", venue_1="Hall", tables_1="4", rounds="2")
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen\nCy\nDi")
    organiser.open(f"{event}/prints")
    forms = set(re.findall(r'href="([^"]+/prints/forms/[^"]+)"', organiser.page))
    assert {form.rpartition("/")[2] for form in forms} >= {"player-score-sheet", "player-reporting-sheet", "army-list"}
    organiser.open(f"{event}/prints/forms/player-score-sheet")
    assert organiser.shows("PLAYER SCORE SHEET FOR", "Ana", "OPPONENT", "TOTAL MP")


@pytest.mark.clause("AR-ROS-6", "AR-DOC-1")
def test_staff_print_all_lists_before_play(organiser, guest, app, services, monkeypatch):
    asked = app.extensions["muster-services"].acting_as(services.token("operator"))
    id = asked.registration.announce_tournament(name="Fleets", ruleset="star-wars-armada-1.1", rounds=3).id
    players = asked.registration.join_players(id, players=[{"name": name} for name in ("Ana", "Ben")]).players
    example = asked.registration.show_ruleset("star-wars-armada-1.1").ruleset["roster"]["example"]
    for player in players:
        asked.registration.submit_roster(id, player.id, roster=example)
    place = f"/events/{id}/prints/forms/fleet-list"
    referee = signed_in(app, services.token("referee", id))
    referee.open(place)
    assert referee.page.count('class="print-form"') == 2
    words = [example["commanders"][0]["name"], *(card["name"] for card in example["objectives"])]
    assert [referee.page.count(word) for word in words] == [2] * len(words)
    assert guest.open(place).status_code == 403
    assert not any(word in guest.page for word in words)
    monkeypatch.setattr(prints, "PAGE_OF_SHEETS", 1)
    referee.open(place)
    assert referee.page.count('class="print-form"') == 1
    (following,) = set(re.findall(r'href="([^"]+after=[^"]+)"', referee.page))
    referee.open(html.unescape(following))
    assert referee.shows("Ben")
    assert not referee.shows("Ana")


def test_a_name_with_markup_stays_a_name_on_paper(organiser):
    event = announced(organiser)
    organiser.open(f"{event}/players")
    organiser.send(players="<b>Eve</b>\nעדי")
    for place in ("forms/standings", "signs", "standings"):
        organiser.open(f"{event}/prints/{place}")
        assert "<b>Eve" not in organiser.page


def test_bad_addresses_are_refused_and_show_nothing(organiser):
    event = paired(organiser)
    for place in ("pairings?round=99", "slips?round=99", "forms/none", "pairings?round=99999999999999999999"):
        assert organiser.open(f"{event}/prints/{place}").status_code in (404, 422), place
    assert organiser.open(f"{event}/prints/signs?paper=%22%3E&venue=v99").status_code == 200
    assert organiser.open(f"{event}/prints/certificates?first=-4").status_code == 200
