"""A tournament director over HTTP: sends what an organiser, players' phones and a referee would send."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeVar, cast

from muster_client import Muster, answers, bodies
from muster_client.plain import path_of

LONGEST_LIST = 1000
"""Players entered with one request."""

PHONES = 4
"""Games reported at the same time."""

Json = Mapping[str, Any]
Thing = TypeVar("Thing")
StaffRole = Literal["organiser", "head_referee", "referee", "spare", "integration"]
Facts = Callable[[Json], Json]
"""Returns the facts of the result of a game, which is as shown by scoring."""


@dataclass
class Director:
    """Runs one tournament. organiser: the organiser's client. players: player id -> the client of the player's link.

    names: player id -> public name.
    """

    id: str
    organiser: Muster
    players: dict[str, Muster] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def announce(cls, operator: Muster, **announcement: Any) -> Director:
        """Announce a tournament with the members of `POST /tournaments`."""
        announced = operator.registration.announce_tournament(**announcement)
        return cls(announced.id, operator.acting_as(announced.token))

    def path(self, rest: str = "") -> str:
        """Return a path of this tournament."""
        return path_of(self.id, rest)

    def open_venue(self, name: str, tables: int) -> str:
        """Open a venue with tables 1 to `tables`; return its id."""
        return self.organiser.registration.open_venue(self.id, name=name, tables=tables).id or ""

    def appoint(self, name: str, role: StaffRole) -> tuple[str, Muster]:
        """Appoint a member of staff; return the id and the client."""
        appointed = self.organiser.registration.appoint_staff(self.id, name=name, role=role)
        return appointed.id or "", self.organiser.acting_as(appointed.token)

    def join(self, players: Iterable[Json], *, late: bool = False) -> list[str]:
        """Enter players; return their ids in order."""
        waiting, ids = list(players), []
        while waiting:
            now = _entries(waiting[:LONGEST_LIST])
            ids += self._entered(self.organiser.registration.join_players(self.id, players=now, late=late))
            waiting = waiting[LONGEST_LIST:]
        return ids

    def join_late(self) -> list[str]:
        """Enter a player after round 1, at the first venue; return the id."""
        venue = self.organiser.registration.show_tournament(self.id).venues[0].id
        return self.join([{"name": "Late Comer", "venue": venue}], late=True)

    def join_party(self, players: Iterable[Json]) -> list[str]:
        """Enter a party of a co-operative event; return the ids in order."""
        return self._entered(self.organiser.registration.join_party(self.id, players=_entries(players)))

    def sign_up(self, player: Json) -> str:
        """Sign up a player without a token; return the id."""
        guest = self.organiser.acting_as("")
        return self._entered(guest.registration.sign_up(self.id, **cast(bodies.Guest, player)))[0]

    def sign_up_party(self, players: Iterable[Json]) -> list[str]:
        """Sign up a party of a co-operative event; return the ids in order."""
        guest = self.organiser.acting_as("")
        return self._entered(
            guest.registration.sign_up_party(self.id, players=[cast(bodies.Guest, one) for one in players])
        )

    def invitation(self, player: str) -> str:
        """Return the invitation code of a survivor's party."""
        return self.players[player].registration.show_invitation(self.id, player).invitation

    def _entered(self, answer: answers.Joined) -> list[str]:
        """Keep the link and the name of each entered player; return their ids."""
        for player in answer.players:
            self.players[player.id] = self.organiser.acting_as(player.token)
            self.names[player.id] = player.name
        return [player.id for player in answer.players]

    def do(self, service: str, rest: str, body: Any = None) -> Any:
        """Send a command as the organiser."""
        return self.organiser.plain.post(service, self.path(rest), body)

    def does(self, player: str, what: str, body: Any = None) -> Any:
        """Send a command of a player: `check-in`, `roster`, `drop`, …"""
        return self.players[player].plain.post("registration", self.path(f"/players/{player}/{what}"), body)

    def pair(self, **body: Any) -> int:
        """Pair the next round; return its number."""
        paired = self.organiser.pairing.pair_round(self.id, **body)
        return int(paired.id)

    def start(self, round: int) -> None:
        """Start the clock of a round."""
        self.organiser.pairing.start_round(self.id, round)

    def games(self, round: int) -> list[dict[str, Any]]:
        """Return the games of a round from scoring, byes included."""
        return list(self.organiser.plain.items("scoring", self.path("/games"), round=round))

    def open_games(self, round: int) -> list[dict[str, Any]]:
        """Return the games of a round without a report."""
        return [game for game in self.games(round) if game["status"] == "open"]

    def report(self, game: Json, facts: Json) -> None:
        """Report and confirm a game from the phones of both players."""
        reporter, other = self.players[game["player_1"]].scoring, self.players[game["player_2"]].scoring
        reporter.report_result(self.id, game["id"], facts=cast(bodies.Facts, facts))
        other.confirm_result(self.id, game["id"])

    def play(self, round: int, facts: Facts, seated: Callable[[Json], bool] = lambda game: True) -> int:
        """Play and report every open game, or those in `seated`, several at once; return their number."""
        games = [game for game in self.open_games(round) if seated(game)]
        at_once(lambda game: self.report(game, facts(game)), games)
        return len(games)

    def close(self, round: int) -> None:
        """Close a round."""
        self.organiser.scoring.close_round(self.id, round)

    def standings(self, **query: Any) -> dict[str, Any]:
        """Return the standings from scoring."""
        shown: dict[str, Any] = self.organiser.plain.get("scoring", self.path("/standings"), **query)
        return shown


