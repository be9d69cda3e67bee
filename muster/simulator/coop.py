"""What happens at one table of a simulated co-operative event, from its set-up to a result that binds.

The table is followed by the events that its own phones are answered with, so that nothing has to be asked in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

from muster.simulator.coop_made_up import plausible_report
from muster.simulator.director import Director
from shared.coop import moves
from shared.coop.ruleset import CoopRuleset, OperatorData, missing_of
from shared.coop.sessions import EVOLVE, Session, Sessions, told_of
from shared.coop.table import ENEMIES, FIRST_PLAYER, OPPOSING, TURNS, Table
from shared.formats.fold import CATALOGUE, read_event

Json = dict[str, Any]

IN_A_HUNDRED: Mapping[str, int] = {"ruled": 10, "corrected": 4, "reported anew": 6, "abandoned": 3}
"""Of a hundred tables so many have their result from the organiser, corrected, reported twice, or leave early."""

LONGEST = 9
"""Rounds after which the hall closes."""

LONGEST_STEP = 1000
"""Spaces that one move may have at most."""

ENEMIES_SEEN = 6
"""Opposing enemies on the map at most."""


@dataclass
class CoopTable:
    """A table at play. seat: as pairing shows it. random: of everything that happens there.

    notes: what did not go the ordinary way.
    """

    director: Director
    ruleset: CoopRuleset
    data: OperatorData
    seat: Json
    random: Random
    notes: list[str] = field(default_factory=list)
    told: Sessions = field(default_factory=Sessions)

    def play(self) -> str:
        """Set up, played or reported, confirmed; returns the outcome."""
        self._post("setup", self._set_up(), self.random.choice(self.survivors))
        if self.ruleset.play.detail == "summary":
            self._report()
        else:
            self._play()
        self._settle()
        return told_of(self.session).outcome

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
        """Scenario and side as assigned, else chosen; goals drawn by the service, or four that the table drew."""
        first: Json = {"first_player": self.random.choice(self.survivors)}
        if not self.seat["scenario"]:
            scenario, loyal = self.random.choice(playable(self.data))
            first |= {"scenario": scenario, "loyal_faction": loyal}
        if self.random.random() < 0.5:
            first["goals"] = self.random.sample(list(self.data.goals), self.ruleset.kit.goals_revealed)
        return first

    def _play(self) -> None:
        """Round after round until the session ends, or somebody ends it."""
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
        """What is done in a part of the round, one thing after another."""
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
        """A goal is completed; upgrades that it counts are gained before, and may complete it by themselves."""
        goals = self.table.open_goals
        if not goals:
            return
        goal, cards = self.random.choice(goals), self.data.goals
        if cards[goal].counted_thing not in (None, "workshop_upgrades"):
            return
        while goal in self.table.open_goals and moves.short_of(self.table, cards[goal], cards):
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
        """The card of the round's end: drawn by the service where cards are tracked, else as the table has it."""
        seen = {"move": "card_revealed", "enemies_on_map": self.random.randrange(ENEMIES_SEEN)}
        return seen if self.data.cards else seen | {"icons": self.random.choice(([], ["A"], ["B"]))}

    def _opposing_acts(self) -> bool:
        drawn = self.table.drawn
        return drawn is not None and moves.opposing_acts(self.table, drawn.icons, self.ruleset.play)

    def _stop(self) -> None:
        """The hall closes; where a session has its time that is not over, the sheet's last effect ends it."""
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
        """The whole session at once, now and then by a second survivor anew."""
        told = plausible_report(self.table, self.ruleset, self.random)
        if told["outcome"] == "unfinished":
            self._post("report", {"told": told})
            return
        reporter, *others = self.random.sample(self.survivors, len(self.survivors))
        self._post("report", {"told": told}, reporter)
        if others and self._happens("reported anew"):
            self._post("report", {"told": {**told, "rounds": told["rounds"] + 1}}, others[0])

    def _settle(self) -> None:
        """The word of the table, or the organiser's; now and then it is put right afterwards."""
        if not self.session.binds and self._happens("ruled"):
            self._post("confirmation")
        for survivor in [self.seat["host"], *self.survivors]:
            if not self.session.binds and survivor not in self.session.confirmed:
                self._post("confirmation", None, survivor)
        if self._happens("corrected"):
            told = told_of(self.session)
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
        """Send a command from a survivor's phone, or as the organiser, and follow what it did."""
        who = self.director.players[survivor] if survivor else self.director.organiser
        path = self.director.path(f"/sessions/{self.seat['id']}/{what}")
        for event in who.plain.post("scoring", path, body)["events"]:
            read = read_event(event["type"], CATALOGUE[event["type"]].version, json.dumps(event["data"]))
            if type(read) in EVOLVE:
                EVOLVE[type(read)](self.told, read, SimpleNamespace(**event))


def playable(data: OperatorData) -> list[tuple[str, str]]:
    """Scenario and loyal faction of every side that a table can be set up with."""
    return [
        (sheet.scenario_id, side.loyal_faction)
        for sheet in data.scenarios
        for side in sheet.sides
        if side.loyal_faction and not missing_of(side)
    ]
