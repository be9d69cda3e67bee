"""Groups, dice and refusals for the tests of campaigns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from shared.campaign.dice import DiceSource, Die, Questions, RolledDice, Thrown
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
    """Return the shipped tables with these options. Raise OptionsRefused."""
    shipped = shipped_ruleset(SHIPPED)
    assert isinstance(shipped, CampaignRuleset)
    return apply_options(shipped, chosen).rules


RULES = campaign_rules({})
ROLLS = (f"r-{number}" for number in count(1))


def rules(**options: Any) -> Rules:
    """Return the rules with options; `spc__scary_who="…"` stands for `fs.spc.scary_who`."""
    return campaign_rules({"fs." + key.replace("__", "."): value for key, value in options.items()})


def thrown(*faces: int, sides: int = 12, replaces: str = "") -> Thrown:
    """Return a throw of these faces with a roll id of its own."""
    return Thrown(next(ROLLS), tuple(Die(sides, face) for face in faces), replaces, "service")


def dice(draws: SeededDraws = LOTS, made: int = 0, prefix: str = "r") -> DiceSource:
    """Return dice rolled by the service in a game. made: number of earlier rolls."""
    return DiceSource(prefix, made, Questions(draws, lambda group: "r1g1", RolledDice()), ())


def a_group(force: str = "raiders", ranks: str = "vegg", *, ruleset: Rules = RULES, **more: Any) -> Group:
    """Return a group of members m-1, m-2 … by the first letters of their ranks. m-1 leads."""
    names = {"g": "green", "e": "experienced", "v": "veteran"}
    members = tuple(new_member(ruleset, number, names[letter]).state for number, letter in enumerate(ranks, 1))
    turfs = tuple(OwnedTurf(f"t-{900 + n}", turf) for n, turf in enumerate(more.pop("turfs", [])))
    held = [entry if isinstance(entry, tuple) else (entry, "") for entry in more.pop("goods", [])]
    items = tuple(Item(f"i-{100 + n}", good, holder, found=True) for n, (good, holder) in enumerate(held))
    return replace(Group("raiders-1", force, members, items, turfs, leader="m-1", serial=1000), **more)


def with_member(group: Group, id: str, **changes: Any) -> Group:
    """Return the group with one member changed."""
    members = (replace(member, **changes) if member.id == id else member for member in group.members)
    return replace(group, members=tuple(members))


def in_step(group: Group, step: Any, *deeds: Deeds, ending: Any = "win", side: Any = None, **phase: Any) -> Group:
    """Return the group in a step after a game in which these members played; all members by default."""
    members = deeds or tuple(Deeds(id) for id in group.ids)
    played = Played(ending, SideReport(group.id, 1, members=members, **(side or {})), leader=group.leader)
    return replace(group, phase=Phase(1, step, played, **phase))


def then(group: Group, outcomes: Any) -> Group:
    """Return the group after the events of a decision."""
    return evolve(group, outcomes if isinstance(outcomes, list | tuple) else [outcomes])


def kinds(outcomes: Any) -> list[str]:
    """Return the type names of the events."""
    return [type(outcome).__name__ for outcome in outcomes]


def refused(error: type[Refusal], ask: Callable[..., Any], *given: Any, **named: Any) -> list[tuple[str, str]]:
    """Return where and by which clauses a choice is refused. Every fault must say what was wrong and what is right."""
    with pytest.raises(error) as no:
        ask(*given, **named)
    assert no.value.faults
    assert all(fault.said and str(fault.expected) for fault in no.value.faults)
    return [(fault.where, fault.clause) for fault in no.value.faults]


def of_kind(outcomes: Any, kind: type[Any]) -> Iterator[Any]:
    """Return the events of one type."""
    return (outcome for outcome in outcomes if isinstance(outcome, kind))


def out(*deeds: Deeds, ranks: str = "vgg", force: str = "raiders", **more: Any) -> Group:
    """Return a group in step 3; all members played by default."""
    phase = {key: more.pop(key) for key in ("half_maintenance", "sated", "home", "extra_finds", "acted") if key in more}
    return in_step(a_group(force, ranks, **more), "3", *deeds, **phase)


def shop(ranks: str = "vggg", force: str = "raiders", acted: Any = None, **more: Any) -> Group:
    """Return a group in step 5 with a hundred caps."""
    return in_step(a_group(force, ranks, caps=more.pop("caps", 100), **more), "5", acted=acted or {})
