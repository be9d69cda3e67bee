"""Which rounds and standings everybody may see, and who sits where in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from muster_client import Muster, Problem, answers
from services.console.words import LONG_NAME


class Sitting(Struct, frozen=True):
    """A player's line in the pairings. against: empty for a bye. place: the id of the venue, whose name is `venue`."""

    name: str
    against: str
    venue: str
    table: int
    place: str

    @property
    def long(self) -> bool:
        """Whether the name is set smaller on a wall."""
        return len(self.name) > LONG_NAME


def published(rounds: Iterable[answers.RoundListed]) -> list[answers.RoundListed]:
    """The rounds that everybody may see: a wall hangs in the hall, whoever signed in on its computer."""
    return [one for one in rounds if one.status != "draft"]


def standings_of(asked: Muster, event: str, limit: int, around: str | None = None) -> answers.StandingsView | None:
    """The standings as who is asked for sees them; None where there are none yet, or none that they see."""
    try:
        return asked.scoring.show_standings(event, limit=limit, around=around)
    except Problem as problem:
        if problem.status in (404, 409):
            return None
        raise


def is_begun(asked: Muster, event: str, standings: answers.StandingsView) -> bool:
    """Return True if a result counts. Before that a rank is only the order in which ids are compared."""
    if standings.round == 0:
        return False
    if standings.round > 1 or not standings.provisional:
        return True
    first = asked.scoring.show_standings(event, limit=1).items
    return bool(first) and any(_is_something(value) for value in first[0].values.values())


def shared_ranks(standings: answers.StandingsView) -> set[int]:
    """Return the ranks that several rows have: nothing was drawn between them."""
    of = Counter(row.rank for row in standings.items)
    return {rank for rank, rows in of.items() if rows > 1}


def _is_something(value: object) -> bool:
    try:
        return float(str(value)) != 0
    except ValueError:
        return False


def sides_of(game: answers.PairingView) -> list[list[str]]:
    """Return the names on each side of a game: two sides, or as many as it has; one for a bye."""
    if game.sides:
        return [[one.name for one in side] for side in game.sides]
    names = [game.name_1] if not game.player_2 else [game.name_1, game.name_2]
    return [[name] for name in names]


def sittings(games: Iterable[answers.PairingView]) -> Iterator[Sitting]:
    """Yield a line for everybody in each game, however many it has, and for the one side of a bye."""
    for game in games:
        sides = sides_of(game) if game.status != "bye" else [[game.name_1]]
        for mine in sides:
            rivals = ", ".join(name for side in sides if side is not mine for name in side)
            for name in mine:
                yield Sitting(name, rivals, game.venue_name, game.table, game.venue)
