"""Routes and views of campaign groups, and of the versions of a campaign's ruleset."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from msgspec import UNSET, UnsetType

from services.registration.campaign_groups import (
    GOOD,
    MoveRuleset,
    RollTurfs,
    SubmitGroup,
    built_group,
    differences,
    options_in_force,
    turfs_to_roll,
)
from services.registration.guards import player_of
from services.registration.handlers import HANDLERS
from services.registration.rulesets import moved_ruleset
from shared.campaign.group import faults_of_missing_armor, item_value, rating_parts
from shared.campaign.league import PRESENT_STATUSES, building_round
from shared.campaign.rewards import turf_of
from shared.campaign.roster import Group, GroupBuilt, attribute, rank_name
from shared.campaign.state import ENLISTED, rules_at
from shared.campaign.tables import Rules
from shared.campaign.words import Attribute
from shared.rules.parts import to_json
from shared.service.game_lists import AtVenue
from shared.service.routes import CommandBlueprint, appended_view
from shared.service.views import Appended, FaultView, faults_view
from shared.service.wiring import gateway_of
from shared.shapes import Reason, Shape, View, Whole
from shared.tournament.people import Entries, Player
from shared.tournament.state import Tournament
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified
from shared.web.schema import convert


class GroupTaken(Appended, frozen=True, kw_only=True):
    """The answer to submitting a group."""

    advice: Annotated[list[FaultView], "Members who are legal on the roster but cannot be fielded yet."]


class MemberView(View, frozen=True, kw_only=True):
    """A member of a group as it was built."""

    id: str
    rank: str
    rank_name: Annotated[str, "The force's name of the rank."]
    name: str
    xp: int
    level: int
    attributes: dict[str, int]
    perks: list[str]


class ItemView(View, frozen=True, kw_only=True):
    """A good of a group."""

    id: str
    good: Annotated[str, GOOD]
    names: Annotated[list[str], "The names that it may have on the table."]
    holder: Annotated[str, "The member who carries it; empty: the stash."]
    caps: Annotated[int, "Its value in the rating."]


class TurfView(View, frozen=True, kw_only=True):
    """A turf that the group holds."""

    id: str
    turf: str
    name: str


class GroupView(View, frozen=True, kw_only=True):
    """A group as it was built, before its first game. Scoring shows its current state."""

    id: Annotated[str, "The id of the player."]
    player_name: str
    force: str
    force_name: str
    complete: Annotated[bool, "True if it has turfs, leader and rating."]
    turfs_to_roll: int
    members: list[MemberView]
    items: list[ItemView]
    turfs: list[TurfView]
    caps: Annotated[int, "Unspent caps, which do not count in the rating."]
    leader: Annotated[str, "Empty until the last turf is rolled."]
    rating: Annotated[int, "0 until the last turf is rolled."]
    rating_parts: dict[str, int]
    advice: list[FaultView]


class GroupListed(View, frozen=True, kw_only=True):
    """A player with a summary of their group."""

    id: Annotated[str, "The id of the player."]
    player_name: str
    status: Annotated[str, "The status of the player."]
    force: Annotated[str, "Empty if no group was submitted."]
    members: int
    turfs_to_roll: int
    complete: bool
    rating: int


class GroupsListed(View, frozen=True, kw_only=True):
    """All active and waiting players, with their groups."""

    items: list[GroupListed]


def group_view(state: Tournament, player: Player) -> GroupView:
    """Return a group as it was built, with the parts of its rating. Raises GroupMissing."""
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


def groups_listed(state: Tournament, venue: str | UnsetType = UNSET) -> GroupsListed:
    """Return all active and waiting players, or those of a venue, with summaries of their groups."""
    rules = rules_at(state.entries, building_round(state))
    players = [
        player
        for player in state.entries.players.values()
        if player.status in PRESENT_STATUSES and venue in (UNSET, player.venue)
    ]
    groups = ENLISTED.of(state).groups
    return GroupsListed(
        items=[_listed(rules, player, groups.get(player.id) or Group(player.id, "")) for player in players]
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
    """Return the rules with which a group was or would be completed."""
    rated = [number for number, ratings in ENLISTED.of(state).ratings.items() if player in ratings]
    return rules_at(state.entries, max(rated, default=building_round(state)))


def advice_view(rules: Rules, group: Group) -> list[FaultView]:
    """Return the members who cannot be fielded, with the missing armor (FS-GRP-7, FS-AMB-27)."""
    return faults_view(faults_of_missing_armor(rules, group))


NOT_COMPARED = ("options", "chosen")
"""Members of a pack that stay as announced, so versions are compared without them."""


class VersionView(View, frozen=True, kw_only=True):
    """A version of a ruleset."""

    id: str
    version: str


class RuleDiffers(View, frozen=True, kw_only=True):
    """A value that differs between two versions."""

    where: Annotated[str, "JSON pointer into the pack."]
    before: Annotated[Any, "null: only in the new version."]
    after: Annotated[Any, "null: only in the old version."]


class MovePreviewed(View, frozen=True, kw_only=True):
    """The differences between the current and the new version of the ruleset."""

    from_round: int
    before: VersionView
    after: VersionView
    differences: list[RuleDiffers]


class MoveView(VersionView, frozen=True, kw_only=True):
    """A version of the ruleset with the round from which it applies."""

    from_round: Annotated[int, "0 for the announced version."]


class MovesView(View, frozen=True, kw_only=True):
    """All versions of the ruleset that the campaign has used, oldest first."""

    items: list[MoveView]


def moves_view(entries: Entries) -> MovesView:
    """Return the announced version of the ruleset, and those that the campaign moved to."""
    packs = [(0, entries.ruleset), *((move.from_round, move.ruleset) for move in entries.moves)]
    return MovesView(
        items=[MoveView(from_round=number, id=pack["id"], version=pack["version"]) for number, pack in packs]
    )


def preview_view(entries: Entries, command: MoveRuleset) -> MovePreviewed:
    """Return the differences from the version that the round has now."""
    packs = [move.ruleset for move in entries.moves if move.from_round <= command.from_round]
    current = packs[-1] if packs else entries.ruleset
    return MovePreviewed(
        from_round=command.from_round,
        before=_version(current),
        after=_version(command.ruleset),
        differences=[
            RuleDiffers(where=difference.where, before=difference.before, after=difference.after)
            for difference in differences(_rules(current), _rules(command.ruleset))
        ],
    )


def _rules(pack: dict[str, Any]) -> dict[str, Any]:
    return {member: value for member, value in pack.items() if member not in NOT_COMPARED}


def _version(pack: dict[str, Any]) -> VersionView:
    return VersionView(id=pack["id"], version=pack["version"])


OF_PLAYER = (
    "tournament-unknown",
    "tournament-over",
    "player-unknown",
    "player-not-active",
    "not-yours",
    "other-venue",
)


gateway = gateway_of("campaign")
blueprint = CommandBlueprint(
    "groups",
    HANDLERS,
    description="Campaigns: groups as they are built, and their starting turfs.",
    may_refuse=("wrong-format",),
)


@blueprint.command(SubmitGroup, "/tournaments/<id:tournament>/players/<id:player>/group", answer=GroupTaken)
@blueprint.may_refuse(*OF_PLAYER, "group-refused", "group-locked", "event-too-large")
def submit_group(command: SubmitGroup, tournament: str) -> GroupTaken:
    """Submit a group. A legal one is accepted at once; an illegal one is refused with every fault and clause.

    You can submit it again until registration closes or round 1 is paired. Rolled turfs are kept.
    """
    done = appended_view(gateway.command(tournament, command))
    accepted = done.events[0].data
    with gateway.reading(tournament) as loaded:
        rules = rules_at(loaded.state.entries, accepted.get("round", 0))
        advice = advice_view(rules, convert(accepted["accepted"], GroupBuilt).state)
    return GroupTaken(id=done.id, events=done.events, advice=advice)


@blueprint.command(RollTurfs, "/tournaments/<id:tournament>/players/<id:player>/group/turfs")
@blueprint.may_refuse(*OF_PLAYER, "group-missing", "dice-refused", "choice-refused")
def roll_turfs(command: RollTurfs, tournament: str) -> Appended:
    """Roll starting turfs, at the table or by the service. The last one also gives the leader and the rating."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/group")
