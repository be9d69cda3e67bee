"""Decisions about groups of a campaign: what a player hands in, and the starting turfs that complete it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins
from msgspec.structs import replace

from services.registration.campaign.commands import RollTurfs, SubmitGroup
from services.registration.tournament.refusals import GroupLocked, GroupMissing, NotYours
from services.registration.tournament.state import active_player, own_or_staff, player_of
from shared.campaign.dice import DiceSource, Questions, RollPurpose, read_rolls
from shared.campaign.group import Enlisted, Submission, accept_group, appoint_leader, finalise_rating
from shared.campaign.league import before_building, building_round, present_at_building, round_at_hand
from shared.campaign.rewards import roll_turf
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN, ENLISTED, campaign_of, versions_at
from shared.campaign.steps import DecisionBuilder
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, DiceRefused
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.rules.parts import allowing
from shared.tournament.format import rules_of
from shared.tournament.guards import Context, running
from shared.tournament.people import Player
from shared.tournament.state import Tournament

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
    before = before_building(state, player.id)
    rules = _rules(state)
    builder = DecisionBuilder(Group(player.id, ""), round=building_round(state), cause=ACCEPTING)
    builder.say(accept_group(rules, player.id, _submission(command), before.serial, before.turfs))
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
    rolls = read_rolls(to_builtins(command.rolls))
    if len(rolls) > left:
        expected = expects("at-most-starting-rolls", most=left, all=rules.core.starting_turfs)
        raise ChoiceRefused(
            f"The group has {len(group.turfs)} turfs.",
            [Fault("/rolls", f"{len(rolls)}", expected, "FS-TRF-1")],
        )
    present = present_at_building(state)
    versions = versions_at(state.entries, building_round(state))
    enlisted, round = ENLISTED.of(state), building_round(state)
    questions = Questions(context.draws, lambda group: f"round {round}", enlisted.dice)
    dice_source = DiceSource("e", enlisted.rolled, questions, present, rolls, roller=player.id, versions=versions)
    builder = DecisionBuilder(group, round=round, cause=ROLLING)
    faults: list[Fault] = []
    for number in range(len(rolls)):
        try:
            builder.say(*roll_turf(rules, builder.group, dice_source.next("2D12", RollPurpose(player.id, "FS-TRF-1"))))
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
    entries = running(state)
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
    number = round_at_hand(state)
    option = _rules(state).options.wiped_out
    if option != "new_group_500":
        fault = Fault("/player", player, expects("player-with-members"), "FS-AMB-54")
        raise GroupLocked("The group is out of the campaign.", [fault])
    if number not in state.results.closed:
        fault = Fault("/player", player, expects("same-player-after-round", round=number), "FS-AMB-54")
        raise GroupLocked(f"A new group can take its place once round {number} is over.", [fault])
    return True


def _refuse_locked(state: Tournament, player: Player, context: Context) -> None:
    """Raises GroupLocked once an accepted list is immutable, and where nobody new enters any more. FS-GRP-13."""
    entries = state.entries
    if entries.registration_open and not state.begun:
        return
    since = "Round 1 is paired" if state.begun else "Registration is closed"
    if player.id in ENLISTED.of(state).groups:
        fault = Fault("/player", player.id, expects("player-without-accepted-group"), "FS-GRP-13")
        raise GroupLocked(f"{since}; the group stands as it was accepted.", [fault])
    ruleset = rules_of(entries)
    if ruleset.entry.late == "none":
        option = allowing(ruleset, "/entry/late", lambda late: late != "none")
        unless = f" without {option.said}" if option else ""
        raise GroupLocked(f"{since}; this ruleset takes in no further groups{unless}.", clause="FS-GRP-13")
    if not (player.late or context.by.staff):
        raise GroupLocked(f"{since}; staff can hand in a group only for a player who had none.", clause="FS-GRP-13")


def _complete(state: Tournament, rules: Rules, builder: DecisionBuilder, context: Context) -> None:
    """Leader and rating of a group that has its turfs; nothing before. FS-LDR-1, FS-RAT-3."""
    if not turfs_to_roll(rules, builder.group):
        builder.say(*appoint_leader(rules, builder.group, context.draws, building_round(state)))
        builder.say(finalise_rating(rules, builder.group))


def _rules(state: Tournament) -> Rules:
    return campaign_of(state.entries, building_round(state))


def _placed(fault: Fault, number: int) -> Fault:
    """A fault of one roll, at its place among those that were sent."""
    prefix = "/roll/"
    where = fault.where
    return replace(fault, where=f"/rolls/{number}/{where.removeprefix(prefix)}") if where.startswith(prefix) else fault
