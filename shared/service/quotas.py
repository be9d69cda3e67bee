"""How much may be appended to a log, by one player, by all who are no staff, and in all. Pure: from the folded state.

Whoever decides, in whatever process, folds the same log and comes to the same answer. Folding itself knows no quota:
a log that was written under other ones is read all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from msgspec import Struct

from shared.log.event import GUEST, size_of
from shared.log.log import Entry
from shared.service.refusals import SignUpsPaused
from shared.tournament.guards import By
from shared.tournament.state import ENTERING, LogUsage, Tournament, ten_minute_window
from shared.web.refusals import QuotaReached

KIB, MIB = 1024, 1024 * 1024


class Bounds(Struct, frozen=True):
    """Of one log of one tournament; bytes are of events' data. public: players and guests together."""

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
"""Source -> its bounds. Measured: a player of a campaign appends 120 events and 17 kB to scoring's log a round."""

ROSTERS = 30
"""Rosters that one player submits in a tournament; staff may submit more for them."""

GUESTS, GUESTS_A_SEAT, GUESTS_MORE = 10_000, 4, 100
"""Who enters without a token: so many where there are seats without end, else so many for each seat and some more."""

GUESTS_IN_TEN_MINUTES = 1_000

ALWAYS = frozenset(
    {
        *("TournamentCancelled", "TournamentConcluded", "RoundClosed", "StandingsRecorded", "SessionRoundClosed"),
        *("SeasonStandingsRecorded", "RegistrationClosed", "StaffDismissed", "TokenRevoked", "PersonalDataErased"),
        *("InstallationTokenRevoked", "WebhookDisabled", "WebhookDeleted"),
        *("PlayerWithdrawn", "PlayerDropped"),
    }
)
"""What ends something, or guards it: a log that is full takes it all the same, and each of them comes to an end."""


def need_room(state: Tournament, source: str, by: By, now: str, entries: Sequence[Entry]) -> None:
    """Raise QuotaReached, or SignUpsPaused, where these entries are more than the caller or the log may have.

    now: RFC 3339, UTC, as the events will have it.
    """
    if any(entry.type in ALWAYS for entry in entries):
        return
    usage, bounds = state.usage[source], BOUNDS[source]
    size = sum(size_of(entry.data) for entry in entries)
    if not by.staff and by.role not in ("integration", "service"):
        _need_room_for_public(state, usage, bounds, by, now, entries, size)
    need_quota(usage.events, len(entries), bounds.events, "events", "the whole tournament")
    need_quota(usage.bytes, size, bounds.bytes, "bytes", "the whole tournament")


def _need_room_for_public(
    state: Tournament, usage: LogUsage, bounds: Bounds, by: By, now: str, entries: Sequence[Entry], size: int
) -> None:
    if by.actor == GUEST:
        _need_room_for_guests(state, usage, now, sum(entry.type in ENTERING for entry in entries))
    else:
        sofar = usage.by(by.actor)
        rosters = sum(entry.type == "RosterSubmitted" for entry in entries)
        need_quota(sofar.rosters, rosters, ROSTERS, "rosters", "one player")
        need_quota(sofar.events, len(entries), bounds.player_events, "events", "one player")
        need_quota(sofar.bytes, size, bounds.player_bytes, "bytes", "one player")
    need_quota(usage.public_bytes, size, bounds.public_bytes, "bytes", "players and guests together")


def _need_room_for_guests(state: Tournament, usage: LogUsage, now: str, entering: int) -> None:
    need_quota(usage.guests, entering, guests_limit(state.entries.capacity), "sign-ups", "guests")
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
    """Return how many may enter without a token. seats: of the tournament, None without a limit."""
    return GUESTS if seats is None else seats * GUESTS_A_SEAT + GUESTS_MORE


def need_quota(used: int, more: int, limit: int, quota: str, of: str) -> None:
    """Raise QuotaReached if so many more would go beyond the limit. quota: what is counted. of: for whom."""
    if more and used + more > limit:
        raise QuotaReached(
            f"At most {limit} {quota} are accepted from {of}; there are {used}, and this would add {more}.",
            quota=quota,
            of=of,
            limit=limit,
            used=used,
            asked=more,
        )
