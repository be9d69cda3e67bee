"""A list is read page by page, each game once, whatever the size of the pages."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.http.paging import decode_cursor, encode_cursor
from shared.http.refusals import InvalidCursor
from tests.http.fake import token

KEYS = st.lists(
    st.integers(1 - 2**53, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
    max_size=4,
)


@pytest.mark.parametrize("limit", [1, 7, 50, 119, 120, 500])
def test_following_the_pages_gives_every_game_once(client, limit):
    found, after = [], ""
    while True:
        body = client.get(f"/games?limit={limit}{after}").get_json()
        found += [game["player"] for game in body["items"]]
        if body["next"] is None:
            break
        after = f"&after={body['next']}"
    assert found == [f"p{n}" for n in range(120)]


def test_the_next_page_is_linked_with_its_filters_and_without_the_token(client):
    answer = client.get(f"/games?limit=2&venue=hall-1&token={token('player')}")
    link = answer.headers["Link"]
    assert link.endswith('>; rel="next"')
    address = link[1 : link.index(">")]
    assert urlsplit(address).path == "/games"
    assert "venue=hall-1" in address
    assert "limit=2" in address
    assert "token" not in address
    assert client.get(address).get_json()["items"][0]["player"] == "p2"


def test_the_last_page_has_no_next(client):
    answer = client.get("/games?limit=500")
    assert answer.get_json()["next"] is None
    assert "Link" not in answer.headers


@pytest.mark.parametrize("limit", ["0", "501", "-1", "1.5", "all", ""])
def test_a_limit_outside_of_what_is_given(client, limit):
    answer = client.get(f"/games?limit={limit}")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "invalid-request")


@pytest.mark.parametrize(
    "cursor", ["", "x", "WzFd", encode_cursor(["a", 1]), encode_cursor([1, "x"]) + "=", "a" * 2000]
)
def test_a_cursor_of_something_else(client, cursor):
    answer = client.get("/games", query_string={"after": cursor})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "invalid-cursor")


@given(KEYS)
def test_a_cursor_is_read_back(keys):
    cursor = encode_cursor(keys)
    assert cursor.isascii()
    assert cursor.replace("-", "").replace("_", "").isalnum()
    assert decode_cursor(cursor, [type(key) for key in keys]) == tuple(keys)


@given(st.text(max_size=60) | st.from_regex(r"[A-Za-z0-9_-]{0,40}", fullmatch=True))
def test_no_text_makes_the_reader_stumble(text):
    with pytest.raises(InvalidCursor):
        decode_cursor(text, [int, str, int, str])


@pytest.mark.parametrize("key", [2**53, -(2**63), "a\0b"])
def test_a_cursor_that_no_database_takes(key):
    with pytest.raises(InvalidCursor):
        decode_cursor(encode_cursor([key]), [type(key)])


def test_true_is_no_number_in_a_cursor():
    with pytest.raises(InvalidCursor):
        decode_cursor(encode_cursor([True]), [int])
