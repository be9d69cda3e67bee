"""Corrections that let another player of the bracket go on: refused once the bracket was played on from the game."""

from __future__ import annotations

from collections.abc import Iterator

from services.scoring.tournament.refusals import BracketPlayedOn
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import bracket_rounds, goes_on, has_left
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def changed_winners(before: Tournament, after: Tournament) -> Iterator[tuple[Round, str, str]]:
    """Yield the bracket rounds that are paired already for which others go on: the round, who did and who would.

    after: the same tournament with other results.
    """
    rounds = before.rounds.rounds
    for round in bracket_rounds(before):
        following = rounds.get(round.number + 1)
        if following is None:
            continue
        for seat in round.seats.values():
            was, now = goes_on(before, round.number, seat), goes_on(after, round.number, seat)
            if was != now:
                yield following, was, now


def refuse_played_on(before: Tournament, after: Tournament) -> None:
    """Refuse a correction that lets another player go on to a game of the bracket that was played.

    after: the tournament with the correction and the standings that follow. Raises BracketPlayedOn. Source: DW-CUT-3.
    """
    for round, was, now in changed_winners(before, after):
        games = [seat.game for seat in round.seats.values() if was and was in seat.players]
        if not games and (not now or has_left(before, now)):
            continue
        if games and ruleset_of(before.entries).cut.bracket == "reseed":
            games = list(round.seats)
        played = [game for game in games if game in before.results.results]
        if round.number in before.results.closed or played or not games:
            name = before.entries.name_of
            who = f"{name(now) if now else 'no one'} would go on to round {round.number}"
            who += f" instead of {name(was)}" if was else ""
            raise BracketPlayedOn(
                f"With this result {who}: {_way_out(before, round, played or games)}.",
                round=round.number,
                games=played or games,
            )


def _way_out(state: Tournament, round: Round, games: list[str]) -> str:
    """Return what was played of a round, and what staff do about it before the correction."""
    number, results, steps = round.number, state.results, []
    said = f"{' and '.join(games)} {'have' if len(games) > 1 else 'has'} been played" if games else "it is paired"
    if results.concluded:
        return f"{said}, and the tournament is concluded; what was played in its bracket stays"
    if later := [other for other in sorted(state.rounds.rounds, reverse=True) if other > number]:
        steps += [f"take round {other} back (POST …/rounds/{other}/withdrawal)" for other in later]
    if number in results.closed:
        steps.append(f"open round {number} again (POST …/rounds/{number}/reopening)")
    steps += [f"void {game} (POST …/games/{game}/voiding)" for game in games if game in results.results]
    if not games or not any(game in results.results for game in games):
        steps.append(f"take round {number} back (POST …/rounds/{number}/withdrawal)")
    return f"{said}. First {', then '.join(steps)}; then correct the result"
