"""One game of a simulated campaign: legal groups, random events, the report, and a binding result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from muster.simulator.director import Director
from muster_client import Muster
from shared.campaign.dice import NATIVE, parse_formula
from shared.campaign.encounters import span_of, treasure_by
from shared.campaign.facts import Deeds
from shared.campaign.group import Enlisted, Submission, big_gun_carriers, faults_of_submission
from shared.campaign.report import game_ends, injury_at_table
from shared.campaign.roster import Member, rank_for_gear, rank_name
from shared.campaign.tables import Force, Rules
from shared.campaign.words import RANKS, WEAPONS, Rank

PHYSICAL = 30
"""Percentage of D6 that are cubes, not a halved D12. FS-DICE-1."""


class Dice(NamedTuple):
    """Random rolls before a witness. roller, witness: ids of players."""

    chance: Random
    roller: str
    witness: str

    def roll(self, expression: str) -> dict[str, Any]:
        """Return a roll in the form that services take."""
        asked = parse_formula(expression)
        sides = 6 if asked.sides == 6 and self.chance.randrange(100) < PHYSICAL else NATIVE
        dice = [{"sides": sides, "natural": self.chance.randint(1, sides)} for _ in range(asked.count)]
        return {"dice": dice, "rolled_by": self.roller, "witnessed_by": self.witness}


def lines_held(rules: Rules, sides: Sequence[Sequence[str]], chance: Random) -> dict[str, list[int]]:
    """Return the lines that each group holds, in the numbering of its side.

    A marker has one controller. Two sides number the lines from opposite edges. With three or more sides no two hold
    lines of the same number, so that each marker has one controller whatever the edges.
    """
    known = rules.core.lines
    held = chance.sample(known, chance.randint(1, len(known)))
    lines: dict[str, list[int]] = {group: [] for side in sides for group in side}
    if len(sides) > 2:
        for line in held:
            lines[chance.choice(list(lines))].append(line)
    else:
        cut = chance.randint(0, len(held))
        span = known[0] + known[-1] if rules.options.line_numbering == "own_side" else None
        first, second = sides
        for line in held[:cut]:
            lines[_one_of(first, chance)].append(line)
        for line in held[cut:]:
            lines[_one_of(second, chance)].append(line if span is None else span - line)
    return {group: sorted(mine) for group, mine in lines.items()}


def _one_of(side: Sequence[str], chance: Random) -> str:
    return side[0] if len(side) == 1 else chance.choice(side)


Json = dict[str, Any]

MOST = 4
"""Encounters of a game."""


def plausible_encounters(
    rules: Rules, sheets: Sequence[Json], deeds: list[list[Json]], chance: Random
) -> tuple[list[Json], list[Json]]:
    """Return the encounters of a game with finds and freed captives; add wounds and kills of creatures to `deeds`.

    Source: FS-ENC-1 to FS-ENC-3, FS-ENC-5.
    """
    deck = [key for key, card in rules.encounters.cards.items() for _ in range(card.copies)]
    played: list[Json] = []
    brought: list[Json] = [{"searches": [], "freed": []} for _ in sheets]
    for key in chance.sample(deck, chance.randint(0, MOST)):
        card = rules.encounters.cards[key]
        number = 1 if card.treasure else chance.randint(*span_of(card))
        played.append({"met": key, "number": number})
        here = chance.randrange(len(sheets))
        standing = [one for one in deeds[here] if "down" not in one]
        if not standing:
            continue
        sheet, one = sheets[here], chance.choice(standing)
        dice = Dice(chance, sheet["id"], sheets[here - 1]["id"])
        if card.treasure:
            brought[here]["searches"].append(_search(rules, sheet, key, one, dice))
        elif card.joins:
            freed = dice.roll("1D12") | {"dice": [{"sides": 12, "natural": 1}]}  # a one frees whatever Intelligence is
            brought[here]["freed"].append({"member": one["member"], "roll": freed})
        else:
            killed = chance.randint(0, number)
            one["wounds"] += killed * card.wounds
            one["models"] += killed
            one["kills"] = one.get("kills", 0) + killed
    return played, brought


def _search(rules: Rules, sheet: Json, at: str, one: Json, dice: Dice) -> Json:
    """Return a search, with the dice for the quantity if its total needs them."""
    member = next(found for found in sheet["sheets"] if found["id"] == one["member"])
    roll = dice.roll("1D12")
    luck = member["attributes"]["L"]["value"] - _worse(rules, sheet, member, one)
    amount = treasure_by(rules, at, roll["dice"][0]["natural"] + luck).amount
    return {"at": at, "member": one["member"], "roll": roll, **({"amount": dice.roll(amount)} if amount else {})}


def _worse(rules: Rules, sheet: Json, member: Json, one: Json) -> int:
    """Return the penalty of an addict without a dose. FS-ADD-1."""
    goods = {item["id"]: item["good"] for item in sheet["items"]}
    taken = {goods[dose["item"]] for dose in one["doses"]}
    return 0 if taken.issuperset(member["addictions"]) else rules.core.withdrawal


TRIES = 40
"""Attempts to add an item to a list."""

CARRIED = WEAPONS | {"drug"}
"""Kinds of goods that members take from the stash into a game; armor goes to those who have to wear it."""


def legal_list(rules: Rules, chance: Random) -> Json:
    """Return a legal group of any force, in the form of a submission. FS-GRP-1 to FS-GRP-10."""
    key = chance.choice(list(rules.forces))
    force = rules.forces[key]
    made = Submission(key, (_enlisted(force, "veteran"),))
    for _ in range(TRIES):
        if chance.random() < 0.4:
            tried = replace(made, members=(*made.members, _enlisted(force, chance.choice(RANKS))))
        else:
            at = chance.randrange(len(made.members))
            one = made.members[at]
            more = replace(one, goods=(*one.goods, chance.choice(force.goods)))
            tried = replace(made, members=(*made.members[:at], more, *made.members[at + 1 :]))
        if not faults_of_submission(rules, tried):
            made = tried
    handed: Json = to_builtins(made)
    for number, member in enumerate(handed["members"], 1):
        member["name"] = f"{force.ranks[made.members[number - 1].rank].name} {number}"
    return handed


def moves(rules: Rules, sheet: Json, chance: Random) -> Iterator[tuple[str, str]]:
    """Return the moves of items before a game: item and its new owner, empty for the stash. FS-PGP-7, FS-GAM-2.

    sheet: the group as shown by scoring. Armor goes to members who need it, surplus Big Guns to the stash.
    """
    force = rules.forces[sheet["force"]]
    ranks = {member["id"]: _rank_of(rules, sheet["force"], member) for member in sheet["sheets"]}
    stash = [item for item in sheet["items"] if not item["holder"]]
    yield from _armor(force, ranks, sheet["items"], stash)
    carriers = [member for member, rank in ranks.items() if rank in big_gun_carriers(rules, sheet["force"])]
    room = len(ranks) // force.big_guns.per
    for item in sheet["items"]:
        if item["holder"] and rules.goods[item["good"]].kind == "big_gun":
            if room and item["holder"] in carriers:
                room -= 1
            else:
                yield item["id"], ""
    for item in stash:
        kind = rules.goods[item["good"]].kind
        able: Sequence[str] = [*ranks] if kind != "big_gun" else carriers if room else ()
        if kind in CARRIED and able and chance.random() < 0.7:
            room -= kind == "big_gun"
            yield item["id"], chance.choice(able)


def _armor(force: Force, ranks: dict[str, Rank], items: list[Json], stash: list[Json]) -> Iterator[tuple[str, str]]:
    """Return the moves of armor from the stash to members who must or may wear it and have none."""
    for member, rank in ranks.items():
        wears = set(force.ranks[rank].armor.of)
        if any(item["holder"] == member and item["good"] in wears for item in items):
            continue
        found = next((item for item in stash if item["good"] in wears), None)
        if found is not None:
            stash.remove(found)
            yield found["id"], member


def _enlisted(force: Force, rank: Rank) -> Enlisted:
    """Return a character with the armor that its rank requires."""
    armor = force.ranks[rank].armor
    return Enlisted(rank, goods=armor.of[:1] if armor.duty == "must" else ())


def _rank_of(rules: Rules, force: str, member: Json) -> Rank:
    """Return the rank that decides what a member can carry and wear."""
    named = {rank_name(rules, force, rank): rank for rank in RANKS}
    return rank_for_gear(rules, Member(member["id"], named[member["rank"]], level=member["level"]))


DOWNED = ("creature", "fall", "fire", "own_attack", "radiation", "terrain")
"""Causes, other than the rival, that take a member to 0 wounds."""

REMOVED = ("radiation", "terrain")
"""The causes that kill without an injury roll. FS-INJ-4."""

IN_A_HUNDRED = {"downed": 12, "dose": 40, "used": 30}
"""Percentages: members taken down by other causes than the rival, drugs taken, …"""


class GameAtTable(NamedTuple):
    """The groups of a game. sheets: as shown by scoring, in the order of the pairing. before: the fielded members and
    the judgements of rivals, as shown by scoring. sides: the groups of each side.
    """

    rules: Rules
    sheets: Sequence[Json]
    before: Sequence[Json]
    sides: Sequence[Sequence[str]]

    @property
    def groups(self) -> list[str]:
        return [sheet["id"] for sheet in self.sheets]

    def rivals(self, here: int) -> list[int]:
        """Return the places of the groups on other sides."""
        side = next(side for side in self.sides if self.groups[here] in side)
        return [place for place, group in enumerate(self.groups) if group not in side]

    def named(self, here: int, there: int, member: str) -> str:
        """Return the name of a rival's member in a report: with its group if there are several rivals. FS-REP-2."""
        return member if len(self.rivals(here)) == 1 else f"{self.groups[there]}/{member}"

    def special(self, place: int) -> Any:
        """Return the special facts of the force of a group."""
        return self.rules.forces[self.sheets[place]["force"]].special

    def is_evil(self, there: int, here: int) -> bool:
        """Return True if a group is evil to a rival, by its force or by the rival's judgement. FS-GAM-4."""
        facts = self.before[here]
        judged = facts["judged_rival_evil"] if len(self.rivals(here)) == 1 else facts["judged"].get(self.groups[there])
        return self.special(there).evil or bool(judged)

    def is_mutated(self, place: int) -> bool:
        return not self.special(place).human

    def dice(self, here: int, chance: Random) -> Dice:
        """Return dice of a group, witnessed by its first rival."""
        return Dice(chance, self.groups[here], self.groups[self.rivals(here)[0]])


