"""A tournament director at work over HTTP: what an organiser, the players' phones and a referee would send.

Used by the demonstrations, by tests of whole tournaments and by benchmarks; it knows nothing that they do not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any

from deploy.client import Client
from shared.http import tokens
from shared.secret_keys import TokenKey

Facts = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Game as pairing shows it -> facts of its result."""


def operator(urls: Mapping[str, str], keys: Sequence[TokenKey]) -> Client:
    """A client of whoever runs the installation."""
    now = int(time.time())
    token = tokens.mint(
        keys, actor="operator", role=tokens.OPERATOR, tournament="*", jti=f"operator-{now}", iat=now, exp=now + 86_400
    )
    return Client(urls, token)


@dataclass
class Director:
    """Runs one tournament. organiser, referee: their clients; players: player id -> the client behind their link."""

    urls: Mapping[str, str]
    id: str
    organiser: Client
    players: dict[str, Client] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def announce(cls, urls: Mapping[str, str], keys: Sequence[TokenKey], **announcement: Any) -> Director:
        """Announce a tournament; the announcement's members are those of `POST /tournaments`."""
        answer = operator(urls, keys).post("registration", "/tournaments", announcement)
        return cls(urls, answer["id"], Client(urls, answer["token"]))

    def path(self, rest: str = "") -> str:
        """A path of this tournament."""
        return f"/tournaments/{self.id}{rest}"

    def open_venue(self, name: str, tables: int) -> str:
        """Open a venue with tables 1 to `tables`; returns its id."""
        answer = self.organiser.post("registration", self.path("/venues"), {"name": name, "table_count": tables})
        return str(answer["events"][0]["data"]["venue"])

    def appoint(self, name: str, role: str) -> Client:
        """Appoint a member of staff; returns their client."""
        answer = self.organiser.post("registration", self.path("/staff"), {"name": name, "role": role})
        return Client(self.urls, answer["token"], self.organiser.seen)

    def join(self, players: Iterable[Mapping[str, Any]]) -> list[str]:
        """Enter players; returns their ids in order."""
        answer = self.organiser.post("registration", self.path("/players/list"), {"players": list(players)})
        for player in answer["players"]:
            self.players[player["id"]] = Client(self.urls, player["token"], self.organiser.seen)
            self.names[player["id"]] = player["name"]
        return [player["id"] for player in answer["players"]]

    def do(self, service: str, rest: str, body: Any = None) -> Any:
        """A command of the organiser."""
        return self.organiser.post(service, self.path(rest), body)

    def pair(self, **by_hand: Any) -> int:
        """Pair the next round; returns its number."""
        answer = self.do("pairing", "/rounds", by_hand)
        return int(answer["events"][-1]["data"]["round"])

    def games(self, round: int) -> list[dict[str, Any]]:
        """The games of a round as scoring shows them, byes included."""
        return self.organiser.all("scoring", self.path("/games"), round=round)

    def play(self, round: int, facts: Facts, seated: Callable[[dict[str, Any]], bool] = lambda game: True) -> int:
        """Both players of each open game report and confirm from their phones, several at once; returns how many."""
        games = [game for game in self.games(round) if game["status"] == "open" and seated(game)]

        def play_one(game: dict[str, Any]) -> None:
            result = self.path(f"/games/{game['game']}")
            self.players[game["player_1"]].post("scoring", f"{result}/result", {"facts": facts(game)})
            self.players[game["player_2"]].post("scoring", f"{result}/confirmation")

        with ThreadPoolExecutor(4) as phones:
            list(phones.map(play_one, games))
        return len(games)

    def close(self, round: int) -> None:
        """Close a round."""
        self.do("scoring", f"/rounds/{round}/close")

    def standings(self, **query: Any) -> dict[str, Any]:
        """Standings as scoring shows them."""
        shown: dict[str, Any] = self.organiser.get("scoring", self.path("/standings"), **query)
        return shown


def fleet_battle(random: Random, limit: int = 300) -> Facts:
    """Plausible Armada results: scores of fleet points, sometimes a fleet destroyed, seldom equal scores."""

    def facts(game: Mapping[str, Any]) -> Mapping[str, Any]:
        second = random.choice((1, 2))
        if random.random() < 0.12:
            loser = random.choice((1, 2))
            score = {
                f"points_{loser}": 5 * random.randrange(0, 50),
                f"points_{3 - loser}": limit + 15 * random.randrange(4),
            }
            return {**score, "end": f"defeated_{loser}", "second_player": second}
        scores = (random.randrange(0, limit - 20), random.randrange(0, limit - 20))
        if random.random() < 0.03:
            scores = (scores[0], scores[0])
        end = random.choice(("rounds", "rounds", "time"))
        return {"points_1": scores[0], "points_2": scores[1], "end": end, "second_player": second}

    return facts
