"""Views for staff: what the rules think of a round, and the round that they would have paired."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.pairing.tournament.format import PairingFormat
from services.pairing.tournament.judgement import ByRules, Code, Finding, by_rules, findings, meeting
from services.pairing.tournament.views import LeftOut, left_out_view
from shared.log.event import Head
from shared.shapes import View
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


class FindingView(View, frozen=True, kw_only=True):
    """Something that the rules would have avoided, or that changed since the round was paired."""

    code: Code
    game: Annotated[str, "Empty: about the round."]
    players: list[str]
    said: Annotated[str, "A sentence in English."]
    clause: Annotated[str, "Of the ruleset, where one says so."]
    sentence: Annotated[
        str | UnsetType, "The stable code of that sentence, without the names or the game at its beginning."
    ] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values that the sentence names."] = UNSET


class RuledPairing(View, frozen=True, kw_only=True):
    """A pairing that the rules would have made."""

    kind: str
    player_1: str
    name_1: str
    player_2: str
    name_2: str
    venue: str
    table: int
    wave: int
    reason: str
    rematch: bool
    stands: Annotated[str, "The game of the round between the same players; empty: there is none."]
    sides: list[list[str]]


class RuledRound(View, frozen=True, kw_only=True):
    """The round that the rules would have paired. same: games between the same players."""

    method: str
    refused: Annotated[str, "Why they would have paired nothing; empty: they would."]
    same: int
    pairings: list[RuledPairing]
    left_out: list[LeftOut]
    code: Annotated[str | UnsetType, "The code of the problem that it would have been; left out: they would."] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The facts of that problem."] = UNSET


class JudgementView(View, frozen=True, kw_only=True):
    """A round as the rules see it. by_hand: games that they would not have made."""

    round: int
    status: str
    findings: list[FindingView]
    by_hand: list[str]
    by_rules: RuledRound


def judgement_view(
    format: PairingFormat,
    state: Tournament,
    round: Round,
    heads: Mapping[str, Head],
    *,
    status: str,
) -> JudgementView:
    """Return what the rules think of a round. heads: where the logs end, for a draw that is not recorded."""
    ruled = by_rules(format, state, round, heads)
    here = {meeting(seat): seat.game for seat in round.seats.values()}
    there = {meeting(seat) for seat in ruled.seats}
    return JudgementView(
        round=round.number,
        status=status,
        findings=[_finding(state, one) for one in findings(format, state, round, ruled)],
        by_hand=[game for who, game in here.items() if who not in there],
        by_rules=_ruled(state, ruled, here),
    )


def _finding(state: Tournament, finding: Finding) -> FindingView:
    about = ", ".join(map(state.entries.name_of, finding.players)) or finding.game
    return FindingView(
        code=finding.code,
        game=finding.game,
        players=finding.players,
        said=f"{about}: {finding.sentence}." if finding.game else f"{finding.sentence}.",
        clause=finding.clause,
        sentence=finding.sentence.code,
        data=dict(finding.sentence.data),
    )


def _ruled(state: Tournament, ruled: ByRules, here: Mapping[frozenset[str], str]) -> RuledRound:
    return RuledRound(
        method=ruled.method,
        refused=ruled.refused,
        same=sum(meeting(seat) in here for seat in ruled.seats),
        pairings=[_pairing(state, seat, here.get(meeting(seat), "")) for seat in ruled.seats],
        left_out=left_out_view(state, ruled.left_out),
        code=ruled.code or UNSET,
        data=dict(ruled.data) or UNSET,
    )


def _pairing(state: Tournament, seat: Seat, stands: str) -> RuledPairing:
    return RuledPairing(
        kind=seat.kind,
        player_1=seat.player_1,
        name_1=state.entries.name_of(seat.player_1),
        player_2=seat.player_2,
        name_2=state.entries.name_of(seat.player_2) if seat.player_2 else "",
        venue=seat.venue,
        table=seat.table,
        wave=seat.wave,
        reason=seat.reason,
        rematch=seat.rematch,
        stands=stands,
        sides=seat.sides,
    )
