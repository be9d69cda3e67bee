"""Moves at a table, with what each of them needs, and the effects that follow from them.

Cards that the service draws are drawn at the moment when they are revealed, from the hash of what the log held before:
so nobody, the service included, knows a card that still lies face down, and anybody can draw it again. AB-REP-4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from shared.coop.ruleset import Effect, GoalCard, Icon, Kit, Play, Side
from shared.coop.table import Table
from shared.rules.model import Draws, draw_lots
from shared.shapes import Id, Name, Shape, Size, Text, Whole

Faction = Annotated[str, Name()]
Words = Annotated[str, Text(100)]
Sentence = Annotated[str, Text(200)]
Spaces = Annotated[int, Whole(-1000, 1000)]
Few = Annotated[int, Whole(0, 100)]
EnemiesOnMap = Annotated[int, Whole(0, 1000), "Opposing ones."]


class Move(Shape, frozen=True, kw_only=True, tag_field="move"):
    """Something that happened at the table."""


class GoalCompleted(Move, frozen=True, tag="goal_completed"):
    """A goal's condition holds, and it is turned face down. replaced_by: the card revealed instead, where goals are."""

    goal: Id
    replaced_by: Id = ""


class SurvivorKilled(Move, frozen=True, tag="survivor_killed"):
    """A survivor was killed; cause: by what."""

    survivor: Id
    cause: Words = ""


class ConditionMet(Move, frozen=True, tag="condition_met"):
    """A further condition of the scenario's victory holds."""

    condition: Sentence


class QuestReward(Move, frozen=True, tag="quest_reward"):
    """A quest's reward advances a faction, by so many spaces. reward: the "+" effect chosen, for the loyal one.

    token_for: the survivor who gains the C.A.M.P. token that the reward brings; from_space: as of `camp_gained`.
    """

    faction: Faction
    quest: Words = ""
    spaces: Spaces = 1
    reward: Sentence = ""
    token_for: Id = ""
    from_space: Words = ""


class ScenarioEffect(Move, frozen=True, tag="scenario_effect"):
    """Something printed on the scenario sheet moves the token: forward, or with spaces below 0 back."""

    spaces: Spaces
    text: Sentence = ""


class UpgradeGained(Move, frozen=True, tag="upgrade_gained"):
    """A survivor gained a workshop upgrade; it counts for the table."""

    survivor: Id
    upgrade: Words = ""


class CampGained(Move, frozen=True, tag="camp_gained"):
    """A survivor gained a C.A.M.P. token. from_space: of the map, where the supply is empty and the ruleset lets."""

    survivor: Id
    from_space: Words = ""


class CampPlaced(Move, frozen=True, tag="camp_placed"):
    """A gained C.A.M.P. token was placed in a named space."""

    space: Words


class MutationRevealed(Move, frozen=True, tag="mutation_revealed"):
    """A survivor has so many rads, and reveals their mutation."""

    survivor: Id
    card: Id = ""
    rads: Few = 5


class RadsRecovered(Move, frozen=True, tag="rads_recovered"):
    """A survivor has fewer rads again."""

    survivor: Id


class Travelled(Move, frozen=True, tag="travelled"):
    """A survivor travelled fast to a space with a C.A.M.P. token."""

    survivor: Id
    space: Words


class Assisted(Move, frozen=True, tag="assisted"):
    """A survivor assisted another in a fight: the hits and damage icons of their die, the enemy and whether it died."""

    survivor: Id
    fighter: Id
    hits: Few = 0
    damage_icons: Few = 0
    enemy_level: Few = 0
    enemy_died: bool = False


class ModificationKept(Move, frozen=True, tag="modification_kept"):
    """While shopping a survivor drew so many modification cards, one a shop action, and kept one for an asset."""

    survivor: Id
    drawn: Few
    card: Id
    asset: Words


class CardRevealed(Move, frozen=True, tag="card_revealed"):
    """All survivors had their turn, and the first player reveals a card.

    card: where cards are tracked; nothing to have the service draw one. enemies and icons: where they are not.
    enemies_on_map: opposing ones, where they count at this moment.
    """

    card: Id = ""
    enemies: Annotated[list[Id], Size(2)] = []
    icons: Annotated[list[Icon], Size(2)] = []
    enemies_on_map: EnemiesOnMap | UnsetType = UNSET


class EnemiesActivated(Move, frozen=True, tag="enemies_activated"):
    """The two enemy types of the card have acted."""


class OpposingActivated(Move, frozen=True, tag="opposing_activated"):
    """The opposing faction's enemies have acted; so many of them are on the map now."""

    enemies_on_map: EnemiesOnMap = 0


class FirstPlayerChosen(Move, frozen=True, tag="first_player_chosen"):
    """The first player stays, or names another: the round is over, and the next begins."""

    player: Id


