"""What can happen in a tournament of any format: owner -> its events. Those of one format stand in its room."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from shared.events.base import Event
from shared.tournament.events import installation, pairing, registration, scoring

EVENTS: Mapping[str, tuple[type[Event], ...]] = MappingProxyType(
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
        ),
    }
)
