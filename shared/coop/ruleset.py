"""The ruleset of a co-op game, and the data entered by its operator: scenarios, cards, table sizes.

The data may lack values that a session needs. `missing_values` lists them before a table is set up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from shared.refusals import Expected, Fault, display_text, expects, one_of, to_short_json
from shared.rules.checks import faults_of_shape
from shared.rules.model import DataRefused
from shared.rules.parts import AnyRuleset, Part, Setting

OUTCOMES = ("victory", "unfinished", "defeat", "abandoned")
"""Outcomes of a session, in ranking order."""


class Kit(Part, frozen=True):
    """The contents of a table: cards, tokens, and moves of the power token."""

    goals_revealed: int
    camp_tokens: int
    camp_tokens_at_start: int
    camp_start_space: str
    mutation_rads: int
    advance_spaces: int
    retreat_spaces: int
    mutation_cards: int = 0


class Play(Part, frozen=True):
    """Rulings on open questions of the sheet during play. time_limit_minutes: 0 for no limit."""

    completion: Literal["voluntary", "forced"]
    replenish: bool
    retreat_floor: Literal["topmost_space", "retreat_refused"]
    tie: Literal["sequence", "defeat_first", "victory_first"]
    deck_exhausted: Literal["reshuffle_discard", "session_lost", "no_activation"]
    enemy_count: Literal["at_resolution", "at_card_reveal"]
    two_icons: Literal["opposing_icon_counts", "card_ignored"]
    opposing_reward: Literal["advance", "ignored"]
    supply_empty: Literal["no_gain", "move_one_from_map"]
    after_recovery: Literal["stays_revealed", "turns_facedown"]
    killed_repeat: Literal["each_time", "once_per_survivor"]
    victory_tested: Literal["when_all_conditions_hold", "end_of_round"]
    loyal_choice: Literal["table", "organiser"]
    detail: Literal["steps", "summary"]
    time_limit_minutes: int = 0


class Ranking(Part, frozen=True):
    """The ranking of tables and survivors. session_points: outcome -> points for each survivor of the table."""

    rounds_counting: Literal["begun", "completed"]
    unfinished: Literal["between", "as_defeat"]
    defeats: Literal["goals_then_survival", "same_keys"]
    power_measure: Literal["fraction", "spaces"]
    scope: Literal["whole_event", "per_scenario_side"]
    session_points: dict[str, int]


class CoopRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules by which a co-op event is played and ranked, apart from the operator's data."""

    format: Literal["coop"]
    kit: Kit
    play: Play
    ranking: Ranking
    chosen: dict[str, Setting | dict[str, int]] = {}


# Build the decoder at import: msgspec 0.22 crashes if several threads use a type for the first time at once.
msgspec.json.Decoder(CoopRuleset)


def faults_of_coop(ruleset: CoopRuleset) -> list[Fault]:
    """Return every fault of a well-formed co-op ruleset, each at its JSON pointer."""
    return [*_faults_of_kit(ruleset.kit), *_faults_of_points(ruleset.ranking.session_points)]


def _faults_of_kit(kit: Kit) -> Iterator[Fault]:
    """Yield impossible numbers (AB-SET-5, AB-SET-6)."""
    for name in ("goals_revealed", "camp_tokens", "camp_tokens_at_start", "advance_spaces", "retreat_spaces"):
        if getattr(kit, name) < 1:
            yield Fault(f"/kit/{name}", str(getattr(kit, name)), expects("at-least", least=1), kit.cites(name))
    if kit.camp_tokens_at_start > kit.camp_tokens:
        right = expects("tokens-there-are", most=kit.camp_tokens)
        yield Fault("/kit/camp_tokens_at_start", str(kit.camp_tokens_at_start), right, kit.cites("camp_tokens"))


