"""Views of rounds (also as CSV), judgements, tables, a player's game, and calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from flask import Response
from msgspec import UNSET, UnsetType

from services.pairing.calls import CallReason, can_see
from services.pairing.formats import PairingFormat, TimingView
from services.pairing.guards import player_of, round_status
from services.pairing.judgement import (
    ByRules,
    Code,
    Finding,
    findings,
    judged_seats,
    made_from_older_standings,
    meeting,
    pair_by_rules,
)
from services.pairing.plans import standby_spares
from services.pairing.seating import games_at_tables
from shared.formats.options import rounds_if_fixed
from shared.log.event import Head
from shared.refusals import Refusal
from shared.service.views import AnsweredSince, Appended, ExternalId, Gone, TableLabel, Version
from shared.shapes import TOTAL, View
from shared.tournament.games import GameStatus, awaited_lists, game_status, is_binding, is_settled
from shared.tournament.guards import By
from shared.tournament.parts import has_own_rounds, latest_round_at, part_status
from shared.tournament.rounds import Round, Seat, game_ends_at
from shared.tournament.state import Call, Tournament, calls_of
from shared.web.paging import csv_answer


class Named(View, frozen=True, kw_only=True):
    """A player."""

    player: str
    name: str


class LeftOut(Named, frozen=True, kw_only=True):
    """An active player who is not paired."""

    reason: Annotated[
        str,
        "`no_roster`, `not_checked_in`, `sitting_out`, `played_elsewhere` (at the venue they left) or"
        " `venue_set_aside`; in a campaign `no_group` or `wiped_out`.",
    ]


class GroupOfSide(Named, frozen=True, kw_only=True):
    """A group on one side of a game."""


class Paired(Appended, frozen=True, kw_only=True):
    """The answer to pairing a round: its events, its number as `id`, and the players left out."""

    left_out: list[LeftOut]


class PairingView(View, frozen=True, kw_only=True):
    """A pairing with its table, the status of its game, and the reason for the pairing.

    In a game of three or more groups, `player_1` and `player_2` are the first groups of the first two sides.
    """

    id: str
    kind: str
    player_1: str
    name_1: str
    player_2: Annotated[str, "Empty for a bye; a member of staff in a spare game."]
    name_2: str
    external_id_1: ExternalId
    external_id_2: ExternalId
    venue: str
    venue_name: str
    table: Annotated[int, "0: none."]
    table_label: TableLabel = UNSET
    wave: Annotated[int, "1: starts with the round; 2: the next game at that table, and so on."]
    status: GameStatus
    binds: Annotated[bool, "True if the standings count the current result."]
    reason: str
    rematch: bool
    bye: Annotated[str, "`awarded` or `requested` for a bye that was granted; empty otherwise."]
    ends_at: Annotated[str, "The time when this game ends; empty before the start."]
    held: Annotated[bool, "True if the game has not started with its round because it waits for a player's list."]
    sides: Annotated[
        list[list[GroupOfSide]] | UnsetType, "The groups of each side; only in games of three or more groups."
    ] = UNSET


class RoundPartView(View, frozen=True, kw_only=True):
    """The part of a round at one venue. A round is closed when all its parts are."""

    venue: str
    name: Annotated[str, "The name of the venue."]
    publish_at: Annotated[str, "The scheduled publication of a draft; empty: none."]
    status: Annotated[str, "`draft`, `paired`, `started`, `aside` (the others go on without it) or `closed`."]
    games: Annotated[int, "The number of games, without byes."]
    open: Annotated[int, "Games without a result, or whose result does not count yet."]
    started_at: str
    ends_at: str


class RoundListed(View, frozen=True, kw_only=True):
    """A summary of a round."""

    round: int
    stage: str
    status: Annotated[str, "`draft`, `paired`, `started` or `closed`."]
    method: Annotated[str, "The name of the pairing policy, or `manual`."]
    scenario: str
    reason: Annotated[str, "The reason for pairing by hand."]
    games: Annotated[int, "The number of games, without byes."]
    open: Annotated[int, "Games without a result, or whose result does not count yet."]
    publish_at: Annotated[str, "The scheduled publication of a draft; empty: none."]
    started_at: str
    ends_at: str
    seed: str
    made_from: Annotated[int, "The position in scoring's log of the standings that the round was paired from."]
    made_from_older_standings: Annotated[
        bool, "True if the standings have changed since the round was paired. The pairings stay until someone acts."
    ]
    parts: Annotated[list[RoundPartView] | UnsetType, "The part at each venue, in the order of venues."] = UNSET


class SpareView(View, frozen=True, kw_only=True):
    """A spare player on standby."""

    id: Annotated[str, "The id of the member of staff."]
    name: str
    venue: Annotated[str, "Empty: any venue."]


class RoundsView(View, frozen=True, kw_only=True):
    """The rounds of a tournament."""

    items: list[RoundListed]
    planned: Annotated[int | None, "The number of rounds; null: not fixed yet."]
    spares: Annotated[list[SpareView], "Spare players on standby."]
    next: Annotated[str | None, "Cursor of the next page; null: the last page, or no page was requested."]
    total: Annotated[int, TOTAL]


class RoundView(RoundListed, frozen=True, kw_only=True):
    """A round with its pairings, in pairing order."""

    timing: Annotated[TimingView | None, "null if rounds have no clock, as in a campaign."]
    left_out: list[LeftOut]
    pairings: list[PairingView]
    next: Annotated[str | None, "Cursor of the next page of pairings; null: the last page, or no page was requested."]
    total: Annotated[int, TOTAL]
    version: Version = UNSET
    since: AnsweredSince = UNSET
    gone: Gone = UNSET


def rounds_view(
    state: Tournament, rounds: Sequence[Round] | None = None, *, next: str | None = None, venue: str = ""
) -> RoundsView:
    """Return a list of rounds, the planned number of rounds, and the spare players on standby.

    rounds, next: the rounds of a page and its cursor; by default all rounds. venue: whose games are counted; empty:
    all.
    """
    all_rounds = rounds_in_order(state)
    return RoundsView(
        items=[round_listed(state, round, venue) for round in (all_rounds if rounds is None else rounds)],
        next=next,
        total=len(all_rounds),
        planned=rounds_if_fixed(state),
        spares=[
            SpareView(id=member.id, name=member.name, venue=member.venue)
            for member in standby_spares(state)
            if not venue or member.venue in ("", venue)
        ],
    )


def rounds_in_order(state: Tournament) -> list[Round]:
    """Return the paired rounds, sorted by number."""
    return [round for _, round in sorted(state.rounds.rounds.items())]


def round_listed(state: Tournament, round: Round, venue: str = "") -> RoundListed:
    """Return the summary of a round. venue: whose games are counted; empty: all."""
    games = [seat for seat in round.seats.values() if seat.kind != "bye" and venue in ("", seat.venue)]
    return RoundListed(
        round=round.number,
        stage=round.stage,
        status=round_status(state, round),
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
        parts=parts_view(state, round),
    )


def parts_view(state: Tournament, round: Round) -> list[RoundPartView]:
    """Return the parts of a round at venues, in the order of venues."""
    venues, parts = state.entries.venues, []
    for part in sorted(filter(None, round.parts), key=list(venues).index):
        games = [seat for seat in round.seats_of(part) if seat.kind != "bye"]
        clock = round.clock_of(part)
        parts.append(
            RoundPartView(
                venue=part,
                name=venues[part].name,
                publish_at=round.drafts.get(part, ""),
                status=part_status(state, round, part),
                games=len(games),
                open=sum(not is_settled(state, seat) for seat in games),
                started_at=clock.started_at if clock else "",
                ends_at=clock.ends_at if clock else "",
            )
        )
    return parts


def round_view(
    state: Tournament,
    round: Round,
    timing: TimingView | None,
    seats: Sequence[Seat] | None = None,
    *,
    next: str | None = None,
    total: int | None = None,
    version: str | UnsetType = UNSET,
    venue: str = "",
) -> RoundView:
    """Return a round with its pairings.

    timing: None if rounds have no clock. seats, next, total: a page of pairings, its cursor and the number of all
    pairings; by default all pairings. version: the value for a later `since`. venue: as for `round_listed`.
    """
    seats = list(round.seats.values()) if seats is None else seats
    listed = round_listed(state, round, venue)
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
        parts=listed.parts,
        timing=timing,
        left_out=left_out_view(state, round.left_out),
        pairings=[pairing_view(state, round, seat) for seat in seats],
        next=next,
        total=len(seats) if total is None else total,
        version=version,
    )


def left_out_view(state: Tournament, left_out: Mapping[str, Sequence[str]]) -> list[LeftOut]:
    """Return the players left out, with the reasons."""
    return [
        LeftOut(player=player, name=state.entries.name_of(player), reason=reason)
        for reason, players in left_out.items()
        for player in players
    ]


def pairing_view(state: Tournament, round: Round, seat: Seat) -> PairingView:
    """Return the public view of a pairing."""
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
        table_label=entries.table_label(seat.venue, seat.table) or UNSET,
        wave=seat.wave,
        status=game_status(state, seat),
        binds=is_binding(state, round, seat),
        reason=seat.reason,
        rematch=seat.rematch,
        bye=seat.bye,
        ends_at=game_ends_at(round, seat.game) if seat.kind != "bye" else "",
        held=bool(awaited_lists(state, round, seat)),
        sides=[[GroupOfSide(player=id, name=entries.name_of(id)) for id in side] for side in seat.sides] or UNSET,
    )


COLUMNS = ("round", "table", "kind", "player_1", "player_2", "wave", "name_1", "name_2", "venue", "table_label")


def pairings_csv(view: RoundView, headers: Mapping[str, str]) -> Response:
    """Return the pairings of a round as CSV; a bye has no table and no second player."""
    rows = [
        {name: getattr(pairing, name) for name in COLUMNS[2:-1]}
        | {"table_label": pairing.table_label or None}
        | {"round": view.round, "table": pairing.table or None}
        | ({} if pairing.table else {"wave": None})
        for pairing in view.pairings
    ]
    return csv_answer(COLUMNS, rows, headers)


class FindingView(View, frozen=True, kw_only=True):
    """A fact that the rules would have avoided, or that changed after the round was paired."""

    code: Code
    game: Annotated[str, "Empty if the finding is about the round."]
    players: list[str]
    said: Annotated[str, "The finding as an English sentence."]
    clause: Annotated[str, "The clause of the ruleset, if there is one."]
    sentence: Annotated[
        str | UnsetType, "The stable code of the sentence. It excludes the leading names or game id."
    ] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values in the sentence."] = UNSET


class RuledPairing(View, frozen=True, kw_only=True):
    """A pairing that the rules would make."""

    kind: str
    player_1: str
    name_1: str
    player_2: str
    name_2: str
    venue: str
    table: int
    table_label: TableLabel = UNSET
    wave: int
    reason: str
    rematch: bool
    stands: Annotated[str, "The id of the round's game between the same players; empty: none."]
    sides: list[list[str]]


class RuledRound(View, frozen=True, kw_only=True):
    """The round as the rules would pair it."""

    method: str
    refused: Annotated[str, "The reason why the rules cannot pair the round; empty if they can."]
    same: Annotated[int, "Games that match a game of the round."]
    pairings: list[RuledPairing]
    left_out: list[LeftOut]
    code: Annotated[str | UnsetType, "With `refused`: the code of the problem."] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "With `refused`: the data of the problem."] = UNSET


class JudgementView(View, frozen=True, kw_only=True):
    """The judgement of a round: findings, and the pairings that the rules would make."""

    round: int
    status: str
    findings: list[FindingView]
    by_hand: Annotated[list[str], "Games of the round that the rules would not make."]
    by_rules: RuledRound


def judgement_view(
    format: PairingFormat,
    state: Tournament,
    round: Round,
    heads: Mapping[str, Head],
    *,
    status: str,
) -> JudgementView:
    """Return the judgement of a round. heads: the ends of the logs, for a draw that is not recorded."""
    ruled = pair_by_rules(format, state, round, heads)
    actual = {meeting(seat): seat.game for seat in judged_seats(state, round)}
    by_rules = {meeting(seat) for seat in ruled.seats}
    return JudgementView(
        round=round.number,
        status=status,
        findings=[_finding_view(state, finding) for finding in findings(format, state, round, ruled)],
        by_hand=[game for players, game in actual.items() if players not in by_rules],
        by_rules=_ruled_round(state, ruled, actual),
    )


def _finding_view(state: Tournament, finding: Finding) -> FindingView:
    subject = ", ".join(map(state.entries.name_of, finding.players)) or finding.game
    return FindingView(
        code=finding.code,
        game=finding.game,
        players=finding.players,
        said=f"{subject}: {finding.sentence}." if finding.game else f"{finding.sentence}.",
        clause=finding.clause,
        sentence=finding.sentence.code,
        data=dict(finding.sentence.data),
    )


def _ruled_round(state: Tournament, ruled: ByRules, actual: Mapping[frozenset[str], str]) -> RuledRound:
    return RuledRound(
        method=ruled.method,
        refused=ruled.refused,
        same=sum(meeting(seat) in actual for seat in ruled.seats),
        pairings=[_ruled_pairing(state, seat, actual.get(meeting(seat), "")) for seat in ruled.seats],
        left_out=left_out_view(state, ruled.left_out),
        code=ruled.code or UNSET,
        data=dict(ruled.data) or UNSET,
    )


def _ruled_pairing(state: Tournament, seat: Seat, same_game: str) -> RuledPairing:
    return RuledPairing(
        kind=seat.kind,
        player_1=seat.player_1,
        name_1=state.entries.name_of(seat.player_1),
        player_2=seat.player_2,
        name_2=state.entries.name_of(seat.player_2) if seat.player_2 else "",
        venue=seat.venue,
        table=seat.table,
        table_label=state.entries.table_label(seat.venue, seat.table) or UNSET,
        wave=seat.wave,
        reason=seat.reason,
        rematch=seat.rematch,
        stands=same_game,
        sides=seat.sides,
    )


class PlayersPairing(View, frozen=True, kw_only=True):
    """A player's game in the latest round; of their venue, if each venue is paired by itself."""

    player: str
    round: int
    status: str
    pairing: PairingView
    time_zone: Annotated[str | UnsetType, "The IANA name of the time zone of the game's venue. Absent: not set."] = (
        UNSET
    )


