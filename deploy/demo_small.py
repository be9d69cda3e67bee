"""The tournament that `make run` plays into an empty data folder, so that there is something to look at."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from deploy.stack import operator
from muster.simulator.director import Director
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_swiss
from shared.web.tokens import Issuer

RULESET = "star-wars-armada-1.1"
PLAYERS = ("Ada", "Bela", "Cleo", "Dora", "Edda", "Finn", "Gil", "Hana", "Ivo")


def play(urls: Mapping[str, str], issuer: Issuer) -> str:
    """Play two rounds with nine players and start the third. Return the tournament's id."""
    host = operator(urls, issuer)
    director = Director.announce(host, name="Club night", ruleset=RULESET, tier="casual", rounds=3)
    director.open_venue("Back room", 5)
    director.join({"name": name} for name in PLAYERS)
    battle = results(shipped_swiss(RULESET), Random(9))
    for number in (1, 2):
        director.pair()
        director.start(number)
        director.play(number, battle)
        director.close(number)
    director.pair()
    director.start(3)
    return director.id
