"""Campaign groups: submission and starting turfs; moves of a campaign to another version of its ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from services.registration.guards import NotYours, active_player, is_self_or_staff, player_of
from shared.campaign.dice import DiceSource, Questions, RollPurpose, parse_rolls
from shared.campaign.group import Enlisted, Submission, accept_group, appoint_leader, finalise_rating
from shared.campaign.league import building_round, current_groups, latest_round, people_at_building, submission_base
from shared.campaign.post_game import is_eliminated
from shared.campaign.rewards import roll_turf
from shared.campaign.roster import Group
from shared.campaign.ruleset import CampaignRuleset
from shared.campaign.state import CAMPAIGN, ENLISTED, campaign_ruleset, rules_at, versions_at
from shared.campaign.steps import DecisionBuilder
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, DiceRefused
from shared.formats.options import from_json
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, to_short_json
from shared.rules.parts import Setting, allowing_option
from shared.service.views import RollTold
from shared.shapes import Command, Id, Name, Reason, Shape, Size
from shared.tournament.format import rules_of
from shared.tournament.guards import ROUNDS, Context, require_running
from shared.tournament.people import Entries, Player
from shared.tournament.registration import RulesetMoved
from shared.tournament.state import Tournament

MAX_ITEMS = 100
"""Maximum things of one kind in a submission. Groups of any force hold far fewer."""

GOOD = "A key of the ruleset's `rules.goods`, or one of the good's names in any case."

Goods = Annotated[list[str], Size(MAX_ITEMS), GOOD]


class EnlistedMember(Shape, frozen=True, kw_only=True):
    """A member of a group."""

    rank: Annotated[str, "`green`, `experienced` or `veteran`."]
    name: Annotated[str, Name()] = ""
    goods: Annotated[Goods, "The goods that the member carries and wears. " + GOOD] = []


class SubmitGroup(Command, frozen=True, kw_only=True):
    """Submit a whole group."""

    player: Id
    force: Annotated[str, "A key of the ruleset's `rules.forces`, or the force's name."]
    members: Annotated[list[EnlistedMember], Size(MAX_ITEMS)]
    stash: Annotated[Goods, "Goods that no member carries. " + GOOD] = []


class RollTurfs(Command, frozen=True, kw_only=True):
    """Roll starting turfs."""

    player: Id
    rolls: Annotated[
        list[RollTold], Size(MAX_ITEMS, 1), "One roll per starting turf, in order; at most as many as are missing."
    ]


ACCEPTING, ROLLING = "accept_group", "roll_turf"
"""Causes of a group's events."""


def submit(state: Tournament, command: SubmitGroup, context: Context) -> Sequence[Event]:
    """Accept a legal group; refuse an illegal one with every fault (FS-GRP-1 to FS-GRP-13).

    A group can be submitted again until registration closes or round 1 is paired; rolled turfs are kept. A player
    without a group can submit one later if late entries are allowed. If the organiser lets a new group replace one
    without members, it is submitted between two rounds (FS-AMB-54).
    """
    player = _own_player(state, command.player, context)
    if not _replaces_group(state, player.id):
        _refuse_locked(state, player, context)
    before = submission_base(state, player.id)
    rules = _rules(state)
    builder = DecisionBuilder(Group(player.id, ""), round=building_round(state), cause=ACCEPTING)
    builder.record(accept_group(rules, player.id, _submission(command), before.serial, before.turfs))
    _complete(state, rules, builder, context)
    return builder.events


def roll_turfs(state: Tournament, command: RollTurfs, context: Context) -> Sequence[Event]:
    """Gain starting turfs, rolled at a table or by the service (FS-TRF-1, FS-LDR-1, FS-RAT-3).

    The last turf also gives the group its leader and its rating.
    """
    player = _own_player(state, command.player, context)
    group = built_group(state, player.id)
    rules = _rules(state)
    missing = turfs_to_roll(rules, group)
    rolls = parse_rolls(to_builtins(command.rolls))
    if len(rolls) > missing:
        expected = expects("at-most-starting-rolls", most=missing, all=rules.core.starting_turfs)
        raise ChoiceRefused(
            f"The group has {len(group.turfs)} turfs.",
            [Fault("/rolls", f"{len(rolls)}", expected, "FS-TRF-1")],
        )
    present = people_at_building(state)
    versions = versions_at(state.entries, building_round(state))
    enlisted, round = ENLISTED.of(state), building_round(state)
    questions = Questions(context.draws, lambda group: f"round {round}", enlisted.dice)
    dice_source = DiceSource("e", enlisted.rolled, questions, present, rolls, roller=player.id, versions=versions)
    builder = DecisionBuilder(group, round=round, cause=ROLLING)
    faults: list[Fault] = []
    for number in range(len(rolls)):
        try:
            builder.record(
                *roll_turf(rules, builder.group, dice_source.next("2D12", RollPurpose(player.id, "FS-TRF-1")))
            )
        except DiceRefused as refused:
            faults += [_locate_fault(fault, number) for fault in refused.faults]
    if faults:
        raise DiceRefused("A starting turf is rolled with 2D12.", faults, expression="2D12")
    _complete(state, rules, builder, context)
    return builder.events


