"""Views of a Swiss tournament: standings and explanations, games, consequences of changes, CSV rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, cast

from msgspec import UNSET, UnsetType, structs

from services.scoring.guards import PlayerUnknown, RoundNotClosed, round_of
from services.scoring.swiss_rounds import changed_winners
from services.scoring.views_games import GameView, ScoreView, seat_view
from services.scoring.views_standings import (
    About,
    ByeMoved,
    CountedVenue,
    CutMoved,
    ExplainedView,
    NeighbourView,
    Order,
    PlaceMoved,
    RankMoved,
    RowMoved,
    RowView,
    ShareView,
    StandingsMoved,
    StandingsView,
    ValueMoved,
    ValueView,
    differing,
    standings_moved,
)
from shared.refusals import Fault, expects
from shared.rules.model import Facts, FactsKind, Game, PairingKind, Score, as_json
from shared.rules.parts import DEFAULT_STAFF_RULES, ORGANISER
from shared.service.state import LoadedAggregate
from shared.swiss.games import bye_game, counted_games, crosstable_of, entrants_of, parse_facts, results_row, ruleset_of
from shared.swiss.pairing import pair_round
from shared.swiss.ranking import LiveStandings, as_rows, closed_standings, decide_bracket_game, standings_of_round
from shared.swiss.rounds import robin_cycles
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game, score_in_round
from shared.swiss.standings import LazyRows, Row, Standings, draws_of, explain, players_of
from shared.tournament.games import is_settled
from shared.tournament.guards import published_state
from shared.tournament.parts import rounds_counted
from shared.tournament.people import PLAYING
from shared.tournament.results import Result
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


def ranked_state(loaded: LoadedAggregate) -> Tournament:
    """Return the state that standings are computed from: complete for staff, else only published rounds."""
    if not loaded.public:
        return loaded.state
    return loaded.derived("ranked", lambda: published_state(loaded.state))


def live_standings(loaded: LoadedAggregate) -> Standings:
    """Return the standings over all binding results, updated incrementally.

    Tied players share a rank until the round is closed and their order is drawn.
    """
    state = ranked_state(loaded)

    def make() -> Standings:
        latest = max(state.rounds.rounds, default=0)
        after = loaded.kept("standings", LiveStandings).after
        return standings_of_round(state, latest, _seed_of(state, latest), after)

    return loaded.derived("standings", make)


def standings_order(loaded: LoadedAggregate, tournament: str, round: int | None) -> Order[Row]:
    """Return the standings after a closed round, or the current ones if `round` is None.

    Raises RoundUnknown, RoundNotClosed.
    """
    state = ranked_state(loaded)
    latest = max(state.rounds.rounds, default=0)
    if round is None:
        standings = live_standings(loaded)
    else:
        number = round_of(state, round).number
        closed = loaded.derived(("closed", number), lambda: closed_standings(state, number))
        if closed is None:
            raise RoundNotClosed(
                f"Round {round} is not closed; ask without a round for the present order.", round=round
            )
        standings = closed
    recorded = state.results.recorded.get(standings.round)
    if recorded is None:
        unrecorded = standings.round not in state.results.held_back
    else:
        unrecorded = round is None and not loaded.derived("as recorded", lambda: as_rows(standings) == recorded.rows)
    after = loaded.derived(("venues", standings.round), lambda: rounds_counted(state, standings.round))
    about = StandingsView(
        tournament=tournament,
        round=standings.round,
        final=state.results.concluded and standings.round == latest,
        provisional=unrecorded or len(set(after.values())) > 1,
        after=[
            CountedVenue(venue=venue, name=state.entries.venues[venue].name, round=last)
            for venue, last in after.items()
        ]
        or UNSET,
        columns=list(standings.columns),
        words=words_of_standings(state, standings),
        items=[],
        draws=[],
        next=None,
        total=len(standings.rows),
        publish_at=state.results.publish_at or UNSET,
    )
    has_crosstable = bool(robin_cycles(ruleset_of(state.entries)))
    return Order(
        rows=standings.rows,
        draws=recorded.draws if recorded and not unrecorded else standings.draws,
        draws_of=draws_of if isinstance(standings.rows, LazyRows) and (unrecorded or recorded is None) else None,
        render=lambda rows: rows_view(state, standings, rows),
        about=about,
        players_of=players_of,
        compare=rows_differing,
        comparable_rows=partial(rows_view, state, standings, standings.rows) if has_crosstable else None,
    )


def rows_differing(before: Sequence[Any], now: Sequence[Any]) -> tuple[set[str], set[str]]:
    """Return the players whose row was changed, added or removed, and those for whom only the rank changed.

    before, now: rows or their views.
    """
    if isinstance(before, LazyRows) and isinstance(now, LazyRows):
        return before.differences(now)
    return differing(before, now)


def rows_view(state: Tournament, standings: Standings, rows: Sequence[Row]) -> list[RowView]:
    """Return the views of rows, with a crosstable in round robins."""
    players = state.entries.players
    met = crosstable_of(state, standings)
    byes = byes_until(state, standings.round)
    return [
        RowView(
            rank=row.rank,
            player=row.player,
            name=players[row.player].name,
            external_id=state.entries.external_id_of(row.player),
            values={column: as_json(row.values.get(column)) for column in standings.columns},
            tied=row.tied,
            status=row.status,
            crosstable=dict(met[row.player]) if met else UNSET,
            byes=byes.get(row.player, UNSET),
        )
        for row in rows
    ]


def byes_until(state: Tournament, round: int) -> Mapping[str, int]:
    """Return player -> number of byes in the Swiss rounds up to this one, for players who had any."""
    return Counter(
        seat.player_1
        for number, played in state.rounds.rounds.items()
        if number <= round and played.stage == "swiss" and not played.draft
        for seat in played.seats.values()
        if seat.kind == "bye"
    )


def explain_rank(loaded: LoadedAggregate, player: str, about: About) -> ExplainedView:
    """Explain every value of a player game by game, with the clauses. Raises PlayerUnknown.

    about: unused; other formats need it.
    """
    state = ranked_state(loaded)
    entry = state.entries.players.get(player)
    if entry is None or entry.status not in PLAYING:
        reason = f"{entry.name} has no seat, but is {entry.status}" if entry else f"No player has the id {player}"
        raise PlayerUnknown(f"{reason}.", [Fault("/player", player, expects("player-of-standings"))])
    latest = max(state.rounds.rounds, default=0)
    explained = explain(
        ruleset_of(state.entries), entrants_of(state), counted_games(state, latest, stage="swiss"), round=latest
    )
    values = [
        ValueView(
            column=value.column,
            clause=value.clause,
            value=value.value,
            shares=[
                ShareView(round=share.round, opponent=share.opponent or "", value=share.value) for share in value.shares
            ],
        )
        for value in explained(player)
    ]
    above, below = _neighbours(loaded, player)
    return ExplainedView(player=player, name=entry.name, values=values, above=above, below=below)


def _neighbours(loaded: LoadedAggregate, player: str) -> tuple[NeighbourView | None, NeighbourView | None]:
    """Return the rows above and below with the separating criterion. None if its column is not shown."""
    standings, state = live_standings(loaded), ranked_state(loaded)
    rows, ruleset = standings.rows, ruleset_of(state.entries)
    place = next((place for place, row in enumerate(rows) if row.player == player), None)
    if place is None:
        return None, None

    def near(other: int) -> NeighbourView | None:
        if not 0 <= other < len(rows):
            return None
        column = separating_column(ruleset, standings, rows[other], rows[place])
        if column is None:
            return None
        id = rows[other].player
        return NeighbourView(player=id, name=state.entries.players[id].name, separated_by=column)

    return near(place - 1), near(place + 1)


def separating_column(ruleset: Ruleset, standings: Standings, first: Row, second: Row) -> str | None:
    """Return the column that separates two adjacent rows, `tied` for a draw, `disqualified`, or "" for equal ranks.

    None if the column of the separating criterion is not shown.
    """
    if first.rank == second.rank:
        return ""
    if (first.status == "disqualified") != (second.status == "disqualified"):
        return "disqualified"
    for rule in ruleset.standings.criteria:
        if not rule.active:
            continue
        if rule.column not in standings.columns:
            break
        if first.values.get(rule.column) != second.values.get(rule.column):
            return rule.column
    drawn = any(first.player in draw.order and second.player in draw.order for draw in standings.draws)
    return "tied" if drawn else None


class SwissGameView(GameView, frozen=True, kw_only=True):
    """A game of a Swiss tournament or of its elimination bracket."""

    goes_on: Annotated[
        str | UnsetType, "In elimination: the player who advances, also after a tie. Empty: not decided yet."
    ] = UNSET


def game_view(state: Tournament, round: int, seat: Seat) -> SwissGameView:
    """Return the view of a game with its score."""
    result, played = state.results.results.get(seat.game), state.rounds.rounds[round]
    game = seat_view(state, round, seat)
    return SwissGameView(
        id=game.id,
        round=game.round,
        kind=game.kind,
        venue=game.venue,
        table=game.table,
        table_label=game.table_label,
        wave=game.wave,
        player_1=game.player_1,
        player_2=game.player_2,
        name_1=game.name_1,
        name_2=game.name_2,
        external_id_1=game.external_id_1,
        external_id_2=game.external_id_2,
        status=game.status,
        binds=game.binds,
        improbable=game.improbable,
        held=game.held,
        facts=game.facts,
        reported_by=game.reported_by,
        reported_at=game.reported_at,
        report=game.report,
        counter_facts=game.counter_facts,
        ruling=UNSET if game.ruling is UNSET or result is None else ruling_view(state, result),
        both_links_of=game.both_links_of,
        appealed=game.appealed,
        contest=game.contest,
        score=_score_of_game(state, played, seat, result),
        goes_on=_advancing_player(state, round, seat) if played.stage == "elimination" else UNSET,
    )


def _score_of_game(state: Tournament, round: Round, seat: Seat, result: Result | None) -> ScoreView | UnsetType:
    ruleset = ruleset_of(state.entries)
    if seat.kind == "bye":
        return score_view(bye_game(ruleset, round, seat).score)
    if result is None:
        return UNSET
    facts = parse_facts(result.facts)
    return score_view(score_in_round(ruleset, score_game(ruleset, facts), round.number, facts))


def words_of_standings(state: Tournament, standings: Standings) -> dict[str, str]:
    """Return the headings of the columns, and of what settles a tie."""
    words = ruleset_of(state.entries).effective_words
    return {"tied": words.tied} | words.headings(standings.columns)


def ruling_view(state: Tournament, result: Result) -> str:
    """Return the level of a ruling: an organiser's if the ruleset has no head referee (DW-STAFF-1)."""
    last_word = (ruleset_of(state.entries).staff or DEFAULT_STAFF_RULES).final
    return ORGANISER if result.level == "head_referee" and last_word == ORGANISER else result.level


