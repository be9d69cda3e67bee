"""The simulation of a whole Swiss tournament through running services, seeded.

The same seed gives the same players, and the same two players at one table in the same round get the same result.
Pairings are drawn from secrets of the services, which the seed does not affect, so standings differ between runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from muster.simulator.director import (
    PHONES,
    ByChance,
    Director,
    StaffRole,
    at_once,
    counted,
    player_names,
    venue_names,
)
from muster.simulator.floor import Floor, Play
from muster.simulator.results_by_chance import BEST
from muster_client import Muster, Problem
from shared.swiss.roster import check_roster
from shared.swiss.roster_parts import OneOf
from shared.swiss.rounds import scenario_pool
from shared.swiss.ruleset import Ruleset

STAFF: Mapping[StaffRole, str] = {"head_referee": "Head referee", "referee": "Referee"}
"""Role -> the name of the person appointed to it."""

FEWEST = 4
"""The number of players at which nobody leaves."""

LEAVING = 2
"""Percentage of players who leave after a round, in addition to those who missed it."""

DISQUALIFIED = 10
"""Percentage of rounds after which a player is disqualified."""

Json = dict[str, Any]


@dataclass
class Simulation(ByChance):
    """One tournament, from check-in to the winner.

    ruleset: the ruleset with the tournament's options. players, venues: their numbers. seed: random seed of all
    simulated people. say: called with lines of progress. phones: number of games that are reported at the same time.
    meanwhile: called with the number of each round that has started, and a function that plays a game of the round.
    """

    director: Director
    ruleset: Ruleset
    players: int
    venues: int = 1
    seed: str = ""
    say: Callable[[str], None] = lambda line: None
    phones: int = PHONES
    meanwhile: Callable[[int, Play], None] = lambda number, play: None
    skills: dict[str, int] = field(default_factory=dict)
    rosters: dict[str, Json] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    elimination: bool = False

    def play(self) -> Json:
        """Play the tournament; return the final standings of scoring."""
        floor = self.open()
        number = 0
        while (scenario := self.pair(number + 1)) is not None:
            number += 1
            self.director.start(number)
            playing = floor.playing(scenario, all_there=self.elimination)
            self.meanwhile(number, playing)
            at_once(playing, self.director.open_games(number), self.phones)
            self.director.close(number)
            self.say(f"round {number}: {', '.join([floor.account(number), *self.between(number, floor)])}")
        self.director.do("scoring", "/conclusion", {})
        return self.director.standings()

    def open(self) -> Floor:
        """Enter venues, staff and players with lists, check all in, and close registration."""
        director, seats = self.director, -(-self.players // self.venues)
        venues = [director.open_venue(name, seats // 2 + 1) for name in venue_names(self.venues)]
        staff: dict[str, Muster] = {role: director.appoint(name, role)[1] for role, name in STAFF.items()}
        staff["organiser"] = director.organiser
        floor = Floor(director, self.ruleset, self.seed, staff, self.skills, self.rosters)
        if "spare" in self.ruleset.result.kinds and self.chance("spare").random() < 0.5:
            spare, floor.spare = director.appoint("Spare player", "spare")
            director.do("pairing", "/spare", {"staff": spare})
        names = player_names(self.players)
        joined = director.join({"name": name, "venue": venues[n % len(venues)]} for n, name in enumerate(names))
        for player in joined:
            self._describe(player)
        at_once(lambda player: self._check_in(player, floor), joined, self.phones)
        director.do("registration", "/registration/close")
        self.say(f"{len(joined)} players at {counted(len(venues), 'venue')}")
        return floor

    def pair(self, number: int) -> str | None:
        """Pair a round, after making a due cut; return its scenario; None after the last round."""
        names = scenario_pool(self.ruleset)
        drawn = self.chance(f"scenario {number}").choice(names) if names else ""
        scenario = drawn if self.ruleset.result.scenario_per == "round" else ""
        while True:
            try:
                self.director.pair(round=number, scenario=scenario)
                return scenario
            except Problem as refused:
                match refused.code:
                    case "all-rounds-played":
                        return None
                    case "cut-due":
                        self.director.do("pairing", "/cut", {})
                        self.elimination = True
                        self.say(f"cut after round {number - 1}: {refused.data['places']} players go on")
                    case "scenario-missing":  # what a bye is worth follows from it, though each table has its own
                        scenario = drawn
                    case _:
                        raise

    def between(self, number: int, floor: Floor) -> list[str]:
        """Let players leave and join before the next Swiss round. Return a description of each change."""
        planned = self.director.organiser.plain.get("pairing", self.director.path("/rounds"))["planned"]
        if self.elimination or planned == number:
            return []
        random, said = self.chance(f"after round {number}"), []
        here = [player for player in self.skills if player not in self.gone]
        room = len(here) - max(FEWEST, len(self.skills) * 3 // 4)
        leaving = [player for player in here if random.randrange(100) < LEAVING or player in floor.absent][
            : max(0, room)
        ]
        for player in leaving:
            self.director.does(player, "drop", {"reason": random.choice(("the last train", "enough for today"))})
        self.gone |= {*leaving}
        if leaving:
            said.append(f"{len(leaving)} dropped")
        if room > len(leaving) and random.randrange(100) < DISQUALIFIED:
            out = random.choice([player for player in here if player not in self.gone])
            floor.disqualify(out)
            self.gone.add(out)
            said.append("1 disqualified")
        if number == 1 and self.ruleset.entry.late != "none":
            self._late(floor)
            said.append("1 late")
        return said

    def _describe(self, player: str) -> None:
        """Set the skill and the list of a player."""
        random = self.chance(player)
        self.skills[player] = random.randint(0, BEST)
        if self.ruleset.roster.example:
            self.rosters[player] = roster_of(self.ruleset, random)

    def _check_in(self, player: str, floor: Floor) -> None:
        """Hand in the list of a player, accept it as staff if the ruleset needs that, and check the player in."""
        if player in self.rosters:
            self.director.does(player, "roster", {"roster": self.rosters[player]})
            if self.ruleset.roster.staff_accept:
                place = self.director.path(f"/players/{player}/roster/acceptance")
                floor.decider("lists").plain.post("registration", place, {})
        self.director.does(player, "check-in", {})

    def _late(self, floor: Floor) -> None:
        """Enter a player after round 1; staff hand in the list, since rosters are locked."""
        (player,) = self.director.join_late()
        self._describe(player)
        if player in self.rosters:
            body = {"roster": self.rosters[player], "override": "came late"}
            floor.decider("lists").plain.post("registration", self.director.path(f"/players/{player}/roster"), body)
        self.director.does(player, "check-in", {})


def roster_of(ruleset: Ruleset, random: Random) -> Json:
    """Return the example roster of the ruleset, in a random faction if it stays legal."""
    roster: Json = deepcopy(ruleset.roster.example)
    for check in ruleset.roster.checks:
        if isinstance(check, OneOf):
            other = {**roster, check.of: random.choice(check.choices)}
            roster = roster if check_roster(ruleset, other) else other
    return roster
