"""Choices of the post-game phase that the other group of the game has a part in: whom it lost, and its turfs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from shared.rules.campaign import choice_parts as ask
from shared.rules.campaign import choosing as made
from shared.rules.campaign.candidates_of_income import Candidate
from shared.rules.campaign.choosing import Asking, Rival
from shared.rules.campaign.rolling import Ones
from shared.rules.campaign.roster import Group
from shared.rules.campaign.tables import Rules


def candidates_of_rival(rules: Rules, group: Group, rival: Rival) -> Iterator[Candidate]:
    """What may be tried in the open step after a game with this rival, legal or not; it goes before what is tried of
    the same name without one. FS-XP-1, FS-SPC-2, FS-AMB-33."""
    asking = Asking(rules, group, Ones(), "", rival=rival)
    step = group.phase.step if group.phase else None
    if step == "1b" and rules.options.turf_gain == "winner_takes_losers":
        for owned in rival.group.turfs:
            yield "take_turf", {"turf": owned.id}, (), partial(made.take_rivals_turf, asking, ask.OfTurf(owned.id))
    elif step == "2" and group.phase and not group.phase.awarded:
        yield "award_experience", {}, (), partial(made.award, asking, ask.Nothing())
    elif step == "3" and rules.forces[group.force].special.flesh_eaters:
        yield "feast", {}, (), partial(made.feast_on_dead, asking, ask.Nothing())
