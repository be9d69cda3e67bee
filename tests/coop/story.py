"""A co-op event over HTTP: three services in one process, one table or many.

night = new_night(muster)                        three survivors, registration closed, round 1 seated
night.set_up()                                   the first table is set up, and round 1 of its session begins
night.kill("p1")                                 a move at that table; each method returns the appended events
night.refused(409, "session-ended", ...)         a refused move, which appended nothing
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from tests.fuzz.muster import Evening, Json, Muster, documents
from tests.services.story import Answer

RULESET = "atomic-bonds"
CONDITION = "reach the fixture space"
OPPOSING, LOYAL, NEITHER = ["B"], ["A"], []
ICONS = {
    "a1": OPPOSING,
    "a2": LOYAL,
    "a3": NEITHER,
    "a4": OPPOSING,
    "a5": LOYAL,
    "a6": NEITHER,
    "a7": OPPOSING,
    "a8": LOYAL,
}
ENEMIES = {
    "a1": ["e1", "e2"],
    "a2": ["e2", "e3"],
    "a3": ["e3", "e4"],
    "a4": ["e4", "e5"],
    "a5": ["e5", "e1"],
    "a6": ["e1", "e3"],
    "a7": ["e2", "e4"],
    "a8": ["e3", "e5"],
}
CARDS: list[Json] = [{"card_id": card, "enemies": ENEMIES[card], "icons": icons} for card, icons in ICONS.items()]
GOALS: list[Json] = [
    {"card_id": f"g{number:02}", "condition_key": f"goal-{number}"}
    | ({"condition_key": "three", "counted_thing": "workshop_upgrades", "counted_number": 3} if number > 10 else {})
    for number in range(1, 13)
]
"""Twelve goals; g11 and g12 are identical: three workshop upgrades each."""


def side(loyal: str = "North", opposing: str = "South", **more: Any) -> Json:
    """Return a side of the scenario sheet with values changed."""
    icons = {"loyal_icon": "A", "opposing_icon": "B"} if loyal == "North" else {"loyal_icon": "B", "opposing_icon": "A"}
    return {
        "loyal_faction": loyal,
        "opposing_faction": opposing,
        **icons,
        "power_track_spaces": 10,
        "required_goals": 2,
        "further_victory_conditions": [CONDITION],
        "loyal_rewards": ["one C.A.M.P. token"],
        **more,
    }


def operator_data(**more: Any) -> Json:
    """Return an operator's data: one scenario with two sides. Values of North's side may be given by name."""
    top = {name: more.pop(name) for name in ("activation_cards", "goal_cards", "table", "placeholder") if name in more}
    sides = [side(**more), side("South", "North", **more)]
    return {
        "scenarios": [{"scenario_id": "fixture-one", "name": "Fixture", "sides": sides}],
        "activation_cards": deepcopy(CARDS),
        "goal_cards": deepcopy(GOALS),
        "placeholder": True,
        **top,
    }


class Night(Evening):
    """A co-op event. Moves are made at the table of `session`."""

    session = "r1t1"

    def ask(
        self, method: str, service: str, rest: str, body: Any = None, by: str = "organiser", **headers: str
    ) -> Answer:
        """Ask a service about this event, as somebody; what it refuses has to be documented."""
        answer = super().ask(method, service, rest, body, by, **headers)
        if answer.status >= 400:
            path = f"/tournaments/{self.id}{rest}".partition("?")[0]
            addresses = self.muster.apps[service].url_map.bind("localhost")
            operation = addresses.match(path, method=method)[0].rpartition(".")[2]
            responses = operations(service)[operation]["responses"]
            codes = responses.get(str(answer.status), {}).get("x-problem-codes", ())
            assert answer.code in codes, f"{operation} of {service} does not document {answer}"
        return answer

    def do(self, service: str, rest: str, body: Any = None, by: str = "organiser", **headers: str) -> Answer:
        """A command that is not refused. Where it matters, a service asks the others for what is new by itself."""
        answer = self.ask("POST", service, rest, body, by, **headers)
        assert answer.status in (200, 201), answer
        return answer

    def seat(self, **body: Any) -> Answer:
        """The next round of sessions is seated."""
        return self.do("pairing", "/session-rounds", body or None)

    def tables(self, round: int = 1) -> dict[str, list[str]]:
        """Session -> who sits there."""
        rounds = self.ask("GET", "pairing", "/session-rounds").body["items"]
        return {table["id"]: table["survivors"] for table in rounds[round - 1]["tables"]}

    def set_up(self, session: str = "", **more: Any) -> Answer:
        """A table is laid out; round 1 of its session begins."""
        self.session = session or self.session
        first = self.tables(int(self.session[1]))[self.session][0]
        body = {"scenario": "fixture-one", "loyal_faction": "North", "goals": ["g01", "g02", "g11", "g12"]}
        return self.do("scoring", f"/sessions/{self.session}/setup", {**body, "first_player": first, **more})

    def move(self, *moves: Json, by: str = "organiser") -> Answer:
        """Moves at one moment."""
        return self.do("scoring", f"/sessions/{self.session}/moves", {"moves": list(moves)}, by)

    def kill(self, survivor: str, by: str = "organiser") -> Answer:
        return self.move({"move": "survivor_killed", "survivor": survivor}, by=by)

    def goal(self, goal: str, **more: Any) -> Answer:
        return self.move({"move": "goal_completed", "goal": goal, **more})

    def card(self, card: str, **more: Any) -> Answer:
        return self.move({"move": "card_revealed", "card": card, **more})

    def upgrades(self, number: int) -> None:
        for _ in range(number):
            self.move({"move": "upgrade_gained", "survivor": self.here[0]})

    def end_round(self, card: str, enemies_on_map: int = 0) -> None:
        """A whole round end, part by part."""
        self.card(card)
        self.move({"move": "enemies_activated"})
        if "B" in ICONS[card]:
            self.move({"move": "opposing_activated", "enemies_on_map": enemies_on_map})
        if self.state["status"] == "playing":
            self.move({"move": "first_player_chosen", "player": self.here[0]})

    def move_to(self, position: int) -> None:
        """The scenario moves the token this far, from the topmost space on."""
        self.move({"move": "scenario_effect", "spaces": position - self.position})

    def win(self) -> None:
        """Two goals and the condition."""
        self.goal("g01")
        self.goal("g02")
        self.move({"move": "condition_met", "condition": CONDITION})

    def confirm(self, by: str = "organiser") -> Answer:
        return self.do("scoring", f"/sessions/{self.session}/confirmation", None, by)

    def refused(self, status: int, code: str, what: str, body: Any, by: str = "organiser") -> Answer:
        """A command at this table that is refused, and has appended nothing to any log."""
        self.token(by)  # staff who are appointed now are in the log before
        before = self.heads
        answer = self.ask("POST", "scoring", f"/sessions/{self.session}/{what}", body, by)
        assert (answer.status, answer.code) == (status, code), answer
        assert self.heads == before
        return answer

    def refuse_move(self, status: int, code: str, *moves: Json, by: str = "organiser") -> Answer:
        return self.refused(status, code, "moves", {"moves": list(moves)}, by)

    @property
    def state(self) -> Json:
        """The table as everybody sees it."""
        return dict(self.ask("GET", "scoring", f"/sessions/{self.session}").body)

    @property
    def position(self) -> int:
        return int(self.state["position"])

    @property
    def here(self) -> list[str]:
        return list(self.state["survivors"])

    def history(self, kind: str = "") -> list[Json]:
        """The events of the table, of one type if that is named."""
        items = self.ask("GET", "scoring", f"/sessions/{self.session}/history").body["items"]
        return [item["data"] for item in items if kind in ("", item["type"])]

    def types(self) -> list[str]:
        return [item["type"] for item in self.ask("GET", "scoring", f"/sessions/{self.session}/history").body["items"]]

    def ranking(self, round: int | None = None) -> Json:
        rest = "/ranking" + (f"?round={round}" if round else "")
        return dict(self.ask("GET", "scoring", rest).body)


@cache
def operations(service: str) -> Mapping[str, Json]:
    """Return the operations of a service by name, from its OpenAPI document."""
    methods = (operation for path in documents()[service]["paths"].values() for operation in path.values())
    return {operation["operationId"]: operation for operation in methods if isinstance(operation, dict)}


def new_night(
    muster: Muster, survivors: int = 3, *, data: Json | None = None, seated: bool = True, **members: Any
) -> Night:
    """Return an event with so many survivors, seated by default."""
    body = {"ruleset": RULESET, "rounds": None, "rehearsal": True, "operator_data": data or operator_data(), **members}
    night = Night(muster, muster.announce(**body).id)
    players = [{"name": f"Survivor {number}"} for number in range(1, survivors + 1)]
    if players:
        night.do("registration", "/players/list", {"players": players})
    if seated:
        night.seat()
    muster.copy(night.id)
    return night
