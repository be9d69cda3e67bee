"""Events of registration: the tournament, venues, staff, players, rosters, and tokens of the installation."""

from __future__ import annotations

from typing import Any, ClassVar

from shared.log.event import Event, Part

INSTALLATION = "installation"
"""The tournament id of events about the installation itself. Ids of tournaments begin with `t-`."""


class InstallationTokenRevoked(Event, frozen=True, kw_only=True):
    """A token of the installation was revoked: one issued by an operator, or a service's own.

    - `token`: id of the token.
    - `reason`: free text; may be empty.
    """

    token: str
    reason: str = ""


class OrganiserTokenIssued(Event, frozen=True, kw_only=True):
    """An operator issued a token that lets an organiser announce tournaments and run those they announced.

    - `token`: id of the token. The token itself is never recorded.
    - `organiser`: the name under which the log records what is done with the token.
    - `days`: validity in days.
    """

    token: str
    organiser: str
    days: int


OF_INSTALLATION = frozenset({InstallationTokenRevoked.__name__, OrganiserTokenIssued.__name__})
"""Types of events that only the log of the installation contains."""


class TournamentAnnounced(Event, frozen=True, kw_only=True):
    """An organiser announced the tournament. This is the first event of its log.

    - `name`: display name.
    - `format`: `swiss`, `campaign`, `coop` or `season`.
    - `ruleset`: the whole ruleset pack with the organiser's options applied, so that a replay opens no file.
    - `options`: the options that the organiser set, by key.
    - `tier`: id of the tier (level of play) in the ruleset; empty for the first tier.
    - `starts_on`, `ends_on`: calendar days (`YYYY-MM-DD`); empty if not set.
    - `capacity`: number of seats; absent for no limit.
    - `rounds`: number of rounds set by the organiser; absent if the number of players decides.
    - `pairing_scope`: `event` or `venue`, the group of players that is paired together.
    - `rounds_apart`: with `pairing_scope` `venue`, the number of rounds that one venue may be ahead of another; absent
      for no limit.
    - `visibility`: `public` or `private`.
    - `check_in`: true if round 1 pairs only players who are checked in.
    - `organiser`: the actor who announced the tournament.
    - `sign_up`: `open` (players sign themselves up while registration is open) or `invite_only`.
    - `rehearsal`: true for a rehearsal. Its results count nowhere, so operators may enter invented games.
    - `on_purpose`: parts that staff publish explicitly and only staff see before: `rounds`, `cut`, `standings`.
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
    rounds_apart: int | None = None


class TournamentAmended(Event, frozen=True, kw_only=True):
    """The organiser changed settings of the tournament. Absent members are unchanged.

    - `name`, `starts_on`, `ends_on`, `capacity`, `rounds`, `sign_up`, `on_purpose`, `rounds_apart`: the new value, as
      in TournamentAnnounced.
    - `options`: the options that changed, by key.
    - `ruleset`: the whole pack with all options in force; present if `options` is.
    """

    name: str | None = None
    starts_on: str | None = None
    ends_on: str | None = None
    capacity: int | None = None
    rounds: int | None = None
    sign_up: str | None = None
    on_purpose: list[str] | None = None
    rounds_apart: int | None = None
    options: dict[str, Any] | None = None
    ruleset: dict[str, Any] | None = None


class RulesetMoved(Event, frozen=True, kw_only=True):
    """A campaign switched to a new version of its ruleset. Earlier rounds keep the old version.

    - `from_round`: the first round that uses the new version.
    - `ruleset`: the whole new pack.
    - `reason`: free text.
    """

    from_round: int
    ruleset: dict[str, Any]
    reason: str


class TournamentCancelled(Event, frozen=True, kw_only=True):
    """The tournament was cancelled and will not be played to its end.

    - `reason`: free text.
    """

    ends_draws: ClassVar[bool] = True

    reason: str


class Table(Part, frozen=True, kw_only=True):
    """A table of a venue.

    - `table`: number of the table, unique in its venue.
    - `accessible`: true if the table is reserved for players who need it or are assigned to it.
    - `label`: the text printed on the table, such as `A12`, unique in its venue; empty if the number is printed.
    """

    table: int
    accessible: bool = False
    label: str = ""


class VenueOpened(Event, frozen=True, kw_only=True):
    """A venue with its tables was added. Version 1 recorded only the number of tables.

    - `venue`: id of the venue.
    - `name`: display name.
    - `tables`: all tables of the venue.
    - `time_zone`: IANA name of the time zone of the venue; empty if not set.
    - `address`, `note`: free text for people; may be empty.
    """

    venue: str
    name: str
    tables: list[Table] = []
    time_zone: str = ""
    address: str = ""
    note: str = ""


class VenueAmended(Event, frozen=True, kw_only=True):
    """The description of a venue was changed. Absent members are unchanged.

    - `venue`: id of the venue.
    - `name`, `time_zone`, `address`, `note`: the new value, as in VenueOpened.
    """

    venue: str
    name: str | None = None
    time_zone: str | None = None
    address: str | None = None
    note: str | None = None


class TablesChanged(Event, frozen=True, kw_only=True):
    """The tables of a venue were replaced.

    - `venue`: id of the venue.
    - `tables`: all tables of the venue from now on.
    """

    venue: str
    tables: list[Table]


class VenueClosed(Event, frozen=True, kw_only=True):
    """A venue was closed. No more games are placed there.

    - `venue`: id of the venue.
    - `reason`: free text.
    """

    venue: str
    reason: str


class StaffAppointed(Event, frozen=True, kw_only=True):
    """A member of staff was appointed.

    - `staff`: id of the member of staff.
    - `name`: display name.
    - `role`: `organiser`, `head_referee`, `referee`, `spare` or `integration`.
    - `venue`: id of the only venue where they act; empty for every venue.
    """

    staff: str
    name: str
    role: str
    venue: str = ""


class StaffEntered(Event, frozen=True, kw_only=True):
    """A member of staff was linked to the player they play as.

    - `staff`: id of the member of staff.
    - `player`: id of the player.
    - `override`: the reason given if the ruleset lets no judge play; else empty.
    """

    staff: str
    player: str
    override: str = ""


class StaffDismissed(Event, frozen=True, kw_only=True):
    """A member of staff was dismissed. Their tokens are no longer valid.

    - `staff`: id of the member of staff.
    - `reason`: free text; may be empty.
    """

    staff: str
    reason: str = ""


class TokenRevoked(Event, frozen=True, kw_only=True):
    """A token that this tournament issued was revoked.

    - `token`: id of the token.
    - `reason`: free text; may be empty.
    """

    token: str
    reason: str = ""


class PlayerLinkIssued(Event, frozen=True, kw_only=True):
    """Staff requested a new link for a player. The actor of the event is the one who requested it.

    - `player`: id of the player.
    - `token`: id of the token in the link.
    - `reason`: free text; may be empty.
    """

    player: str
    token: str
    reason: str = ""


class RegistrationClosed(Event, frozen=True, kw_only=True):
    """Registration was closed. The waiting list is kept."""


class RegistrationReopened(Event, frozen=True, kw_only=True):
    """Registration was reopened."""


class PlayerJoined(Event, frozen=True, kw_only=True):
    """A player entered and got a seat.

    - `player`: id of the player.
    - `name`: display name.
    - `faction`, `club`: as entered; may be empty.
    - `venue`: id of the venue where the player plays; empty if not set.
    - `late`: true if the player entered after round 1 was paired.
    - `contact`: true if registration stores personal data of the player, encrypted and outside the log.
    - `external_id`: id of the player in the system that entered them; empty if there is none.
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
    """A player entered while all seats were taken and joined the end of the waiting list.

    - Members: as in PlayerJoined.
    """

    player: str
    name: str
    faction: str = ""
    club: str = ""
    venue: str = ""
    contact: bool = False
    external_id: str = ""