def _faults_of_points(points: dict[str, int]) -> Iterator[Fault]:
    for outcome in OUTCOMES:
        if outcome not in points:
            right = expects("points-of-outcome", outcome=outcome)
            yield Fault("/ranking/session_points", "nothing", right, "AB-RNK-8")
    for outcome, value in points.items():
        place = f"/ranking/session_points/{outcome}"
        if outcome not in OUTCOMES:
            yield Fault(place, outcome, one_of(OUTCOMES), "AB-RNK-8")
        elif value < 0:
            yield Fault(place, str(value), expects("at-least", least=0), "AB-RNK-8")


Icon = Literal["A", "B"]

GOAL_CARDS = 12
ACTIVATION_CARDS = 8
ENEMY_TYPES = 5
ENEMIES_OF_A_CARD = 2
LONGEST_NAME = 100
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
NEEDED = ("loyal_faction", "opposing_faction", "loyal_icon", "opposing_icon", "power_track_spaces", "required_goals")
"""Values of a side that a table needs for its set-up."""


class Entered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the operator's data."""


class Effect(Entered, frozen=True):
    """An activation effect for a number of enemies on the map.

    enemies_max: None for any higher number.
    power_advance: spaces that the token moves in addition to the one for the icon.
    """

    enemies_min: int
    enemies_max: int | None = None
    text: str = ""
    power_advance: int = 0


class Side(Entered, frozen=True):
    """A side of a scenario sheet, for one loyal faction. power_track_spaces: including the first and the last."""

    loyal_faction: str | None = None
    opposing_faction: str | None = None
    loyal_icon: Icon | None = None
    opposing_icon: Icon | None = None
    power_track_spaces: int | None = None
    required_goals: int | None = None
    further_victory_conditions: list[str] = []
    loyal_rewards: list[str] = []
    activation_effects: list[Effect] = []


class Scenario(Entered, frozen=True):
    """A scenario sheet with its two sides."""

    scenario_id: str
    name: str
    sides: list[Side]


class ActivationCard(Entered, frozen=True):
    """An activation card: two enemy types in the order in which they act, and faction icons."""

    card_id: str
    enemies: list[str]
    icons: list[Icon] = []


class GoalCard(Entered, frozen=True):
    """A goal card.

    condition_key: the same for identical goals.
    counted_thing, counted_number: what the log itself counts for the goal, if anything.
    """

    card_id: str
    condition_key: str
    condition_text: str = ""
    counted_thing: str | None = None
    counted_number: int | None = None


class TableSize(Entered, frozen=True):
    """The number of survivors at a table."""

    survivors_min: int = 1
    survivors_max: int = 4


class OperatorData(Entered, frozen=True):
    """The operator's data. placeholder: made up for a rehearsal; refused for an event that counts (AB-OPS-2)."""

    scenarios: list[Scenario]
    activation_cards: list[ActivationCard] = []
    goal_cards: list[GoalCard] = []
    table: TableSize = TableSize()
    placeholder: bool = False

    def side(self, scenario: str, loyal: str) -> Side | None:
        """Return the side of a scenario for a loyal faction, or None."""
        sides = (side for sheet in self.scenarios if sheet.scenario_id == scenario for side in sheet.sides)
        return next((side for side in sides if side.loyal_faction == loyal), None)

    @property
    def goals(self) -> dict[str, GoalCard]:
        """The goal cards by id; `g01` to `g12` if none were entered."""
        known = self.goal_cards or [_placeholder_goal(f"g{number:02}") for number in range(1, GOAL_CARDS + 1)]
        return {card.card_id: card for card in known}

    @property
    def cards(self) -> dict[str, ActivationCard]:
        """The activation cards by id; empty if they are not tracked."""
        return {card.card_id: card for card in self.activation_cards}


# Build the decoder at import: msgspec 0.22 crashes if several threads use a type for the first time at once.
msgspec.json.Decoder(OperatorData)


