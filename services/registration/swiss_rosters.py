"""Rosters: submission and validation, opening of sealed fields, acceptance and rejection; drops for absence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Struct

from services.registration.check_in import decide_for_each
from services.registration.guards import NotYours, PlayerUnknown, active_player, is_self_or_staff, player_of
from services.registration.players import MAX_PLAYERS, check_unique
from shared.log.command_record import PERSONAL_PLACEHOLDER
from shared.log.event import Event, NotCanonical, canonical_json
from shared.refusals import NOTHING, Fault, Refusal, expects, to_short_json
from shared.rules.model import FactsKind
from shared.shapes import Check, Command, FreshRandom, Id, OptionalReason, Size, Text
from shared.swiss.games import ruleset_of
from shared.swiss.roster import check_paper_roster, check_roster
from shared.swiss.roster_parts import SUBMISSION, Since, seal, sealed_fields, split_sealed
from shared.swiss.scoring import repeatedly_absent
from shared.tournament.games import can_replace_list
from shared.tournament.guards import CUT, ROUNDS, STANDINGS, Context, can_settle, require_decider, require_running
from shared.tournament.parts import rounds_closed_for
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
    """Submit a roster."""

    player: Id
    roster: Annotated[
        dict[str, Any],
        "The roster in the ruleset's terms (docs/reference/packs.md). On record, without the fields in `sealed`.",
    ]
    override: Annotated[OptionalReason, "The reason for a change by staff after play has begun."] = ""
    secret: Annotated[
        str,
        FreshRandom(),
        "Random text for the digests of sealed fields; empty if the ruleset opens all fields at once.",
    ] = ""
    sealed: Annotated[dict[str, str], "On record: the digests of fields that are not open yet."] = {}
    on_paper: Annotated[
        OptionalReason,
        "Staff only: the reason for accepting a list that they saw on paper. Public. `roster` then has no entries, only"
        " the totals that results are checked against, and other fields of one value as you like.",
    ] = ""


class OpenRosters(Command, frozen=True, kw_only=True):
    """Open sealed fields of rosters. The service issues this command when a rule opens them."""

    rosters: Annotated[
        list[OpenedRoster], Size(MAX_PLAYERS, 1), "The values of the fields, each with the salt of its digest."
    ]


class AcceptRoster(Command, frozen=True, kw_only=True):
    """Accept a player's roster."""

    player: Id
    note: Annotated[OptionalReason, "The staff's remarks."] = ""


class AcceptRosters(Command, frozen=True, kw_only=True):
    """Accept the rosters of several players: all of them or none."""

    players: Annotated[list[Id], Size(MAX_PLAYERS, 1), Check(check_unique)]
    note: Annotated[OptionalReason, "The staff's remarks, recorded for each roster."] = ""


class RejectRoster(Command, frozen=True, kw_only=True):
    """Reject a player's roster."""

    player: Id
    note: Annotated[str, Text(500, minimum=1), "The reason; the player can read it."]


class DropAbsentPlayer(Command, frozen=True, kw_only=True):
    """Drop a player who was absent too often. The service issues this command when a rule demands it."""

    player: Id


def moments_reached(state: Tournament) -> frozenset[Since]:
    """Return the moments of the ruleset that have come. A cancelled tournament counts as ended."""
    moments = set(SUBMISSION)
    if state.rounds.has_begun:
        moments.add("round_1")
    if state.results.concluded or state.entries.status == "cancelled":
        moments |= {"round_1", "end"}
    return frozenset(moments)


def currently_sealed(state: Tournament) -> list[str]:
    """Return the fields of a roster that are not public yet."""
    return sealed_fields(ruleset_of(state.entries).roster, moments_reached(state))


def notes_are_public(state: Tournament) -> bool:
    """Return True if notes about rosters may enter the log: play has begun, or rosters are public from submission."""
    return "round_1" in moments_reached(state) or not currently_sealed(state)


class DueRoster(Struct, frozen=True):
    """A roster with fields that are due to be opened: the log still holds only their digests."""

    player: str
    digests: Mapping[str, str]


