"""A table of survivors: its state, its report, and the changes by each event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, Literal

from msgspec import Struct, field

from shared.coop import events
from shared.coop.ruleset import CoopRuleset
from shared.refusals import Fault, expects, one_of
from shared.rules.parts import or_option
from shared.shapes import Id, Shape, Size, Whole

TURNS, ENEMIES, OPPOSING, FIRST_PLAYER = "turns", "enemies", "opposing", "first_player"
"""Parts of a round: the survivors' turns, then the steps of the round end in order (AB-ACT-2), each named after what
comes next: the enemies of the card act, the opposing faction acts, the first player is chosen."""


class DrawnCard(Struct, frozen=True, gc=False):
    """The activation card of the current round end.

    enemies_on_map: number of opposing enemies when it was revealed, if reported.
    """

    card: str = ""
    enemies: list[str] = []
    icons: list[str] = []
    enemies_on_map: int | None = None


class Table(Struct, gc=False):
    """The state of a table.

    round: the round begun last; 0 before play. part: part of the round; empty before play and after the end.
    spaces: spaces of the power track.
    conditions: further victory conditions. met: those that are met.
    kills, cards, others: forward moves of the token by reason, for reports.
    back: spaces that the sheet moved it back.
    counts: counted thing -> number.
    camp_gained, camp_spaces: C.A.M.P. tokens gained, and spaces with a token.
    modified: survivor -> asset -> modification.
    """

    survivors: list[str] = field(default_factory=list)
    scenario: str = ""
    loyal: str = ""
    opposing: str = ""
    loyal_icon: str = ""
    opposing_icon: str = ""
    spaces: int = 0
    required: int = 0
    conditions: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    position: int = 0
    round: int = 0
    rounds_ended: int = 0
    part: str = ""
    first_player: str = ""
    drawn: DrawnCard | None = None
    discarded: list[str] = field(default_factory=list)
    killed: dict[str, int] = field(default_factory=dict)
    kills: int = 0
    cards: int = 0
    others: int = 0
    back: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    camp_gained: int = 0
    camp_spaces: list[str] = field(default_factory=list)
    mutated: list[str] = field(default_factory=list)
    modified: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def last_space(self) -> int:
        """The space that loses the session (AB-PWR-3)."""
        return self.spaces - 1

    @property
    def open_goals(self) -> list[str]:
        """Revealed goals that may still be completed."""
        return [goal for goal in self.goals if goal not in self.completed]

    @property
    def extra(self) -> int:
        """Number of goals completed beyond those required (AB-GOAL-3)."""
        return max(0, len(self.completed) - self.required)


def power_share(position: int, spaces: int) -> Fraction:
    """Return the token's progress on its track: 0 at the top, 1 on the last space (AB-RNK-2)."""
    return Fraction(position, spaces - 1)


Outcome = Literal["victory", "unfinished", "defeat", "abandoned"]
Many = Annotated[int, Whole(0, 100_000)]
MOST_GOALS = 50


class Summary(Shape, frozen=True, kw_only=True):
    """The totals of a session.

    rounds: rounds begun. completed: ids of the goals completed.
    kills, cards: kills and activation cards that advanced the token.
    others: spaces that it moved forward for other reasons; back: spaces that the scenario sheet moved it back.
    position: space of the token; 0 is the top.
    """

    outcome: Outcome
    rounds: Many
    completed: Annotated[list[Id], Size(MOST_GOALS)]
    kills: Many = 0
    cards: Many = 0
    others: Many = 0
    back: Many = 0
    position: Many

    def advances(self, advance_spaces: int) -> int:
        """Return the spaces moved forward in all."""
        return (self.kills + self.cards) * advance_spaces + self.others


VOICES = 2
"""Confirmations by survivors that make a result bind; one at a table of one."""


def has_agreement(confirmations: int, survivors: int, host: bool) -> bool:
    """Return True if enough survivors of a table confirmed its result, and the host did too (AB-REP-3)."""
    return host and confirmations >= min(VOICES, survivors)


