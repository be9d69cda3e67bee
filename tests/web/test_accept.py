"""Content negotiation: an answer has an accepted media type, or is refused before the view runs."""

from __future__ import annotations

import pytest

from shared.web.auth import best_type
from shared.web.refusals import NotAcceptable
from tests.web.fake import GOOD, RESULTS, bearer

JSON = ("application/json",)
TEXTS = ("text/plain", "text/html", "application/json")


@pytest.mark.parametrize(
    ("accept", "types", "found"),
    [
        (None, JSON, "application/json"),
        ("", JSON, "application/json"),
        ("*/*", JSON, "application/json"),
        ("application/*", JSON, "application/json"),
        ("APPLICATION/JSON", JSON, "application/json"),
        ("application/json;charset=utf-8", JSON, "application/json"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", JSON, "application/json"),
        ("text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", JSON, "application/json"),
        ("application/json, application/problem+json", JSON, "application/json"),
        ("text/html", JSON, None),
        ("application/problem+json", JSON, None),
        ("application/json;q=0", JSON, None),
        ("application/json;q=0, */*", JSON, None),
        ("*/*;q=0", JSON, None),
        ("application/*;q=0, application/json", JSON, "application/json"),
        ("json", JSON, None),
        ("a/b/c, /, ;q=1, application/json;q=x", JSON, None),
        ("*/*", TEXTS, "text/plain"),
        ("text/*;q=0.5, application/json", TEXTS, "application/json"),
        ("text/html;q=0.9, text/plain;q=0.1", TEXTS, "text/html"),
        ("text/plain;q=0, text/*", TEXTS, "text/html"),
    ],
)
def test_most_preferred_type_is_chosen(accept, types, found):
    if found is None:
        with pytest.raises(NotAcceptable) as refused:
            best_type(accept, types)
        assert refused.value.data == {"types": list(types)}
    else:
        assert best_type(accept, types) == found


def test_access_is_checked_first_and_problems_ignore_accept(client):
    image = {"Accept": "image/png"}
    for headers, status, code in (
        (image, 401, "unauthenticated"),
        ({**image, **bearer("organiser")}, 403, "forbidden"),
        ({**image, **bearer()}, 406, "not-acceptable"),
    ):
        answer = client.post(RESULTS, json=GOOD, headers=headers)
        assert (answer.status_code, answer.get_json()["code"]) == (status, code)
        assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize("address", ["/games", "/tournaments/t/games", "/healthz", "/readyz", "/openapi.json", "/docs"])
def test_every_page_negotiates(client, address):
    assert client.get(address, headers={"Accept": "image/png"}).status_code == 406
    assert client.get(address, headers={"Accept": "*/*"}).status_code == 200
