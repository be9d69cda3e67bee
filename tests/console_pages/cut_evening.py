"""Evenings of Dust Warfare, whose best play on in a bracket; what comes before a test is done without its pages.

evening = CutEvening(services, app, ["Ana", "Ben", "Cy", "Di"])
evening.play(1)
"""

from __future__ import annotations

from flask import Flask

from shared.formats.packs import shipped_ruleset
from tests.fuzz.muster import Muster as Services

DUST = "dust-warfare-1.0"


class CutEvening:
    """An event with so many players, of whom everybody has a list. asked: the services as its organiser."""

    def __init__(self, services: Services, app: Flask, names: list[str], rounds: int = 2, **announced: object) -> None:
        self.asked = app.extensions["muster-services"].acting_as(services.token("operator"))
        register = self.asked.registration
        rules = {} if "pack" in announced else {"ruleset": DUST}
        announced = {"name": "Desert Cup", "rounds": rounds, **rules, **announced}
        self.id = register.announce_tournament(**announced).id
        register.open_venue(self.id, name="Hall", tables=len(names))
        joined = register.join_players(self.id, players=[{"name": name} for name in names])
        self.players = [one.id for one in joined.players]
        for player in self.players:
            register.submit_roster(self.id, player, roster=shipped_ruleset(DUST).roster.example)

    @property
    def page(self) -> str:
        """Where its pages begin."""
        return f"/events/{self.id}"

    def pair(self, number: int) -> None:
        """A round is paired, shown and begun."""
        self.asked.pairing.pair_round(self.id, round=number)
        if self.asked.pairing.show_round(self.id, number).status == "draft":
            self.asked.pairing.publish_round(self.id, number)
        self.asked.pairing.start_round(self.id, number)

    def report(self, number: int, most: int = 64) -> None:
        """The games of a round are won by their first players, by less and less."""
        games = [game for game in self.asked.pairing.show_round(self.id, number).pairings if game.status != "bye"]
        for place, game in enumerate(games[:most]):
            facts = {"winner": 1, "points_1": 240 - 3 * place, "points_2": 100 + 2 * place}
            self.asked.scoring.report_result(self.id, game.id, facts=facts)

    def play(self, number: int) -> None:
        """A whole round."""
        self.pair(number)
        self.report(number)
        self.asked.scoring.close_round(self.id, number)
