"""Made again: how groups enter, what comes before a game, how it ends, injuries, rewards and experience."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from shared.rules.campaign import advancement, injuries, muster, rewards
from shared.rules.campaign import game_outcomes as game
from shared.rules.campaign import income_outcomes as earned
from shared.rules.campaign import outcomes as said
from shared.rules.campaign.dice import DieRolled, Thrown
from shared.rules.campaign.experience import award_experience
from shared.rules.campaign.group import Enlisted, Submission, accept_group
from shared.rules.campaign.hunger import eat_blind
from shared.rules.campaign.leader import appoint_leader
from shared.rules.campaign.opening import open_after_bye, open_post_game
from shared.rules.campaign.post_game import close_step
from shared.rules.campaign.rating import finalise_rating
from shared.rules.campaign.report import accept_report, end_of_game
from shared.rules.campaign.reported import Deeds, Played, Search, SideReport
from shared.rules.campaign.retold import Scene, Way, Ways, as_thrown
from shared.rules.campaign.roster import Group
from shared.rules.campaign.steps import closed
from shared.rules.campaign.turf import roll_turf, take_turf
from shared.rules.campaign.words import Outcome


def _accepted(scene: Scene, head: said.GroupAccepted) -> Iterator[Way]:
    """The list as it was handed in is in the group that it became: members with what they carry, then the stash."""
    group = head.accepted
    members = tuple(
        Enlisted(member.rank, member.name, tuple(item.good for item in group.held_by(member.id)))
        for member in group.members
    )
    stash = tuple(item.good for item in group.items if not item.holder)
    submission = Submission(group.force, members, stash)
    before = scene.group
    yield lambda: [accept_group(scene.rules, group.id, submission, before.serial, before.turfs)]


def _entered(scene: Scene, head: said.GroupEntered) -> Iterator[Way]:
    built = scene.built
    if built is not None:
        yield lambda: [said.GroupEntered(built)]


def _restored(scene: Scene, head: said.GroupRestored) -> Iterator[Way]:
    """As it was before its game, but for the ids given since, which are not given again. FS-REP-5, FS-GRP-13."""
    before = scene.before
    if before is not None:
        yield lambda: [said.GroupRestored(replace(before, serial=scene.group.serial), head.reason)]


def _mustered(scene: Scene, head: game.RosterMustered) -> Iterator[Way]:
    yield lambda: [replace(muster.muster(scene.rules, scene.group, head.fielded), game=scene.game)]


def _jammed(scene: Scene, head: game.WeaponJamRolled) -> Iterator[Way]:
    yield lambda: muster.roll_jam(scene.rules, scene.group, scene.mustered, head.item, scene.rolls[0])


def _judged(scene: Scene, head: game.EvilJudged) -> Iterator[Way]:
    yield lambda: muster.judge_evil(scene.rules, scene.group, scene.groups[head.rival], scene.rolls[0])


def _objective(scene: Scene, head: game.ObjectiveRolled) -> Iterator[Way]:
    yield lambda: muster.roll_objective(scene.rules, scene.rolls[0])


def _ended(scene: Scene, head: game.GameEnded) -> Iterator[Way]:
    report = scene.report
    if report is not None:
        yield lambda: end_of_game(scene.rules, replace(report, end_roll=scene.rolls[0]))


def _opened(scene: Scene, head: said.PostGameOpened) -> Iterator[Way]:
    """After a game as its report has it, or as if there had been one."""
    told = head.phase.played
    if told.ending in ("bye", "no_show"):
        yield lambda: open_after_bye(scene.rules, scene.group, scene.round, told.ending)
        return
    rival = scene.groups.get(told.rival)
    jailer = rival is not None and scene.rules.forces[rival.force].special.jail_caps > 0
    at_table: dict[str, Thrown] = {}
    if scene.rules.options.injury_roll_time == "at_table":
        rolled = (outcome for outcome in scene.rest if isinstance(outcome, DieRolled) and outcome.row)
        at_table = {roll.member: as_thrown(roll) for roll in rolled if roll.purpose == "FS-INJ-1"}

    def open() -> list[Outcome]:
        played = _played(scene, told)
        return open_post_game(
            scene.rules, scene.group, scene.round, played, scene.seed, jailer=jailer, at_table=at_table
        )

    yield open


def _played(scene: Scene, told: Played) -> Played:
    """The game as the report that binds has it for this group; its rolls got their ids when it did.

    Where no report is on record, as it was told. Raises ReportRefused.
    """
    if scene.report is None:
        return told
    sides = tuple(_with_ids(side, told.side) if side.group == told.side.group else side for side in scene.report.sides)
    report = replace(scene.report, sides=sides)
    played = accept_report(scene.rules, report, scene.met, scene.fielded)
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


def _injury(scene: Scene, head: said.InjuryRolled) -> Iterator[Way]:
    yield lambda: injuries.roll_injury(scene.rules, scene.group, head.member, scene.rolls[0], scene.seed)


def _taken(scene: Scene, head: said.InjurySuffered | said.FullyRecovered) -> Iterator[Way]:
    """By its owner, or because the step closes."""
    yield lambda: injuries.take_injury(scene.rules, scene.group, head.member, scene.seed)


def _removed(scene: Scene, head: said.MemberRemoved) -> Iterator[Way]:
    match head.why:
        case "dead":
            yield lambda: injuries.take_injury(scene.rules, scene.group, head.member, scene.seed)
        case "killed_by_own":
            yield lambda: injuries.dismiss_blind(scene.rules, scene.group, head.member, "kill", scene.seed)
        case "sent_away":
            yield lambda: injuries.dismiss_blind(scene.rules, scene.group, head.member, "send_away", scene.seed)
        case "eaten":
            yield lambda: eat_blind(scene.rules, scene.group, head.member, scene.seed)


def _rerolled(scene: Scene, head: said.RerollUsed | said.InjuryHealed) -> Iterator[Way]:
    yield lambda: injuries.reroll_injury(scene.rules, scene.group, head.member)


def _home(scene: Scene, head: said.CleanHomeChosen) -> Iterator[Way]:
    yield lambda: injuries.choose_clean_home(scene.rules, scene.group, head.choice, head.member, scene.seed)


def _jail(scene: Scene, head: said.JailEscaped | said.MemberIncarcerated) -> Iterator[Way]:
    yield lambda: injuries.check_jail(scene.rules, scene.group, head.member, scene.rolls[0])


def _claimed(scene: Scene, head: said.RewardClaimed) -> Iterator[Way]:
    """The choice is in what was healed or gained by it."""
    healed, gained = scene.next(said.InjuryHealed), scene.next(earned.ItemGained)
    claim = rewards.Claim(
        healed.member if healed else "",
        healed.injury if healed else "",
        gained.item.good if gained else "",
        scene.rolls[0] if scene.rolls else None,
    )
    yield lambda: rewards.claim_reward(scene.rules, scene.group, claim, scene.seed)


def _forgone(scene: Scene, head: said.RewardForgone) -> Iterator[Way]:
    """Aloud, or because nobody can take it when the step closes."""
    if head.why:
        yield lambda: close_step(scene.rules, scene.group, "1b", scene.seed)
    else:
        yield lambda: rewards.forgo_reward(scene.rules, scene.group)


def _turf(scene: Scene, head: said.TurfGained) -> Iterator[Way]:
    """By dice at the start, or won; one that was taken is looked at with the loser's."""
    if head.clause == "FS-TRF-1":
        yield lambda: roll_turf(scene.rules, scene.group, scene.rolls[0])
    elif head.roll:
        yield lambda: rewards.claim_turf(scene.rules, scene.group, scene.rolls[0])
    elif (phase := scene.group.phase) is not None and phase.played.rival in scene.groups:
        loser = scene.groups[phase.played.rival]
        for owned in loser.turfs:

            def take(turf: str = owned.id) -> list[Outcome]:
                return take_turf(scene.rules, scene.group, loser, turf)[0]

            yield take


