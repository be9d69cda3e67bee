"""The report of a campaign's game as it could have gone, from the sheets of both groups and chance alone."""

from __future__ import annotations

from random import Random
from typing import Any

from services.console.campaign_dice import Dice
from services.console.campaign_encounters import plausible_encounters
from shared.rules.campaign.deeds import injury_at_table
from shared.rules.campaign.report import game_ends
from shared.rules.campaign.reported import Deeds
from shared.rules.campaign.tables import Rules

Json = dict[str, Any]

DOWNED = ("creature", "fall", "fire", "own_attack", "radiation", "terrain")
"""What takes a member to 0 wounds beside the rival."""

REMOVED = ("radiation", "terrain")
"""Of these, what kills without an injury roll. FS-INJ-4."""

IN_A_HUNDRED = {"downed": 12, "dose": 40, "used": 30}
"""Of a hundred members so many fall beside the rival's doing, of a hundred drugs are so many taken …"""


def plausible_report(rules: Rules, sheets: tuple[Json, Json], sides: list[Json], chance: Random) -> Json:
    """A report that contradicts neither itself nor what was recorded before the game. FS-REP-1 to FS-REP-4.

    sheets: of both groups as scoring shows them. sides: who was fielded and how the rivals were judged, as it shows.
    """
    deeds = [
        [_deeds(rules, sheet, side, member, rival["group"], chance) for member in side["fielded"]]
        for sheet, rival, side in zip(sheets, reversed(sheets), sides, strict=True)
    ]
    evil = [_is_evil(rules, sheets[side], sides[1 - side]) for side in (0, 1)]
    for here in (0, 1):
        for _ in range(chance.randint(0, 3)):
            _fight(rules, sheets, deeds, here, evil[1 - here], chance)
    for here in (0, 1):
        dice = Dice(chance, sheets[here]["group"], sheets[1 - here]["group"])
        jailer = rules.forces[sheets[1 - here]["force"]].special.jail_caps > 0
        for one in deeds[here]:
            down = Deeds(
                one["member"], one.get("down"), melee=one.get("melee", False), removed=one.get("removed", False)
            )
            if injury_at_table(rules, down, jailer=jailer):
                one["injury"] = dice.told("2D12")
    encounters, brought = plausible_encounters(rules, sheets, deeds, chance)
    lines = _lines(rules, chance)
    told = [
        {
            "group": sheet["group"],
            "lines": held,
            "vp": sum(held),
            "members": did,
            **found,
            **_left(rules, sheet, rival, deeds[1 - here], chance),
        }
        for here, (sheet, rival, held, did, found) in enumerate(
            zip(sheets, reversed(sheets), lines, deeds, brought, strict=True)
        )
    ]
    turn, end = _end(rules, sum(map(len, lines)), Dice(chance, sheets[0]["group"], sheets[1]["group"]))
    return {"sides": told, "last_turn": turn, "end_roll": end, "encounters": encounters}


def may_concede(rules: Rules, sheets: tuple[Json, Json], sides: list[Json], side: int) -> bool:
    """Whether a side may give its game up. What the report says was on the table forbids nobody. FS-GAM-11."""
    special = rules.forces[sheets[side]["force"]].special
    forbidden = special.never_concedes == "against_evil" and _is_evil(rules, sheets[1 - side], sides[side])
    return rules.options.concession != "forbidden" and not forbidden


def conceded(report: Json, side: int, chance: Random) -> Json:
    """The same game, given up by one side before its end; no die ended it. FS-GAM-11."""
    first, second = report["sides"]
    told = [first | {"conceded": side == 0}, second | {"conceded": side == 1}]
    return report | {"sides": told, "last_turn": chance.randint(1, report["last_turn"]), "end_roll": None}


