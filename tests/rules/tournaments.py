"""Random tournaments as files: any valid reports under a ruleset, with byes, drops and absences."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hypothesis import strategies as some
from msgspec.structs import replace

from muster.cli.tournament_files import read_tournament
from shared.formats.packs import load, shipped
from shared.refusals import Fault
from shared.rules.model import Entrant, Facts, Game, ImpossibleResult
from shared.swiss.games import COLUMNS
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
RULESETS = [
    *shipped("swiss").values(),
    *(load(path.read_text("utf-8"), path.name) for path in sorted(EXAMPLES.glob("*.yaml"))),
]
BY_ID = {ruleset.id: ruleset for ruleset in RULESETS}
POINTS = (None, 0, 1, 2, 5, 10, 15, 60, 300)

Row = dict[str, str]


class Files(NamedTuple):
    """Rows of players.csv and results.csv, by column."""

    players: tuple[Row, ...]
    results: tuple[Row, ...]

    @property
    def ids(self) -> list[str]:
        return [row["player"] for row in self.players]


@cache
def reports(id: str, scenario: str) -> list[Facts]:
    """Return every valid report of two players that a few numbers can express."""
    ruleset = BY_ID[id]
    found = []
    kinds = [kind for kind in ruleset.result.kinds if kind not in ("bye", "spare")]
    for kind, one, two, winner, conceded in product(kinds, POINTS, POINTS, (None, 1, 2, "draw"), (None, 1, 2)):
        facts = Facts(kind, one, two, winner, conceded_by=conceded, scenario=scenario)  # type: ignore[arg-type]
        try:
            score_game(ruleset, facts)
        except ImpossibleResult:
            continue
        found.append(facts)
    return found


@some.composite
def tournaments(draw: some.DrawFn, ruleset: Ruleset, *, leaving: bool = True, kinds: str = "") -> Files:
    """Draw up to seven players and four rounds.

    `leaving`: players drop or are disqualified. `kinds`: only these kinds of games.
    """
    ids = [f"p{index}" for index in range(draw(some.integers(3, 7)))]
    last = draw(some.integers(1, 4))
    players = {id: {"player": id, "status": "active", "dropped_after": ""} for id in ids}
    if leaving and draw(some.booleans()):
        players[ids[0]] |= {"status": "dropped", "dropped_after": str(draw(some.integers(0, last)))}
    if leaving and draw(some.booleans()):
        players[ids[1]] |= {"status": "disqualified"}
    rows: list[Row] = []
    for round in range(1, last + 1):
        gone = {id for id, row in players.items() if row["dropped_after"] and int(row["dropped_after"]) < round}
        order = draw(some.permutations([id for id in ids if id not in gone]))
        scenario = draw(some.sampled_from(ruleset.scenarios)).name if ruleset.scenarios else ""
        possible = [facts for facts in reports(ruleset.id, scenario) if not kinds or facts.kind in kinds.split()]
        for table, (one, two) in enumerate(zip(order[::2], order[1::2], strict=False), 1):
            rows.append(row_of(round, str(table), one, two, draw(some.sampled_from(possible))))
        if len(order) % 2:
            rows.append(row_of(round, "", order[-1], "", Facts("bye", scenario=scenario)))
    return Files(tuple(players.values()), tuple(rows))


def row_of(round: int, table: str, one: str, two: str, facts: Facts) -> Row:
    """Return a row of results.csv."""
    reported: dict[str, Any] = {name: getattr(facts, name, None) for name in COLUMNS}
    row = {name: "" if value is None or value == {} else str(value) for name, value in reported.items()}
    return row | {"round": str(round), "table": table, "player_1": one, "player_2": two}


def text_of(rows: tuple[Row, ...] | list[Row], columns: list[str] | tuple[str, ...] = ()) -> str:
    """Return the rows as CSV; by default with the columns of the first."""
    names = list(columns or rows[0])
    return "\n".join([",".join(names), *(",".join(row.get(name, "") for name in names) for row in rows)]) + "\n"


def read(ruleset: Ruleset, players: str | bytes, results: str | bytes) -> tuple[list[Entrant], list[Game]]:
    """Return the data that the offline commands read from two such files, which have no faults."""
    faults: list[Fault] = []
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("players.csv", "results.csv")]
        for path, text in zip(paths, (players, results), strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        found = read_tournament(str(paths[0]), str(paths[1]), ruleset, faults)
    assert not faults
    return found.entrants, found.games


def turned(row: Row) -> Row:
    """Return a row with its sides swapped."""
    if not row["player_2"]:
        return row
    other = {"1": "2", "2": "1"}
    return row | {
        "player_1": row["player_2"],
        "player_2": row["player_1"],
        "points_1": row["points_2"],
        "points_2": row["points_1"],
        "winner": other.get(row["winner"], row["winner"]),
        "conceded_by": other.get(row["conceded_by"], ""),
    }


def beating(ruleset: Ruleset, scenario: str) -> list[Facts]:
    """Return every report of a played game that the first side wins."""
    played = [facts for facts in reports(ruleset.id, scenario) if facts.kind == "game" and facts.conceded_by is None]
    return [facts for facts in played if score_game(ruleset, facts).outcome_1 == "win"]


def left(entrants: list[Entrant], after: int) -> list[Entrant]:
    """Return the entrants, the active ones having dropped after a round."""
    return [
        replace(entrant, status="dropped", dropped_after=after) if entrant.status == "active" else entrant
        for entrant in entrants
    ]
