"""Byes that staff give before a round is paired: awarded before the start, or asked for by the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.pairing.tournament.commands import ByeGiven, PairRound
from services.pairing.tournament.drafts import Draft, Field
from services.pairing.tournament.manual import refuse
from services.pairing.tournament.whole_round import refuse_byes
from shared.formats.swiss.games import fault_of_one_more
from shared.formats.swiss.rules.given_byes import fault_of_kind, reason_of
from shared.formats.swiss.ruleset import ruleset_of
from shared.refusals import Fault
from shared.rules.model import GIVEN
from shared.tournament.state import Tournament


def byes_given(state: Tournament, command: PairRound, field: Field, *, paired_by_rule: bool) -> list[Draft]:
    """The byes as pairings, in the order given; players of the field, each once.

    paired_by_rule: whether the round is one that byes can be given for: a Swiss round that the ruleset pairs.
    Raises PairingsRefused with every fault.
    """
    refuse_byes(command, paired_by_rule=paired_by_rule)
    refuse(list(_faults(state, command.byes, field)))
    return [
        Draft(kind="bye", player_1=one.player, reason=reason_of(GIVEN[one.kind]), table=0, bye=one.kind)
        for one in command.byes
    ]


def without(field: Field, byes: Sequence[Draft]) -> Field:
    """The field without those who have a bye already."""
    given = {draft.player_1 for draft in byes}
    return Field([player for player in field.players if player not in given], field.left_out)


def _faults(state: Tournament, byes: Sequence[ByeGiven], field: Field) -> Iterator[Fault]:
    ruleset = ruleset_of(state.entries)
    seen: set[str] = set()
    for index, one in enumerate(byes):
        where = f"/byes/{index}"
        if one.player not in state.entries.players:
            yield Fault(f"{where}/player", one.player, "the id of a player here")
        elif one.player not in field.players:
            yield Fault(f"{where}/player", one.player, "a player who would be paired")
        elif one.player in seen:
            yield Fault(f"{where}/player", one.player, "everybody once")
        seen.add(one.player)
        fault = fault_of_kind(ruleset, one.kind, f"{where}/kind")
        if fault := fault or fault_of_one_more(state, ruleset, one.player, GIVEN[one.kind], f"{where}/kind"):
            yield fault