def _deeds(rules: Rules, sheet: Json, side: Json, member: str, rival: str, chance: Random) -> Json:
    """What a member did beside the fight with the rival; a weapon that jammed served for nothing."""
    did: Json = {"member": member, "wounds": 0, "models": 0}
    for name in ("computers", "locks"):
        did[name] = int(chance.random() < 0.15)
    did["rads"] = chance.choice((0, 0, 0, 0, 1, 2))
    did["fled"] = chance.random() < 0.05
    if chance.randrange(100) < IN_A_HUNDRED["downed"]:
        did["down"] = chance.choice(DOWNED)
        did["removed"] = did["down"] in REMOVED
    dice = Dice(chance, sheet["group"], rival)
    held = [item for item in sheet["items"] if item["holder"] == member and not side["jams"].get(item["id"])]
    doses = [item for item in held if rules.goods[item["good"]].kind == "drug"]
    did["doses"] = [
        {"item": item["id"], "roll": dice.told("1D12")}
        for item in doses
        if chance.randrange(100) < IN_A_HUNDRED["dose"]
    ]
    did["used"] = [
        item["id"]
        for item in held
        if item not in doses and rules.goods[item["good"]].single_use and chance.randrange(100) < IN_A_HUNDRED["used"]
    ]
    return did


def _fight(
    rules: Rules, sheets: tuple[Json, Json], deeds: list[list[Json]], here: int, evil: bool, chance: Random
) -> None:
    """Somebody takes a rival who still stands to 0 wounds."""
    standing = [one for one in deeds[1 - here] if "down" not in one]
    if not deeds[here] or not standing:
        return
    taker, taken, melee = chance.choice(deeds[here]), chance.choice(standing), chance.random() < 0.5
    special = rules.forces[sheets[here]["force"]].special
    taker["wounds"] += 1
    taker["models"] = max(1, taker["models"])
    taker["kills"] = taker.get("kills", 0) + 1
    taker["took"] = [*taker.get("took", ()), taken["member"]]
    if special.hunts_evil and melee and evil:
        taker["evil"] = taker.get("evil", 0) + 1
    if special.hunts_mutated and not rules.forces[sheets[1 - here]["force"]].special.human:
        taker["mutated"] = taker.get("mutated", 0) + 1
    taken |= {"down": "rival", "by": taker["member"], "melee": melee}


def _left(rules: Rules, sheet: Json, rival: Json, theirs: list[Json], chance: Random) -> Json:
    """What a side did not obtain, and whom it left standing."""
    special = rules.forces[sheet["force"]].special
    told: Json = {}
    if special.high_tech:
        there = {one["member"] for one in theirs}
        armed = [item for item in rival["items"] if {*special.high_tech} & {*rules.goods[item["good"]].tags}]
        told["missed"] = int(any(item["holder"] in there for item in armed) and chance.random() < 0.3)
    if special.hunts_mutated and not rules.forces[rival["force"]].special.human:
        told["left"] = min(chance.choice((0, 1, 2)), sum("down" not in one for one in theirs))
    return told


def _lines(rules: Rules, chance: Random) -> tuple[list[int], list[int]]:
    """The lines that each side controls in the end, in the numbers of its own. FS-GAM-6, FS-AMB-47."""
    known = rules.core.lines
    held = chance.sample(known, chance.randint(1, len(known)))
    cut = chance.randint(0, len(held))
    span = known[0] + known[-1] if rules.options.line_numbering == "own_side" else None
    return sorted(held[:cut]), sorted(line if span is None else span - line for line in held[cut:])


def _end(rules: Rules, controlled: int, dice: Dice) -> tuple[int, Json]:
    """The turn in which the game ends and the die that ended it. FS-GAM-8."""
    turn, free = rules.core.end_check_turn, len(rules.core.lines) - controlled
    while True:
        told = dice.told("1D12")
        if game_ends(rules, turn, free, told["dice"][0]["natural"]):
            return turn, told
        turn += 1


def _is_evil(rules: Rules, sheet: Json, judge: Json) -> bool:
    """Whether a group counts as evil: by its force, or as the rival judged it. FS-GAM-4."""
    return rules.forces[sheet["force"]].special.evil or bool(judge["judged_rival_evil"])
