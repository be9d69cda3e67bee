"""A tournament director at work over HTTP: what an organiser, the players' phones and a referee would send."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeVar, cast

from muster_client import Muster, answers, bodies
from muster_client.plain import path_of

LONGEST_LIST = 1000
"""Players who are entered with one request."""

PHONES = 4
"""Games that are reported at the same time."""

Json = Mapping[str, Any]
Thing = TypeVar("Thing")
StaffRole = Literal["organiser", "head_referee", "referee", "spare", "integration"]
Facts = Callable[[Json], Json]
"""Game as scoring shows it -> facts of its result."""


@dataclass
class Director:
    """Runs one tournament. organiser: their client; players: player id -> the client behind their link.

    names: player id -> the name that everybody sees.
    """

    id: str
    organiser: Muster
    players: dict[str, Muster] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def announce(cls, operator: Muster, **announcement: Any) -> Director:
        """Announce a tournament; the announcement's members are those of `POST /tournaments`."""
        announced = operator.registration.announce_tournament(**announcement)
        return cls(announced.id, operator.acting_as(announced.token))

    def path(self, rest: str = "") -> str:
        """A path of this tournament."""
        return path_of(self.id, rest)

    def open_venue(self, name: str, tables: int) -> str:
        """Open a venue with tables 1 to `tables`; returns its id."""
        return self.organiser.registration.open_venue(self.id, name=name, tables=tables).id or ""

    def appoint(self, name: str, role: StaffRole) -> tuple[str, Muster]:
        """Appoint a member of staff; returns their id and their client."""
        appointed = self.organiser.registration.appoint_staff(self.id, name=name, role=role)
        return appointed.id or "", self.organiser.acting_as(appointed.token)

    def join(self, players: Iterable[Json], *, late: bool = False) -> list[str]:
        """Enter players; returns their ids in order."""
        waiting, ids = list(players), []
        while waiting:
            now = _entries(waiting[:LONGEST_LIST])
            ids += self._entered(self.organiser.registration.join_players(self.id, players=now, late=late))
            waiting = waiting[LONGEST_LIST:]
        return ids

    def join_late(self) -> list[str]:
        """Enter somebody who comes after round 1, at the first venue; returns their id."""
        venue = self.organiser.registration.show_tournament(self.id).venues[0].id
        return self.join([{"name": "Late Comer", "venue": venue}], late=True)

    def join_party(self, players: Iterable[Json]) -> list[str]:
        """Enter players of a co-operative event who sit together; returns their ids in order."""
        return self._entered(self.organiser.registration.join_party(self.id, players=_entries(players)))

    def sign_up(self, player: Json) -> str:
        """Somebody signs up without a token of anybody's; returns their id."""
        guest = self.organiser.acting_as("")
        return self._entered(guest.registration.sign_up(self.id, **cast(bodies.Guest, player)))[0]

    def sign_up_party(self, players: Iterable[Json]) -> list[str]:
        """A company of a co-operative event signs up by itself; returns their ids in order."""
        guest = self.organiser.acting_as("")
        return self._entered(
            guest.registration.sign_up_party(self.id, players=[cast(bodies.Guest, one) for one in players])
        )

    def invitation(self, player: str) -> str:
        """The code by which others come to a survivor's table."""
        return self.players[player].registration.show_invitation(self.id, player).invitation

    def _entered(self, answer: answers.Joined) -> list[str]:
        """Keep the link and the name of everybody who was entered; returns their ids."""
        for player in answer.players:
            self.players[player.id] = self.organiser.acting_as(player.token)
            self.names[player.id] = player.name
        return [player.id for player in answer.players]

    def do(self, service: str, rest: str, body: Any = None) -> Any:
        """A command of the organiser."""
        return self.organiser.plain.post(service, self.path(rest), body)

    def does(self, player: str, what: str, body: Any = None) -> Any:
        """A command of a player about themselves: `check-in`, `roster`, `drop` …"""
        return self.players[player].plain.post("registration", self.path(f"/players/{player}/{what}"), body)

    def pair(self, **body: Any) -> int:
        """Pair the next round; returns its number."""
        paired = self.organiser.pairing.pair_round(self.id, **body)
        return int(paired.id)

    def start(self, round: int) -> None:
        """Start the clock of a round."""
        self.organiser.pairing.start_round(self.id, round)

    def games(self, round: int) -> list[dict[str, Any]]:
        """The games of a round as scoring shows them, byes included."""
        return list(self.organiser.plain.items("scoring", self.path("/games"), round=round))

    def open_games(self, round: int) -> list[dict[str, Any]]:
        """The games of a round of which nothing was reported yet."""
        return [game for game in self.games(round) if game["status"] == "open"]

    def report(self, game: Json, facts: Json) -> None:
        """Both players of a game report and confirm from their phones."""
        reporter, other = self.players[game["player_1"]].scoring, self.players[game["player_2"]].scoring
        reporter.report_result(self.id, game["id"], facts=cast(bodies.Facts, facts))
        other.confirm_result(self.id, game["id"])

    def play(self, round: int, facts: Facts, seated: Callable[[Json], bool] = lambda game: True) -> int:
        """Every open game, or those that are `seated`, is played and reported, several at once; returns how many."""
        games = [game for game in self.open_games(round) if seated(game)]
        at_once(lambda game: self.report(game, facts(game)), games)
        return len(games)

    def close(self, round: int) -> None:
        """Close a round."""
        self.organiser.scoring.close_round(self.id, round)

    def standings(self, **query: Any) -> dict[str, Any]:
        """Standings as scoring shows them."""
        shown: dict[str, Any] = self.organiser.plain.get("scoring", self.path("/standings"), **query)
        return shown


def _entries(players: Iterable[Json]) -> list[bodies.Entry]:
    return [cast(bodies.Entry, player) for player in players]


class ByChance:
    """Who acts by chance, and by a seed: the same, the same."""

    seed: str

    def chance(self, of: str) -> Random:
        """Chance of its own for each thing, so that no other thing moves it."""
        return Random(f"{self.seed}/{of}")


def counted(number: int, thing: str, many: str = "") -> str:
    """`1 table`, `2 tables`; many: the plural, where that is no `s`."""
    return f"{number} {thing}" if number == 1 else f"{number} {many or thing + 's'}"


def at_once(what: Callable[[Thing], None], things: Iterable[Thing], phones: int = PHONES) -> None:
    """Do something for every game or player, so many at a time. Raises what the first that failed has raised."""
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
    """So many names, all different: Ada, Bela … Wanda, Ada 2 …"""
    return _names(PLAYERS, count)


def venue_names(count: int) -> list[str]:
    """So many names of venues, all different."""
    return _names(VENUES, count)


def _names(known: Sequence[str], count: int) -> list[str]:
    return [
        known[index % len(known)] + (f" {index // len(known) + 1}" if index >= len(known) else "")
        for index in range(count)
    ]
