"""What pairing asks of a format whose players meet in games; the rows are in `services/pairing/formats.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from services.pairing.tournament.commands import ByHand, PairRound
from services.pairing.tournament.drafts import Draft
from services.pairing.tournament.views_time import TimingView
from shared.events.base import Event
from shared.refusals import Fault, expects
from shared.rules.meetings import Met
from shared.tournament.context import Context
from shared.tournament.entries import Entries
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def only_of_two(entries: Entries, one: ByHand, where: str, clause: str = "") -> Iterable[Fault]:
    """Of a format in which two meet in each game."""
    return [Fault(f"{where}/sides", f"{len(one.sides)}", expects("two-who-meet"), clause)]


class PairingFormat(Struct, frozen=True, kw_only=True):
    """What a format does in its own way when a round is paired.

    pair: the next round, by the rules or by hand. met: whom each player has met before a round; met_clause: that asks
    for others. sides: what is wrong with the sides of a pairing by hand; kind_clause: by which there is no such kind of
    pairing, None where there is one; of_pairing, of_player: what else is wrong with it, and with who sits in it.
    check: raises for drafts that lack what the round needs. avoid_repeats: whether nobody sits where they sat before.
    timing: the time of a round, as it is shown.
    """

    pair: Callable[[PairingFormat, Tournament, PairRound, Context], Sequence[Event]]
    met: Callable[[Tournament, int], Met] = lambda state, number: {}
    met_clause: str = ""
    sides: Callable[[Entries, ByHand, str], Iterable[Fault]] = only_of_two
    kind_clause: Callable[[Entries, str], str | None] = lambda entries, kind: ""
    of_pairing: Callable[[Tournament, int, ByHand, str], Iterable[Fault]] = lambda state, number, one, where: ()
    of_player: Callable[[Tournament, str, str], Iterable[Fault]] = lambda state, player, where: ()
    check: Callable[[Tournament, Sequence[Draft], str], None] = lambda state, drafts, scenario: None
    avoid_repeats: Callable[[Entries], bool] = lambda entries: True
    timing: Callable[[Tournament, Round], TimingView | None] = lambda state, round: None
