"""Venues start and close their parts of a round at the same moment while processes die: nothing is lost or doubled."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

from deploy.stack import Stack
from muster.simulator.director import Director, at_once
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_ruleset
from tests.faults.holds import check
from tests.faults.load import ROUNDS, RULESET, Load, at_a_pace
from tests.faults.processes import kill

VENUES = 4
PLAYERS = 4
"""Players at each venue."""


class VenuesApart(Load):
    """Tournaments whose venues are paired by themselves, and begin and end each round all at once."""

    def _tournament(self, random: Random) -> None:
        director = self.announce(pairing_scope="venue")
        self.tournaments.append(director)
        battle = at_a_pace(results(shipped_ruleset(RULESET), random))
        venues = [venue.id for venue in director.organiser.registration.show_tournament(director.id).venues]
        together = threading.Barrier(len(venues))

        def run(venue: str) -> None:
            try:
                for number in range(1, ROUNDS + 1):
                    director.pair(round=number, venue=venue)
                    together.wait()
                    director.organiser.pairing.start_round(director.id, number, venue=venue)
                    director.play(number, battle, lambda game: game["venue"] == venue)
                    together.wait()
                    director.organiser.scoring.close_round(director.id, number, venue=venue)
            except BaseException:
                together.abort()
                raise

        at_once(run, venues, phones=len(venues))
        director.do("scoring", "/conclusion", {})

    def announce(self, **more: Any) -> Director:
        """A tournament with its players at four venues."""
        self._players, players = 0, VENUES * PLAYERS
        director = super().announce(**more)
        venues = [director.open_venue(f"Hall {number}", PLAYERS) for number in range(1, VENUES + 1)]
        director.join({"name": f"Player {number}", "venue": venues[number % VENUES]} for number in range(players))
        return director


def test_parts_start_and_close_at_once_while_services_are_killed(stack: Stack) -> None:
    with VenuesApart(stack, directors=1) as load:
        for name in ("scoring", "pairing") * 2:
            load.more(4)
            kill(load, name)
        load.more(8)
    check(stack, load)
    for director in load.tournaments:
        after = director.standings()["after"]
        assert [venue["round"] for venue in after] == [ROUNDS] * VENUES
