"""What registration can be asked to do about a tournament, its venues, staff and tokens, and who joins.

The shape of each member stands beside it. Ids of new things are not given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, field

from shared.refusals import Expected, expects
from shared.shapes import (
    Check,
    Command,
    Email,
    Id,
    Name,
    OptionalReason,
    Personal,
    Reason,
    Shape,
    Size,
    TableNumber,
    Text,
    Whole,
)

LONGEST_LIST = 2000
"""Players of one request; a longer list is sent in several parts."""

MOST_TABLES = 10_000
"""Of a venue."""

SignUpBy = Annotated[
    Literal["open", "invite_only"],
    "open: anybody signs up for themselves while registration is open; invite_only: staff and integrations do.",
]

OnPurpose = Annotated[
    list[Literal["rounds", "cut", "standings"]],
    Size(3),
    "What staff alone see until they publish it; empty: everything is shown at once.",
]


def _each_once(tables: Sequence[Mapping[str, Any]]) -> Expected | None:
    again = sorted(number for number, times in Counter(table["table"] for table in tables).items() if times > 1)
    return expects("each-table-once", tables=again) if again else None


def everybody_once(players: Sequence[str]) -> Expected | None:
    """Return what would be right in place of a list that names a player twice."""
    return expects("everybody-once") if len(set(players)) < len(players) else None


class Plan(Shape, frozen=True, kw_only=True):
    """What is said of a tournament when it is announced, beside its ruleset.

    operator_data: of a co-operative game, as far as it is known yet.
    """

    name: Annotated[str, Name()]
    options: Annotated[dict[str, Any], "What the ruleset lets an organiser set."] = {}
    tier: Annotated[str, "One of the ruleset's tiers; empty: its first."] = ""
    starts_on: date | None = None
    ends_on: date | None = None
    capacity: Annotated[int, Whole(2, 100_000)] | None = None
    rounds: Annotated[int, Whole(1, 64)] | None = None
    pairing_scope: Literal["event", "venue"] = "event"
    visibility: Literal["public", "private"] = "public"
    check_in: Annotated[bool, "Whether round 1 pairs only players who are checked in."] = False
    sign_up: SignUpBy = "invite_only"
    rehearsal: Annotated[bool, "Nothing counts, and made-up operator's data are accepted."] = False
    on_purpose: OnPurpose = []
    operator_data: Annotated[
        dict[str, Any] | None, "Co-operative games: what the sheets and cards say (docs/rulesets.md)."
    ] = None


class AnnounceTournament(Plan, Command, frozen=True, kw_only=True):
    """ruleset: the whole pack as JSON with the organiser's options in force. format: empty for that of the ruleset."""

    format: str = ""
    ruleset: dict[str, Any]


class AmendTournament(Command, frozen=True, kw_only=True):
    """What changes; the rest stays. The number of rounds, and options, only until round 1 is paired and published."""

    name: Annotated[str | UnsetType, Name()] = UNSET
    starts_on: date | UnsetType = UNSET
    ends_on: date | UnsetType = UNSET
    capacity: Annotated[int | UnsetType, Whole(2, 100_000)] = UNSET
    rounds: Annotated[int | UnsetType, Whole(1, 64)] = UNSET
    sign_up: SignUpBy | UnsetType = UNSET
    on_purpose: OnPurpose | UnsetType = UNSET
    options: Annotated[
        dict[str, Any] | UnsetType, "Options of the ruleset that may change until round 1 (`until` of each)."
    ] = UNSET


