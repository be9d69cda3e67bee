"""Private tournaments do not exist for callers without access: on every operation of every service.

Every route of the three services is asked twice, about a private tournament in the middle of its second round and
about one that nobody announced: without a token, and with tokens of another tournament. Status, headers and body have
to be the same, but for what names the one request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import cycle

import pytest
from werkzeug.routing import Rule

from shared.roles import ROLES, SERVICE
from shared.settings import SERVICES
from tests.fuzz.muster import Evening, Muster, documents
from tests.season.story import new_season
from tests.services.conftest import logging_as_it_was

NOWHERE = "t-000000000000"
PARTS = {"player": "p1", "round": "1", "game": "r1g1", "venue": "v1", "staff": "s1", "award": "a1", "form": "slips"}
PARTS |= {
    "call": "c1",
    "session": "r1t1",
    "party": "g1",
    "gathered": "t-1",
    "group": "p1",
    "statement": "1",
    "step": "s1",
    "member": "m1",
}
PARTS |= {
    "webhook": "w1",
    "delivery": "1",
    "type": "VenueOpened",
    "version": "2",
    "account": "caps",
    "ruleset": "star-wars-armada-1.1",
}
OF_THE_REQUEST = {"X-Request-Id", "RateLimit", "Date"}

SIGNING_UP = {"name": "Zoë"}
BODIES = {
    "sign_up": [SIGNING_UP, {**SIGNING_UP, "invitation": "p1-k3v9x2aq"}],
    "sign_up_party": [{"players": [SIGNING_UP, {"name": "Yves"}]}],
    "claim_own": [{}, {"name": "Zoë"}],
}
"""Of commands that take no role, or that of another tournament, and so look at the body."""

HEADERS = [
    {},
    {"Muster-Seen": "registration=1"},
    {"Muster-Seen": "registration=900, pairing=1, scoring=1"},
    {"If-Match": '"registration-1"', "If-None-Match": "*"},
    {"If-Match": '"pairing-900"', "Idempotency-Key": "0123456789abcdef"},
    {"If-Match": '"scoring-1"', "Idempotency-Key": "0123456789abcdef~"},
]


OF_A_SEASON = ("nobody", "player", "organiser", "organiser everywhere")
"""Who asks a season: the routes and who sees what are one for both, and each question to a season asks two services."""

ALL_HEADERS = ("nobody",)
"""Who asks each operation with each of them; the others take turns, since headers are read before roles differ."""


@pytest.fixture(scope="module")
def muster(tmp_path_factory) -> Iterator[Muster]:
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("private"))


@pytest.fixture(scope="module")
def elsewhere(muster: Muster) -> Evening:
    return muster.evening("before")


@pytest.fixture(scope="module", params=["swiss", "season"])
def private(request, muster: Muster, elsewhere: Evening) -> str:
    if request.param == "swiss":
        return muster.evening("middle", visibility="private").id
    season = new_season(muster, visibility="private")
    operator = muster.token("operator")
    answer = season.ask("POST", "registration", "/season/tournaments", {"tournament": elsewhere.id}, operator)
    assert answer.status == 201, answer
    return season.id


def strangers(muster: Muster, elsewhere: Evening) -> dict[str, str]:
    """Who asks -> their token."""
    roles = {role: muster.token(role, elsewhere.id) for role in ROLES if role not in ("player", SERVICE)}
    everywhere = muster.token("organiser", actor="another club")
    player = muster.token("player", elsewhere.id, player="p1")
    return {"nobody": "", "player": player, "organiser everywhere": everywhere, **roles}


def operations(muster: Muster, service: str) -> Iterator[tuple[Rule, str]]:
    for rule in muster.apps[service].url_map.iter_rules():
        if "tournament" in rule.arguments:
            for method in sorted(rule.methods or ()):
                yield rule, method


def address(rule: Rule, tournament: str) -> str:
    parts = {**PARTS, "tournament": tournament}
    return re.sub(r"<(?:[^<>]*:)?([a-z]+)>", lambda found: parts[found[1]], rule.rule)


def answered(muster: Muster, service: str, method: str, where: str, tournament: str, **how) -> tuple:
    answer = muster.clients[service].open(where, method=method, **how)
    body = re.sub(r'"request_id":"[0-9a-f]+"', "", answer.get_data(as_text=True)).replace(tournament, "ID")
    headers = [(name, value.replace(tournament, "ID")) for name, value in answer.headers if name not in OF_THE_REQUEST]
    return answer.status_code, body, headers


@pytest.mark.parametrize("service", SERVICES)
def test_private_tournament_does_not_exist_for_strangers(service, muster, elsewhere, private, request):
    told: dict[str, set[int]] = {}
    in_turn = cycle(HEADERS)
    asking = strangers(muster, elsewhere)
    if request.node.callspec.params["private"] == "season":
        asking = {who: asking[who] for who in OF_A_SEASON}
    for rule, method in operations(muster, service):
        for who, token in asking.items():
            for body in BODIES.get(rule.endpoint.rpartition(".")[2], [{}]) if method != "GET" else [None]:
                for given in HEADERS if who in ALL_HEADERS else [next(in_turn)]:
                    how = {"headers": {**given, **({"Authorization": f"Bearer {token}"} if token else {})}}
                    if body is not None:
                        how |= {"data": json.dumps(body), "content_type": "application/json"}
                    one, other = (
                        answered(muster, service, method, address(rule, id), id, **how) for id in (private, NOWHERE)
                    )
                    assert one == other, (rule.rule, method, who, given)
                    told.setdefault(method, set()).add(one[0])
    assert 404 in told["GET"]
    assert {status for statuses in told.values() for status in statuses} <= {200, 400, 401, 403, 404, 412, 422}
    assert told["GET"] <= {400, 401, 403, 404, 422}


def test_link_of_another_tournament_gives_no_access(muster, elsewhere, private):
    link = muster.token("player", elsewhere.id, player="p1")
    for service in SERVICES:
        for rule, method in operations(muster, service):
            if method == "GET":
                asked = [f"{address(rule, id)}?token={link}" for id in (private, NOWHERE)]
                one, other = (
                    answered(muster, service, "GET", where, id)
                    for where, id in zip(asked, (private, NOWHERE), strict=True)
                )
                assert one == other, rule.rule


def test_members_have_access(muster, private):
    for token in (muster.token("organiser", private), muster.token("service")):
        for service in SERVICES:
            for rest in ("/log", "/heads"):
                where = f"/tournaments/{private}{rest}"
                assert muster.ask("GET", service, where, token=token).status == 200


def test_season_of_another_organiser_learns_nothing(muster, private):
    season = new_season(muster)
    for rest, body in (
        ("/tournaments", {"tournament": "{}"}),
        ("/continuation", {"season": "{}"}),
        ("/claims/by-name", {"tournament": "{}"}),
        ("/claims", {"claims": [{"tournament": "{}", "entry": "p1"}]}),
    ):
        said = [json.loads(json.dumps(body).replace("{}", id)) for id in (private, NOWHERE)]
        one, other = (
            answered(
                muster,
                "registration",
                "POST",
                f"/tournaments/{season.id}/season{rest}",
                id,
                json=what,
                headers={"Authorization": f"Bearer {muster.token('organiser', season.id)}"},
            )
            for what, id in zip(said, (private, NOWHERE), strict=True)
        )
        assert one == other, rest
        assert one[0] >= 400, rest


def test_every_address_part_is_filled_in():
    named = {
        part for document in documents().values() for path in document["paths"] for part in re.findall(r"{(\w+)}", path)
    }
    assert named - {"tournament"} <= set(PARTS)
