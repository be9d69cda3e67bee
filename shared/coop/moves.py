"""Moves at a table, their arguments, and their effects.

The service draws a card when it is revealed, from the hash of the log so far. So no one, not even the service, knows a
card that is face down, and anyone can repeat the draw (AB-REP-4).
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
EnemiesOnMap = Annotated[int, Whole(0, 1000), "Number of opposing enemies."]


class Move(Shape, frozen=True, kw_only=True, tag_field="move"):
    """Base class of moves at a table."""


class GoalCompleted(Move, frozen=True, tag="goal_completed"):
    """A goal was completed and turned face down. replaced_by: id of the card revealed instead, by ruleset."""

    goal: Id
    replaced_by: Id = ""


class SurvivorKilled(Move, frozen=True, tag="survivor_killed"):
    """A survivor was killed. cause: what killed the survivor."""

    survivor: Id
    cause: Words = ""


class ConditionMet(Move, frozen=True, tag="condition_met"):
    """A further victory condition of the scenario was met."""

    condition: Sentence


class QuestReward(Move, frozen=True, tag="quest_reward"):
    """The reward of a quest advances a faction.

    spaces: number of spaces. reward: the "+" effect chosen, for the loyal faction.
    token_for: id of the survivor who gains the C.A.M.P. token of the reward. from_space: as in `camp_gained`.
    """

    faction: Faction
    quest: Words = ""
    spaces: Spaces = 1
    reward: Sentence = ""
    token_for: Id = ""
    from_space: Words = ""


class ScenarioEffect(Move, frozen=True, tag="scenario_effect"):
    """An effect of the scenario sheet moves the token. spaces: forward, or back if below 0."""

    spaces: Spaces
    text: Sentence = ""


class UpgradeGained(Move, frozen=True, tag="upgrade_gained"):
    """A survivor gained a workshop upgrade for the table."""

    survivor: Id
    upgrade: Words = ""


class CampGained(Move, frozen=True, tag="camp_gained"):
    """A survivor gained a C.A.M.P. token.

    from_space: space of the map that it is taken from, if the supply is empty and the ruleset allows it.
    """

    survivor: Id
    from_space: Words = ""


class CampPlaced(Move, frozen=True, tag="camp_placed"):
    """A gained C.A.M.P. token was placed in a space."""

    space: Words


class MutationRevealed(Move, frozen=True, tag="mutation_revealed"):
    """A survivor revealed a mutation. rads: the survivor's rads."""

    survivor: Id
    card: Id = ""
    rads: Few = 5


class RadsRecovered(Move, frozen=True, tag="rads_recovered"):
    """A survivor recovered from rads."""

    survivor: Id


class Travelled(Move, frozen=True, tag="travelled"):
    """A survivor used fast travel to a space with a C.A.M.P. token."""

    survivor: Id
    space: Words


class Assisted(Move, frozen=True, tag="assisted"):
    """A survivor assisted another in a fight.

    hits, damage_icons: results of the survivor's die.
    enemy_level: level of the enemy. enemy_died: whether it died.
    """

    survivor: Id
    fighter: Id
    hits: Few = 0
    damage_icons: Few = 0
    enemy_level: Few = 0
    enemy_died: bool = False


class ModificationKept(Move, frozen=True, tag="modification_kept"):
    """A survivor drew a modification card for each shop action and kept one for an asset. drawn: number of cards."""

    survivor: Id
    drawn: Few
    card: Id
    asset: Words


class CardRevealed(Move, frozen=True, tag="card_revealed"):
    """All survivors took their turn, and the first player reveals an activation card.

    card: id of the card, if cards are tracked; empty to have the service draw one.
    enemies, icons: those of the card, if cards are not tracked.
    enemies_on_map: number of opposing enemies, if they count at this moment.
    """

    card: Id = ""
    enemies: Annotated[list[Id], Size(2)] = []
    icons: Annotated[list[Icon], Size(2)] = []
    enemies_on_map: EnemiesOnMap | UnsetType = UNSET


class EnemiesActivated(Move, frozen=True, tag="enemies_activated"):
    """The two enemy types of the card acted."""


class OpposingActivated(Move, frozen=True, tag="opposing_activated"):
    """The enemies of the opposing faction acted. enemies_on_map: how many are on the map now."""

    enemies_on_map: EnemiesOnMap = 0


class FirstPlayerChosen(Move, frozen=True, tag="first_player_chosen"):
    """The first player is confirmed or replaced. The round ends, and the next begins."""

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
    """A move of the power token."""

    start: int
    end: int

    @property
    def moved(self) -> int:
        """Number of spaces moved."""
        return abs(self.end - self.start)


