"""The state slices of a campaign: groups, musters, recruits, ratings and dice.

The same events change groups in registration, where they are built until round 1, and in scoring (FS-SVC-1). The
operator may move later rounds to another version of the ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from shared.campaign import muster, outcomes, post_game_outcomes
from shared.campaign.dice import DieRolled, KeptRoll, RolledDice
from shared.campaign.evolve import CHANGES, GroupChange, PhaseChange, apply_event
from shared.campaign.outcomes import (
    GroupEntered,
    GroupRatingFinalised,
    GroupRestored,
    MemberJoined,
    MemberRemoved,
    PostGameOpened,
    StepClosed,
)
from shared.campaign.report import GameEnded
from shared.campaign.roster import Group, Member, Recruit, RecruitPool
from shared.campaign.ruleset import CampaignRuleset, versions_of
from shared.campaign.statements import (
    STATEMENTS,
    RunningPhase,
    StatementDecidedAgain,
    StatementTakenBack,
    group_after,
    note_event,
    rolls_of,
)
from shared.campaign.table_dice import DICE_CHANGES, DieStatus, ReportedDie, discard_rolls, keep_roll
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent
from shared.tournament.format import read_ruleset, ruleset_cache
from shared.tournament.people import Entries
from shared.tournament.state import FormatState, Slice
from shared.tournament.statements import Cause, Statement, cause_of, decode_outcomes, outcomes_of

REGISTRATION_EVENTS: tuple[type[CampaignEvent], ...] = (
    outcomes.GroupAccepted,
    DieRolled,
    outcomes.TurfGained,
    outcomes.LeaderAppointed,
    outcomes.GroupRatingFinalised,
)
"""Events while a group is built before round 1, owned by registration (FS-SVC-1)."""

SCORING_EVENTS: tuple[type[CampaignEvent], ...] = (
    DieRolled,
    outcomes.GroupEntered,
    outcomes.GroupRestored,
    outcomes.TurfGained,
    outcomes.TurfLost,
    outcomes.LeaderAppointed,
    outcomes.MemberJoined,
    outcomes.MemberRemoved,
    outcomes.MemberCorrected,
    outcomes.MemberIncarcerated,
    outcomes.JailEscaped,
    outcomes.MemberReturned,
    outcomes.PostGameOpened,
    outcomes.StepClosed,
    outcomes.InjuryRolled,
    outcomes.InjurySuffered,
    outcomes.FullyRecovered,
    outcomes.InjuryHealed,
    outcomes.RerollUsed,
    outcomes.RerollGained,
    outcomes.CleanHomeChosen,
    outcomes.RewardClaimed,
    outcomes.RewardForgone,
    outcomes.ExperienceChanged,
    outcomes.LevelReached,
    outcomes.LevelsTakenBack,
    outcomes.ExperienceAwarded,
    outcomes.AdvancementRolled,
    outcomes.CharacteristicRaised,
    outcomes.PerkChosen,
    outcomes.RadsChanged,
    outcomes.AddictionRolled,
    outcomes.AddictionsCured,
    outcomes.InjuryDue,
    outcomes.GroupRatingFinalised,
    post_game_outcomes.NothingFound,
    post_game_outcomes.MemberActed,
    post_game_outcomes.ScavengingOpened,
    post_game_outcomes.ScavengingRolled,
    post_game_outcomes.UpkeepPaid,
    post_game_outcomes.EncounterMet,
    post_game_outcomes.EncounterDrawn,
    post_game_outcomes.EncounterResolved,
    post_game_outcomes.PlaceSearched,
    post_game_outcomes.SlavesAppeared,
    post_game_outcomes.CollarTried,
    post_game_outcomes.CapsMoved,
    post_game_outcomes.FoodMoved,
    post_game_outcomes.ItemGained,
    post_game_outcomes.ItemLost,
    post_game_outcomes.ItemMoved,
    post_game_outcomes.MemberFed,
    post_game_outcomes.MemberWentHungry,
    post_game_outcomes.EquipmentMaintained,
    post_game_outcomes.EquipmentNeglected,
    post_game_outcomes.RecruitPoolRolled,
    post_game_outcomes.RecruitOrderSet,
    post_game_outcomes.RecruitTurnPassed,
    post_game_outcomes.MerchantSought,
    post_game_outcomes.PriceQuoted,
    post_game_outcomes.OfferDeclined,
    post_game_outcomes.OfferTaken,
    post_game_outcomes.MoodChanged,
    post_game_outcomes.BuildingSearched,
    post_game_outcomes.CentaurJoined,
    post_game_outcomes.MembersSated,
    post_game_outcomes.FightersDrawn,
    post_game_outcomes.CannibalFightResolved,
    post_game_outcomes.BuildAttempted,
    post_game_outcomes.DoctorVisited,
    muster.RosterMustered,
    muster.WeaponJamRolled,
    muster.EvilJudged,
    GameEnded,
    muster.ObjectiveRolled,
    StatementTakenBack,
    StatementDecidedAgain,
)
"""All other events of a campaign, owned by scoring."""

BY_NAME: Mapping[str, type[CampaignEvent]] = {
    event.__name__: event for event in (*REGISTRATION_EVENTS, *SCORING_EVENTS)
}
"""Recorded type -> event class."""


StoredEvent = Any
"""The stored row of an event: `position`, `time`, `actor`."""


class HasGroups(Protocol):
    """A slice that holds groups. rolled: number of dice rolls so far, which numbers the next one."""

    groups: dict[str, Group]
    rolled: int


def slice_change(event: type[CampaignEvent]) -> Callable[[Any, Any, StoredEvent], None]:
    """Return the change that an event makes to a slice with groups."""
    if event is DieRolled:
        return _count_roll
    changes = CHANGES.get(event)
    return _no_change if changes is None else _group_fold(*changes)


def _group_fold(
    change: GroupChange | None, phase_change: PhaseChange | None
) -> Callable[[HasGroups, CampaignEvent, StoredEvent], None]:
    def fold(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
        id = event.group
        group = state.groups.get(id) or Group(id, "")
        state.groups[id] = apply_event(group, event, change, phase_change)

    return fold


def _count_roll(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
    state.rolled += 1


def _no_change(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
    """Change nothing. The event is for the record; its effects have events of their own."""


CHANGE_GROUPS: Mapping[type[CampaignEvent], Callable[[Any, Any, StoredEvent], None]] = {
    event: slice_change(event) for event in BY_NAME.values()
}
"""Event -> its change of groups."""


class Enlisted(FormatState):
    """State of registration's log: groups until they enter the campaign.

    groups: player -> group as accepted, with the turfs rolled so far.
    rolled: number of dice rolls so far.
    ratings: round -> group -> rating of a group that was complete for that round; 0 before the first pairing.
    reported_dice: roll id -> die rolled at the table.
    dice: every roll by its question.
    changed: group -> position of the last event about it.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    rolled: int = 0
    ratings: dict[int, dict[str, int]] = field(default_factory=dict)
    reported_dice: dict[str, ReportedDie] = field(default_factory=dict)
    dice: RolledDice = field(default_factory=RolledDice)
    changed: dict[str, int] = field(default_factory=dict)


