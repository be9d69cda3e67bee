"""Groups as registration builds them, for tests that start afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.campaign.dice import DiceSource, Questions, RolledDice, RollPurpose
from shared.campaign.evolve import evolve
from shared.campaign.group import Enlisted, Submission, accept_group, appoint_leader, finalise_rating
from shared.campaign.rewards import roll_turf
from shared.campaign.roster import Group
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent
from shared.tournament.draws import SeededDraws

DRAWS = SeededDraws("built")


def built(rules: Rules, id: str, told: Submission, made: int) -> Iterator[CampaignEvent]:
    """Return the events of building a group: accepted, three turfs, leader, rating.

    made: the number of earlier rolls.
    """
    group = Group(id, told.force)
    dice_source = DiceSource("e", made, Questions(DRAWS, lambda group: "round 0", RolledDice()), (), drawn=True)

    def say(outcomes: Sequence[CampaignEvent]) -> Iterator[CampaignEvent]:
        nonlocal group
        group = evolve(group, outcomes)
        yield from outcomes

    yield from say([accept_group(rules, id, told)])
    for _ in range(rules.core.starting_turfs):
        yield from say(roll_turf(rules, group, dice_source.next("2D12", RollPurpose(id, "FS-TRF-1"))))
    yield from say(list(appoint_leader(rules, group, DRAWS, 0)))
    yield from say([finalise_rating(rules, group)])


def force_of(rules: Rules, force: str, goods: Sequence[Sequence[str]] = ()) -> Submission:
    """Return a group of a veteran, an experienced and two greens with required armor. goods: further goods of each."""
    told = rules.forces[force]
    members = []
    for number, rank in enumerate(("veteran", "experienced", "green", "green")):
        armor = told.ranks[rank].armor  # type: ignore[index]
        worn = armor.of[:1] if armor.duty == "must" else ()
        members.append(Enlisted(rank, goods=(*worn, *(goods[number] if number < len(goods) else ()))))  # type: ignore[arg-type]
    return Submission(force, tuple(members))