def read_data(data: Mapping[str, Any], where: str = "") -> OperatorData:
    """Return the operator's data from plain JSON values (AB-OPS-1, AB-OPS-3).

    where: prefix of the JSON pointers of faults. Raises DataRefused with every fault.
    """
    faults = faults_of_shape(data, OperatorData)
    operator_data = None if faults else msgspec.convert(data, OperatorData)
    if operator_data is not None:
        faults = [
            *_faults_of_sheets(operator_data),
            *_faults_of_goals(operator_data.goal_cards),
            *_faults_of_cards(operator_data.activation_cards),
            *_faults_of_sizes(operator_data.table),
        ]
    if faults or operator_data is None:
        placed = [msgspec.structs.replace(fault, where=where + fault.where) for fault in faults]
        raise DataRefused("These are not the data of a game.", placed)
    return operator_data


def missing_values(side: Side) -> list[str]:
    """Return the names of the values that a table with this side still needs."""
    return [name for name in NEEDED if getattr(side, name) is None]


def _placeholder_goal(id: str) -> GoalCard:
    return GoalCard(card_id=id, condition_key=id)


def _faults_of_sheets(data: OperatorData) -> Iterator[Fault]:
    if not data.scenarios:
        yield Fault("/scenarios", "nothing", expects("some-scenario"), "AB-OPS-1")
    yield from _faults_of_ids("/scenarios", [sheet.scenario_id for sheet in data.scenarios], "scenario_id")
    for index, sheet in enumerate(data.scenarios):
        place = f"/scenarios/{index}/sides"
        if len(sheet.sides) != 2:
            yield Fault(place, f"{len(sheet.sides)}", expects("two-sides"), "AB-SET-2")
        if len(sheet.sides) == 2 and all(side.loyal_faction for side in sheet.sides):
            first, second = sheet.sides
            for number, (side, other) in enumerate(((first, second), (second, first))):
                if side.opposing_faction not in (None, other.loyal_faction):
                    where, right = f"{place}/{number}/opposing_faction", one_of([other.loyal_faction])
                    yield Fault(where, side.opposing_faction, right, "AB-SET-2")
        for number, side in enumerate(sheet.sides):
            yield from _faults_of_side(side, f"{place}/{number}")


def _faults_of_side(side: Side, where: str) -> Iterator[Fault]:
    for name in ("loyal_faction", "opposing_faction"):
        faction = getattr(side, name)
        if faction is not None and not (1 <= len(faction) <= LONGEST_NAME and faction.isprintable()):
            yield Fault(f"{where}/{name}", display_text(faction), expects("name-length", most=LONGEST_NAME), "AB-OPS-1")
    if side.loyal_faction is not None and side.loyal_faction == side.opposing_faction:
        yield Fault(f"{where}/opposing_faction", side.loyal_faction, expects("other-faction"), "AB-SET-2")
    if side.loyal_icon is not None and side.loyal_icon == side.opposing_icon:
        yield Fault(f"{where}/opposing_icon", side.loyal_icon, expects("other-icon"), "AB-OPS-3")
    if side.power_track_spaces is not None and side.power_track_spaces < 2:
        right = expects("at-least", least=2)
        yield Fault(f"{where}/power_track_spaces", str(side.power_track_spaces), right, "AB-OPS-1")
    if side.required_goals is not None and not 1 <= side.required_goals <= 4:
        right = expects("between", least=1, most=4)
        yield Fault(f"{where}/required_goals", str(side.required_goals), right, "AB-OPS-1")
    yield from _faults_of_duplicates(f"{where}/further_victory_conditions", side.further_victory_conditions, "")
    least = 0
    for index, effect in enumerate(side.activation_effects):
        place = f"{where}/activation_effects/{index}"
        if effect.enemies_min < least:
            yield Fault(f"{place}/enemies_min", str(effect.enemies_min), expects("at-least", least=least), "AB-ACT-3")
        elif index and effect.enemies_min > least:
            right = expects("band-without-gap", least=least, missing=_span(least, effect.enemies_min - 1))
            yield Fault(f"{place}/enemies_min", str(effect.enemies_min), right, "AB-ACT-3")
        if effect.enemies_max is not None and effect.enemies_max < effect.enemies_min:
            right = expects("at-least", least=effect.enemies_min)
            yield Fault(f"{place}/enemies_max", str(effect.enemies_max), right, "AB-ACT-3")
        if effect.enemies_max is None and index + 1 < len(side.activation_effects):
            yield Fault(f"{place}/enemies_max", "nothing", expects("end-of-band"), "AB-ACT-3")
        if effect.power_advance < 0:
            yield Fault(f"{place}/power_advance", str(effect.power_advance), expects("at-least", least=0), "AB-ACT-4")
        least = (effect.enemies_max if effect.enemies_max is not None else effect.enemies_min) + 1


