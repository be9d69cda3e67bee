"""One tournament as its three logs tell it. Each log touches slices of its own, so that it does not matter how
the logs interleave; within a log, order is all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from shared.refusals import Expected
from shared.tournament.draws import DrawRecord
from shared.tournament.entries import Entries
from shared.tournament.growth import Growth
from shared.tournament.private import Private
from shared.tournament.results import Results
from shared.tournament.rounds import Rounds
from shared.tournament.webhooks import Webhooks

SOURCES = ("registration", "pairing", "scoring")


class StoredEvent(Protocol):
    """What folding needs of a stored event."""

    @property
    def source(self) -> str: ...
    @property
    def position(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def time(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def data(self) -> str: ...


class OfFormat(Struct):
    """A slice of the state that only tournaments of one format have."""

    @property
    def has_begun(self) -> bool:
        """Whether something is paired or seated by what this slice tells."""
        return False

    def last_closed(self) -> int:
        """The number of the last round that is closed by what this slice tells; 0 where it tells of none."""
        return 0

    @property
    def has_results(self) -> bool:
        """Whether the tournament has results by what this slice tells, although nothing is paired or seated."""
        return False

    def has_played(self, player: str) -> bool:
        """Whether something of a player's would be left behind by what this slice tells, if they were gone."""
        return False

    def plays(self, player: str, round: int) -> bool:
        """Whether a player has begun to play a round by what this slice tells."""
        return False

    def uses_of(self, venue: str) -> list[tuple[int, Expected]]:
        """What goes on at a venue by what this slice tells, by table (0: at none), and what has to happen first."""
        return []


class Tournament(Struct):
    """The state of a tournament: slices that one log each changes. Only folding changes it; everybody else reads.

    `entries` is of every format; `rounds` and `results` of those whose players meet in games, and of every format the
    end of the event and awards; `formats`: what one format alone has, by the names of its slices; `webhooks`: who is
    told of what happens; `growth`: source -> what its log holds, and by whom; `draws`: source -> what its log says of
    its draws. `private`: rows of the service that reads
    the state, which are in no log and in no snapshot.
    """

    entries: Entries = field(default_factory=Entries)
    rounds: Rounds = field(default_factory=Rounds)
    results: Results = field(default_factory=Results)
    formats: dict[str, OfFormat] = field(default_factory=dict)
    webhooks: Webhooks = field(default_factory=Webhooks)
    growth: dict[str, Growth] = field(default_factory=lambda: {source: Growth() for source in SOURCES})
    draws: dict[str, DrawRecord] = field(default_factory=lambda: {source: DrawRecord() for source in SOURCES})
    private: Private = Private()

    @property
    def begun(self) -> bool:
        """Whether a round is paired, or of sessions seated."""
        return bool(self.rounds.rounds) or any(part.has_begun for part in self.formats.values())

    @property
    def has_results(self) -> bool:
        """Whether it has results although no round is paired, as a season has."""
        return any(part.has_results for part in self.formats.values())

    def rounds_closed(self) -> int:
        """The number of the last round that is closed, of whatever kind rounds are here."""
        return max((part.last_closed() for part in self.formats.values()), default=0) or self.results.rounds_closed()

    def open_games(self, round: int) -> list[str]:
        """Ids of the games of a round that still lack a binding result."""
        results = self.results.results
        return [
            seat.game
            for seat in self.rounds.rounds[round].seats.values()
            if seat.kind != "bye" and not ((result := results.get(seat.game)) and result.binds)
        ]


Part = TypeVar("Part", bound=OfFormat)
Change = Callable[[Any, Any, Any], None]
"""What an event does to a slice; called with the slice, the event and the row that it came in."""
Reach = Callable[[Tournament], Any]
"""How folding comes to a slice."""


class Slice(Generic[Part]):
    """A slice that one format has, by its name in the state."""

    def __init__(self, name: str, kind: type[Part]) -> None:
        self.name, self.kind = name, kind

    def of(self, state: Tournament) -> Part:
        """The slice to read; an empty one where no event has touched it."""
        found: Part | None = state.formats.get(self.name)  # type: ignore[assignment]
        return self.kind() if found is None else found

    def open(self, state: Tournament) -> Part:
        """The slice to change."""
        found: Part | None = state.formats.get(self.name)  # type: ignore[assignment]
        if found is None:
            found = self.kind()
            # By name, whichever log was folded first: the same state has the same bytes.
            slices: dict[str, OfFormat] = {**state.formats, self.name: found}
            state.formats = dict(sorted(slices.items()))
        return found

    def replaced(self, state: Tournament, part: Part) -> Tournament:
        """The state with another slice in place of this one; the state itself stays as it is."""
        return replace(state, formats={**state.formats, self.name: part})

    def changed_by(self, changes: Mapping[type, Change]) -> dict[type, tuple[Reach, Change]]:
        """The events that change it, each with the way to it."""
        return {event: (self.open, change) for event, change in changes.items()}


def of_all(member: str, changes: Mapping[type, Change]) -> dict[type, tuple[Reach, Change]]:
    """The events that change a slice which every tournament has, each with the way to it."""
    return {event: (attrgetter(member), change) for event, change in changes.items()}
