"""Idempotency keys: a repeated request is the same command, a changed one is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.web.idempotency import check_key, fingerprint, fingerprint_keys, guest_key, key_of
from shared.web.refusals import InvalidIdempotencyKey
from tests.web.fake import GOOD, RESULTS, bearer

KEYED = b"a key of thirty-two bytes, or so."
VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=128)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


def command(client, key, body=GOOD, path=RESULTS, **who):
    answer = client.post(path, json=body, headers={"Idempotency-Key": key, **bearer(**who)})
    assert answer.status_code == 201, answer.text
    return answer.get_json()["command"]


def test_same_request_and_key_give_the_same_command_id(client):
    first = command(client, "report-1")
    assert re.fullmatch(r"report-1~[0-9a-f]{16}", first)
    assert command(client, "report-1", dict(reversed(GOOD.items()))) == first


def test_different_request_with_the_same_key_gives_another_id(client):
    first = command(client, "report-1")
    other_body = command(client, "report-1", {**GOOD, "round": 2})
    other_actor = command(client, "report-1", actor="bea")
    other_path = command(client, "report-1", path="/tournaments/autumn/results", tournament="autumn")
    other_query = command(client, "report-1", path=f"{RESULTS}?token=none-that-counts")
    assert len({first, other_body, other_actor, other_path, other_query}) == 5
    assert {key_of(one) for one in (first, other_body, other_actor, other_path, other_query)} == {"report-1"}


def test_requests_without_a_key_have_different_ids(client):
    made = {client.post(RESULTS, json=GOOD, headers=bearer()).get_json()["command"] for _ in range(3)}
    assert len(made) == 3
    assert {key_of(one) for one in made} == {None}


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 129, "schlüssel", "a\tb"])
def test_invalid_key(client, key):
    answer = client.post(RESULTS, json=GOOD, headers={"Idempotency-Key": key, **bearer()})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "invalid-idempotency-key")
    assert answer.get_json()["errors"][0]["where"] == "Idempotency-Key"


@given(VISIBLE)
def test_every_valid_key_round_trips(key):
    made = f"{check_key(key)}~{fingerprint(KEYED, 'POST', '/x', 'ann', {})}"
    assert made == f"{key}~{made[-16:]}"
    assert key_of(made) == key


@given(st.text())
def test_check_accepts_any_text(text):
    try:
        assert check_key(text) == text
    except InvalidIdempotencyKey:
        return
    assert re.fullmatch(r"[!-~]{1,128}", text)


@given(JSON)
def test_a_fingerprint_does_not_depend_on_the_order_of_members(body):
    def turned(value):
        if isinstance(value, dict):
            return {key: turned(inner) for key, inner in reversed(value.items())}
        return [turned(inner) for inner in value] if isinstance(value, list) else value

    assert fingerprint(KEYED, "POST", "/x", "ann", body) == fingerprint(KEYED, "POST", "/x", "ann", turned(body))


def test_fingerprints_are_stable():
    """They are part of command ids in logs: a change would make repeated commands new ones."""
    (keyed,) = fingerprint_keys([b"s" * 32])
    assert fingerprint(keyed, "POST", "/x", "ann", {"b": 1, "a": ["é", None]}) == "b7d451fbfa438406"
    assert guest_key(keyed, "a key of a guest") == "829eea542fc115230c50fee25c23e931"
