"""The frame of every page: a menu for language, colours and account; errors with a way on; the foot of short pages."""

from __future__ import annotations

import re

import playwright.sync_api as playwright
import pytest
from playwright.sync_api import expect

from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import announced, paired, with_a_code

MENU = re.compile(r'<details class="menu push".*?</details>', re.DOTALL)
WAYS = re.compile(r'<nav class="row is-centred".*?</nav>', re.DOTALL)


def menu_of(browser: Browser) -> str:
    """The menu of a page; there is one."""
    (found,) = MENU.findall(browser.page)
    return found


@pytest.mark.parametrize("place", ["table", "about", "leave"])
def test_language_and_colours_are_chosen_in_the_menu_of_a_phone_without_a_script(organiser, place):
    event = paired(organiser)
    phone = with_a_code(organiser, event, "Ana")
    phone.open(f"{event}/{place}")
    menu = menu_of(phone)
    for part in ('name="language" value="de"', 'name="theme" value="dark"', 'action="/sign-out"'):
        assert part in menu
    phone.send("/colours", theme="dark", back=f"{event}/{place}")
    assert phone.address == f"{event}/{place}"
    assert '<html lang="en" data-theme="dark">' in phone.page
    assert 'value="dark" aria-pressed="true"' in menu_of(phone)
    phone.send("/language", language="de", back=f"{event}/{place}")
    assert 'value="de" lang="de" aria-pressed="true"' in menu_of(phone)
    assert '<html lang="de"' in phone.page


def test_guests_sign_in_and_others_sign_out_in_the_menu(guest, organiser):
    guest.open("/")
    assert 'href="/sign-in"' in menu_of(guest)
    assert "Sign out" not in menu_of(guest)
    organiser.open("/")
    assert "Sign out" in menu_of(organiser)
    assert "Signed in: operator" in menu_of(organiser)


def test_a_second_login_is_one_click_away(app, organiser, services):
    event = paired(organiser)
    browser = signed_in(app, services.token("operator"))
    browser.open("/sign-in")
    browser.send(token=services.token("referee", event.rpartition("/")[2]))
    browser.open("/")
    assert 'href="/sign-ins"' in menu_of(browser)


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_menu_is_used_by_keyboard_and_closes_on_a_click_elsewhere(organiser, browser, address, size):
    with window(browser, address, size, organiser.cookie()) as context:
        page = context.new_page()
        page.goto("/events/new")
        summary = page.locator("#own-menu > summary")
        summary.focus()
        summary.press("Enter")
        expect(page.get_by_role("button", name="Deutsch")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Deutsch")).to_be_hidden()
        expect(summary).to_be_focused()
        summary.click()
        page.mouse.click(20, 400)
        expect(page.get_by_role("button", name="Deutsch")).to_be_hidden()
        summary.click()
        page.get_by_role("button", name="Dark").click()
        page.wait_for_url("**/events/new")
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.engine("browser")
def test_a_fault_goes_with_the_change_of_its_field_and_the_others_stay(organiser, browser, address):
    event = announced(organiser)
    with window(browser, address, "desk", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/walls?preset=own&seconds=1")
        summary, fault = page.get_by_role("alert"), page.locator("#seconds-f")
        expect(summary.get_by_role("listitem")).to_have_count(2)
        expect(fault).to_be_visible()
        page.locator("#seconds").fill("12")
        expect(fault).to_have_count(0)
        assert page.locator("#seconds").get_attribute("aria-invalid") is None
        assert page.locator("#seconds").get_attribute("aria-describedby") == "seconds-h"
        expect(summary.get_by_role("listitem")).to_have_text("Choose what the screen shows, and when.")
        expect(page.locator("#shows .fault")).to_be_visible()


def ways_on(browser: Browser) -> list[str]:
    """Where an error page leads."""
    (found,) = WAYS.findall(browser.page)
    return re.findall(r'href="([^"]+)"', found)


def test_pages_of_errors_have_a_title_a_sentence_and_two_ways_on(app, guest, organiser, services):
    event = announced(organiser)
    referee = signed_in(app, services.token("referee", event.rpartition("/")[2]))
    for browser, address, status, title, ways in (
        (guest, "/nowhere", 404, "Page not found", ["/", "/sign-in"]),
        (organiser, "/nowhere", 404, "Page not found", ["/", "/sign-ins"]),
        (guest, "/events/t-none/about", 404, "Page not found", ["/", "/sign-in"]),
        (organiser, f"{event}/games/r9g9", 404, "Page not found", [f"{event}/", "/"]),
        (referee, f"{event}/settings", 403, "Your role does not allow this", [f"{event}/", "/"]),
    ):
        assert browser.open(address).status_code == status, address
        assert f"<h1>{title}" in browser.page
        assert status == 403 or re.search(r"</h1>\s*<p>[^<]{20,}</p>", browser.page), address
        assert ways_on(browser) == ways


def test_a_form_that_an_address_does_not_take_has_two_ways_on(organiser):
    organiser.open("/")
    assert organiser.send("/healthz").status_code == 405
    assert organiser.shows("Nothing was changed", "Go back and send the form again.")
    assert ways_on(organiser) == ["/", "/sign-ins"]


@pytest.mark.engine("browser")
@pytest.mark.parametrize("place", ["round", "prints", "settings"])
def test_the_current_place_is_in_view_on_a_phone(organiser, browser, address, place):
    event = announced(organiser)
    with window(browser, address, "phone", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/{place}")
        box = page.locator(".places [aria-current]").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", ["phone", "desk", "wall"])
def test_the_foot_of_a_short_page_is_at_the_bottom(browser: playwright.Browser, address, size):
    with window(browser, address, size) as context:
        page = context.new_page()
        page.goto("/nowhere")
        foot = page.locator(".foot").bounding_box()
        assert round(foot["y"] + foot["height"]) == page.viewport_size["height"]


@pytest.mark.engine("browser")
def test_zeros_are_slashed_in_columns_of_figures_alone(organiser, browser, address):
    event = paired(organiser)
    with window(browser, address, "desk", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/about")
        figures = "all => all.map(one => getComputedStyle(one).fontVariantNumeric)"
        assert set(page.eval_on_selector_all(".tbl td.num", figures)) == {"tabular-nums slashed-zero"}
        assert set(page.eval_on_selector_all("h1, p, h2", figures)) == {"normal"}
