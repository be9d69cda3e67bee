"""What follows when a campaign's result begins to bind, or ceases to: phases opened, groups restored. FS-REP-5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from typing import Any

from msgspec.structs import replace

from services.scoring.domain.campaign import Telling
from services.scoring.domain.campaign_games import AT, accepted, musters_of, sides_of, with_rolls
from services.scoring.domain.state import game_of
from shared.events import scoring as said
from shared.events.base import Event
from shared.events.pairing import Seat
from shared.handling.by_format import Decide
from shared.handling.context import Context
from shared.refusals import Fault
from shared.rules.campaign.dice import Thrown
from shared.rules.campaign.evolve import evolve
from shared.rules.campaign.opening import faults_of_correction, open_after_bye, open_post_game
from shared.rules.campaign.outcomes import GroupRestored
from shared.rules.campaign.refusals import StepRefused
from shared.rules.campaign.report import end_of_game
from shared.rules.campaign.rolling import Told
from shared.rules.campaign.roster import Group
from shared.state.league import GAME, NO_SHOW, report_of
from shared.state.results import Result
from shared.state.tournament import Tournament

Facts = dict[str, Any]


def settling(decide: Decide) -> Decide:
    """A decision about a result, with what it brings about in both groups, in the same append.

    What that makes raises StepRefused where the result bound already and its post-game phases have gone too far.
    """

    @wraps(decide)
    def with_what_follows(state: Tournament, command: Any, context: Context) -> Sequence[Event]:
        events = list(decide(state, command, context))
        if not events:
            return []
        _, seat = game_of(state, command.game)
        known = state.results.results.get(seat.game)
        before, after = _binding(known), _binding_after(known, events)
        telling = Telling(state, context, "result")
        telling.events += events
        if before != after:
            if before is not None:
                restore(telling, seat, before, getattr(command, "reason", "the result was changed"))
            if after is not None:
                open_phases(telling, seat, after)
        return telling.ended(settled=after is not None)

    return with_what_follows


def open_phases(telling: Telling, seat: Seat, facts: Facts) -> None:
    """The post-game phases of both groups: the die that ended the game first, then what it did to each. FS-RND-1."""
    if facts["kind"] != GAME:
        away = {seat.players[facts["conceded_by"] - 1]} if facts["kind"] == NO_SHOW else set(seat.players)
        for id in seat.players:
            opened = open_after_bye(telling.rules, telling.group(id), telling.round, _ending(id in away))
            telling.say(id, opened)
        return
    cup = telling.cup(telling.present_at(seat.player_1))

    def cast(roll: Thrown, where: str) -> Thrown:
        return cup.made(Told(roll.dice, roll.rolled_by, roll.witnessed_by), "", where=AT + where)

    report = with_rolls(report_of(facts), cast)
    played = accepted(telling.rules, report, telling.groups, musters_of(telling.state, seat))
    telling.say(seat.player_1, end_of_game(telling.rules, report))
    for part, (side, rival) in zip(played, sides_of(report), strict=True):
        jailer = telling.rules.forces[telling.group(rival.group).force].special.jail_caps > 0
        opened = open_post_game(
            telling.rules,
            telling.group(side.group),
            telling.round,
            part,
            telling.context.seed,
            jailer=jailer,
            at_table={deeds.member: deeds.injury for deeds in side.members if deeds.injury is not None},
        )
        telling.say(side.group, opened)


def restore(telling: Telling, seat: Seat, facts: Facts, reason: str) -> None:
    """Both groups as they were before the game. Raises StepRefused once step 2 of either is closed. FS-REP-5."""
    found = {id: faults_of_restoring(telling, id, facts) for id in seat.players}
    faults = [fault for of_group in found.values() for fault in of_group]
    if faults:
        open = {id: phase.step for id in found if (phase := telling.group(id).phase) is not None}
        raise StepRefused(
            f"The post-game phase of {seat.game} has gone too far; correct the result, and enter what it changes.",
            faults,
            open=open,
        )
    telling.cause, cause = "void", telling.cause
    for id in seat.players:
        before = _before(telling, id)
        if before is not None:  # ids that were given since are never given again: FS-GRP-13
            telling.say(id, [GroupRestored(replace(before, serial=telling.group(id).serial), reason)])
    telling.cause = cause


def faults_of_restoring(telling: Telling, id: str, facts: Facts) -> list[Fault]:
    """Why a group can no longer be put back to where it was before a game.

    A game's report can be taken back until step 2 closes; a phase without a game while nothing was done in it.
    """
    group, before = telling.group(id), _before(telling, id)
    if facts["kind"] == GAME:
        faults = faults_of_correction(group, telling.round)
    elif before is None:
        rated = id in telling.state.campaign.ratings.get(telling.round, {})
        faults = [Fault("", "step 9 is closed", "nothing done in the phase", "FS-REP-5")] if rated else []
    else:
        untouched = any(_opened(telling, before, away) == group for away in (False, True))
        said_step = group.phase.step if group.phase else "9"
        faults = (
            [] if untouched else [Fault("", f"step {said_step} is under way", "nothing done in the phase", "FS-REP-5")]
        )
    return [Fault(f"/groups/{id}", fault.said, fault.expected, fault.clause) for fault in faults]


def _before(telling: Telling, id: str) -> Group | None:
    """A group as it was before the phase that it is in, if that is of this round."""
    phase = telling.group(id).phase
    return telling.state.campaign.before.get(id) if phase is not None and phase.round == telling.round else None


def _opened(telling: Telling, before: Group, away: bool) -> Group:
    return evolve(before, open_after_bye(telling.rules, before, telling.round, _ending(away)))


def _ending(away: bool) -> str:
    return "no_show" if away else "bye"


def _binding(known: Result | None) -> Facts | None:
    return known.facts if known is not None and known.binds else None


def _binding_after(known: Result | None, events: Sequence[Event]) -> Facts | None:
    """The facts that bind once these events are appended; nothing where none do."""
    told, binding = (known.facts if known else None), _binding(known)
    for event in events:
        match event:
            case said.ResultReported():
                told = event.facts
            case said.ResultConfirmed():
                binding = told
            case said.ResultRuled() | said.ResultCorrected():
                told = binding = event.facts
            case said.ResultDisputed() | said.ResultVoided():
                binding = None
    return binding
