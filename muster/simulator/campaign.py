"""A whole campaign played through running services: by chance and by a seed, as `simulation.py` plays others.

The same seed gives the same groups, and the same two at one table in the same round the same chance. What the service
draws, and with that what becomes of a group, follows from secrets of the services, which no seed moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from muster.simulator.campaign_chance import Dice
from muster.simulator.campaign_game import CampaignGame, rivals_of, sides_of
from muster.simulator.campaign_groups import legal_list
from muster.simulator.campaign_phase import GroupPhase, told_of
from muster.simulator.director import PHONES, ByChance, Director, at_once, counted, player_names, venue_names
from muster_client import Muster, Problem, bodies
from shared.campaign.tables import Rules

Json = dict[str, Any]

FEWEST = 4
"""Players of whom nobody leaves."""

LEAVING = 3
"""Of a hundred players so many leave in the middle of a round, and so many more after it."""

VOUCHING = 85
"""Of a hundred players so many confirm the dice that they saw, at the end of a round."""

ALLIED = 25
"""Of a hundred games that the organiser draws so many are of two against two."""

AWAY = 6
"""Of a hundred players so many are away after their game, and staff close their steps."""

TURFS_AT_TABLE = 50
"""Of a hundred groups so many roll their turfs at the table."""


@dataclass
class CampaignSimulation(ByChance):
    """One campaign, from the first list to the last table.

    rules: as it is played by, with its options. players, rounds, venues: how many. seed: of everything that people do.
    say: is told a line now and then. phones: who plays and chooses at the same time.
    """

    director: Director
    rules: Rules
    players: int
    rounds: int
    venues: int = 1
    seed: str = ""
    say: Callable[[str], None] = lambda line: None
    phones: int = PHONES
    here: list[str] = field(default_factory=list)
    referee: str = ""

    def play(self) -> Json:
        """Everything; returns the final table as scoring shows it."""
        self.open()
        early = ""
        for number in range(1, self.rounds + 1):
            try:
                self.pair(number)
            except Problem as refused:
                if refused.code != "too-few-players":
                    raise
                early = "too few groups are left"
                self.say(f"it ends after round {number - 1}: {early}")
                break
            told = self.games(number)
            told += self.leave(f"in round {number}")
            told += self.after_games(number)
            told += self.vouch(number)
            told += self.between(number) if number < self.rounds else []
            self.say(f"round {number}: {', '.join(told)}")
        self.director.do("scoring", "/conclusion", {"reason": early} if early else {})
        return self.director.standings()

    def open(self) -> None:
        """Venues, a referee and players; every group handed in, with its turfs; registration closed."""
        seats = -(-self.players // self.venues)
        venues = [self.director.open_venue(name, seats // 2 + 1) for name in venue_names(self.venues)]
        self.referee, _ = self.director.appoint("Referee", "referee")
        names = player_names(self.players)
        self.here = self.director.join({"name": name, "venue": venues[n % len(venues)]} for n, name in enumerate(names))
        at_once(self._build, self.here, self.phones)
        self.director.do("registration", "/registration/close")
        self.say(f"{counted(len(self.here), 'group')} at {counted(len(venues), 'venue')}")

    def pair(self, number: int) -> None:
        """Pair a round, by hand where the organiser does."""
        if self.rules.options.pairing != "manual":
            self.director.pair(round=number)
            return
        written = drawn_from_a_hat(self.rules, self._playing(), self.chance(f"pairings {number}"))
        self.director.pair(round=number, pairings=written, allow_rematch=True, reason="drawn from a hat")

    def games(self, number: int) -> list[str]:
        """Every game of a round; returns how they went, in words."""
        became: Counter[str] = Counter()
        shown = self._paired(number)

        def play(game: Json) -> None:
            chance = self.chance("/".join([str(number), *(group for side in sides_of(game) for group in side)]))
            became[CampaignGame(self.director, self.rules, game, chance).play()] += 1

        games = [game for game in shown if game["kind"] != "bye"]
        at_once(play, games, self.phones)
        beside = [game for game in games if "sides" in game]
        told = [counted(len(games), "game") + (f" ({len(beside)} of more than two)" if beside else "")]
        told += [*(f"{count} {what}" for what, count in sorted(became.items()) if what)]
        return told + ([counted(len(shown) - len(games), "bye")] if len(shown) > len(games) else [])

    def after_games(self, number: int) -> list[str]:
        """The post-game phase of all groups, step 4 in turn; returns what happened in it, in words."""
        phases = self._phases(number)
        # Who died is known when both sides have settled their injuries, and some readings ask for it; staff settle
        # those of a group that has given up.
        at_once(lambda phase: phase.until("2", "3", "4"), phases.values(), self.phones)
        phases = {group: phase for group, phase in phases.items() if group in self.here}
        at_once(lambda phase: phase.until("4"), phases.values(), self.phones)
        phases = {group: phases[group] for group in self._playing() if group in phases}
        self._recruit(number, phases)
        at_once(lambda phase: phase.until(None), phases.values(), self.phones)
        if not self._overview()["closed"]:  # by itself only with the last step of a group
            self.director.do("scoring", f"/rounds/{number}/close")
        away = sum(phase.away for phase in phases.values())
        return told_of(phases.values()) + ([f"{away} away"] if away else [])

    def vouch(self, number: int) -> list[str]:
        """Who saw dice of others says so, for most; staff for their own. What nobody vouches for stays marked."""
        random = self.chance(f"dice of {number}")
        vouching = [player for player in self.here if random.randrange(100) < VOUCHING]
        at_once(lambda player: self._confirm(self.director.players[player], {}), vouching, self.phones)
        waiting = self._dice(waits_for=self.referee)
        if waiting:
            self._confirm(self.director.organiser, {"rolls": waiting})
        left = len(self._dice(standing="unconfirmed"))
        return [f"{left} dice on one word"] if left else []

    def _confirm(self, by: Muster, body: bodies.ConfirmDice) -> None:
        by.scoring.confirm_dice(self.director.id, **body)

    def _dice(self, **filters: Any) -> list[str]:
        """Rolls that were told, the first five hundred of a kind."""
        return [
            die.id for die in self.director.organiser.scoring.list_dice(self.director.id, limit=500, **filters).items
        ]

    def between(self, number: int) -> list[str]:
        """Who leaves, who comes and who begins anew before the next round, in words."""
        said = self.leave(f"after round {number}")
        if self.rules.options.wiped_out == "new_group_500":
            groups = self.director.organiser.plain.get("scoring", self.director.path("/groups"))["items"]
            lost = [group["id"] for group in groups if not group["members"] and group["id"] in self.here]
            at_once(self._build, lost, self.phones)
            said += [f"{len(lost)} new groups"] if lost else []
        if number == 1:
            late = self.director.join_late()
            at_once(self._build, late, self.phones)
            self.here += late
            said.append("1 late")
        return said

    def leave(self, when: str) -> list[str]:
        """Who gives the campaign up, in words; as many stay as make it one."""
        random = self.chance(when)
        room = len(self.here) - max(FEWEST, self.players * 3 // 4)
        leaving = [player for player in self.here if random.randrange(100) < LEAVING][: max(0, room)]
        for player in leaving:
            self.director.does(player, "drop", {"reason": random.choice(("moved away", "no time any more"))})
            self.here.remove(player)
        return [f"{len(leaving)} gave up"] if leaving else []

    def _build(self, player: str) -> None:
        """A player hands a group in and rolls its turfs."""
        random = self.chance(f"group of {player}")
        self.director.does(player, "group", legal_list(self.rules, random))
        dice = Dice(random, player, random.choice([other for other in self.here if other != player]))
        told = random.randrange(100) < TURFS_AT_TABLE
        rolls = [dice.told("2D12") if told else {} for _ in range(self.rules.core.starting_turfs)]
        self.director.does(player, "group/turfs", {"rolls": rolls})

    def _phases(self, number: int) -> dict[str, GroupPhase]:
        """The groups whose post-game phase is open, each with the rival, or the referee, who looks on."""
        open = [line["group"] for line in self._overview()["groups"] if line["step"]]
        rivals: dict[str, str] = {}
        for game in self._paired(number):
            if game["kind"] != "bye":
                sides = sides_of(game)
                rivals |= {group: rivals_of(sides, group)[0] for side in sides for group in side}
        phases = {}
        for group in open:
            random = self.chance(f"{number}/{group} after the game")
            witness = rivals.get(group, self.referee)
            away = random.randrange(100) < AWAY or group not in self.here
            phases[group] = GroupPhase(self.director, self.rules, group, witness, random, away=away)
        return phases

    def _recruit(self, number: int, phases: dict[str, GroupPhase]) -> None:
        """Step 4: the die of each group, told or rolled by the service; then everybody's turn, in order. FS-REC-2."""
        if not phases:
            return
        random = self.chance(f"recruits {number}")
        here = [group for group, phase in phases.items() if not phase.away]
        told = random.sample(here, random.randint(0, len(here)))
        rolls = [Dice(random, group, self.referee).told("1D12") | {"group": group} for group in told]
        self.director.do("scoring", "/recruits", {"rolls": rolls})
        while order := self._overview()["recruits"]["order"]:
            phases[order[0]].take("4")

    def _playing(self) -> list[str]:
        """The groups that take part: they have members, and their players have not given up."""
        groups = self.director.organiser.plain.get("scoring", self.director.path("/groups"))["items"]
        return [group["id"] for group in groups if group["playing"]]

    def _paired(self, number: int) -> list[Json]:
        """The games and byes of a round, as pairing shows them."""
        return list(self.director.organiser.plain.get("pairing", self.director.path(f"/rounds/{number}"))["pairings"])

    def _overview(self) -> Json:
        shown: Json = self.director.organiser.plain.get("scoring", self.director.path("/post-game"))
        return shown


def drawn_from_a_hat(rules: Rules, playing: Sequence[str], chance: Random) -> list[Json]:
    """Pairings as an organiser draws them: of two, now and then two against two; the last one plays with two, or rests.

    Source: FS-RND-5.
    """
    hat, written = chance.sample(playing, len(playing)), list[Json]()
    three = rules.options.odd_field == "game_of_three"
    while len(hat) > 3 or len(hat) == 2:
        if len(hat) > 3 and not (three and len(hat) == 5) and chance.randrange(100) < ALLIED:
            written.append({"sides": [[hat.pop(), hat.pop()], [hat.pop(), hat.pop()]]})
        else:
            written.append({"player_1": hat.pop(), "player_2": hat.pop()})
    if len(hat) == 3 and three:
        return [*written, {"sides": [[group] for group in hat]}]
    if len(hat) == 3:
        written.append({"player_1": hat.pop(), "player_2": hat.pop()})
    return written + [{"player_1": group, "player_2": None} for group in hat]
