"""Choices of the post-game phase that the rivals of the game have a part in: whom they lost, and their turfs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from shared.formats.campaign.rules import deciding_choices_of_rivals as made
from shared.formats.campaign.rules.candidate_actions_of_income import Candidate
from shared.formats.campaign.rules.choice_shapes import Nothing, OfTurf
from shared.formats.campaign.rules.deciding_choices import DecisionContext, Rival
from shared.formats.campaign.rules.dice_source import Ones
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import name_of_rival
from shared.formats.campaign.rules.tables import Rules


def candidates_of_rivals(rules: Rules, group: Group, rivals: tuple[Rival, ...]) -> Iterator[Candidate]:
    """What may be tried in the open step after a game with these rivals, legal or not; it goes before what is tried of
    the same name without any. FS-XP-1, FS-SPC-2, FS-AMB-33."""
    context = DecisionContext(rules, group, Ones(), "", rivals=rivals)
    step = group.phase.step if group.phase else None
    if step == "1b" and rules.options.turf_gain == "winner_takes_losers":
        for loser in rivals:
            for owned in loser.group.turfs:
                turf = name_of_rival(list(context.met), loser.group.id, owned.id)
                yield "take_turf", {"turf": turf}, (), partial(made.take_rivals_turf, context, OfTurf(turf))
    elif step == "2" and group.phase and not group.phase.awarded:
        yield "award_experience", {}, (), partial(made.award, context, Nothing())
    elif step == "3" and rules.forces[group.force].special.flesh_eaters:
        yield "feast", {}, (), partial(made.feast_on_dead, context, Nothing())
