"""Every event there is: its owner, its version, its class. A literal table; docs/events.md is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from shared.events import (
    campaign,
    campaign_dice,
    coop_pairing,
    coop_registration,
    coop_scoring,
    installation,
    pairing,
    registration,
    scoring,
    season_registration,
    season_scoring,
)
from shared.events.base import Event
from shared.events.upcasting import UPCASTS, upcast

OWNERS: Mapping[str, tuple[type[Event], ...]] = MappingProxyType(
    {
        "registration": (
            registration.TournamentAnnounced,
            registration.TournamentAmended,
            registration.TournamentCancelled,
            registration.VenueOpened,
            registration.TablesChanged,
            registration.VenueClosed,
            registration.StaffAppointed,
            registration.StaffEntered,
            registration.StaffDismissed,
            registration.TokenRevoked,
            registration.PlayerLinkIssued,
            registration.RegistrationClosed,
            registration.RegistrationReopened,
            registration.PlayerJoined,
            registration.PlayerWaitlisted,
            registration.PlayerPromoted,
            registration.PlayerWithdrawn,
            registration.PlayerAmended,
            registration.PlayersKeptApart,
            registration.PersonalDataErased,
            registration.RosterSubmitted,
            registration.RosterAccepted,
            registration.RosterRejected,
            registration.PlayerCheckedIn,
            registration.PlayerCheckedOut,
            registration.PlayerPinned,
            registration.PlayerUnpinned,
            registration.PlayerDropped,
            registration.PlayerReinstated,
            registration.PlayerWarned,
            registration.PlayerDisqualified,
            registration.DisqualificationRevoked,
            registration.RulesetMoved,
            installation.InstallationTokenRevoked,
            *campaign.OF_REGISTRATION,
            coop_registration.OperatorDataPinned,
            coop_registration.PartyFormed,
            coop_registration.PartyJoined,
            coop_registration.PartyLeft,
            coop_registration.PartyDisbanded,
            season_registration.TournamentGathered,
            season_registration.TournamentReleased,
            season_registration.EntryClaimed,
            season_registration.IdentitiesMerged,
            season_registration.IdentitySplit,
            season_registration.DivisionEntered,
            season_registration.PlayerCarriedOver,
        ),
        "pairing": (
            pairing.PairingsDrawn,
            pairing.RoundPaired,
            pairing.PairingAmended,
            pairing.TableMoved,
            pairing.RoundWithdrawn,
            pairing.RoundStarted,
            pairing.TimeCalled,
            pairing.ClockExtended,
            pairing.SpareAvailable,
            pairing.SpareUnavailable,
            pairing.CutMade,
            pairing.SeatGivenUp,
            coop_pairing.SessionRoundOpened,
            coop_pairing.TableSeated,
            coop_pairing.TableReseated,
            coop_pairing.SessionRoundClosed,
        ),
        "scoring": (
            scoring.ResultReported,
            scoring.ResultConfirmed,
            scoring.ResultDisputed,
            scoring.ResultRuled,
            scoring.RulingAppealed,
            scoring.AppealRejected,
            scoring.ResultCorrected,
            scoring.RulingOverridden,
            scoring.ResultVoided,
            scoring.StandingsRecorded,
            scoring.RoundClosed,
            scoring.RoundReopened,
            scoring.CoinEntered,
            scoring.AwardGiven,
            scoring.AwardWithdrawn,
            scoring.TournamentConcluded,
            coop_scoring.SessionSetUpStarted,
            coop_scoring.LoyalFactionChosen,
            coop_scoring.PowerTokenPlaced,
            coop_scoring.GoalsRevealed,
            coop_scoring.CampTokenPlaced,
            coop_scoring.MutationsDealt,
            coop_scoring.FirstPlayerChosen,
            coop_scoring.SessionStarted,
            coop_scoring.RoundBegan,
            coop_scoring.GoalCompleted,
            coop_scoring.SurvivorKilled,
            coop_scoring.PowerTokenAdvanced,
            coop_scoring.PowerTokenRetreated,
            coop_scoring.LoyalRewardResolved,
            coop_scoring.OpposingRewardIgnored,
            coop_scoring.WorkshopUpgradeGained,
            coop_scoring.CampTokenGained,
            coop_scoring.MutationRevealed,
            coop_scoring.MutationTurnedDown,
            coop_scoring.SurvivorTravelled,
            coop_scoring.FightAssisted,
            coop_scoring.ModificationKept,
            coop_scoring.VictoryConditionMet,
            coop_scoring.ActivationCardRevealed,
            coop_scoring.ActivationDeckReshuffled,
            coop_scoring.ActivationSkipped,
            coop_scoring.EnemiesActivated,
            coop_scoring.OpposingFactionActivated,
            coop_scoring.ActivationEffectResolved,
            coop_scoring.RoundEnded,
            coop_scoring.SessionWon,
            coop_scoring.SessionLost,
            coop_scoring.SessionLeftUnfinished,
            coop_scoring.SessionAbandoned,
            coop_scoring.SessionReported,
            coop_scoring.SessionConfirmed,
            coop_scoring.SessionCorrected,
            coop_scoring.CoopRankingPublished,
            *campaign.OF_SCORING,
            *campaign_dice.OF_DICE,
            season_scoring.SeasonResultsTaken,
            season_scoring.SeasonStandingsRecorded,
            season_scoring.DivisionsDecided,
            season_scoring.FinalCutMade,
            season_scoring.InvitationAccepted,
            season_scoring.InvitationDeclined,
        ),
    }
)
"""Owner -> the events that this service appends; those of a campaign are appended by whoever owns the step."""


class UnknownEvent(Exception):
    """An event of a type or version that this code does not know: it was written by newer code."""


class EventType(msgspec.Struct, frozen=True):
    """A row of the catalogue. version: the one appended today; older ones are upcast when read."""

    name: str
    owners: tuple[str, ...]
    version: int
    schema: type[Event]
    decoder: msgspec.json.Decoder  # type: ignore[type-arg]


CATALOGUE: Mapping[str, EventType] = MappingProxyType(
    {
        schema.__name__: EventType(
            schema.__name__,
            tuple(owner for owner, owned in OWNERS.items() if schema in owned),
            1 + len(UPCASTS.get(schema.__name__, ())),
            schema,
            msgspec.json.Decoder(schema),
        )
        for schemas in OWNERS.values()
        for schema in schemas
    }
)


def read_event(type: str, version: int, data: str) -> Event:
    """The typed event that stored data means today, upcast when it was written in an older version.

    Raises UnknownEvent for a type or version of the future, msgspec.ValidationError when the data does not fit.
    """
    known = CATALOGUE.get(type)
    if known is None or version > known.version:
        raise UnknownEvent(f"{type} version {version}; this code knows {known.version if known else 'no such type'}")
    if version == known.version:
        return known.decoder.decode(data)  # type: ignore[no-any-return]
    return msgspec.convert(upcast(type, version, msgspec.json.decode(data)), known.schema)
