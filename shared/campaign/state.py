"""The slices of a campaign: groups as they are built and live, musters, recruits, ratings, versions of the ruleset.

Groups change alike in registration, where they are built until round 1, and in scoring (FS-SVC-1). The operator may
move the ruleset of later rounds to another version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from shared.campaign import muster, outcomes
from shared.campaign.dice import DieRolled, KeptRoll, RolledDice
from shared.campaign.evolve import CHANGES, GroupChange, PhaseChange, changed
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
from shared.campaign.roster import Group, Recruit, RecruitPool
from shared.campaign.ruleset import CampaignRuleset, versions_of
from shared.campaign.table_dice import DICE_CHANGES, DieStatus, ReportedDie, keep_roll, take_back
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent
from shared.tournament.format import read_ruleset, ruleset_cache
from shared.tournament.people import Entries
from shared.tournament.state import FormatState, Slice

REGISTRATION_EVENTS: tuple[type[CampaignEvent], ...] = (
    outcomes.GroupAccepted,
    DieRolled,
    outcomes.TurfGained,
    outcomes.LeaderAppointed,
    outcomes.GroupRatingFinalised,
)
"""What happens while a group is built: before round 1, by registration. FS-SVC-1."""

SCORING_EVENTS: tuple[type[CampaignEvent], ...] = (
    DieRolled,
    outcomes.GroupEntered,
    outcomes.GroupRestored,
    outcomes.TurfGained,
    outcomes.TurfLost,
    outcomes.LeaderAppointed,
    outcomes.MemberJoined,
    outcomes.MemberRemoved,
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
    outcomes.NothingFound,
    outcomes.MemberActed,
    outcomes.ScavengingOpened,
    outcomes.ScavengingRolled,
    outcomes.UpkeepPaid,
    outcomes.EncounterMet,
    outcomes.EncounterDrawn,
    outcomes.EncounterResolved,
    outcomes.PlaceSearched,
    outcomes.SlavesAppeared,
    outcomes.CollarTried,
    outcomes.CapsMoved,
    outcomes.FoodMoved,
    outcomes.ItemGained,
    outcomes.ItemLost,
    outcomes.ItemMoved,
    outcomes.MemberFed,
    outcomes.MemberWentHungry,
    outcomes.EquipmentMaintained,
    outcomes.EquipmentNeglected,
    outcomes.RecruitPoolRolled,
    outcomes.RecruitOrderSet,
    outcomes.RecruitTurnPassed,
    outcomes.MerchantSought,
    outcomes.PriceQuoted,
    outcomes.OfferDeclined,
    outcomes.OfferTaken,
    outcomes.MoodChanged,
    outcomes.BuildingSearched,
    outcomes.CentaurJoined,
    outcomes.MembersSated,
    outcomes.FightersDrawn,
    outcomes.CannibalFightResolved,
    outcomes.BuildAttempted,
    outcomes.DoctorVisited,
    muster.RosterMustered,
    muster.WeaponJamRolled,
    muster.EvilJudged,
    GameEnded,
    muster.ObjectiveRolled,
)
"""Everything else, by scoring."""

BY_NAME: Mapping[str, type[CampaignEvent]] = {
    event.__name__: event for event in (*REGISTRATION_EVENTS, *SCORING_EVENTS)
}
"""Type as it is recorded -> event."""


StoredEvent = Any
"""The row that an event came in: `position`, `time`, `actor`."""


class HasGroups(Protocol):
    """A slice that holds groups. rolled: dice rolls so far, which number the next one."""

    groups: dict[str, Group]
    rolled: int


def change_of(event: type[CampaignEvent]) -> Callable[[Any, Any, StoredEvent], None]:
    """What an event does to a slice that holds groups."""
    if event is DieRolled:
        return _rolled
    found = CHANGES.get(event)
    return _nothing if found is None else _changing(*found)


def _changing(
    change: GroupChange | None, step: PhaseChange | None
) -> Callable[[HasGroups, CampaignEvent, StoredEvent], None]:
    def fold(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
        id = event.group
        group = state.groups.get(id) or Group(id, "")
        state.groups[id] = changed(group, event, change, step)

    return fold


def _rolled(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
    state.rolled += 1


def _nothing(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
    """Said for the record alone: what follows from it has events of its own."""


CHANGE_GROUPS: Mapping[type[CampaignEvent], Callable[[Any, Any, StoredEvent], None]] = {
    event: change_of(event) for event in BY_NAME.values()
}
"""Event -> what it does to groups."""


class Enlisted(FormatState):
    """groups: by player, as accepted, with the turfs rolled so far. rolled: dice rolls so far.

    ratings: round -> group -> rating of a group that was complete for that round; 0 before the first was paired.
    told_dice: roll -> who told it. dice: every roll by its question. changed: group -> position of the last event about
    it.
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


