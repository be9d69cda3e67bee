"""A decision of a campaign made again, and where what was told differs from it: in words, with the clause. FS-AUD-2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

import msgspec
from msgspec import Struct

from muster.audit.campaign_context import AuditContext
from muster.audit.campaign_decisions import ways
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.words import CampaignEvent
from shared.refusals import Refusal


class Redecided(Struct, frozen=True):
    """right: events as they have to be. same: how many of the told ones agree with them. refused: why there should be
    none at all."""

    right: Sequence[CampaignEvent] = ()
    same: int = 0
    refused: Refusal | None = None

    @property
    def holds(self) -> bool:
        """Whether what was told is what has to be."""
        return self.refused is None and self.same == len(self.right) > 0


def redecided(context: AuditContext) -> Redecided:
    """The decision made again in the way that comes nearest to what was told; without any way nothing is right."""
    best, first = Redecided(), context.told[0]
    for way in ways(context):
        try:
            right = [event.about(first.group, first.round, first.cause) for event in way()]
        except Refusal as refused:
            best = best if best.right or best.refused else Redecided(refused=refused)
            continue
        except msgspec.ValidationError:  # the events do not say what has to be said with the choice
            continue
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(right, context.told, strict=False))))
        made = Redecided(right, same)
        if made.holds:
            return made
        if not best.right or same > best.same:
            best = made
    return best


def difference(made: Redecided, told: Sequence[CampaignEvent]) -> tuple[str, str]:
    """What was found, and what would be right, with the clause."""
    head = next((outcome for outcome in told if not isinstance(outcome, DieRolled)), told[0])
    if made.refused is not None:
        fault = next(iter(made.refused.faults), None)
        if fault is None:
            return f"{_kind(head)}: {made.refused.detail}", "no such outcome"
        return f"{_kind(head)}: {fault.where} {fault.said}", f"{fault.expected} ({fault.clause})"
    if not made.right:
        return f"{_kind(head)}, which no decision begins with", f"what it follows from, before it{_clause(head)}"
    if made.same >= len(told):
        right = made.right[made.same]
        return f"nothing behind {_kind(told[-1])}", f"{_said(right)}{_clause(right)}"
    right, found = made.right[made.same], told[made.same]
    if type(right) is not type(found):
        return _said(found), f"{_said(right)}{_clause(right)}"
    names = [name for name in right.__struct_fields__ if getattr(right, name) != getattr(found, name)]
    return f"{_kind(found)}: {_members(found, names)}", f"{_members(right, names)}{_clause(right)}"


def _kind(outcome: CampaignEvent) -> str:
    return type(outcome).__name__


def _said(outcome: CampaignEvent) -> str:
    return f"{_kind(outcome)} with {_members(outcome, type(outcome).__match_args__)}"


def _members(outcome: CampaignEvent, names: Sequence[str]) -> str:
    shown = ((name, str(getattr(outcome, name))) for name in names)
    return ", ".join(f"{name} {value if len(value) < 120 else value[:120] + '…'}" for name, value in shown if value)


def _clause(outcome: CampaignEvent) -> str:
    """The clause that an outcome names, or that its kind comes from."""
    found = re.search(r"FS-[A-Z]+-\d+", getattr(outcome, "clause", "") or type(outcome).__doc__ or "")
    return f" ({found[0]})" if found else ""
