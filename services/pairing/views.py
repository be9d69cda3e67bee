"""Views of rounds, also as a file; of the rules' judgement, tables, a player's game, and calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from flask import Response
from msgspec import UNSET, UnsetType

from services.pairing.calls import CallReason, sees
from services.pairing.formats import PairingFormat, TimingView
from services.pairing.guards import player_of, status_of_round
from services.pairing.judgement import ByRules, Code, Finding, by_rules, findings, meeting
from services.pairing.plans import spares_of
from services.pairing.seating import games_at_tables
from shared.formats.options import rounds_if_fixed
from shared.log.event import Head
from shared.refusals import Refusal
from shared.service.views import AnsweredSince, Appended, ExternalId, Gone, Version
from shared.shapes import TOTAL, View
from shared.tournament.games import GameStatus, awaited_lists, game_status, is_binding, is_settled
from shared.tournament.guards import By
from shared.tournament.rounds import Round, Seat, game_ends_at
from shared.tournament.state import Call, Tournament, calls_of
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
        status=game_status(state, seat),
        binds=is_binding(state, round, seat),
        reason=seat.reason,
        rematch=seat.rematch,
        bye=seat.bye,
        ends_at=game_ends_at(round, seat.game) if seat.kind != "bye" else "",
        held=bool(awaited_lists(state, round, seat)),
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


class PlayersPairing(View, frozen=True, kw_only=True):
    """A player's game of the latest round."""

    player: str
    round: int
    status: str
    pairing: PairingView


class PinnedPlayer(Named, frozen=True, kw_only=True):
    """Somebody who keeps a table; never why."""


class TableView(View, frozen=True, kw_only=True):
    """A table: which game goes on there, and who keeps it; never why."""

    table: int
    accessible: bool
    game: Annotated[PairingView | None, "null: free."]
    pinned: list[PinnedPlayer]


class TablesOfVenue(View, frozen=True, kw_only=True):
    """A venue's tables."""

    id: str
    name: str
    tables: list[TableView]


class TablesView(View, frozen=True, kw_only=True):
    """Every table of every open venue, in the latest round."""

    round: int | None
    items: list[TablesOfVenue]


def players_pairing(state: Tournament, player: str) -> PlayersPairing:
    """A player's game of the latest round; for the spare player too. Raises PlayerUnknown, NoGame."""
    if player not in state.entries.staff:
        player_of(state.entries, player)
    round = state.rounds.latest()
    for seat in round.seats.values() if round else ():
        if round and player in seat.all_players:
            return PlayersPairing(
                player=player,
                round=round.number,
                status=status_of_round(state, round),
                pairing=pairing_view(state, round, seat),
            )
    raise NoGame(f"{state.entries.name_of(player)} has no game now.", round=round.number if round else None)


def tables_view(state: Tournament) -> TablesView:
    """Every table of every open venue; tables that nobody set up are shown while a game is there."""
    entries = state.entries
    round = state.rounds.latest()
    if round is not None and round.number in state.results.closed:
        round = None
    taken = games_at_tables(state, round) if round else {}
    venues = {venue.id: (venue.name, dict(venue.tables)) for venue in entries.venues.values() if venue.open}
    for venue, table in sorted(taken):
        known = entries.venues.get(venue)
        venues.setdefault(venue, (known.name if known else "", {}))[1].setdefault(table, False)
    pinned: dict[tuple[str, int], list[PinnedPlayer]] = {}
    for player in entries.active():
        if player.pinned:
            pinned.setdefault(player.pinned, []).append(PinnedPlayer(player=player.id, name=player.name))

    def of_table(venue: str, table: int, accessible: bool) -> TableView:
        game = taken.get((venue, table))
        return TableView(
            table=table,
            accessible=accessible,
            game=pairing_view(state, round, round.seats[game]) if round and game else None,
            pinned=pinned.get((venue, table), []),
        )

    return TablesView(
        round=round.number if round else None,
        items=[
            TablesOfVenue(id=venue, name=name, tables=[of_table(venue, *table) for table in sorted(tables.items())])
            for venue, (name, tables) in venues.items()
        ],
    )


Status = Literal["waiting", "taken", "answered", "withdrawn"]


class JudgeCallView(View, frozen=True, kw_only=True):
    """A call to a table, as it stands."""

    id: str
    round: int
    game: str
    venue: str
    venue_name: str
    table: Annotated[int, "0: the game has none."]
    players: Annotated[list[Named], "Who sits there now; none where the game is no more."]
    caller: Annotated[str, "The id of a player, or of whoever of the staff called."]
    caller_name: str
    reason: CallReason
    text: str
    status: Status
    called_at: str
    referee: Annotated[str, "Who took it, or answered it; empty: nobody yet."]
    referee_name: str
    taken_at: str
    ended_at: Annotated[str, "When it was answered or withdrawn; empty: it is open."]
    answer: str


class UnpublishedView(View, frozen=True, kw_only=True):
    """What staff know of a tournament that is not published."""

    revision: Annotated[int, "Rises with every change of a draft or a call."]
    round: Annotated[int | None, "The round that is a draft."]
    cut: Annotated[bool, "The cut is a draft."]
    open_calls: Annotated[int, "Calls that are waiting or taken."]


def unpublished_view(state: Tournament) -> UnpublishedView:
    """Return what is not published, for staff. state: with drafts."""
    latest = state.rounds.latest()
    return UnpublishedView(
        revision=state.private.revision,
        round=latest.number if latest and latest.draft else None,
        cut=state.rounds.cut_draft,
        open_calls=sum(call.open for call in calls_of(state).values()),
    )


def call_view(state: Tournament, call: Call) -> JudgeCallView:
    """One call, for somebody who is shown it."""
    entries = state.entries
    round = state.rounds.rounds.get(call.round)
    seat = round.seats.get(call.game) if round else None
    venue = entries.venues.get(call.venue)
    there = dict.fromkeys((*seat.players, seat.player_2)) if seat else ()
    return JudgeCallView(
        id=call.id,
        round=call.round,
        game=call.game,
        venue=call.venue,
        venue_name=venue.name if venue else "",
        table=call.table,
        players=[Named(player=one, name=entries.name_of(one)) for one in there if one],
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


def calls_shown(state: Tournament, by: By, venue: str, status: str, game: str) -> list[Call]:
    """The calls that somebody is shown, in the order they came. venue, status, game: of these alone; empty: of all.

    status: `open` for those that are neither answered nor withdrawn.
    """
    return [
        call
        for call in calls_of(state).values()
        if sees(call, by)
        and venue in ("", call.venue)
        and game in ("", call.game)
        and status in ("", call.status, "open" if call.open else "")
    ]


class NoGame(Refusal):
    """The player is in no pairing of the latest round."""

    code = "no-game"
