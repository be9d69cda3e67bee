"""The tournament that `make run` plays into an empty data folder, so that there is something to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from deploy.director import Director, fleet_battle
from shared.secret_keys import TokenKey

PLAYERS = ("Ada", "Bela", "Cleo", "Dora", "Edda", "Finn", "Gil", "Hana", "Ivo")


def play(urls: Mapping[str, str], keys: Sequence[TokenKey]) -> str:
    """Nine players, two rounds played, the third under way; returns the tournament's id."""
    director = Director.announce(urls, keys, name="Club night", ruleset="star-wars-armada-1.1", tier="casual", rounds=3)
    director.open_venue("Back room", 5)
    director.join({"name": name} for name in PLAYERS)
    battle = fleet_battle(Random(9))
    for number in (1, 2):
        director.pair()
        director.do("pairing", f"/rounds/{number}/start", {})
        director.play(number, battle)
        director.close(number)
    director.pair()
    director.do("pairing", "/rounds/3/start", {})
    return director.id
