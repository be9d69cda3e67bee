"""Tournaments: announcement, amendment, cancellation; closing and reopening registration."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from services.registration import withdrawals
from services.registration.guards import CapacityTooSmall, TooLateToChange
from shared.formats.options import apply_options, from_json
from shared.log.event import Event
from shared.refusals import Fault, Refusal, display_text, expects, one_of
from shared.rules.model import OptionsRefused
from shared.rules.parts import AnyRuleset, to_json
from shared.shapes import Command, Name, Reason, Shape, Size, Whole
from shared.tournament.format import tier_of
from shared.tournament.guards import Context, require_running
from shared.tournament.registration import (
    RegistrationClosed,
    RegistrationReopened,
    TournamentAmended,
    TournamentAnnounced,
    TournamentCancelled,
)
from shared.tournament.state import Tournament

SignUpBy = Annotated[
    Literal["open", "invite_only"],
    "`open`: anyone can sign up while registration is open. `invite_only`: staff and integrations enter the players.",
]

OnPurpose = Annotated[
    list[Literal["rounds", "cut", "standings"]],
    Size(3),
    "What stays visible to staff only until they publish it. Empty: everything is public at once.",
]


RoundsApart = Annotated[
    int, Whole(0, 64), "With `pairing_scope` venue: how many rounds a venue may be ahead of another. Default: any."
]


class Plan(Shape, frozen=True, kw_only=True):
    """The settings of a new tournament, apart from its ruleset."""

    name: Annotated[str, Name()]
    options: Annotated[dict[str, Any], "Options of the ruleset."] = {}
    tier: Annotated[str, "One of the ruleset's tiers. Default: the first."] = ""
    starts_on: date | None = None
    ends_on: date | None = None
    capacity: Annotated[int, Whole(2, 100_000)] | None = None
    rounds: Annotated[int, Whole(1, 64)] | None = None
    pairing_scope: Literal["event", "venue"] = "event"
    rounds_apart: RoundsApart | None = None
    visibility: Literal["public", "private"] = "public"
    check_in: Annotated[bool, "True: round 1 only pairs players who are checked in."] = False
    sign_up: SignUpBy = "invite_only"
    rehearsal: Annotated[bool, "True: a test event, which does not count. Placeholder operator data are accepted."] = (
        False
    )
    on_purpose: OnPurpose = []
    operator_data: Annotated[
        dict[str, Any] | None, "Co-operative games: the contents of sheets and cards (docs/reference/packs.md)."
    ] = None


class AnnounceTournament(Plan, Command, frozen=True, kw_only=True):
    """Announce a tournament."""

    format: Annotated[str, "Default: the format of the ruleset."] = ""
    ruleset: Annotated[dict[str, Any], "The whole pack as JSON, with the options applied."]


class AmendTournament(Command, frozen=True, kw_only=True):
    """Change settings of a tournament. Members that you leave out do not change.

    The number of rounds and the options can change until round 1 is paired and published.
    """

    name: Annotated[str | UnsetType, Name()] = UNSET
    starts_on: date | UnsetType = UNSET
    ends_on: date | UnsetType = UNSET
    capacity: Annotated[int | UnsetType, Whole(2, 100_000)] = UNSET
    rounds: Annotated[int | UnsetType, Whole(1, 64)] = UNSET
    sign_up: SignUpBy | UnsetType = UNSET
    on_purpose: OnPurpose | UnsetType = UNSET
    rounds_apart: RoundsApart | UnsetType = UNSET
    options: Annotated[
        dict[str, Any] | UnsetType, "Options that may change until round 1 (see `until` of each option)."
    ] = UNSET


class CancelTournament(Command, frozen=True, kw_only=True):
    """Cancel a tournament."""

    reason: Annotated[Reason, "Public."]


class CloseRegistration(Command, frozen=True, kw_only=True):
    """Close registration: no one can join any more."""


class ReopenRegistration(Command, frozen=True, kw_only=True):
    """Reopen registration: players can join again."""


class RegistrationFormat(Protocol):
    """The module of a format."""

    @property
    def LINKS(self) -> Mapping[str, tuple[str, str]]:
        """Name of a player's resource -> (service, path in the tournament), in addition to those of every format."""

    @property
    def ON_PURPOSE(self) -> Collection[str]:
        """Names of what can stay unpublished until staff publish it."""