def due_rosters(state: Tournament) -> list[DueRoster]:
    """Return the rosters that are due to be opened, with the digests of the fields that are due."""
    if state.entries.format != "swiss" or moments_reached(state) == SUBMISSION:
        return []
    later = set(currently_sealed(state))
    due = []
    for player in state.entries.players.values():
        if player.roster_sealed and (fields := player.roster_sealed.keys() - later):
            due.append(DueRoster(player.id, {field: player.roster_sealed[field] for field in fields}))
    return due


def open_rosters(state: Tournament, command: OpenRosters, context: Context) -> Sequence[Event]:
    """Open fields of rosters, skipping those already open.

    Raises RosterIllegal for fields that are not due, and for values that do not match their digests. Source: AR-TIME-6.
    """
    faults: list[Fault] = []
    opened = [_opened(state, index, roster, faults) for index, roster in enumerate(command.rosters)]
    if faults:
        first = faults[0]
        raise RosterIllegal(f"{first.where} is {first.said}; expected {first.expected}.", faults)
    rosters = [roster for roster in opened if roster.salts]
    return [RostersOpened(rosters=rosters)] if rosters else []


def _opened(state: Tournament, index: int, roster: OpenedRoster, faults: list[Fault]) -> OpenedRoster:
    """Return the fields of a roster that are newly opened. Append faults to `faults`."""
    faults += _opening_faults(state, f"/rosters/{index}", roster)
    player = state.entries.players.get(roster.player)
    sealed = player.roster_sealed if player else {}
    return OpenedRoster(
        player=roster.player,
        roster={field: value for field, value in roster.roster.items() if field in sealed},
        salts={field: salt for field, salt in roster.salts.items() if field in sealed},
    )


def _opening_faults(state: Tournament, where: str, roster: OpenedRoster) -> Iterator[Fault]:
    if (player := state.entries.players.get(roster.player)) is None:
        yield Fault(f"{where}/player", roster.player, expects("player-of-tournament"))
        return
    for field in sorted(roster.roster.keys() - roster.salts.keys()):
        yield Fault(f"{where}/salts/{field}", "nothing", expects("salt"))
    later = currently_sealed(state)
    for field, salt in roster.salts.items():
        if field in later:
            yield Fault(f"{where}/salts/{field}", salt, expects("open-field"))
        elif (digest := player.roster_sealed.get(field)) is not None:
            actual = _digest(roster, field, salt)
            if actual != digest:
                expected = expects("digest-as-handed-in", digest=digest)
                yield Fault(f"{where}/roster/{field}", actual or NOTHING, expected)


def _digest(roster: OpenedRoster, field: str, salt: str) -> str:
    """Return the digest of a field; empty for a value that a log cannot hold."""
    try:
        return seal(salt, field, roster.roster.get(field))
    except NotCanonical:
        return ""


DIGEST = re.compile(r"[0-9a-f]{64}")
MAX_ROSTER_BYTES = 32 * 1024
"""Maximum size as canonical JSON. A list of 100 entries, each with a name of 100 characters, has 15,000 bytes."""


