"""What the players' lists add to the facts of a game: totals that a rule halves, or that bound what was destroyed."""

from __future__ import annotations

import msgspec

from shared.formats.swiss.rules.absences import absence_of
from shared.formats.swiss.rules.game_parts import MarginTable, OutcomePoints
from shared.formats.swiss.rules.roster_parts import Total
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.model import PLAYED, Facts
from shared.rules.refusals import ImpossibleResult
from shared.tournament.context import By
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament

PARTS = ("destroyed_1", "destroyed_2", "objective_1", "objective_2")


def with_lists(state: Tournament, ruleset: Ruleset, seat: Seat, facts: Facts, by: By) -> Facts:
    """The facts with the totals of accepted lists as `list_1` and `list_2`, where a rule looks at them.

    Staff may say another total, which goes before that of the list; players may not.
    Raises ImpossibleResult for a player's total that is not that of the list. Source: DW-RES-2, DW-FOR-2, AR-RES-5.
    """
    sides = [side for side in (1, 2) if _looked_at(ruleset, facts, side)]
    totals = {
        f"list_{side}": total
        for side, player in ((1, seat.player_1), (2, seat.player_2))
        if side in sides and (total := _list_total(state, ruleset, player)) is not None
    }
    wrong = [] if by.staff else [name for name in totals if facts.extra.get(name, totals[name]) != totals[name]]
    if wrong:
        raise ImpossibleResult(
            "A total is not that of the accepted list.",
            [Fault(f"/facts/extra/{name}", f"{facts.extra[name]}", f"{totals[name]}, or nothing") for name in wrong],
        )
    return msgspec.structs.replace(facts, extra=totals | facts.extra) if totals else facts


def _looked_at(ruleset: Ruleset, facts: Facts, side: int) -> bool:
    """Whether a rule needs the total of this side's list."""
    if facts.kind in PLAYED:
        points = ruleset.points
        if isinstance(points, OutcomePoints) and points.list_limit is not None:
            return True
        if isinstance(points, MarginTable) and "extra" in ruleset.result.fields:
            return any(getattr(facts, part) is not None for part in PARTS)
        return facts.conceded_by == side and ruleset.concession.award == "half_list"
    told = facts.points_2 if facts.conceded_by == 1 else facts.points_1
    return facts.conceded_by == side and absence_of(ruleset, facts.kind).award == "reported" and told is None


def _list_total(state: Tournament, ruleset: Ruleset, player: str) -> int | None:
    """The total that stands on a player's accepted list, where there is one."""
    known = state.entries.players.get(player)
    written = next((check.written for check in ruleset.roster.checks if isinstance(check, Total)), "")
    total = known.roster_sheet.get(written) if known and known.roster == "accepted" and written else None
    return total if type(total) is int else None