class PinnedPlayer(Named, frozen=True, kw_only=True):
    """A player with a fixed table. The reason is private."""


class TableView(View, frozen=True, kw_only=True):
    """A table, its game, and the players for whom it is fixed."""

    table: int
    label: TableLabel = UNSET
    accessible: bool
    game: Annotated[PairingView | None, "null: the table is free."]
    pinned: list[PinnedPlayer]


class TablesOfVenue(View, frozen=True, kw_only=True):
    """A venue's tables."""

    id: str
    name: str
    tables: list[TableView]


class TablesView(View, frozen=True, kw_only=True):
    """Every table of every open venue, with the game that is being played there."""

    round: int | None
    items: list[TablesOfVenue]


def players_pairing(state: Tournament, player: str) -> PlayersPairing:
    """Return the game of a player, or of a spare player, in the latest round. Raises PlayerUnknown, NoGame."""
    if player not in state.entries.staff:
        player_of(state.entries, player)
    latest = state.rounds.latest()
    rounds = reversed(state.rounds.rounds.values()) if has_own_rounds(state) else filter(None, [latest])
    for round in rounds:
        for seat in round.seats.values():
            if player in seat.all_players:
                venue = state.entries.venues.get(seat.venue)
                return PlayersPairing(
                    player=player,
                    round=round.number,
                    status=round_status(state, round) if seat.kind == "bye" else part_status(state, round, seat.venue),
                    pairing=pairing_view(state, round, seat),
                    time_zone=(venue.time_zone if venue else "") or UNSET,
                )
    raise NoGame(f"{state.entries.name_of(player)} has no game now.", round=latest.number if latest else None)