def faults_of_summary(summary: Summary, table: Table, ruleset: CoopRuleset) -> list[Fault]:
    """Return every impossible value of a summary, at its JSON pointer (AB-REP-2).

    Position and forward spaces limit each other: each extra goal takes back at most two spaces, and the token stops at
        both ends of its track.
    """
    return [
        *_faults_of_goals(summary, table, ruleset),
        *_faults_of_counts(summary),
        *_faults_of_position(summary, table, ruleset),
    ]


def _faults_of_goals(summary: Summary, table: Table, ruleset: CoopRuleset) -> Iterator[Fault]:
    most = len(table.goals) if not ruleset.play.replenish else None
    if len(set(summary.completed)) != len(summary.completed):
        yield Fault("/completed", ", ".join(summary.completed), expects("each-goal-once"), "AB-GOAL-1")
    elif most is not None and len(summary.completed) > most:
        right = expects("goals-at-most", most=most)
        yield Fault("/completed", ", ".join(summary.completed), right, "AB-REP-2")
    for index, goal in enumerate(summary.completed):
        if most is not None and goal not in table.goals:
            yield Fault(f"/completed/{index}", goal, one_of(list(table.goals)), "AB-GOAL-1")
    if summary.outcome == "victory" and len(summary.completed) < table.required:
        given = ", ".join(summary.completed) or "nothing"
        yield Fault("/completed", given, expects("goals-for-victory", count=table.required), "AB-END-1")


def _faults_of_counts(summary: Summary) -> Iterator[Fault]:
    for name in ("rounds", "kills", "cards", "others", "position", "back"):
        least = 1 if name == "rounds" and summary.outcome in ("victory", "defeat") else 0
        if getattr(summary, name) < least:
            yield Fault(f"/{name}", str(getattr(summary, name)), expects("at-least", least=least), "AB-REP-2")
    if summary.cards > summary.rounds:
        yield Fault("/cards", str(summary.cards), expects("cards-of-rounds", most=summary.rounds), "AB-REP-2")


def _faults_of_position(summary: Summary, table: Table, ruleset: CoopRuleset) -> Iterator[Fault]:
    advances = summary.advances(ruleset.kit.advance_spaces)
    extra = max(0, len(summary.completed) - table.required)
    least = max(0, advances - ruleset.kit.retreat_spaces * extra - summary.back)
    most = min(advances, table.last_space)
    moves = expects("token-moves", forward=advances, goals=extra)
    if summary.back:
        moves = expects("token-moves-with-back", forward=advances, goals=extra, back=summary.back)
    if least > table.last_space:
        right = expects("position-on-track", most=table.last_space, moves=moves)
        yield Fault("/position", str(summary.position), right, "AB-REP-2")
    elif not least <= summary.position <= most:
        right = expects("position-after-moves", least=least, most=most, moves=moves)
        yield Fault("/position", str(summary.position), right, "AB-REP-2")
    lost = summary.position == table.last_space
    if lost and summary.outcome != "defeat":
        yield Fault("/outcome", summary.outcome, expects("defeat-on-last-space"), "AB-END-2")
    if summary.outcome == "defeat" and not lost and ruleset.play.deck_exhausted != "session_lost":
        last = expects("last-space", space=table.last_space)
        right = or_option(last, ruleset, "/play/deck_exhausted", lambda follows: follows == "session_lost")
        yield Fault("/position", str(summary.position), right, "AB-END-2")


def _choose_faction(table: Table, event: events.LoyalFactionChosen) -> None:
    table.loyal, table.opposing = event.loyal, event.opposing
    table.loyal_icon, table.opposing_icon = event.loyal_icon, event.opposing_icon
    table.required, table.conditions = event.required_goals, list(event.conditions)


def _place_token(table: Table, event: events.PowerTokenPlaced) -> None:
    table.spaces, table.position = event.spaces, 0


def _reveal_goals(table: Table, event: events.GoalsRevealed) -> None:
    table.goals += event.goals


def _place_camp(table: Table, event: events.CampTokenPlaced) -> None:
    if not event.from_supply:
        table.camp_gained -= 1
    table.camp_spaces.append(event.space)


def _gain_camp(table: Table, event: events.CampTokenGained) -> None:
    if event.from_space:
        table.camp_spaces.remove(event.from_space)
    table.camp_gained += 1


def _choose_first_player(table: Table, event: events.FirstPlayerChosen) -> None:
    table.first_player = event.player


