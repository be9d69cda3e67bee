"""A table of survivors: its state at one moment, its report, and the change that each event makes."""

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
"""Parts of a round: the survivors' turns, then those of the round end in their order (AB-ACT-2); named by what is
next: the enemies of the card activate, the opposing faction, the first player is chosen."""


class DrawnCard(Struct, frozen=True, gc=False):
    """The activation card of this round end. enemies_on_map: the opposing ones when it was revealed, if told."""

    card: str = ""
    enemies: list[str] = []
    icons: list[str] = []
    enemies_on_map: int | None = None


class Table(Struct, gc=False):
    """What lies on the table. round: the one begun last, 0 before play. part: empty before play and after the end.

    spaces: of the power track. conditions: further ones of the victory condition, met: those that hold.
    kills, cards, others: forward moves of the token by reason, for reports; back: spaces that the sheet
    moved it back. camp_*: where the C.A.M.P. tokens are.
    modified: survivor -> asset -> the modification on it.
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
        """The position that loses the session. AB-PWR-3."""
        return self.spaces - 1

    @property
    def open_goals(self) -> list[str]:
        """Revealed goals that may still be completed."""
        return [goal for goal in self.goals if goal not in self.completed]

    @property
    def extra(self) -> int:
        """Goals completed beyond those that the scenario asks for. AB-GOAL-3."""
        return max(0, len(self.completed) - self.required)


def power_share(position: int, spaces: int) -> Fraction:
    """How far along its track the token is: 0 at the top, 1 on the last space. AB-RNK-2."""
    return Fraction(position, spaces - 1)


Outcome = Literal["victory", "unfinished", "defeat", "abandoned"]
Many = Annotated[int, Whole(0, 100_000)]
MOST_GOALS = 50


class Summary(Shape, frozen=True, kw_only=True):
    """A whole session in numbers. rounds: begun. kills, cards: kills and activation cards that advanced the token.

    others: spaces it moved forward otherwise; back: spaces that the sheet moved it back. position: where the token
    lies, 0 at the top.
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
        """Spaces moved forward in all."""
        return (self.kills + self.cards) * advance_spaces + self.others


VOICES = 2
"""Survivors of a table whose word makes its result bind; one at a table of one."""


def has_agreement(voices: int, survivors: int, host: bool) -> bool:
    """Whether so many voices of a table of so many are enough, with its host among those who agree. AB-REP-3."""
    return host and voices >= min(VOICES, survivors)


def faults_of_summary(summary: Summary, table: Table, ruleset: CoopRuleset) -> list[Fault]:
    """Everything in a summary that cannot be, at its JSON pointer. AB-REP-2.

    Position and forward spaces bind each other: extra goals take back two spaces each at most, and the token stops at
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
        said = ", ".join(summary.completed) or "nothing"
        yield Fault("/completed", said, expects("goals-for-victory", count=table.required), "AB-END-1")


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
    table.round, table.part, table.drawn = event.round, TURNS, None


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
    table.drawn = DrawnCard(event.card, list(event.enemies), list(event.icons), event.enemies_on_map)
    table.part = ENEMIES
    if event.card:
        table.discarded.append(event.card)


def _reshuffled(table: Table, event: events.ActivationDeckReshuffled) -> None:
    table.discarded = []


def _skipped(table: Table, event: events.ActivationSkipped) -> None:
    table.part = FIRST_PLAYER


def _enemies(table: Table, event: events.EnemiesActivated) -> None:
    table.part = OPPOSING


def _opposing(table: Table, event: events.OpposingFactionActivated) -> None:
    table.part = FIRST_PLAYER


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
