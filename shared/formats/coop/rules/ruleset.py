"""The ruleset of a co-operative game as its pack says it: what is printed, how it is played, how tables are ranked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from shared.refusals import Fault, expects, one_of
from shared.rules.parts import Part, Setting
from shared.rules.ruleset import AnyRuleset

OUTCOMES = ("victory", "unfinished", "defeat", "abandoned")
"""How a session ends, in the order of the ranking."""


class Kit(Part, frozen=True):
    """What lies on a table: cards, tokens, and how far the power token moves."""

    goals_revealed: int
    camp_tokens: int
    camp_tokens_at_start: int
    camp_start_space: str
    mutation_rads: int
    advance_spaces: int
    retreat_spaces: int
    mutation_cards: int = 0


class Play(Part, frozen=True):
    """How the sheet's open questions are settled while a session is played; 0 minutes: no limit."""

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
    """How tables and survivors are ranked. session_points: outcome -> points of every survivor of the table."""

    rounds_counting: Literal["begun", "completed"]
    unfinished: Literal["between", "as_defeat"]
    defeats: Literal["goals_then_survival", "same_keys"]
    power_measure: Literal["fraction", "spaces"]
    scope: Literal["whole_event", "per_scenario_side"]
    session_points: dict[str, int]


class CoopRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a co-operative event is played and ranked, but for what its operator enters."""

    format: Literal["coop"]
    kit: Kit
    play: Play
    ranking: Ranking
    chosen: dict[str, Setting | dict[str, int]] = {}


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(CoopRuleset)


def faults_of_coop(ruleset: CoopRuleset) -> list[Fault]:
    """Everything a well-formed co-operative ruleset still gets wrong, each at its JSON pointer."""
    return [*_kit(ruleset.kit), *_points(ruleset.ranking.session_points)]


def _kit(kit: Kit) -> Iterator[Fault]:
    """Numbers of things that no table can have. AB-SET-5, AB-SET-6."""
    for name in ("goals_revealed", "camp_tokens", "camp_tokens_at_start", "advance_spaces", "retreat_spaces"):
        if getattr(kit, name) < 1:
            yield Fault(f"/kit/{name}", str(getattr(kit, name)), expects("at-least", least=1), kit.cites(name))
    if kit.camp_tokens_at_start > kit.camp_tokens:
        right = expects("tokens-there-are", most=kit.camp_tokens)
        yield Fault("/kit/camp_tokens_at_start", str(kit.camp_tokens_at_start), right, kit.cites("camp_tokens"))


def _points(points: dict[str, int]) -> Iterator[Fault]:
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
