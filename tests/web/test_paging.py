"""Paging: reading all pages gives each game once, for any page size."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.web.paging import decode_cursor, encode_cursor
from shared.web.refusals import InvalidCursor
from tests.web.fake import fake_app, token

OF = "0123456789ab"
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
    assert address.startswith("http://localhost/games?")
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
def test_limit_out_of_range(client, limit):
    answer = client.get(f"/games?limit={limit}")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "invalid-request")


@pytest.mark.parametrize(
    "cursor", ["", "x", "WzFd", encode_cursor(["a", 1], "x"), encode_cursor([1, "x"], "x"), "a" * 2000]
)
def test_invalid_cursor(client, cursor):
    answer = client.get("/games", query_string={"after": cursor})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "invalid-cursor")


@given(KEYS)
def test_cursor_round_trip(keys):
    cursor = encode_cursor(keys, OF)
    assert cursor.isascii()
    assert cursor.replace("-", "").replace("_", "").isalnum()
    assert decode_cursor(cursor, [type(key) for key in keys], OF) == tuple(keys)


@given(st.text(max_size=60) | st.from_regex(r"[A-Za-z0-9_-]{0,40}", fullmatch=True))
def test_reader_accepts_any_text(text):
    with pytest.raises(InvalidCursor):
        decode_cursor(text, [int, str, int, str], OF)


@pytest.mark.parametrize("key", [2**53, -(2**63), "a\0b"])
def test_cursor_with_unstorable_key_is_refused(key):
    with pytest.raises(InvalidCursor):
        decode_cursor(encode_cursor([key], OF), [type(key)], OF)


def test_boolean_is_not_a_number_in_a_cursor():
    with pytest.raises(InvalidCursor):
        decode_cursor(encode_cursor([True], OF), [int], OF)


def cursor_of(client, address):
    return client.get(address).get_json()["next"]


@pytest.mark.parametrize("other", ["/games?limit=2&venue=v2", "/games?limit=2", "/tournaments/spring-open/games"])
def test_a_cursor_of_another_list_is_refused(client, other):
    cursor = cursor_of(client, "/games?limit=2&venue=v1")
    path, _, query = other.partition("?")
    answer = client.get(path, query_string={"after": cursor, **dict(parse_qsl(query))})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "invalid-cursor")
    assert client.get("/games", query_string={"after": cursor, "venue": "v1", "limit": 7}).status_code == 200


def test_a_cursor_of_another_tournament_is_refused(client):
    cursor = cursor_of(client, "/tournaments/spring-open/games?limit=2")
    assert client.get(f"/tournaments/spring-open/games?after={cursor}").status_code == 200
    answer = client.get(f"/tournaments/autumn-open/games?after={cursor}")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "invalid-cursor")


def link(headers, **given):
    answer = fake_app(**given).test_client().get("/games?limit=2", headers=headers)
    return answer.headers["Link"].partition("?")[0]


FORWARDED = {"X-Forwarded-Host": "muster.example", "X-Forwarded-Proto": "https"}


def test_link_uses_the_address_of_the_request():
    assert link({"Host": "hall.local:8003"}) == "<http://hall.local:8003/games"
    assert link(FORWARDED) == "<http://localhost/games"
    assert link(FORWARDED, trusted_proxies=1) == "<https://muster.example/games"


@pytest.mark.parametrize("host", ["a>; rel=x", "a b", "a/b", ""])
def test_invalid_host_is_not_echoed(host):
    assert link({"Host": host}) == "</games"