def plausible_report(at_table: GameAtTable, chance: Random) -> Json:
    """Return a consistent report that fits the facts recorded before the game. FS-REP-1 to FS-REP-4."""
    places = range(len(at_table.sheets))
    deeds = [[_deeds(at_table, here, member, chance) for member in at_table.before[here]["fielded"]] for here in places]
    for here in places:
        for _ in range(chance.randint(0, 3)):
            _fight(at_table, deeds, here, chance)
    for here in places:
        _injuries_at_table(at_table, deeds, here, chance)
    encounters, brought = plausible_encounters(at_table.rules, at_table.sheets, deeds, chance)
    lines = lines_held(at_table.rules, at_table.sides, chance)
    sides = [
        {
            "group": group,
            "lines": lines[group],
            "vp": sum(lines[group]),
            "members": deeds[here],
            **brought[here],
        }
        for here, group in enumerate(at_table.groups)
    ]
    turn, end = _end(at_table.rules, sum(map(len, lines.values())), at_table.dice(0, chance))
    return {"sides": sides, "last_turn": turn, "end_roll": end, "encounters": encounters}


def may_concede(at_table: GameAtTable, here: int) -> bool:
    """Return True if a group may concede. Facts of the report do not forbid it. FS-GAM-11."""
    meets_evil = any(at_table.is_evil(there, here) for there in at_table.rivals(here))
    forbidden = at_table.special(here).never_concedes == "against_evil" and meets_evil
    return at_table.rules.options.concession != "forbidden" and not forbidden


