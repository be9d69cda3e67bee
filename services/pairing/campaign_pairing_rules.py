"""Pairing rules of a campaign: earlier opponents, and the faults of pairings by hand."""

from __future__ import annotations

from collections.abc import Iterator
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
    """Return the rivals that met before a round. Allies do not count, nor games that a group did not attend.

    Source: FS-RND-2, FS-RND-5.
    """
    games: list[tuple[int, str, str]] = []
    for round in rounds_before(state, number):
        for seat in round.seats.values():
            result = state.results.results.get(seat.game)
            if result is not None and result.binds and result.facts["kind"] == GAME:
                for first, second in combinations(seat.players, 2):
                    if second in seat.rivals_of(first):
                        games.append((round.number, first, second))
    return meetings_of_pairs(games, number)


def rounds_before(state: Tournament, number: int) -> list[Round]:
    """Return the rounds before this one."""
    return [round for round in state.rounds.rounds.values() if round.number < number]


def avoid_repeats(entries: Entries) -> bool:
    """Return True: groups should not play at the same table twice."""
    return True


def faults_by_hand(state: Tournament, number: int, pairing: ByHand, kind: str, where: str) -> Iterator[Fault]:
    """Yield the faults of a pairing by hand: bad sides, byes granted beforehand, spare games, groups without members.

    Source: FS-RND-3, FS-RND-4, FS-RND-5, FS-AMB-54.
    """
    given_kind = pairing.kind or ""
    if pairing.sides:
        yield from _side_faults(pairing, where)
    elif given_kind in KINDS and not pairing.player_2:
        yield Fault(f"{where}/kind", given_kind, expects("plain-bye"), "FS-RND-3")
    elif kind == "spare":
        yield Fault(f"{where}/kind", kind, one_of(["game", "bye"]), "FS-RND-3")
    participants = list(pairing.participants)
    for member, id in participants if kind == "game" else participants[:1]:
        player = state.entries.players.get(id)
        if player is not None and player.status == "active" and id not in active_groups(state):
            expected = expects("player-with-complete-group", player=player.name)
            yield Fault(f"{where}/{member}", id, expected, "FS-RND-4")


def _side_faults(pairing: ByHand, where: str) -> Iterator[Fault]:
    if pairing.kind and pairing.kind != "game":
        yield Fault(f"{where}/kind", pairing.kind, expects("game-with-sides"), "FS-RND-5")
    groups = len(pairing.participant_ids)
    if len(pairing.sides) < 2:
        yield Fault(f"{where}/sides", f"{len(pairing.sides)}", expects("at-least-sides", least=2), "FS-RND-5")
    elif groups < FEWEST_IN_SIDES:
        expected = expects("at-least-groups-in-sides", least=FEWEST_IN_SIDES)
        yield Fault(f"{where}/sides", f"{groups}", expected, "FS-RND-5")
    for number, side in enumerate(pairing.sides):
        if not side:
            yield Fault(f"{where}/sides/{number}", "nothing", expects("groups-of-side"), "FS-RND-5")