def submit(state: Tournament, command: SubmitRoster, context: Context) -> Sequence[Event]:
    """Submit a roster. An illegal one is refused with every fault; a legal one is accepted at once, or by staff.

    If the ruleset has staff accept lists (FF-REG-3), a roster entered by such staff is accepted at once. After a round
    has started, rosters are locked (AR-ROS-7), except for a player whose game waits for one; staff may still amend
    them, with a reason. Fields that are not public yet enter the log only as digests (AR-TIME-6).

    A list seen on paper is accepted by staff who decide about lists: they answer for what the log does not contain.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status != "waiting":
        active_player(entries, command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("A player may submit only their own roster.")
    if command.on_paper and not context.by.staff:
        raise NotYours("Only staff can accept a list that they saw on paper.")
    locked = _locked(state, player.id)
    if locked and not (context.by.staff and (command.override or command.on_paper)):
        raise RosterLocked("Play has begun; only staff can amend a roster now, with a reason in `override`.")
    if locked or command.on_paper:
        require_decider(entries, context.by, "lists")
    _refuse_large(command.roster)
    ruleset = ruleset_of(entries)
    hidden = currently_sealed(state)
    _refuse_wrong_digests(hidden, command)
    clear, sealed = _as_recorded(hidden, command)
    accepted = not ruleset.roster.staff_accept or can_settle(entries, context.by, "lists")
    unchanged_statuses = ("accepted",) if accepted else ("accepted", "submitted")
    paper = player.roster_on_paper.reason if player.roster_on_paper else ""
    known = (player.roster_sheet, player.roster_sealed, paper)
    if player.roster in unchanged_statuses and known == (clear, sealed, command.on_paper):
        return []
    first_day = date.fromisoformat(entries.starts_on) if entries.starts_on else None
    # A recorded submission with sealed fields is incomplete. An audit checks it after the fields are opened
    # (muster/audit/logs.py).
    if command.sealed:
        roster_faults = []
    elif command.on_paper:
        roster_faults = check_paper_roster(ruleset, command.roster)
    else:
        roster_faults = check_roster(ruleset, command.roster, first_day)
    faults = [msgspec.structs.replace(fault, where=f"/roster{fault.where}") for fault in roster_faults]
    if faults:
        raise RosterIllegal(f"The roster has {len(faults)} fault{'s' if len(faults) > 1 else ''}.", faults)
    submitted = RosterSubmitted(player=player.id, roster=dict(clear), sealed=sealed, on_paper=command.on_paper)
    note = command.override if locked else ""
    return [submitted, RosterAccepted(player=player.id, note=note)] if accepted else [submitted]


def _refuse_wrong_digests(hidden: Collection[str], command: SubmitRoster) -> None:
    """Raise RosterIllegal if a recorded submission lacks digests of hidden fields, or has others (AR-TIME-6)."""
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
    """Return the fields that the log holds as clear text, and the digests of the others."""
    if command.sealed:
        return command.roster, command.sealed
    try:
        return split_sealed(hidden, command.roster, command.secret)
    except NotCanonical:
        return command.roster, {}  # appending the event will refuse it with the faults


def recorded_submission(command: SubmitRoster, events: Sequence[Mapping[str, Any]]) -> SubmitRoster:
    """Return the submission as the log records it: with digests of sealed fields, without the secret.

    A reason is recorded only if the decision required one; play has begun by then, so it may be public.
    """
    submitted = events[0]
    clear, sealed = submitted["roster"], submitted.get("sealed", {})
    reason = events[-1].get("note", "")
    return msgspec.structs.replace(command, roster=clear, sealed=sealed, secret="", override=reason)


NotedCommand = TypeVar("NotedCommand", AcceptRoster, AcceptRosters, RejectRoster)


def without_private_note(command: NotedCommand, events: Sequence[Mapping[str, Any]]) -> NotedCommand:
    """Return the command as the log records it: a placeholder replaces a note that is not public."""
    note = events[0].get("note", "") or (PERSONAL_PLACEHOLDER if command.note else "")
    return msgspec.structs.replace(command, note=note)


def _refuse_large(roster: Mapping[str, Any]) -> None:
    try:
        size = len(canonical_json(roster).encode())
    except NotCanonical:
        return  # appending the event will refuse it with the faults
    if size > MAX_ROSTER_BYTES:
        raise RosterTooLarge(
            f"The roster has {size} bytes; at most {MAX_ROSTER_BYTES} are accepted.",
            [Fault("/roster", f"{size}", expects("bytes-at-most", most=MAX_ROSTER_BYTES))],
            limit=MAX_ROSTER_BYTES,
            used=size,
        )


def _locked(state: Tournament, player: str) -> bool:
    """Return True if the roster is locked: by the first round, or by the player's first game (FF-AMB-22).

    A player whose game waits for the list may still change it (FF-REG-3).
    """
    if can_replace_list(state, player):
        return False
    first_game = ruleset_of(state.entries).roster.locked == "first_game"
    return any(
        round.has_started
        and (
            not first_game
            or any(
                player in seat.players and round.clock_of(seat.venue)
                for seat in round.seats.values()
                if seat.kind != "bye"
            )
        )
        for round in state.rounds.rounds.values()
    )


def accept(state: Tournament, command: AcceptRoster, context: Context) -> Sequence[Event]:
    """Accept the latest roster, for example one that was rejected before (DW-ROS-5, FF-STAFF-2).

    Accepting again with another note replaces the note, for example to approve a model (FF-AMB-24).
    """
    player = player_of(require_running(state), command.player)
    if not player.roster:
        raise RosterMissing(f"{player.name} has not submitted a roster.")
    require_decider(state.entries, context.by, "lists")
    if player.roster == "accepted" and command.note in ("", player.roster_note):
        return []
    return [RosterAccepted(player=player.id, note=_public_note(state, command.note))]


def accept_rosters(state: Tournament, command: AcceptRosters, context: Context) -> Sequence[Event]:
    """Accept the rosters of several players (FF-REG-3). Refuses all of them with every fault if one is refused."""
    entries = require_running(state)
    return decide_for_each(
        command.players,
        lambda player: accept(state, AcceptRoster(player=player, note=command.note), context),
        (PlayerUnknown, RosterMissing),
        summary="Nothing was accepted",
        expected=lambda player: expects("player-with-list", player=entries.players[player].name),
    )


def reject(state: Tournament, command: RejectRoster, context: Context) -> Sequence[Event]:
    """Reject the latest roster, for a reason that the ruleset's data cannot show (a model, a card, a proxy)."""
    player = player_of(require_running(state), command.player)
    if not player.roster:
        raise RosterMissing(f"{player.name} has not submitted a roster.")
    require_decider(state.entries, context.by, "lists")
    if player.roster == "rejected":
        return []
    return [RosterRejected(player=player.id, note=_public_note(state, command.note))]


