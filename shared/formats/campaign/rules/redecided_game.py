"""Made again: how groups enter, what comes before a game, how it ends, injuries, rewards and experience. FS-AUD-2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from shared.formats.campaign.rules import advancement, injuries, muster, rewards
from shared.formats.campaign.rules import game_outcomes as game
from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules.deeds import jailers_among
from shared.formats.campaign.rules.dice import DieRolled, Thrown
from shared.formats.campaign.rules.experience import award_experience
from shared.formats.campaign.rules.group import Enlisted, Submission, accept_group
from shared.formats.campaign.rules.hunger import eat_blind
from shared.formats.campaign.rules.leader import appoint_leader
from shared.formats.campaign.rules.opening import open_after_bye, open_post_game
from shared.formats.campaign.rules.outcomes import (
    AdvancementRolled,
    CharacteristicRaised,
    CleanHomeChosen,
    ExperienceAwarded,
    ExperienceChanged,
    FullyRecovered,
    GroupAccepted,
    GroupEntered,
    GroupRatingFinalised,
    GroupRestored,
    InjuryHealed,
    InjuryRolled,
    InjurySuffered,
    JailEscaped,
    LeaderAppointed,
    LevelReached,
    MemberIncarcerated,
    MemberRemoved,
    PerkChosen,
    PostGameOpened,
    RerollUsed,
    RewardClaimed,
    RewardForgone,
    StepClosed,
    TurfGained,
    TurfLost,
)
from shared.formats.campaign.rules.payloads import GroupBefore, GroupBuilt
from shared.formats.campaign.rules.post_game import close_step
from shared.formats.campaign.rules.rating import finalise_rating
from shared.formats.campaign.rules.redecided import AuditContext, Way, Ways, as_thrown
from shared.formats.campaign.rules.report import accept_report, end_of_game
from shared.formats.campaign.rules.reported import Deeds, Played, Search, SideReport
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import rivals_of
from shared.formats.campaign.rules.steps import closed
from shared.formats.campaign.rules.turf import roll_turf, take_turf
from shared.formats.campaign.rules.words import CampaignEvent, Events


def _accepted(scene: AuditContext, head: GroupAccepted) -> Iterator[Way]:
    """The list as it was handed in is in the group that it became: members with what they carry, then the stash."""
    group = head.accepted.state
    members = tuple(
        Enlisted(member.rank, member.name, tuple(item.good for item in group.held_by(member.id)))
        for member in group.members
    )
    stash = tuple(item.good for item in group.items if not item.holder)
    submission = Submission(group.force, members, stash)
    before = scene.group
    yield lambda: [accept_group(scene.rules, group.id, submission, before.serial, before.turfs)]


def _entered(scene: AuditContext, head: GroupEntered) -> Iterator[Way]:
    built = scene.built
    if built is not None:
        yield lambda: [GroupEntered(GroupBuilt.of(built))]


def _restored(scene: AuditContext, head: GroupRestored) -> Iterator[Way]:
    """As it was before its game, but for the ids given since, which are not given again. FS-REP-5, FS-GRP-13."""
    before = scene.before
    if before is not None:
        yield lambda: [GroupRestored(GroupBefore.of(replace(before, serial=scene.group.serial)), head.reason)]


def _mustered(scene: AuditContext, head: game.RosterMustered) -> Iterator[Way]:
    yield lambda: [replace(muster.muster(scene.rules, scene.group, head.fielded), game=scene.game)]


def _jammed(scene: AuditContext, head: game.WeaponJamRolled) -> Iterator[Way]:
    yield lambda: muster.roll_jam(scene.rules, scene.group, scene.mustered, head.item, scene.rolls[0])


def _judged(scene: AuditContext, head: game.EvilJudged) -> Iterator[Way]:
    """A rival of its game, and nobody else."""
    if head.rival in rivals_of(scene.sides, scene.group.id):
        yield lambda: muster.judge_evil(scene.rules, scene.group, scene.groups[head.rival], scene.rolls[0])


def _objective(scene: AuditContext, head: game.ObjectiveRolled) -> Iterator[Way]:
    yield lambda: muster.roll_objective(scene.rules, scene.rolls[0])


def _ended(scene: AuditContext, head: game.GameEnded) -> Iterator[Way]:
    report = scene.report
    if report is not None:
        yield lambda: end_of_game(scene.rules, replace(report, end_roll=scene.rolls[0]))


def _opened(scene: AuditContext, head: PostGameOpened) -> Iterator[Way]:
    """After a game as its report has it, or as if there had been one."""
    told = head.phase.played
    if scene.report is None and told.ending in ("bye", "no_show"):
        yield lambda: open_after_bye(scene.rules, scene.group, scene.round, scene.unplayed)
        return
    at_table: dict[str, Thrown] = {}
    if scene.rules.options.injury_roll_time == "at_table":
        rolled = (outcome for outcome in scene.rest if isinstance(outcome, DieRolled) and outcome.row)
        at_table = {roll.member: as_thrown(roll) for roll in rolled if roll.purpose == "FS-INJ-1"}

    def open() -> Events:
        played = _played(scene, told)
        jailers = jailers_among(scene.rules, [scene.groups[id] for id in played.rivals if id in scene.groups])
        return open_post_game(
            scene.rules, scene.group, scene.round, played, scene.seed, jailers=jailers, at_table=at_table
        )

    yield open


def _played(scene: AuditContext, told: Played) -> Played:
    """The game as the report that binds has it for this group; its rolls got their ids when it did.

    Where no report is on record, as it was told. Raises ReportRefused.
    """
    if scene.report is None:
        return told
    sides = tuple(_with_ids(side, told.side) if side.group == told.side.group else side for side in scene.report.sides)
    report = replace(scene.report, sides=sides)
    played = accept_report(scene.rules, report, scene.met, scene.fielded, scene.sides)
    return next((part for part in played if part.side.group == scene.group.id), told)


def _with_ids(side: SideReport, told: SideReport) -> SideReport:
    """A side with its rolls as they were recorded, where these have the same faces."""
    known = {deeds.member: deeds for deeds in told.members}
    members = tuple(_rolls_of(deeds, known.get(deeds.member, deeds)) for deeds in side.members)
    searches = tuple(map(_search_recorded, side.searches, told.searches))
    freed = tuple(
        replace(one, roll=_recorded(one.roll, other.roll)) for one, other in zip(side.freed, told.freed, strict=False)
    )
    return replace(
        side,
        members=members,
        searches=searches if len(searches) == len(side.searches) else side.searches,
        freed=freed if len(freed) == len(side.freed) else side.freed,
    )


def _search_recorded(found: Search, told: Search) -> Search:
    amount = _recorded(found.amount, told.amount) if found.amount and told.amount else found.amount
    return replace(found, roll=_recorded(found.roll, told.roll), amount=amount)


def _rolls_of(deeds: Deeds, told: Deeds) -> Deeds:
    doses = tuple(
        replace(dose, roll=_recorded(dose.roll, recorded.roll))
        for dose, recorded in zip(deeds.doses, told.doses, strict=False)
    )
    injury = _recorded(deeds.injury, told.injury) if deeds.injury and told.injury else deeds.injury
    return replace(deeds, doses=doses if len(doses) == len(deeds.doses) else deeds.doses, injury=injury)


def _recorded(roll: Thrown, told: Thrown) -> Thrown:
    """The roll as it was recorded, if that is the same one: left to the service, or with the same faces."""
    return told if not roll.dice or roll.dice == told.dice else roll


def _injury(scene: AuditContext, head: InjuryRolled) -> Iterator[Way]:
    yield lambda: injuries.roll_injury(scene.rules, scene.group, head.member, scene.rolls[0], scene.seed)


def _taken(scene: AuditContext, head: InjurySuffered | FullyRecovered) -> Iterator[Way]:
    """By its owner, or because the step closes."""
    yield lambda: injuries.take_injury(scene.rules, scene.group, head.member, scene.seed)


def _removed(scene: AuditContext, head: MemberRemoved) -> Iterator[Way]:
    match head.why:
        case "dead":
            yield lambda: injuries.take_injury(scene.rules, scene.group, head.member, scene.seed)
        case "killed_by_own":
            yield lambda: injuries.dismiss_blind(scene.rules, scene.group, head.member, "kill", scene.seed)
        case "sent_away":
            yield lambda: injuries.dismiss_blind(scene.rules, scene.group, head.member, "send_away", scene.seed)
        case "eaten":
            yield lambda: eat_blind(scene.rules, scene.group, head.member, scene.seed)


def _rerolled(scene: AuditContext, head: RerollUsed | InjuryHealed) -> Iterator[Way]:
    yield lambda: injuries.reroll_injury(scene.rules, scene.group, head.member)


def _home(scene: AuditContext, head: CleanHomeChosen) -> Iterator[Way]:
    yield lambda: injuries.choose_clean_home(scene.rules, scene.group, head.choice, head.member, scene.seed)


def _jail(scene: AuditContext, head: JailEscaped | MemberIncarcerated) -> Iterator[Way]:
    yield lambda: injuries.check_jail(scene.rules, scene.group, head.member, scene.rolls[0])


def _claimed(scene: AuditContext, head: RewardClaimed) -> Iterator[Way]:
    """The choice is in what was healed or gained by it."""
    healed, gained = scene.next(InjuryHealed), scene.next(earned.ItemGained)
    claim = rewards.Claim(
        healed.member if healed else "",
        healed.injury if healed else "",
        gained.item.good if gained else "",
        scene.rolls[0] if scene.rolls else None,
    )
    yield lambda: rewards.claim_reward(scene.rules, scene.group, claim, scene.seed)


def _forgone(scene: AuditContext, head: RewardForgone) -> Iterator[Way]:
    """Aloud, or because nobody can take it when the step closes."""
    if head.why:
        yield lambda: close_step(scene.rules, scene.group, "1b", scene.seed)
    else:
        yield lambda: rewards.forgo_reward(scene.rules, scene.group)


def _turf(scene: AuditContext, head: TurfGained) -> Iterator[Way]:
    """By dice at the start, or won; one that was taken is looked at with those of each loser. FS-AMB-33, FS-AUD-2."""
    if head.clause == "FS-TRF-1":
        yield lambda: roll_turf(scene.rules, scene.group, scene.rolls[0])
    elif head.roll:
        yield lambda: rewards.claim_turf(scene.rules, scene.group, scene.rolls[0])
    elif scene.group.phase is not None:
        losers = [scene.groups[id] for id in scene.group.phase.played.rivals if id in scene.groups]
        for rival, owned in [(loser, turf) for loser in losers for turf in loser.turfs]:

            def take(loser: Group = rival, turf: str = owned.id) -> Events:
                return take_turf(scene.rules, scene.group, loser, turf)[:1]

            yield take


def _turf_lost(scene: AuditContext, head: TurfLost) -> Iterator[Way]:
    """To a winner of its game."""
    for winner in scene.groups.values():
        if winner.phase is not None and scene.group.id in winner.phase.played.rivals:

            def lose(winner: Group = winner) -> Events:
                return take_turf(scene.rules, winner, scene.group, head.turf)[1:]

            yield lose


def _experience(scene: AuditContext, head: CampaignEvent) -> Iterator[Way]:
    yield lambda: award_experience(scene.rules, scene.group, scene.dead)


def _advanced(scene: AuditContext, head: AdvancementRolled) -> Iterator[Way]:
    yield lambda: advancement.roll_advancement(scene.rules, scene.group, head.member, scene.rolls[0])


def _raised(scene: AuditContext, head: CharacteristicRaised) -> Iterator[Way]:
    yield lambda: advancement.choose_attribute(scene.rules, scene.group, head.member, head.attribute)


def _perk(scene: AuditContext, head: PerkChosen) -> Iterator[Way]:
    yield lambda: advancement.choose_perk(scene.rules, scene.group, head.member, head.perk)


def _closed(scene: AuditContext, head: CampaignEvent) -> Iterator[Way]:
    """The end of a step, with the leader and the rating that it brings; while a group is built, these alone."""
    phase = scene.group.phase
    if phase is None:
        yield lambda: appoint_leader(scene.rules, scene.group, scene.seed, scene.round)
        yield lambda: [finalise_rating(scene.rules, scene.group)]
    elif phase.step == "4" and (scene.pool is None or not scene.pool.order):
        yield lambda: [closed(scene.rules, "4")]
    else:
        yield lambda: close_step(scene.rules, scene.group, phase.step, scene.seed)


OF_GAME: Mapping[type[Any], Ways] = {
    GroupAccepted: _accepted,
    GroupEntered: _entered,
    GroupRestored: _restored,
    game.RosterMustered: _mustered,
    game.WeaponJamRolled: _jammed,
    game.EvilJudged: _judged,
    game.ObjectiveRolled: _objective,
    game.GameEnded: _ended,
    PostGameOpened: _opened,
    InjuryRolled: _injury,
    InjurySuffered: _taken,
    FullyRecovered: _taken,
    MemberRemoved: _removed,
    RerollUsed: _rerolled,
    InjuryHealed: _rerolled,
    CleanHomeChosen: _home,
    JailEscaped: _jail,
    MemberIncarcerated: _jail,
    RewardClaimed: _claimed,
    RewardForgone: _forgone,
    TurfGained: _turf,
    TurfLost: _turf_lost,
    ExperienceChanged: _experience,
    LevelReached: _experience,
    ExperienceAwarded: _experience,
    AdvancementRolled: _advanced,
    CharacteristicRaised: _raised,
    PerkChosen: _perk,
    LeaderAppointed: _closed,
    GroupRatingFinalised: _closed,
    StepClosed: _closed,
}
"""Kind of head -> how its decision is made again."""
