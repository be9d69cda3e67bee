"""The public log does not allow testing guesses at private values of a request."""

from __future__ import annotations

import hashlib
import json

import orjson
import pytest

from services.registration import app as wiring
from shared.keys import make_signing_key, render_signing_keys
from shared.web.idempotency import fingerprint, fingerprint_keys
from tests.services.conftest import logging_as_it_was
from tests.services.registration.story import Evening, announced
from tests.services.story import NOBODY, Club

EMAIL = "ana@example.org"
GUESSES = [f"{name}@example.org" for name in ("ben", "ana", "cy")]
KEY = "5f0c7d1e-6f0a-4d6e-9a65-0a8c1f0e7b1d"
OLD, NEW = (render_signing_keys([make_signing_key(kid)]) for kid in ("2026-01", "2027-01"))


def sign_up(evening: Evening, name: str = "Ana", email: str = EMAIL):
    return evening.post("/sign-up", {"name": name, "email": email}, NOBODY, Idempotency_Key=KEY)


def enter(evening: Evening, name: str = "Ana", email: str = EMAIL):
    return evening.enter(name, contact={"email": email}, Idempotency_Key=KEY)


def digests_of(evening: Evening) -> set[str]:
    """The digests in the public log."""
    lines = evening.get("/log", by=NOBODY).lines
    return {line["commandid"].rpartition("~")[2] for line in lines[1:]}


def test_a_guess_at_an_address_finds_nothing_in_the_log(evening):
    """Every fact of the request is known but the address."""
    enter(evening)
    known = digests_of(evening)
    assert known
    for guess in GUESSES:
        asked = [
            "POST",
            f"/tournaments/{evening.id}/players",
            "organiser",
            {"name": "Ana", "contact": {"email": guess}},
        ]
        for text in (orjson.dumps(asked, option=orjson.OPT_SORT_KEYS), json.dumps(asked).encode()):
            assert hashlib.sha256(text).hexdigest()[:16] not in known


def test_all_keys_together_reveal_nothing_about_an_erased_player(evening):
    """Keys outlive an erasure: so the digest is of what is left when personal values are taken out."""
    enter(evening)
    evening.delete("/players/p1/personal")
    (keyed,) = fingerprint_keys(key.seed for key in evening.club.settings.signing_keys)
    asked = ("POST", f"/tournaments/{evening.id}/players", "organiser")
    assert fingerprint(keyed, *asked, {"name": "Ana", "contact": {"email": True}}) in digests_of(evening)
    for guess in GUESSES:
        assert fingerprint(keyed, *asked, {"name": "Ana", "contact": {"email": guess}}) not in digests_of(evening)


@pytest.mark.parametrize(("member", "value"), [("email", "b@example.org"), ("phone", "2"), ("needs", "a chair")])
def test_the_same_request_with_another_personal_value_is_a_repetition(evening, member, value):
    """Nothing is left that could tell the two apart; what was kept first stays."""
    first = evening.enter("Ana", contact={member: "a@example.org"}, Idempotency_Key=KEY)
    again = evening.enter("Ana", contact={member: value}, Idempotency_Key=KEY)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
    assert evening.get("/players/p1/personal", by="p1").body["data"] == {member: "a@example.org"}


def test_a_personal_value_where_there_was_none_is_another_request(evening):
    evening.enter("Ana", Idempotency_Key=KEY)
    assert enter(evening).code == "idempotency-key-reused"


def test_members_of_a_list_and_of_a_reason_are_left_out_too(evening):
    evening.venue()
    players = [{"name": name, "contact": {"email": f"{name}@example.org"}} for name in ("ana", "ben")]
    evening.post("/players/list", {"players": players}, Idempotency_Key="list")
    players[1]["contact"]["email"] = "other@example.org"
    again = evening.post("/players/list", {"players": players}, Idempotency_Key="list")
    assert again.headers["Idempotent-Replayed"] == "true"
    table = {"venue": "v1", "table": 1}
    evening.do("p1", "table", {**table, "reason": "a wheelchair"}, Idempotency_Key="table")
    again = evening.do("p1", "table", {**table, "reason": "a dog"}, Idempotency_Key="table")
    assert again.headers["Idempotent-Replayed"] == "true"
    other = evening.do("p1", "table", {"venue": "v1", "table": 2, "reason": "a dog"}, Idempotency_Key="table")
    assert other.code == "idempotency-key-reused"


class TestExchangedKeys:
    """Keys are exchanged while requests are on their way: the digests are made with others that follow from them."""

    @pytest.fixture
    def old(self, new_club) -> Club:
        return new_club("registration", REGISTRATION_SIGNING_KEY=OLD)

    def restarted(self, club: Club, keys: str) -> Club:
        env = {**club.env, "REGISTRATION_SIGNING_KEY": keys}
        with logging_as_it_was():
            return Club(wiring.build_web(env), club.settings, club.sources, env)

    def at(self, club: Club, evening: Evening, keys: str) -> Evening:
        """The same tournament after a restart with these keys."""
        return Evening(self.restarted(club, keys), evening.id)

    @pytest.mark.parametrize("ask", [enter, sign_up])
    def test_a_request_is_recognised_while_the_old_key_is_known(self, old, ask):
        evening = announced(old, sign_up="open")
        first = ask(evening)
        assert first.status == 201
        after = self.at(old, evening, f"{NEW},{OLD}")
        again = ask(after)
        assert (again.status, again.headers["Idempotent-Replayed"]) == (201, "true")
        assert again.events == first.events
        assert after.names("active") == ["Ana"]
        assert ask(after, "Ben").code == "idempotency-key-reused"

    def test_a_request_from_before_is_refused_once_the_old_key_is_gone(self, old):
        evening = announced(old, sign_up="open")
        enter(evening)
        after = self.at(old, evening, NEW)
        assert enter(after).code == "idempotency-key-reused"
        assert after.names("active") == ["Ana"]

    def test_a_sign_up_from_before_finds_its_name_taken_once_the_old_key_is_gone(self, old):
        evening = announced(old, sign_up="open")
        sign_up(evening)
        after = self.at(old, evening, NEW)
        assert sign_up(after).code == "name-taken"
        assert after.names("active") == ["Ana"]


def test_the_key_of_a_guest_cannot_be_tried_either(announce):
    """Anyone who knows the key gets the link, so the log has no plain digest of it."""
    evening = announce(sign_up="open")
    sign_up(evening)
    (line,) = evening.get("/log", by=NOBODY).lines[1:]
    kept = line["commandid"].partition("~")[0]
    assert len(kept) == 32
    assert kept != hashlib.sha256(KEY.encode()).hexdigest()[:32]


def test_keys_of_fingerprints_differ_from_the_secrets_they_come_from():
    one, two = b"a" * 32, b"b" * 32
    assert len({*fingerprint_keys((one, two)), one, two}) == 4