def conceded(report: Json, here: int, chance: Random) -> Json:
    """Return the report with a group conceding. A game of two ends there, without a die. FS-GAM-11."""
    sides = [side | {"conceded": place == here} for place, side in enumerate(report["sides"])]
    if len(sides) > 2:
        return report | {"sides": sides}
    return report | {"sides": sides, "last_turn": chance.randint(1, report["last_turn"]), "end_roll": None}


def _deeds(at_table: GameAtTable, here: int, member: str, chance: Random) -> Json:
    """Return the deeds of a member apart from fighting rivals; a jammed weapon is not used."""
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
        {"item": item["id"], "roll": dice.roll("1D12")}
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
    """Let a member take a rival who is still in the game to 0 wounds."""
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
    """Add the injury of each member taken down, if it is rolled in the game. FS-AMB-4."""
    dice, rivals = at_table.dice(here, chance), at_table.rivals(here)
    for one in deeds[here]:
        group = one.get("by", "").rpartition("/")[0]
        taker = at_table.groups.index(group) if group else rivals[0]
        down = Deeds(one["member"], one.get("down"), melee=one.get("melee", False), removed=one.get("removed", False))
        if injury_at_table(at_table.rules, down, jailer=at_table.special(taker).jail_caps > 0):
            one["injury"] = dice.roll("2D12")


def _end(rules: Rules, controlled: int, dice: Dice) -> tuple[int, Json]:
    """Return the turn in which the game ends and the die that ended it. FS-GAM-8."""
    turn, free = rules.core.end_check_turn, len(rules.core.lines) - controlled
    while True:
        end = dice.roll("1D12")
        if game_ends(rules, turn, free, end["dice"][0]["natural"]):
            return turn, end
        turn += 1


PERCENT: Mapping[str, int] = {"absent": 4, "conceded": 5, "disputed": 7, "voided": 5, "on paper": 5}
"""Percentages of games with another end than a report that the rival confirms."""

AT_HOME = 8
"""Percentage of able members who are not fielded."""

AT_TABLE = 50
"""Percentage of dice before a game that are rolled at the table; the service rolls the others."""


