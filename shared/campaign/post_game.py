"""From the game to the post-game phase: what the game itself did to the group, and who owes what. FS-RND-1."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shared.formats.campaign.rules import injuries
from shared.formats.campaign.rules.attributes import attribute, endurance_in_game
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, gain, room_for
from shared.formats.campaign.rules.deeds import injury_at_table
from shared.formats.campaign.rules.departures import Why, gain_rads, remove
from shared.formats.campaign.rules.dice import Thrown, check_succeeds, faces_of, halved, read_throw
from shared.formats.campaign.rules.encounters import Roll, search, try_collar
from shared.formats.campaign.rules.encounters_reported import collar_target, in_game, withdrawal
from shared.formats.campaign.rules.income_outcomes import ItemLost
from shared.formats.campaign.rules.outcomes import AddictionRolled, MemberReturned, PostGameOpened
from shared.formats.campaign.rules.payloads import PhaseBegun
from shared.formats.campaign.rules.refusals import StepRefused
from shared.formats.campaign.rules.reported import Deeds, Played, Search, SideReport
from shared.formats.campaign.rules.roster import Group, Step
from shared.formats.campaign.rules.steps import order_of, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects
from shared.rules.draw import Draws


def open_post_game(
    rules: Rules,
    group: Group,
    round: int,
    played: Played,
    draws: Draws,
    *,
    jailers: Collection[str] = (),
    at_table: Mapping[str, Thrown] = {},
) -> Events:
    """The phase after a game. What the report says happened to members and goods happens first.

    jailers: the rivals that take prisoners (`special.jail_caps`). at_table: injury rolls made in the game, which
    are wanted of everybody taken down exactly where the organiser has them made there (FS-AMB-4). Raises StepRefused
    or ChoiceRefused. FS-PGP-1, FS-INJ-5, FS-REP-2, FS-REP-3.
    """
    _not_open(group)
    builder = DecisionBuilder(group)
    begin = order_of(rules)[0]
    down = tuple(deeds.member for deeds in played.side.members if deeds.down is not None and not deeds.removed)
    caught = {deeds.member for deeds in played.side.members if played.taker(deeds.member) in jailers}
    wanted = {
        deeds.member for deeds in played.side.members if injury_at_table(rules, deeds, jailer=deeds.member in caught)
    }
    require(
        (
            Fault(
                f"/injuries/{id}",
                faces_of(at_table.get(id)),
                expects("roll-for-each-down"),
                "FS-AMB-4",
            )
            for id in sorted(wanted ^ set(at_table))
        ),
        "injury rolls do not fit",
    )
    jail = tuple(
        deeds.member for deeds in played.side.members if deeds.melee and deeds.member in caught and not deeds.removed
    )
    builder.say(PostGameOpened(PhaseBegun(round, begin, played, down, jail, _rerolls(rules, group))))
    for member in group.members:
        if member.away:
            builder.say(MemberReturned(member.id))
    for deeds in played.side.members:
        _after_game(rules, builder, deeds, draws)
    _brought_home(rules, builder, group, played.side)
    for id in down:
        if id in at_table and builder.group.member(id) is not None:
            builder.say(*injuries.roll_injury(rules, builder.group, id, at_table[id], draws))
    return builder.events


def open_after_bye(rules: Rules, group: Group, round: int, ending: str = "bye") -> Events:
    """The phase of a group that did not play, as if all of it had: from step 3, from 4, or none. FS-AMB-55."""
    _not_open(group)
    first: Mapping[str, Step | None] = {"from_step_3": "3", "from_step_4": "4", "none": None}
    step = first[rules.options.bye_post_game]
    if step is None:
        return []
    members = tuple(Deeds(member.id) for member in group.members)
    side = SideReport(group.id, 1, members=members)
    played = Played("no_show" if ending == "no_show" else "bye", side, group.leader)
    return [PostGameOpened(PhaseBegun(round, step, played, awarded=True, rewarded=True))]


def faults_of_correction(group: Group, round: int) -> list[Fault]:
    """Why the report of a round can no longer be voided and made anew: until step 2 closes it can. FS-REP-5.

    Later the organiser rules, with explicit ledger entries.
    """
    phase = group.phase
    if phase is not None and phase.round == round and phase.step in ("1", "1b", "2"):
        return []
    expected = expects("round-before-step-closes", round=round, step="2")
    return [Fault("/step", phase.step if phase else "nothing", expected, "FS-REP-5")]


def _not_open(group: Group) -> None:
    if group.phase is not None:
        fault = Fault("/phase", group.phase.step, expects("step-closed", step="9"), "FS-RND-1")
        raise StepRefused("the phase of the last round is not over", [fault])


def _rerolls(rules: Rules, group: Group) -> int:
    """One for each turf that gives one without a visit. FS-INJ-3, FS-AMB-32."""
    if rules.options.doctor_reroll == "needs_visit":
        return 0
    gives = {turf.turf: turf.feature.rerolls for turf in rules.turfs}
    return sum(gives[owned.turf] for owned in group.turfs)


def _after_game(rules: Rules, builder: DecisionBuilder, deeds: Deeds, draws: Draws) -> None:
    """Doses, things used, rads, and deaths of the game itself. FS-REP-2, FS-ADD-1, FS-INJ-4."""
    member = builder.group.member(deeds.member)
    if member is None:
        return
    worse = 2 * withdrawal(rules, builder.group, deeds)
    for dose in deeds.doses:
        item = builder.group.item(dose.item)
        assert item is not None, f"{dose.item} was checked with the report"
        endurance = endurance_in_game(rules, builder.group, builder.member(member.id))
        target = halved(endurance + attribute(rules, builder.group, builder.member(member.id), "L") - worse)
        rolled = read_throw(dose.roll, "1D12", "FS-ADD-1", member=member.id)
        addicted = not check_succeeds(rolled.natural, target)
        builder.say(ItemLost(item.id, "dose", "FS-ITM-2"), rolled)
        builder.say(AddictionRolled(member.id, item.good, addicted, rolled.roll))
    if deeds.removed:
        reason: Why = "radiation" if deeds.down == "radiation" else "terrain"
        remove(rules, builder, member.id, reason, "FS-INJ-4", draws, in_game=True)
        return
    used = [builder.group.item(id) for id in deeds.used]
    builder.say(*(ItemLost(item.id, "used in the game", "FS-ITM-2") for item in used if item))
    cleared = rules.core.radaway * sum(item is not None and rules.goods[item.good].use == "clear_rads" for item in used)
    change = max(deeds.rads - cleared, -member.rads)
    gain_rads(rules, builder, member.id, change, "game", "FS-REP-2", draws, in_game=True)


def _brought_home(rules: Rules, builder: DecisionBuilder, before: Group, side: SideReport) -> None:
    """What was found in encounters and obtained otherwise, and freed slaves, as far as the group has room.

    before: the group as it played. Source: FS-REP-3, FS-ENC-1 to FS-ENC-3, FS-GRP-5, FS-GRP-10.
    """
    did = {deeds.member: deeds for deeds in side.members}
    for found in side.searches:
        luck = in_game(rules, before, did[found.member], "L")
        builder.say(*search(rules, builder.group, found.member, found.at, luck, _told_with(found)))
    for good in side.loot:
        if not room_for(rules, builder.group, good):
            builder.say(*gain(builder.group, [good], "loot", "FS-REP-3"))
    for freed in side.freed:
        target = collar_target(rules, before, did[freed.member])
        builder.say(*try_collar(rules, builder.group, freed.member, freed.roll, target))


def _told_with(found: Search) -> Roll:
    """Return what answers with the dice that were told with the report, one throw after the other. FS-REP-3."""
    throws = iter([found.roll, *([found.amount] if found.amount else [])])
    return lambda *asked: next(throws)