class CancelTournament(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    reason: Reason


class Table(Shape, frozen=True, kw_only=True):
    """A table of a venue."""

    table: TableNumber
    accessible: bool = False


Tables = (
    Annotated[int, Whole(0, MOST_TABLES), "The number of tables, numbered from 1."]
    | Annotated[list[Table], Size(MOST_TABLES), Check(_each_once), "One by one."]
)
"""All tables of a venue."""


class OpenVenue(Command, frozen=True, kw_only=True):
    """A venue with its tables: how many, or one by one."""

    name: Annotated[str, Name()]
    tables: Tables = 0


class ChangeTables(Command, frozen=True, kw_only=True):
    """All tables of the venue from now on: how many, or one by one."""

    venue: Id
    tables: Tables


class CloseVenue(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    venue: Id
    reason: Reason


class CloseRegistration(Command, frozen=True, kw_only=True):
    """Nobody joins any more."""


class ReopenRegistration(Command, frozen=True, kw_only=True):
    """Players may join again."""


class Contact(Shape, frozen=True, kw_only=True):
    """Personal data: kept apart from the log, encrypted, and erased on request."""

    email: Annotated[str | UnsetType, Email(), Personal()] = UNSET
    phone: Annotated[str | UnsetType, Text(40), Personal()] = UNSET
    legal_name: Annotated[str | UnsetType, Name(), Personal()] = UNSET
    needs: Annotated[str | UnsetType, Text(500), Personal(), "Accessibility needs; never published."] = UNSET


NO_CONTACT = Contact()


class Person(Shape, frozen=True, kw_only=True):
    """Somebody who wants to play, under the name they choose to be public."""

    name: Annotated[str, Name()]
    faction: Annotated[str, Name()] = ""
    club: Annotated[str, Name()] = ""
    venue: str = ""


class Entry(Person, frozen=True, kw_only=True):
    """Somebody who wants to play, under the name they choose to be public.

    external_id: who they are in your files and systems, public too; of one player each.
    """

    external_id: Annotated[str, Name()] = ""
    contact: Contact = field(default_factory=Contact)


class JoinPlayers(Command, frozen=True, kw_only=True):
    """A list of players: all of them join, or none. late: staff take them in after round 1 was paired, where the
    ruleset allows it. pass_over: players who are there as the list says are passed over, not refused.
    """

    entries: Annotated[list[Entry], Size(LONGEST_LIST, 1)] = field(name="players")
    late: bool = False
    pass_over: bool = False


class JoinParty(JoinPlayers, frozen=True, kw_only=True):
    """Players who come together and want to sit together; all of them join, or none. late: as of others."""


class SignUp(Command, frozen=True, kw_only=True):
    """Somebody asks for a seat of their own."""

    entry: Entry


class SignUpInvited(Command, frozen=True, kw_only=True):
    """Somebody asks for a seat of their own, and beside the survivor who invited them."""

    entry: Entry
    invited_by: Id


class SignUpParty(Command, frozen=True, kw_only=True):
    """Somebody asks for seats for a company that wants to sit together; all of them or none."""

    entries: list[Entry]


class KeepApart(Command, frozen=True, kw_only=True):
    """groups: ids of players who should not meet in round 1; all groups from now on, none to take them back."""

    groups: Annotated[list[Annotated[list[Id], Size(100, 2), Check(everybody_once)]], Size(1000)]


class AppointStaff(Command, frozen=True, kw_only=True):
    """A member of staff; the answer carries their token. venue: they act there only; empty: everywhere.

    player: the id of the player whom they play as, if they do. override: why, where the tier lets no judge play.
    """

    name: Annotated[str, Name()]
    role: Literal["organiser", "head_referee", "referee", "spare", "integration"]
    venue: str = ""
    player: str = ""
    override: OptionalReason = ""


class EnterStaff(Command, frozen=True, kw_only=True):
    """player: the id of the player whom they play as. override: why, where the tier lets no judge play."""

    staff: Id
    player: Id
    override: OptionalReason = ""


class DismissStaff(Command, frozen=True, kw_only=True):
    """revoke_links: players' links that they asked for, or got by entering the player, end too."""

    tournament: Id
    staff: Id
    reason: OptionalReason = ""
    revoke_links: bool = False


class RevokeToken(Command, frozen=True, kw_only=True):
    """token_id: as it came with the token (its claim `jti`), for example `t-abc.p17.1772359200123`."""

    token_id: Annotated[str, Size(200, 1)]
    reason: OptionalReason = ""


class IssueOrganiserToken(Command, frozen=True, kw_only=True):
    """organiser: the name that the log records, and by which it is known whose tournaments are whose."""

    organiser: Annotated[str, Name()]
    days: Annotated[int, Whole(1, 365), "How long the token is good."] = 30


class RevokeInstallationToken(RevokeToken, frozen=True, kw_only=True):
    """token_id: of a token that is of no one tournament, or of a service, as it came with it (its claim `jti`)."""