def tables_view(state: Tournament, only: str | UnsetType = UNSET) -> TablesView:
    """Return every table of every open venue. Tables that are not configured are included while a game is there.

    only: the venue whose tables are returned; unset: all.
    """
    entries = state.entries
    taken = _games_being_played(state)
    venues = {venue.id: (venue.name, dict(venue.tables)) for venue in entries.venues.values() if venue.open}
    for venue, table in sorted(taken):
        closed = entries.venues.get(venue)
        venues.setdefault(venue, (closed.name if closed else "", {}))[1].setdefault(table, False)
    pinned: dict[tuple[str, int], list[PinnedPlayer]] = {}
    for player in entries.active():
        if player.pinned:
            pinned.setdefault(player.pinned, []).append(PinnedPlayer(player=player.id, name=player.name))

    def table_view(venue: str, table: int, accessible: bool) -> TableView:
        round, game = taken.get((venue, table), (None, ""))
        return TableView(
            table=table,
            label=entries.table_label(venue, table) or UNSET,
            accessible=accessible,
            game=pairing_view(state, round, round.seats[game]) if round else None,
            pinned=pinned.get((venue, table), []),
        )

    latest = state.rounds.latest()
    return TablesView(
        round=latest.number if latest and latest.number not in state.results.closed else None,
        items=[
            TablesOfVenue(id=venue, name=name, tables=[table_view(venue, *table) for table in sorted(tables.items())])
            for venue, (name, tables) in venues.items()
            if only in (UNSET, venue)
        ],
    )


