"""What registration refuses, by name."""

from __future__ import annotations

from shared.refusals import Refusal


class TournamentExists(Refusal):
    """The id is taken by another tournament."""

    code = "tournament-exists"


class FormatNotPlayed(Refusal):
    """The ruleset is of another format."""

    code = "format-not-played"


class DatesOutOfOrder(Refusal):
    """A tournament ends on the day it starts, or later."""

    code = "dates-out-of-order"


class AlreadyOver(Refusal):
    """The tournament would have ended so long ago that no token of its players and staff is good."""

    code = "already-over"


class RostersHidden(Refusal):
    """The ruleset has not opened the roster to the caller yet."""

    code = "rosters-hidden"


class NameNotFree(Refusal):
    """An organiser would have the name of a role, or that of a player or staff."""

    code = "name-not-free"


class TooLateToChange(Refusal):
    """A pairing was made since, and this may not change any more; data: `status`, what it is about."""

    code = "too-late-to-change"


class NotOnPurpose(Refusal):
    """The format has no such thing that could be kept back until it is published."""

    code = "not-on-purpose"


class RegistrationIsClosed(Refusal):
    """Nobody joins any more, unless staff take a late entry and the ruleset allows it."""

    code = "registration-closed"


class InviteOnly(Refusal):
    """Nobody signs up without an invitation; staff and integrations of the tournament enter players."""

    code = "invite-only"


class NotAway(Refusal):
    """A rule would drop somebody who has not stayed away too often."""

    code = "player-not-away"


class KeptApartNotOffered(Refusal):
    """The ruleset lets nobody ask not to meet somebody, at this tier or at all."""

    code = "kept-apart-not-offered"


class PartyRefused(Refusal):
    """A party that cannot be: too large for a table, or with somebody who is in another or does not take part."""

    code = "party-refused"


class InvitationUnknown(Refusal):
    """Nobody of this event gave such a code to anybody."""

    code = "invitation-unknown"


class PartyUnknown(Refusal):
    code = "party-unknown"


class NameTaken(Refusal):
    """Players and venues of one tournament carry names that nobody takes for another: they look different too."""

    code = "name-taken"


class ExternalIdTaken(Refusal):
    """Players of one tournament have different ids elsewhere, where they have any."""

    code = "external-id-taken"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class FormUnknown(Refusal):
    """The ruleset prints no lists on a form of this name."""

    code = "form-unknown"


class VenueUnknown(Refusal):
    code = "venue-unknown"


class TableUnknown(Refusal):
    code = "table-unknown"


class StaffUnknown(Refusal):
    code = "staff-unknown"


class JudgeMayNotPlay(Refusal):
    """At this tier nobody plays who judges; `data.clause` says by which rule."""

    code = "judge-may-not-play"


class PlayerNotActive(Refusal):
    """The player has no seat (waiting, withdrawn, dropped or disqualified), and this needs one."""

    code = "player-not-active"


class SeatNotGiven(Refusal):
    """Only a seat that an organiser gave by hand is taken back, and only while no other seat is free."""

    code = "seat-not-given"


class CapacityTooSmall(Refusal):
    """More players would hold seats than there are; `errors` says how many are needed."""

    code = "capacity-too-small"


class RosterIllegal(Refusal):
    """The ruleset forbids the roster; faults name every clause."""

    code = "roster-illegal"


class RosterTooLarge(Refusal):
    """A roster holds more than any that is legal needs; data: `limit` and `used`, in bytes."""

    code = "roster-too-large"


class RosterLocked(Refusal):
    """Play has begun; only staff change a roster now, with a reason."""

    code = "roster-locked"


class RosterMissing(Refusal):
    """There is no roster to accept or reject."""

    code = "roster-missing"


class GroupLocked(Refusal):
    """The group of a campaign stands: registration is closed, or round 1 is paired."""

    code = "group-locked"


class GroupMissing(Refusal):
    """The player has not handed in a group."""

    code = "group-missing"


class RulesetMoveRefused(Refusal):
    """A campaign cannot be played on by this ruleset, or not from this round; faults name every one."""

    code = "ruleset-move-refused"


class RoundsByOption(Refusal):
    """A campaign has its number of rounds among its options."""

    code = "rounds-by-option"


class NotYours(Refusal):
    """A player may do this for themselves only."""

    code = "not-yours"


class StandInRound(Refusal):
    """The venue or table still has games of a round that is not over."""

    code = "still-in-use"
