"""What a campaign refuses, by name. Each carries every fault found, with the clause that says so."""

from __future__ import annotations

from shared.refusals import Refusal


class DiceRefused(Refusal):
    """Dice that cannot have been rolled for what was asked, or that nobody saw."""

    code = "dice-refused"


class GroupRefused(Refusal):
    """A group that may not enter the campaign."""

    code = "group-refused"


class ReportRefused(Refusal):
    """A game report that contradicts itself, the other side or the roster."""

    code = "game-report-refused"


class StepRefused(Refusal):
    """Something of a post-game step that is not open."""

    code = "step-refused"


class ChoiceRefused(Refusal):
    """A choice in an open step that the rules do not allow."""

    code = "choice-refused"


class BalanceTooLow(Refusal):
    """Caps, food or items that a group does not have."""

    code = "balance-too-low"
