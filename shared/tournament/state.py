"""The state of one tournament: slices folded from logs, private rows, calls of judges, usage of the logs.

Each log changes its own slices, so only the order within a log matters, not how logs interleave.

Private rows are written by commands, in the transaction of their events. They are not folded and not copied to other
services. Calls of judges are private rows of pairing. Quotas are checked against the usage of the logs.
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
    """A private row.

    - `kind`, `id`: key of the row in its tournament.
    - `body`: content; None removes the row.
    - `due_at`: time at which the service has to act on the row (RFC 3339, UTC, milliseconds); empty for never.
    - `answer`: members for the answer to the command that wrote the row.
    - `revision`: revision of the tournament's rows in which this one was written last; 0 if it is new.
    """

    kind: str
    id: str
    body: Struct | None
    due_at: str = ""
    answer: Mapping[str, Any] = {}
    revision: int = 0


class Private(Struct, frozen=True):
    """The private rows of a tournament: kind -> id -> row. Each command that writes rows raises `revision`."""

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
        """Return the rows after writing these. Rows without a revision get the new revision of the whole."""
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
"""Types of events that count as sign-ups."""


class ActorUsage(Struct, gc=False):
    """The usage of a log by one actor: events, bytes of their data, and submitted rosters."""

    events: int = 0
    bytes: int = 0
    rosters: int = 0


class LogUsage(Struct):
    """The usage of one log.

    - `public_bytes`: bytes of data appended by players and guests.
    - `players`: usage by actor; staff are not included.
    - `guests`: number of sign-ups without a token.
    - `guest_window`: the ten minutes (`2026-03-31T18:3`) of the latest such sign-up.
    - `guests_in_window`: number of such sign-ups in that window.
    """

    events: int = 0
    bytes: int = 0
    public_bytes: int = 0
    players: dict[str, ActorUsage] = field(default_factory=dict)
    guests: int = 0
    guest_window: str = ""
    guests_in_window: int = 0

    def by(self, actor: str) -> ActorUsage:
        """Return the usage by a player."""
        return self.players.get(actor) or ActorUsage()


def count_event(usage: LogUsage, stored: StoredEvent, size: int) -> None:
    """Count one event with `size` bytes of data."""
    usage.events += 1
    usage.bytes += size
    actor = read_actor(stored.actor)
    if actor.role not in PUBLIC:
        return
    usage.public_bytes += size
    if actor.role == GUEST:
        if stored.type in ENTERING:
            moment = ten_minute_window(stored.time)
            usage.guests_in_window = usage.guests_in_window + 1 if usage.guest_window == moment else 1
            usage.guests, usage.guest_window = usage.guests + 1, moment
        return
    tally = usage.players.get(actor.actor)
    if tally is None:
        tally = usage.players[actor.actor] = ActorUsage()
    tally.events += 1
    tally.bytes += size
    if stored.type == "RosterSubmitted":
        tally.rosters += 1


def ten_minute_window(time: str) -> str:
    """Return the ten minutes that contain a time, as a prefix of it."""
    return time[:15]


SOURCES = ("registration", "pairing", "scoring")


class StoredRow(Protocol):
    """The members of a stored event that folding reads."""

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
    """A slice of the state that only one format has. Subclasses override the questions that apply to them."""

    @property
    def has_begun(self) -> bool:
        """True if something is paired or seated."""
        return False

    def last_closed(self) -> int:
        """Return the number of the last closed round; 0 if this slice has no closed rounds."""
        return 0

    @property
    def has_results(self) -> bool:
        """True if there are results although nothing is paired or seated."""
        return False

    def has_played(self, player: str) -> bool:
        """Return True if this slice refers to a player, who therefore cannot be removed."""
        return False

    def plays(self, player: str, round: int) -> bool:
        """Return True if a player has begun to play a round."""
        return False

    def uses_of(self, venue: str) -> list[tuple[int, Expected]]:
        """Return what keeps a venue in use: pairs of a table (0 for none) and what has to happen first."""
        return []


class Tournament(Struct):
    """The state of a tournament. Only folding changes it.

    - `entries`: registration's slice, in every format.
    - `rounds`: pairing's slice of formats with games.
    - `results`: scoring's slice: results of formats with games; conclusion and awards of every format.
    - `formats`: slices that only one format has, by name.
    - `webhooks`: the webhooks of the tournament.
    - `usage`: usage of each source's log.
    - `draws`: draws of each source's log.
    - `private`: private rows of the service that reads the state. They are in no log and no snapshot.
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
        """True if a round is paired or a session is seated."""
        return bool(self.rounds.rounds) or any(part.has_begun for part in self.formats.values())

    @property
    def has_results(self) -> bool:
        """True if there are results although no round is paired, as in a season."""
        return any(part.has_results for part in self.formats.values())

    def rounds_closed(self) -> int:
        """Return the number of the last closed round or session round."""
        return max((part.last_closed() for part in self.formats.values()), default=0) or self.results.rounds_closed()

    def open_games(self, round: int) -> list[str]:
        """Return the ids of the games of a round without a result that counts, except those closed without one."""
        results = self.results.results
        return [
            seat.game
            for seat in self.rounds.rounds[round].seats.values()
            if seat.kind != "bye"
            and not ((result := results.get(seat.game)) and result.binds)
            and seat.game not in self.results.missing
        ]


