"""What pairing shows of rounds, also as a file. Names come from registration, the status of games from scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from flask import Response
from msgspec import UNSET, UnsetType

from services.pairing.tournament.drafts import spares_of
from services.pairing.tournament.state import status_of_round
from services.pairing.tournament.views_time import TimingView
from shared.formats.options import rounds_if_fixed
from shared.service.views import AnsweredSince, Appended, ExternalId, Gone, Version
from shared.shapes import TOTAL, View
from shared.tournament.games import GameStatus, binds, held_by, is_settled, status_of
from shared.tournament.rounds import Round, Seat, end_of
from shared.tournament.state import Tournament
from shared.web.paging import csv_answer


class Named(View, frozen=True, kw_only=True):
    """A player."""

    player: str
    name: str


class LeftOut(Named, frozen=True, kw_only=True):
    """An active player who was not paired."""

    reason: Annotated[str, "no_roster, not_checked_in or sitting_out; in a campaign no_group or wiped_out."]


class GroupOfSide(Named, frozen=True, kw_only=True):
    """A group of one side of a game."""


class Paired(Appended, frozen=True, kw_only=True):
    """The round as it stands now, whose number is `id`, and who was left out of it."""

    left_out: list[LeftOut]


class PairingView(View, frozen=True, kw_only=True):
    """A pairing with its place, its game's status and its reason.

    sides: of a game of three or more groups; player_1 and player_2 are then the first of the first two sides.
    """

    id: str
    kind: str
    player_1: str
    name_1: str
    player_2: Annotated[str, "Empty for a bye; staff in a spare game."]
    name_2: str
    external_id_1: ExternalId
    external_id_2: ExternalId
    venue: str
    venue_name: str
    table: Annotated[int, "0: none."]
    wave: Annotated[int, "1: begins with the round; 2: next at that table, and so on."]
    status: GameStatus
    binds: Annotated[bool, "Whether standings count it as it is."]
    reason: str
    rematch: bool
    bye: Annotated[str, "awarded or requested, for a bye that is none of the pairing."]
    ends_at: Annotated[str, "When time is called for this game; empty before the start."]
    held: Annotated[bool, "It has not begun with its round: it waits for a player's list."]
    sides: Annotated[list[list[GroupOfSide]] | UnsetType, "Every side with its groups; left out of a game of two."] = (
        UNSET
    )


class RoundListed(View, frozen=True, kw_only=True):
    """A round in short."""

    round: int
    stage: str
    status: Annotated[str, "draft, paired, started or closed."]
    method: Annotated[str, "The policy's name, or manual."]
    scenario: str
    reason: Annotated[str, "Why a round was paired by hand."]
    games: Annotated[int, "Without byes."]
    open: Annotated[int, "Games whose result does not count yet, or is missing."]
    publish_at: Annotated[str, "Of a draft: the time set for it; empty: none."]
    started_at: str
    ends_at: str
    seed: str
    made_from: Annotated[int, "Scoring's position of the standings it was made from."]
    made_from_older_standings: Annotated[
        bool, "Standings were recorded anew since; the pairings stand unless somebody acts."
    ]


class SpareView(View, frozen=True, kw_only=True):
    """A spare player who stands by."""

    id: Annotated[str, "The id of the member of staff."]
    name: str
    venue: Annotated[str, "Empty: anywhere."]


class RoundsView(View, frozen=True, kw_only=True):
    """The rounds of a tournament."""

    items: list[RoundListed]
    planned: Annotated[int | None, "null: not fixed yet."]
    spares: Annotated[list[SpareView], "Spare players who stand by."]
    next: Annotated[str | None, "Cursor of the next page; null: the end, or no page was asked for."]
    total: Annotated[int, TOTAL]


class RoundView(RoundListed, frozen=True, kw_only=True):
    """A round with its pairings, in the order in which they were made."""

    timing: Annotated[TimingView | None, "null where rounds have no clock, as in a campaign."]
    left_out: list[LeftOut]
    pairings: list[PairingView]
    next: Annotated[str | None, "Cursor of the next page of pairings; null: the end, or no page was asked for."]
    total: Annotated[int, TOTAL]
    version: Version = UNSET
    since: AnsweredSince = UNSET
    gone: Gone = UNSET


def rounds_view(state: Tournament, rounds: Sequence[Round] | None = None, *, next: str | None = None) -> RoundsView:
    """The rounds in short, how many are planned, and who stands by as spare player.

    rounds, next: those of a page and its cursor, where not all are asked for.
    """
    everyone = rounds_in_order(state)
    return RoundsView(
        items=[round_listed(state, round) for round in (everyone if rounds is None else rounds)],
        next=next,
        total=len(everyone),
        planned=rounds_if_fixed(state),
        spares=[SpareView(id=member.id, name=member.name, venue=member.venue) for member in spares_of(state)],
    )


def rounds_in_order(state: Tournament) -> list[Round]:
    """Every round that is paired, by its number."""
    return [round for _, round in sorted(state.rounds.rounds.items())]


def round_listed(state: Tournament, round: Round) -> RoundListed:
    """A round in short."""
    games = [seat for seat in round.seats.values() if seat.kind != "bye"]
    return RoundListed(
        round=round.number,
        stage=round.stage,
        status=status_of_round(state, round),
        method=round.method,
        scenario=round.scenario,
        reason=round.reason,
        games=len(games),
        open=sum(not is_settled(state, seat) for seat in games),
        publish_at=round.publish_at,
        started_at=round.started_at,
        ends_at=round.ends_at,
        seed=round.seed,
        made_from=round.made_from,
        made_from_older_standings=made_from_older_standings(state, round),
    )


def made_from_older_standings(state: Tournament, round: Round) -> bool:
    """Return True if the standings before a round were moved since it was paired, or that round was reopened."""
    return bool(round.made_from) and round.made_from != state.results.standings_changed_at(round.number - 1)


def round_view(
    state: Tournament,
    round: Round,
    timing: TimingView | None,
    seats: Sequence[Seat] | None = None,
    *,
    next: str | None = None,
    total: int | None = None,
    version: str | UnsetType = UNSET,
) -> RoundView:
    """A round with its pairings. timing: None where it has no clock.

    seats, next, total: those of a page, its cursor, and how many there are, where not all are asked for. version: what
    is sent as `since`.
    """
    seats = list(round.seats.values()) if seats is None else seats
    listed = round_listed(state, round)
    return RoundView(
        round=listed.round,
        stage=listed.stage,
        status=listed.status,
        method=listed.method,
        scenario=listed.scenario,
        reason=listed.reason,
        games=listed.games,
        open=listed.open,
        publish_at=listed.publish_at,
        started_at=listed.started_at,
        ends_at=listed.ends_at,
        seed=listed.seed,
        made_from=listed.made_from,
        made_from_older_standings=listed.made_from_older_standings,
        timing=timing,
        left_out=left_out_view(state, round.left_out),
        pairings=[pairing_view(state, round, seat) for seat in seats],
        next=next,
        total=len(seats) if total is None else total,
        version=version,
    )


def left_out_view(state: Tournament, left_out: Mapping[str, Sequence[str]]) -> list[LeftOut]:
    """Who was not paired, and why."""
    return [
        LeftOut(player=player, name=state.entries.name_of(player), reason=reason)
        for reason, players in left_out.items()
        for player in players
    ]


def pairing_view(state: Tournament, round: Round, seat: Seat) -> PairingView:
    """A pairing as everybody sees it."""
    entries = state.entries
    venue = entries.venues.get(seat.venue)
    return PairingView(
        id=seat.game,
        kind=seat.kind,
        player_1=seat.player_1,
        name_1=entries.name_of(seat.player_1),
        player_2=seat.player_2,
        name_2=entries.name_of(seat.player_2) if seat.player_2 else "",
        external_id_1=entries.external_id_of(seat.player_1),
        external_id_2=entries.external_id_of(seat.player_2),
        venue=seat.venue,
        venue_name=venue.name if venue else "",
        table=seat.table,
        wave=seat.wave,
        status=status_of(state, seat),
        binds=binds(state, round, seat),
        reason=seat.reason,
        rematch=seat.rematch,
        bye=seat.bye,
        ends_at=end_of(round, seat.game) if seat.kind != "bye" else "",
        held=bool(held_by(state, round, seat)),
        sides=[[GroupOfSide(player=one, name=entries.name_of(one)) for one in side] for side in seat.sides] or UNSET,
    )


COLUMNS = ("round", "table", "kind", "player_1", "player_2", "wave", "name_1", "name_2", "venue")


def pairings_file(shown: RoundView, headers: Mapping[str, str]) -> Response:
    """The pairings of a round, one a row; a bye has no table and no second player."""
    rows = [
        {name: getattr(pairing, name) for name in COLUMNS[2:]}
        | {"round": shown.round, "table": pairing.table or None}
        | ({} if pairing.table else {"wave": None})
        for pairing in shown.pairings
    ]
    return csv_answer(COLUMNS, rows, headers)
