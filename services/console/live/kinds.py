"""Which pages an event of the feed concerns: a small word for each, and whom or which game it is about. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from muster_client.lines import Event

EVENT, STAFF, PLAYERS, LISTS = "event", "staff", "players", "lists"
ROUND, CALLS = "round", "calls"
GAMES, STANDINGS, AWARDS = "games", "standings", "awards"
KINDS = (EVENT, STAFF, PLAYERS, LISTS, ROUND, CALLS, GAMES, STANDINGS, AWARDS)
"""What may have changed, in the words of pages."""

OF_SOURCE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"registration": (PLAYERS,), "pairing": (ROUND,), "scoring": (GAMES, STANDINGS)}
)
"""Service -> what its events change, where the table below says nothing of their type."""
NOTHING: tuple[str, ...] = ()
OF_TYPE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "TournamentAnnounced": (EVENT,),
        "TournamentAmended": (EVENT,),
        "RulesetMoved": (EVENT, ROUND, STANDINGS),
        "TournamentCancelled": (EVENT,),
        "VenueOpened": (EVENT,),
        "TablesChanged": (EVENT,),
        "VenueClosed": (EVENT,),
        "RegistrationClosed": (EVENT,),
        "RegistrationReopened": (EVENT,),
        "ScreenSet": (EVENT,),
        "ScreenRemoved": (EVENT,),
        "StaffAppointed": (STAFF,),
        "StaffEntered": (STAFF, PLAYERS),
        "StaffDismissed": (STAFF,),
        "TokenRevoked": NOTHING,
        "InstallationTokenRevoked": NOTHING,
        "OrganiserTokenIssued": NOTHING,
        "PlayerLinkIssued": NOTHING,
        "RosterSubmitted": (LISTS,),
        "RosterAccepted": (LISTS,),
        "RosterRejected": (LISTS,),
        "RostersOpened": (LISTS,),
        "SeatGiven": (EVENT, PLAYERS),
        "SeatTakenBack": (EVENT, PLAYERS),
        "PlayerDropped": (PLAYERS, STANDINGS),
        "PlayerReinstated": (PLAYERS, STANDINGS),
        "PlayerDisqualified": (PLAYERS, GAMES, STANDINGS),
        "DisqualificationRevoked": (PLAYERS, GAMES, STANDINGS),
        "SpareAvailable": (STAFF,),
        "SpareUnavailable": (STAFF,),
        "ResultReported": (GAMES,),
        "ResultDisputed": (GAMES,),
        "RulingAppealed": (GAMES,),
        "StandingsRecorded": (STANDINGS,),
        "RoundClosed": (ROUND, STANDINGS),
        "RoundReopened": (ROUND, STANDINGS),
        "CoinEntered": (STANDINGS,),
        "AwardGiven": (AWARDS,),
        "AwardWithdrawn": (AWARDS,),
        "TournamentConcluded": (EVENT, ROUND, STANDINGS),
        "WebhookSubscribed": NOTHING,
        "WebhookChanged": NOTHING,
        "WebhookSecretRotated": NOTHING,
        "WebhookEnabled": NOTHING,
        "WebhookDisabled": NOTHING,
        "WebhookReplayed": NOTHING,
        "WebhookDeleted": NOTHING,
    }
)
UNPUBLISHED = (CALLS, ROUND)
"""What may have changed without an event."""
MOST_IDS = 50
"""Games or players that are named at once; more of them are as good as all."""
LONGEST_ID = 64
"""Characters."""


class Changes(Struct):
    """What has changed: kind -> ids of the games or players that it is about, None for all of them."""

    of: dict[str, set[str] | None] = {}

    def __bool__(self) -> bool:
        return bool(self.of)

    def add(self, event: Event) -> None:
        """Take in an event, as far as its reader was shown it."""
        id = _about(event)
        for kind in kinds_of(event.source, event.type):
            self._add(kind, {id} if id else None)

    def add_all(self, kinds: Iterable[str] = KINDS) -> None:
        """Anything of these may have changed."""
        self.of.update(dict.fromkeys(kinds))

    def merge(self, other: Changes) -> None:
        """Take in what has changed besides."""
        for kind, ids in other.of.items():
            self._add(kind, ids)

    def _add(self, kind: str, ids: set[str] | None) -> None:
        known = self.of.get(kind, set())
        both = None if ids is None or known is None else known | ids
        self.of[kind] = None if both is None or len(both) > MOST_IDS else both


def kinds_of(source: str, type: str) -> tuple[str, ...]:
    """What an event of this type changes; of a type that is not known here, what its service mostly changes."""
    return OF_TYPE.get(type, OF_SOURCE.get(source, (EVENT,)))


def _about(event: Event) -> str:
    """The game that an event is about, or the player; empty where it is about more than one, or shows nothing."""
    data = event.data or {}
    id = data.get("game") or data.get("player")
    return id if isinstance(id, str) and len(id) <= LONGEST_ID else ""