def _advancing_player(state: Tournament, round: int, seat: Seat) -> str:
    """Return the player who advances from a game of the bracket; empty until the result binds and any draw is recorded.

    Source: DW-CUT-4, DW-CUT-5, DW-AMB-12.
    """
    winner, draw = decide_bracket_game(state, round, seat, "")
    return winner if draw is None or draw.seed else ""


def score_view(score: Score) -> ScoreView:
    """Return the view of a score."""
    return ScoreView(
        outcome_1=score.outcome_1, outcome_2=score.outcome_2, values_1=score.values_1, values_2=score.values_2
    )


def consequences(before: Tournament, after: Tournament) -> StandingsMoved:
    """Return the changes between a state and a hypothetical later one."""
    latest = max(before.rounds.rounds, default=0)
    live = LiveStandings()  # counts again only what differs between the two
    ranks = [standings_of_round(state, latest, _seed_of(state, latest), live.after) for state in (before, after)]
    return standings_moved(
        before,
        after,
        standings_round=latest,
        ranks=_rank_changes(before, *ranks),
        byes=_bye_changes(before, after),
        cut=_cut_changes(before, after),
        bracket=_bracket_changes(before, after),
    )


def _seed_of(state: Tournament, round: int) -> str | None:
    return state.results.seed_of(round) or None


