"""What follows from a command: events, or a refusal with its name. No clock, no randomness, nothing outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from services.pairing.domain import campaign, changes, clocks, coop, cut, rounds
from services.pairing.domain import commands as ask
from shared.events.base import Event
from shared.handling.by_format import Decide, by_format
from shared.handling.context import Context
from shared.state.tournament import Tournament

PAIR: Mapping[str, Decide] = MappingProxyType({"swiss": rounds.pair, "campaign": campaign.pair})
"""Format -> how its rounds are paired."""

DECISIONS: Mapping[type, Callable[[Tournament, Any, Context], Sequence[Event]]] = MappingProxyType(
    {
        ask.PairRound: by_format(PAIR),
        ask.RepairRound: by_format({format: rounds.repairing(pair) for format, pair in PAIR.items()}),
        ask.WithdrawRound: rounds.withdraw,
        ask.AmendPairings: changes.amend,
        ask.MoveTable: changes.move,
        ask.StartRound: clocks.start,
        ask.CallTime: clocks.call,
        ask.ExtendClock: clocks.extend,
        ask.OfferSpare: cut.offer_spare,
        ask.RecallSpare: cut.recall_spare,
        ask.MakeCut: cut.make,
        ask.GiveUpSeat: cut.give_up,
        ask.OpenSessionRound: coop.open_round,
        ask.ReseatTable: coop.reseat,
        ask.CloseSessionRound: coop.close_round,
    }
)
"""Command -> what decides it. Every command of pairing is here, or a test fails."""
