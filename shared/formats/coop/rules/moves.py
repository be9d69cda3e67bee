"""Moves that a table tells step by step: each with what it needs, and nothing else. Doors and decisions share them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from shared.formats.coop.rules.data import Icon
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
