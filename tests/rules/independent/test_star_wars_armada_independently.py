"""Random tournaments of Star Wars: Armada: `muster standings` and `muster pair` compared with `star_wars_armada`.

The independent implementation shares no code with shared/rules. Rounds are paired by the command or by hand. Results
are drawn so that ties, byes, concessions, absences and survivors with the lower score are common.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from tests.rules.independent import star_wars_armada as rules
from tests.rules.independent.star_wars_armada import Entry, Row

OPTIONS = {
    "sos": ("sum", "tome"),
    "bye_may_move": ("false", "true"),
    "avoid_repeat_byes": ("false", "true"),
    "unresolved_ties": ("draw", "shared"),
    "dq_opponent_results": ("keep", "void_games"),
    "no_show": ("bye", "concession"),
}
SCORES = (0, 15, 20, 21, 50, 51, 90, 91, 100, 141, 150, 151, 220, 221, 300, 315, 345)
WHOLE_FLEET = (300, 315, 345)
NAMES = ("Åsa", "Ben, jr", "Łukasz K.", "O'Neill", 'Zed "Z"', "李雷", "p", "p 1")
COLUMNS = ["round", "table", "kind", "player_1", "player_2", "winner", "points_1", "points_2", "conceded_by"]


@pytest.mark.clause("AR-PTS-1", "AR-PTS-3", "AR-TB-1", "AR-TB-2", "AR-TB-3", "AR-TB-4", "AR-BYE-1", "AR-BYE-2")
@pytest.mark.clause("AR-PAIR-1", "AR-PAIR-3", "AR-PAIR-4", "AR-PAIR-5", "AR-PAIR-6", "AR-PAIR-7", "AR-CON-2")
@pytest.mark.clause("AR-AMB-2", "AR-AMB-4", "AR-AMB-9", "AR-AMB-10", "AR-AMB-12", "AR-AMB-13", "AR-AMB-14", "AR-AMB-15")
@pytest.mark.clause("AR-AMB-16", "AR-AMB-17", "AR-AMB-18")
@pytest.mark.parametrize("number", range(40))
def test_a_random_tournament(number: int, tmp_path: Path) -> None:
    random = Random(number)
    options = {key: random.choice(values) for key, values in OPTIONS.items() if random.random() < 0.5}
    entries = [Entry(f"{random.choice(NAMES)} {place}") for place in range(random.randint(3, 10))]
    rows: list[Row] = []
    for round in range(1, random.randint(2, 7)):
        write(tmp_path, random, entries, rows)
        seed = f"s{number}"
        assert as_told(tmp_path, options, seed) == as_expected(entries, rows, options, seed)
        playing = [entry.player for entry in entries if entry.status == "active"]
        if len(playing) < 2:
            break
        output = muster("pair", tmp_path, options, seed)
        games = {frozenset((row["player_1"], row["player_2"])) for row in output if row["kind"] == "game"}
        bye = "".join(row["player_1"] for row in output if row["kind"] == "bye")
        pairs, expected_bye = rules.pairings(entries, rows, seed, **options)
        assert (games, bye) == (set(pairs), expected_bye)
        if random.random() < 0.4:
            random.shuffle(playing)
            bye = playing.pop() if len(playing) % 2 else ""
            games = {frozenset(pair) for pair in zip(playing[::2], playing[1::2], strict=True)}
        rows += [result(random, round, *random.sample(sorted(pair), 2)) for pair in sorted(games, key=sorted)]
        rows += [Row(round, "bye", bye)] if bye else []
        entries = [leaving(random, entry, round) for entry in entries]


def result(random: Random, round: int, one: str, two: str) -> Row:
    """Draw a possible result of a game."""
    side = random.choice((1, 2))
    low, high = random.choice(SCORES), random.choice(WHOLE_FLEET)
    match random.choice(("forfeit", "concession", "equal", "survivor", "game", "game", "game", "game")):
        case "forfeit":
            return Row(round, "forfeit", one, two, conceded=side)
        case "concession":
            return Row(round, "game", one, two, points=(low, high) if side == 1 else (high, low), conceded=side)
        case "equal":
            return Row(round, "game", one, two, side, (low, low))
        case "survivor":
            return Row(round, "game", one, two, side, (high, high + 30) if side == 1 else (high + 30, high))
    first, second = random.sample(SCORES, 2)
    return Row(round, "game", one, two, random.choice((0, 1 if first > second else 2)), (first, second))


def leaving(random: Random, entry: Entry, round: int) -> Entry:
    if entry.status != "active" or random.random() > 0.06:
        return entry
    return Entry(entry.player, random.choice(("dropped", "disqualified")), round)


def write(folder: Path, random: Random, entries: list[Entry], rows: list[Row]) -> None:
    """Write the two files with rows and columns in any order."""
    players = [
        {"player": entry.player, "status": entry.status, "dropped_after": entry.dropped_after} for entry in entries
    ]
    results = [
        {"round": row.round, "kind": row.kind, "player_1": row.one, "player_2": row.two, "winner": row.winner or ""}
        | {"points_1": row.points[0], "points_2": row.points[1], "conceded_by": row.conceded or ""}
        for row in rows
    ]
    for name, columns, lines in (("players", [*players[0]], players), ("results", COLUMNS, results)):
        text = io.StringIO()
        writer = csv.DictWriter(text, random.sample(columns, len(columns)))
        writer.writeheader()
        writer.writerows(random.sample(lines, len(lines)))
        (folder / f"{name}.csv").write_text(text.getvalue(), encoding=random.choice(("utf-8", "utf-8-sig")), newline="")


def muster(command: str, folder: Path, options: Mapping[str, str], seed: str) -> list[dict[str, Any]]:
    files = ["--players", str(folder / "players.csv"), "--results", str(folder / "results.csv")]
    chosen = [word for key, value in options.items() for word in ("--option", f"{key}={value}")]
    arguments = [command, "--ruleset", "star-wars-armada-1.1", *files, *chosen, "--seed", seed, "--format", "json"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def as_told(folder: Path, options: Mapping[str, str], seed: str) -> list[tuple[Any, ...]]:
    names = ("rank", "player", "tournament_points", "margin_of_victory", "strength_of_schedule", "tied")
    output = muster("standings", folder, options, seed)
    return in_order(options, ((*(row[name] for name in names), row.get("status", "active")) for row in output))


def as_expected(entries: list[Entry], rows: list[Row], options: Mapping[str, str], seed: str) -> list[tuple[Any, ...]]:
    expected = rules.standings(entries, rows, seed, **options)
    return in_order(options, ((*line[:4], shown(line[4]), *line[5:]) for line in expected))


def in_order(options: Mapping[str, str], lines: Iterator[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Sort players of a shared rank, whose order is undefined."""
    return sorted(lines) if options.get("unresolved_ties") == "shared" else list(lines)


def shown(value: Fraction) -> int | str:
    if value.denominator == 1:
        return int(value)
    places = (Decimal(value.numerator) / value.denominator).quantize(Decimal("0.000001"), ROUND_HALF_EVEN)
    return str(places.normalize())
