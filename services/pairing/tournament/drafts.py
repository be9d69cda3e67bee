"""What a round is made of before it becomes events: who meets whom, perhaps where, and why."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from services.pairing.tournament.refusals import ScenarioMissing
from shared.formats.swiss.rules.game_parts import Scenario
from shared.formats.swiss.ruleset import swiss_or_none
from shared.refusals import Fault
from shared.rules.model import Draw
from shared.tournament.state import Tournament


class Draft(Struct, frozen=True, kw_only=True):
    """A pairing without its id. venue, table: None where they are still to be found; table 0: it needs none. wave: 1
    for a game that begins with the round, 2 for the next at that table.

    slot: the number in its game id, where it is not the next one (a place in a bracket). bye: how a bye was come by
    that is none of the pairing: `awarded` or `requested`. sides: as of a seat.
    """

    kind: str
    player_1: str
    player_2: str = ""
    venue: str | None = None
    table: int | None = None
    wave: int = 1
    reason: str = ""
    rematch: bool = False
    slot: int | None = None
    bye: str = ""
    sides: list[list[str]] = []

    @property
    def players(self) -> tuple[str, ...]:
        """The players of the tournament who sit here; the spare player is none."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)


class Plan(Struct, frozen=True, kw_only=True):
    """A whole round: its pairings in order, how they came about, and the draws that were made."""

    stage: str
    method: str
    drafts: Sequence[Draft]
    draws: Sequence[Draw] = ()
    left_out: dict[str, list[str]] = {}
    reason: str = ""


def one_of(scenarios: Sequence[Scenario]) -> str:
    """What is expected of a scenario: one of these, by name."""
    return "one of " + ", ".join(known.name for known in scenarios)


def check_byes(state: Tournament, drafts: Sequence[Draft], scenario: str) -> None:
    """Raises ScenarioMissing where the worth of a bye depends on the scenario of its round. FF-BYE-2, FF-AMB-8."""
    ruleset = swiss_or_none(state.entries)
    byes = [draft.player_1 for draft in drafts if draft.kind == "bye" and not draft.bye]
    if ruleset and byes and ruleset.bye.half_of_most and not scenario:
        raise ScenarioMissing(
            f"{byes[0]} has a bye, which is worth what the scenario says; name it.",
            [Fault("/scenario", "nothing", one_of(ruleset.scenarios))],
            clause=ruleset.bye.cites("half_of_most"),
        )
