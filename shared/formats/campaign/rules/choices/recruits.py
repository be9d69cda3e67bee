"""Choices of step 4, by turns: who is hired from the pool of the whole campaign. FS-REC-2, FS-REC-3, FS-PGP-2."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.formats.campaign.rules import recruits
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members
from shared.formats.campaign.rules.recruits import RecruitPool
from shared.formats.campaign.rules.refusals import StepRefused
from shared.formats.campaign.rules.steps import in_step
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects


class Hiring(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in the pool. group, rank: who hires whom, said for the reader alone."""

    recruit: str
    group: str = ""
    rank: str = ""


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """group: whose turn ends, said for the reader alone."""

    group: str = ""


def _hire(context: DecisionContext, of: Hiring) -> Events:
    return recruits.hire(context.rules, context.group, _pool(context), of.recruit)[0]


def _to_hire(context: DecisionContext) -> Iterator[Members]:
    if context.pool is not None:
        for turn in _turns(context):
            yield from ({**turn, "recruit": one.id, "rank": one.rank} for one in context.pool.recruits)


def _end_turn(context: DecisionContext, of: Turn) -> Events:
    """The next group acts; after the last one step 4 closes for all. FS-PGP-2."""
    said, pool = recruits.end_turn(context.group, _pool(context))
    if not pool.order:
        here = [group for group in context.groups.values() if group.phase and group.phase.step == "4"]
        closing = recruits.close_recruits(context.rules, here, pool)
        said += [event.about(id, 0, "") for id, events in closing.items() for event in events]
    return said


def _turns(context: DecisionContext) -> Iterator[Members]:
    if context.pool is not None and context.pool.order[:1] == (context.group.id,):
        yield {"group": context.group.id}


def _pool(context: DecisionContext) -> RecruitPool:
    in_step(context.group, "4")
    if context.pool is None:
        raise StepRefused("recruits are not open", [Fault("/step", "nothing", expects("open-recruits"), "FS-PGP-2")])
    return context.pool


OF_RECRUITS = (
    Choice("hire", Hiring, _hire, ("4",), _to_hire),
    Choice("end_turn", Turn, _end_turn, ("4",), _turns),
)
