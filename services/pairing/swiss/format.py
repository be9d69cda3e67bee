"""The row of the Swiss format in pairing."""

from __future__ import annotations

from collections.abc import Iterable

from services.pairing.swiss.decide import check_byes, pair
from services.pairing.swiss.timing import timing_view
from services.pairing.tournament.commands import ByHand
from services.pairing.tournament.format import PairingFormat, only_of_two
from shared.formats.swiss.games import fault_of_one_more, games_of
from shared.formats.swiss.ruleset import ruleset_of
from shared.refusals import Fault
from shared.rules.meetings import Met, meetings
from shared.rules.model import KINDS
from shared.tournament.entries import Entries
from shared.tournament.state import Tournament


def met_before(state: Tournament, number: int) -> Met:
    """Return the meetings in Swiss rounds before this one."""
    return meetings(games_of(state, number - 1, stage="swiss"), number, ruleset_of(state.entries).played)


def faults_of_sides(entries: Entries, one: ByHand, where: str) -> Iterable[Fault]:
    """Two meet in each game."""
    return only_of_two(entries, one, where, ruleset_of(entries).pairing.clause)


def kind_clause(entries: Entries, kind: str) -> str | None:
    """The clause by which the ruleset has no byes of this kind, or no games against a spare player."""
    ruleset = ruleset_of(entries)
    if kind in KINDS:
        return ruleset.bye.clause if ruleset.bye.worth(KINDS[kind]) is None else None
    return None if "spare" in ruleset.result.kinds else ruleset.result.cites("kinds")


def faults_of_given_bye(state: Tournament, number: int, one: ByHand, where: str) -> Iterable[Fault]:
    """A bye beyond those of its kind that the ruleset allows a player."""
    given = KINDS.get(one.kind or "")
    if given is None:
        return []
    fault = fault_of_one_more(state, ruleset_of(state.entries), one.player_1, given, f"{where}/kind", besides=number)
    return [fault] if fault else []


SWISS = PairingFormat(
    pair=pair,
    met=met_before,
    sides=faults_of_sides,
    kind_clause=kind_clause,
    of_pairing=faults_of_given_bye,
    check=check_byes,
    avoid_repeats=lambda entries: ruleset_of(entries).tables.avoid_repeats,
    timing=timing_view,
)