class PlayerPromoted(Event, frozen=True, kw_only=True):
    """A player from the waiting list got a seat.

    - `player`: id of the player.
    - `instead_of`: id of the player who gave up the seat; empty if the seat was added or free.
    """

    player: str
    instead_of: str = ""


class SeatGiven(Event, frozen=True, kw_only=True):
    """An organiser gave a seat to a waiting player, whatever their place on the waiting list.

    - `player`: id of the player.
    - `reason`: free text.
    - `capacity`: number of seats from now on, if one was added; else absent.
    - `passed_over`: ids of players who had waited longer and still wait.
    - `late`: true if round 1 was already paired.
    """

    player: str
    reason: str
    capacity: int | None = None
    passed_over: list[str] = []
    late: bool = False


class SeatTakenBack(Event, frozen=True, kw_only=True):
    """A seat given by an organiser was taken back. The player returns to their place on the waiting list.

    - `player`: id of the player.
    - `capacity`: number of seats from now on, if the seat had been added; else absent.
    """

    player: str
    capacity: int | None = None


class PlayerWithdrawn(Event, frozen=True, kw_only=True):
    """A player left before the first pairing. Standings do not list them.

    - `player`: id of the player.
    - `reason`: free text; may be empty.
    - `waiting`: true if the player was on the waiting list.
    """

    player: str
    reason: str = ""
    waiting: bool = False


class PlayerAmended(Event, frozen=True, kw_only=True):
    """The data of a player was corrected. Absent members are unchanged.

    - `player`: id of the player.
    - `name`, `faction`, `club`, `venue`, `external_id`: the new value, as in PlayerJoined.
    """

    player: str
    name: str | None = None
    faction: str | None = None
    club: str | None = None
    venue: str | None = None
    external_id: str | None = None


class PlayersKeptApart(Event, frozen=True, kw_only=True):
    """The groups of players who asked not to meet each other in round 1, such as families, were set.

    - `groups`: all groups from now on, each a list of player ids. Pairing respects them if it can (AR-PAIR-2).
    """

    groups: list[list[str]]


