"""What a Swiss tournament asks of pairings, also of those made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.pairing.tournament.commands import ByHand
from shared.refusals import Fault, expects, one_of
from shared.rules.matching import Met, meetings
from shared.rules.model import KINDS
from shared.swiss.games import fault_of_one_more, games_of, ruleset_of
from shared.tournament.people import Entries
from shared.tournament.state import Tournament

MET_CLAUSE = ""


def met_before(state: Tournament, number: int) -> Met:
    """Return the meetings in Swiss rounds before this one."""
    return meetings(games_of(state, number - 1, stage="swiss"), number, ruleset_of(state.entries).played)


def avoid_repeats(entries: Entries) -> bool:
    """Return True if players should not sit at a table where they sat before."""
    return ruleset_of(entries).tables.avoid_repeats


def faults_by_hand(state: Tournament, number: int, pairing: ByHand, kind: str, where: str) -> Iterator[Fault]:
    """Two meet in each game, and the ruleset says which byes there are and whether a spare player plays."""
    ruleset = ruleset_of(state.entries)
    asked = pairing.kind or ""
    if pairing.sides:
        found = f"{len(pairing.sides)}"
        yield Fault(f"{where}/sides", found, expects("two-who-meet"), ruleset.pairing.clause)
    elif asked in KINDS and not pairing.player_2:
        if ruleset.bye.worth(KINDS[asked]) is None:
            yield Fault(f"{where}/kind", asked, expects("plain-bye"), ruleset.bye.clause)
        else:
            yield from faults_of_given_bye(state, number, pairing, where)
    elif kind == "spare" and "spare" not in ruleset.result.kinds:
        yield Fault(f"{where}/kind", kind, one_of(["game", "bye"]), ruleset.result.cites("kinds"))


def faults_of_given_bye(state: Tournament, number: int, one: ByHand, where: str) -> Iterable[Fault]:
    """A bye beyond those of its kind that the ruleset allows a player."""
    given = KINDS.get(one.kind or "")
    if given is None:
        return []
    fault = fault_of_one_more(state, ruleset_of(state.entries), one.player_1, given, f"{where}/kind", besides=number)
    return [fault] if fault else []
