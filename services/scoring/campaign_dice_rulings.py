"""Rulings on dice: whether they stand. A die that does not stand is rolled again, and what hung on it is decided again.

The same question is asked once more, as another attempt (FS-AUD-1). If the die was rolled in the running phase of its
group, the statement that it was rolled for gets the new die, and every later statement of the group is decided again in
order (FS-REP-5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from services.scoring.campaign_dice import (
    NotYourDice,
    RollIds,
    dice_standing,
    known_dice,
    require_other_reporter,
)
from services.scoring.campaign_phase import MAX_ROLLS
from services.scoring.campaign_rounds import RoundDecision
from services.scoring.campaign_taking_back import Repetition
from shared.campaign.dice import RollTold
from shared.campaign.format import discarded_dice
from shared.campaign.state import CAMPAIGN
from shared.campaign.statements import RunningPhase, rolls_of
from shared.campaign.steps import require
from shared.campaign.table_dice import DiceRuled, DieStatus
from shared.campaign.words import DiceRefused
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.shapes import Command, Reason, Size
from shared.tournament.guards import Context, require_decider, require_running
from shared.tournament.state import Tournament
from shared.tournament.statements import Statement

_CLAUSE = "FS-AUD-1"


class RuleDice(Command, frozen=True, kw_only=True):
    """Rule on reported dice.

    rolls: ids of rolls. reason: public. stands: the rolls count as reported. again: if they do not, the dice that were
    rolled anew at the table, in order; the service rolls all others. drop: also undo later statements of the group that
    no longer hold. Without it, they are listed and nothing is ruled.
    """

    rolls: RollIds
    reason: Reason
    stands: bool
    again: Annotated[list[RollTold], Size(MAX_ROLLS)] = []
    drop: bool = False


def rule(state: Tournament, command: RuleDice, context: Context) -> Sequence[Event]:
    """Decide RuleDice, which also applies to dice discarded by a correction.

    Raises DiceRefused, NotYourDecision, NotYourDice (the caller reported the dice), StatementsFall with the later
    statements that no longer hold, OthersRelyOnIt.
    """
    require_running(state)
    require_decider(state.entries, context.by, "rulings")
    dice = known_dice(state, command.rolls, discarded_dice(state))
    require_other_reporter(state, dice, context.by)
    ruled_status: DieStatus = "upheld" if command.stands else "rejected"
    new = [die.roll for die in dice if dice_standing(state, die) != ruled_status]
    if command.stands:
        _refuse_replaced(state, new)
    if not new:
        return []
    ruling = DiceRuled(rolls=new, stands=command.stands, reason=command.reason)
    found = [] if command.stands else _statements_of(state, new)
    if not found:
        _refuse_needless_dice(command)
        return [ruling]
    groups = list(dict.fromkeys(group for group, _ in found))
    if len(groups) > 1:
        fault = Fault("/rolls", ", ".join(groups), expects("rolls-of-one-group"), _CLAUSE)
        raise DiceRefused("Dice of several groups are ruled on one group at a time.", [fault])
    (group,), ruled = groups, [position for _, position in found]
    builder = RoundDecision(state, context, "ruling", [ruling])
    running = CAMPAIGN.of(state).phases[group]
    again = Repetition(
        builder, group, running, min(ruled), command.reason, drop=command.drop, ruled=ruled, fresh=command.again
    )
    again.run()
    require(again.fresh.faults_of_unused_rolls(), "some of these dice are not asked for")
    return builder.finish()


def _statements_of(state: Tournament, rolls: Sequence[str]) -> list[tuple[str, int]]:
    """Return the group and the position of each statement of a running phase that these rolls were made for."""
    return [
        (group, statement.position)
        for group, running in CAMPAIGN.of(state).phases.items()
        for statement in _commands(running)
        if rolls_of([statement]) & {*rolls}
    ]


def _commands(running: RunningPhase) -> list[Statement]:
    return [statement for statement in running.statements if statement.command]


def _refuse_replaced(state: Tournament, rolls: Sequence[str]) -> None:
    """Raise DiceRefused for a rejected die that was rolled again: no one chooses between two dice."""
    dice = CAMPAIGN.of(state).dice
    faults = [
        Fault("/rolls", roll, expects("die-not-replaced", roll=replaced.roll), _CLAUSE)
        for roll in rolls
        if (replaced := dice.replacement_of(roll)) is not None
    ]
    if faults:
        raise DiceRefused("These dice were rolled again.", faults)


def _refuse_needless_dice(command: RuleDice) -> None:
    """Raise DiceRefused for new dice that nothing asks for now."""
    if command.again:
        fault = Fault("/again", f"{len(command.again)}", expects("number-of-rolls", number=0), _CLAUSE)
        raise DiceRefused("Nothing asks for these dice now.", [fault])


__all__ = ["NotYourDice", "RuleDice", "rule"]
