"""The simulation of a whole co-operative event through running services, seeded."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

from muster.simulator.director import PHONES, ByChance, Director, at_once, counted, player_names, venue_names
from shared.coop import moves
from shared.coop.ruleset import OUTCOMES, CoopRuleset, OperatorData, missing_values
from shared.coop.sessions import EVOLVE, Session, Sessions, session_totals
from shared.coop.table import ENEMIES, FIRST_PLAYER, OPPOSING, TURNS, Table
from shared.formats.fold import CATALOGUE, read_event

Json = dict[str, Any]

ICONS: tuple[list[str], ...] = (["B"], ["A"], [], ["B"], ["A"], [], ["B"], ["A"])
ENEMY_CARDS = ("raiders", "hounds", "drones", "crawlers", "husks")
COUNTED = 3
"""Workshop upgrades that two of the goals require."""


def made_up_data(most: int) -> Json:
    """Return invented data: two scenarios of two sides, eight cards, twelve goals. most: survivors at a table."""
    return {
        "scenarios": [
            _scenario("ferry", "The ferry", ("Ferrymen", "Toll Keepers"), spaces=10, goals=2),
            _scenario("orchard", "The orchard", ("Gardeners", "Well Diggers"), spaces=12, goals=3),
        ],
        "activation_cards": [
            {"card_id": f"a{number + 1}", "enemies": [_enemy(number), _enemy(number + 2)], "icons": icons}
            for number, icons in enumerate(ICONS)
        ],
        "goal_cards": [_goal(number) for number in range(1, 13)],
        "table": {"survivors_min": 1, "survivors_max": most},
        "placeholder": True,
    }


def _scenario(id: str, name: str, factions: tuple[str, str], *, spaces: int, goals: int) -> Json:
    return {
        "scenario_id": id,
        "name": name,
        "sides": [
            {
                "loyal_faction": factions[side],
                "opposing_faction": factions[1 - side],
                "loyal_icon": "AB"[side],
                "opposing_icon": "BA"[side],
                "power_track_spaces": spaces,
                "required_goals": goals,
                "further_victory_conditions": [f"reach the {id}"],
                "loyal_rewards": ["one C.A.M.P. token"],
                "activation_effects": [
                    {"enemies_min": 0, "enemies_max": 3, "text": "they close in"},
                    {"enemies_min": 4, "text": "they are everywhere", "power_advance": 1},
                ],
            }
            for side in (0, 1)
        ],
    }


def _enemy(number: int) -> str:
    return ENEMY_CARDS[number % len(ENEMY_CARDS)]


def _goal(number: int) -> Json:
    if number > 10:
        counted = {"counted_thing": "workshop_upgrades", "counted_number": COUNTED}
        return {"card_id": f"g{number}", "condition_key": "well-equipped", **counted}
    return {"card_id": f"g{number:02}", "condition_key": f"errand-{number}"}


SHARES = {"victory": 50, "defeat": 35, "unfinished": 15}
"""Percentages of the outcomes of sessions."""


def plausible_report(table: Table, ruleset: CoopRuleset, random: Random) -> dict[str, Any]:
    """Return a consistent report of a table that is set up. AB-REP-2."""
    kit = ruleset.kit
    (outcome,) = random.choices(list(SHARES), list(SHARES.values()))
    rounds = random.randint(3, 9)
    least = table.required if outcome == "victory" else 0
    most = len(table.goals) if table.conditions else min(len(table.goals), max(least, table.required - 1))
    completed = random.sample(table.goals, random.randint(least, max(least, most)))
    back = kit.retreat_spaces * max(0, len(completed) - table.required)
    if outcome == "defeat":
        forward, position = table.last_space + random.randint(0, back), table.last_space
    else:
        forward = random.randint(0, table.last_space - 1 + back)
        position = random.randint(max(0, forward - back), min(forward, table.last_space - 1))
    cards = random.randint(0, min(rounds, forward // kit.advance_spaces))
    kills = random.randint(0, forward // kit.advance_spaces - cards)
    return {
        "outcome": outcome,
        "rounds": rounds,
        "completed": sorted(completed),
        "kills": kills,
        "cards": cards,
        "others": forward - (kills + cards) * kit.advance_spaces,
        "position": position,
    }


NO_COMMAND = {"command": "", "command_id": "", "actor": "{}"}
"""What the events of an answer lack, and only taking back needs."""
IN_A_HUNDRED: Mapping[str, int] = {"ruled": 10, "corrected": 4, "reported anew": 6, "abandoned": 3}
"""Percentages of tables whose result is entered by the organiser, corrected, reported twice, or ends early."""

LONGEST = 9
"""The round after which the hall closes."""

LONGEST_STEP = 1000
"""The most spaces of one move."""

ENEMIES_SEEN = 6
"""The most opposing enemies on the map."""


@dataclass
class CoopTable:
    """Plays one table. seat: as shown by pairing. random: the random source of this table.

    notes: events out of the ordinary.
    """

    director: Director
    ruleset: CoopRuleset
    data: OperatorData
    seat: Json
    random: Random
    notes: list[str] = field(default_factory=list)
    told: Sessions = field(default_factory=Sessions)

    def play(self) -> str:
        """Set up the table, play or report the session, confirm it; return the outcome."""
        self._post("setup", self._set_up(), self.random.choice(self.survivors))
        if self.ruleset.play.detail == "summary":
            self._report()
        else:
            self._play()
        self._settle()
        return session_totals(self.session).outcome

    @property
    def survivors(self) -> list[str]:
        return list(self.seat["survivors"])

    @property
    def session(self) -> Session:
        return self.told.sessions[self.seat["id"]]

    @property
    def table(self) -> Table:
        return self.session.table

    def _set_up(self) -> Json:
        """Set up scenario and side, assigned or chosen, and goals, drawn by the service or at the table."""
        first: Json = {"first_player": self.random.choice(self.survivors)}
        if not self.seat["scenario"]:
            scenario, loyal = self.random.choice(playable(self.data))
            first |= {"scenario": scenario, "loyal_faction": loyal}
        if self.random.random() < 0.5:
            first["goals"] = self.random.sample(list(self.data.goals), self.ruleset.kit.goals_revealed)
        return first

    def _play(self) -> None:
        """Play rounds until the session ends or is ended."""
        last = self.random.randint(LONGEST - 3, LONGEST)
        leaves = self.random.randrange(2, LONGEST) if self._happens("abandoned") else 0
        while self.session.ended is None:
            part = self.table.part
            if part == TURNS and self.table.round == leaves:
                self._end("abandoned", "the last train")
            elif part == TURNS and self.table.round > last:
                self._stop()
            else:
                for move in self._moves(part):
                    self._move(move)
                    if self.session.ended is not None:
                        break

    def _moves(self, part: str) -> Iterator[Json]:
        """Yield the moves of one part of the round."""
        if part == TURNS:
            yield from self._turns()
            yield self._card()
        elif part == ENEMIES:
            yield {"move": "enemies_activated"}
        elif part == OPPOSING and self._opposing_acts():
            yield {"move": "opposing_activated", "enemies_on_map": self.random.randrange(ENEMIES_SEEN)}
        elif part in (OPPOSING, FIRST_PLAYER):
            yield {"move": "first_player_chosen", "player": self.random.choice(self.survivors)}

    def _turns(self) -> Iterator[Json]:
        table, who = self.table, self.random.choice(self.survivors)
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            yield {"move": "survivor_killed", "survivor": self.random.choice(self.survivors)}
        if self.random.random() < 0.2 and moves.camp_supply(table, self.ruleset.kit):
            yield {"move": "camp_gained", "survivor": who}
        elif table.camp_gained:
            yield {"move": "camp_placed", "space": f"Space {table.round}"}
        if self.random.random() < 0.1 and who not in table.mutated:
            yield {"move": "mutation_revealed", "survivor": who, "rads": self.ruleset.kit.mutation_rads}
        if self.random.random() < 0.1:
            yield self._reward()
        if self.random.random() < 0.45:
            yield from self._goal(who)
        missing = [condition for condition in table.conditions if condition not in table.met]
        if missing and len(table.completed) >= table.required and self.random.random() < 0.4:
            yield {"move": "condition_met", "condition": missing[0]}

    def _goal(self, who: str) -> Iterator[Json]:
        """Complete a goal; gain the upgrades that it counts first, which may complete it already."""
        goals = self.table.open_goals
        if not goals:
            return
        goal, cards = self.random.choice(goals), self.data.goals
        if cards[goal].counted_thing not in (None, "workshop_upgrades"):
            return
        while goal in self.table.open_goals and moves.missing_count(self.table, cards[goal], cards):
            yield {"move": "upgrade_gained", "survivor": who}
        if goal in self.table.open_goals:
            yield {"move": "goal_completed", "goal": goal}

    def _reward(self) -> Json:
        side = self.data.side(self.table.scenario, self.table.loyal)
        if self.random.random() < 0.5 or side is None:
            return {"move": "quest_reward", "faction": self.table.opposing, "quest": "an errand"}
        reward = {"reward": self.random.choice(side.loyal_rewards)} if side.loyal_rewards else {}
        return {"move": "quest_reward", "faction": self.table.loyal, "quest": "an errand", **reward}

    def _card(self) -> Json:
        """Resolve the card at the end of a round: drawn by the service if cards are tracked, else at the table."""
        seen = {"move": "card_revealed", "enemies_on_map": self.random.randrange(ENEMIES_SEEN)}
        return seen if self.data.cards else seen | {"icons": self.random.choice(([], ["A"], ["B"]))}

    def _opposing_acts(self) -> bool:
        drawn = self.table.drawn
        return drawn is not None and moves.opposing_faction_acts(self.table, drawn.icons, self.ruleset.play)

    def _stop(self) -> None:
        """End an unfinished session: by a scenario effect if play has a time limit, otherwise as the hall closes."""
        if self.ruleset.play.time_limit_minutes:
            self._move(
                {
                    "move": "scenario_effect",
                    "spaces": min(self.table.last_space, LONGEST_STEP),
                    "text": "nothing holds them",
                }
            )
        else:
            self._end("unfinished", "the hall closes")

    def _report(self) -> None:
        """Report the whole session; sometimes a second survivor reports again."""
        told = plausible_report(self.table, self.ruleset, self.random)
        if told["outcome"] == "unfinished":
            self._post("report", {"told": told})
            return
        reporter, *others = self.random.sample(self.survivors, len(self.survivors))
        self._post("report", {"told": told}, reporter)
        if others and self._happens("reported anew"):
            self._post("report", {"told": {**told, "rounds": told["rounds"] + 1}}, others[0])

    def _settle(self) -> None:
        """Confirm the outcome by the table or the organiser; sometimes correct it afterwards."""
        if not self.session.binds and self._happens("ruled"):
            self._post("confirmation")
        for survivor in [self.seat["host"], *self.survivors]:
            if not self.session.binds and survivor not in self.session.confirmed:
                self._post("confirmation", None, survivor)
        if self._happens("corrected"):
            told = session_totals(self.session)
            right = {name: getattr(told, name) for name in told.__struct_fields__} | {"rounds": told.rounds + 1}
            self._post("correction", {"told": right, "reason": "a round was forgotten"})

    def _happens(self, what: str) -> bool:
        if self.random.randrange(100) < IN_A_HUNDRED[what]:
            self.notes.append(what)
            return True
        return False

    def _move(self, move: Json) -> None:
        self._post("moves", {"moves": [move]}, self.random.choice(self.survivors))

    def _end(self, outcome: str, reason: str) -> None:
        self._post("ending", {"outcome": outcome, "reason": reason})

    def _post(self, what: str, body: Any = None, survivor: str = "") -> None:
        """Send a command from a survivor's phone, or as the organiser, and update the table."""
        who = self.director.players[survivor] if survivor else self.director.organiser
        path = self.director.path(f"/sessions/{self.seat['id']}/{what}")
        for event in who.plain.post("scoring", path, body)["events"]:
            read = read_event(event["type"], CATALOGUE[event["type"]].version, json.dumps(event["data"]))
            if type(read) in EVOLVE:
                EVOLVE[type(read)](self.told, read, SimpleNamespace(**NO_COMMAND | event))