class CampaignGame:
    """Plays one game. chance: the random source of this game.

    became: afterwards the key of IN_A_HUNDRED that happened; empty for the ordinary course.
    """

    def __init__(self, director: Director, rules: Rules, game: Json, chance: Random) -> None:
        self.director, self.rules, self.game, self.chance = director, rules, game, chance
        self.sides = sides_of(game)
        self.groups = [group for side in self.sides for group in side]
        self.became = ""

    def play(self) -> str:
        """Play the game; return `became`."""
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
        for what, share in PERCENT.items():
            most += share
            if drawn < most:
                return what
        return ""

    def _unplayed(self) -> None:
        """Record a no-show, sometimes of both sides, as the organiser. FS-LGE-1."""
        facts: Json = {"kind": "no_show", "conceded_by": self.chance.randint(1, len(self.groups))}
        if self.chance.random() < 0.2:
            facts = {"kind": "double_no_show"}
        self.director.organiser.plain.post("scoring", self._place("result"), {"facts": facts})

    def _muster(self, group: str) -> None:
        """Move goods and field most of the able members. FS-GAM-1, FS-PGP-7."""
        sheet = self._sheet(group)
        for item, holder in moves(self.rules, sheet, self.chance):
            choice = {"does": "move_item", "of": {"item": item, "holder": holder}}
            place = self.director.path(f"/groups/{group}/choices")
            self.director.players[group].plain.post("scoring", place, choice)
        able = [member["id"] for member in self._sheet(group)["sheets"] if not member["stays_home"]]
        fielded = [member for member in able if self.chance.randrange(100) >= AT_HOME]
        self._as_player(group, "muster", {"fielded": fielded})

    def _before(self) -> None:
        """Roll the dice that are due before the game: jams, judgements, objectives. FS-GAM-3, FS-GAM-4, FS-GAM-5."""
        while due := self._shown()["due"]:
            _, _, group, what, *item = due[0]["where"].split("/")
            body: Json = {"roll": self._roll(group)}
            if item and body["roll"]:
                body["item"] = item[0]
            self._as_player(group, what, body)

    def _roll(self, group: str) -> Json | None:
        """Return a D12 rolled at the table; None if the service rolls."""
        return self._dice(group).roll("1D12") if self.chance.randrange(100) < AT_TABLE else None

    def _told_and_confirmed(self, report: Json) -> list[str]:
        """Report and confirm the game. Return the ids of the rolls that were reported."""
        reporter, other = self._two_rivals()
        self._say(report, self.director.players[reporter])
        confirmed: Json = self.director.players[other].plain.post("scoring", self._place("confirmation"))
        return [event["data"]["roll"] for event in confirmed["events"] if event["type"] == "DieRolled"]

    def _void(self, rolls: list[str]) -> None:
        """Void a game that was reported from another table's slip, with its dice. FS-REP-5."""
        reason = {"reason": "the slip of another table"}
        organiser = self.director.organiser.plain
        organiser.post("scoring", self._place("voiding"), reason)
        if rolls:
            organiser.post("scoring", self.director.path("/dice/ruling"), {"rolls": rolls, "stands": False, **reason})

    def _disputed(self, report: Json) -> None:
        """Report, dispute, and rule for the version of the opponent."""
        reporter, other = self._two_rivals()
        self._say(report, self.director.players[reporter])
        right = {"facts": {"kind": "game", "report": self._drawn()}, "reason": "that is not how it ended"}
        self.director.players[other].plain.post("scoring", self._place("dispute"), right)
        self.director.organiser.plain.post("scoring", self._place("ruling"), right | {"reason": "both were heard"})

    def _drawn(self) -> Json:
        return plausible_report(self._at_table(), self.chance)

    def _two_rivals(self) -> tuple[str, str]:
        """Return the player who reports, and the player of another side who answers."""
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
        """Return the groups in their current state, with the fielded members."""
        before = {side["group"]: side for side in self._shown()["sides"]}
        sheets = [self._sheet(group) for group in self.groups]
        return GameAtTable(self.rules, sheets, [before[group] for group in self.groups], self.sides)

    def _sheet(self, group: str) -> Json:
        sheet: Json = self.director.organiser.plain.get("scoring", self.director.path(f"/groups/{group}"))
        return sheet

    def _place(self, what: str) -> str:
        return self.director.path(f"/games/{self.game['id']}" + (f"/{what}" if what else ""))


def sides_of(game: Json) -> list[list[str]]:
    """Return the groups of each side of a game; in a game of two each side is one group."""
    if "sides" in game:
        return [[one["player"] for one in side] for side in game["sides"]]
    return [[game["player_1"]], [game["player_2"]]]


def rivals_of(sides: Sequence[Sequence[str]], group: str) -> list[str]:
    """Return the groups on other sides."""
    return [rival for side in sides if group not in side for rival in side]
