"""Random tournaments: `muster standings` and `muster pair` compared with an independent implementation."""

from __future__ import annotations

import csv
import json
import random
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from tests.rules.independent.fallout_factions import ALIASES, MOST, drawn, pair, splits, standings

ID = "fallout-factions-comp-1.0"
NAMES = ["Ana", "ben", "Cy, the 2nd", 'Dee "D"', "Élodie", "李", "p 6", "-", "0", "Zoë O'Neil", "name|bar", "ß"]
PLAYERS = ["player", "name", "faction", "venue", "club", "status", "dropped_after"]
RESULTS = ["round", "table", "kind", "player_1", "player_2", "winner", "points_1", "points_2"]
RESULTS += ["scenario", "conceded_by", "extra"]
NEEDED = {"player", *RESULTS[:1], *RESULTS[2:5], *RESULTS[6:8]}
VALUES: dict[str, list[str]] = {
    "avoid_repeat_byes": ["false", "true"],
    "dq_opponent_results": ["keep", "void_games"],
    "search_token_tiebreak": ["ignore", "append"],
    "reuse_draws": ["false", "true"],
    "bye_may_move": ["false", "true"],
    "dropped_in_standings": ["true", "false"],
    "concession": ["bye_score", "table_score"],
    "spare_mode": ["last_ranked", "first_drop"],
    "scenario_max": ["", "25", "31"],
    "escalation_zero_draw": ["3", "0"],
}
Row = dict[str, str]


class Tournament:
    """A random tournament, generated round by round from a seed."""

    def __init__(self, number: int, options: Row | None = None) -> None:
        self.chance = chance = random.Random(number)
        size = chance.choice([3, 4, 5, 5, 6, 7, 7, 8, 9, 11, 12, 15, 17, chance.randint(18, 60)])
        names = NAMES if size <= len(NAMES) else [f"p{number}" for number in range(1, size + 1)]
        self.players: list[Row] = [{"player": name, "status": "", "dropped_after": ""} for name in names[:size]]
        chance.shuffle(self.players)
        self.results: list[Row] = []
        self.options = {key: chance.choice(values) for key, values in VALUES.items() if chance.random() < 0.5}
        self.options = {key: value for key, value in self.options.items() if value}
        if "dropped_in_standings" in self.options:  # a player drawn with a now hidden one is another question
            self.options.pop("reuse_draws", None)
        self.options = self.options if options is None else options
        self.seed = chance.choice(["", "s", "FF-2025-001", "our club, 7 März"]) or str(number)
        self.round = 0
        self.spare = ""
        self.lively = chance.random() < 0.5

    @property
    def active(self) -> list[str]:
        return [row["player"] for row in self.players if row["status"] in ("", "active")]

    def by_hand(self) -> list[tuple[str, str, str]]:
        """Return any pairing."""
        order = self.chance.sample(self.active, len(self.active))
        left = order.pop() if len(order) % 2 else None
        games = [("game", *both) for both in zip(order[::2], order[1::2], strict=True)]
        return games + ([("spare", left, self.spare) if self.spare else ("bye", left, "")] if left else [])

    def play(self) -> None:
        """Play another round with results, then let players leave."""
        chance = self.chance
        made = pair(self.players, self.results, self.options, self.seed, self.spare)
        if chance.random() < 0.3:
            made = self.by_hand()
        self.round += 1
        pool = self.options.get("scenario_pool")
        scenario = chance.choice(pool.split(",") if pool else list(MOST))
        called = chance.choice([scenario, *(other for other, name in ALIASES.items() if name == scenario)])
        possible = sorted(splits(scenario, int(self.options.get("escalation_zero_draw", 3))))
        likely = chance.sample(possible, 2) if self.lively else possible
        for table, (kind, one, two) in enumerate(made, 1):
            row = dict.fromkeys(RESULTS, "") | {"round": str(self.round), "kind": kind, "player_1": one}
            row["scenario"] = called if kind != "bye" or chance.random() < 0.5 else ""
            if kind != "bye":
                row |= {"table": str(table), "player_2": two} | self.ended(chance.choice(likely), kind)
            self.results.append(row)
        self.results[-1]["scenario"] = called
        for row in self.players:
            if row["status"] == "" and len(self.active) > 2 and chance.random() < 0.08:
                row["status"] = chance.choice(["dropped", "disqualified"])
                row["dropped_after"] = str(self.round) if row["status"] == "dropped" or chance.random() < 0.5 else ""
        if chance.random() < 0.1:
            self.players.append({"player": f"late {self.round}", "status": "", "dropped_after": ""})
        if chance.random() < 0.3:
            self.spare = chance.choice(["", "Spare", "Spare"])

    def ended(self, points: tuple[int, int], kind: str) -> Row:
        """Return how a game ended: played, conceded, or not played."""
        chance, how = self.chance, self.chance.random()
        if kind == "game" and how < 0.1:
            return {"kind": "forfeit", "conceded_by": chance.choice("12")} | chance.choice([{}, {"scenario": ""}])
        row = {"points_1": str(points[0]), "points_2": str(points[1])}
        if chance.random() < 0.7:
            tokens = chance.randint(0, 5)
            row["extra"] = f"search_tokens_1={tokens} search_tokens_2={chance.randint(0, 5 - tokens)}"
        if how < 0.2:
            return row | {"conceded_by": chance.choice("12")}
        winner = "draw" if points[0] == points[1] else "12"[points[0] < points[1]]
        return row | {"winner": chance.choice(["", winner])}

    def files(self, folder: Path) -> list[str]:
        """Write both files with rows and columns in any order; return the arguments that name them."""
        for name, columns, rows in (("players", PLAYERS, self.players), ("results", RESULTS, self.results)):
            some = [one for one in columns if one in NEEDED or any(row.get(one) for row in rows)]
            order = self.chance.sample(some, len(some)) if rows else columns
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, order, restval="", extrasaction="ignore")
                writer.writeheader()
                writer.writerows(self.chance.sample(rows, len(rows)))
        files = [["--players", str(folder / "players.csv")], ["--results", str(folder / "results.csv")]]
        set_ = [["--option", f"{key}={value}"] for key, value in self.options.items()]
        return [one for both in [*files, *set_] for one in both] + ["--ruleset", ID, "--seed", self.seed]