AnyMove = (
    GoalCompleted
    | SurvivorKilled
    | ConditionMet
    | QuestReward
    | ScenarioEffect
    | UpgradeGained
    | CampGained
    | CampPlaced
    | MutationRevealed
    | RadsRecovered
    | Travelled
    | Assisted
    | ModificationKept
    | CardRevealed
    | EnemiesActivated
    | OpposingActivated
    | FirstPlayerChosen
)


VICTORY, DEFEAT = "victory", "defeat"


class TokenMove(Struct, frozen=True):
    """A move of the power token. moved: spaces really moved, without a sign."""

    start: int
    end: int

    @property
    def moved(self) -> int:
        return abs(self.end - self.start)


def advance(table: Table, by: int) -> TokenMove:
    """The token moves towards the last space, and not beyond it. AB-PWR-1, AB-PWR-3."""
    return TokenMove(table.position, min(table.position + by, table.last_space))


def retreat(table: Table, by: int, play: Play) -> TokenMove | None:
    """The token moves back, not above the topmost space; None where the whole retreat must be possible and is not.

    Source: AB-GOAL-3, AB-GOAL-5, AB-AMB-3.
    """
    if table.position < by and play.retreat_floor == "retreat_refused":
        return None
    return TokenMove(table.position, max(0, table.position - by))


def earns_retreat(table: Table) -> bool:
    """Whether the next goal that is completed is an extra one. AB-GOAL-3, AB-GOAL-4."""
    return len(table.completed) >= table.required


def missing_count(table: Table, goal: GoalCard, cards: Mapping[str, GoalCard]) -> int:
    """How many more of a counted thing a goal needs; 0 when its condition holds, or when nothing is counted.

    Identical goals add up: what one has used, the next does not count. AB-GOAL-2.
    """
    if goal.counted_thing is None or goal.counted_number is None:
        return 0
    used = sum(
        cards[done].counted_number or 0
        for done in table.completed
        if done in cards and cards[done].condition_key == goal.condition_key
    )
    return max(0, used + goal.counted_number - table.counts.get(goal.counted_thing, 0))


def forced_goals(table: Table, cards: Mapping[str, GoalCard], play: Play) -> list[str]:
    """Open goals with a count that holds now, where they may not wait. AB-AMB-1."""
    if play.completion != "forced":
        return []
    return [
        goal
        for goal in table.open_goals
        if cards[goal].counted_thing is not None and missing_count(table, cards[goal], cards) == 0
    ]


def opposing_faction_acts(table: Table, icons: list[str], play: Play) -> bool:
    """Whether a card's icons let the opposing faction act and its token advance. AB-ACT-3, AB-AMB-7."""
    if table.opposing_icon not in icons:
        return False
    return table.loyal_icon not in icons or play.two_icons == "opposing_icon_counts"


def effect_of(side: Side, enemies: int) -> Effect | None:
    """The "Activation" effect for so many opposing enemies on the map. AB-ACT-3."""
    for effect in side.activation_effects:
        if effect.enemies_min <= enemies and (effect.enemies_max is None or enemies <= effect.enemies_max):
            return effect
    return None


def kill_counts(table: Table, survivor: str, play: Play) -> bool:
    """Whether killing a survivor advances the token: each time, or the first time only. AB-KIL-1, AB-AMB-12."""
    return play.killed_repeat == "each_time" or survivor not in table.killed


def ending(table: Table, play: Play, *, round_ends: bool = False) -> str:
    """How the session ends at this moment: `victory`, `defeat`, or empty for not yet.

    round_ends: a round has just ended, which is when victory is tested where it waits. Where both hold at once,
    which by default cannot be (moves have an order), the ruleset says which. AB-END-1, AB-END-2, AB-AMB-4, AB-AMB-13.
    """
    lost = table.position >= table.last_space
    tested = round_ends or play.victory_tested == "when_all_conditions_hold"
    won = tested and len(table.completed) >= table.required and set(table.conditions) <= set(table.met)
    if won and lost:
        return VICTORY if play.tie == "victory_first" else DEFEAT
    return VICTORY if won else DEFEAT if lost else ""


def camp_supply(table: Table, kit: Kit) -> int:
    """C.A.M.P. tokens left: supply, gained ones and those on the map are all there are. AB-CMP-1."""
    return kit.camp_tokens - table.camp_gained - len(table.camp_spaces)


GOAL, CARD = "goal", "activation card"
"""Purposes of the draws: the number of the goal, and the round of the card, make each question another one."""


def draw_goals(draws: Draws, session: str, table: Table, cards: Sequence[str], number: int) -> list[str]:
    """So many goal cards of those that do not lie open yet, in drawn order. AB-SET-5."""
    left = [card for card in cards if card not in table.goals]
    return draw_lots(draws, f"{GOAL} {len(table.goals) + 1} of {session}", 0, left)[:number]


def draw_card(draws: Draws, session: str, table: Table, cards: Sequence[str]) -> str:
    """An activation card of those that are not in the discard pile. AB-ACT-1."""
    left = [card for card in cards if card not in table.discarded]
    return draw_lots(draws, f"{CARD} of {session}", table.round, left)[0]
