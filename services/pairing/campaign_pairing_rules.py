"""Rules of a campaign about pairings, also about those made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from services.pairing.plans import ByHand
from shared.campaign.league import GAME, active_groups
from shared.campaign.pairing import FEWEST_IN_SIDES
from shared.refusals import Fault, expects, one_of
from shared.rules.matching import Met, meetings_of_pairs
from shared.rules.model import KINDS
from shared.tournament.people import Entries
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

MET_CLAUSE = "FS-RND-2"


def met_before(state: Tournament, number: int) -> Met:
    """Return the meetings of rivals before a round. Allies are no rivals; a game that somebody missed was not played.

    Source: FS-RND-2, FS-RND-5.
    """
    games: list[tuple[int, str, str]] = []
    for round in rounds_before(state, number):
        for seat in round.seats.values():
            result = state.results.results.get(seat.game)
            if result is not None and result.binds and result.facts["kind"] == GAME:
                for one, two in combinations(seat.players, 2):
                    games += [(round.number, one, two)] * (two in seat.rivals_of(one))
    return meetings_of_pairs(games, number)


def rounds_before(state: Tournament, number: int) -> list[Round]:
    """Return the rounds before this one."""
    return [round for round in state.rounds.rounds.values() if round.number < number]


def avoid_repeats(entries: Entries) -> bool:
    """Return True: groups should not sit at a table where they sat before."""
    return True


def faults_by_hand(state: Tournament, number: int, pairing: ByHand, kind: str, where: str) -> Iterator[Fault]:
    """Sides may have allies, only groups with members play, and nobody is a spare player. FS-RND-3 to FS-RND-5."""
    asked = pairing.kind or ""
    if pairing.sides:
        yield from faults_of_sides(pairing, where)
    elif asked in KINDS and not pairing.player_2:
        yield Fault(f"{where}/kind", asked, expects("plain-bye"), "FS-RND-3")
    elif kind == "spare":
        yield Fault(f"{where}/kind", kind, one_of(["game", "bye"]), "FS-RND-3")
    places = list(pairing.places)
    for place, player in places if kind == "game" else places[:1]:
        yield from faults_of_group(state, player, f"{where}/{place}")


def faults_of_sides(one: ByHand, where: str) -> Iterator[Fault]:
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
    if known is None or known.status != "active" or player in active_groups(state):
        return []
    return [Fault(where, player, expects("player-with-complete-group", player=known.name), "FS-RND-4")]
