"""Groups of a campaign: handed in and completed by turfs; its move to another ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from services.registration.guards import NotYours, active_player, own_or_staff, player_of
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

MOST = 100
"""Things of one kind in a submission; a group of any force holds far fewer."""

GOOD = "A good by its key, as the ruleset's `rules.goods` has it, or by one of its names, in any case."

Goods = Annotated[list[str], Size(MOST), GOOD]


class EnlistedMember(Shape, frozen=True, kw_only=True):
    """A character of a group. goods: what it carries and wears."""

    rank: Annotated[str, "green, experienced or veteran."]
    name: Annotated[str, Name()] = ""
    goods: Goods = []


class SubmitGroup(Command, frozen=True, kw_only=True):
    """A whole group. force: by key, as the ruleset's `rules.forces` has it, or by name. stash: what nobody carries."""

    player: Id
    force: str
    members: Annotated[list[EnlistedMember], Size(MOST)]
    stash: Goods = []


class RollTurfs(Command, frozen=True, kw_only=True):
    """rolls: one for each starting turf, in their order; up to as many as are missing."""

    player: Id
    rolls: Annotated[list[RollTold], Size(MOST, 1)]


ACCEPTING, ROLLING = "accept_group", "roll_turf"
"""What the events of a group came from."""


def submit(state: Tournament, command: SubmitGroup, context: Context) -> Sequence[Event]:
    """A legal group is accepted at once, an illegal one refused with every fault. FS-GRP-1 to FS-GRP-13.

    You can hand it in again until registration closes or round 1 is paired; turfs that were rolled stay. A player
    without a group may still hand one in later, where late entries are taken; and where the organiser lets a new group
    take the place of one without members, it is handed in between two rounds (FS-AMB-54).
    """
    player = _own_player(state, command.player, context)
    if not _takes_place(state, player.id):
        _refuse_locked(state, player, context)
    before = submission_base(state, player.id)
    rules = _rules(state)
    builder = DecisionBuilder(Group(player.id, ""), round=building_round(state), cause=ACCEPTING)
    builder.record(accept_group(rules, player.id, _submission(command), before.serial, before.turfs))
    _complete(state, rules, builder, context)
    return builder.events


def roll_turfs(state: Tournament, command: RollTurfs, context: Context) -> Sequence[Event]:
    """Starting turfs, told as they were rolled at a table or drawn by the service. FS-TRF-1, FS-LDR-1, FS-RAT-3.

    With the last of them the group has its leader and its rating.
    """
    player = _own_player(state, command.player, context)
    group = built_group(state, player.id)
    rules = _rules(state)
    left = turfs_to_roll(rules, group)
    rolls = parse_rolls(to_builtins(command.rolls))
    if len(rolls) > left:
        expected = expects("at-most-starting-rolls", most=left, all=rules.core.starting_turfs)
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
            faults += [_placed(fault, number) for fault in refused.faults]
    if faults:
        raise DiceRefused("A starting turf is rolled with 2D12.", faults, expression="2D12")
    _complete(state, rules, builder, context)
    return builder.events


def built_group(state: Tournament, player: str) -> Group:
    """The group of a player as it was built. Raises GroupMissing."""
    if player not in ENLISTED.of(state).groups:
        raise GroupMissing(f"The player {player} has not handed in a group.", player=player)
    return ENLISTED.of(state).groups[player]


def turfs_to_roll(rules: Rules, group: Group) -> int:
    """How many starting turfs a group still has to roll."""
    return max(0, rules.core.starting_turfs - len(group.turfs))


def _own_player(state: Tournament, player: str, context: Context) -> Player:
    """Whose group it is. Raises NotYours, PlayerUnknown, PlayerNotActive."""
    entries = require_running(state)
    found = player_of(entries, player)
    if not own_or_staff(context, player):
        raise NotYours("A player builds only their own group.")
    return found if found.status == "waiting" else active_player(entries, player)


def _submission(command: SubmitGroup) -> Submission:
    """What was handed in, as the rules read it; whether ranks and goods exist is theirs to say."""
    members = tuple(
        Enlisted(told.rank, told.name, tuple(told.goods))  # type: ignore[arg-type]
        for told in command.members
    )
    return Submission(command.force, members, tuple(command.stash))


