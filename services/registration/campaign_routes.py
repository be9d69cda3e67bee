"""What registration shows of groups, as they were built, and of the versions of a campaign's ruleset."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from services.registration.campaign.commands import GOOD, MoveRuleset
from services.registration.campaign.decide import built_group, turfs_to_roll
from services.registration.campaign.ruleset_moves import differences
from shared.campaign.group import item_value, rating_parts, stays_home
from shared.campaign.league import HERE, building_round
from shared.campaign.rewards import turf_of
from shared.campaign.roster import Group, attribute, rank_name
from shared.campaign.state import ENLISTED, campaign_of
from shared.campaign.tables import Rules
from shared.campaign.words import Attribute
from shared.service.views import Appended, FaultView, faults_view
from shared.shapes import View
from shared.tournament.people import Entries, Player
from shared.tournament.state import Tournament


class GroupTaken(Appended, frozen=True, kw_only=True):
    """advice: members who may be on the roster, and cannot be fielded as they are."""

    advice: list[FaultView]


class MemberView(View, frozen=True, kw_only=True):
    """A member as the group was built."""

    id: str
    rank: str
    rank_name: Annotated[str, "What the force calls the rank."]
    name: str
    xp: int
    level: int
    attributes: dict[str, int]
    perks: list[str]


class ItemView(View, frozen=True, kw_only=True):
    """One good. holder: the member who carries it; empty for the stash."""

    id: str
    good: Annotated[str, GOOD]
    names: Annotated[list[str], "What it may be on the table."]
    holder: str
    caps: Annotated[int, "What it counts in the rating."]


class TurfView(View, frozen=True, kw_only=True):
    """A turf that the group holds."""

    id: str
    turf: str
    name: str


class GroupView(View, frozen=True, kw_only=True):
    """A group as its player built it, before its first game; scoring shows it as it lives."""

    id: Annotated[str, "The player whose group it is."]
    player_name: str
    force: str
    force_name: str
    complete: Annotated[bool, "Whether it has turfs, leader and rating."]
    turfs_to_roll: int
    members: list[MemberView]
    items: list[ItemView]
    turfs: list[TurfView]
    caps: Annotated[int, "Unspent; no part of the rating."]
    leader: Annotated[str, "Empty until the last turf is rolled."]
    rating: Annotated[int, "0 until the last turf is rolled."]
    rating_parts: dict[str, int]
    advice: list[FaultView]


class GroupListed(View, frozen=True, kw_only=True):
    """A player with their group in short. force: empty where none was handed in."""

    id: Annotated[str, "The player whose group it is."]
    player_name: str
    status: Annotated[str, "The status of the player."]
    force: str
    members: int
    turfs_to_roll: int
    complete: bool
    rating: int


class GroupsListed(View, frozen=True, kw_only=True):
    """Every player who takes part or waits, with their group."""

    items: list[GroupListed]


def group_view(state: Tournament, player: Player) -> GroupView:
    """A group as its player built it, with what its rating is made of. Raises GroupMissing."""
    group, rules = built_group(state, player.id), _rules_of(state, player.id)
    return GroupView(
        id=player.id,
        player_name=player.name,
        force=group.force,
        force_name=rules.forces[group.force].name,
        complete=bool(group.rating),
        turfs_to_roll=turfs_to_roll(rules, group),
        members=[
            MemberView(
                id=member.id,
                rank=member.rank,
                rank_name=rank_name(rules, group.force, member.rank),
                name=member.name,
                xp=member.xp,
                level=member.level,
                attributes={key: attribute(rules, group, member, key) for key in get_args(Attribute)},
                perks=["leader"] if member.id == group.leader else [],
            )
            for member in group.members
        ],
        items=[
            ItemView(
                id=item.id,
                good=item.good,
                names=list(rules.goods[item.good].names),
                holder=item.holder,
                caps=item_value(rules, item),
            )
            for item in group.items
        ],
        turfs=[TurfView(id=owned.id, turf=owned.turf, name=turf_of(rules, owned.turf).name) for owned in group.turfs],
        caps=group.caps,
        leader=group.leader,
        rating=group.rating,
        rating_parts=rating_parts(rules, group),
        advice=advice_view(rules, group),
    )


def groups_listed(state: Tournament) -> GroupsListed:
    """Every player who takes part or waits, and how far their group is."""
    rules = campaign_of(state.entries, building_round(state))
    known = [player for player in state.entries.players.values() if player.status in HERE]
    groups = ENLISTED.of(state).groups
    return GroupsListed(
        items=[_listed(rules, player, groups.get(player.id) or Group(player.id, "")) for player in known]
    )


def _listed(rules: Rules, player: Player, group: Group) -> GroupListed:
    return GroupListed(
        id=player.id,
        player_name=player.name,
        status=player.status,
        force=group.force,
        members=len(group.members),
        turfs_to_roll=turfs_to_roll(rules, group),
        complete=bool(group.rating),
        rating=group.rating,
    )


def _rules_of(state: Tournament, player: str) -> Rules:
    """The rules that a group was completed by, or would be."""
    rated = [number for number, ratings in ENLISTED.of(state).ratings.items() if player in ratings]
    return campaign_of(state.entries, max(rated, default=building_round(state)))


def advice_view(rules: Rules, group: Group) -> list[FaultView]:
    """Members who cannot be fielded as they are, each with the armor that is missing. FS-GRP-7, FS-AMB-27."""
    return faults_view(stays_home(rules, group))


BESIDE_RULES = ("options", "chosen")
"""Members of a pack that stay as they were announced, whatever their defaults are."""


class VersionView(View, frozen=True, kw_only=True):
    """A version of a ruleset."""

    id: str
    version: str


class RuleDiffers(View, frozen=True, kw_only=True):
    """A value that differs. null: it is on one side only."""

    where: Annotated[str, "JSON pointer into the pack."]
    before: Any
    after: Any


class MovePreviewed(View, frozen=True, kw_only=True):
    """What would differ from a round on; nothing was moved."""

    from_round: int
    before: VersionView
    after: VersionView
    differences: list[RuleDiffers]


class MoveView(VersionView, frozen=True, kw_only=True):
    """A version of the ruleset, and the round from which it holds; the one announced holds from 0 on."""

    from_round: int


class MovesView(View, frozen=True, kw_only=True):
    """Every version that the campaign has been played by, the first first."""

    items: list[MoveView]


def moves_view(entries: Entries) -> MovesView:
    """The ruleset as it was announced, and each that it has moved to."""
    packs = [(0, entries.ruleset), *((move.from_round, move.ruleset) for move in entries.moves)]
    return MovesView(
        items=[MoveView(from_round=number, id=pack["id"], version=pack["version"]) for number, pack in packs]
    )


def preview_view(entries: Entries, command: MoveRuleset) -> MovePreviewed:
    """What would differ from the ruleset that the round has now."""
    packs = [move.ruleset for move in entries.moves if move.from_round <= command.from_round]
    now = packs[-1] if packs else entries.ruleset
    return MovePreviewed(
        from_round=command.from_round,
        before=_version(now),
        after=_version(command.ruleset),
        differences=[
            RuleDiffers(where=one.where, before=one.before, after=one.after)
            for one in differences(_rules(now), _rules(command.ruleset))
        ],
    )


def _rules(pack: dict[str, Any]) -> dict[str, Any]:
    """A pack without what stays as it was announced."""
    return {member: value for member, value in pack.items() if member not in BESIDE_RULES}


def _version(pack: dict[str, Any]) -> VersionView:
    return VersionView(id=pack["id"], version=pack["version"])
