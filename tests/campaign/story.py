"""Groups, dice and refusals as the stories of these tests need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from shared.campaign.dice import DiceSource, Die, Questions, RolledDice, Throw
from shared.campaign.evolve import evolve
from shared.campaign.facts import Deeds, Played, SideReport
from shared.campaign.group import new_member
from shared.campaign.roster import Group, Item, OwnedTurf, Phase
from shared.campaign.ruleset import CampaignRuleset
from shared.campaign.tables import Rules
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.refusals import Refusal
from shared.tournament.draws import SeededDraws

SHIPPED = "fallout-skirmish"

LOTS = SeededDraws("seed")
"""Answers of stories that do not care who is drawn."""

EXAMPLES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "examples.yaml").read_text("utf-8"))


def campaign_rules(chosen: Mapping[str, object]) -> Rules:
    """The shipped tables with these options set. Raises OptionsRefused."""
    shipped = shipped_ruleset(SHIPPED)
    assert isinstance(shipped, CampaignRuleset)
    return apply_options(shipped, chosen).rules


RULES = campaign_rules({})
ROLLS = (f"r-{number}" for number in count(1))


def rules(**options: Any) -> Rules:
    """The rules with options set; `spc__scary_who="…"` stands for `fs.spc.scary_who`."""
    return campaign_rules({"fs." + key.replace("__", "."): value for key, value in options.items()})


def thrown(*faces: int, sides: int = 12, replaces: str = "") -> Throw:
    """Dice as they lay, under a roll id of their own."""
    return Throw(next(ROLLS), tuple(Die(sides, face) for face in faces), replaces, "service")


def dice(draws: SeededDraws = LOTS, made: int = 0, prefix: str = "r") -> DiceSource:
    """Dice that the service rolls in a game. made: how many were rolled before."""
    return DiceSource(prefix, made, Questions(draws, lambda group: "r1g1", RolledDice()), ())


def a_group(force: str = "raiders", ranks: str = "vegg", *, told: Rules = RULES, **more: Any) -> Group:
    """A group of members m-1, m-2 … by the first letters of their ranks; m-1 leads."""
    names = {"g": "green", "e": "experienced", "v": "veteran"}
    members = tuple(new_member(told, number, names[letter]).state for number, letter in enumerate(ranks, 1))
    turfs = tuple(OwnedTurf(f"t-{900 + n}", turf) for n, turf in enumerate(more.pop("turfs", [])))
    held = [entry if isinstance(entry, tuple) else (entry, "") for entry in more.pop("goods", [])]
    items = tuple(Item(f"i-{100 + n}", good, holder, found=True) for n, (good, holder) in enumerate(held))
    return replace(Group("raiders-1", force, members, items, turfs, leader="m-1", serial=1000), **more)


def with_member(group: Group, id: str, **changes: Any) -> Group:
    """The group with one member changed."""
    members = (replace(member, **changes) if member.id == id else member for member in group.members)
    return replace(group, members=tuple(members))


def in_step(group: Group, step: Any, *deeds: Deeds, ending: Any = "win", side: Any = None, **phase: Any) -> Group:
    """The group in a step after a game in which these members played; without any, everybody did."""
    told = deeds or tuple(Deeds(id) for id in group.ids)
    played = Played(ending, SideReport(group.id, 1, members=told, **(side or {})), leader=group.leader)
    return replace(group, phase=Phase(1, step, played, **phase))


def then(group: Group, outcomes: Any) -> Group:
    """The group after what a decision said."""
    return evolve(group, outcomes if isinstance(outcomes, list | tuple) else [outcomes])


def kinds(outcomes: Any) -> list[str]:
    """The names of what a decision said."""
    return [type(outcome).__name__ for outcome in outcomes]


def refused(error: type[Refusal], ask: Callable[..., Any], *given: Any, **named: Any) -> list[tuple[str, str]]:
    """Where and by which clauses something is refused; every fault says what was wrong and what is right."""
    with pytest.raises(error) as no:
        ask(*given, **named)
    assert no.value.faults
    assert all(fault.said and str(fault.expected) for fault in no.value.faults)
    return [(fault.where, fault.clause) for fault in no.value.faults]


def of_kind(outcomes: Any, kind: type[Any]) -> Iterator[Any]:
    """Those outcomes that are of one kind."""
    return (outcome for outcome in outcomes if isinstance(outcome, kind))


def out(*deeds: Deeds, ranks: str = "vgg", force: str = "raiders", **more: Any) -> Group:
    """A group in step 3; by default everybody played."""
    phase = {key: more.pop(key) for key in ("half_maintenance", "sated", "home", "extra_finds", "acted") if key in more}
    return in_step(a_group(force, ranks, **more), "3", *deeds, **phase)


def shop(ranks: str = "vggg", force: str = "raiders", acted: Any = None, **more: Any) -> Group:
    """A group in step 5 with a hundred caps."""
    return in_step(a_group(force, ranks, caps=more.pop("caps", 100), **more), "5", acted=acted or {})
