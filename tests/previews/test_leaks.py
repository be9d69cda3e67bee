"""A preview shows a caller nothing that commands and reads would hide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from shared.settings import SERVICES
from tests.campaign.services.league import new_league
from tests.fuzz.muster import Muster
from tests.previews.previewing import previewed
from tests.season.story import new_season
from tests.services.conftest import logging_as_it_was
from tests.services.registration.story import FLEET
from tests.services.test_private_tournaments import NOWHERE, PARTS

GUEST = ""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The three services."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("leaks"))


def commands(muster: Muster, service: str) -> Iterator[tuple[str, str]]:
    """Method and rule of every command of a tournament."""
    for rule in muster.apps[service].url_map.iter_rules():
        for method in sorted({"POST", "DELETE"} & set(rule.methods or ())):
            if "tournament" in rule.arguments:
                yield method, rule.rule


@pytest.mark.parametrize("service", SERVICES)
def test_previews_hide_private_tournaments(here: Muster, service: str) -> None:
    private, elsewhere = here.evening("middle", visibility="private", sign_up="open").id, here.announce()
    asking = ["", elsewhere.token("organiser"), here.token("player", elsewhere.id, player="p1")]
    for method, rule in commands(here, service):
        for token in asking:
            told = set()
            for id in (private, NOWHERE):
                parts = {**PARTS, "tournament": id}
                address = re.sub(r"<(?:[^<>]*:)?([a-z]+)>", lambda found, parts=parts: parts[found[1]], rule)
                body = {"name": "Ana"} if rule.endswith("/sign-up") else {}
                answer = here.ask(method, service, previewed(address), body, token)
                text = re.sub(rb'"request_id":"[0-9a-f]+"', b"", answer.text).replace(id.encode(), b"ID")
                told.add((answer.status, text, answer.headers.get("ETag"), answer.headers.get("Muster-Seen")))
            assert len(told) == 1, (method, rule, told)
            assert answer.status in (401, 403, 404, 422)


def test_repeated_previews_never_show_dice(here: Muster) -> None:
    league = new_league(here, 2)
    league.hand_in("p1")
    for by in ("p1", "organiser"):
        shown = [
            league.ask("POST", "registration", previewed("/players/p1/group/turfs"), {"rolls": [{}] * 3}, by)
            for _ in range(3)
        ]
        assert {answer.text for answer in shown} == {shown[0].text}
        assert shown[0].events == []
        assert shown[0].body["uncertain"] == [{"where": "/events/0", "reason": "rolled"}]
        assert shown[0].body["moves"]["players"] == []


def test_previews_hold_no_personal_values(here: Muster) -> None:
    evening = here.evening("before", tier="casual")
    said = {
        "/players": {"name": "Zoe", "contact": {"email": "zoe@example.org", "needs": "ramp", "legal_name": "Zoë Doe"}},
        "/players/p1/table": {"venue": "v1", "table": 1, "reason": "a wheelchair"},
        "/players/p1/warnings": {"reason": "late", "note": "drunk again"},
        "/players/p1/disqualification": {"reason": "late", "note": "drunk again"},
    }
    for rest, body in said.items():
        shown = evening.ask("POST", "registration", previewed(rest), body, "head_referee")
        assert (shown.status, bool(shown.events)) == (200, True)
        for word in ("example.org", "ramp", "Doe", "wheelchair", "drunk"):
            assert word not in shown.text.decode()


def test_hidden_parts_of_a_roster_are_not_previewed(here: Muster) -> None:
    evening = here.evening("before")
    shown = evening.ask("POST", "registration", previewed("/players/p1/roster"), {"roster": FLEET}, "p1")
    assert [event["type"] for event in shown.events] == ["RosterSubmitted", "RosterAccepted"]
    assert "Most Wanted" not in shown.text.decode()
    evening.do("registration", "/players/p1/roster", {"roster": FLEET}, by="p1")
    for by, code in (("p2", "not-yours"), (GUEST, "unauthenticated")):
        other = evening.ask("POST", "registration", previewed("/players/p1/roster"), {"roster": FLEET}, by)
        assert other.code == code
        assert "General Dodonna" not in other.text.decode()
    accepted = evening.ask("POST", "registration", previewed("/players/p1/roster/acceptance"), {"note": "on paper"})
    assert accepted.status == 200
    assert "General Dodonna" not in accepted.text.decode()


def test_season_effects_are_shown_only_to_its_viewers(here: Muster) -> None:
    season = new_season(here, visibility="private")
    cup = season.cup("Ana", "Ben", "Cy", "Dee")
    operator = here.token("operator")
    gathered = here.ask(
        "POST", "registration", f"/tournaments/{season.id}/season/tournaments", {"tournament": cup.id}, operator
    )
    assert gathered.status == 201, gathered
    here.copy(season.id)
    season.claim_all(cup)
    season.follow()
    body = {"facts": {"points_1": 0, "points_2": 400}, "reason": "misread"}
    seen = {
        by: cup.ask("POST", "scoring", previewed("/games/r1g1/correction"), body, by)
        for by in ("organiser", "referee", operator)
    }
    assert [one["season"] for one in seen[operator].body["moves"]["seasons"]] == [season.id]
    for by in ("organiser", "referee"):
        assert seen[by].status == 200
        assert seen[by].body["moves"]["seasons"] == []
        assert season.id not in seen[by].text.decode()
        assert "League" not in json.dumps(seen[by].body)
