"""Short descriptions of seasons: places in tournaments, and results of games."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.formats.packs import shipped_ruleset
from shared.rules.model import Outcome, Value
from shared.season.ruleset import Entered, GamePlayed, Member, Result, SeasonRuleset, SeasonTable, TournamentResults
from shared.season.table import season_table


def rules(id: str = "season-points", **parts: dict[str, Any]) -> SeasonRuleset:
    """Return a shipped season ruleset with some fields changed: `rules(counting={"best": 2})`."""
    found = shipped_ruleset(id)
    assert isinstance(found, SeasonRuleset)
    for part, fields in parts.items():
        found = msgspec.structs.replace(found, **{part: msgspec.structs.replace(getattr(found, part), **fields)})
    return found


def members(names: str, tournaments: int = 9, **fields: Any) -> list[Member]:
    """Return members with these names, each entered under that name in t1, t2, ..."""
    return [
        Member(name, tuple(Entered(f"t{number}", name) for number in range(1, tournaments + 1)), **fields)
        for name in names.split()
    ]


def placed(number: int, order: str, **fields: Any) -> TournamentResults:
    """Return tournament t<number> with its players in order; in `Ana Ben=Cy Di` two share the second place."""
    results: list[Result] = []
    for group in order.split():
        place = len(results) + 1
        results += [Result(name, place) for name in group.split("=")]
    return TournamentResults(f"t{number}", number, tuple(results), **fields)


def played(number: int, games: str, **fields: Any) -> TournamentResults:
    """Return tournament t<number> by its games, such as `Ana>Ben Ben=Cy Cy` (a win, a draw, a bye); places by wins,
    shared.
    """
    told: dict[str, list[GamePlayed]] = {}
    for text in games.split():
        one, sign, other = text.partition(">" if ">" in text else "=")
        if not sign:
            told.setdefault(one, []).append(GamePlayed("win", kind="bye"))
            continue
        outcomes: tuple[Outcome, Outcome] = ("win", "loss") if sign == ">" else ("draw", "draw")
        told.setdefault(one, []).append(GamePlayed(outcomes[0], other))
        told.setdefault(other, []).append(GamePlayed(outcomes[1], one))
    wins = {name: sum(game.outcome == "win" for game in mine) for name, mine in told.items()}
    results = tuple(
        Result(name, 1 + sum(other > wins[name] for other in wins.values()), games=tuple(mine))
        for name, mine in told.items()
    )
    return TournamentResults(f"t{number}", number, results, **fields)


def order(table: SeasonTable) -> list[tuple[int, str]]:
    """Return ranks and players."""
    return [(row.rank, row.player) for row in table.rows]


def ranks(ruleset: SeasonRuleset, names: str, *gathered: TournamentResults, **fields: Any) -> list[tuple[int, str]]:
    """Return ranks and players of these members after these tournaments."""
    return order(season_table(ruleset, members(names, **fields), gathered))


def points(ruleset: SeasonRuleset, names: str, *gathered: TournamentResults) -> dict[str, Value]:
    """Return the points of these members after these tournaments."""
    return {row.player: row.points for row in season_table(ruleset, members(names), gathered).rows}
