"""The report of a campaign's game as it could have gone, from the sheets of all groups and chance alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from muster.simulator.campaign_chance import Dice, lines_held, plausible_encounters
from shared.campaign.facts import Deeds
from shared.campaign.report import game_ends, injury_at_table
from shared.campaign.tables import Rules

Json = dict[str, Any]

DOWNED = ("creature", "fall", "fire", "own_attack", "radiation", "terrain")
"""What takes a member to 0 wounds beside the rival."""

REMOVED = ("radiation", "terrain")
"""Of these, what kills without an injury roll. FS-INJ-4."""

IN_A_HUNDRED = {"downed": 12, "dose": 40, "used": 30}
"""Of a hundred members so many fall beside the rival's doing, of a hundred drugs are so many taken …"""


class GameAtTable(NamedTuple):
    """Who meets whom. sheets: of all groups as scoring shows them, in the order of the pairing; before: who of each was
    fielded and how rivals were judged, as it shows that. sides: the groups of each side.
    """

    rules: Rules
    sheets: Sequence[Json]
    before: Sequence[Json]
    sides: Sequence[Sequence[str]]

    @property
    def groups(self) -> list[str]:
        return [sheet["id"] for sheet in self.sheets]

    def rivals(self, here: int) -> list[int]:
        """The places of the groups on other sides."""
        side = next(side for side in self.sides if self.groups[here] in side)
        return [place for place, group in enumerate(self.groups) if group not in side]

    def named(self, here: int, there: int, member: str) -> str:
        """What a group calls a member of a rival: by its group as well, where it has several rivals. FS-REP-2."""
        return member if len(self.rivals(here)) == 1 else f"{self.groups[there]}/{member}"

    def special(self, place: int) -> Any:
        """What only the force of a group has."""
        return self.rules.forces[self.sheets[place]["force"]].special

    def is_evil(self, there: int, here: int) -> bool:
        """Whether a group counts as evil to a rival: by its force, or as that one judged it. FS-GAM-4."""
        told = self.before[here]
        judged = told["judged_rival_evil"] if len(self.rivals(here)) == 1 else told["judged"].get(self.groups[there])
        return self.special(there).evil or bool(judged)

    def is_mutated(self, place: int) -> bool:
        return not self.special(place).human

    def dice(self, here: int, chance: Random) -> Dice:
        """Dice of a group, which the first of its rivals sees."""
        return Dice(chance, self.groups[here], self.groups[self.rivals(here)[0]])


def plausible_report(at_table: GameAtTable, chance: Random) -> Json:
    """A report that contradicts neither itself nor what was recorded before the game. FS-REP-1 to FS-REP-4."""
    places = range(len(at_table.sheets))
    deeds = [[_deeds(at_table, here, member, chance) for member in at_table.before[here]["fielded"]] for here in places]
    for here in places:
        for _ in range(chance.randint(0, 3)):
            _fight(at_table, deeds, here, chance)
    for here in places:
        _injuries_at_table(at_table, deeds, here, chance)
    encounters, brought = plausible_encounters(at_table.rules, at_table.sheets, deeds, chance)
    lines = lines_held(at_table.rules, at_table.sides, chance)
    told = [
        {
            "group": group,
            "lines": lines[group],
            "vp": sum(lines[group]),
            "members": deeds[here],
            **brought[here],
            **_left(at_table, here, deeds, chance),
        }
        for here, group in enumerate(at_table.groups)
    ]
    turn, end = _end(at_table.rules, sum(map(len, lines.values())), at_table.dice(0, chance))
    return {"sides": told, "last_turn": turn, "end_roll": end, "encounters": encounters}


def may_concede(at_table: GameAtTable, here: int) -> bool:
    """Whether a group may give its game up. What the report says was on the table forbids nobody. FS-GAM-11."""
    meets_evil = any(at_table.is_evil(there, here) for there in at_table.rivals(here))
    forbidden = at_table.special(here).never_concedes == "against_evil" and meets_evil
    return at_table.rules.options.concession != "forbidden" and not forbidden


def conceded(report: Json, here: int, chance: Random) -> Json:
    """The same game, given up by one group. Between two it ends there, without a die; others play on. FS-GAM-11."""
    told = [side | {"conceded": place == here} for place, side in enumerate(report["sides"])]
    if len(told) > 2:
        return report | {"sides": told}
    return report | {"sides": told, "last_turn": chance.randint(1, report["last_turn"]), "end_roll": None}