Part = TypeVar("Part", bound=FormatState)
Change = Callable[[Any, Any, Any], None]
"""Applies an event to a slice. Arguments: the slice, the event, and the stored row of the event."""
SliceGetter = Callable[[Tournament], Any]
"""Returns the slice of a state that an event changes."""


class Slice(Generic[Part]):
    """The access to a format's slice, by its name in the state."""

    def __init__(self, name: str, kind: type[Part]) -> None:
        self.name, self.kind = name, kind

    def of(self, state: Tournament) -> Part:
        """Return the slice for reading; an empty one if no event has changed it."""
        part: Part | None = state.formats.get(self.name)  # type: ignore[assignment]
        return self.kind() if part is None else part

    def open(self, state: Tournament) -> Part:
        """Return the slice for changing; add it to the state if it is missing."""
        part: Part | None = state.formats.get(self.name)  # type: ignore[assignment]
        if part is None:
            part = self.kind()
            # Sorted, so that equal states have equal bytes whichever log was folded first.
            slices: dict[str, FormatState] = {**state.formats, self.name: part}
            state.formats = dict(sorted(slices.items()))
        return part

    def replaced(self, state: Tournament, part: Part) -> Tournament:
        """Return a copy of the state with another slice in place of this one."""
        return replace(state, formats={**state.formats, self.name: part})

    def changed_by(self, changes: Mapping[type, Change]) -> dict[type, tuple[SliceGetter, Change]]:
        """Return each event type with the getter of this slice and its change."""
        return {event: (self.open, change) for event, change in changes.items()}


def slice_changes(member: str, changes: Mapping[type, Change]) -> dict[type, tuple[SliceGetter, Change]]:
    """Return, for each event type, the getter of the common slice `member` and the change to the slice."""
    return {event: (attrgetter(member), change) for event, change in changes.items()}


CALL = "call"
"""Kind of private rows that hold calls of judges."""
WAITING, TAKEN, ANSWERED, WITHDRAWN = "waiting", "taken", "answered", "withdrawn"


class Call(Struct, frozen=True):
    """A call of a judge to a game.

    - `status`: `waiting`, `taken`, `answered` or `withdrawn`.
    - `taken_at`, `ended_at`: times; empty until then.
    - `referee`: id of the referee who took the call and, in the end, of the one who answered it.
    - `ended_by`: id of the person who answered or withdrew it.
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
        """True while a judge is awaited or at the table."""
        return self.status in (WAITING, TAKEN)


def calls_of(state: Tournament) -> Mapping[str, Call]:
    """Return every call by its id, oldest first."""
    calls = state.private.bodies(CALL)
    return {id: calls[id] for id in sorted(calls, key=lambda id: int(id[1:]))}


def open_call_at(state: Tournament, game: str) -> Call | None:
    """Return the open call to a game, if any. A game has at most one."""
    return next((call for call in state.private.bodies(CALL).values() if call.game == game and call.open), None)