def built_group(state: Tournament, player: str) -> Group:
    """Return a player's group as it was built. Raises GroupMissing."""
    if player not in ENLISTED.of(state).groups:
        raise GroupMissing(f"The player {player} has not handed in a group.", player=player)
    return ENLISTED.of(state).groups[player]


def turfs_to_roll(rules: Rules, group: Group) -> int:
    """Return the number of starting turfs that a group still has to roll."""
    return max(0, rules.core.starting_turfs - len(group.turfs))


def _own_player(state: Tournament, player: str, context: Context) -> Player:
    """Return the player of a group. Raises NotYours, PlayerUnknown, PlayerNotActive."""
    entries = require_running(state)
    owner = player_of(entries, player)
    if not is_self_or_staff(context, player):
        raise NotYours("A player builds only their own group.")
    return owner if owner.status == "waiting" else active_player(entries, player)


def _submission(command: SubmitGroup) -> Submission:
    """Return the submission for the rules, which check ranks and goods."""
    members = tuple(
        Enlisted(member.rank, member.name, tuple(member.goods))  # type: ignore[arg-type]
        for member in command.members
    )
    return Submission(command.force, members, tuple(command.stash))


def _replaces_group(state: Tournament, player: str) -> bool:
    """Return True if a new group replaces one that lost all its members (FS-AMB-54). Raises GroupLocked."""
    former = CAMPAIGN.of(state).groups.get(player)
    if former is None or former.members:
        return False
    number = latest_round(state)
    if is_eliminated(_rules(state), former):
        fault = Fault("/player", player, expects("player-with-members"), "FS-AMB-54")
        raise GroupLocked("The group is out of the campaign.", [fault])
    if number not in state.results.closed:
        fault = Fault("/player", player, expects("same-player-after-round", round=number), "FS-AMB-54")
        raise GroupLocked(f"A new group can take its place once round {number} is over.", [fault])
    return True


def _refuse_locked(state: Tournament, player: Player, context: Context) -> None:
    """Raise GroupLocked if an accepted group can no longer change, or no new group can enter (FS-GRP-13)."""
    entries = state.entries
    if entries.registration_open and not state.has_begun:
        return
    cause = "Round 1 is paired" if state.has_begun else "Registration is closed"
    if player.id in ENLISTED.of(state).groups:
        fault = Fault("/player", player.id, expects("player-without-accepted-group"), "FS-GRP-13")
        raise GroupLocked(f"{cause}; the group stands as it was accepted.", [fault])
    ruleset = rules_of(entries)
    if ruleset.entry.late == "none":
        option = allowing_option(ruleset, "/entry/late", lambda late: late != "none")
        unless = f" without {option.text}" if option else ""
        raise GroupLocked(f"{cause}; this ruleset takes in no further groups{unless}.", clause="FS-GRP-13")
    if not (player.late or context.by.staff):
        raise GroupLocked(f"{cause}; staff can hand in a group only for a player who had none.", clause="FS-GRP-13")


def _complete(state: Tournament, rules: Rules, builder: DecisionBuilder, context: Context) -> None:
    """Give a group its leader and rating once it has all its turfs (FS-LDR-1, FS-RAT-3)."""
    if not turfs_to_roll(rules, builder.group):
        builder.record(*appoint_leader(rules, builder.group, context.draws, building_round(state)))
        builder.record(finalise_rating(rules, builder.group))


def _rules(state: Tournament) -> Rules:
    return rules_at(state.entries, building_round(state))


def _locate_fault(fault: Fault, number: int) -> Fault:
    """Return a fault of one roll with its place in the command."""
    prefix = "/roll/"
    where = fault.where
    return replace(fault, where=f"/rolls/{number}/{where.removeprefix(prefix)}") if where.startswith(prefix) else fault


class MoveRuleset(Command, frozen=True, kw_only=True):
    """Move a campaign to another version of its ruleset."""

    from_round: int
    ruleset: Annotated[dict[str, Any], "The whole pack, with the options applied."]
    given: Annotated[str, "The member of the request that contained the ruleset."]
    reason: Reason


CLAUSE = "FS-AUD-3"
"""The version of the ruleset is pinned, and recorded with every roll."""
_VERSION = re.compile(r"-\d+(\.\d+)*$")