def _turf_lost(scene: Scene, head: said.TurfLost) -> Iterator[Way]:
    """To the winner of its game."""
    for winner in scene.groups.values():
        if winner.phase is not None and winner.phase.played.rival == scene.group.id:

            def lose(winner: Group = winner) -> list[Outcome]:
                return take_turf(scene.rules, winner, scene.group, head.turf)[1]

            yield lose


def _experience(scene: Scene, head: Outcome) -> Iterator[Way]:
    yield lambda: award_experience(scene.rules, scene.group, scene.dead)


def _advanced(scene: Scene, head: said.AdvancementRolled) -> Iterator[Way]:
    yield lambda: advancement.roll_advancement(scene.rules, scene.group, head.member, scene.rolls[0])


def _raised(scene: Scene, head: said.CharacteristicRaised) -> Iterator[Way]:
    yield lambda: advancement.choose_attribute(scene.rules, scene.group, head.member, head.attribute)


def _perk(scene: Scene, head: said.PerkChosen) -> Iterator[Way]:
    yield lambda: advancement.choose_perk(scene.rules, scene.group, head.member, head.perk)


def _closed(scene: Scene, head: Outcome) -> Iterator[Way]:
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
    said.GroupAccepted: _accepted,
    said.GroupEntered: _entered,
    said.GroupRestored: _restored,
    game.RosterMustered: _mustered,
    game.WeaponJamRolled: _jammed,
    game.EvilJudged: _judged,
    game.ObjectiveRolled: _objective,
    game.GameEnded: _ended,
    said.PostGameOpened: _opened,
    said.InjuryRolled: _injury,
    said.InjurySuffered: _taken,
    said.FullyRecovered: _taken,
    said.MemberRemoved: _removed,
    said.RerollUsed: _rerolled,
    said.InjuryHealed: _rerolled,
    said.CleanHomeChosen: _home,
    said.JailEscaped: _jail,
    said.MemberIncarcerated: _jail,
    said.RewardClaimed: _claimed,
    said.RewardForgone: _forgone,
    said.TurfGained: _turf,
    said.TurfLost: _turf_lost,
    said.ExperienceChanged: _experience,
    said.LevelReached: _experience,
    said.ExperienceAwarded: _experience,
    said.AdvancementRolled: _advanced,
    said.CharacteristicRaised: _raised,
    said.PerkChosen: _perk,
    said.LeaderAppointed: _closed,
    said.GroupRatingFinalised: _closed,
    said.StepClosed: _closed,
}
"""Kind of head -> how its decision is made again."""
