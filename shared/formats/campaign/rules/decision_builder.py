"""A decision as it goes along: what was said so far, and the groups that it makes."""

from __future__ import annotations

from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.roster import Group, Member, Phase
from shared.formats.campaign.rules.words import CampaignEvent, Events


class DecisionBuilder:
    """Events of one decision, each applied to its group before the next is looked at.

    groups: as what was said so far leaves them, by id. round, cause: what events are of, once a whole decision is made
    of them; the parts of one leave them out.
    """

    def __init__(self, *groups: Group, round: int = 0, cause: str = "") -> None:
        self.groups = {group.id: group for group in groups}
        self.round, self.cause = round, cause
        self.events: Events = []

    def say(self, *events: CampaignEvent, group: str | None = None) -> None:
        """Events about a group, by default the first; about the whole campaign where its id is empty.

        An event that names its group is about that one.
        """
        by_default = self.group.id if group is None else group
        for event in events:
            id = event.group or by_default
            if id in self.groups:
                self.groups[id] = evolve(self.groups[id], [event])
            self.events.append(event.about(id, self.round, self.cause) if self.cause else event)

    @property
    def group(self) -> Group:
        """The first group, as it is by now."""
        return next(iter(self.groups.values()))

    @property
    def phase(self) -> Phase:
        """Its phase, which is known to be open."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase

    def member(self, id: str) -> Member:
        """One of its members, who is known to be on the roster."""
        member = self.group.member(id)
        assert member is not None, f"{id} is not on the roster"
        return member
