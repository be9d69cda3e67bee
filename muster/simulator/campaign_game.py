"""One game of a simulated campaign, from the muster of all groups to a result that binds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from muster.simulator.campaign_chance import Dice
from muster.simulator.campaign_groups import moves
from muster.simulator.campaign_report import GameAtTable, conceded, may_concede, plausible_report
from muster.simulator.director import Director
from muster_client import Muster
from shared.campaign.tables import Rules

Json = dict[str, Any]

IN_A_HUNDRED: Mapping[str, int] = {"absent": 4, "conceded": 5, "disputed": 7, "voided": 5, "on paper": 5}
"""Of a hundred games so many end otherwise than by a report that the rival confirms."""

AT_HOME = 8
"""Of a hundred members who could play so many are left at home."""

AT_TABLE = 50
"""Of a hundred dice before a game so many are rolled at the table; the service rolls the others."""


class CampaignGame:
    """A game as pairing shows it, and those who play it.

    chance: of its own. Afterwards `became` says which of IN_A_HUNDRED it was, or nothing for the ordinary way.
    """

    def __init__(self, director: Director, rules: Rules, game: Json, chance: Random) -> None:
        self.director, self.rules, self.game, self.chance = director, rules, game, chance
        self.sides = sides_of(game)
        self.groups = [group for side in self.sides for group in side]
        self.became = ""

    def play(self) -> str:
        """Everything; returns what became of it, as `became`."""
        self.became = self._happening()
        if self.became == "absent":
            self._unplayed()
            return self.became
        for group in self.groups:
            self._muster(group)
        self._before()
        giving_up = self.chance.randrange(len(self.groups))
        if self.became == "conceded" and not may_concede(self._at_table(), giving_up):
            self.became = ""
        report = self._drawn()
        if self.became == "conceded":
            report = conceded(report, giving_up, self.chance)
        if self.became == "disputed":
            self._disputed(report)
            return self.became
        if self.became == "on paper":
            self._say(report, self.director.organiser)
            return self.became
        rolls = self._told_and_confirmed(report)
        if self.became == "voided":
            self._void(rolls)
            self._told_and_confirmed(self._drawn())
        return self.became

    def _happening(self) -> str:
        drawn, most = self.chance.randrange(100), 0
        for what, share in IN_A_HUNDRED.items():
            most += share
            if drawn < most:
                return what
        return ""

    def _unplayed(self) -> None:
        """The organiser records who did not come, now and then that nobody did. FS-LGE-1."""
        facts: Json = {"kind": "no_show", "conceded_by": self.chance.randint(1, len(self.groups))}
        if self.chance.random() < 0.2:
            facts = {"kind": "double_no_show"}
        self.director.organiser.plain.post("scoring", self._place("result"), {"facts": facts})

    def _muster(self, group: str) -> None:
        """Goods are handed round, and whoever can play does, but for some. FS-GAM-1, FS-PGP-7."""
        sheet = self._sheet(group)
        for item, holder in moves(self.rules, sheet, self.chance):
            choice = {"does": "move_item", "of": {"item": item, "holder": holder}}
            place = self.director.path(f"/groups/{group}/choices")
            self.director.players[group].plain.post("scoring", place, choice)
        able = [member["id"] for member in self._sheet(group)["sheets"] if not member["stays_home"]]
        fielded = [member for member in able if self.chance.randrange(100) >= AT_HOME]
        self._as_player(group, "muster", {"fielded": fielded})

    def _before(self) -> None:
        """Every die that is due before the game: jams, judgements, objectives. FS-GAM-3, FS-GAM-4, FS-GAM-5."""
        while due := self._shown()["due"]:
            _, _, group, what, *item = due[0]["where"].split("/")
            body: Json = {"roll": self._roll(group)}
            if item and body["roll"]:
                body["item"] = item[0]
            self._as_player(group, what, body)

    def _roll(self, group: str) -> Json | None:
        """A D12 at the table; nothing where the service rolls."""
        return self._dice(group).told("1D12") if self.chance.randrange(100) < AT_TABLE else None

    def _told_and_confirmed(self, report: Json) -> list[str]:
        """Report and confirm the game. Return the ids of the rolls that were reported."""
        reporter, other = self._two_rivals()
        self._say(report, self.director.players[reporter])
        confirmed: Json = self.director.players[other].plain.post("scoring", self._place("confirmation"))
        return [event["data"]["roll"] for event in confirmed["events"] if event["type"] == "DieRolled"]

    def _void(self, rolls: list[str]) -> None:
        """Void a game that was told from the slip of another table: its dice did not fall here either. FS-REP-5."""
        reason = {"reason": "the slip of another table"}
        organiser = self.director.organiser.plain
        organiser.post("scoring", self._place("voiding"), reason)
        if rolls:
            organiser.post("scoring", self.director.path("/dice/ruling"), {"rolls": rolls, "stands": False, **reason})

    def _disputed(self, report: Json) -> None:
        """One says this, the other that, and the organiser rules what the other said."""
        reporter, other = self._two_rivals()
        self._say(report, self.director.players[reporter])
        right = {"facts": {"kind": "game", "report": self._drawn()}, "reason": "that is not how it ended"}
        self.director.players[other].plain.post("scoring", self._place("dispute"), right)
        self.director.organiser.plain.post("scoring", self._place("ruling"), right | {"reason": "both were heard"})

    def _drawn(self) -> Json:
        return plausible_report(self._at_table(), self.chance)

    def _two_rivals(self) -> tuple[str, str]:
        """Who reports, and who of another side answers."""
        reporter = self.chance.choice(self.groups)
        return reporter, self.chance.choice(rivals_of(self.sides, reporter))

    def _say(self, report: Json, by: Muster) -> None:
        by.plain.post("scoring", self._place("result"), {"facts": {"kind": "game", "report": report}})

    def _as_player(self, group: str, what: str, body: Json) -> None:
        self.director.players[group].plain.post("scoring", self._place(what), body | {"group": group})

    def _dice(self, group: str) -> Dice:
        return Dice(self.chance, group, next(one for one in self.groups if one != group))

    def _shown(self) -> Json:
        shown: Json = self.director.organiser.plain.get("scoring", self._place(""))
        return shown

    def _at_table(self) -> GameAtTable:
        """The groups as they are now, and as they were mustered."""
        before = {told["group"]: told for told in self._shown()["sides"]}
        sheets = [self._sheet(group) for group in self.groups]
        return GameAtTable(self.rules, sheets, [before[group] for group in self.groups], self.sides)

    def _sheet(self, group: str) -> Json:
        sheet: Json = self.director.organiser.plain.get("scoring", self.director.path(f"/groups/{group}"))
        return sheet

    def _place(self, what: str) -> str:
        return self.director.path(f"/games/{self.game['id']}" + (f"/{what}" if what else ""))


def sides_of(game: Json) -> list[list[str]]:
    """Every side of a game with its groups, as pairing shows it; in a game of two each stands alone."""
    if "sides" in game:
        return [[one["player"] for one in side] for side in game["sides"]]
    return [[game["player_1"]], [game["player_2"]]]


def rivals_of(sides: Sequence[Sequence[str]], group: str) -> list[str]:
    """The groups on other sides."""
    return [rival for side in sides if group not in side for rival in side]