def _rank_changes(state: Tournament, before: Standings, after: Standings) -> list[RowMoved]:
    was = {row.player: row for row in before.rows}
    return [
        RowMoved(
            player=row.player,
            name=state.entries.players[row.player].name,
            rank=RankMoved(before=old.rank, after=row.rank),
            values={
                column: ValueMoved(before=as_json(old.values.get(column)), after=as_json(row.values.get(column)))
                for column in after.columns
                if old.values.get(column) != row.values.get(column)
            },
        )
        for row in after.rows
        if ((old := was[row.player]).rank, old.values) != (row.rank, row.values)
    ]


def _bye_changes(before: Tournament, after: Tournament) -> list[ByeMoved]:
    moved = []
    for number, round in sorted(before.rounds.rounds.items()):
        given = sorted(seat.player_1 for seat in round.seats.values() if seat.kind == "bye" and not seat.bye)
        if given and round.stage == "swiss" and round.method != "manual" and number > 1:
            due = _expected_byes(after, number, round.seed)
            if due and due != given:
                moved.append(ByeMoved(round=number, given_to=given, would_go_to=due))
    return moved


def _expected_byes(state: Tournament, number: int, seed: str) -> list[str]:
    """Return the players who would get the byes of a round, given the results in a state."""
    seats = state.rounds.rounds[number].seats.values()
    paired = {player for seat in seats if not seat.bye for player in seat.players}
    entrants = [entrant for entrant in entrants_of(state) if entrant.player in paired and entrant.status == "active"]
    if len(entrants) != len(paired):
        return []
    pairing_result = pair_round(
        ruleset_of(state.entries),
        entrants,
        counted_games(state, number - 1, stage="swiss"),
        round=number,
        seed=seed,
        standings=closed_standings(state, number - 1),
    )
    return sorted(pairing.player_1 for pairing in pairing_result.pairings if pairing.kind == "bye")