def advance(table: Table, by: int) -> TokenMove:
    """Return the move of the token towards the last space, at most to it (AB-PWR-1, AB-PWR-3)."""
    return TokenMove(table.position, min(table.position + by, table.last_space))


def retreat(table: Table, by: int, play: Play) -> TokenMove | None:
    """Return the move of the token back, at most to the top space (AB-GOAL-3, AB-GOAL-5, AB-AMB-3).

    Return None if the ruleset refuses a retreat that is not possible in full.
    """
    if table.position < by and play.retreat_floor == "retreat_refused":
        return None
    return TokenMove(table.position, max(0, table.position - by))


def earns_retreat(table: Table) -> bool:
    """Return True if the next completed goal is an extra one (AB-GOAL-3, AB-GOAL-4)."""
    return len(table.completed) >= table.required


def missing_count(table: Table, goal: GoalCard, cards: Mapping[str, GoalCard]) -> int:
    """Return how many more counted things a goal needs; 0 if its condition is met or nothing is counted.

    Identical goals add up: what one has used does not count for the next (AB-GOAL-2).
    """
    if goal.counted_thing is None or goal.counted_number is None:
        return 0
    used = sum(
        cards[completed].counted_number or 0
        for completed in table.completed
        if completed in cards and cards[completed].condition_key == goal.condition_key
    )
    return max(0, used + goal.counted_number - table.counts.get(goal.counted_thing, 0))


def forced_goals(table: Table, cards: Mapping[str, GoalCard], play: Play) -> list[str]:
    """Return open goals whose count is met, if the ruleset does not let them wait (AB-AMB-1)."""
    if play.completion != "forced":
        return []
    return [
        goal
        for goal in table.open_goals
        if cards[goal].counted_thing is not None and missing_count(table, cards[goal], cards) == 0
    ]


def opposing_faction_acts(table: Table, icons: list[str], play: Play) -> bool:
    """Return True if a card's icons let the opposing faction act and its token advance (AB-ACT-3, AB-AMB-7)."""
    if table.opposing_icon not in icons:
        return False
    return table.loyal_icon not in icons or play.two_icons == "opposing_icon_counts"


def effect_of(side: Side, enemies: int) -> Effect | None:
    """Return the "Activation" effect for this number of opposing enemies on the map, or None (AB-ACT-3)."""
    for effect in side.activation_effects:
        if effect.enemies_min <= enemies and (effect.enemies_max is None or enemies <= effect.enemies_max):
            return effect
    return None


def kill_counts(table: Table, survivor: str, play: Play) -> bool:
    """Return True if killing the survivor advances the token, each time or only the first (AB-KIL-1, AB-AMB-12)."""
    return play.killed_repeat == "each_time" or survivor not in table.killed


def ending(table: Table, play: Play, *, round_ends: bool = False) -> str:
    """Return `victory`, `defeat`, or empty if the session goes on (AB-END-1, AB-END-2, AB-AMB-4, AB-AMB-13).

    round_ends: a round has just ended, which is when some rulesets test victory. If both conditions are met at once,
        which moves in sequence exclude by default, the ruleset decides.
    """
    lost = table.position >= table.last_space
    tested = round_ends or play.victory_tested == "when_all_conditions_hold"
    won = tested and len(table.completed) >= table.required and set(table.conditions) <= set(table.met)
    if won and lost:
        return VICTORY if play.tie == "victory_first" else DEFEAT
    return VICTORY if won else DEFEAT if lost else ""


def camp_supply(table: Table, kit: Kit) -> int:
    """Return the C.A.M.P. tokens left in the supply: all tokens less those gained and those on the map (AB-CMP-1)."""
    return kit.camp_tokens - table.camp_gained - len(table.camp_spaces)


GOAL, CARD = "goal", "activation card"
"""Purposes of draws. The number of the goal and the round of the card make each question unique."""


def draw_goals(draws: Draws, session: str, table: Table, cards: Sequence[str], number: int) -> list[str]:
    """Return drawn goal cards that are not revealed yet, in drawn order (AB-SET-5). number: how many."""
    remaining = [card for card in cards if card not in table.goals]
    return draw_lots(draws, f"{GOAL} {len(table.goals) + 1} of {session}", 0, remaining)[:number]


def draw_card(draws: Draws, session: str, table: Table, cards: Sequence[str]) -> str:
    """Return a drawn activation card that is not in the discard pile (AB-ACT-1)."""
    remaining = [card for card in cards if card not in table.discarded]
    return draw_lots(draws, f"{CARD} of {session}", table.round, remaining)[0]
