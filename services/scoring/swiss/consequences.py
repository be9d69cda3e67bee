"""What a command would move, before anybody decides: standings, byes, cut seats, later pairings."""

from __future__ import annotations

from services.scoring.swiss.bracket import changed_winners
from services.scoring.tournament.views_consequences import (
    ByeMoved,
    CutMoved,
    PlaceMoved,
    RankMoved,
    RowMoved,
    StandingsMoved,
    ValueMoved,
    standings_moved,
)
from shared.rules.model import as_json
from shared.swiss.games import entrants_of, games_of, ruleset_of
from shared.swiss.pairing import pair_round
from shared.swiss.ranking import closed_standings, standings_of_round
from shared.swiss.standings import Standings
from shared.tournament.state import Tournament


def consequences(before: Tournament, after: Tournament) -> StandingsMoved:
    """Compare a tournament with what it would be; nothing of it is appended.

    ranks: who would stand elsewhere or with other values. byes: rounds whose bye would have gone to somebody else.
    cut: who would have been in the cut, and who not. bracket: games that another would go on to.
    later_pairings: rounds made from standings that would change.
    """
    latest = max(before.rounds.rounds, default=0)
    return standings_moved(
        before,
        after,
        standings_round=latest,
        ranks=_ranks(before, _present(before, latest), _present(after, latest)),
        byes=_byes(before, after),
        cut=_cut(before, after),
        bracket=_bracket(before, after),
    )


def _present(state: Tournament, latest: int) -> Standings:
    return standings_of_round(state, latest, state.results.seed_of(latest) or None)


def _ranks(state: Tournament, before: Standings, after: Standings) -> list[RowMoved]:
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


def _byes(before: Tournament, after: Tournament) -> list[ByeMoved]:
    moved = []
    for number, round in sorted(before.rounds.rounds.items()):
        given = sorted(seat.player_1 for seat in round.seats.values() if seat.kind == "bye" and not seat.bye)
        if given and round.stage == "swiss" and round.method != "manual" and number > 1:
            due = _byes_due(after, number, round.seed)
            if due and due != given:
                moved.append(ByeMoved(round=number, given_to=given, would_go_to=due))
    return moved


def _byes_due(state: Tournament, number: int, seed: str) -> list[str]:
    """Who would have the byes of a round among those who were paired in it, by the results as they are now."""
    seats = state.rounds.rounds[number].seats.values()
    paired = {player for seat in seats if not seat.bye for player in seat.players}
    entrants = [entrant for entrant in entrants_of(state) if entrant.player in paired and entrant.status == "active"]
    if len(entrants) != len(paired):
        return []
    made = pair_round(
        ruleset_of(state.entries),
        entrants,
        games_of(state, number - 1, stage="swiss"),
        round=number,
        seed=seed,
        standings=closed_standings(state, number - 1),
    )
    return sorted(pairing.player_1 for pairing in made.pairings if pairing.kind == "bye")


def _bracket(before: Tournament, after: Tournament) -> list[PlaceMoved]:
    """Return the games of the bracket that are paired and that another player would go on to."""
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


def _cut(before: Tournament, after: Tournament) -> CutMoved | None:
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
