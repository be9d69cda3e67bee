"""A whole co-operative event played through running services: by chance and by a seed, as `simulation.py` plays others.

The same seed gives the same survivors, and the same company at one table in the same round the same luck. Who sits
together, and the cards that the service draws, come from secrets of the services, which no seed moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from muster.simulator.coop_tables import CoopTable, playable
from muster.simulator.director import PHONES, ByChance, Director, at_once, counted, player_names, venue_names
from shared.coop.ruleset import OUTCOMES, CoopRuleset, OperatorData

Json = dict[str, Any]

IN_PARTIES = 40
"""Of a hundred survivors about so many come with others."""

BY_THEMSELVES = 5
"""So many of those who come alone sign up themselves; staff enter the others as a list."""


def _by_invitation(director: Director, party: list[Json]) -> list[str]:
    """One signs up, and the others by the code that this one tells."""
    first = director.sign_up(party[0])
    code = director.invitation(first)
    return [first, *(director.sign_up({**survivor, "invitation": code}) for survivor in party[1:])]


COMING: tuple[Callable[[Director, list[Json]], list[str]], ...] = (
    Director.join_party,
    Director.sign_up_party,
    _by_invitation,
)
"""How a party comes: entered by staff, as a company that signs up, or one by one by invitation."""

LEAVING = 3
"""Of a hundred survivors so many leave after a round."""


@dataclass
class CoopSimulation(ByChance):
    """One event, from the doors' opening to the last ranking.

    ruleset, data: as it is played by. survivors, rounds, venues: how many. seed: of everything that people do.
    say: is told a line now and then. phones: tables that report at the same time.
    """

    director: Director
    ruleset: CoopRuleset
    data: OperatorData
    survivors: int
    rounds: int
    venues: int = 1
    seed: str = ""
    say: Callable[[str], None] = lambda line: None
    phones: int = PHONES
    here: list[str] = field(default_factory=list)

    def play(self) -> Json:
        """Everything; returns the final ranking as scoring shows it."""
        self.open()
        for number in range(1, self.rounds + 1):
            told = self._round(number)
            if number < self.rounds:
                told += self.between(number)
            self.say(f"round {number}: {', '.join(told)}")
        self.director.do("scoring", "/conclusion", {})
        path = self.director.path("/ranking")
        ranking: Json = self.director.organiser.plain.get("scoring", path, round=self.rounds)
        return ranking

    def _round(self, number: int) -> list[str]:
        """Seat a round, play its tables several at once, publish the ranking; what happened, in words."""
        done: list[tuple[str, list[str]]] = []

        def play(seat: Json) -> None:
            chance = self.chance(f"{number}/{'/'.join(sorted(seat['survivors']))}")
            table = CoopTable(self.director, self.ruleset, self.data, seat, chance)
            done.append((table.play(), table.notes))

        tables = self.seat(number)
        at_once(play, tables, self.phones)
        self.director.do("pairing", f"/session-rounds/{number}/close")
        self.director.do("scoring", f"/session-rounds/{number}/ranking")
        outcomes = Counter(outcome for outcome, _ in done)
        notes = Counter(note for _, notes in done for note in notes if note not in OUTCOMES)
        return [
            counted(len(tables), "table"),
            *(f"{outcomes[outcome]} {outcome}" for outcome in OUTCOMES if outcomes[outcome]),
            *(f"{count} {note}" for note, count in sorted(notes.items())),
        ]

    def open(self) -> None:
        """Venues; survivors alone and in parties, entered and by themselves; all checked in; registration closed."""
        seats = -(-self.survivors // self.venues)
        room = 2 * -(-seats // self.data.table.survivors_max) + 1
        venues = [self.director.open_venue(name, room) for name in venue_names(self.venues)]
        parties, alone = self._groups([{"name": name} for name in player_names(self.survivors)])
        for index, party in enumerate([*parties, *([one] for one in alone)]):
            for survivor in party:
                survivor["venue"] = venues[index % len(venues)]
        for survivor in alone[:BY_THEMSELVES]:
            self.here.append(self.director.sign_up(survivor))
        for party in parties:
            self.here += self.chance(party[0]["name"]).choice(COMING)(self.director, party)
        self.here += self.director.join(alone[BY_THEMSELVES:])
        at_once(lambda survivor: self.director.does(survivor, "check-in", {}), self.here, self.phones)
        self.director.do("registration", "/registration/close")
        places = counted(len(venues), "venue")
        self.say(f"{len(self.here)} survivors, {counted(len(parties), 'party', 'parties')}, {places}")

    def seat(self, number: int) -> list[Json]:
        """Seat a round; returns its tables as pairing shows them. Sides are assigned where the organiser chooses."""
        body: Json = {"round": number}
        if self.ruleset.play.loyal_choice == "organiser":
            scenario, loyal = self.chance(f"side {number}").choice(playable(self.data))
            body |= {"scenario": scenario, "loyal_faction": loyal}
        self.director.do("pairing", "/session-rounds", body)
        rounds = self.director.organiser.plain.get("pairing", self.director.path("/session-rounds"))["items"]
        return list(rounds[number - 1]["tables"])

    def between(self, number: int) -> list[str]:
        """Who leaves and who comes before the next round, in words; as many stay as a table takes at least."""
        random, said = self.chance(f"after round {number}"), []
        room = len(self.here) - max(self.data.table.survivors_max, len(self.here) * 3 // 4)
        leaving = [survivor for survivor in self.here if random.randrange(100) < LEAVING][: max(0, room)]
        for survivor in leaving:
            self.director.does(survivor, "drop", {"reason": random.choice(("the last train", "enough for today"))})
            self.here.remove(survivor)
        if leaving:
            said.append(f"{len(leaving)} dropped")
        if number == 1 and self.ruleset.entry.late != "none":
            self.here += self.director.join_late()
            said.append("1 late")
        return said

    def _groups(self, survivors: list[Json]) -> tuple[list[list[Json]], list[Json]]:
        """Parties of two or more who fit at a table, and those who come alone."""
        random, most = self.chance("parties"), self.data.table.survivors_max
        parties: list[list[Json]] = []
        wanted = len(survivors) * IN_PARTIES // 100
        while most > 1 and sum(map(len, parties)) < wanted and len(survivors) > 1:
            size = min(random.randint(2, most), len(survivors))
            parties.append(survivors[:size])
            survivors = survivors[size:]
        return parties, survivors
