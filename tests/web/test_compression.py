"""Compression: gzip for clients that accept it, from 1 KB, with Vary and a separate ETag."""

from __future__ import annotations

import gzip

import pytest

from shared.web.app import MIN_GZIP_BYTES
from shared.web.versions import is_unchanged, parse_if_match, with_form

LONG, SHORT = "/games?limit=120", "/games?limit=2"


@pytest.mark.parametrize("accepted", ["gzip", "gzip, deflate, br", "*", "br;q=1, gzip;q=0.2", "GZIP"])
def test_long_answer_is_compressed_and_unchanged(client, accepted):
    plain = client.get(LONG)
    small = client.get(LONG, headers={"Accept-Encoding": accepted})
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == plain.data
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 2
    assert "Content-Encoding" not in plain.headers
    assert [answer.headers["Vary"] for answer in (plain, small)] == ["Accept-Encoding"] * 2


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "*;q=0", "identity, gzip;q=0.5", "x;y=,,;q"])
def test_client_without_gzip_gets_plain_bytes(client, accepted):
    assert "Content-Encoding" not in client.get(LONG, headers={"Accept-Encoding": accepted}).headers


def test_short_answer_is_not_compressed(client):
    answer = client.get(SHORT, headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < MIN_GZIP_BYTES
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_head_has_the_headers_of_get(client):
    got, asked = (method(LONG, headers={"Accept-Encoding": "gzip"}) for method in (client.get, client.head))
    assert asked.data == b""
    assert asked.headers["Content-Encoding"] == "gzip"
    assert asked.headers["Content-Length"] == got.headers["Content-Length"]


def test_problems_are_never_compressed(client):
    answer = client.get("/games?limit=0&venue=" + "v" * 2000, headers={"Accept-Encoding": "gzip"})
    assert answer.status_code == 422
    assert "Content-Encoding" not in answer.headers


def test_etag_of_another_representation_is_the_same_version():
    tag = '"pairing-4/scoring-31"'
    assert with_form("gzip", tag) == '"gzip/pairing-4/scoring-31"'
    assert is_unchanged(with_form("gzip", tag), tag)
    assert is_unchanged(f"W/{tag}, x", tag)
    assert not is_unchanged(with_form("gzip", with_form("csv", tag)), tag)
    assert parse_if_match(with_form("gzip", with_form("csv", tag)), "scoring").position == 31
