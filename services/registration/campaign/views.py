"""What registration shows of groups: as they were built, and of every player how far theirs is."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from services.registration.campaign.decide import built_group, turfs_to_roll
from shared.formats.campaign.enlisted import ENLISTED
from shared.formats.campaign.league import HERE, building_round
from shared.formats.campaign.rules.attributes import attribute, rank_name
from shared.formats.campaign.rules.group import stays_home
from shared.formats.campaign.rules.rating import item_value, rating_parts
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.turf import turf_of
from shared.formats.campaign.rules.words import Attribute
from shared.formats.campaign.ruleset import campaign_of
from shared.tournament.entries import Player
from shared.tournament.state import Tournament


def group_view(state: Tournament, player: Player) -> dict[str, Any]:
    """A group as its player built it, with what its rating is made of. Raises GroupMissing."""
    group, rules = built_group(state, player.id), _rules_of(state, player.id)
    return {
        "player": player.id,
        "player_name": player.name,
        "force": group.force,
        "force_name": rules.forces[group.force].name,
        "complete": bool(group.rating),
        "turfs_to_roll": turfs_to_roll(rules, group),
        "members": [
            {
                "id": member.id,
                "rank": member.rank,
                "rank_name": rank_name(rules, group.force, member.rank),
                "name": member.name,
                "xp": member.xp,
                "level": member.level,
                "attributes": {key: attribute(rules, group, member, key) for key in get_args(Attribute)},
                "perks": ["leader"] if member.id == group.leader else [],
            }
            for member in group.members
        ],
        "items": [
            {
                "id": item.id,
                "good": item.good,
                "names": list(rules.goods[item.good].names),
                "holder": item.holder,
                "caps": item_value(rules, item),
            }
            for item in group.items
        ],
        "turfs": [
            {"id": owned.id, "turf": owned.turf, "name": turf_of(rules, owned.turf).name} for owned in group.turfs
        ],
        "caps": group.caps,
        "leader": group.leader,
        "rating": group.rating,
        "rating_parts": rating_parts(rules, group),
        "advice": advice_view(rules, group),
    }


def groups_listed(state: Tournament) -> list[dict[str, Any]]:
    """Every player who takes part or waits, and how far their group is."""
    rules = campaign_of(state.entries, building_round(state))
    known = [player for player in state.entries.players.values() if player.status in HERE]
    return [
        _listed(rules, player, ENLISTED.of(state).groups.get(player.id) or Group(player.id, "")) for player in known
    ]


def _listed(rules: Rules, player: Player, group: Group) -> dict[str, Any]:
    return {
        "player": player.id,
        "player_name": player.name,
        "status": player.status,
        "force": group.force,
        "members": len(group.members),
        "turfs_to_roll": turfs_to_roll(rules, group),
        "complete": bool(group.rating),
        "rating": group.rating,
    }


def _rules_of(state: Tournament, player: str) -> Rules:
    """The rules that a group was completed by, or would be."""
    rated = [number for number, ratings in ENLISTED.of(state).ratings.items() if player in ratings]
    return campaign_of(state.entries, max(rated, default=building_round(state)))


def advice_view(rules: Rules, group: Group) -> list[dict[str, str]]:
    """Members who cannot be fielded as they are, each with the armor that is missing. FS-GRP-7, FS-AMB-27."""
    return [msgspec.structs.asdict(fault) for fault in stays_home(rules, group)]