def asked(command: str, *arguments: str) -> list[dict[str, Any]]:
    answer = CliRunner().invoke(main, [command, *arguments, "--format", "json"], catch_exceptions=False)
    assert answer.exit_code == 0, answer.stderr
    return json.loads(answer.stdout)


def check_tables(paired: list[dict[str, Any]], in_order: list[tuple[int, str]], results: list[Row]) -> None:
    """Check that games have tables in this order, unless that repeats tables; then no better order exists."""
    known = {(row[side], row["table"]) for row in results for side in ("player_1", "player_2") if row["table"]}
    opponents = {row["player_1"]: row.get("player_2", "") for row in paired}

    def repeats(places: list[tuple[int, str]]) -> int:
        return sum(any((who, str(table)) in known for who in (one, opponents[one])) for table, one in places)

    places = sorted((row["table"], row["player_1"]) for row in paired if row["kind"] != "bye")
    assert [table for table, _ in places] == [table for table, _ in in_order]
    assert places == in_order if repeats(in_order) == 0 else repeats(places) <= repeats(in_order)


def held(number: int, folder: Path, options: Row | None = None) -> None:
    """Check that a tournament, under its own or given options, agrees with the implementation after every round."""
    tournament = Tournament(number, options)
    for _ in range(tournament.chance.randint(0, 7) + 1):
        files = tournament.files(folder)
        expected = standings(tournament.players, tournament.results, tournament.options, tournament.seed)
        assert asked("standings", *files) == expected, tournament.results
        if len(tournament.active) < 2:
            return
        made = pair(tournament.players, tournament.results, tournament.options, tournament.seed, tournament.spare)
        paired = asked("pair", *files, "--spare", tournament.spare or "-")
        assert [(row["kind"], row["player_1"], row.get("player_2", "")) for row in paired] == made
        seated = [player for kind, player, _ in made if kind != "bye"]
        if tournament.options.get("table_order") == "random":
            seated.sort(key=lambda player: drawn(tournament.seed, "tables", tournament.round + 1, player))
        check_tables(paired, list(enumerate(seated, 1)), tournament.results)
        tournament.play()


@pytest.mark.parametrize("number", range(40))
def test_a_random_tournament(number: int, tmp_path: Path) -> None:
    held(number, tmp_path)


@pytest.mark.parametrize(
    ("scenario", "zero_draw"), [*((name, 3) for name in [*MOST, *ALIASES]), ("Escalation", 0), ("Escape", 1)]
)
def test_exactly_the_possible_scores_are_accepted(scenario: str, zero_draw: int, tmp_path: Path) -> None:
    every = list(product(range(48), repeat=2))
    head = "round,kind,player_1,player_2,points_1,points_2,scenario\n"
    rows = "".join(f"{number},game,a,b,{one},{two},{scenario}\n" for number, (one, two) in enumerate(every, 1))
    (tmp_path / "results.csv").write_text(head + rows, "utf-8")
    (tmp_path / "players.csv").write_text("player\na\nb\n", "utf-8")
    files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv")]
    more = ["--ruleset", ID, "--option", f"escalation_zero_draw={zero_draw}"]
    stderr = CliRunner().invoke(main, ["standings", *files, *more]).stderr
    refused = {int(line) - 2 for line in re.findall(r"results\.csv:(\d+):points_[12]", stderr)}
    allowed = splits(ALIASES.get(scenario, scenario), zero_draw)
    assert {pair for index, pair in enumerate(every) if index not in refused} == allowed
