"""/docs of a running service, as a real browser shows it where there is no network."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deploy.stack import Stack
from shared.roles import OPERATOR, ROLES
from shared.settings import SERVICES
from tests import http
from tests.deploy.chromium import Browser, open_page
from tests.issuing import token_of

pytestmark = pytest.mark.engine("browser")

FOREIGN = "http://elsewhere.invalid/picture.png"


@pytest.fixture(scope="module")
def stack(shared_stack: Stack) -> Stack:
    return shared_stack


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


def test_every_operation_is_listed_and_nothing_is_loaded_from_elsewhere(stack: Stack, tmp_path: Path) -> None:
    base = stack.urls["pairing"]
    opened = open_page(f"{base}/docs", tmp_path)
    document = http.get(f"{base}/openapi.json").json()
    operations = {
        f"operations-{operation['tags'][0].replace(' ', '_')}-{operation['operationId']}"
        for path in document["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    }
    assert len(operations) > 20
    assert operations <= set(re.findall('id="([^"]+)"', opened.dom))
    assert f"{base}/openapi.json" in opened.asked
    assert {url for url in opened.asked if not url.startswith(f"{base}/")} == set()


def test_what_the_pages_of_all_services_run_is_the_same(stack: Stack) -> None:
    """So that what one of them does with a token, all of them do; the page of pairing is the smallest."""
    loaded = {http.get(f"{url}/docs/start.js").content for url in stack.urls.values()}
    assert len(loaded) == 1
    for url in stack.urls.values():
        page = http.get(f"{url}/docs").text
        assert re.findall(r"<script[^>]*>", page) == [
            '<script src="docs/swagger-ui-bundle.js">',
            '<script src="docs/start.js">',
        ]


def test_a_token_survives_a_reload_and_ends_with_the_tab(stack: Stack, browser: Browser) -> None:
    page, token = f"{stack.urls['pairing']}/docs", token_of(stack.env, OPERATOR)
    browser.open(page)
    browser.until("document.querySelector('.auth-wrapper .authorize.unlocked') !== null")
    enter(browser, token)
    browser.run("location.reload()")
    browser.until("performance.getEntriesByType('navigation')[0].type === 'reload'")
    browser.until("document.querySelector('.auth-wrapper .authorize.locked') !== null")
    sent = browser.until("ui.authSelectors.authorized().getIn(['bearer', 'value'])")
    assert sent == token
    assert token not in browser.run("JSON.stringify(localStorage)")
    leave(browser)
    assert browser.run("sessionStorage.length") == 0
    browser.run("location.reload()")
    browser.until("document.querySelector('.auth-wrapper .authorize.unlocked') !== null")


def enter(browser: Browser, token: str) -> None:
    """Do what somebody does who has a token: Authorize, the field of the first scheme, Authorize, Close."""
    browser.run("document.querySelector('.auth-wrapper .authorize').click()")
    browser.until("document.querySelector('#auth-bearer-value') !== null")
    browser.run(f"""(() => {{
        const field = document.querySelector('#auth-bearer-value');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, {token!r});
        field.dispatchEvent(new Event('input', {{bubbles: true}}));
        field.closest('form').querySelector('button[type=submit]').click();
    }})()""")
    browser.until("sessionStorage.length === 1")
    browser.run("document.querySelector('.btn-done').click()")


def leave(browser: Browser) -> None:
    """Log out by the page's own button."""
    browser.run("document.querySelector('.auth-wrapper .authorize').click()")
    logout = "[...document.querySelectorAll('.auth-container button')].find((each) => each.textContent === 'Logout')"
    browser.until(f"{logout} !== undefined")
    browser.run(f"{logout}.click()")


@pytest.mark.parametrize("service", SERVICES)
def test_the_page_says_who_may_call_what_in_groups_and_leads_to_the_other_services(
    stack: Stack, service: str, browser: Browser
) -> None:
    base = stack.urls[service]
    document = http.get(f"{base}/openapi.json").json()
    tags = [tag["name"] for tag in document["tags"]]
    operations = [
        operation
        for methods in document["paths"].values()
        for method, operation in methods.items()
        if method != "parameters"
    ]
    command = next(operation for operation in operations if len(operation.get("x-roles", ())) > 3)
    tag, name, roles = command["tags"][0], command["operationId"], command["x-roles"]
    browser.open(f"{base}/docs#/{tag}/{name}")
    text = browser.until("document.querySelector('.opblock.is-open .opblock-description')?.textContent")
    assert "Who may call it:" in text
    assert all(role in text for role in roles)
    links = browser.run("[...document.querySelectorAll('#services a')].map((a) => [a.textContent, a.href])")
    assert dict(links) == {name: f"{url}/docs" for name, url in stack.urls.items() if name != service}
    shown = browser.run("[...document.querySelectorAll('.opblock-tag')].map((tag) => tag.dataset.tag)")
    assert shown == tags
    assert tags[-1] == "service"  # of no interest on an evening
    told = browser.run("document.querySelector('.info').textContent")
    assert all(f"{role}: {does}" in told for role, does in ROLES.items())


def test_what_a_page_loads_from_elsewhere_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f'<img src="{FOREIGN}"><script>document.title = "ran"</script>')
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened = open_page(f"http://127.0.0.1:{server.server_port}/page.html", tmp_path)
        server.shutdown()
    assert "<title>ran</title>" in opened.dom
    assert FOREIGN in opened.asked
