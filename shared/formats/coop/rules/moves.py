"""Moves that a table tells step by step, as they come over the wire: each with what it needs, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from shared.formats.coop.rules.data import Icon
from shared.refusals import Fault
from shared.rules.shape_checks import faults_of_shape


class Move(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="move"):
    """Something that happened at the table."""


class GoalCompleted(Move, frozen=True, tag="goal_completed"):
    """A goal's condition holds, and it is turned face down. replaced_by: the card revealed instead, where goals are."""

    goal: str
    replaced_by: str = ""


class SurvivorKilled(Move, frozen=True, tag="survivor_killed"):
    """A survivor was killed; cause: by what."""

    survivor: str
    cause: str = ""


class ConditionMet(Move, frozen=True, tag="condition_met"):
    """A further condition of the scenario's victory holds."""

    condition: str


class QuestReward(Move, frozen=True, tag="quest_reward"):
    """A quest's reward advances a faction, by so many spaces. reward: the "+" effect chosen, for the loyal one.

    token_for: the survivor who gains the C.A.M.P. token that the reward brings; from_space: as of `camp_gained`.
    """

    faction: str
    quest: str = ""
    spaces: int = 1
    reward: str = ""
    token_for: str = ""
    from_space: str = ""


class ScenarioEffect(Move, frozen=True, tag="scenario_effect"):
    """Something printed on the scenario sheet moves the token: forward, or with spaces below 0 back."""

    spaces: int
    text: str = ""


class UpgradeGained(Move, frozen=True, tag="upgrade_gained"):
    """A survivor gained a workshop upgrade; it counts for the table."""

    survivor: str
    upgrade: str = ""


class CampGained(Move, frozen=True, tag="camp_gained"):
    """A survivor gained a C.A.M.P. token. from_space: of the map, where the supply is empty and the ruleset lets."""

    survivor: str
    from_space: str = ""


class CampPlaced(Move, frozen=True, tag="camp_placed"):
    """A gained C.A.M.P. token was placed in a named space."""

    space: str


class MutationRevealed(Move, frozen=True, tag="mutation_revealed"):
    """A survivor has so many rads, and reveals their mutation."""

    survivor: str
    card: str = ""
    rads: int = 5


class RadsRecovered(Move, frozen=True, tag="rads_recovered"):
    """A survivor has fewer rads again."""

    survivor: str


class Travelled(Move, frozen=True, tag="travelled"):
    """A survivor travelled fast to a space with a C.A.M.P. token."""

    survivor: str
    space: str


class Assisted(Move, frozen=True, tag="assisted"):
    """A survivor assisted another in a fight: the hits and damage icons of their die, the enemy and whether it died."""

    survivor: str
    fighter: str
    hits: int = 0
    damage_icons: int = 0
    enemy_level: int = 0
    enemy_died: bool = False


class ModificationKept(Move, frozen=True, tag="modification_kept"):
    """While shopping a survivor drew so many modification cards, one a shop action, and kept one for an asset."""

    survivor: str
    drawn: int
    card: str
    asset: str


class CardRevealed(Move, frozen=True, tag="card_revealed"):
    """All survivors had their turn, and the first player reveals a card.

    card: where cards are tracked; nothing to have the service draw one. enemies and icons: where they are not.
    enemies_on_map: opposing ones, where they count at this moment.
    """

    card: str = ""
    enemies: list[str] = []
    icons: list[Icon] = []
    enemies_on_map: int | None = None


class EnemiesActivated(Move, frozen=True, tag="enemies_activated"):
    """The two enemy types of the card have acted."""


class OpposingActivated(Move, frozen=True, tag="opposing_activated"):
    """The opposing faction's enemies have acted; so many of them are on the map now."""

    enemies_on_map: int = 0


class FirstPlayerChosen(Move, frozen=True, tag="first_player_chosen"):
    """The first player stays, or names another: the round is over, and the next begins."""

    player: str


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

KINDS: tuple[str, ...] = tuple(str(kind.__struct_config__.tag) for kind in AnyMove.__args__)
"""The words for moves."""


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(list[AnyMove])


def read_moves(said: Sequence[Mapping[str, Any]]) -> tuple[list[AnyMove], list[Fault]]:
    """The moves that plain JSON values are, or every fault at its JSON pointer."""
    faults = faults_of_shape(list(said), list[AnyMove])
    return ([] if faults else msgspec.convert(list(said), list[AnyMove])), faults
