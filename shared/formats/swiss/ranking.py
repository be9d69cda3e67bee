"""Standings of a folded tournament: computed from results, or as scoring recorded them."""

from __future__ import annotations

from msgspec.structs import replace

from shared.formats.swiss.games import entrants_of, games_of
from shared.formats.swiss.rules.placing import Row
from shared.formats.swiss.rules.rounds import number_of_rounds
from shared.formats.swiss.rules.standings import Standings, rank
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.model import Draw, as_text, as_value
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import StandingRow
from shared.tournament.results import Recorded
from shared.tournament.state import Tournament


def standings_after(state: Tournament, round: int, seed: str) -> Standings:
    """The standings after a Swiss round, computed from the results that bind now; ties drawn from the seed."""
    ruleset = ruleset_of(state.entries)
    games = games_of(state, round, stage="swiss")
    return rank(ruleset, entrants_of(state), games, round=round, seed=seed, kept=draws_that_stand(state, round))


def draws_that_stand(state: Tournament, round: int) -> list[Draw]:
    """Coins that staff entered for this round, and its other draws; those of before too where they are kept."""
    results = state.results
    if ruleset_of(state.entries).standings.reuse_draws:
        made = _draws_made(state, round)
        rounds = [number for number in sorted({*made, *results.coins}) if number <= round]
    else:
        made = {number: one.draws for number, one in results.recorded.items()}
        rounds = [round] if round in results.coins else []
    draws = [coin for number in reversed(rounds) for coin in results.coins.get(number, ())]
    draws += [draw for number in rounds for draw in made.get(number, ())]
    return [Draw(draw.purpose, draw.round, draw.seed, tuple(sorted(draw.order)), tuple(draw.order)) for draw in draws]


def _draws_made(state: Tournament, until: int) -> dict[int, list[DrawMade]]:
    """Return the draws of each round, as recorded; those of earlier standings that are held back are made again."""
    results = state.results
    recorded = dict(results.recorded)
    for number in sorted(results.held_back):
        if number < until and number not in recorded:
            known = replace(state, results=replace(results, recorded=recorded, held_back={}))
            seed = results.held_back[number].seed
            recorded[number] = Recorded(number, [], seed, as_draws(standings_after(known, number, seed)))
    return {number: one.draws for number, one in recorded.items()}


def recorded_standings(state: Tournament, round: int) -> Standings | None:
    """The standings after a round as scoring recorded them last; None when the round is not closed."""
    recorded = state.results.recorded.get(round)
    if recorded is None:
        return None
    columns = ruleset_of(state.entries).columns
    rows = tuple(
        Row(
            row.rank,
            row.player,
            {name: as_value(row.values[name]) for name in columns if name in row.values},
            row.tied,
            row.status,  # type: ignore[arg-type]
        )
        for row in recorded.rows
    )
    return Standings(round, tuple(columns), rows, ())


def planned_rounds(state: Tournament) -> int | None:
    """How many rounds are to be played: as the organiser fixed it, else by the players of the first pairing.

    None when nobody has fixed it. Source: AR-SET-4, AR-RND-1, AR-AMB-24.
    """
    entries = state.entries
    if entries.rounds is not None:
        return entries.rounds
    first = state.rounds.rounds.get(1)
    players = sum(len(seat.players) for seat in first.seats.values()) if first is not None else entries.seated()
    return number_of_rounds(ruleset_of(entries), players, entries.tier)


def as_rows(standings: Standings) -> list[StandingRow]:
    """Standings as events hold them: fractions that are not whole as "p/q"."""
    return [
        StandingRow(
            rank=row.rank,
            player=row.player,
            values={name: as_text(row.values[name]) for name in standings.columns if name in row.values},
            tied=row.tied,
            status=row.status,
        )
        for row in standings.rows
    ]


def as_draws(standings: Standings) -> list[DrawMade]:
    """The draws behind standings as events hold them."""
    return [
        DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
        for draw in standings.draws
    ]