def playable(data: OperatorData) -> list[tuple[str, str]]:
    """Return scenario and loyal faction of every side that a table can choose."""
    return [
        (sheet.scenario_id, side.loyal_faction)
        for sheet in data.scenarios
        for side in sheet.sides
        if side.loyal_faction and not missing_values(side)
    ]


IN_PARTIES = 40
"""Percentage of survivors who come in a party."""

BY_THEMSELVES = 5
"""Survivors without a party who sign up themselves; staff enter the others as a list."""


def _by_invitation(director: Director, party: list[Json]) -> list[str]:
    """Sign up one survivor, and the others with the code of the first."""
    first = director.sign_up(party[0])
    code = director.invitation(first)
    return [first, *(director.sign_up({**survivor, "invitation": code}) for survivor in party[1:])]


COMING: tuple[Callable[[Director, list[Json]], list[str]], ...] = (
    Director.join_party,
    Director.sign_up_party,
    _by_invitation,
)
"""The ways in which a party joins: entered by staff, signed up as a party, or one by one by invitation."""

LEAVING = 3
"""Percentage of survivors who leave after a round."""


@dataclass
class CoopSimulation(ByChance):
    """One event, from check-in to the last ranking.

    ruleset, data: those of the event. survivors, rounds, venues: their numbers. seed: random seed of all simulated
    people. say: called with lines of progress. phones: tables that report at the same time.
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
        """Play the event; return the final ranking of scoring."""
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
        """Seat a round, play its tables, several at once, and publish the ranking. Return a description."""
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
        """Enter venues, survivors and parties, check all in, and close registration."""
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
        """Seat a round; return its tables from pairing. Assign sides if the organiser chooses them."""
        body: Json = {"round": number}
        if self.ruleset.play.loyal_choice == "organiser":
            scenario, loyal = self.chance(f"side {number}").choice(playable(self.data))
            body |= {"scenario": scenario, "loyal_faction": loyal}
        self.director.do("pairing", "/session-rounds", body)
        rounds = self.director.organiser.plain.get("pairing", self.director.path("/session-rounds"))["items"]
        return list(rounds[number - 1]["tables"])

    def between(self, number: int) -> list[str]:
        """Let survivors leave and join before the next round, while enough remain for a table. Return a description."""
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
        """Return parties of two or more who fit at a table, and single survivors."""
        random, most = self.chance("parties"), self.data.table.survivors_max
        parties: list[list[Json]] = []
        wanted = len(survivors) * IN_PARTIES // 100
        while most > 1 and sum(map(len, parties)) < wanted and len(survivors) > 1:
            size = min(random.randint(2, most), len(survivors))
            parties.append(survivors[:size])
            survivors = survivors[size:]
        return parties, survivors
