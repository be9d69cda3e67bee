"""A table at which survivors play together, as it stands at one moment, and what one can tell from looking at it.

Also the report of a whole session, and whether it can be: numbers that hold one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct, field

from shared.formats.coop.rules.ruleset import CoopRuleset
from shared.refusals import Fault, expects, one_of
from shared.rules.option_hints import or_option
from shared.shapes import Id, Shape, Size, Whole

TURNS, ENEMIES, OPPOSING, FIRST_PLAYER = "turns", "enemies", "opposing", "first_player"
"""Parts of a round: the survivors' turns, then those of the round end in their order (AB-ACT-2); named by what is
next: the enemies of the card activate, the opposing faction, the first player is chosen."""


class Drawn(Struct, frozen=True, gc=False):
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
    drawn: Drawn | None = None
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


def agreed(voices: int, survivors: int, host: bool) -> bool:
    """Whether so many voices of a table of so many are enough, with its host among those who agree. AB-REP-3."""
    return host and voices >= min(VOICES, survivors)


def faults_of_summary(summary: Summary, table: Table, ruleset: CoopRuleset) -> list[Fault]:
    """Everything in a summary that cannot be, at its JSON pointer. AB-REP-2.

    Position and forward spaces bind each other: extra goals take back two spaces each at most, and the token stops at
    both ends of its track.
    """
    return [*_goals(summary, table, ruleset), *_counts(summary), *_position(summary, table, ruleset)]


def _goals(summary: Summary, table: Table, ruleset: CoopRuleset) -> Iterator[Fault]:
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


def _counts(summary: Summary) -> Iterator[Fault]:
    for name in ("rounds", "kills", "cards", "others", "position", "back"):
        least = 1 if name == "rounds" and summary.outcome in ("victory", "defeat") else 0
        if getattr(summary, name) < least:
            yield Fault(f"/{name}", str(getattr(summary, name)), expects("at-least", least=least), "AB-REP-2")
    if summary.cards > summary.rounds:
        yield Fault("/cards", str(summary.cards), expects("cards-of-rounds", most=summary.rounds), "AB-REP-2")


def _position(summary: Summary, table: Table, ruleset: CoopRuleset) -> Iterator[Fault]:
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
