"""What each event of a co-operative session changes on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from shared.events import coop_scoring as said
from shared.rules.coop import table as parts
from shared.rules.coop.table import Drawn, Table


def _faction(table: Table, event: said.LoyalFactionChosen) -> None:
    table.loyal, table.opposing = event.loyal, event.opposing
    table.loyal_icon, table.opposing_icon = event.loyal_icon, event.opposing_icon
    table.required, table.conditions = event.required_goals, list(event.conditions)


def _token(table: Table, event: said.PowerTokenPlaced) -> None:
    table.spaces, table.position = event.spaces, 0


def _goals(table: Table, event: said.GoalsRevealed) -> None:
    table.goals += event.goals


def _camp_placed(table: Table, event: said.CampTokenPlaced) -> None:
    if not event.from_supply:
        table.camp_gained -= 1
    table.camp_spaces.append(event.space)


def _camp_gained(table: Table, event: said.CampTokenGained) -> None:
    if event.from_space:
        table.camp_spaces.remove(event.from_space)
    table.camp_gained += 1


def _first_player(table: Table, event: said.FirstPlayerChosen) -> None:
    table.first_player = event.player


def _round(table: Table, event: said.RoundBegan) -> None:
    table.round, table.part, table.drawn = event.round, parts.TURNS, None


def _goal(table: Table, event: said.GoalCompleted) -> None:
    table.completed.append(event.goal)


def _killed(table: Table, event: said.SurvivorKilled) -> None:
    table.killed[event.survivor] = table.killed.get(event.survivor, 0) + 1


def _advanced(table: Table, event: said.PowerTokenAdvanced) -> None:
    table.position = event.to_space
    moved = event.to_space - event.from_space
    if event.reason == "survivor_killed":
        table.kills += 1
    elif event.reason == "activation_card":
        table.cards += 1
    else:
        table.others += moved


def _retreated(table: Table, event: said.PowerTokenRetreated) -> None:
    table.position = event.to_space
    if event.reason == "scenario_effect":
        table.back += event.from_space - event.to_space


def _upgrade(table: Table, event: said.WorkshopUpgradeGained) -> None:
    table.counts["workshop_upgrades"] = table.counts.get("workshop_upgrades", 0) + 1


def _mutated(table: Table, event: said.MutationRevealed) -> None:
    table.mutated.append(event.survivor)


def _turned_down(table: Table, event: said.MutationTurnedDown) -> None:
    table.mutated.remove(event.survivor)


def _modified(table: Table, event: said.ModificationKept) -> None:
    table.modified.setdefault(event.survivor, {})[event.asset] = event.card


def _met(table: Table, event: said.VictoryConditionMet) -> None:
    table.met.append(event.condition)


def _card(table: Table, event: said.ActivationCardRevealed) -> None:
    table.drawn = Drawn(event.card, list(event.enemies), list(event.icons), event.enemies_on_map)
    table.part = parts.ENEMIES
    if event.card:
        table.discarded.append(event.card)


def _reshuffled(table: Table, event: said.ActivationDeckReshuffled) -> None:
    table.discarded = []


def _skipped(table: Table, event: said.ActivationSkipped) -> None:
    table.part = parts.FIRST_PLAYER


def _enemies(table: Table, event: said.EnemiesActivated) -> None:
    table.part = parts.OPPOSING


def _opposing(table: Table, event: said.OpposingFactionActivated) -> None:
    table.part = parts.FIRST_PLAYER


def _round_ended(table: Table, event: said.RoundEnded) -> None:
    table.rounds_ended, table.part = event.round, ""


def _nothing(table: Table, event: said.SessionEvent) -> None:
    """It is told, and moves nothing that others look at."""


CHANGES: Mapping[type, Callable[[Table, Any], None]] = MappingProxyType(
    {
        said.LoyalFactionChosen: _faction,
        said.PowerTokenPlaced: _token,
        said.GoalsRevealed: _goals,
        said.CampTokenPlaced: _camp_placed,
        said.MutationsDealt: _nothing,
        said.FirstPlayerChosen: _first_player,
        said.RoundBegan: _round,
        said.GoalCompleted: _goal,
        said.SurvivorKilled: _killed,
        said.PowerTokenAdvanced: _advanced,
        said.PowerTokenRetreated: _retreated,
        said.LoyalRewardResolved: _nothing,
        said.OpposingRewardIgnored: _nothing,
        said.WorkshopUpgradeGained: _upgrade,
        said.CampTokenGained: _camp_gained,
        said.MutationRevealed: _mutated,
        said.MutationTurnedDown: _turned_down,
        said.SurvivorTravelled: _nothing,
        said.FightAssisted: _nothing,
        said.ModificationKept: _modified,
        said.VictoryConditionMet: _met,
        said.ActivationCardRevealed: _card,
        said.ActivationDeckReshuffled: _reshuffled,
        said.ActivationSkipped: _skipped,
        said.EnemiesActivated: _enemies,
        said.OpposingFactionActivated: _opposing,
        said.ActivationEffectResolved: _nothing,
        said.RoundEnded: _round_ended,
    }
)
"""Event -> what it changes on the table; all but those about a session as a whole."""
