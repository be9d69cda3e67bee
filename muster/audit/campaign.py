"""A campaign decided again: every outcome from its dice and choices, every roll from its faces. FS-AUD-1, FS-AUD-2.

What people decided by themselves (entries of an organiser, pairings by hand) is counted, and cannot be computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from muster.audit.campaign_context import context_of, round_of
from muster.audit.campaign_redecided import difference, redecided
from muster.audit.campaign_rounds import audit_rounds
from muster.audit.campaign_words import audit_dice, audit_words
from muster.audit.findings import Findings, misfit
from muster.audit.replay import CannotFold, DecodedEvent, Logs, as_seen
from shared.events.recorded import GENESIS
from shared.formats.campaign.league import present_at_building, round_at_hand, staff_here
from shared.formats.campaign.rules.audit import faults_of_rolls
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.income_outcomes import CapsMoved
from shared.formats.campaign.rules.outcomes import GroupEntered, MemberIncarcerated
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent, Events
from shared.formats.campaign.ruleset import campaign_of, versions_at
from shared.formats.campaign.state import CAMPAIGN
from shared.tournament.state import Tournament

PREFIX = {"registration": "e", "scoring": "s"}
"""What the ids of rolls begin with, by the log that they are in."""


def audit_campaign(logs: Logs, findings: Findings) -> None:
    """Replay each log as its owner saw the others, and compare what it states with what follows."""
    for part in (
        _moves,
        _decisions_of("registration"),
        _decisions_of("scoring"),
        audit_words,
        audit_rounds,
        audit_dice,
    ):
        try:
            part(logs, findings)
        except CannotFold as stopped:
            findings.fail("fold", stopped.event, str(stopped), "something possible; nothing behind it was recomputed")


class _GoneThrough(Struct):
    """A log as far as it was gone through. jailed: rolls that sent somebody to jail -> the group that has to be paid.
    upto: events looked at.

    heard, outcomes, rules: each outcome with its event and the rules of its round.
    """

    heard: list[DecodedEvent] = field(default_factory=list)
    outcomes: Events = field(default_factory=list)
    rules: list[Rules] = field(default_factory=list)
    jailed: dict[str, str] = field(default_factory=dict)
    upto: int = 0

    def add(self, heard: DecodedEvent, outcome: CampaignEvent, rules: Rules) -> None:
        self.heard.append(heard)
        self.outcomes.append(outcome)
        self.rules.append(rules)


def _decisions_of(source: str) -> Callable[[Logs, Findings], None]:
    def audit(logs: Logs, findings: Findings) -> None:
        _decisions(source, logs, findings)

    return audit


def _decisions(source: str, logs: Logs, findings: Findings) -> None:
    """Every decision of one log made again, and all its rolls: these also behind what cannot be folded."""
    log, told = logs.get(source, ()), _GoneThrough()
    try:
        _made_again(source, logs, told, findings)
    finally:
        for heard in log[told.upto :]:
            if told.rules and isinstance(heard.event, CampaignEvent):
                told.add(heard, heard.event, told.rules[-1])
        _rolls(source, told, findings)


def _made_again(source: str, logs: Logs, told: _GoneThrough, findings: Findings) -> None:
    log = logs.get(source, ())
    command, seed, upto = "", GENESIS, 0
    for index, (heard, state) in enumerate(as_seen(logs, source)):
        told.upto = index + 1
        if heard.command_id != command:
            command, seed = heard.command_id, heard.prev_hash if heard.position > 1 else GENESIS
        event = heard.event
        if not isinstance(event, CampaignEvent):
            continue
        at_hand = round_of(source, state)
        if event.round != at_hand:
            findings.fail("round", heard, f"of round {event.round}", f"round {at_hand}, which is at hand")
        told.add(heard, event, campaign_of(state.entries, at_hand))
        findings.counts["groups"] += isinstance(event, GroupEntered)
        if isinstance(event, DieRolled):
            findings.counts["rolls"] += 1
            _people(heard, event.group, event, state, findings)
            _drawn(heard, event, seed, findings)
            right = versions_at(state.entries, at_hand)
            if event.versions != right:
                said = f"{event.roll} under {event.versions or 'no rules'}"
                findings.fail("ruleset", heard, said, f"{right}, which hold in round {at_hand} (FS-AUD-3)")
        elif isinstance(event, MemberIncarcerated):
            known = CAMPAIGN.of(state).groups.get(event.group)
            told.jailed[event.roll] = known.phase.played.taker(event.member) if known and known.phase else ""
        if index >= upto:
            upto = index + _decision(log, index, state, seed, told.jailed, findings)
        if isinstance(event, CapsMoved) and told.jailed.get(event.roll) == event.group:
            del told.jailed[event.roll]
    for roll, captor in told.jailed.items():
        caught = next(heard for heard, said in zip(told.heard, told.outcomes, strict=True) if _of_roll(said, roll))
        findings.fail("decision", caught, f"a prisoner by {roll} whom nobody paid for", f"caps for {captor} (FS-INJ-5)")


def _of_roll(outcome: CampaignEvent, roll: str) -> bool:
    return isinstance(outcome, MemberIncarcerated) and outcome.roll == roll


def _decision(
    log: Sequence[DecodedEvent], index: int, state: Tournament, seed: str, jailed: Mapping[str, str], findings: Findings
) -> int:
    """The decision that begins here made again. Returns how many events were looked at with it."""
    heard = log[index]
    run = list(_run(log, index))
    ruled = run[0].cause == "ruling"  # whether the entry is just is the organiser's to say; what it does is not
    try:
        made = redecided(context_of(log, index, run, state, seed, jailed))
    except Exception as error:  # a state or a choice that the rules cannot look at
        findings.fail("decision", heard, misfit(error, heard.event), "something that can be")
        return len(run)
    findings.counts["entries by hand" if ruled else "decisions"] += 1
    if made.holds:
        return len(made.right)
    place = log[min(index + made.same, index + len(run) - 1)]
    findings.fail("decision", place, *difference(made, run))
    return len(run)


def _run(log: Sequence[DecodedEvent], index: int) -> Iterator[CampaignEvent]:
    """The events from here on that one command has about one group."""
    first = log[index]
    assert isinstance(first.event, CampaignEvent)
    for heard in log[index:]:
        event = heard.event
        if heard.command_id != first.command_id or not isinstance(event, CampaignEvent):
            return
        if event.group != first.event.group:
            return
        yield event


def _people(heard: DecodedEvent, group: str, rolled: DieRolled, state: Tournament, findings: Findings) -> None:
    """Dice at a table have a roller, and another who saw them; both were there. FS-AUD-1."""
    if rolled.source == "service":
        return
    here = present_at_building(state)
    latest = state.rounds.latest() if heard.source == "scoring" else None
    seat = next((seat for seat in latest.seats.values() if group in seat.players), None) if latest and group else None
    if seat is not None and seat.kind != "bye":
        here = {*seat.players, *staff_here(state)}
    for role, person in (("rolled", rolled.rolled_by), ("seen", rolled.witnessed_by)):
        if person not in here:
            said = f"{rolled.roll} {role} by {person or 'nobody'}"
            findings.fail("people", heard, said, f"one of {', '.join(sorted(here))} (FS-AUD-1)")
    if rolled.rolled_by == rolled.witnessed_by and rolled.rolled_by:
        findings.fail("people", heard, f"{rolled.roll} seen by {rolled.witnessed_by}, who rolled", "another (FS-AUD-1)")


def _drawn(heard: DecodedEvent, rolled: DieRolled, seed: str, findings: Findings) -> None:
    """What the service draws it draws from what the log held before the command."""
    if rolled.source == "service":
        findings.counts["draws"] += 1
        if rolled.seed != seed:
            said = f"{rolled.roll}: seed {rolled.seed or 'not there'}"
            findings.fail("seed", heard, said, f"{seed}, the hash before this command")


def _rolls(source: str, told: _GoneThrough, findings: Findings) -> None:
    """Rolls and outcomes belong together; ids are given in order, so that nobody chooses among draws."""
    for fault in faults_of_rolls(told.rules, told.outcomes):
        index = int(fault.where.split("/")[1])
        findings.fail("roll", told.heard[index], fault.said, f"{fault.expected} ({fault.clause})")
    commands: dict[str, list[tuple[DecodedEvent, DieRolled]]] = {}
    for heard, outcome in zip(told.heard, told.outcomes, strict=True):
        if isinstance(outcome, DieRolled):
            commands.setdefault(heard.command_id, []).append((heard, outcome))
    made = 0
    for rolls in commands.values():
        due = {f"{PREFIX[source]}{number}" for number in range(made + 1, made + len(rolls) + 1)}
        for heard, rolled in rolls:
            if rolled.source == "service" and rolled.roll not in due:
                findings.fail("roll", heard, rolled.roll, f"one of {', '.join(sorted(due))} (FS-AUD-1)")
        made += len(rolls)


def _moves(logs: Logs, findings: Findings) -> None:
    """The ruleset moves forward: from a round that is not paired, behind the last move. FS-AUD-3."""
    for heard, state in as_seen(logs, "registration"):
        event: Any = heard.event
        if type(event).__name__ != "RulesetMoved":
            continue
        findings.counts["moves of the ruleset"] += 1
        earlier = max((move.from_round for move in state.entries.moves), default=0)
        least = max(earlier, round_at_hand(state)) + 1
        if event.from_round < least:
            said = f"the ruleset moves from round {event.from_round} on"
            findings.fail("ruleset", heard, said, f"from round {least} on, or later (FS-AUD-3)")
