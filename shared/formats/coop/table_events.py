"""What each event of a co-operative session changes on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from shared.formats.coop.rules import table as parts
from shared.formats.coop.rules.table import Drawn, Table
from shared.formats.coop.scoring_events import (
    ActivationCardRevealed,
    ActivationDeckReshuffled,
    ActivationEffectResolved,
    ActivationSkipped,
    CampTokenGained,
    CampTokenPlaced,
    EnemiesActivated,
    FightAssisted,
    FirstPlayerChosen,
    GoalCompleted,
    GoalsRevealed,
    LoyalFactionChosen,
    LoyalRewardResolved,
    ModificationKept,
    MutationRevealed,
    MutationsDealt,
    MutationTurnedDown,
    OpposingFactionActivated,
    OpposingRewardIgnored,
    PowerTokenAdvanced,
    PowerTokenPlaced,
    PowerTokenRetreated,
    RoundBegan,
    RoundEnded,
    SessionEvent,
    SurvivorKilled,
    SurvivorTravelled,
    VictoryConditionMet,
    WorkshopUpgradeGained,
)


def _faction(table: Table, event: LoyalFactionChosen) -> None:
    table.loyal, table.opposing = event.loyal, event.opposing
    table.loyal_icon, table.opposing_icon = event.loyal_icon, event.opposing_icon
    table.required, table.conditions = event.required_goals, list(event.conditions)


def _token(table: Table, event: PowerTokenPlaced) -> None:
    table.spaces, table.position = event.spaces, 0


def _goals(table: Table, event: GoalsRevealed) -> None:
    table.goals += event.goals


def _camp_placed(table: Table, event: CampTokenPlaced) -> None:
    if not event.from_supply:
        table.camp_gained -= 1
    table.camp_spaces.append(event.space)


def _camp_gained(table: Table, event: CampTokenGained) -> None:
    if event.from_space:
        table.camp_spaces.remove(event.from_space)
    table.camp_gained += 1


def _first_player(table: Table, event: FirstPlayerChosen) -> None:
    table.first_player = event.player


def _round(table: Table, event: RoundBegan) -> None:
    table.round, table.part, table.drawn = event.round, parts.TURNS, None


def _goal(table: Table, event: GoalCompleted) -> None:
    table.completed.append(event.goal)


def _killed(table: Table, event: SurvivorKilled) -> None:
    table.killed[event.survivor] = table.killed.get(event.survivor, 0) + 1


def _advanced(table: Table, event: PowerTokenAdvanced) -> None:
    table.position = event.to_space
    moved = event.to_space - event.from_space
    if event.reason == "survivor_killed":
        table.kills += 1
    elif event.reason == "activation_card":
        table.cards += 1
    else:
        table.others += moved


def _retreated(table: Table, event: PowerTokenRetreated) -> None:
    table.position = event.to_space
    if event.reason == "scenario_effect":
        table.back += event.from_space - event.to_space


def _upgrade(table: Table, event: WorkshopUpgradeGained) -> None:
    table.counts["workshop_upgrades"] = table.counts.get("workshop_upgrades", 0) + 1


def _mutated(table: Table, event: MutationRevealed) -> None:
    table.mutated.append(event.survivor)


def _turned_down(table: Table, event: MutationTurnedDown) -> None:
    table.mutated.remove(event.survivor)


def _modified(table: Table, event: ModificationKept) -> None:
    table.modified.setdefault(event.survivor, {})[event.asset] = event.card


def _met(table: Table, event: VictoryConditionMet) -> None:
    table.met.append(event.condition)


def _card(table: Table, event: ActivationCardRevealed) -> None:
    table.drawn = Drawn(event.card, list(event.enemies), list(event.icons), event.enemies_on_map)
    table.part = parts.ENEMIES
    if event.card:
        table.discarded.append(event.card)


def _reshuffled(table: Table, event: ActivationDeckReshuffled) -> None:
    table.discarded = []


def _skipped(table: Table, event: ActivationSkipped) -> None:
    table.part = parts.FIRST_PLAYER


def _enemies(table: Table, event: EnemiesActivated) -> None:
    table.part = parts.OPPOSING


def _opposing(table: Table, event: OpposingFactionActivated) -> None:
    table.part = parts.FIRST_PLAYER


def _round_ended(table: Table, event: RoundEnded) -> None:
    table.rounds_ended, table.part = event.round, ""


def _nothing(table: Table, event: SessionEvent) -> None:
    """It is told, and moves nothing that others look at."""


CHANGES: Mapping[type, Callable[[Table, Any], None]] = MappingProxyType(
    {
        LoyalFactionChosen: _faction,
        PowerTokenPlaced: _token,
        GoalsRevealed: _goals,
        CampTokenPlaced: _camp_placed,
        MutationsDealt: _nothing,
        FirstPlayerChosen: _first_player,
        RoundBegan: _round,
        GoalCompleted: _goal,
        SurvivorKilled: _killed,
        PowerTokenAdvanced: _advanced,
        PowerTokenRetreated: _retreated,
        LoyalRewardResolved: _nothing,
        OpposingRewardIgnored: _nothing,
        WorkshopUpgradeGained: _upgrade,
        CampTokenGained: _camp_gained,
        MutationRevealed: _mutated,
        MutationTurnedDown: _turned_down,
        SurvivorTravelled: _nothing,
        FightAssisted: _nothing,
        ModificationKept: _modified,
        VictoryConditionMet: _met,
        ActivationCardRevealed: _card,
        ActivationDeckReshuffled: _reshuffled,
        ActivationSkipped: _skipped,
        EnemiesActivated: _enemies,
        OpposingFactionActivated: _opposing,
        ActivationEffectResolved: _nothing,
        RoundEnded: _round_ended,
    }
)
"""Event -> what it changes on the table; all but those about a session as a whole."""
