"""Rows of a service's command table, and the quotas that apply to every command.

Quotas depend only on the folded state, so every process comes to the same answer. Folding itself checks no quota: a log
that was written under other quotas can still be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shared.log.command_record import CommandForm
from shared.log.event import GUEST, Event, byte_length
from shared.log.log import Entry
from shared.service.refusals import SignUpsPaused
from shared.tournament.guards import By, Context, Venues, authority_denial, require_format, require_own_venue
from shared.tournament.state import ENTERING, LogUsage, PrivateRow, Tournament, ten_minute_window
from shared.web.refusals import Forbidden, QuotaReached, TokenRevoked

Row = TypeVar("Row")
Decide = Callable[[Tournament, Any, Context], Sequence[Event]]
DecideWithRows = Callable[[Tournament, Any, Context], Sequence[Event | PrivateRow]]
"""A decision that may also write private rows."""
Version = Callable[[Tournament, Any], int]
"""Returns the position of the last event about the thing that a command names; 0 if there is none."""


class Handler(Struct, frozen=True):
    """The row of a command.

    decide: returns the events of the command.
    roles: the callers who may give it; empty: everyone. by_rule: only a rule may give it.
    formats: the tournament formats that have the command; empty: all.
    venues: returns the venues that the command is about, for staff of one venue.
    version: the last change of the thing that the command names, compared with If-Match; without it, If-Match holds
    only if nothing at all was appended since. revision: the same for the private row that the command is about.
    requires_latest: ask the other services for their latest events before deciding.
    slow: the decision may take seconds, so it is made before the log is locked.
    drafts: the command may be about unpublished drafts; other commands are decided without them.
    private: the decision may write private rows.
    complete: adds the private rows that a command publishes to the command, before it is decided and recorded; it is
    called with the state with drafts. form: how the command is recorded.
    """

    decide: DecideWithRows
    roles: Sequence[str] = ()
    by_rule: bool = False
    formats: Collection[str] = ()
    venues: Venues | None = None
    version: Version | None = None
    requires_latest: bool = False
    slow: bool = False
    drafts: bool = False
    private: bool = False
    complete: Callable[[Tournament, Any], Any] | None = None
    revision: Version | None = None
    form: CommandForm = CommandForm()

    def allow(self, state: Tournament, command: Any, by: By) -> None:
        """Check that the state allows this actor to give the command.

        Raises WrongFormat, TokenRevoked, Forbidden, OtherVenue.
        """
        require_format(state, self.formats)
        if lack := authority_denial(state.entries, by, self.roles, self.by_rule):
            raise TokenRevoked(lack.detail) if lack.taken_back else Forbidden(lack.detail, role=by.role)
        if self.venues is not None:
            require_own_venue(state, by, self.venues(state, command))


def with_versions(
    handlers: Mapping[type, Handler], things: Mapping[str, Version], exclude: Collection[type] = ()
) -> dict[type, Handler]:
    """Return the rows with `version` set by the thing that each command names. A row with a version keeps it.

    things: member of a command -> the version of the thing that it names; if a command has several of these members,
    the first one in this mapping counts. exclude: commands to leave out, because they create something or change more
    than the thing that they name.
    """
    return {
        command: row
        if row.version is not None or row.by_rule or command in exclude
        else replace(row, version=_version_for(command, things))
        for command, row in handlers.items()
    }


def _version_for(command: type, things: Mapping[str, Version]) -> Version | None:
    members = command.__struct_fields__  # type: ignore[attr-defined]
    return next((version for member, version in things.items() if member in members), None)


def by_format(rows: Mapping[str, Row], decide: Callable[[Row, Tournament, Any, Context], Sequence[Event]]) -> Decide:
    """Return a decision that passes the row of the tournament's format to `decide`.

    rows: format -> its row, looked up at every decision. A tournament that is not announced yet uses the first row.
    The decision raises WrongFormat for a format without a row.
    """

    def decide_by_row(state: Tournament, command: Any, context: Context) -> Sequence[Event]:
        require_format(state, rows)
        return decide(rows[state.entries.format or next(iter(rows))], state, command, context)

    return decide_by_row


KIB, MIB = 1024, 1024 * 1024


class Bounds(Struct, frozen=True):
    """Quotas of one log of one tournament; bytes count the data of events. public: players and guests together."""

    player_events: int
    player_bytes: int
    public_bytes: int
    events: int
    bytes: int


BOUNDS: Mapping[str, Bounds] = MappingProxyType(
    {
        "registration": Bounds(500, 256 * KIB, 256 * MIB, 1_000_000, 1024 * MIB),
        "pairing": Bounds(500, 256 * KIB, 64 * MIB, 1_000_000, 1024 * MIB),
        "scoring": Bounds(20_000, 4 * MIB, 1024 * MIB, 5_000_000, 4096 * MIB),
    }
)
"""Source -> its quotas. Measured: a campaign player appends 120 events and 17 kB to the log of scoring per round."""

ROSTERS = 30
"""Rosters that a player may submit in a tournament; staff may submit more for the player."""

GUESTS, GUESTS_A_SEAT, GUESTS_MORE = 10_000, 4, 100
"""Sign-ups without a token: the total if seats are unlimited, else the number per seat plus a fixed number."""

GUESTS_IN_TEN_MINUTES = 1_000

ALWAYS_ACCEPTED = frozenset(
    {
        *(
            "TournamentCancelled",
            "TournamentConcluded",
            "RoundClosed",
            "PartClosed",
            "PartSetAside",
            "StandingsRecorded",
        ),
        *("SessionRoundClosed",),
        *("SeasonStandingsRecorded", "RegistrationClosed", "StaffDismissed", "TokenRevoked", "PersonalDataErased"),
        *("InstallationTokenRevoked", "WebhookDisabled", "WebhookDeleted"),
        *("PlayerWithdrawn", "PlayerDropped"),
    }
)
"""Events that end or protect something. A full log still accepts them; their number is limited by nature."""


def require_room(state: Tournament, source: str, by: By, now: str, entries: Sequence[Entry]) -> None:
    """Raise QuotaReached or SignUpsPaused if these entries exceed what the caller or the log may have.

    now: RFC 3339, UTC, the time that the events will have.
    """
    if any(entry.type in ALWAYS_ACCEPTED for entry in entries):
        return
    usage, bounds = state.usage[source], BOUNDS[source]
    size = sum(byte_length(entry.data) for entry in entries)
    if not by.staff and by.role not in ("integration", "service"):
        _require_room_for_public(state, usage, bounds, by, now, entries, size)
    require_quota(usage.events, len(entries), bounds.events, "events", "the whole tournament")
    require_quota(usage.bytes, size, bounds.bytes, "bytes", "the whole tournament")


def _require_room_for_public(
    state: Tournament, usage: LogUsage, bounds: Bounds, by: By, now: str, entries: Sequence[Entry], size: int
) -> None:
    if by.actor == GUEST:
        _require_room_for_guests(state, usage, now, sum(entry.type in ENTERING for entry in entries))
    else:
        used = usage.by(by.actor)
        rosters = sum(entry.type == "RosterSubmitted" for entry in entries)
        require_quota(used.rosters, rosters, ROSTERS, "rosters", "one player")
        require_quota(used.events, len(entries), bounds.player_events, "events", "one player")
        require_quota(used.bytes, size, bounds.player_bytes, "bytes", "one player")
    require_quota(usage.public_bytes, size, bounds.public_bytes, "bytes", "players and guests together")


def _require_room_for_guests(state: Tournament, usage: LogUsage, now: str, entering: int) -> None:
    require_quota(usage.guests, entering, guests_limit(state.entries.capacity), "sign-ups", "guests")
    recent = usage.guests_in_window if usage.guest_window == ten_minute_window(now) else 0
    if recent + entering > GUESTS_IN_TEN_MINUTES:
        moment = datetime.fromisoformat(now)
        wait = 600 - (moment.minute % 10 * 60 + moment.second)
        raise SignUpsPaused(
            f"{recent} people have signed up in these ten minutes; at most {GUESTS_IN_TEN_MINUTES} may.",
            retry_after=wait,
            quota="sign-ups in ten minutes",
            limit=GUESTS_IN_TEN_MINUTES,
            used=recent,
        )


def guests_limit(seats: int | None) -> int:
    """Return how many sign-ups without a token a tournament takes. seats: its capacity; None: unlimited."""
    return GUESTS if seats is None else seats * GUESTS_A_SEAT + GUESTS_MORE


def require_quota(used: int, more: int, limit: int, quota: str, of: str) -> None:
    """Raise QuotaReached if adding `more` exceeds the limit. quota: the unit counted. of: whose quota it is."""
    if more and used + more > limit:
        raise QuotaReached(
            f"At most {limit} {quota} are accepted from {of}; there are {used}, and this would add {more}.",
            quota=quota,
            of=of,
            limit=limit,
            used=used,
            asked=more,
        )
