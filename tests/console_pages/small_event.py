"""Events of a few players for tests of single actions; everything before the action is done without pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flask import Flask

from shared.formats.packs import shipped_ruleset
from tests.console_pages.conftest import Browser, signed_in
from tests.fuzz.muster import Muster as Services

ARMADA, FACTIONS = "star-wars-armada-1.1", "fallout-factions-comp-1.0"
NAMES = ("Ana", "Ben", "Cy", "Di")


class SmallEvent:
    """An event. asked: the services as its organiser. page: where its pages begin."""

    def __init__(
        self, services: Services, app: Flask, ruleset: str = ARMADA, names: Sequence[str] = NAMES, **announced: Any
    ) -> None:
        self._services, self._app = services, app
        self.asked = app.extensions["muster-services"].acting_as(services.token("operator"))
        register = self.asked.registration
        self.id = register.announce_tournament(**{"name": "Club night", "ruleset": ruleset, "rounds": 3} | announced).id
        self.page = f"/events/{self.id}"
        register.open_venue(self.id, name="Hall", tables=len(names))
        joined = register.join_players(self.id, players=[{"name": name, "venue": "v1"} for name in names])
        self.players = [one.id for one in joined.players]
        if ruleset == FACTIONS:
            for player in self.players:
                register.submit_roster(self.id, player, roster=shipped_ruleset(FACTIONS).roster.example)

    def browser(self, role: str, **claims: Any) -> Browser:
        """A browser of somebody with a role at this event."""
        return signed_in(self._app, self._services.token(role, self.id, **claims))

    def pair(self, number: int = 1, **more: Any) -> SmallEvent:
        """Pair and start a round."""
        self.asked.pairing.pair_round(self.id, round=number, **more)
        self.asked.pairing.start_round(self.id, number)
        return self

    def report(self, number: int = 1, **facts: Any) -> SmallEvent:
        """Every game of a round has the same result."""
        for game in self.asked.pairing.show_round(self.id, number).pairings:
            if game.status != "bye":
                self.asked.scoring.report_result(self.id, game.id, facts=facts)
        return self

    def close(self, number: int = 1) -> SmallEvent:
        """Close a round."""
        self.asked.scoring.close_round(self.id, number)
        return self

    def appoint(self, name: str, role: str, **more: Any) -> SmallEvent:
        """Appoint a member of staff."""
        self.asked.registration.appoint_staff(self.id, name=name, role=role, **more)
        return self

    def recorded(self, service: str) -> list[dict[str, Any]]:
        """The events of a service's log, in order."""
        return [json.loads(line) for line in self.asked.service(service).log(self.id)]
