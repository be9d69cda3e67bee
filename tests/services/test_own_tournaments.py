"""An organiser with a token for all tournaments has access to their own, and is a guest in all others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.muster import ARMADA, Evening, Muster
from tests.services.conftest import logging_as_it_was
from tests.services.story import Answer

A, B = "club-a", "club-b"


@pytest.fixture(scope="module")
def muster(tmp_path_factory) -> Iterator[Muster]:
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("own"))


def announced(muster: Muster, organiser: str, visibility: str) -> Evening:
    body = {
        "name": f"{visibility} of {organiser}",
        "ruleset": ARMADA,
        "rounds": 3,
        "visibility": visibility,
        "on_purpose": ["rounds"],
    }
    answer = muster.ask("POST", "registration", "/tournaments", body, muster.token("organiser", actor=organiser))
    assert answer.status == 201, answer
    evening = Evening(muster, answer.body["id"])
    evening.do("registration", "/players", {"name": "Ana", "contact": {"phone": "1"}}, answer.body["token"])
    evening.do("registration", "/players", {"name": "Ben"}, answer.body["token"])
    evening.do("pairing", "/rounds", {}, answer.body["token"])
    return evening


@pytest.fixture(scope="module")
def evenings(muster: Muster) -> dict[str, Evening]:
    return {visibility: announced(muster, A, visibility) for visibility in ("public", "private")}


READS = (
    ("registration", "/players/p1/personal"),
    ("registration", "/players/barred"),
    ("registration", "/players/p1/links"),
    ("scoring", "/webhooks"),
    ("pairing", "/calls"),
)
COMMANDS = (
    ("registration", "/cancellation", {"reason": "x"}),
    ("registration", "/players", {"name": "Zoe"}),
    ("registration", "/staff", {"name": "Rex", "role": "referee"}),
    ("registration", "/cancellation?preview=true", {"reason": "x"}),
    ("pairing", "/rounds/1/publication", {}),
    ("scoring", "/conclusion", {"reason": "x"}),
)


def of_another(muster: Muster, evening: Evening) -> list[Answer]:
    by = muster.token("organiser", actor=B)
    reads = [evening.ask("GET", service, rest, by=by) for service, rest in READS]
    return reads + [evening.ask("POST", service, rest, body, by) for service, rest, body in COMMANDS]


def test_staff_operations_are_refused_in_other_tournaments(muster, evenings):
    before = muster.length
    codes = {visibility: [each.code for each in of_another(muster, evenings[visibility])] for visibility in evenings}
    assert set(codes["public"]) == {"not-your-tournament"}
    assert set(codes["private"]) == {"tournament-unknown"}
    assert muster.length == before


def test_announcing_organiser_and_operators_have_access(muster, evenings):
    for by in (muster.token("organiser", actor=A), muster.token("operator")):
        for evening in evenings.values():
            answers = [evening.ask("GET", service, rest, by=by) for service, rest in READS]
            assert [answer.status for answer in answers] == [200] * len(READS)
            assert evening.ask("POST", "registration", "/cancellation?preview=true", {"reason": "x"}, by).status == 200


def test_organiser_reads_other_public_tournaments_as_a_guest(muster, evenings):
    by, evening = muster.token("organiser", actor=B), evenings["public"]
    for service, rest in (("pairing", "/rounds"), ("pairing", "/log"), ("registration", "/log"), ("registration", "")):
        guest = evening.ask("GET", service, rest, by="")
        assert (guest.status, evening.ask("GET", service, rest, by=by).text) == (200, guest.text)


def test_lists_show_public_and_own_tournaments(muster, evenings):
    own = announced(muster, B, "private")
    for who in (A, B, "operator"):
        by = muster.token("operator") if who == "operator" else muster.token("organiser", actor=who)
        listed = muster.ask("GET", "registration", "/tournaments?limit=500", token=by)
        there = {line["id"] for line in listed.body["items"]} & {own.id, *(one.id for one in evenings.values())}
        assert listed.body["total"] == len(listed.body["items"])
        feed = muster.ask("GET", "scoring", "/feed?limit=500", token=by)
        assert {line["tournament"] for line in feed.lines} - {"installation"} >= there
        hidden = {one.id for one in (own, *evenings.values())} - there
        assert not hidden & {line["tournament"] for line in feed.lines}
        expected = {A: {one.id for one in evenings.values()}, B: {own.id, evenings["public"].id}}
        assert there == expected.get(who, {own.id, *(one.id for one in evenings.values())})


def test_only_operators_and_integrations_have_global_webhooks(muster):
    by = muster.token("organiser", actor=B)
    assert muster.ask("GET", "scoring", "/tournaments/installation/webhooks", token=by).code == "not-your-tournament"


def test_appointed_organiser_uses_the_token_of_the_appointment(muster, evenings):
    a, evening = muster.token("organiser", actor=A), evenings["private"]
    appointed = evening.do("registration", "/staff", {"name": "Club B", "role": "organiser"}, a).body["token"]
    assert evening.ask("GET", "registration", "/players/barred", by=appointed).status == 200
    assert evening.ask("POST", "registration", "/players", {"name": "Cy"}, appointed).status == 201