def _takes_place(state: Tournament, player: str) -> bool:
    """Whether a group takes the place of one that lost all its members. FS-AMB-54. Raises GroupLocked."""
    lived = CAMPAIGN.of(state).groups.get(player)
    if lived is None or lived.members:
        return False
    number = latest_round(state)
    if is_eliminated(_rules(state), lived):
        fault = Fault("/player", player, expects("player-with-members"), "FS-AMB-54")
        raise GroupLocked("The group is out of the campaign.", [fault])
    if number not in state.results.closed:
        fault = Fault("/player", player, expects("same-player-after-round", round=number), "FS-AMB-54")
        raise GroupLocked(f"A new group can take its place once round {number} is over.", [fault])
    return True


def _refuse_locked(state: Tournament, player: Player, context: Context) -> None:
    """Raises GroupLocked once an accepted list is immutable, and where nobody new enters any more. FS-GRP-13."""
    entries = state.entries
    if entries.registration_open and not state.has_begun:
        return
    since = "Round 1 is paired" if state.has_begun else "Registration is closed"
    if player.id in ENLISTED.of(state).groups:
        fault = Fault("/player", player.id, expects("player-without-accepted-group"), "FS-GRP-13")
        raise GroupLocked(f"{since}; the group stands as it was accepted.", [fault])
    ruleset = rules_of(entries)
    if ruleset.entry.late == "none":
        option = allowing_option(ruleset, "/entry/late", lambda late: late != "none")
        unless = f" without {option.text}" if option else ""
        raise GroupLocked(f"{since}; this ruleset takes in no further groups{unless}.", clause="FS-GRP-13")
    if not (player.late or context.by.staff):
        raise GroupLocked(f"{since}; staff can hand in a group only for a player who had none.", clause="FS-GRP-13")


def _complete(state: Tournament, rules: Rules, builder: DecisionBuilder, context: Context) -> None:
    """Leader and rating of a group that has its turfs; nothing before. FS-LDR-1, FS-RAT-3."""
    if not turfs_to_roll(rules, builder.group):
        builder.record(*appoint_leader(rules, builder.group, context.draws, building_round(state)))
        builder.record(finalise_rating(rules, builder.group))


def _rules(state: Tournament) -> Rules:
    return rules_at(state.entries, building_round(state))


def _placed(fault: Fault, number: int) -> Fault:
    """A fault of one roll, at its place among those that were sent."""
    prefix = "/roll/"
    where = fault.where
    return replace(fault, where=f"/rolls/{number}/{where.removeprefix(prefix)}") if where.startswith(prefix) else fault


class MoveRuleset(Command, frozen=True, kw_only=True):
    """ruleset: the whole pack with the options in force. given: the member of the request that it came from."""

    from_round: int
    ruleset: dict[str, Any]
    given: str
    reason: Reason


CLAUSE = "FS-AUD-3"
"""What a campaign is played by is pinned, and named by every roll."""
_VERSION = re.compile(r"-\d+(\.\d+)*$")


def move(state: Tournament, command: MoveRuleset, context: Context) -> Sequence[Event]:
    """The whole new pack, from a round that is not paired yet; the same game, with the options that were announced.

    Raises RulesetMoveRefused with every fault. Source: FS-AUD-3.
    """
    entries = require_running(state)
    now, then = campaign_ruleset(entries, command.from_round), from_json(command.ruleset)
    faults = [*_faults_of_round(state, now, command.from_round)]
    if isinstance(then, CampaignRuleset):
        faults += _faults_of_pack(now, then, command.given)
        faults += _faults_of_groups(state, then.rules, command.given)
    else:
        expected = expects("ruleset-of-format", formats=[now.format])
        faults.append(Fault(f"/{command.given}", then.format, expected, CLAUSE))
    if faults:
        raise RulesetMoveRefused("The campaign cannot move to this ruleset.", faults)
    return [RulesetMoved(from_round=command.from_round, ruleset=command.ruleset, reason=command.reason)]


def options_in_force(entries: Entries, round: int) -> dict[str, Setting | dict[str, int]]:
    """Every option of the ruleset of a round as it stands: as it was chosen, or by default."""
    ruleset = campaign_ruleset(entries, round)
    standing = {option.key: option.default for option in ruleset.options if option.default is not None}
    return {**standing, **ruleset.chosen}