def announce(
    formats: Mapping[str, RegistrationFormat], state: Tournament, command: AnnounceTournament, context: Context
) -> Sequence[Event]:
    """Announce a tournament, which appends the first event of its log."""
    if state.entries.status:
        raise TournamentExists("This id is taken by another tournament.")
    format = str(command.ruleset["format"])
    if command.format not in ("", format):
        raise FormatNotPlayed(
            f"{command.ruleset['id']} is a ruleset of the format {format}.",
            [Fault("/format", command.format, one_of([format]))],
        )
    starts_on = command.starts_on.isoformat() if command.starts_on else ""
    ends_on = command.ends_on.isoformat() if command.ends_on else ""
    _refuse_dates(starts_on, ends_on)
    _refuse_rounds(from_json(command.ruleset), command.rounds)
    _refuse_on_purpose(formats[format], format, command.on_purpose)
    announced = TournamentAnnounced(
        name=command.name,
        format=format,
        ruleset=command.ruleset,
        options=command.options,
        tier=command.tier,
        starts_on=starts_on,
        ends_on=ends_on,
        capacity=command.capacity,
        rounds=command.rounds,
        pairing_scope=command.pairing_scope,
        visibility=command.visibility,
        check_in=command.check_in,
        organiser=context.by.actor,
        sign_up=command.sign_up,
        rehearsal=command.rehearsal,
        on_purpose=[*command.on_purpose],
        rounds_apart=command.rounds_apart,
    )
    return [announced]


def amend(format: RegistrationFormat, state: Tournament, command: AmendTournament, context: Context) -> Sequence[Event]:
    """Change settings of a tournament.

    The number of rounds, and the options that allow it, can change until round 1 is paired (AR-SET-4); a draft of
    round 1 does not count. The other settings can change at any time.
    """
    entries = require_running(state)
    given = msgspec.to_builtins(command)
    options = _changed_options(state, given.pop("options", {}), given.get("rounds", entries.rounds))
    changed = {name: value for name, value in given.items() if value != getattr(entries, name)}
    if "rounds" in changed:
        _refuse_rounds(from_json(entries.ruleset), changed["rounds"])
    if "rounds" in changed and state.has_begun:
        expected = expects("rounds-as-paired", rounds=entries.rounds or expects("nothing"))
        raise TooLateToChange(
            "Round 1 is paired; the number of rounds can no longer change.",
            [Fault("/rounds", display_text(changed["rounds"]), expected)],
            clause=tier_of(entries).cites("rounds"),
        )
    _refuse_on_purpose(format, entries.format, changed.get("on_purpose", ()))
    seats = changed.get("capacity")
    if seats is not None and seats < entries.seated():
        raise CapacityTooSmall(
            f"{entries.seated()} players hold seats.",
            [Fault("/capacity", str(seats), expects("at-least", least=entries.seated()))],
        )
    _refuse_dates(changed.get("starts_on", entries.starts_on), changed.get("ends_on", entries.ends_on))
    if not changed and not options:
        return []
    promoted = (
        withdrawals.promotions(entries, seats - entries.seated()) if seats is not None and not state.has_begun else []
    )
    amended = TournamentAmended(
        name=changed.get("name"),
        starts_on=changed.get("starts_on"),
        ends_on=changed.get("ends_on"),
        capacity=changed.get("capacity"),
        rounds=changed.get("rounds"),
        sign_up=changed.get("sign_up"),
        on_purpose=changed.get("on_purpose"),
        options=options.get("options"),
        ruleset=options.get("ruleset"),
    )
    return [amended, *promoted]


