"""What each event of a co-operative session changes on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from shared.formats.coop import scoring_events as events
from shared.formats.coop.rules import table as parts
from shared.formats.coop.rules.table import Drawn, Table


def _faction(table: Table, event: events.LoyalFactionChosen) -> None:
    table.loyal, table.opposing = event.loyal, event.opposing
    table.loyal_icon, table.opposing_icon = event.loyal_icon, event.opposing_icon
    table.required, table.conditions = event.required_goals, list(event.conditions)


def _token(table: Table, event: events.PowerTokenPlaced) -> None:
    table.spaces, table.position = event.spaces, 0


def _goals(table: Table, event: events.GoalsRevealed) -> None:
    table.goals += event.goals


def _camp_placed(table: Table, event: events.CampTokenPlaced) -> None:
    if not event.from_supply:
        table.camp_gained -= 1
    table.camp_spaces.append(event.space)


def _camp_gained(table: Table, event: events.CampTokenGained) -> None:
    if event.from_space:
        table.camp_spaces.remove(event.from_space)
    table.camp_gained += 1


def _first_player(table: Table, event: events.FirstPlayerChosen) -> None:
    table.first_player = event.player


def _round(table: Table, event: events.RoundBegan) -> None:
    table.round, table.part, table.drawn = event.round, parts.TURNS, None


def _goal(table: Table, event: events.GoalCompleted) -> None:
    table.completed.append(event.goal)


def _killed(table: Table, event: events.SurvivorKilled) -> None:
    table.killed[event.survivor] = table.killed.get(event.survivor, 0) + 1


def _advanced(table: Table, event: events.PowerTokenAdvanced) -> None:
    table.position = event.to_space
    moved = event.to_space - event.from_space
    if event.reason == "survivor_killed":
        table.kills += 1
    elif event.reason == "activation_card":
        table.cards += 1
    else:
        table.others += moved


def _retreated(table: Table, event: events.PowerTokenRetreated) -> None:
    table.position = event.to_space
    if event.reason == "scenario_effect":
        table.back += event.from_space - event.to_space


def _upgrade(table: Table, event: events.WorkshopUpgradeGained) -> None:
    table.counts["workshop_upgrades"] = table.counts.get("workshop_upgrades", 0) + 1


def _mutated(table: Table, event: events.MutationRevealed) -> None:
    table.mutated.append(event.survivor)


def _turned_down(table: Table, event: events.MutationTurnedDown) -> None:
    table.mutated.remove(event.survivor)


def _modified(table: Table, event: events.ModificationKept) -> None:
    table.modified.setdefault(event.survivor, {})[event.asset] = event.card


def _met(table: Table, event: events.VictoryConditionMet) -> None:
    table.met.append(event.condition)


def _card(table: Table, event: events.ActivationCardRevealed) -> None:
    table.drawn = Drawn(event.card, list(event.enemies), list(event.icons), event.enemies_on_map)
    table.part = parts.ENEMIES
    if event.card:
        table.discarded.append(event.card)


def _reshuffled(table: Table, event: events.ActivationDeckReshuffled) -> None:
    table.discarded = []


def _skipped(table: Table, event: events.ActivationSkipped) -> None:
    table.part = parts.FIRST_PLAYER


def _enemies(table: Table, event: events.EnemiesActivated) -> None:
    table.part = parts.OPPOSING


def _opposing(table: Table, event: events.OpposingFactionActivated) -> None:
    table.part = parts.FIRST_PLAYER


def _round_ended(table: Table, event: events.RoundEnded) -> None:
    table.rounds_ended, table.part = event.round, ""


def _nothing(table: Table, event: events.SessionEvent) -> None:
    """It is told, and moves nothing that others look at."""


CHANGES: Mapping[type, Callable[[Table, Any], None]] = MappingProxyType(
    {
        events.LoyalFactionChosen: _faction,
        events.PowerTokenPlaced: _token,
        events.GoalsRevealed: _goals,
        events.CampTokenPlaced: _camp_placed,
        events.MutationsDealt: _nothing,
        events.FirstPlayerChosen: _first_player,
        events.RoundBegan: _round,
        events.GoalCompleted: _goal,
        events.SurvivorKilled: _killed,
        events.PowerTokenAdvanced: _advanced,
        events.PowerTokenRetreated: _retreated,
        events.LoyalRewardResolved: _nothing,
        events.OpposingRewardIgnored: _nothing,
        events.WorkshopUpgradeGained: _upgrade,
        events.CampTokenGained: _camp_gained,
        events.MutationRevealed: _mutated,
        events.MutationTurnedDown: _turned_down,
        events.SurvivorTravelled: _nothing,
        events.FightAssisted: _nothing,
        events.ModificationKept: _modified,
        events.VictoryConditionMet: _met,
        events.ActivationCardRevealed: _card,
        events.ActivationDeckReshuffled: _reshuffled,
        events.ActivationSkipped: _skipped,
        events.EnemiesActivated: _enemies,
        events.OpposingFactionActivated: _opposing,
        events.ActivationEffectResolved: _nothing,
        events.RoundEnded: _round_ended,
    }
)
"""Event -> what it changes on the table; all but those about a session as a whole."""