@blueprint.response(200, GroupView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown", "group-missing")
def show_built_group(tournament: str, player: str) -> Any:
    """Show a group as it was built, and the parts of its rating."""
    with gateway.reading(tournament) as loaded:
        owner = player_of(loaded.state.entries, player)
        return not_modified(gateway.version(loaded)) or group_view(loaded.state, owner)


@blueprint.get("/tournaments/<id:tournament>/groups")
@blueprint.arguments(AtVenue, location="query")
@blueprint.response(200, GroupsListed)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_built_groups(query: AtVenue, tournament: str) -> Any:
    """List the active and waiting players, with summaries of their groups."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        return not_modified(gateway.version(loaded)) or groups_listed(loaded.state, query.venue)


# The command contains the whole pack with these options.
class RulesetToMoveTo(Shape, frozen=True, kw_only=True):
    """The new version of the ruleset: either `ruleset`, a shipped pack, or `pack` as JSON. Options do not change."""

    from_round: Annotated[int, Whole(1, 10_000), "The first round played with this version."]
    ruleset: Annotated[str | UnsetType, "The id of a shipped ruleset: GET /rulesets."] = UNSET
    pack: Annotated[dict[str, Any] | UnsetType, "A whole ruleset pack as JSON, instead of `ruleset`."] = UNSET
    reason: Reason


moves_blueprint = Blueprint(
    "ruleset-moves", description="Campaigns: another version of the ruleset.", may_refuse=("wrong-format",)
)


@moves_blueprint.post("/tournaments/<id:tournament>/ruleset-moves")
@moves_blueprint.allow(*HANDLERS[MoveRuleset].roles)
@moves_blueprint.previewed
@moves_blueprint.arguments(RulesetToMoveTo)
@moves_blueprint.response(201, Appended)
@moves_blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "unknown-ruleset",
    "ruleset-refused",
    "ruleset-option-refused",
    "ruleset-move-refused",
    "event-too-large",
)
def move_ruleset(body: RulesetToMoveTo, tournament: str) -> Appended:
    """Move a campaign to another version of its ruleset, from a round that is not paired yet."""
    with gateway.reading(tournament) as loaded:
        format, options = loaded.state.entries.format, options_in_force(loaded.state.entries, body.from_round)
    id = None if body.ruleset is UNSET else body.ruleset
    pack = None if body.pack is UNSET else body.pack
    moved = moved_ruleset(id, pack, format, options)
    command = MoveRuleset(
        from_round=body.from_round,
        ruleset=to_json(moved),
        given="ruleset" if pack is None else "pack",
        reason=body.reason,
    )
    return gateway.run(tournament, command)


@moves_blueprint.get("/tournaments/<id:tournament>/ruleset-moves")
@moves_blueprint.response(200, MovesView)
@moves_blueprint.versioned
@moves_blueprint.may_refuse("tournament-unknown")
def list_ruleset_moves(tournament: str) -> Any:
    """List the versions of the ruleset that the campaign has used."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or moves_view(loaded.state.entries)