def _deeds(at_table: GameAtTable, here: int, member: str, chance: Random) -> Json:
    """What a member did beside the fight with rivals; a weapon that jammed served for nothing."""
    did: Json = {"member": member, "wounds": 0, "models": 0}
    for name in ("computers", "locks"):
        did[name] = int(chance.random() < 0.15)
    did["rads"] = chance.choice((0, 0, 0, 0, 1, 2))
    did["fled"] = chance.random() < 0.05
    if chance.randrange(100) < IN_A_HUNDRED["downed"]:
        did["down"] = chance.choice(DOWNED)
        did["removed"] = did["down"] in REMOVED
    dice, jams, goods = at_table.dice(here, chance), at_table.before[here]["jams"], at_table.rules.goods
    held = [item for item in at_table.sheets[here]["items"] if item["holder"] == member and not jams.get(item["id"])]
    doses = [item for item in held if goods[item["good"]].kind == "drug"]
    did["doses"] = [
        {"item": item["id"], "roll": dice.told("1D12")}
        for item in doses
        if chance.randrange(100) < IN_A_HUNDRED["dose"]
    ]
    did["used"] = [
        item["id"]
        for item in held
        if item not in doses and goods[item["good"]].single_use and chance.randrange(100) < IN_A_HUNDRED["used"]
    ]
    return did


def _fight(at_table: GameAtTable, deeds: list[list[Json]], here: int, chance: Random) -> None:
    """Somebody takes a rival who still stands to 0 wounds."""
    standing = [(there, one) for there in at_table.rivals(here) for one in deeds[there] if "down" not in one]
    if not deeds[here] or not standing:
        return
    taker, (there, taken), melee = chance.choice(deeds[here]), chance.choice(standing), chance.random() < 0.5
    taker["wounds"] += 1
    taker["models"] = max(1, taker["models"])
    taker["kills"] = taker.get("kills", 0) + 1
    taker["took"] = [*taker.get("took", ()), at_table.named(here, there, taken["member"])]
    if at_table.special(here).hunts_evil and melee and at_table.is_evil(there, here):
        taker["evil"] = taker.get("evil", 0) + 1
    if at_table.special(here).hunts_mutated and at_table.is_mutated(there):
        taker["mutated"] = taker.get("mutated", 0) + 1
    taken |= {"down": "rival", "by": at_table.named(there, here, taker["member"]), "melee": melee}


def _injuries_at_table(at_table: GameAtTable, deeds: list[list[Json]], here: int, chance: Random) -> None:
    """The injury of everybody who was taken down, where it is rolled in the game. FS-AMB-4."""
    dice, rivals = at_table.dice(here, chance), at_table.rivals(here)
    for one in deeds[here]:
        group = one.get("by", "").rpartition("/")[0]
        taker = at_table.groups.index(group) if group else rivals[0]
        down = Deeds(one["member"], one.get("down"), melee=one.get("melee", False), removed=one.get("removed", False))
        if injury_at_table(at_table.rules, down, jailer=at_table.special(taker).jail_caps > 0):
            one["injury"] = dice.told("2D12")


def _left(at_table: GameAtTable, here: int, deeds: list[list[Json]], chance: Random) -> Json:
    """What a group did not obtain, and whom it left standing."""
    special, told = at_table.special(here), dict[str, Any]()
    if special.high_tech:
        armed = any(_armed(at_table, there, deeds[there], special.high_tech) for there in at_table.rivals(here))
        told["missed"] = int(armed and chance.random() < 0.3)
    mutated = [there for there in at_table.rivals(here) if at_table.is_mutated(there)]
    if special.hunts_mutated and mutated:
        standing = sum("down" not in one for there in mutated for one in deeds[there])
        told["left"] = min(chance.choice((0, 1, 2)), standing)
    return told


def _armed(at_table: GameAtTable, there: int, deeds: list[Json], tags: Sequence[str]) -> bool:
    """Whether somebody of a group who was in the game carries goods of these kinds."""
    members = {one["member"] for one in deeds}
    items = [item for item in at_table.sheets[there]["items"] if item["holder"] in members]
    return any({*tags} & {*at_table.rules.goods[item["good"]].tags} for item in items)


def _end(rules: Rules, controlled: int, dice: Dice) -> tuple[int, Json]:
    """The turn in which the game ends and the die that ended it. FS-GAM-8."""
    turn, free = rules.core.end_check_turn, len(rules.core.lines) - controlled
    while True:
        told = dice.told("1D12")
        if game_ends(rules, turn, free, told["dice"][0]["natural"]):
            return turn, told
        turn += 1
