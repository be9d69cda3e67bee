"""players.csv and results.csv together: what the offline commands are given."""

from __future__ import annotations

from services.console.players_csv import read_players
from services.console.results_csv import read_results
from shared.refusals import Fault
from shared.rules.model import Entrant, Game
from shared.rules.ruleset import Ruleset


def read_tournament(
    players: str, results: str, ruleset: Ruleset, faults: list[Fault]
) -> tuple[list[Entrant], list[Game]]:
    """The entrants and their scored games; every fault of both files is added to `faults`."""
    if players == results == "-":
        faults.append(Fault("--results", "standard input, as --players", "one of the two in a file"))
        return [], []
    entrants = read_players(players, faults)
    return entrants, read_results(results, ruleset, entrants, faults)
