"""Events of registration: the tournament, its venues and staff, players, rosters; and tokens of the installation."""

from __future__ import annotations

from typing import Any, ClassVar

from shared.log.event import Event, Part

INSTALLATION = "installation"
"""Where a tournament has its id, these have this; ids of tournaments begin with `t-`."""


class InstallationTokenRevoked(Event, frozen=True, kw_only=True):
    """A token that whoever runs Muster handed out, or a service's own, named by its id, is worth nothing any more."""

    token: str
    reason: str = ""


class OrganiserTokenIssued(Event, frozen=True, kw_only=True):
    """An operator gave an organiser a token for all tournaments, in which they lead those that they announce.

    token: its id, never the token. organiser: the name that the log records for what is done with it.
    """

    token: str
    organiser: str
    days: int


OF_INSTALLATION = frozenset({InstallationTokenRevoked.__name__, OrganiserTokenIssued.__name__})


class TournamentAnnounced(Event, frozen=True, kw_only=True):
    """The tournament exists. `ruleset` is the whole pack with the organiser's options in force: replay opens no file.

    starts_on, ends_on: calendar days. pairing_scope: "event" or "venue". visibility: "public" or "private".
    rounds: fixed by the organiser; absent: by number of players. capacity: seats; absent: no limit.
    check_in: only players who are checked in are paired in round 1. sign_up: "open" (anybody signs up for themselves
    while registration is open) or "invite_only". organiser: the actor who announced it. rehearsal: nothing counts, so
    that what an operator enters of a game may be made up. on_purpose: what is hidden from everybody but staff until
    they publish it ("rounds", "cut", "standings").
    """

    name: str
    format: str
    ruleset: dict[str, Any]
    options: dict[str, Any] = {}
    tier: str = ""
    starts_on: str = ""
    ends_on: str = ""
    capacity: int | None = None
    rounds: int | None = None
    pairing_scope: str = "event"
    visibility: str = "public"
    check_in: bool = False
    organiser: str = ""
    sign_up: str = "invite_only"
    rehearsal: bool = False
    on_purpose: list[str] = []


class TournamentAmended(Event, frozen=True, kw_only=True):
    """The organiser changed what may still be changed; only the members named here.

    options: those that changed; `ruleset` is then the whole pack with all that are in force.
    """

    name: str | None = None
    starts_on: str | None = None
    ends_on: str | None = None
    capacity: int | None = None
    rounds: int | None = None
    sign_up: str | None = None
    on_purpose: list[str] | None = None
    options: dict[str, Any] | None = None
    ruleset: dict[str, Any] | None = None


class RulesetMoved(Event, frozen=True, kw_only=True):
    """From a round on a campaign is played by a new version of its ruleset; earlier rounds stay under the old one."""

    from_round: int
    ruleset: dict[str, Any]
    reason: str


class TournamentCancelled(Event, frozen=True, kw_only=True):
    """The tournament will not be played to its end; nothing but reading is left."""

    ends_draws: ClassVar[bool] = True

    reason: str


class Table(Part, frozen=True, kw_only=True):
    """A table of a venue; `accessible` tables are kept for the players who are pinned to them or need them."""

    table: int
    accessible: bool = False


class VenueOpened(Event, frozen=True, kw_only=True):
    """A place to play, with its tables (version 1 said only how many tables there were)."""

    venue: str
    name: str
    tables: list[Table] = []


class TablesChanged(Event, frozen=True, kw_only=True):
    """The venue's tables from now on, all of them."""

    venue: str
    tables: list[Table]


class VenueClosed(Event, frozen=True, kw_only=True):
    """The venue takes part no longer; nobody may be seated there."""

    venue: str
    reason: str


class StaffAppointed(Event, frozen=True, kw_only=True):
    """A member of staff; roles: organiser, head_referee, referee, spare, integration. venue: only there, if given."""

    staff: str
    name: str
    role: str
    venue: str = ""


class StaffEntered(Event, frozen=True, kw_only=True):
    """A member of staff plays too, as this player. override: why, where the ruleset lets no judge play."""

    staff: str
    player: str
    override: str = ""


class StaffDismissed(Event, frozen=True, kw_only=True):
    """A member of staff whose tokens are worth nothing any more."""

    staff: str
    reason: str = ""


class TokenRevoked(Event, frozen=True, kw_only=True):
    """One token, named by its id, is worth nothing any more."""

    token: str
    reason: str = ""


class PlayerLinkIssued(Event, frozen=True, kw_only=True):
    """Staff asked for a new link of a player; who asked is the actor of the event. token: the id of its token."""

    player: str
    token: str
    reason: str = ""


class RegistrationClosed(Event, frozen=True, kw_only=True):
    """Nobody joins any more; the waiting list stands as it is."""


class RegistrationReopened(Event, frozen=True, kw_only=True):
    """Players may join again."""


class PlayerJoined(Event, frozen=True, kw_only=True):
    """A player has a seat. `contact`: whether registration holds personal data, encrypted, outside the log.

    external_id: who the player is in the files and systems of those who entered them.
    """

    player: str
    name: str
    faction: str = ""
    club: str = ""
    venue: str = ""
    late: bool = False
    contact: bool = False
    external_id: str = ""


