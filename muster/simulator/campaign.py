"""The simulation of a whole campaign through running services, seeded, with its post-game phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from muster.simulator.campaign_games import CampaignGame, Dice, legal_list, rivals_of, sides_of
from muster.simulator.director import PHONES, ByChance, Director, at_once, counted, player_names, venue_names
from muster_client import Muster, Problem, bodies
from shared.campaign.tables import Rules

Json = dict[str, Any]

ABSENT: Json = {"absent": True, "reason": "did not answer", "announced": "2020-03-01T20:00:00Z"}
"""Why staff close the steps of a simulated absent player, and from when the league had announced it."""

ALWAYS = 99
"""Any number of times."""

WISHES: Mapping[str, tuple[int, int]] = {
    "take_offer": (0, 3),
    "decline_offer": (ALWAYS, ALWAYS),
    "choose_clean_home": (1, 1),
    "reroll_injury": (0, 2),
    "take_injury": (0, 1),
    "roll_injury": (ALWAYS, ALWAYS),
    "check_jail": (ALWAYS, ALWAYS),
    "dismiss_blind": (0, 1),
    "claim_reward": (0, 1),
    "forgo_reward": (0, 0),
    "claim_turf": (1, 1),
    "take_turf": (1, 1),
    "award_experience": (1, 1),
    "choose_perk": (ALWAYS, ALWAYS),
    "choose_attribute": (ALWAYS, ALWAYS),
    "roll_advancement": (ALWAYS, ALWAYS),
    "draw_encounter": (0, 1),
    "resolve_encounter": (ALWAYS, ALWAYS),
    "scavenge": (0, 6),
    "shift_find": (ALWAYS, ALWAYS),
    "visit_turf": (1, 4),
    "spend_kept": (0, 1),
    "feast": (1, 1),
    "eat_own": (0, 1),
    "eat_blind": (0, 1),
    "use_radaway": (0, 2),
    "use_bag": (0, 1),
    "sell_food": (0, 2),
    "emergency_sale": (0, 1),
    "settle_upkeep": (1, 1),
    "search_building": (0, 2),
    "seek_merchant": (0, 1),
    "take_drug": (0, 1),
    "quote_price": (0, 4),
    "quote_sale": (0, 2),
    "buy_from_list": (0, 2),
    "build": (0, 2),
    "see_doctor": (0, 1),
    "hire": (0, 2),
    "end_turn": (1, 1),
}
"""Step -> the choices that a player makes in it, in order, with their least and greatest number."""

SETTLING = ("take_injury", "forgo_reward")
"""Choices without which a step cannot be closed."""

AT_TABLE = 60
"""Percentage of rolls made at the table; the service rolls the others."""

ACTS = {"scavenge", "visit_turf", "search_building", "see_doctor", "build"}
"""Reasons for which a member cannot accompany the leader. FS-PGP-4."""


class GroupPhase:
    """The post-game phase of one group. witness: another player. away: staff close the steps of the group."""

    def __init__(
        self, director: Director, rules: Rules, group: str, witness: str, chance: Random, *, away: bool = False
    ) -> None:
        self.director, self.rules, self.group, self.chance, self.away = director, rules, group, chance, away
        self.dice = Dice(chance, group, witness)
        self.events: Counter[str] = Counter()
        self.acted: set[str] = set()

    def until(self, *ends: str | None) -> None:
        """Play the steps until one of these is open; None: until the phase is over."""
        while (step := self._asked()["step"]) not in (*ends, None):
            self.take(step)

    def take(self, step: str) -> None:
        """Make choices in the open step and close it; in step 4 this ends the turn of the group."""
        if self.away:
            self._close(step, self.director.organiser, absent=True)
            return
        self._by_organiser(step)
        left = {does: self.chance.randint(*wish) for does, wish in WISHES.items()}
        while (asked := self._asked())["step"] == step:
            legal = [choice for choice in asked["choices"] if choice["legal"]]
            known = [does for does in WISHES if any(choice["does"] == does for choice in legal)]
            due = [does for does in known if does in SETTLING] if asked["waits_for"] else []
            wanted = [does for does in known if left[does]] or due
            if not wanted:
                self._close(step, self.director.players[self.group])
                return
            left[wanted[0]] -= 1
            self._choose(self.chance.choice([choice for choice in legal if choice["does"] == wanted[0]]))
            if wanted[0] == "end_turn":
                return

    def _by_organiser(self, step: str) -> None:
        """Enter what the options leave to the organiser. FS-AMB-2, FS-AMB-30."""
        options = self.rules.options
        left = step == "6" and options.hired_guns == "operator_rules"
        if left or (step == "3" and options.free_trader_text == "operator_text"):
            known = [key for key, good in self.rules.goods.items() if good.most is None]
            goods = self.chance.sample(known, self.chance.choice((0, 0, 1)))
            of = {"caps": self.chance.randint(1, 9), "goods": goods, "reason": "a house rule of the organiser"}
            body = {"does": "organiser_entry", "of": of}
            self._keep(self.director.organiser.plain.post("scoring", self._place("/choices"), body))

    def _choose(self, choice: Json) -> None:
        """Make a choice. A choice whose rolled price exceeds the caps of the group has no effect."""
        body = {"does": choice["does"], "of": choice["of"] | self._more(choice), "service": True, "leave": True}
        self._note(choice)
        try:
            if choice["dice"] and self.chance.randrange(100) < AT_TABLE:
                self._rolled(body | {"service": False, "rolls": [self.dice.roll(asked) for asked in choice["dice"]]})
            else:
                self._post("choices", body)
        except Problem as refused:
            if refused.code != "balance-too-low" or not choice["dice"]:
                raise

    def _rolled(self, body: Json) -> None:
        """Make a choice with dice rolled at the table; further dice follow when a finding asks for them."""
        while True:
            try:
                self._post("choices", body)
                return
            except Problem as refused:
                missing = str(refused.data.get("expression"))
                said = [fault.where for fault in refused.faults]
                if refused.code != "dice-refused" or said != [f"/rolls/{len(body['rolls'])}"]:
                    raise
                body["rolls"].append(self.dice.roll(missing))

    def _more(self, choice: Json) -> Json:
        """Return optional members of a choice that are not listed."""
        of = choice["of"]
        match choice["does"]:
            case "seek_merchant":
                return {"companions": self._companions()}
            case "scavenge" if self.rules.options.pistol_item == "any_pistol_of_choice":
                pistols = [key for key, good in self.rules.goods.items() if "pistol" in good.tags]
                return {"good": self.chance.choice(pistols)}
            case "choose_clean_home" if of["choice"] == "radaway":
                return {"member": self.chance.choice(_free(self._sheet()))}
        return {}

    def _companions(self) -> list[str]:
        """Choose companions for the leader from the members who have not acted yet."""
        sheet = self._sheet()
        free = [one for one in _free(sheet) if one != sheet["leader"] and one not in self.acted]
        return self.chance.sample(free, self.chance.randint(0, min(2, len(free))))

    def _sheet(self) -> Json:
        sheet: Json = self.director.organiser.plain.get("scoring", self._place(""))
        return sheet

    def _note(self, choice: Json) -> None:
        if choice["does"] in ACTS:
            self.acted |= {choice["of"].get("member", ""), *choice["of"].get("searchers", ())}

    def _asked(self) -> Json:
        asked: Json = self.director.organiser.plain.get("scoring", self._place("/post-game"))
        return asked

    def _close(self, step: str, by: Any, *, absent: bool = False) -> None:
        body = {"leave": True, **(ABSENT if absent else {})}
        self._keep(by.plain.post("scoring", self._place(f"/steps/{step}/closing"), body))

    def _post(self, what: str, body: Json) -> None:
        self._keep(self.director.players[self.group].plain.post("scoring", self._place(f"/{what}"), body))

    def _keep(self, result: Json) -> None:
        self.events.update(event["type"] for event in result["events"])

    def _place(self, rest: str) -> str:
        return self.director.path(f"/groups/{self.group}{rest}")


def _free(sheet: Json) -> list[str]:
    """Return the members who are not in jail."""
    return [member["id"] for member in sheet["sheets"] if not member["away"]]


def told_of(phases: Iterable[GroupPhase]) -> list[str]:
    """Return a description of the groups' post-game phases."""
    events = sum((phase.events for phase in phases), Counter[str]())
    return [f"{events[type]} {what}" for type, what in TOLD.items() if events[type]]


