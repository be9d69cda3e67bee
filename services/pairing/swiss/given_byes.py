"""Byes that staff give before a round is paired: awarded before the start, or asked for by the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.pairing.tournament.commands import ByeGiven, PairRound
from services.pairing.tournament.drafts import Draft
from services.pairing.tournament.eligible import Field
from services.pairing.tournament.manual import refuse
from services.pairing.tournament.state import name_of
from shared.formats.swiss.games import fault_of_one_more
from shared.formats.swiss.rules.given_byes import GIVEN, fault_of_kind, reason_of
from shared.formats.swiss.ruleset import swiss_or_none
from shared.refusals import Fault
from shared.tournament.state import Tournament


def byes_given(state: Tournament, command: PairRound, field: Field, *, paired_by_rule: bool) -> list[Draft]:
    """The byes as pairings, in the order given; players of the field, each once.

    paired_by_rule: whether the round is one that byes can be given for: a Swiss round that the ruleset pairs.
    Raises PairingsRefused with every fault.
    """
    said = f"{len(command.byes)} given"
    if command.byes and command.pairings is not None:
        refuse(
            [Fault("/byes", said, "nothing beside pairings by hand, which have the kinds awarded_bye, requested_bye")]
        )
    if command.byes and not paired_by_rule:
        refuse([Fault("/byes", said, "nothing: only in rounds of a Swiss are byes given beforehand")])
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
    ruleset = swiss_or_none(state.entries)
    seen: set[str] = set()
    for index, one in enumerate(byes):
        where = f"/byes/{index}"
        if one.player not in state.entries.players:
            yield Fault(f"{where}/player", one.player, "the id of a player here")
        elif one.player not in field.players:
            yield Fault(f"{where}/player", name_of(state.entries, one.player), "a player who would be paired")
        elif one.player in seen:
            yield Fault(f"{where}/player", f"{one.player} again", "everybody once")
        seen.add(one.player)
        if ruleset is None:
            continue
        fault = fault_of_kind(ruleset, one.kind, f"{where}/kind")
        if fault := fault or fault_of_one_more(state, ruleset, one.player, GIVEN[one.kind], f"{where}/kind"):
            yield fault