ENLISTED = Slice("enlisted", Enlisted)


def _rate_enlisted(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[GroupRatingFinalised](state, event, stored)
    state.ratings.setdefault(event.round, {})[event.group] = event.rating


def _record_turf_roll(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[DieRolled](state, event, stored)
    keep_roll(state, event, stored)


def _noting_position(
    change: Callable[[Enlisted, Any, StoredEvent], None],
) -> Callable[[Enlisted, Any, StoredEvent], None]:
    def fold(state: Enlisted, event: Any, stored: StoredEvent) -> None:
        change(state, event, stored)
        if event.group:
            state.changed[event.group] = stored.position

    return fold


EVOLVE_ENLISTED: Mapping[type, Callable[[Enlisted, Any, StoredEvent], None]] = MappingProxyType(
    {event: _noting_position(CHANGE_GROUPS[event]) for event in REGISTRATION_EVENTS}
    | {GroupRatingFinalised: _noting_position(_rate_enlisted), DieRolled: _record_turf_roll}
)
"""Event -> its change of `Enlisted`."""


class Mustered(Struct, gc=False):
    """A group prepared for a game.

    round: the campaign round. game: id of the game.
    fielded: ids of the members who play.
    jammed: weapon -> whether its jam roll failed it.
    judged: rival group -> whether it was judged evil.
    objective: key of the objective; face: the face that gave it.
    """

    round: int
    fielded: tuple[str, ...]
    jammed: dict[str, bool] = field(default_factory=dict)
    judged: dict[str, bool] = field(default_factory=dict)
    objective: str = ""
    face: int = 0
    game: str = ""


class Campaign(FormatState):
    """State of scoring's log of a campaign.

    groups: player -> group. entered: player -> group as it last entered.
    before: groups before the game of their open phase.
    died: group -> members who died by the injury table since that game.
    mustered: group -> its muster for the current round.
    pool: recruits, while step 4 is open. last_pool: the recruits as step 4 was closed.
    ratings: round -> group -> final rating.
    rolled: number of dice rolls so far. face: total of the last roll, for the event that it decided.
    changed: group -> position of the last event about it.
    reported_dice: roll id -> die rolled at the table.
    dice_status: roll id -> status of that die, including rolls of registration's log.
    dice_confirmed_by: roll id -> id of the person who confirmed that die.
    dice: every roll by its question; corrections do not remove rolls.
    phases: group -> the statements of its running phase. cause: the command of the last event.
    gone: group -> members who left it, as they were, by id.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    entered: dict[str, Group] = field(default_factory=dict)
    before: dict[str, Group] = field(default_factory=dict)
    died: dict[str, list[str]] = field(default_factory=dict)
    mustered: dict[str, Mustered] = field(default_factory=dict)
    pool: RecruitPool | None = None
    last_pool: RecruitPool | None = None
    ratings: dict[int, dict[str, int]] = field(default_factory=dict)
    rolled: int = 0
    face: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    reported_dice: dict[str, ReportedDie] = field(default_factory=dict)
    dice_status: dict[str, DieStatus] = field(default_factory=dict)
    dice_confirmed_by: dict[str, str] = field(default_factory=dict)
    dice: RolledDice = field(default_factory=RolledDice)
    phases: dict[str, RunningPhase] = field(default_factory=dict)
    cause: Cause | None = None
    gone: dict[str, dict[str, Member]] = field(default_factory=dict)

    def discarded_dice(self) -> list[KeptRoll]:
        """Return the rolls that a correction took back and that were not asked for again (FS-AUD-1)."""
        return self.dice.discarded()

    def rejected_dice(self) -> set[str]:
        """Return the ids of the rolls that staff rejected."""
        return {roll for roll, standing in self.dice_status.items() if standing == "rejected"}

    def plays(self, player: str, round: int) -> bool:
        """Return True if a group was mustered for a round, or began or finished its post-game phase."""
        mustered, lived = self.mustered.get(player), self.groups.get(player)
        phase = lived.phase if lived else None
        return round in (mustered and mustered.round, phase and phase.round) or player in self.ratings.get(round, {})


CAMPAIGN = Slice("campaign", Campaign)


BEFORE_GAME = ("FS-GAM-3", "FS-GAM-4", "FS-GAM-5")
"""Purposes of the dice before a game: jams, judgements, objectives. They stay valid when the result is corrected."""

Change = Callable[[Campaign, Any, StoredEvent], None]


def _record_die(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.cause = cause_of(state.cause, stored, STATEMENTS, "group")
    _note(state, event, stored)
    state.rolled += 1
    state.face = event.total
    before = keep_roll(state, event, stored)
    if before is not None and before.roll in state.dice_status:
        state.dice_status[event.roll] = state.dice_status[before.roll]
        if before.roll in state.dice_confirmed_by:
            state.dice_confirmed_by[event.roll] = state.dice_confirmed_by[before.roll]


def _record_muster(state: Campaign, event: Any, stored: StoredEvent) -> None:
    before = state.mustered.get(event.group)
    state.mustered[event.group] = Mustered(event.round, event.fielded, game=event.game)
    if before is None or before.game != event.game:
        return

    def is_void(roll: KeptRoll) -> bool:
        return roll.group == event.group and roll.round == event.round and roll.purpose in BEFORE_GAME

    discard_rolls(state, is_void, stored.position)


def _record_jam(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.mustered[event.group].jammed[event.item] = event.jammed


def _record_judgement(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.mustered[event.group].judged[event.rival] = event.evil


def _record_objective(state: Campaign, event: Any, stored: StoredEvent) -> None:
    mustered = state.mustered[event.group]
    mustered.objective, mustered.face = event.objective, state.face


def _keep_group_before_game(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.before[event.group] = state.groups[event.group]
    state.died[event.group] = []


def _record_death(state: Campaign, event: Any, stored: StoredEvent) -> None:
    member = state.groups[event.group].member(event.member)
    if member is not None:
        state.gone.setdefault(event.group, {})[member.id] = member
    if event.reason == "dead":
        state.died.setdefault(event.group, []).append(event.member)


def _discard_dice_of_game(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.before.pop(event.group, None)
    state.phases.pop(event.group, None)

    def is_void(roll: KeptRoll) -> bool:
        return roll.group == event.group and roll.round == event.round and roll.purpose not in BEFORE_GAME

    discard_rolls(state, is_void, stored.position)


def _record_rating(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.ratings.setdefault(event.round, {})[event.group] = event.rating


def _open_pool(state: Campaign, event: Any, stored: StoredEvent) -> None:
    known = zip(event.ranks, event.rolls, strict=True)
    recruits = tuple(Recruit(f"recruit-{event.round}-{n}", rank, roll) for n, (rank, roll) in enumerate(known, 1))
    state.pool = RecruitPool(recruits, (), rolled=recruits)


def _set_order(state: Campaign, event: Any, stored: StoredEvent) -> None:
    assert state.pool is not None, "an order without recruits"
    state.pool = replace(state.pool, order=event.order)


def _remove_hired_recruit(state: Campaign, event: Any, stored: StoredEvent) -> None:
    pool = state.pool
    if event.reason == "recruit" and pool is not None:
        remaining = tuple(recruit for recruit in pool.recruits if recruit.roll != event.roll)
        hired = pool.hired + (pool.order[:1] == (event.group,))
        state.pool = replace(pool, recruits=remaining, hired=hired)


def _pass_turn(state: Campaign, event: Any, stored: StoredEvent) -> None:
    assert state.pool is not None, "a turn without recruits"
    order, passed = state.pool.order, (*state.pool.passed, event.group)
    state.pool = replace(state.pool, order=order[1:], hired=0, passed=passed)


def _close_step(state: Campaign, event: Any, stored: StoredEvent) -> None:
    if event.next is None:
        state.before.pop(event.group, None)
        state.phases.pop(event.group, None)
    elif event.step == "4" and state.pool is not None:
        state.last_pool, state.pool = state.pool, None


def _take_back(state: Campaign, event: StatementTakenBack, stored: StoredEvent) -> None:
    """Return the group to its state before the statement. Later statements wait to be decided again (FS-REP-5)."""
    assert state.cause is not None, "an event without its command"
    running = state.phases[event.group]
    undone = running.take_back(event.statement, event.fallen, stored.position, state.cause.id, again=event.again)
    kept = running.statements
    state.groups[event.group] = group_after(running, kept, BY_NAME)
    taken_back = event.fallen if event.again else (event.statement, *event.fallen)
    gone = rolls_of(statement for statement in undone if statement.position in taken_back)
    discard_rolls(state, lambda roll: roll.roll in gone, stored.position)
    state.died[event.group] = [
        outcome.member
        for outcome in outcomes_of(kept, BY_NAME)
        if isinstance(outcome, MemberRemoved) and outcome.reason == "dead"
    ]
    if undone[0].does == "end_turn" and state.pool is None:
        state.pool = state.last_pool
    if state.pool is not None:
        state.pool = _pool_before(state.pool, event.group, kept, undone)


def _pool_before(pool: RecruitPool, group: str, kept: Sequence[Statement], undone: Sequence[Statement]) -> RecruitPool:
    """Return the pool without the hires of undone statements, and with the turn if its end is undone."""
    hired = _hired(undone)
    recruits = tuple(recruit for recruit in pool.rolled if recruit in pool.recruits or recruit.roll in hired)
    order, passed = pool.order, pool.passed
    if undone[0].does == "end_turn":
        order, passed = (group, *order), passed[:-1]
    number = len(_hired(kept)) if order[:1] == (group,) else pool.hired
    return replace(pool, recruits=recruits, order=order, passed=passed, hired=number)


def _hired(statements: Sequence[Statement]) -> set[str]:
    """Return the rolls of the recruits that these statements hired."""
    outcomes = outcomes_of(statements, BY_NAME)
    return {one.roll for one in outcomes if isinstance(one, MemberJoined) and one.reason == "recruit"}


def _decide_again(state: Campaign, event: StatementDecidedAgain, stored: StoredEvent) -> None:
    """Add a waiting statement again: with its recorded events, or with those that follow."""
    again = state.phases[event.group].decide_again(event.statement, stands=event.stands)
    if not event.stands:
        gone = rolls_of([again])
        discard_rolls(state, lambda roll: roll.roll in gone, stored.position)
        return
    for outcome in decode_outcomes(again.outcomes, BY_NAME):
        if isinstance(outcome, MemberJoined):
            _remove_hired_recruit(state, outcome, stored)
        elif isinstance(outcome, MemberRemoved):
            _record_death(state, outcome, stored)
        if not isinstance(outcome, DieRolled):
            CHANGE_GROUPS[type(outcome)](state, outcome, stored)


def _record_entry(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.entered[event.group] = event.entered.state
    state.before.pop(event.group, None)  # of the group that this one replaces (FS-AMB-54)


FURTHER_CHANGES: Mapping[type[Any], Change] = {
    muster.RosterMustered: _record_muster,
    muster.WeaponJamRolled: _record_jam,
    muster.EvilJudged: _record_judgement,
    muster.ObjectiveRolled: _record_objective,
    GroupEntered: _record_entry,
    PostGameOpened: _keep_group_before_game,
    MemberRemoved: _record_death,
    GroupRestored: _discard_dice_of_game,
    GroupRatingFinalised: _record_rating,
    post_game_outcomes.RecruitPoolRolled: _open_pool,
    post_game_outcomes.RecruitOrderSet: _set_order,
    MemberJoined: _remove_hired_recruit,
    post_game_outcomes.RecruitTurnPassed: _pass_turn,
    StepClosed: _close_step,
    StatementTakenBack: _take_back,
    StatementDecidedAgain: _decide_again,
}
"""Event -> its change of the state apart from the group."""


def _combined(further: Change | None, group: Change) -> Change:
    def fold(state: Campaign, event: Any, stored: StoredEvent) -> None:
        state.cause = cause_of(state.cause, stored, STATEMENTS, "group")
        if further is not None:
            further(state, event, stored)
        group(state, event, stored)
        if event.group:
            state.changed[event.group] = stored.position
        _note(state, event, stored)

    return fold


def _note(state: Campaign, event: Any, stored: StoredEvent) -> None:
    """Add an event to the statement that it belongs to. The statements of a phase begin when it opens."""
    assert state.cause is not None, "an event without its command"
    if isinstance(event, PostGameOpened):
        state.phases[event.group] = RunningPhase(opened=state.groups[event.group])
    elif not isinstance(event, StatementTakenBack | StatementDecidedAgain):
        note_event(state.phases, state.cause, event)


EVOLVE_CAMPAIGN: Mapping[type, Change] = MappingProxyType(
    {event: _combined(FURTHER_CHANGES.get(event), CHANGE_GROUPS[event]) for event in SCORING_EVENTS}
    | {DieRolled: _record_die}
    | DICE_CHANGES
)
"""Event -> its change of `Campaign`."""


def rules_at(entries: Entries, round: int) -> Rules:
    """Return the rules that a campaign round is played by."""
    return campaign_ruleset(entries, round).rules


def campaign_ruleset(entries: Entries, round: int) -> CampaignRuleset:
    """Return the ruleset of a campaign round, in the version that the operator last set. Raises PackRefused."""
    return read_ruleset(_pack_of(entries, round), CampaignRuleset)


def versions_at(entries: Entries, round: int) -> str:
    """Return the versions of these rules as the rolls of the round name them (FS-AUD-3)."""
    kept = ruleset_cache(_pack_of(entries, round), CampaignRuleset)
    if b"versions" not in kept:
        kept[b"versions"] = versions_of(campaign_ruleset(entries, round)).named
    named: str = kept[b"versions"]
    return named


def _pack_of(entries: Entries, round: int) -> dict[str, Any]:
    return entries.ruleset_at(round)
