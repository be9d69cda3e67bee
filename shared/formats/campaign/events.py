"""Every event of a campaign league, and which service says it. Its class stands in `rules/`."""

from __future__ import annotations

from collections.abc import Mapping

from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules import muster
from shared.formats.campaign.rules import outcomes as of_group
from shared.formats.campaign.rules import trade_outcomes as traded
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.report import GameEnded
from shared.formats.campaign.rules.words import CampaignEvent

OF_REGISTRATION: tuple[type[CampaignEvent], ...] = (
    of_group.GroupAccepted,
    DieRolled,
    of_group.TurfGained,
    of_group.LeaderAppointed,
    of_group.GroupRatingFinalised,
)
"""What happens while a group is built: before round 1, by registration. FS-SVC-1."""

OF_SCORING: tuple[type[CampaignEvent], ...] = (
    DieRolled,
    of_group.GroupEntered,
    of_group.GroupRestored,
    of_group.TurfGained,
    of_group.TurfLost,
    of_group.LeaderAppointed,
    of_group.MemberJoined,
    of_group.MemberRemoved,
    of_group.MemberIncarcerated,
    of_group.JailEscaped,
    of_group.MemberReturned,
    of_group.PostGameOpened,
    of_group.StepClosed,
    of_group.InjuryRolled,
    of_group.InjurySuffered,
    of_group.FullyRecovered,
    of_group.InjuryHealed,
    of_group.RerollUsed,
    of_group.RerollGained,
    of_group.CleanHomeChosen,
    of_group.RewardClaimed,
    of_group.RewardForgone,
    of_group.ExperienceChanged,
    of_group.LevelReached,
    of_group.LevelsTakenBack,
    of_group.ExperienceAwarded,
    of_group.AdvancementRolled,
    of_group.CharacteristicRaised,
    of_group.PerkChosen,
    of_group.RadsChanged,
    of_group.AddictionRolled,
    of_group.AddictionsCured,
    of_group.InjuryDue,
    of_group.GroupRatingFinalised,
    earned.NothingFound,
    earned.MemberActed,
    earned.ScavengingOpened,
    earned.ScavengingRolled,
    earned.UpkeepPaid,
    earned.EncounterMet,
    earned.EncounterDrawn,
    earned.EncounterResolved,
    earned.PlaceSearched,
    earned.SlavesAppeared,
    earned.CollarTried,
    earned.CapsMoved,
    earned.FoodMoved,
    earned.ItemGained,
    earned.ItemLost,
    earned.ItemMoved,
    earned.MemberFed,
    earned.MemberWentHungry,
    earned.EquipmentMaintained,
    earned.EquipmentNeglected,
    traded.RecruitPoolRolled,
    traded.RecruitOrderSet,
    traded.RecruitTurnPassed,
    traded.MerchantSought,
    traded.PriceQuoted,
    traded.OfferDeclined,
    traded.OfferTaken,
    traded.MoodChanged,
    traded.BuildingSearched,
    traded.CentaurJoined,
    traded.MembersSated,
    traded.FightersDrawn,
    traded.CannibalFightResolved,
    traded.BuildAttempted,
    traded.DoctorVisited,
    muster.RosterMustered,
    muster.WeaponJamRolled,
    muster.EvilJudged,
    GameEnded,
    muster.ObjectiveRolled,
)
"""Everything else, by scoring."""

BY_NAME: Mapping[str, type[CampaignEvent]] = {event.__name__: event for event in (*OF_REGISTRATION, *OF_SCORING)}
"""Type as it is recorded -> event."""