def _faults_of_round(state: Tournament, now: CampaignRuleset, from_round: int) -> Iterator[Fault]:
    paired, last = latest_round(state), now.rules.options.rounds
    if from_round <= paired:
        expected = expects("round-after-paired", least=paired + 1, paired=paired)
        yield Fault("/from_round", f"{from_round}", expected, CLAUSE)
    if from_round > last:
        yield Fault("/from_round", f"{from_round}", expects("at-most-rounds", most=last), "FS-LGE-3")
    latest = max((known.from_round for known in state.entries.moves), default=0)
    if from_round < latest:
        yield Fault("/from_round", f"{from_round}", expects("round-after-move", least=latest), CLAUSE)


def _faults_of_pack(now: CampaignRuleset, then: CampaignRuleset, given: str) -> Iterator[Fault]:
    family = _VERSION.sub("", now.id)
    if _VERSION.sub("", then.id) != family:
        yield Fault(f"/{given}", then.id, expects("version-of-ruleset", ruleset=family), CLAUSE)
    if replace(now, chosen={}) == replace(then, chosen={}):
        yield Fault(f"/{given}", f"{then.id} {then.version}", expects("other-version"), CLAUSE)
    before, after = to_builtins(now.rules.options), to_builtins(then.rules.options)
    for key in before:
        if before[key] != after.get(key):
            expected = expects("option-as-announced", option=key, value=to_short_json(before[key]))
            yield Fault(f"/{given}", to_short_json(after.get(key)), expected, CLAUSE)


def _faults_of_groups(state: Tournament, rules: Rules, given: str) -> Iterator[Fault]:
    """What groups are and own has to be in the new tables too."""
    known = {
        "forces": set(rules.forces),
        "goods": set(rules.goods),
        "turfs": {turf.turf for turf in rules.turfs},
        "injuries": {injury.injury for injury in rules.injuries},
        "advancement/perks": set(rules.advancement.perks),
    }
    for group in {**ENLISTED.of(state).groups, **current_groups(state)}.values():
        for table, key in _named(group):
            if key not in known[table]:
                expected = expects("known-to-group", key=key, group=group.id)
                yield Fault(f"/{given}/rules/{table}", "nothing", expected, CLAUSE)


def _named(group: Group) -> list[tuple[str, str]]:
    """Everything of the tables that a group names: (table, key), each once."""
    found = [("forces", group.force), *(("goods", item.good) for item in group.items)]
    found += [("turfs", owned.turf) for owned in group.turfs]
    for member in group.members:
        found += [("injuries", injury) for injury in member.injuries]
        found += [("advancement/perks", held.perk) for held in member.perks]
        found += [("goods", drug) for drug in member.addictions]
    return list(dict.fromkeys(found))


class Difference(Struct, frozen=True):
    """A value that changed. where: its JSON pointer. None: it is on one side only."""

    where: str
    before: Any
    after: Any


def differences(before: Any, after: Any, where: str = "") -> Iterator[Difference]:
    """Every value in which two plain trees differ, in the order of the first; rows of lists go by their number."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key), after.get(key), f"{where}/{_escaped(key)}")
    elif isinstance(before, list) and isinstance(after, list):
        for number in range(max(len(before), len(after))):
            one, other = (side[number] if number < len(side) else None for side in (before, after))
            yield from differences(one, other, f"{where}/{number}")
    else:
        yield Difference(where, before, after)


def _escaped(key: str) -> str:
    """A key as RFC 6901 writes it."""
    return key.replace("~", "~0").replace("/", "~1")


class GroupLocked(Refusal):
    """The group of a campaign stands: registration is closed, or round 1 is paired."""

    code = "group-locked"


class GroupMissing(Refusal):
    """The player has not handed in a group."""

    code = "group-missing"


class RulesetMoveRefused(Refusal):
    """A campaign cannot be played on by this ruleset, or not from this round; faults name every one."""

    code = "ruleset-move-refused"


LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "group": ("registration", "/players/{player}/group"),
        "game": ("pairing", "/players/{player}/pairing"),
        "standing": ("scoring", "/standings/{player}"),
    }
)
ON_PURPOSE = (ROUNDS,)