def _turf_rolled(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[DieRolled](state, event, stored)
    keep_roll(state, event, stored)


def _noted(change: Callable[[Enlisted, Any, StoredEvent], None]) -> Callable[[Enlisted, Any, StoredEvent], None]:
    def fold(state: Enlisted, event: Any, stored: StoredEvent) -> None:
        change(state, event, stored)
        if event.group:
            state.changed[event.group] = stored.position

    return fold


EVOLVE_ENLISTED: Mapping[type, Callable[[Enlisted, Any, StoredEvent], None]] = MappingProxyType(
    {event: _noted(CHANGE_GROUPS[event]) for event in REGISTRATION_EVENTS}
    | {GroupRatingFinalised: _noted(_rate_enlisted), DieRolled: _turf_rolled}
)
"""Event -> what it changes."""


class Mustered(Struct, gc=False):
    """A group before its game. jammed: weapons for which a die was rolled -> whether they fail. judged: rivals that it
    rolled for -> whether they are evil. objective: the key, and the face that gave it. game: its id.
    """

    round: int
    fielded: tuple[str, ...]
    jammed: dict[str, bool] = field(default_factory=dict)
    judged: dict[str, bool] = field(default_factory=dict)
    objective: str = ""
    face: int = 0
    game: str = ""


class Campaign(FormatState):
    """The fold of scoring's log of a campaign.

    groups: by player. entered: as they came in, the last time. before: groups as they were before the game of their
    open phase, while the game can be voided. died: group -> its members who died by the injury table since then.
    mustered: group -> its muster of the round at hand. pool: of recruits, while step 4 is open. ratings: round -> group
    -> rating as made final after it. rolled: dice rolls so far; faces: of the last roll, for who hears what it decided.
    changed: group -> position of the last event about it. told_dice: roll -> who told it; said_of_dice: what others say
    of told dice, those of registration's log included. dice: every roll by its question; no correction rewinds it.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    entered: dict[str, Group] = field(default_factory=dict)
    before: dict[str, Group] = field(default_factory=dict)
    died: dict[str, list[str]] = field(default_factory=dict)
    mustered: dict[str, Mustered] = field(default_factory=dict)
    pool: RecruitPool | None = None
    ratings: dict[int, dict[str, int]] = field(default_factory=dict)
    rolled: int = 0
    face: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    reported_dice: dict[str, ReportedDie] = field(default_factory=dict)
    dice_status: dict[str, DieStatus] = field(default_factory=dict)
    dice: RolledDice = field(default_factory=RolledDice)

    def discarded_dice(self) -> list[KeptRoll]:
        """Return the rolls that a correction took back and whose questions were not asked again. FS-AUD-1."""
        return self.dice.discarded()

    def rejected_dice(self) -> set[str]:
        """Return the ids of the rolls that staff ruled not to stand."""
        return {roll for roll, standing in self.dice_status.items() if standing == "rejected"}

    def plays(self, player: str, round: int) -> bool:
        """Whether a group was mustered for a round, or is in its post-game phase, or over with it."""
        mustered, lived = self.mustered.get(player), self.groups.get(player)
        phase = lived.phase if lived else None
        return round in (mustered and mustered.round, phase and phase.round) or player in self.ratings.get(round, {})


CAMPAIGN = Slice("campaign", Campaign)


BEFORE_GAME = ("FS-GAM-3", "FS-GAM-4", "FS-GAM-5")
"""Purposes of the dice that precede a game: jams, judgements, objectives. They stand when its result is corrected."""

Change = Callable[[Campaign, Any, StoredEvent], None]


def _die(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.rolled += 1
    state.face = event.total
    before = keep_roll(state, event, stored)
    if before is not None and before.roll in state.dice_status:
        state.dice_status[event.roll] = state.dice_status[before.roll]


def _mustered(state: Campaign, event: Any, stored: StoredEvent) -> None:
    before = state.mustered.get(event.group)
    state.mustered[event.group] = Mustered(event.round, event.fielded, game=event.game)
    if before is None or before.game != event.game:
        return

    def is_void(roll: KeptRoll) -> bool:
        return roll.group == event.group and roll.round == event.round and roll.purpose in BEFORE_GAME

    take_back(state, is_void, stored.position)


def _jam(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.mustered[event.group].jammed[event.item] = event.jammed


def _judged(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.mustered[event.group].judged[event.rival] = event.evil


def _objective(state: Campaign, event: Any, stored: StoredEvent) -> None:
    mustered = state.mustered[event.group]
    mustered.objective, mustered.face = event.objective, state.face


def _opened(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.before[event.group] = state.groups[event.group]
    state.died[event.group] = []


def _left(state: Campaign, event: Any, stored: StoredEvent) -> None:
    if event.reason == "dead":
        state.died.setdefault(event.group, []).append(event.member)


def _restored(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.before.pop(event.group, None)

    def is_void(roll: KeptRoll) -> bool:
        return roll.group == event.group and roll.round == event.round and roll.purpose not in BEFORE_GAME

    take_back(state, is_void, stored.position)


def _rated(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.ratings.setdefault(event.round, {})[event.group] = event.rating


def _pool(state: Campaign, event: Any, stored: StoredEvent) -> None:
    known = zip(event.ranks, event.rolls, strict=True)
    recruits = (Recruit(f"recruit-{event.round}-{n}", rank, roll) for n, (rank, roll) in enumerate(known, 1))
    state.pool = RecruitPool(tuple(recruits), ())


def _order(state: Campaign, event: Any, stored: StoredEvent) -> None:
    assert state.pool is not None, "an order without recruits"
    state.pool = replace(state.pool, order=event.order)


def _joined(state: Campaign, event: Any, stored: StoredEvent) -> None:
    pool = state.pool
    if event.reason == "recruit" and pool is not None:
        left = tuple(recruit for recruit in pool.recruits if recruit.roll != event.roll)
        state.pool = replace(pool, recruits=left, hired=pool.hired + 1)


def _passed(state: Campaign, event: Any, stored: StoredEvent) -> None:
    assert state.pool is not None, "a turn without recruits"
    state.pool = replace(state.pool, order=state.pool.order[1:], hired=0)


def _closed(state: Campaign, event: Any, stored: StoredEvent) -> None:
    if event.step == "2" or event.next is None:
        state.before.pop(event.group, None)
    elif event.step == "4":
        state.pool = None


def _entered(state: Campaign, event: Any, stored: StoredEvent) -> None:
    state.entered[event.group] = event.entered.state
    state.before.pop(event.group, None)  # of one that it takes the place of (FS-AMB-54)


BESIDE: Mapping[type[Any], Change] = {
    muster.RosterMustered: _mustered,
    muster.WeaponJamRolled: _jam,
    muster.EvilJudged: _judged,
    muster.ObjectiveRolled: _objective,
    GroupEntered: _entered,
    PostGameOpened: _opened,
    MemberRemoved: _left,
    GroupRestored: _restored,
    GroupRatingFinalised: _rated,
    outcomes.RecruitPoolRolled: _pool,
    outcomes.RecruitOrderSet: _order,
    MemberJoined: _joined,
    outcomes.RecruitTurnPassed: _passed,
    StepClosed: _closed,
}
"""Event -> what it changes beside the group."""


def _both(beside: Change | None, group: Change) -> Change:
    def fold(state: Campaign, event: Any, stored: StoredEvent) -> None:
        if beside is not None:
            beside(state, event, stored)
        group(state, event, stored)
        if event.group:
            state.changed[event.group] = stored.position

    return fold


EVOLVE_CAMPAIGN: Mapping[type, Change] = MappingProxyType(
    {event: _both(BESIDE.get(event), CHANGE_GROUPS[event]) for event in SCORING_EVENTS}
    | {DieRolled: _die}
    | DICE_CHANGES
)
"""Event -> what it changes."""


def rules_at(entries: Entries, round: int) -> Rules:
    """The rules that a round of a campaign is played by."""
    return campaign_ruleset(entries, round).rules


def campaign_ruleset(entries: Entries, round: int) -> CampaignRuleset:
    """The ruleset of a round of a campaign: of the version that the operator moved it to last. Raises PackRefused."""
    return read_ruleset(_pack_of(entries, round), CampaignRuleset)


def versions_at(entries: Entries, round: int) -> str:
    """The versions of these rules, as the rolls of the round name them. FS-AUD-3."""
    kept = ruleset_cache(_pack_of(entries, round), CampaignRuleset)
    if b"versions" not in kept:
        kept[b"versions"] = versions_of(campaign_ruleset(entries, round)).named
    named: str = kept[b"versions"]
    return named


def _pack_of(entries: Entries, round: int) -> dict[str, Any]:
    return entries.ruleset_at(round)
