"""players.csv: who entered."""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

from muster.cli.offline.csv_input import Shape, read_rows, whole
from shared.refusals import Fault
from shared.rules.model import Entrant, Status

SHAPE = Shape(
    ("player", "name", "faction", "venue", "club", "status", "dropped_after"), required=("player",), words=("status",)
)


def read_players(path: str, faults: list[Fault], ignored: Collection[str] = ()) -> list[Entrant]:
    """The entrants of a file, whose columns of these names are ignored; every fault is added to `faults`."""
    before = len(faults)
    rows = read_rows(path, SHAPE, faults, ignored)
    entrants: list[Entrant] = []
    first: dict[str, int] = {}
    for row in rows:
        player, status = row["player"], row["status"] or "active"
        dropped_after = whole(row, "dropped_after", 0, faults)
        if not player:
            faults.append(row.fault("player", "nobody", "a player's id"))
        elif player in first:
            faults.append(
                row.fault("player", f"{player!r} again", f"each player once; the first is in row {first[player]}")
            )
        if status not in get_args(Status):
            faults.append(row.fault("status", repr(status), "one of " + ", ".join(get_args(Status)) + ", or nothing"))
        elif status == "active" and row["dropped_after"]:
            faults.append(row.fault("dropped_after", "a last round of an active player", "status dropped, or nothing"))
        first.setdefault(player, row.line)
        entrants.append(
            Entrant(
                player,
                name=row["name"],
                status=status,  # type: ignore[arg-type]
                dropped_after=dropped_after,
                faction=row["faction"],
                venue=row["venue"],
                club=row["club"],
            )
        )
    if not rows and len(faults) == before:
        faults.append(Fault(f"{path}:2:player", "no players", "a row for each player"))
    return entrants
