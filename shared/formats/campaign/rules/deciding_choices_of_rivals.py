"""Choices of the post-game phase that the rivals of the game have a part in: how each is decided."""

from __future__ import annotations

from shared.formats.campaign.rules import experience, hunger
from shared.formats.campaign.rules.choice_shapes import Nothing, OfTurf
from shared.formats.campaign.rules.deciding_choices import DecisionContext
from shared.formats.campaign.rules.refusals import ChoiceRefused, StepRefused
from shared.formats.campaign.rules.sides import name_of_rival, rival_by_name
from shared.formats.campaign.rules.steps import in_step, require
from shared.formats.campaign.rules.turf import take_turf
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault


def take_rivals_turf(context: DecisionContext, of: OfTurf) -> Events:
    """FS-AMB-33, as `claim_turf`."""
    phase = in_step(context.group, "1b")
    legal = phase.played.ending == "win" and not phase.turf_gained and context.rivals
    fault = Fault("/turf", "no turf is won", "a winner, once after a game", "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    loser, turf = rival_by_name(list(context.met), of.turf)
    wrong = Fault("/turf", of.turf, "a turf of a rival, as GROUP/TURF", "FS-AMB-33")
    require([] if loser else [wrong], "this names no turf of a rival")
    won, lost = take_turf(context.rules, context.group, context.met[loser], turf)
    context.beside[loser] = lost
    return won


def award(context: DecisionContext, of: Nothing) -> Events:
    phase = in_step(context.group, "2")
    fault = Fault("/step", "awarded already", "once", "FS-XP-1")
    require([fault] if phase.awarded else [], "experience was awarded")
    return experience.award_experience(context.rules, context.group, dead_of(context, context.rules.options.kill))


def dead_of(context: DecisionContext, reading: str) -> tuple[str, ...]:
    """Whom the rivals lost by the injury table, by the names that this group has for them, where the reading asks for
    it. Raises StepRefused before it is known."""
    if reading != "dead_on_injury_table":
        return ()
    late = [
        Fault("/step", f"{rival.group.id} has injuries to settle", "its step 1 closed", "FS-PGP-1")
        for rival in context.rivals
        if not rival.settled
    ]
    if late:
        raise StepRefused("who is dead is not known yet", late)
    named = list(context.met)
    return tuple(name_of_rival(named, rival.group.id, id) for rival in context.rivals for id in rival.dead)


def feast_on_dead(context: DecisionContext, of: Nothing) -> Events:
    in_step(context.group, "3")
    if not context.rivals:
        raise ChoiceRefused("nobody was met", [Fault("/rival", "nobody", "a rival of this round", "FS-SPC-2")])
    dead = dead_of(context, context.rules.options.flesh_eaters_need)
    forces = {id: rival.force for id, rival in context.met.items()}
    return hunger.feast(context.rules, context.group, forces, dead)