def _refuse_rounds(ruleset: AnyRuleset, rounds: int | None) -> None:
    """Raise RoundsByOption if an option of the ruleset sets another number of rounds (FS-LGE-3)."""
    option = ruleset.rounds_option
    if option is not None and rounds not in (None, option.rounds):
        raise RoundsByOption(
            f"The option {option.key} sets {option.rounds} rounds.",
            [Fault("/rounds", str(rounds), expects("value-or-nothing", value=option.rounds), option.clause)],
        )


def _refuse_on_purpose(format: RegistrationFormat, name: str, on_purpose: Sequence[str]) -> None:
    """Raise NotOnPurpose for things that the format does not have, or always publishes at once."""
    possible = one_of(list(format.ON_PURPOSE)) if format.ON_PURPOSE else expects("nothing")
    faults = [
        Fault(f"/on_purpose/{index}", thing, expects("of-format", right=possible, format=name))
        for index, thing in enumerate(on_purpose)
        if thing not in format.ON_PURPOSE
    ]
    if faults:
        raise NotOnPurpose(f"The format {name} has no such thing to publish on purpose.", faults)


def _changed_options(state: Tournament, chosen: Mapping[str, Any], rounds: int | None) -> dict[str, Any]:
    """Return the members `options` and `ruleset` of the event; empty if nothing changes.

    Raises TooLateToChange and OptionsRefused.
    """
    if not chosen:
        return {}
    ruleset = from_json(state.entries.ruleset)
    fixed = {option.key for option in ruleset.options if option.until == "announcement"}
    late = [key for key in chosen if state.has_begun or state.entries.moves or key in fixed]
    if late:
        cause = "Round 1 is paired" if state.has_begun else "They were fixed when the tournament was announced"
        faults = [Fault(f"/options/{key}", display_text(chosen[key]), expects("changeable-option")) for key in late]
        raise TooLateToChange(f"{cause}; these options stand: {', '.join(late)}.", faults)
    try:
        changed = apply_options(ruleset, chosen)
    except OptionsRefused as refused:
        faults = [msgspec.structs.replace(fault, where=f"/options{fault.where}") for fault in refused.faults]
        raise OptionsRefused(refused.detail, faults, **refused.data) from refused
    _refuse_rounds(changed, rounds)
    pack = to_json(changed)
    return {} if pack == state.entries.ruleset else {"options": dict(chosen), "ruleset": pack}


def _refuse_dates(starts_on: str, ends_on: str) -> None:
    if starts_on and ends_on and ends_on < starts_on:
        raise DatesOutOfOrder(
            f"It would start on {starts_on} and end on {ends_on}.",
            [Fault("/ends_on", ends_on, expects("day-or-later", day=starts_on))],
        )


def cancel(state: Tournament, command: CancelTournament, context: Context) -> Sequence[Event]:
    """Cancel a tournament, which ends it without a winner."""
    require_running(state)
    return [TournamentCancelled(reason=command.reason)]


def close_registration(state: Tournament, command: CloseRegistration, context: Context) -> Sequence[Event]:
    """Close registration."""
    return [RegistrationClosed()] if require_running(state).registration_open else []


def reopen_registration(state: Tournament, command: ReopenRegistration, context: Context) -> Sequence[Event]:
    """Reopen registration, until round 1 is paired."""
    entries = require_running(state)
    if state.has_begun:
        raise TooLateToChange("Round 1 is paired; registration stays closed.", status="registration")
    return [] if entries.registration_open else [RegistrationReopened()]


class TournamentExists(Refusal):
    """The id is taken by another tournament."""

    code = "tournament-exists"


class FormatNotPlayed(Refusal):
    """The ruleset has another format."""

    code = "format-not-played"


class DatesOutOfOrder(Refusal):
    """A tournament cannot end before it starts."""

    code = "dates-out-of-order"


class NotOnPurpose(Refusal):
    """The format has no such thing that could stay unpublished."""

    code = "not-on-purpose"


class RoundsByOption(Refusal):
    """In a campaign an option sets the number of rounds."""

    code = "rounds-by-option"
