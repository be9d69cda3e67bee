"""What a stranger may do to a running Muster, over its sockets: no second Maria, no log without end, no wild score."""

from __future__ import annotations

import httpx
import pytest

from muster.simulator.director import Director
from muster_client import Problem
from tests import http
from tests.console.conftest import announced

FLEET = {
    "faction": "rebel",
    "fleet_total": 100,
    "commanders": [{"name": "General Dodonna", "points": 20}],
    "ships": [{"name": "Nebulon-B", "points": 80}],
    "squadrons": [],
    "objectives": [{"name": kind, "category": kind} for kind in ("assault", "defense", "navigation")],
}


@pytest.fixture(scope="module")
def open_night(stack) -> Director:
    return announced(stack, "Open night", sign_up="open")


@pytest.fixture
def ask(stack, open_night):
    """POST to a service, below the tournament."""

    def post(service: str, rest: str, body: object, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = f"{stack.urls[service]}/tournaments/{open_night.id}{rest}"
        return http.post(address, json=body, headers=headers)

    return post


def code(answer: httpx.Response) -> str:
    return "" if answer.status_code < 400 else str(answer.json()["code"])


def test_maria_is_there_once(ask):
    forms = ["Maria", "Ma\u200bria", "Ma\u00adria", "Ｍａｒｉａ", "MARIA", "Maria\ufe0f"]
    codes = [code(ask("registration", "/sign-up", {"name": name})) for name in forms]
    assert codes == [
        "",
        *["invalid-request"] * 2,
        *["name-taken"] * 2,
        "invalid-request",
    ]


def test_one_sign_up_stores_no_60_rosters_of_226_kilobytes(ask, stack, open_night):
    token = ask("registration", "/sign-up", {"name": "Mallory"}).json()["players"][0]
    roster = f"/players/{token['id']}/roster"
    ship = {"name": "x" * 226_000, "points": 80}
    large = [ask("registration", roster, {"roster": FLEET | {"ships": [ship]}}, token["token"]) for _ in range(3)]
    assert {code(answer) for answer in large} == {"roster-too-large"}
    small = [
        ask("registration", roster, {"roster": FLEET | {"ships": [{"name": f"{n}", "points": 80}]}}, token["token"])
        for n in range(60)
    ]
    assert [code(answer) for answer in small] == [""] * 30 + ["quota-reached"] * 30
    assert small[-1].json()["data"]["limit"] == 30


def test_a_wild_score_is_asked_back(stack):
    evening = announced(stack, "Wild night")
    evening.join({"name": f"Player {number}"} for number in range(1, 5))
    evening.pair()
    evening.start(1)
    game = evening.open_games(1)[0]
    facts = {"points_1": 1500, "points_2": 150, "end": "rounds", "second_player": 2}
    with pytest.raises(Problem) as refused:
        evening.do("scoring", f"/games/{game['id']}/result", {"facts": facts})
    assert refused.value.code == "improbable-result"
    evening.do("scoring", f"/games/{game['id']}/result", {"facts": facts, "improbable": True})
    shown = next(shown for shown in evening.games(1) if shown["id"] == game["id"])
    assert (shown["improbable"], shown["status"]) == (True, "confirmed")
    correction = {"facts": facts | {"points_1": 150}, "reason": "a digit too many"}
    evening.do("scoring", f"/games/{game['id']}/correction", correction)