class PlayerWaitlisted(Event, frozen=True, kw_only=True):
    """All seats are taken; the player waits, first come first served. external_id: as of those who have a seat."""

    player: str
    name: str
    faction: str = ""
    club: str = ""
    venue: str = ""
    contact: bool = False
    external_id: str = ""


class PlayerPromoted(Event, frozen=True, kw_only=True):
    """A waiting player has a seat now; `instead_of` names who gave it up, if anybody."""

    player: str
    instead_of: str = ""


class SeatGiven(Event, frozen=True, kw_only=True):
    """An organiser gave a seat to a waiting player, whoever was first. late: after round 1 was paired.

    capacity: seats from now on, where one was added. passed_over: who had waited longer, and still waits.
    """

    player: str
    reason: str
    capacity: int | None = None
    passed_over: list[str] = []
    late: bool = False


class SeatTakenBack(Event, frozen=True, kw_only=True):
    """A seat that was given by hand is taken back; the player waits in the old place. capacity: as of `SeatGiven`."""

    player: str
    capacity: int | None = None


class PlayerWithdrawn(Event, frozen=True, kw_only=True):
    """A player left before the first pairing, and leaves no trace in standings. waiting: held no seat."""

    player: str
    reason: str = ""
    waiting: bool = False


class PlayerAmended(Event, frozen=True, kw_only=True):
    """What a player is called, plays or comes from, or who they are elsewhere, was put right."""

    player: str
    name: str | None = None
    faction: str | None = None
    club: str | None = None
    venue: str | None = None
    external_id: str | None = None


class PlayersKeptApart(Event, frozen=True, kw_only=True):
    """Players who asked not to meet in round 1, group by group, such as families; all groups from now on.

    A wish: the first round heeds it where it can (AR-PAIR-2).
    """

    groups: list[list[str]]


class PersonalDataErased(Event, frozen=True, kw_only=True):
    """The key of a player's personal data was destroyed; the log itself never held any."""

    player: str


class RosterSubmitted(Event, frozen=True, kw_only=True):
    """A player handed in a roster.

    roster: the fields that everybody may see by now. sealed: field -> a salted digest, for each field that not
    everybody may see yet: hex SHA-256 of the RFC 8785 JSON of [salt, field, value], value null if the roster has no
    such field. RostersOpened brings salt and value.
    """

    player: str
    roster: dict[str, Any]
    sealed: dict[str, str] = {}


class RosterAccepted(Event, frozen=True, kw_only=True):
    """The roster submitted last is legal.

    note: what staff said, if everybody may see rosters by now. An earlier note is for the player and staff alone.
    """

    player: str
    note: str = ""


class RosterFault(Part, frozen=True, kw_only=True):
    """One thing wrong with a roster, and the clause that says so."""

    where: str
    said: str
    expected: str = ""
    clause: str = ""


class RosterRejected(Event, frozen=True, kw_only=True):
    """The roster submitted last is not legal; every fault, not only the first. note: as of RosterAccepted."""

    player: str
    faults: list[RosterFault] = []
    note: str = ""


class OpenedRoster(Part, frozen=True, kw_only=True):
    """Fields of a roster that everybody may see from now on.

    roster: their values. salts: field -> the salt of its digest; a field that is in `salts` alone was left out of the
    roster.
    """

    player: str
    roster: dict[str, Any]
    salts: dict[str, str]


class RostersOpened(Event, frozen=True, kw_only=True):
    """Everybody may see these fields of rosters: play began, or the tournament is over.

    Each value and its salt give the digest in `sealed` of the player's last RosterSubmitted. Many rosters take several
    of these events.
    """

    rosters: list[OpenedRoster]


class PlayerCheckedIn(Event, frozen=True, kw_only=True):
    """The player is there, at this venue."""

    player: str
    venue: str = ""


class PlayerCheckedOut(Event, frozen=True, kw_only=True):
    """The check-in was a mistake, or the player left before the first pairing."""

    player: str


class PlayerMoved(Event, frozen=True, kw_only=True):
    """The player plays at this venue from the next pairing on; games that are paired stay where they are."""

    player: str
    venue: str
    reason: str = ""


class PlayerPinned(Event, frozen=True, kw_only=True):
    """The player plays at this table whenever there is a game; the reason is private and not in the log."""

    player: str
    venue: str
    table: int


class PlayerUnpinned(Event, frozen=True, kw_only=True):
    """The player is seated like everybody."""

    player: str


class PlayerDropped(Event, frozen=True, kw_only=True):
    """The player plays no further rounds. after_round: rounds closed at that moment."""

    player: str
    after_round: int
    reason: str = ""


class PlayerReinstated(Event, frozen=True, kw_only=True):
    """A dropped player is back from the next pairing on."""

    player: str


class PlayerWarned(Event, frozen=True, kw_only=True):
    """A reminder without penalty, on record."""

    player: str
    reason: str
    clause: str = ""


class PlayerDisqualified(Event, frozen=True, kw_only=True):
    """The player is out; what it does to results is the ruleset's matter. after_round: rounds closed then.

    barred: the later events that the player is kept from, in words; empty for none. Said again, to bar somebody who is
    out already.
    """

    player: str
    after_round: int
    reason: str
    clause: str = ""
    barred: str = ""


class DisqualificationRevoked(Event, frozen=True, kw_only=True):
    """The disqualification is taken back; the player is what they were before: in the next pairing, or dropped."""

    player: str
    reason: str
