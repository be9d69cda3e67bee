"""Which rounds and standings everybody may see, who sits where in one, and names in the order of their letters."""

from __future__ import annotations

import unicodedata
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


def sittings(games: Iterable[answers.PairingView]) -> Iterator[Sitting]:
    """Both sides of each game, and the one side of a bye."""
    for game in games:
        bye = game.status == "bye"
        yield Sitting(game.name_1, "" if bye else game.name_2, game.venue_name, game.table, game.venue)
        if not bye:
            yield Sitting(game.name_2, game.name_1, game.venue_name, game.table, game.venue)


def by_letters(name: str) -> tuple[str, str]:
    """Names in the order of their letters, marks and case aside, so that Ö stands with O; then as they are."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    return plain.casefold(), name
