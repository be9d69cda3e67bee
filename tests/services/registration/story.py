"""Verbs of registration: who joins, who leaves, whose list is taken."""

from __future__ import annotations

from typing import Any

from shared.service.wiring import WIRED, Service
from tests.services.story import Answer, Club, Json, Tournament

ARMADA = "star-wars-armada-1.1"

FLEET: Json = {
    "faction": "rebel",
    "fleet_total": 300,
    "commanders": [{"name": "General Dodonna", "points": 20}],
    "ships": [
        {"name": "Assault Frigate", "points": 81, "upgrades": [{"name": "Gallant Haven", "points": 8}]},
        {"name": "Nebulon-B", "points": 57},
        {"name": "CR90", "points": 44},
    ],
    "squadrons": [{"name": "X-wing", "points": 13}, {"name": "Luke Skywalker", "points": 77}],
    "objectives": [
        {"name": "Most Wanted", "category": "assault"},
        {"name": "Contested Outpost", "category": "defense"},
        {"name": "Superior Positions", "category": "navigation"},
    ],
}
"""A legal fleet of just 300 points."""


class Evening(Tournament):
    """A tournament of registration."""

    def enter(self, name: str, by: str = "organiser", **more: Any) -> Answer:
        """Enter a player. Keyword arguments that begin with a capital are headers."""
        headers = {key: value for key, value in more.items() if key[0].isupper()}
        members = {key: value for key, value in more.items() if key not in headers}
        return self.post("/players", {"name": name, **members}, by, **headers)

    def join(self, *names: str, **more: Any) -> list[str]:
        """Players get a seat, or a place on the waiting list; returns their ids."""
        answer = self.post("/players/list", {"players": [{"name": name, **more} for name in names]})
        assert answer.status == 201, answer
        return [player["id"] for player in answer.body["players"]]

    def do(self, player: str, what: str, body: Any = None, by: str = "organiser", **headers: str) -> Answer:
        """Something happens to a player: drop, check-in, roster …; without a body where none is taken."""
        return self.post(f"/players/{player}/{what}", body, by, **headers)

    def player(self, player: str) -> Json:
        """Return the public view of a player."""
        return dict(self.get(f"/players/{player}").body)

    def names(self, status: str) -> list[str]:
        """The names of the players of a status, in order."""
        return [player["name"] for player in self.get(f"/players?status={status}").body["items"]]

    def venue(self, name: str = "Hall", tables: int = 4) -> str:
        """A venue opens; returns its id."""
        answer = self.post("/venues", {"name": name, "tables": tables})
        assert answer.status == 201, answer
        return str(answer.events[0]["data"]["venue"])

    def staff(self, name: str, role: str, **more: Any) -> tuple[str, str]:
        """Appoint a member of staff. Return their id and token."""
        answer = self.post("/staff", {"name": name, "role": role, **more})
        assert answer.status == 201, answer
        return answer.body["id"], answer.body["token"]

    def react(self, source: str = "pairing") -> None:
        """Registration reacts to what was copied of another service's log."""
        self.club.app.extensions[WIRED][Service].handle_copies(self.id, source)

    def started(self, round: int, *held: str) -> None:
        """Pairing starts the clock of a round, and registration reacts."""
        super().started(round, *held)
        self.react()

    def concluded(self, time: str = "2026-03-01T10:00:00.000Z") -> None:
        """Scoring concludes the tournament, and registration reacts."""
        super().concluded(time)
        self.react("scoring")

    def regularly(self) -> None:
        """The worker does what it does every few seconds."""
        done = self.club.app.extensions[WIRED][Service].on_tick
        assert done is not None
        done()

    def begin(self, *players: str) -> None:
        """Round 1 is paired and started among these players, two by two."""
        self.pair_first(*players)
        self.started(1)

    def pair_first(self, *players: str) -> None:
        """Round 1 is paired among these players, two by two; who is left over has a bye."""
        self.paired(1, *[players[index : index + 2] for index in range(0, len(players), 2)])


def announced(club: Club, **members: Any) -> Evening:
    """Announce a tournament; members of the announcement by name."""
    ruleset = {} if "pack" in members else {"ruleset": ARMADA}
    body = {"name": "Club night", **ruleset, **members}
    answer = club.ask("POST", "/tournaments", body, token=club.token("operator"))
    assert answer.status == 201, answer
    return Evening(club, answer.body["id"])
