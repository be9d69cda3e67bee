"""Random tournaments of Dust Warfare: `muster standings` and `muster pair` compared with `dust_warfare.py`.

The independent implementation shares no code with `shared/rules`.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from tests.rules.independent import dust_warfare as digest

COLUMNS = ["round", "table", "kind", "player_1", "player_2", "winner", "points_1", "points_2"]
COLUMNS += ["conceded_by", "extra"]
NAMES = ["Ana", "José", "O'Neil, Pat", 'Ed "X"', "李 雷", "a b", "ß"]
OPTIONS = {
    "avoid_repeat_byes": ["true"],
    "bye_bp": ["0", "half", "75"],
    "dq_listed": ["true"],
    "rematch_move": ["higher"],
    "ap_limit": ["200", "299", "400"],
    "no_show_mp": ["3"],
    "concession_bp": ["larger"],
    "forfeit_bp_rounding": ["up"],
}


def written(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]], chance: random.Random) -> str:
    """Write a file with rows and columns in any order, sometimes like a spreadsheet."""
    text = io.StringIO()
    ends = chance.choice(["\n", "\r\n"])
    writer = csv.DictWriter(text, chance.sample(columns, len(columns)), lineterminator=ends)
    writer.writeheader()
    writer.writerows(chance.sample(list(rows), len(rows)))
    path.write_bytes(chance.choice([b"", b"\xef\xbb\xbf"]) + text.getvalue().encode())
    return str(path)


def muster(folder: Path, command: str, event: digest.Event, chance: random.Random) -> list[dict[str, Any]]:
    """Return the output of a command for an event."""
    who = [{"player": id, "status": status, "dropped_after": after} for id, (status, after) in reported(event).items()]
    arguments = [command, "--ruleset", "dust-warfare-1.0", "--format", "json", "--seed", event.seed]
    arguments += ["--players", written(folder / "p.csv", ["player", "status", "dropped_after"], who, chance)]
    arguments += ["--results", written(folder / "r.csv", COLUMNS, event.rows, chance)]
    arguments += [word for key, value in event.options.items() for word in ("--option", f"{key}={value}")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def reported(event: digest.Event) -> dict[str, tuple[str, str]]:
    return {id: (status, str(last) if status == "dropped" else "") for id, (status, last) in event.players.items()}


def played(
    pairs: Sequence[tuple[str, str]], round: int, chance: random.Random, most: int, bracket: bool = False
) -> list[digest.Row]:
    """Draw results with likely ties, including concessions, forfeits and absences.

    - `most`: army points of the largest roster.
    - `bracket`: in the elimination at least one player comes, because the digest does not say who advances otherwise.
    """
    rows = []
    for table, (one, two) in enumerate(pairs, 1):
        row = dict.fromkeys(COLUMNS, "") | {"round": str(round), "table": str(table), "player_1": one, "player_2": two}
        points = [str(chance.choice([0, 50, 100, chance.randint(0, most)])) for _ in range(2)]
        side = chance.choice([1, 2])
        army = {"conceded_by": str(side), "extra": f"list_{side}={chance.randint(most - 50, most)}"}
        match chance.randrange(14 if bracket else 15):
            case _ if not two:
                row |= {"kind": "bye", "table": ""}
            case 0:
                row |= {"kind": "forfeit", "conceded_by": str(side), f"points_{3 - side}": points[0]}
            case 1:
                row |= {"kind": "game", **army, "winner": str(3 - side)}
                row |= {f"points_{3 - side}": str(int(points[0]) // 2), f"points_{side}": "0"}
            case 2:
                row |= {"kind": "forfeit", **army}
            case 3:
                row |= {"kind": "no_show", "conceded_by": str(side)}
            case 14:
                row |= {"kind": "double_no_show"}
            case _:
                row |= {"kind": "game", "winner": chance.choice(["1", "2", "draw"])}
                row |= {"points_1": points[0], "points_2": points[1]}
        rows.append(row)
    return rows


def announced(chance: random.Random, sizes: Sequence[int]) -> digest.Event:
    names = [f"{chance.choice(NAMES)}{number}" for number in range(chance.choice(sizes))]
    options = {key: chance.choice(values) for key, values in OPTIONS.items() if chance.random() < 0.3}
    return digest.Event(dict.fromkeys(names, ("active", 0)), [], options, f"seed {chance.random()}")


def some_leave(event: digest.Event, chance: random.Random) -> None:
    for player in event.players:
        if sum(map(event.active, event.players)) > 3 and event.active(player) and chance.random() < 0.04:
            event.players[player] = (chance.choice(["dropped", "dropped", "disqualified"]), event.played)


def holds_the_standings(rows: Sequence[dict[str, Any]], event: digest.Event) -> None:
    found = [(row["player"], row["match_points"], row["break_points"]) for row in rows]
    assert found == digest.standings(event)
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    kept = [row for row in rows if row.get("status") != "disqualified"]
    same = [
        one["match_points"] == two["match_points"] and one["break_points"] == two["break_points"]
        for one, two in pairwise(kept)
    ]
    assert [row["tied"] for row in kept] == [above or below for above, below in pairwise([False, *same, False])]


@pytest.mark.clause("DW-PAIR-1", "DW-PAIR-2", "DW-PAIR-3", "DW-PAIR-4", "DW-PAIR-5", "DW-PAIR-6", "DW-PTS-1", "DW-TB-1")
@pytest.mark.clause("DW-BYE-1", "DW-AMB-1", "DW-AMB-3", "DW-AMB-6", "DW-AMB-7", "DW-AMB-8", "DW-AMB-9", "DW-AMB-19")
@pytest.mark.clause("DW-FOR-2", "DW-AMB-2", "DW-AMB-17")
@pytest.mark.parametrize("number", range(12))
def test_both_readings_pair_and_rank_alike(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    for _ in range(3):
        event = announced(chance, range(3, 17))
        for round in range(1, 6):
            pairs = digest.pair(event)
            found = [(row["player_1"], row.get("player_2", "")) for row in muster(tmp_path, "pair", event, chance)]
            assert found == pairs
            event.rows = [*event.rows, *played(pairs, round, chance, int(event.options.get("ap_limit", "400")))]
            some_leave(event, chance)
            holds_the_standings(muster(tmp_path, "standings", event, chance), event)


@pytest.mark.clause("DW-RND-1", "DW-CUT-1", "DW-CUT-2", "DW-CUT-3", "DW-CUT-4", "DW-CUT-5", "DW-CUT-6")
@pytest.mark.clause("DW-AMB-4", "DW-AMB-5", "DW-AMB-11", "DW-AMB-12", "DW-AMB-3", "DW-AMB-17")
@pytest.mark.parametrize("number", range(12))
def test_both_readings_cut_and_eliminate_alike(number: int, tmp_path: Path) -> None:
    chance = random.Random(number)
    event = announced(chance, [17, 20, 33, 40, 65, 70])
    rounds, cut = next(rounds for most, *rounds in ((32, 4), (64, 5), (128, 6)) if len(event.players) <= most)[0], 3
    for round in range(1, rounds + 1):
        pairs = digest.pair(event) if round <= cut else digest.bracket(event)
        if round > cut and len(event.walk()[1]) < 2:
            break
        found = [(row["player_1"], row.get("player_2", "")) for row in muster(tmp_path, "pair", event, chance)]
        assert sorted(found) == sorted(pairs)
        most = int(event.options.get("ap_limit", "400"))
        event.rows = [*event.rows, *played(pairs, round, chance, most, bracket=round > cut)]
        some_leave(event, chance)
        rows = muster(tmp_path, "standings", event, chance)
        assert [(row["player"], row["match_points"], row["break_points"]) for row in rows] == digest.standings(event)
