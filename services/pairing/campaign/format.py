"""The row of campaigns in pairing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.pairing.campaign.decide import met_before, pair
from services.pairing.tournament.commands import ByHand
from services.pairing.tournament.format import PairingFormat
from shared.formats.campaign.league import playing
from shared.formats.campaign.rules.pairing import FEWEST_IN_SIDES
from shared.refusals import Fault, expects
from shared.tournament.entries import Entries
from shared.tournament.state import Tournament


def faults_of_sides(entries: Entries, one: ByHand, where: str) -> Iterator[Fault]:
    """What is wrong with the sides of a pairing, apart from who the groups are. where: of the pairing. FS-RND-5."""
    if one.kind and one.kind != "game":
        yield Fault(f"{where}/kind", one.kind, expects("game-with-sides"), "FS-RND-5")
    if len(one.sides) < 2:
        yield Fault(f"{where}/sides", f"{len(one.sides)}", expects("at-least-sides", least=2), "FS-RND-5")
    elif len(one.named) < FEWEST_IN_SIDES:
        expected = expects("at-least-groups-in-sides", least=FEWEST_IN_SIDES)
        yield Fault(f"{where}/sides", f"{len(one.named)}", expected, "FS-RND-5")
    for number, side in enumerate(one.sides):
        if not side:
            yield Fault(f"{where}/sides/{number}", "nothing", expects("groups-of-side"), "FS-RND-5")


def faults_of_group(state: Tournament, player: str, where: str) -> Iterable[Fault]:
    """In a campaign only groups with members play. FS-RND-4, FS-AMB-54."""
    known = state.entries.players.get(player)
    if known is None or known.status != "active" or player in playing(state):
        return []
    return [Fault(where, player, expects("player-with-complete-group", player=known.name), "FS-RND-4")]


CAMPAIGN = PairingFormat(
    pair=pair,
    met=met_before,
    met_clause="FS-RND-2",
    sides=faults_of_sides,
    kind_clause=lambda entries, kind: "FS-RND-3",
    of_player=faults_of_group,
)