def _bracket_changes(before: Tournament, after: Tournament) -> list[PlaceMoved]:
    """Return the paired games of the bracket to which another player would advance."""
    name = before.entries.name_of
    return [
        PlaceMoved(
            round=round.number,
            game=seat.game,
            leaves=was,
            leaves_name=name(was),
            goes_on=now,
            goes_on_name=name(now) if now else "",
        )
        for round, was, now in changed_winners(before, after)
        for seat in round.seats.values()
        if was and was in seat.players
    ]


def _cut_changes(before: Tournament, after: Tournament) -> CutMoved | None:
    seeds = before.rounds.cut
    recorded = after.results.recorded.get(before.rounds.cut_after)
    if not seeds or recorded is None:
        return None
    due = [row.player for row in recorded.rows if row.status == "active"][: len(seeds)]
    return CutMoved(
        would_be_in=[player for player in due if player not in seeds],
        would_be_out=[player for player in seeds if player not in due],
        seeding_changes=due != seeds,
    )


_UNSCORED = Score("draw")
"""Placeholder: a row contains facts, from which the ruleset computes the score."""


def results_file_row(state: Tournament, round: int, seat: Seat) -> dict[str, object]:
    """Return the CSV row of a game. Without a binding result it has no points."""
    result = state.results.results.get(seat.game)
    facts = Facts(kind=cast(FactsKind, seat.kind))
    if seat.kind != "bye" and result is not None and is_settled(state, seat):
        facts = parse_facts(result.facts)
    if not facts.scenario:
        facts = structs.replace(facts, scenario=state.rounds.rounds[round].scenario)
    kind, player_2 = cast(PairingKind, seat.kind), seat.player_2 or None
    row = results_row(Game(round, seat.table or None, kind, seat.player_1, player_2, facts, _UNSCORED))
    for side, player in ((1, seat.player_1), (2, seat.player_2)):
        for coin in state.results.coins.get(round, ()):
            if player in coin.order:
                row[f"coins_{side}"] = len(coin.order) - 1 - coin.order.index(player)
    return row