def _games_being_played(state: Tournament) -> dict[tuple[str, int], tuple[Round, str]]:
    """Return (venue, table) -> the round and the id of the first unfinished game there, in the last part of a venue."""
    playing: dict[tuple[str, int], tuple[Round, str]] = {}
    latest = {venue: latest_round_at(state.rounds, venue) for venue in ("", *state.entries.venues)}
    for number, round in state.rounds.rounds.items():
        for place, game in games_at_tables(state, round).items():
            if latest.get(place[0]) == number and not state.results.is_closed(number, place[0]):
                playing[place] = round, game
    return playing


Status = Literal["waiting", "taken", "answered", "withdrawn"]


class JudgeCallView(View, frozen=True, kw_only=True):
    """A call of a judge to a table."""

    id: str
    round: int
    game: str
    venue: str
    venue_name: str
    table: Annotated[int, "0: the game has none."]
    table_label: TableLabel = UNSET
    players: Annotated[list[Named], "The current players of the game; empty if it no longer exists."]
    caller: Annotated[str, "The id of the player or member of staff who called."]
    caller_name: str
    reason: CallReason
    text: str
    status: Status
    called_at: str
    referee: Annotated[str, "The member of staff who took or answered the call; empty: none yet."]
    referee_name: str
    taken_at: str
    ended_at: Annotated[str, "The time when it was answered or withdrawn; empty: it is open."]
    answer: str


