"""Pseudonyms: a player's chosen name is used everywhere, and private data is never public."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from shared import logs, roles
from shared.settings import SERVICES
from tests.fuzz.muster import Evening, Muster, documents
from tests.services.conftest import logging_as_it_was

NOBODY = ""
LEGAL = "Wilhelmina Featherstonehaugh"
PRIVATE = {"legal_name": LEGAL, "email": "mina@example.org", "phone": "+49 170 5550123", "needs": "no stairs"}
NOTE = "swore at the referee, in German"
FILL = {"player": "p1", "round": "1", "game": "r1g1", "venue": "v1", "staff": "s1"}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Four players over two rounds; the first is Lady Fox to everybody. One leaves, all are told of."""
    with logging_as_it_was():
        evening = Muster(tmp_path_factory.mktemp("pseudonym")).announce(sign_up="open")
        evening.do("registration", "/venues", {"name": "Hall", "tables": 4})
        evening.do("registration", "/players", {"name": "Lady Fox", "contact": PRIVATE}, Idempotency_Key="lady-fox")
        for name in ("Ben", "Cy"):
            evening.do("registration", "/players", {"name": name})
        guest = {"name": "The Owl", "email": PRIVATE["email"], "legal_name": LEGAL}
        evening.do("registration", "/sign-up", guest, by=NOBODY, Idempotency_Key="an-owl-signs-itself-up")
        table = {"venue": "v1", "table": 1, "reason": PRIVATE["needs"]}
        evening.do("registration", "/players/p1/table", table)
        evening.round(1)
        for seat in evening.games(1):
            evening.report(seat["id"])
        evening.do("registration", "/players/p1/warnings", {"reason": "unsporting conduct", "note": NOTE})
        evening.do("scoring", "/rounds/1/close")
        evening.round(2)
        yield evening


def everything_view(evening: Evening, by: str) -> Iterator[tuple[str, str]]:
    """Every address that answers a question, and the answer; integrations, services and operators ask of all."""
    everywhere = by in (roles.INTEGRATION, roles.SERVICE, roles.OPERATOR)
    token = evening.muster.token(by) if everywhere else evening.token(by)
    forms = [form["id"] for form in evening.ask("GET", "scoring", "/forms").body["items"]]
    for service, document in documents().items():
        for path, methods in document["paths"].items():
            if "get" not in methods or path.endswith("/personal"):
                continue
            address = path.replace("{tournament}", evening.id)
            address = re.sub(r"{(\w+)}", lambda part: FILL.get(part[1], "x-1"), address)
            for one in [address.replace("/forms/x-1", f"/forms/{form}") for form in forms]:
                answer = evening.muster.ask("GET", service, one, token=token)
                yield f"{service} {one} {answer.status}", answer.text.decode("utf-8", "replace")
                if one == address:
                    break


@pytest.mark.parametrize("by", [NOBODY, "referee", "integration", "p1", "p2", "service", "operator"])
def test_private_data_is_only_in_its_own_answer(evening, by):
    """Log, feed, standings, slips, files, problems: whatever there is to ask, of every service."""
    shown = dict(everything_view(evening, by))
    assert sum("Lady Fox" in answer for answer in shown.values()) > 5
    assert sum("/forms/" in place and "Lady Fox" in answer for place, answer in shown.items()) > 2
    if by in ("service", "operator"):
        assert "Lady Fox" in shown["registration /log 200"]
    told = [place for place, answer in shown.items() if any(one in answer for one in (*PRIVATE.values(), NOTE))]
    assert told == []


def test_organiser_sees_legal_names(evening):
    for player in ("p1", "p4"):
        found = evening.ask("GET", "registration", f"/players/{player}/personal").body["data"]
        assert found["legal_name"] == LEGAL


def test_databases_hold_no_private_data_in_clear(evening):
    for service in SERVICES:
        database = Path(evening.muster.databases[service].url.database)
        stored = b"".join(file.read_bytes() for file in database.parent.glob(f"{database.name}*"))
        assert b"Lady Fox" in stored
        assert not any(one.encode() in stored for one in (*PRIVATE.values(), NOTE))


def test_failed_statement_is_logged_without_values(evening):
    """Its text goes to log lines, and these outlive an erasure."""
    row = {"tournament": "t-1", "player": "p1", "key": b"sealed key", "data": b"sealed data"}
    put = "INSERT INTO personal (tournament, player, key, data) VALUES (:tournament, :player, :key, :data)"
    database = evening.muster.databases["registration"]
    with pytest.raises(IntegrityError) as failed, database.writing() as connection:
        connection.run_many(put, [row, row])
    assert "personal" in str(failed.value)
    assert "sealed" not in str(failed.value)


def test_log_lines_omit_private_members(evening):
    out = io.StringIO()
    with logging_as_it_was():
        logs.configure("registration", stream=out)
        evening.ask("POST", "registration", "/players", {"name": "X", "contact": {**PRIVATE, "email": "no address"}})
        evening.ask("GET", "registration", "/players/p1/personal")
        for member in (*PRIVATE, "note", "notes", "table_reason"):
            assert logs.redact(None, "", {"event": "x", member: "private"}) == {"event": "x"}
    assert out.getvalue().count("/players") == 2
    assert not any(one in out.getvalue() for one in (*PRIVATE.values(), "no address"))
