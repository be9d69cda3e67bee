"""A decision as it goes along: what was said so far, and the group that makes."""

from __future__ import annotations

from collections.abc import Iterable

from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.roster import Group, Member, Phase
from shared.formats.campaign.rules.words import CampaignEvent, Events


class OutcomesSoFar:
    """A group with the outcomes of one decision, which later parts of the decision see."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.outcomes: Events = []

    def say(self, *outcomes: CampaignEvent) -> None:
        """Add outcomes, each applied before the next is looked at."""
        for outcome in outcomes:
            self.group = evolve(self.group, [outcome])
            self.outcomes.append(outcome)

    def say_all(self, outcomes: Iterable[CampaignEvent]) -> None:
        """Add the outcomes of another decision."""
        self.say(*outcomes)

    def member(self, id: str) -> Member:
        """A member who is known to be on the roster."""
        member = self.group.member(id)
        assert member is not None, f"{id} is not on the roster"
        return member

    @property
    def phase(self) -> Phase:
        """The phase, which is known to be open."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase
