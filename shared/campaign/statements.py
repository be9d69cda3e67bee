"""The statements of a running post-game phase: what players and staff said for a group, and what followed.

A statement is one command about a group: a choice, the closing of a step, entries of the ledger. While the phase runs,
it can be taken back (FS-REP-5). Taking back returns the group to its state before the statement. Every later statement
is then decided again, in order. One that gives the same events stands as recorded, with its dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import field

from shared.campaign.dice import DieRolled
from shared.campaign.evolve import evolve
from shared.campaign.roster import Group
from shared.campaign.words import CampaignEvent
from shared.tournament.statements import Cause, Statement, Statements, encode_outcome, outcomes_of


class StatementTakenBack(CampaignEvent, frozen=True):
    """A statement of a running phase was taken back, and its effects were undone (FS-REP-5).

    Later statements of the group follow as StatementDecidedAgain. Those in `fallen` no longer held and are undone too.

    - `statement`: position of the first event of the statement.
    - `does`: the choice, or the type of the command.
    - `reason`: why it was taken back; empty if the player who made it took it back at once.
    - `fallen`: positions of the later statements that no longer held.
    - `caps`, `clean`, `radiated`: change of the balances by everything that was undone.
    - `members`: ids of the members that the undone statements were about.
    - `again`: true if nothing was taken back: a ruling rejected dice, and the statement itself is decided again.
    """

    statement: int
    does: str
    reason: str = ""
    fallen: tuple[int, ...] = ()
    caps: int = 0
    clean: int = 0
    radiated: int = 0
    members: tuple[str, ...] = ()
    again: bool = False


class StatementDecidedAgain(CampaignEvent, frozen=True):
    """A later statement of the group was decided again after one before it was taken back (FS-REP-5).

    - `statement`: position of the first event of the statement.
    - `stands`: true if its events stand as recorded; otherwise the events that follow replace them.
    """

    statement: int
    stands: bool = True


class RunningPhase(Statements):
    """The running post-game phase of a group. opened: the group when the phase opened."""

    opened: Group = field(default_factory=lambda: Group("", ""))


STATEMENTS = ("Choose", "ChooseSeveral", "CloseStep", "EnterLedger")
"""Types of the commands that are statements about a group."""

CLOSE_STEP = "close_step"
"""The name under which a list of choices closes a step."""

SHARED_TURN = ("hire", "end_turn")
"""Choices of step 4 that other groups wait for; each is a statement of its own."""


def note_event(phases: Mapping[str, RunningPhase], cause: Cause, event: CampaignEvent) -> None:
    """Add an event to the statement that it belongs to, if the phase of its group is running."""
    outcome = encode_outcome(event)
    if (running := phases.get(event.group)) is not None:
        running.note(cause, event.group, outcome)
    if cause.about != event.group and (other := phases.get(cause.about)) is not None:
        other.note_given(cause, outcome)


def running_from(running: RunningPhase, first: Statement) -> list[Statement]:
    """Return this statement of a phase and all later ones."""
    return running.statements[running.statements.index(first) :]


def group_after(
    running: RunningPhase, statements: Sequence[Statement], kinds: Mapping[str, type[CampaignEvent]]
) -> Group:
    """Return the group after these statements of its phase. Raises BalanceTooLow."""
    return evolve(running.opened, outcomes_of(statements, kinds))


def has_dice(statement: Statement) -> bool:
    """Return True if dice fell or lots were drawn for a statement."""
    return any(
        outcome.type == DieRolled.__name__ or bool(msgspec.json.decode(outcome.encoded).get("answers"))
        for outcome in statement.outcomes
    )


def is_players_own(running: RunningPhase, statement: Statement, player: str) -> bool:
    """Return True if a player may take back this statement: it is their last, and no die fell for it."""
    made_by = statement.by.player
    return statement is running.last and made_by == player != "" and not has_dice(statement)


def rolls_of(statements: Iterable[Statement]) -> set[str]:
    """Return the ids of the rolls of statements."""
    return {
        msgspec.json.decode(outcome.encoded)["roll"]
        for statement in statements
        for outcome in statement.outcomes
        if outcome.type == DieRolled.__name__
    }
