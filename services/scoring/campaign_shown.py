"""What scoring shows of a campaign's games."""

from __future__ import annotations

from typing import Any

import msgspec

from services.scoring.domain.campaign_games import faults_of_readiness
from services.scoring.queries import said_of, seat_shown
from shared.events.pairing import Seat
from shared.rules.campaign.standings import LeagueGame, bye, league_points
from shared.state.league import league_game, mustered_for
from shared.state.ruleset import campaign_of
from shared.state.tournament import Tournament


def campaign_game_shown(state: Tournament, round: int, seat: Seat) -> dict[str, Any]:
    """A game with what was recorded before it, what is still due, and what was said of its result."""
    shown = seat_shown(state, round, seat)
    if seat.kind == "bye":
        return shown | {"score": score_shown(state, round, bye(seat.player_1))}
    shown["sides"] = [side_shown(state, seat, group) for group in seat.players]
    result = state.results.results.get(seat.game)
    if result is None:
        due = faults_of_readiness(state, state.rounds.rounds[round], seat)
        return shown | {"due": [msgspec.structs.asdict(fault) for fault in due]}
    score = score_shown(state, round, league_game(seat.players, result.facts))
    return shown | said_of(seat, result) | {"due": [], "score": score}


def side_shown(state: Tournament, seat: Seat, group: str) -> dict[str, Any]:
    """One side as far as it is recorded before the game. FS-GAM-1 to FS-GAM-5."""
    mustered = mustered_for(state, seat.game, group)
    return {
        "group": group,
        "fielded": None if mustered is None else list(mustered.fielded),
        "jams": {} if mustered is None else mustered.jammed,
        "judged_rival_evil": None if mustered is None else mustered.evil,
        "objective": "" if mustered is None else mustered.objective,
    }


def score_shown(state: Tournament, round: int, game: LeagueGame) -> dict[str, Any]:
    """How a game ended for each side, with its league and victory points. FS-LGE-1."""
    options = campaign_of(state.entries, round).options
    sides = zip(game.endings, game.vp, strict=True)
    values = [{"league_points": league_points(options, ending), "vp": vp} for ending, vp in sides]
    second = len(game.groups) > 1
    return {
        "outcome_1": game.endings[0],
        "outcome_2": game.endings[1] if second else None,
        "values_1": values[0],
        "values_2": values[1] if second else {},
    }
