"""Groups of a campaign as players would make them: legal lists by chance, and who carries what from the stash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from shared.campaign.group import Enlisted, Submission, big_gun_carriers, faults_of_submission
from shared.campaign.roster import Member, rank_for_gear, rank_name
from shared.campaign.tables import Force, Rules
from shared.campaign.words import RANKS, WEAPONS, Rank

Json = dict[str, Any]

TRIES = 40
"""So often something is added to a list, if it stays legal."""

CARRIED = WEAPONS | {"drug"}
"""Kinds of goods that members take from the stash into a game; armor goes to whoever has to wear it."""


def legal_list(rules: Rules, chance: Random) -> Json:
    """A group that may enter, of any force: as it is handed in. FS-GRP-1 to FS-GRP-10."""
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
    """What is handed round before a game: item and who has it then, nobody for the stash. FS-PGP-7, FS-GAM-2.

    sheet: the group as scoring shows it. Armor goes to who needs it, surplus Big Guns home, the rest to anybody.
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
    """Armor out of the stash for everybody who must or may wear it and has none."""
    for member, rank in ranks.items():
        wears = set(force.ranks[rank].armor.of)
        if any(item["holder"] == member and item["good"] in wears for item in items):
            continue
        found = next((item for item in stash if item["good"] in wears), None)
        if found is not None:
            stash.remove(found)
            yield found["id"], member


def _enlisted(force: Force, rank: Rank) -> Enlisted:
    """A character with the armor without which it would stay at home."""
    armor = force.ranks[rank].armor
    return Enlisted(rank, goods=armor.of[:1] if armor.duty == "must" else ())


def _rank_of(rules: Rules, force: str, member: Json) -> Rank:
    """The rank by which a member of a sheet carries and wears things."""
    named = {rank_name(rules, force, rank): rank for rank in RANKS}
    return rank_for_gear(rules, Member(member["id"], named[member["rank"]], level=member["level"]))
