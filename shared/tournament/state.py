"""The state of one tournament: a slice for each log and format, private rows, calls of judges, sizes of the logs.

Each log changes slices of its own, so the order in which logs interleave does not matter; the order within a log does.

Folding never changes private rows, and no other service copies them. A command writes rows in the transaction of its
events. Calls of judges are private rows of pairing, for staff and the caller. Quotas measure the sizes of the logs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from shared.log.event import GUEST, StoredEvent, read_actor
from shared.refusals import Expected
from shared.roles import PLAYER
from shared.tournament.draws import DrawRecord
from shared.tournament.people import Entries
from shared.tournament.results import Results
from shared.tournament.rounds import Rounds
from shared.tournament.webhooks import Webhooks


class PrivateRow(Struct, frozen=True):
    """One row. kind, id: its key in the tournament. body: its content; None: the row is removed.

    due_at: when the service has to act on it, RFC 3339, UTC, milliseconds; empty: never. answer: members of the answer
    to the command that wrote it. revision: of the rows of the tournament when it was written last; 0 before.
    """

    kind: str
    id: str
    body: Struct | None
    due_at: str = ""
    answer: Mapping[str, Any] = {}
    revision: int = 0


class Private(Struct, frozen=True):
    """The private rows of a tournament. revision: rises with each command that writes rows. rows: kind -> id -> row."""

    revision: int = 0
    rows: Mapping[str, Mapping[str, PrivateRow]] = {}

    def bodies(self, kind: str) -> dict[str, Any]:
        """Return the content of all rows of a kind by their ids, in the order in which they were first written."""
        return {id: row.body for id, row in self.rows.get(kind, {}).items()}

    def row(self, kind: str, id: str) -> PrivateRow | None:
        """Return a row; None if there is no such row."""
        return self.rows.get(kind, {}).get(id)

    def body(self, kind: str, id: str) -> Struct | None:
        """Return the content of a row; None if there is no such row."""
        row = self.row(kind, id)
        return row.body if row else None

    def revision_of(self, kind: str, id: str) -> int:
        """Return the revision in which a row was written last; 0 if there is no such row."""
        row = self.row(kind, id)
        return row.revision if row else 0

    def written(self, revision: int, rows: Sequence[PrivateRow]) -> Private:
        """Return the rows after these were written; rows without a revision get that of the whole."""
        kinds = {kind: dict(known) for kind, known in self.rows.items()}
        for row in rows:
            known = kinds.setdefault(row.kind, {})
            if row.body is None:
                known.pop(row.id, None)
            else:
                known[row.id] = PrivateRow(row.kind, row.id, row.body, row.due_at, {}, row.revision or revision)
        return Private(revision, kinds)


PUBLIC = frozenset({PLAYER, GUEST})
"""Roles whose events count against the quotas of players and guests."""
ENTERING = frozenset({"PlayerJoined", "PlayerWaitlisted"})


class ActorUsage(Struct, gc=False):
    """What one actor appended. bytes: of the events' data. rosters: how many were submitted."""

    events: int = 0
    bytes: int = 0
    rosters: int = 0


class LogUsage(Struct):
    """What one log holds. public_bytes: of those who are no staff; players: actor -> what they appended.

    guests: how many entered without a token; guest_window: the ten minutes (`2026-03-31T18:3`) in which the last of
    them came; guests_in_window: how many did in these.
    """

    events: int = 0
    bytes: int = 0
    public_bytes: int = 0
    players: dict[str, ActorUsage] = field(default_factory=dict)
    guests: int = 0
    guest_window: str = ""
    guests_in_window: int = 0

    def by(self, actor: str) -> ActorUsage:
        """What an actor who is no staff appended so far."""
        return self.players.get(actor) or ActorUsage()


def count_event(usage: LogUsage, told: StoredEvent, size: int) -> None:
    """Count one event. size: bytes of its data."""
    usage.events += 1
    usage.bytes += size
    actor = read_actor(told.actor)
    if actor.role not in PUBLIC:
        return
    usage.public_bytes += size
    if actor.role == GUEST:
        if told.type in ENTERING:
            moment = ten_minute_window(told.time)
            usage.guests_in_window = usage.guests_in_window + 1 if usage.guest_window == moment else 1
            usage.guests, usage.guest_window = usage.guests + 1, moment
        return
    tally = usage.players.get(actor.actor)
    if tally is None:
        tally = usage.players[actor.actor] = ActorUsage()
    tally.events += 1
    tally.bytes += size
    if told.type == "RosterSubmitted":
        tally.rosters += 1


def ten_minute_window(time: str) -> str:
    """The ten minutes that a moment lies in; time: as events have it."""
    return time[:15]


SOURCES = ("registration", "pairing", "scoring")


class StoredRow(Protocol):
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


class FormatState(Struct):
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
    formats: dict[str, FormatState] = field(default_factory=dict)
    webhooks: Webhooks = field(default_factory=Webhooks)
    usage: dict[str, LogUsage] = field(default_factory=lambda: {source: LogUsage() for source in SOURCES})
    draws: dict[str, DrawRecord] = field(default_factory=lambda: {source: DrawRecord() for source in SOURCES})
    private: Private = Private()

    @property
    def has_begun(self) -> bool:
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


Part = TypeVar("Part", bound=FormatState)
Change = Callable[[Any, Any, Any], None]
"""What an event does to a slice; called with the slice, the event and the row that it came in."""
SliceGetter = Callable[[Tournament], Any]
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
            slices: dict[str, FormatState] = {**state.formats, self.name: found}
            state.formats = dict(sorted(slices.items()))
        return found

    def replaced(self, state: Tournament, part: Part) -> Tournament:
        """The state with another slice in place of this one; the state itself stays as it is."""
        return replace(state, formats={**state.formats, self.name: part})

    def changed_by(self, changes: Mapping[type, Change]) -> dict[type, tuple[SliceGetter, Change]]:
        """The events that change it, each with the way to it."""
        return {event: (self.open, change) for event, change in changes.items()}


def slice_changes(member: str, changes: Mapping[type, Change]) -> dict[type, tuple[SliceGetter, Change]]:
    """The events that change a slice which every tournament has, each with the way to it."""
    return {event: (attrgetter(member), change) for event, change in changes.items()}


CALL = "call"
"""The kind of the rows."""
WAITING, TAKEN, ANSWERED, WITHDRAWN = "waiting", "taken", "answered", "withdrawn"


class Call(Struct, frozen=True):
    """One call. status: waiting, taken, answered or withdrawn. taken_at, ended_at: empty until then.

    referee: who took it, and who answered it in the end. ended_by: who answered or withdrew it.
    """

    id: str
    round: int
    game: str
    venue: str
    table: int
    caller: str
    reason: str
    text: str
    called_at: str
    status: str = WAITING
    referee: str = ""
    taken_at: str = ""
    ended_by: str = ""
    ended_at: str = ""
    answer: str = ""

    @property
    def open(self) -> bool:
        """Return True while a judge is awaited or at the table."""
        return self.status in (WAITING, TAKEN)


def calls_of(state: Tournament) -> Mapping[str, Call]:
    """Return every call by its id, in the order they came."""
    calls = state.private.bodies(CALL)
    return {id: calls[id] for id in sorted(calls, key=lambda id: int(id[1:]))}


def open_call_at(state: Tournament, game: str) -> Call | None:
    """Return the open call to a game; a game has one at most."""
    return next((call for call in state.private.bodies(CALL).values() if call.game == game and call.open), None)