def _span(least: int, most: int) -> Expected:
    return one_of([least]) if least == most else expects("between", least=least, most=most)


def _faults_of_goals(cards: Sequence[GoalCard]) -> Iterator[Fault]:
    if cards and len(cards) != GOAL_CARDS:
        yield Fault("/goal_cards", f"{len(cards)}", expects("goal-cards", count=GOAL_CARDS), "AB-SET-5")
    yield from _faults_of_ids("/goal_cards", [card.card_id for card in cards], "card_id")
    for index, card in enumerate(cards):
        if (card.counted_thing is None) != (card.counted_number is None):
            yield Fault(
                f"/goal_cards/{index}",
                f"{card.counted_thing or card.counted_number}",
                expects("counted-thing-and-number"),
                "AB-GOAL-2",
            )
        if card.counted_number is not None and card.counted_number < 1:
            right = expects("at-least", least=1)
            yield Fault(f"/goal_cards/{index}/counted_number", str(card.counted_number), right, "AB-GOAL-2")


def _faults_of_cards(cards: Sequence[ActivationCard]) -> Iterator[Fault]:
    if cards and len(cards) != ACTIVATION_CARDS:
        right = expects("activation-cards", count=ACTIVATION_CARDS)
        yield Fault("/activation_cards", f"{len(cards)}", right, "AB-SET-4")
    yield from _faults_of_ids("/activation_cards", [card.card_id for card in cards], "card_id")
    types = {enemy for card in cards for enemy in card.enemies}
    if len(types) > ENEMY_TYPES:
        yield Fault("/activation_cards", f"{len(types)}", expects("enemy-types", most=ENEMY_TYPES), "AB-ACT-2")
    for index, card in enumerate(cards):
        if len(set(card.enemies)) != ENEMIES_OF_A_CARD or len(card.enemies) != ENEMIES_OF_A_CARD:
            given, right = ", ".join(card.enemies), expects("two-enemy-types")
            yield Fault(f"/activation_cards/{index}/enemies", given, right, "AB-ACT-2")
        yield from _faults_of_duplicates(f"/activation_cards/{index}/icons", card.icons, "")


def _faults_of_sizes(table: TableSize) -> Iterator[Fault]:
    if not 1 <= table.survivors_min <= table.survivors_max:
        given = to_short_json({"survivors_min": table.survivors_min, "survivors_max": table.survivors_max})
        yield Fault("/table", given, expects("survivors-min"), "AB-SET-8")


def _faults_of_ids(where: str, ids: Sequence[str], member: str) -> Iterator[Fault]:
    """Yield faults of ids that cannot be used in URLs, and of duplicates."""
    for index, id in enumerate(ids):
        if not _SLUG.fullmatch(id):
            yield Fault(f"{where}/{index}/{member}", display_text(id), expects("id"), "AB-OPS-1")
    yield from _faults_of_duplicates(where, ids, member)


def _faults_of_duplicates(where: str, values: Sequence[str], member: str) -> Iterator[Fault]:
    times = Counter(values)
    for index, value in enumerate(values):
        if times[value] > 1 and value in values[:index]:
            place = f"{where}/{index}" + (f"/{member}" if member else "")
            yield Fault(place, value, expects("each-once"), "AB-OPS-1")