TOLD = {
    "InjurySuffered": "injured",
    "MemberRemoved": "lost",
    "AdvancementRolled": "advanced",
    "MemberJoined": "joined",
    "OfferTaken": "traded",
    "DieRolled": "dice rolled",
}
"""Type of event -> the words for its number in a round."""


FEWEST = 4
"""The number of players at which nobody leaves."""

LEAVING = 3
"""Percentage of players who leave in the middle of a round, and after it."""

VOUCHING = 85
"""Percentage of players who confirm the dice that they witnessed, at the end of a round."""

ALLIED = 25
"""Percentage of hand-made pairings that are two against two."""

AWAY = 6
"""Percentage of players who are absent after their game; staff close their steps."""

TURFS_AT_TABLE = 50
"""Percentage of groups that roll their turfs at the table."""


@dataclass
class CampaignSimulation(ByChance):
    """One campaign, from the first list to the last table.

    rules: the rules with the campaign's options. players, rounds, venues: their numbers. seed: random seed of all
    simulated people. say: called with lines of progress. phones: players who act at the same time.
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
    _referee: Muster | None = None

    def play(self) -> Json:
        """Play the campaign; return the final table of scoring."""
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
            lines = self.games(number)
            lines += self.leave(f"in round {number}")
            lines += self.after_games(number)
            lines += self.vouch(number)
            lines += self.between(number) if number < self.rounds else []
            self.say(f"round {number}: {', '.join(lines)}")
        self.director.do("scoring", "/conclusion", {"reason": early} if early else {})
        return self.director.standings()

    def open(self) -> None:
        """Enter venues, a referee and players, hand in every group with its turfs, and close registration."""
        seats = -(-self.players // self.venues)
        venues = [self.director.open_venue(name, seats // 2 + 1) for name in venue_names(self.venues)]
        self.referee, self._referee = self.director.appoint("Referee", "referee")
        names = player_names(self.players)
        self.here = self.director.join({"name": name, "venue": venues[n % len(venues)]} for n, name in enumerate(names))
        at_once(self._build, self.here, self.phones)
        self.director.do("registration", "/registration/close")
        self.say(f"{counted(len(self.here), 'group')} at {counted(len(venues), 'venue')}")

    def pair(self, number: int) -> None:
        """Pair a round, by hand if the options say so."""
        if self.rules.options.pairing != "manual":
            self.director.pair(round=number)
            return
        written = drawn_from_a_hat(self.rules, self._playing(), self.chance(f"pairings {number}"))
        self.director.pair(round=number, pairings=written, allow_rematch=True, reason="drawn from a hat")

    def games(self, number: int) -> list[str]:
        """Play every game of a round. Return a description of the outcomes."""
        became: Counter[str] = Counter()
        shown = self._paired(number)

        def play(game: Json) -> None:
            chance = self.chance("/".join([str(number), *(group for side in sides_of(game) for group in side)]))
            became[CampaignGame(self.director, self.rules, game, chance).play()] += 1

        games = [game for game in shown if game["kind"] != "bye"]
        at_once(play, games, self.phones)
        larger_games = [game for game in games if "sides" in game]
        lines = [counted(len(games), "game") + (f" ({len(larger_games)} of more than two)" if larger_games else "")]
        lines += [*(f"{count} {what}" for what, count in sorted(became.items()) if what)]
        return lines + ([counted(len(shown) - len(games), "bye")] if len(shown) > len(games) else [])

    def after_games(self, number: int) -> list[str]:
        """Play the post-game phase of all groups, with step 4 in turn. Return a description."""
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
        """Let most witnesses confirm the dice that they saw. Unconfirmed dice stay marked."""
        random = self.chance(f"dice of {number}")
        vouching = [player for player in self.here if random.randrange(100) < VOUCHING]
        at_once(lambda player: self._confirm(self.director.players[player], {}), vouching, self.phones)
        waiting = self._dice(waits_for=self.referee)
        if waiting and self._referee is not None:
            self._confirm(self._referee, {"rolls": waiting})
        left = len(self._dice(standing="unconfirmed"))
        return [f"{left} dice on one word"] if left else []

    def _confirm(self, by: Muster, body: bodies.ConfirmDice) -> None:
        by.scoring.confirm_dice(self.director.id, **body)

    def _dice(self, **filters: Any) -> list[str]:
        """Return the reported rolls, the first five hundred of each status."""
        return [
            die.id for die in self.director.organiser.scoring.list_dice(self.director.id, limit=500, **filters).items
        ]

    def between(self, number: int) -> list[str]:
        """Let players leave, join and start again before the next round. Return a description of each change."""
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
        """Let players give up while enough remain. Return a description of each change."""
        random = self.chance(when)
        room = len(self.here) - max(FEWEST, self.players * 3 // 4)
        leaving = [player for player in self.here if random.randrange(100) < LEAVING][: max(0, room)]
        for player in leaving:
            self.director.does(player, "drop", {"reason": random.choice(("moved away", "no time any more"))})
            self.here.remove(player)
        return [f"{len(leaving)} gave up"] if leaving else []

    def _build(self, player: str) -> None:
        """Hand in the group of a player and roll its turfs."""
        random = self.chance(f"group of {player}")
        self.director.does(player, "group", legal_list(self.rules, random))
        dice = Dice(random, player, random.choice([other for other in self.here if other != player]))
        at_table = random.randrange(100) < TURFS_AT_TABLE
        rolls = [dice.roll("2D12") if at_table else {} for _ in range(self.rules.core.starting_turfs)]
        self.director.does(player, "group/turfs", {"rolls": rolls})

    def _phases(self, number: int) -> dict[str, GroupPhase]:
        """Return the groups in their post-game phase, each with its witness: the rival, or the referee."""
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
        """Play step 4: the die of each group, from the table or the service, then the turns in order. FS-REC-2."""
        if not phases:
            return
        random = self.chance(f"recruits {number}")
        here = [group for group, phase in phases.items() if not phase.away]
        at_table = random.sample(here, random.randint(0, len(here)))
        rolls = [Dice(random, group, self.referee).roll("1D12") | {"group": group} for group in at_table]
        self.director.do("scoring", "/recruits", {"rolls": rolls})
        while order := self._overview()["recruits"]["order"]:
            phases[order[0]].take("4")

    def _playing(self) -> list[str]:
        """Return the ids of groups that still play: they have members, and their player has not given up."""
        groups = self.director.organiser.plain.get("scoring", self.director.path("/groups"))["items"]
        return [group["id"] for group in groups if group["playing"]]

    def _paired(self, number: int) -> list[Json]:
        """Return the games and byes of a round from pairing."""
        return list(self.director.organiser.plain.get("pairing", self.director.path(f"/rounds/{number}"))["pairings"])

    def _overview(self) -> Json:
        shown: Json = self.director.organiser.plain.get("scoring", self.director.path("/post-game"))
        return shown


def drawn_from_a_hat(rules: Rules, playing: Sequence[str], chance: Random) -> list[Json]:
    """Return hand-made pairings: mostly games of two, some of two against two; the last group joins a game or rests.

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
