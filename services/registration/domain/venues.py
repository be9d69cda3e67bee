"""Which venues a command of registration is about, for staff who act at one venue only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.registration.domain import campaign_commands as of_campaign
from services.registration.domain import commands as ask
from shared.handling.venues import Venues, of_player
from shared.state.tournament import Tournament


def _player(state: Tournament, command: ask.CheckOut) -> list[str]:
    return of_player(state, command.player)


def _player_there(state: Tournament, command: ask.CheckIn | ask.PinPlayer | ask.AmendPlayer) -> list[str]:
    """Where the player is, and where they will be."""
    return [*of_player(state, command.player), command.venue or ""]


def _entry(state: Tournament, command: ask.SignUp | ask.SignUpInvited) -> list[str]:
    return [command.entry.venue]


def _entries(state: Tournament, command: ask.JoinPlayers) -> list[str]:
    return [entry.venue for entry in command.entries]


def _venue(state: Tournament, command: ask.ChangeTables) -> list[str]:
    return [command.venue]


def _token(state: Tournament, command: ask.RevokeToken) -> list[str]:
    """Where the player is whose token it is; its id is `<tournament>.<player>.<which>`."""
    _, *named = command.token.rsplit(".", 2)
    return of_player(state, named[0]) if len(named) == 2 else []


VENUES: Mapping[type, Venues] = MappingProxyType(
    {
        ask.ChangeTables: _venue,
        ask.CloseVenue: _venue,
        ask.RevokeToken: _token,
        ask.IssueLink: _player,
        ask.JoinPlayers: _entries,
        ask.JoinParty: _entries,
        ask.SignUp: _entry,
        ask.SignUpInvited: _entry,
        ask.SignUpParty: _entries,
        ask.AcceptInvitation: _player,
        ask.LeaveParty: _player,
        ask.WithdrawPlayer: _player,
        ask.AmendPlayer: _player_there,
        of_campaign.SubmitGroup: _player,
        of_campaign.RollTurfs: _player,
        ask.SubmitRoster: _player,
        ask.AcceptRoster: _player,
        ask.RejectRoster: _player,
        ask.CheckIn: _player_there,
        ask.CheckOut: _player,
        ask.PinPlayer: _player_there,
        ask.UnpinPlayer: _player,
        ask.DropPlayer: _player,
        ask.ReinstatePlayer: _player,
        ask.WarnPlayer: _player,
        ask.DisqualifyPlayer: _player,
        ask.RevokeDisqualification: _player,
    }
)
"""Command -> its venues. What is not here is about the whole tournament, and an organiser's."""
