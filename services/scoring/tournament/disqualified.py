"""Games of players who were disqualified while they played: what the ruleset makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.formats.swiss.ruleset import swiss_or_none
from shared.refusals import Fault
from shared.rules.model import PLAYED
from shared.rules.refusals import ImpossibleResult
from shared.tournament.events.pairing import Seat
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def need_given_up(state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any]) -> None:
    """A first report of a game of somebody who was disqualified in this round says that they gave it up.

    Where the game was over before, a ruling says so. A side that did not come may be told as such. A campaign says
    nothing of it.
    Raises ImpossibleResult for a game that was played on. Source: AR-AMB-16, DW-AMB-3, FF-AMB-14.
    """
    out = [side for side, player in ((1, seat.player_1), (2, seat.player_2)) if _removed(state, player, round.number)]
    kind, gave_up = facts.get("kind", "game"), facts.get("conceded_by")
    ruleset = swiss_or_none(state.entries)
    if ruleset is None:
        return
    part = ruleset.disqualification
    given_up = kind not in PLAYED or (part.current_game == "concession" and gave_up in out)
    if not out or (given_up and (gave_up is None or gave_up in out)):
        return
    said = f"{kind}" if gave_up is None else f"{kind}, given up by {gave_up}"
    wanted = "conceded" if part.current_game == "concession" else "a forfeit"
    sides = " and ".join(map(str, out))
    raise ImpossibleResult(
        f"A player of {seat.game} was disqualified during it; staff who know that it was over before rule so.",
        [Fault("/facts/conceded_by", said, f"{sides}: {wanted} by who was disqualified", part.cites("current_game"))],
    )


def _removed(state: Tournament, player: str | None, number: int) -> bool:
    """Whether the player was disqualified while a round was under way."""
    known = state.entries.players.get(player or "")
    return known is not None and known.status == "disqualified" and known.after_round < number