def _entries(players: Iterable[Json]) -> list[bodies.Entry]:
    return [cast(bodies.Entry, player) for player in players]


class ByChance:
    """Base of simulations with a seed: the same seed gives the same actions."""

    seed: str

    def chance(self, of: str) -> Random:
        """Return a random source for one thing, independent of all others."""
        return Random(f"{self.seed}/{of}")


def counted(number: int, thing: str, many: str = "") -> str:
    """Return a number with its noun: `1 table`, `2 tables`. many: an irregular plural."""
    return f"{number} {thing}" if number == 1 else f"{number} {many or thing + 's'}"


def at_once(what: Callable[[Thing], None], things: Iterable[Thing], phones: int = PHONES) -> None:
    """Call a function for each item in `phones` threads. Raises the first exception."""
    with ThreadPoolExecutor(phones) as pool:
        list(pool.map(what, things))


PLAYERS = (
    *("Ada", "Bela", "Cleo", "Dora", "Edda", "Finn", "Gil", "Hana", "Ivo", "Jana", "Kai", "Lena", "Milo", "Nora"),
    *("Oskar", "Pia", "Quinn", "Rosa", "Sami", "Tara", "Ugo", "Vera", "Wim", "Xenia", "Yara", "Zeno", "Anton"),
    *("Britt", "Carl", "Dina", "Emil", "Frida", "Georg", "Heidi", "Igor", "Judit", "Klaus", "Liv", "Mats", "Nele"),
    *("Otto", "Petra", "Rolf", "Signe", "Tomas", "Ulla", "Viggo", "Wanda"),
)
VENUES = ("Old Town Hall", "Harbour Library", "Castle Cellar", "Market Arcade", "River Mill", "Station Buffet")


def player_names(count: int) -> list[str]:
    """Return different names: Ada, Bela, … Wanda, Ada 2, …"""
    return _names(PLAYERS, count)


def venue_names(count: int) -> list[str]:
    """Return different names of venues."""
    return _names(VENUES, count)


def _names(known: Sequence[str], count: int) -> list[str]:
    return [
        known[index % len(known)] + (f" {index // len(known) + 1}" if index >= len(known) else "")
        for index in range(count)
    ]