def move_ruleset(state: Tournament, command: MoveRuleset, context: Context) -> Sequence[Event]:
    """Move a campaign to a new version of its ruleset, from a round that is not paired yet.

    The game and the announced options must stay the same. Raises RulesetMoveRefused with every fault. Source: FS-AUD-3.
    """
    entries = require_running(state)
    old, new = campaign_ruleset(entries, command.from_round), from_json(command.ruleset)
    faults = [*_round_faults(state, old, command.from_round)]
    if isinstance(new, CampaignRuleset):
        faults += _pack_faults(old, new, command.given)
        faults += _group_faults(state, new.rules, command.given)
    else:
        expected = expects("ruleset-of-format", formats=[old.format])
        faults.append(Fault(f"/{command.given}", new.format, expected, CLAUSE))
    if faults:
        raise RulesetMoveRefused("The campaign cannot move to this ruleset.", faults)
    return [RulesetMoved(from_round=command.from_round, ruleset=command.ruleset, reason=command.reason)]


def options_in_force(entries: Entries, round: int) -> dict[str, Setting | dict[str, int]]:
    """Return every option of the ruleset of a round: the chosen value, or the default."""
    ruleset = campaign_ruleset(entries, round)
    defaults = {option.key: option.default for option in ruleset.options if option.default is not None}
    return {**defaults, **ruleset.chosen}


def _round_faults(state: Tournament, old: CampaignRuleset, from_round: int) -> Iterator[Fault]:
    paired, last = latest_round(state), old.rules.options.rounds
    if from_round <= paired:
        expected = expects("round-after-paired", least=paired + 1, paired=paired)
        yield Fault("/from_round", f"{from_round}", expected, CLAUSE)
    if from_round > last:
        yield Fault("/from_round", f"{from_round}", expects("at-most-rounds", most=last), "FS-LGE-3")
    latest = max((move.from_round for move in state.entries.moves), default=0)
    if from_round < latest:
        yield Fault("/from_round", f"{from_round}", expects("round-after-move", least=latest), CLAUSE)


def _pack_faults(old: CampaignRuleset, new: CampaignRuleset, given: str) -> Iterator[Fault]:
    family = _VERSION.sub("", old.id)
    if _VERSION.sub("", new.id) != family:
        yield Fault(f"/{given}", new.id, expects("version-of-ruleset", ruleset=family), CLAUSE)
    if replace(old, chosen={}) == replace(new, chosen={}):
        yield Fault(f"/{given}", f"{new.id} {new.version}", expects("other-version"), CLAUSE)
    before, after = to_builtins(old.rules.options), to_builtins(new.rules.options)
    for key in before:
        if before[key] != after.get(key):
            expected = expects("option-as-announced", option=key, value=to_short_json(before[key]))
            yield Fault(f"/{given}", to_short_json(after.get(key)), expected, CLAUSE)


def _group_faults(state: Tournament, rules: Rules, given: str) -> Iterator[Fault]:
    """Yield a fault for everything that a group refers to and the new tables lack."""
    keys = {
        "forces": set(rules.forces),
        "goods": set(rules.goods),
        "turfs": {turf.turf for turf in rules.turfs},
        "injuries": {injury.injury for injury in rules.injuries},
        "advancement/perks": set(rules.advancement.perks),
    }
    for group in {**ENLISTED.of(state).groups, **current_groups(state)}.values():
        for table, key in _references(group):
            if key not in keys[table]:
                expected = expects("known-to-group", key=key, group=group.id)
                yield Fault(f"/{given}/rules/{table}", "nothing", expected, CLAUSE)


def _references(group: Group) -> list[tuple[str, str]]:
    """Return the (table, key) pairs that a group refers to, without duplicates."""
    references = [("forces", group.force), *(("goods", item.good) for item in group.items)]
    references += [("turfs", owned.turf) for owned in group.turfs]
    for member in group.members:
        references += [("injuries", injury) for injury in member.injuries]
        references += [("advancement/perks", held.perk) for held in member.perks]
        references += [("goods", drug) for drug in member.addictions]
    return list(dict.fromkeys(references))


class Difference(Struct, frozen=True):
    """A value that changed, with its JSON pointer. A side is None if it lacks the value."""

    where: str
    before: Any
    after: Any


def differences(before: Any, after: Any, where: str = "") -> Iterator[Difference]:
    """Yield the differences of two JSON values, in the order of the first. List items are compared by index."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key), after.get(key), f"{where}/{_escaped(key)}")
    elif isinstance(before, list) and isinstance(after, list):
        for number in range(max(len(before), len(after))):
            old, new = (side[number] if number < len(side) else None for side in (before, after))
            yield from differences(old, new, f"{where}/{number}")
    else:
        yield Difference(where, before, after)


def _escaped(key: str) -> str:
    """Return a key as a JSON pointer token (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


class GroupLocked(Refusal):
    """The group can no longer change: registration is closed, or round 1 is paired."""

    code = "group-locked"


class GroupMissing(Refusal):
    """The player has not submitted a group."""

    code = "group-missing"


class RulesetMoveRefused(Refusal):
    """The campaign cannot continue with this ruleset, or not from this round; `errors` lists every fault."""

    code = "ruleset-move-refused"


LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "group": ("registration", "/players/{player}/group"),
        "game": ("pairing", "/players/{player}/pairing"),
        "standing": ("scoring", "/standings/{player}"),
    }
)
ON_PURPOSE = (ROUNDS,)