class UnpublishedView(View, frozen=True, kw_only=True):
    """A summary of unpublished data of a tournament, for staff."""

    revision: Annotated[int, "Increases with every change of a draft or a call."]
    round: Annotated[int | None, "The number of the draft round."]
    cut: Annotated[bool, "True if the cut is a draft."]
    open_calls: Annotated[int, "Calls that are waiting or taken."]


def unpublished_view(state: Tournament) -> UnpublishedView:
    """Return the summary of unpublished data. state: with drafts."""
    drafts = [round.number for round in state.rounds.rounds.values() if round.drafts]
    return UnpublishedView(
        revision=state.private.revision,
        round=drafts[0] if drafts else None,
        cut=state.rounds.cut_draft,
        open_calls=sum(call.open for call in calls_of(state).values()),
    )


def call_view(state: Tournament, call: Call) -> JudgeCallView:
    """Return a call. The caller of this function checks that it may be seen."""
    entries = state.entries
    round = state.rounds.rounds.get(call.round)
    seat = round.seats.get(call.game) if round else None
    venue = entries.venues.get(call.venue)
    players = dict.fromkeys((*seat.players, seat.player_2)) if seat else ()
    return JudgeCallView(
        id=call.id,
        round=call.round,
        game=call.game,
        venue=call.venue,
        venue_name=venue.name if venue else "",
        table=call.table,
        table_label=entries.table_label(call.venue, call.table) or UNSET,
        players=[Named(player=id, name=entries.name_of(id)) for id in players if id],
        caller=call.caller,
        caller_name=entries.name_of(call.caller),
        reason=call.reason,  # type: ignore[arg-type]
        text=call.text,
        status=call.status,  # type: ignore[arg-type]
        called_at=call.called_at,
        referee=call.referee,
        referee_name=entries.name_of(call.referee) if call.referee else "",
        taken_at=call.taken_at,
        ended_at=call.ended_at,
        answer=call.answer,
    )


def visible_calls(state: Tournament, by: By, venue: str, status: str, game: str) -> list[Call]:
    """Return the calls that an actor can see, in the order in which they were made.

    venue, status, game: filters; empty: no filter. status: also `open`, for calls neither answered nor withdrawn.
    """
    return [
        call
        for call in calls_of(state).values()
        if can_see(call, by)
        and venue in ("", call.venue)
        and game in ("", call.game)
        and status in ("", call.status, "open" if call.open else "")
    ]


class NoGame(Refusal):
    """The player has no pairing in the latest round."""

    code = "no-game"
