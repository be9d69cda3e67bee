"""Rosters: submitted, checked by the ruleset, opened, accepted, rejected; drops for absence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Struct

from services.registration.check_in import for_each
from services.registration.guards import NotYours, PlayerUnknown, active_player, own_or_staff, player_of
from services.registration.players import LONGEST_LIST, everybody_once
from shared.log.command_record import PERSONAL_PLACEHOLDER
from shared.log.event import Event, NotCanonical, canonical_json
from shared.refusals import NOTHING, Fault, Refusal, expects, to_short_json
from shared.rules.model import FactsKind
from shared.shapes import Check, Command, FreshRandom, Id, OptionalReason, Size, Text
from shared.swiss.games import ruleset_of
from shared.swiss.roster import check_roster
from shared.swiss.roster_parts import SUBMISSION, Since, seal, sealed_fields, split_sealed
from shared.swiss.scoring import repeatedly_absent
from shared.tournament.games import can_replace_list
from shared.tournament.guards import CUT, ROUNDS, STANDINGS, Context, can_settle, require_decider, require_running
from shared.tournament.registration import (
    OpenedRoster,
    PlayerDropped,
    RosterAccepted,
    RosterRejected,
    RostersOpened,
    RosterSubmitted,
)
from shared.tournament.state import Tournament


class SubmitRoster(Command, frozen=True, kw_only=True):
    """roster: as the ruleset words it (docs/reference/packs.md). override: why staff change it after play began.

    sealed: on record, the digests of the fields that are not open yet; `roster` has the others then.
    """

    player: Id
    roster: dict[str, Any]
    override: OptionalReason = ""
    secret: Annotated[
        str,
        FreshRandom(),
        "Random text for the digests of fields that are not open yet; empty if the ruleset opens all at once.",
    ] = ""
    sealed: dict[str, str] = {}


class OpenRosters(Command, frozen=True, kw_only=True):
    """A rule opens fields of rosters. rosters: their values, each with the salt of its digest."""

    rosters: Annotated[list[OpenedRoster], Size(LONGEST_LIST, 1)]


class AcceptRoster(Command, frozen=True, kw_only=True):
    """note: what staff found."""

    player: Id
    note: OptionalReason = ""


class AcceptRosters(Command, frozen=True, kw_only=True):
    """Rosters of several players: all of them are accepted, or none. note: what staff found, of each of them."""

    players: Annotated[list[Id], Size(LONGEST_LIST, 1), Check(everybody_once)]
    note: OptionalReason = ""


class RejectRoster(Command, frozen=True, kw_only=True):
    """note: what staff found; the player reads it."""

    player: Id
    note: Annotated[str, Text(500, minimum=1)]


class DropAbsentPlayer(Command, frozen=True, kw_only=True):
    """Whoever stayed away too often is out. A rule gives it, nobody else."""

    player: Id


def reached(state: Tournament) -> frozenset[Since]:
    """Return the moments of the ruleset that have come. A cancelled tournament is over, too."""
    moments = set(SUBMISSION)
    if state.rounds.has_begun:
        moments.add("round_1")
    if state.results.concluded or state.entries.status == "cancelled":
        moments |= {"round_1", "end"}
    return frozenset(moments)


def sealed_now(state: Tournament) -> list[str]:
    """Return the fields of a roster that not everybody may see yet."""
    return sealed_fields(ruleset_of(state.entries).roster, reached(state))


def notes_are_public(state: Tournament) -> bool:
    """Return True if a note about a roster may be in the log: play has begun, or rosters are open when handed in."""
    return "round_1" in reached(state) or not sealed_now(state)


class DueRoster(Struct, frozen=True):
    """A roster with fields that are open by now, and of which the log has digests alone."""

    player: str
    digests: Mapping[str, str]


def due_rosters(state: Tournament) -> list[DueRoster]:
    """Return the rosters that are to be opened now, with the digests of the fields that are due."""
    if state.entries.format != "swiss" or reached(state) == SUBMISSION:
        return []
    later = set(sealed_now(state))
    due = []
    for player in state.entries.players.values():
        if player.roster_sealed and (now := player.roster_sealed.keys() - later):
            due.append(DueRoster(player.id, {field: player.roster_sealed[field] for field in now}))
    return due


def open_rosters(state: Tournament, command: OpenRosters, context: Context) -> Sequence[Event]:
    """Open fields of rosters: each is what its digest in the log says. What is open already is passed over.

    Raises RosterIllegal for what is not due, and for a value and salt that do not give the digest. Source: AR-TIME-6.
    """
    faults: list[Fault] = []
    opened = [_opened(state, index, one, faults) for index, one in enumerate(command.rosters)]
    if faults:
        first = faults[0]
        raise RosterIllegal(f"{first.where} is {first.said}; expected {first.expected}.", faults)
    rosters = [one for one in opened if one.salts]
    return [RostersOpened(rosters=rosters)] if rosters else []


def _opened(state: Tournament, index: int, one: OpenedRoster, faults: list[Fault]) -> OpenedRoster:
    """Return the fields of a roster that this opens. What is wrong goes into `faults`."""
    faults += _faults_of(state, f"/rosters/{index}", one)
    player = state.entries.players.get(one.player)
    sealed = player.roster_sealed if player else {}
    return OpenedRoster(
        player=one.player,
        roster={field: value for field, value in one.roster.items() if field in sealed},
        salts={field: salt for field, salt in one.salts.items() if field in sealed},
    )


def _faults_of(state: Tournament, where: str, one: OpenedRoster) -> Iterator[Fault]:
    if (player := state.entries.players.get(one.player)) is None:
        yield Fault(f"{where}/player", one.player, expects("player-of-tournament"))
        return
    for field in sorted(one.roster.keys() - one.salts.keys()):
        yield Fault(f"{where}/salts/{field}", "nothing", expects("salt"))
    later = sealed_now(state)
    for field, salt in one.salts.items():
        if field in later:
            yield Fault(f"{where}/salts/{field}", salt, expects("open-field"))
        elif (digest := player.roster_sealed.get(field)) is not None:
            found = _digest(one, field, salt)
            if found != digest:
                yield Fault(f"{where}/roster/{field}", found or NOTHING, expects("digest-as-handed-in", digest=digest))


def _digest(one: OpenedRoster, field: str, salt: str) -> str:
    """Return the digest of a field; empty for a value that no log holds."""
    try:
        return seal(salt, field, one.roster.get(field))
    except NotCanonical:
        return ""


DIGEST = re.compile(r"[0-9a-f]{64}")
LARGEST_ROSTER = 32 * 1024
"""Bytes of canonical JSON. A list of 100 entries, each with a name of 100 characters, has 15,000."""


def submit(state: Tournament, command: SubmitRoster, context: Context) -> Sequence[Event]:
    """A legal roster is accepted, at once or when staff have checked it; an illegal one is refused with every fault.

    Where the ruleset has staff accept lists (FF-REG-3), one that such staff enter themselves is accepted by that. Once
    a round has started the roster is locked (AR-ROS-7), but for a player whose game waits for it; staff may still amend
    it, with a reason. Fields that not everybody may see yet enter the log as digests alone (AR-TIME-6).
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status != "waiting":
        active_player(entries, command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("A player may submit only their own roster.")
    locked = _locked(state, player.id)
    if locked:
        if not (context.by.staff and command.override):
            raise RosterLocked("Play has begun; only staff can amend a roster now, with a reason in `override`.")
        require_decider(entries, context.by, "lists")
    _refuse_large(command.roster)
    ruleset = ruleset_of(entries)
    hidden = sealed_now(state)
    _refuse_other_digests(hidden, command)
    clear, sealed = _as_recorded(hidden, command)
    accepted = not ruleset.roster.staff_accept or can_settle(entries, context.by, "lists")
    stands = ("accepted",) if accepted else ("accepted", "submitted")
    if player.roster in stands and (player.roster_sheet, player.roster_sealed) == (clear, sealed):
        return []
    first_day = date.fromisoformat(entries.starts_on) if entries.starts_on else None
    # A submission on record is whole again once it is opened: then an audit checks it (muster/audit/logs.py).
    found = [] if command.sealed else check_roster(ruleset, command.roster, first_day)
    faults = [msgspec.structs.replace(fault, where=f"/roster{fault.where}") for fault in found]
    if faults:
        raise RosterIllegal(f"The roster has {len(faults)} fault{'s' if len(faults) > 1 else ''}.", faults)
    submitted = RosterSubmitted(player=player.id, roster=dict(clear), sealed=sealed)
    note = command.override if locked else ""
    return [submitted, RosterAccepted(player=player.id, note=note)] if accepted else [submitted]


def _refuse_other_digests(hidden: Collection[str], command: SubmitRoster) -> None:
    """Refuse a submission on record without a digest of each hidden field, or with another digest. AR-TIME-6."""
    if command.secret or not (hidden or command.sealed):
        return
    faults = [
        Fault(f"/roster/{name}", to_short_json(command.roster[name]), expects("digest-only"))
        for name in hidden
        if name in command.roster
    ]
    faults += [
        Fault(f"/sealed/{name}", command.sealed.get(name, "nothing"), expects("digest"))
        for name in hidden
        if not DIGEST.fullmatch(command.sealed.get(name, ""))
    ]
    faults += [
        Fault(f"/sealed/{name}", command.sealed[name], expects("field-in-clear"))
        for name in set(command.sealed) - set(hidden)
    ]
    if faults:
        first = faults[0]
        raise RosterIllegal(f"{first.where} is {first.said}; expected {first.expected}.", faults)


def _as_recorded(hidden: Collection[str], command: SubmitRoster) -> tuple[Mapping[str, Any], dict[str, str]]:
    """Return the fields that the log holds in clear, and the digests of the others."""
    if command.sealed:
        return command.roster, command.sealed
    try:
        return split_sealed(hidden, command.roster, command.secret)
    except NotCanonical:
        return command.roster, {}  # the log takes none of it, and says what it cannot hold, and where


def open_part(command: SubmitRoster, events: Sequence[Mapping[str, Any]]) -> SubmitRoster:
    """Return the submission as the log holds it: digests of the fields that are not open yet, and no secret.

    A reason is kept where the decision asked for one: in public, since play has begun by then.
    """
    submitted = events[0]
    clear, sealed = submitted["roster"], submitted.get("sealed", {})
    reason = events[-1].get("note", "")
    return msgspec.structs.replace(command, roster=clear, sealed=sealed, secret="", override=reason)


Noted = TypeVar("Noted", AcceptRoster, AcceptRosters, RejectRoster)


def without_note(command: Noted, events: Sequence[Mapping[str, Any]]) -> Noted:
    """Return the command as the log holds it: a note that is not public is only said to have been there."""
    note = events[0].get("note", "") or (PERSONAL_PLACEHOLDER if command.note else "")
    return msgspec.structs.replace(command, note=note)


def _refuse_large(roster: Mapping[str, Any]) -> None:
    try:
        size = len(canonical_json(roster).encode())
    except NotCanonical:
        return  # the log says what it cannot hold, and where
    if size > LARGEST_ROSTER:
        raise RosterTooLarge(
            f"The roster has {size} bytes; at most {LARGEST_ROSTER} are accepted.",
            [Fault("/roster", f"{size}", expects("bytes-at-most", most=LARGEST_ROSTER))],
            limit=LARGEST_ROSTER,
            used=size,
        )


def _locked(state: Tournament, player: str) -> bool:
    """Whether play has begun: for anybody, or where the ruleset says so for this very player (FF-AMB-22).

    A player whose game waits for the list may still mend it (FF-REG-3).
    """
    if can_replace_list(state, player):
        return False
    first_game = ruleset_of(state.entries).roster.locked == "first_game"
    return any(
        round.status == "started"
        and (not first_game or any(player in seat.players for seat in round.seats.values() if seat.kind != "bye"))
        for round in state.rounds.rounds.values()
    )


def accept(state: Tournament, command: AcceptRoster, context: Context) -> Sequence[Event]:
    """Staff accept the roster submitted last, for example one that they had rejected (DW-ROS-5, FF-STAFF-2).

    Accepted once more with another note, that is what stands: an approval of a model, say (FF-AMB-24).
    """
    player = player_of(require_running(state), command.player)
    if not player.roster:
        raise RosterMissing(f"{player.name} has not submitted a roster.")
    require_decider(state.entries, context.by, "lists")
    if player.roster == "accepted" and command.note in ("", player.roster_note):
        return []
    return [RosterAccepted(player=player.id, note=_public_note(state, command.note))]


def accept_several(state: Tournament, command: AcceptRosters, context: Context) -> Sequence[Event]:
    """Staff accept the rosters of several players, all of them or none; every fault names its player (FF-REG-3)."""
    entries = require_running(state)
    return for_each(
        command.players,
        lambda player: accept(state, AcceptRoster(player=player, note=command.note), context),
        (PlayerUnknown, RosterMissing),
        nobody="Nothing was accepted",
        right=lambda player: expects("player-with-list", player=entries.players[player].name),
    )


def reject(state: Tournament, command: RejectRoster, context: Context) -> Sequence[Event]:
    """Staff found something that the ruleset's data cannot show (a model, a card, a proxy)."""
    player = player_of(require_running(state), command.player)
    if not player.roster:
        raise RosterMissing(f"{player.name} has not submitted a roster.")
    require_decider(state.entries, context.by, "lists")
    if player.roster == "rejected":
        return []
    return [RosterRejected(player=player.id, note=_public_note(state, command.note))]


def _public_note(state: Tournament, note: str) -> str:
    """Return the note if it may be in the log: what staff say of a roster tells of its content."""
    return note if notes_are_public(state) else ""


class Away(msgspec.Struct, frozen=True):
    """A player who stayed away too often. clause: by which they are out.

    told: the position in scoring's log of the result that told it last.
    """

    clause: str
    told: int


def dropped_for_absence(state: Tournament) -> dict[str, Away]:
    """Active players who stayed away from as many games as end a tournament for a player (AR-AMB-18, DW-AMB-17)."""
    if not state.results.absences:
        return {}
    away: list[tuple[FactsKind, str]] = []
    told: dict[str, int] = {}
    for round in state.rounds.rounds.values():
        for game in round.seats.keys() & state.results.absences.keys():
            seat, result = round.seats[game], state.results.results[game]
            for side in state.results.absences[game]:
                player = (seat.player_1, seat.player_2)[side - 1]
                away.append((result.facts["kind"], player))
                told[player] = max(result.changed, told.get(player, 0))
    over = repeatedly_absent(ruleset_of(state.entries), away)
    return {one.id: Away(over[one.id], told[one.id]) for one in state.entries.active() if one.id in over}


def drop_absent(state: Tournament, command: DropAbsentPlayer, context: Context) -> list[Event]:
    """Whoever stayed away too often plays no further rounds (AR-AMB-18, DW-AMB-17).

    Raises NotAway where the rule that is given as the reason does not hold.
    """
    require_running(state)
    away = dropped_for_absence(state).get(command.player)
    if away is None or away.clause != context.by.clause:
        raise NotAway(f"{command.player} has not been absent often enough to be dropped.", player=command.player)
    reason = f"did not come to a game again ({away.clause})"
    return [PlayerDropped(player=command.player, after_round=state.rounds_closed(), reason=reason)]


class NotAway(Refusal):
    """A rule would drop somebody who has not stayed away too often."""

    code = "player-not-away"


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


LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "roster": ("registration", "/players/{player}/roster"),
        "game": ("pairing", "/players/{player}/pairing"),
        "clock": ("pairing", "/clock"),
        "games": ("scoring", "/games"),
        "standing": ("scoring", "/standings/{player}"),
    }
)
ON_PURPOSE = (ROUNDS, CUT, STANDINGS)
