"""The console on three services in this process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from muster_client import Muster
from services.console.app import build_web
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.fuzz.muster import Muster as Services

if TYPE_CHECKING:
    from playwright import sync_api as playwright

CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')
KEY = re.compile(r'name="key" value="([^"]+)"')


class Browser:
    """Somebody with a browser that keeps its cookies and runs no script."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.page = ""
        self.address = "/"

    def open(self, address: str) -> TestResponse:
        """Go to an address, and on where it leads."""
        return self._take(self.client.get(address, follow_redirects=True))

    def send(self, address: str = "", **fields: object) -> TestResponse:
        """Send a form of the page at hand, to its own address unless another is named."""
        hidden = {"csrf_token": CSRF.search(self.page)[1]}
        if key := KEY.search(self.page):
            hidden["key"] = key[1]
        return self._take(self.client.post(address or self.address, data={**hidden, **fields}, follow_redirects=True))

    def cookie(self) -> tuple[str, str]:
        """What this browser is signed in with, to give it to a real one."""
        kept = self.client.get_cookie("muster_console")
        assert kept is not None
        return kept.key, kept.value

    def _take(self, answer: TestResponse) -> TestResponse:
        self.page = answer.get_data(as_text=True)
        parts = urlsplit(answer.request.url)
        self.address = parts.path
        return answer

    def shows(self, *texts: str) -> bool:
        """Whether the page shows all of these, in this order."""
        place = 0
        for text in texts:
            place = self.page.find(text, place)
            if place < 0:
                return False
        return True


@pytest.fixture(scope="package")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder: Path = tmp_path_factory.mktemp("console")
    return Services(folder)


@pytest.fixture(scope="package")
def app(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    urls = {name: f"http://{name}" for name in SERVICES}
    muster = Muster(urls, patience=0.0, transport=InProcess(services))
    app = build_web({"MUSTER_DATA": str(tmp_path_factory.mktemp("data"))}, muster)
    app.config["TESTING"] = True
    return app


@pytest.fixture
def guest(app: Flask) -> Browser:
    return Browser(app)


def signed_in(app: Flask, token: str) -> Browser:
    """A browser that is signed in with a token."""
    browser = Browser(app)
    browser.open("/sign-in")
    browser.send(token=token)
    return browser


@pytest.fixture
def organiser(app: Flask, services: Services) -> Browser:
    return signed_in(app, services.token("operator"))


@pytest.fixture(scope="package")
def organiser_of_all(app: Flask, services: Services) -> Browser:
    """The same for fixtures that live longer than a test."""
    return signed_in(app, services.token("operator"))


@pytest.fixture(scope="package")
def address(app: Flask) -> Iterator[str]:
    """Where the pages are served, for a real browser."""
    from tests.console_pages.real_browser import served  # Playwright takes half a second to import

    with served(app) as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[playwright.Browser]:
    """A real browser, for tests that are marked with `engine("browser")`."""
    from tests.console_pages.real_browser import chromium

    with chromium() as found:
        yield found
