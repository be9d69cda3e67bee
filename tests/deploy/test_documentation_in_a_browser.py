"""/docs of a running service, as a real browser shows it where there is no network."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from deploy.stack import Stack
from tests.deploy.chromium import open_page

pytestmark = pytest.mark.engine("browser")

FOREIGN = "http://elsewhere.invalid/picture.png"


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with Stack() as stack:
        yield stack


def test_every_operation_is_listed_and_nothing_is_loaded_from_elsewhere(stack: Stack, tmp_path: Path) -> None:
    # The page is the same in every service; that the documents of all are valid is held by tests/web and tests/fuzz.
    base = stack.urls["pairing"]
    opened = open_page(f"{base}/docs", tmp_path)
    document = httpx.get(f"{base}/openapi.json").json()
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


def test_what_a_page_loads_from_elsewhere_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f'<img src="{FOREIGN}"><script>document.title = "ran"</script>')
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened = open_page(f"http://127.0.0.1:{server.server_port}/page.html", tmp_path)
        server.shutdown()
    assert "<title>ran</title>" in opened.dom
    assert FOREIGN in opened.asked