def _public_note(state: Tournament, note: str) -> str:
    """Return the note if it may enter the log, otherwise nothing: a note may reveal content of a sealed roster."""
    return note if notes_are_public(state) else ""


class Absence(msgspec.Struct, frozen=True):
    """Too many absences of a player.

    clause: the rule that drops the player. reported_at: position in scoring's log of the last result with an absence.
    """

    clause: str
    reported_at: int


def dropped_for_absence(state: Tournament) -> dict[str, Absence]:
    """Return the active players who were absent often enough to be dropped (AR-AMB-18, DW-AMB-17)."""
    if not state.results.absences:
        return {}
    absences: list[tuple[FactsKind, str]] = []
    reported_at: dict[str, int] = {}
    for round in state.rounds.rounds.values():
        for game in round.seats.keys() & state.results.absences.keys():
            seat, result = round.seats[game], state.results.results[game]
            for side in state.results.absences[game]:
                player = (seat.player_1, seat.player_2)[side - 1]
                absences.append((result.facts["kind"], player))
                reported_at[player] = max(result.changed, reported_at.get(player, 0))
    clauses = repeatedly_absent(ruleset_of(state.entries), absences)
    return {
        player.id: Absence(clauses[player.id], reported_at[player.id])
        for player in state.entries.active()
        if player.id in clauses
    }


def drop_absent(state: Tournament, command: DropAbsentPlayer, context: Context) -> list[Event]:
    """Drop a player who was absent too often (AR-AMB-18, DW-AMB-17).

    Raises PlayerNotAbsent if the rule in the context does not apply.
    """
    require_running(state)
    absence = dropped_for_absence(state).get(command.player)
    if absence is None or absence.clause != context.by.clause:
        raise PlayerNotAbsent(
            f"{command.player} has not been absent often enough to be dropped.", player=command.player
        )
    reason = f"did not come to a game again ({absence.clause})"
    return [PlayerDropped(player=command.player, after_round=rounds_closed_for(state, command.player), reason=reason)]


class PlayerNotAbsent(Refusal):
    """The player has not been absent often enough for the rule to drop them."""

    code = "player-not-away"


class RosterIllegal(Refusal):
    """The roster breaks the ruleset; `errors` lists every fault with its clause."""

    code = "roster-illegal"


class RosterTooLarge(Refusal):
    """The roster is larger than any legal roster needs. data: `limit` and `used`, in bytes."""

    code = "roster-too-large"


class RosterLocked(Refusal):
    """Play has begun; only staff can change a roster now, with a reason."""

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