class PersonalDataErased(Event, frozen=True, kw_only=True):
    """The key of a player's personal data was destroyed. The log never contained the data itself.

    - `player`: id of the player.
    """

    player: str


class RosterSubmitted(Event, frozen=True, kw_only=True):
    """A player submitted a roster.

    - `player`: id of the player.
    - `roster`: the fields that everyone may see at this time.
    - `sealed`: digests of all other fields, by field. A digest is the hex SHA-256 of the RFC 8785 JSON of `[salt,
      field, value]`; `value` is null if the roster has no such field. RostersOpened publishes salt and value.
    - `on_paper`: the reason why the contents are not recorded: staff, who are the actor, saw the roster on paper.
      Empty for a roster that was entered.
    """

    player: str
    roster: dict[str, Any]
    sealed: dict[str, str] = {}
    on_paper: str = ""


class RosterAccepted(Event, frozen=True, kw_only=True):
    """The latest roster of a player was accepted as legal.

    - `player`: id of the player.
    - `note`: note of staff, if everyone may see rosters at this time. Earlier notes are private to the player and
      staff.
    """

    player: str
    note: str = ""


class RosterFault(Part, frozen=True, kw_only=True):
    """A fault of a roster.

    - `where`: JSON pointer into the roster.
    - `said`: the value found there.
    - `expected`: the expected value.
    - `clause`: id of the clause in the rules document.
    """

    where: str
    said: str
    expected: str = ""
    clause: str = ""


class RosterRejected(Event, frozen=True, kw_only=True):
    """The latest roster of a player was rejected.

    - `player`: id of the player.
    - `faults`: every fault of the roster.
    - `note`: as in RosterAccepted.
    """

    player: str
    faults: list[RosterFault] = []
    note: str = ""


class OpenedRoster(Part, frozen=True, kw_only=True):
    """The fields of one roster that became public.

    - `player`: id of the player.
    - `roster`: value of each field.
    - `salts`: salt of each field's digest. A field that appears only here was not in the roster.
    """

    player: str
    roster: dict[str, Any]
    salts: dict[str, str]


class RostersOpened(Event, frozen=True, kw_only=True):
    """Fields of rosters became public, because play began or the tournament is over.

    - `rosters`: the opened fields, one entry for each player. Value and salt of a field give its digest in `sealed` of
      the player's latest RosterSubmitted. Many rosters are split over several events.
    """

    rosters: list[OpenedRoster]


class PlayerCheckedIn(Event, frozen=True, kw_only=True):
    """A player was checked in.

    - `player`: id of the player.
    - `venue`: id of the venue where they play; empty if unchanged.
    """

    player: str
    venue: str = ""


class PlayerCheckedOut(Event, frozen=True, kw_only=True):
    """A check-in was undone: it was a mistake, or the player left before the first pairing.

    - `player`: id of the player.
    """

    player: str


class PlayerMoved(Event, frozen=True, kw_only=True):
    """A player was moved to another venue from the next pairing on. Games that are already paired do not move.

    - `player`: id of the player.
    - `venue`: id of the new venue.
    - `reason`: free text; may be empty.
    """

    player: str
    venue: str
    reason: str = ""


class PlayerPinned(Event, frozen=True, kw_only=True):
    """A player was assigned a fixed table for all their games. The reason is private and not in the log.

    - `player`: id of the player.
    - `venue`: id of the venue.
    - `table`: number of the table.
    """

    player: str
    venue: str
    table: int


class PlayerUnpinned(Event, frozen=True, kw_only=True):
    """The fixed table of a player was removed.

    - `player`: id of the player.
    """

    player: str


class PlayerDropped(Event, frozen=True, kw_only=True):
    """A player dropped out and plays no further rounds.

    - `player`: id of the player.
    - `after_round`: number of rounds closed at this time.
    - `reason`: free text; may be empty.
    """

    player: str
    after_round: int
    reason: str = ""


class PlayerReinstated(Event, frozen=True, kw_only=True):
    """A dropped player returned and is paired again from the next round on.

    - `player`: id of the player.
    """

    player: str


class PlayerWarned(Event, frozen=True, kw_only=True):
    """A player was warned, without a penalty.

    - `player`: id of the player.
    - `reason`: free text.
    - `clause`: id of the clause in the rules document; may be empty.
    """

    player: str
    reason: str
    clause: str = ""


class PlayerDisqualified(Event, frozen=True, kw_only=True):
    """A player was disqualified. The ruleset decides what happens to their results.

    A second event for the same player records a later ban.

    - `player`: id of the player.
    - `after_round`: number of rounds closed at this time.
    - `reason`: free text.
    - `clause`: id of the clause in the rules document; may be empty.
    - `barred`: description of the later events the player is banned from; empty for none.
    """

    player: str
    after_round: int
    reason: str
    clause: str = ""
    barred: str = ""


class DisqualificationRevoked(Event, frozen=True, kw_only=True):
    """A disqualification was revoked. The player is active again, or dropped if they had dropped before.

    - `player`: id of the player.
    - `reason`: free text.
    """

    player: str
    reason: str
