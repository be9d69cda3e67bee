"""The post-game phase of a simulated campaign: a player reads what is asked, chooses by chance, closes the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from muster.simulator.campaign_chance import Dice
from muster.simulator.director import Director
from muster_client import Problem
from shared.campaign.tables import Rules

Json = dict[str, Any]

ALWAYS = 99
"""As often as it is asked."""

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
"""What a player does in a step, in this order, and how often: at least, at most."""

SETTLING = ("take_injury", "forgo_reward")
"""What is done all the same where the step could not be closed without it."""

AT_TABLE = 60
"""Of a hundred rolls so many are told by the player; the service rolls the others."""

ACTS = {"scavenge", "visit_turf", "search_building", "see_doctor", "build"}
"""What keeps a member from going with the leader. FS-PGP-4."""


class GroupPhase:
    """One group after its game. witness: somebody else who is there. away: whether staff close its steps."""

    def __init__(
        self, director: Director, rules: Rules, group: str, witness: str, chance: Random, *, away: bool = False
    ) -> None:
        self.director, self.rules, self.group, self.chance, self.away = director, rules, group, chance, away
        self.dice = Dice(chance, group, witness)
        self.events: Counter[str] = Counter()
        self.acted: set[str] = set()

    def until(self, *ends: str | None) -> None:
        """Go through the steps until one of these is open; None: until the phase is over."""
        while (step := self._asked()["step"]) not in (*ends, None):
            self.take(step)

    def take(self, step: str) -> None:
        """Do what the group wants to do in its open step, and close it; in step 4 its turn ends with that."""
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
        """What the organiser enters where the options leave something to them. FS-AMB-2, FS-AMB-30."""
        options = self.rules.options
        left = step == "6" and options.hired_guns == "operator_rules"
        if left or (step == "3" and options.free_trader_text == "operator_text"):
            known = [key for key, good in self.rules.goods.items() if good.most is None]
            goods = self.chance.sample(known, self.chance.choice((0, 0, 1)))
            of = {"caps": self.chance.randint(1, 9), "goods": goods, "reason": "a house rule of the organiser"}
            body = {"does": "organiser_entry", "of": of}
            self._keep(self.director.organiser.plain.post("scoring", self._place("/choices"), body))

    def _choose(self, choice: Json) -> None:
        """Make a choice; nothing comes of one whose price is rolled, and is more than the group has."""
        body = {"does": choice["does"], "of": choice["of"] | self._more(choice), "service": True}
        self._note(choice)
        try:
            if choice["dice"] and self.chance.randrange(100) < AT_TABLE:
                self._rolled(body | {"service": False, "rolls": [self.dice.told(asked) for asked in choice["dice"]]})
            else:
                self._post("choices", body)
        except Problem as refused:
            if refused.code != "balance-too-low" or not choice["dice"]:
                raise

    def _rolled(self, body: Json) -> None:
        """Make a choice with dice of the table; those that only what was found asks for are rolled when they are."""
        while True:
            try:
                self._post("choices", body)
                return
            except Problem as refused:
                missing = str(refused.data.get("expression"))
                said = [fault.where for fault in refused.faults]
                if refused.code != "dice-refused" or said != [f"/rolls/{len(body['rolls'])}"]:
                    raise
                body["rolls"].append(self.dice.told(missing))

    def _more(self, choice: Json) -> Json:
        """What a choice may say beside what is listed."""
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
        """Who goes with the leader: some of those who have done nothing yet."""
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
        self._keep(by.plain.post("scoring", self._place(f"/steps/{step}/closing"), {"absent": absent}))

    def _post(self, what: str, body: Json) -> None:
        self._keep(self.director.players[self.group].plain.post("scoring", self._place(f"/{what}"), body))

    def _keep(self, result: Json) -> None:
        self.events.update(event["type"] for event in result["events"])

    def _place(self, rest: str) -> str:
        return self.director.path(f"/groups/{self.group}{rest}")


def _free(sheet: Json) -> list[str]:
    """Members who are not in jail."""
    return [member["id"] for member in sheet["sheets"] if not member["away"]]


def told_of(phases: Iterable[GroupPhase]) -> list[str]:
    """What happened to the groups in their phases, in words."""
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
"""Type of event -> how a round tells how many there were."""