def _begin_round(table: Table, event: events.RoundBegan) -> None:
    table.round, table.part, table.drawn = event.round, TURNS, None


def _complete_goal(table: Table, event: events.GoalCompleted) -> None:
    table.completed.append(event.goal)


def _record_kill(table: Table, event: events.SurvivorKilled) -> None:
    table.killed[event.survivor] = table.killed.get(event.survivor, 0) + 1


def _advance_token(table: Table, event: events.PowerTokenAdvanced) -> None:
    table.position = event.to_space
    moved = event.to_space - event.from_space
    if event.reason == "survivor_killed":
        table.kills += 1
    elif event.reason == "activation_card":
        table.cards += 1
    else:
        table.others += moved


def _retreat_token(table: Table, event: events.PowerTokenRetreated) -> None:
    table.position = event.to_space
    if event.reason == "scenario_effect":
        table.back += event.from_space - event.to_space


def _count_upgrade(table: Table, event: events.WorkshopUpgradeGained) -> None:
    table.counts["workshop_upgrades"] = table.counts.get("workshop_upgrades", 0) + 1


def _reveal_mutation(table: Table, event: events.MutationRevealed) -> None:
    table.mutated.append(event.survivor)


def _turn_mutation_down(table: Table, event: events.MutationTurnedDown) -> None:
    table.mutated.remove(event.survivor)


def _keep_modification(table: Table, event: events.ModificationKept) -> None:
    table.modified.setdefault(event.survivor, {})[event.asset] = event.card


def _meet_condition(table: Table, event: events.VictoryConditionMet) -> None:
    table.met.append(event.condition)


def _reveal_card(table: Table, event: events.ActivationCardRevealed) -> None:
    table.drawn = DrawnCard(event.card, list(event.enemies), list(event.icons), event.enemies_on_map)
    table.part = ENEMIES
    if event.card:
        table.discarded.append(event.card)


def _reshuffle(table: Table, event: events.ActivationDeckReshuffled) -> None:
    table.discarded = []


def _skip_card(table: Table, event: events.ActivationSkipped) -> None:
    table.part = FIRST_PLAYER


def _activate_enemies(table: Table, event: events.EnemiesActivated) -> None:
    table.part = OPPOSING


def _activate_opposing(table: Table, event: events.OpposingFactionActivated) -> None:
    table.part = FIRST_PLAYER


def _end_round(table: Table, event: events.RoundEnded) -> None:
    table.rounds_ended, table.part = event.round, ""


def _no_change(table: Table, event: events.SessionEvent) -> None:
    """Change nothing: the event is for the record."""


CHANGES: Mapping[type, Callable[[Table, Any], None]] = MappingProxyType(
    {
        events.LoyalFactionChosen: _choose_faction,
        events.PowerTokenPlaced: _place_token,
        events.GoalsRevealed: _reveal_goals,
        events.CampTokenPlaced: _place_camp,
        events.MutationsDealt: _no_change,
        events.FirstPlayerChosen: _choose_first_player,
        events.RoundBegan: _begin_round,
        events.GoalCompleted: _complete_goal,
        events.SurvivorKilled: _record_kill,
        events.PowerTokenAdvanced: _advance_token,
        events.PowerTokenRetreated: _retreat_token,
        events.LoyalRewardResolved: _no_change,
        events.OpposingRewardIgnored: _no_change,
        events.WorkshopUpgradeGained: _count_upgrade,
        events.CampTokenGained: _gain_camp,
        events.MutationRevealed: _reveal_mutation,
        events.MutationTurnedDown: _turn_mutation_down,
        events.SurvivorTravelled: _no_change,
        events.FightAssisted: _no_change,
        events.ModificationKept: _keep_modification,
        events.VictoryConditionMet: _meet_condition,
        events.ActivationCardRevealed: _reveal_card,
        events.ActivationDeckReshuffled: _reshuffle,
        events.ActivationSkipped: _skip_card,
        events.EnemiesActivated: _activate_enemies,
        events.OpposingFactionActivated: _activate_opposing,
        events.ActivationEffectResolved: _no_change,
        events.RoundEnded: _end_round,
    }
)
"""Event -> its change of the table; all events except those about a session as a whole."""
