"""`make demo`: a whole tournament over HTTP, in a Muster of its own, with everything that goes wrong at real ones.

48 players at 3 venues play 5 rounds of Star Wars: Armada: rosters, check-in, two drops and the byes that follow, a
concession, a disputed result ruled by a referee, one service killed with SIGKILL in the middle of a round, a
correction after later rounds were paired. Then the standings are shown and all three logs verified.
Exit codes: 0 all held, 1 something did not, with a line that says what.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from deploy.director import Director, fleet_battle
from deploy.stack import Stack
from shared.settings import SERVICES

VENUES = ("Old Town Hall", "Harbour Library", "Castle Cellar")
SEATS = 16
ROUNDS = 5
FIRST = [
    "Ada",
    "Bela",
    "Cleo",
    "Dora",
    "Edda",
    "Finn",
    "Gil",
    "Hana",
    "Ivo",
    "Jana",
    "Kai",
    "Lena",
    "Milo",
    "Nora",
    "Oskar",
    "Pia",
    "Quinn",
    "Rosa",
    "Sami",
    "Tara",
    "Ugo",
    "Vera",
    "Wim",
    "Xenia",
    "Yara",
    "Zeno",
    "Anton",
    "Britt",
    "Carl",
    "Dina",
    "Emil",
    "Frida",
    "Georg",
    "Heidi",
    "Igor",
    "Judit",
    "Klaus",
    "Liv",
    "Mats",
    "Nele",
    "Otto",
    "Petra",
    "Rolf",
    "Signe",
    "Tomas",
    "Ulla",
    "Viggo",
    "Wanda",
]

console = Console()


class Held:
    """What was checked, and what did not hold."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.count = 0

    def that(self, holds: bool, what: str) -> None:
        """Note a check; what: a sentence that is true when it held."""
        self.count += 1
        if not holds:
            self.failed.append(what)
        console.print(f"  [green]✓[/] {what}" if holds else f"  [bold red]✗ not so:[/] {what}")


def roster(number: int) -> dict[str, Any]:
    """A legal fleet of 290 to 300 points."""
    squadrons = 60 + number % 11
    return {
        "faction": ("rebel", "imperial")[number % 2],
        "fleet_total": 230 + squadrons,
        "commanders": [{"name": "Commander", "points": 30}],
        "ships": [{"name": "Flagship", "points": 110}, {"name": "Escort", "points": 90}],
        "squadrons": [{"name": "Fighters", "points": squadrons}],
        "objectives": [{"name": name.title(), "category": name} for name in ("assault", "defense", "navigation")],
    }


def main() -> int:
    """Play, show, verify; returns the exit code."""
    held = Held()
    started = time.monotonic()
    with Stack() as stack:
        console.print(f"[bold]Three services and their workers are up[/] ({time.monotonic() - started:.1f} s)")
        director = Director.announce(
            stack.urls,
            stack.settings("registration").token_keys,
            name="Armada at three venues",
            ruleset="star-wars-armada-1.1",
            tier="competitive",
            pairing_scope="venue",
            capacity=SEATS * len(VENUES),
        )
        play(director, stack, held)
        show(director)
        verify(director, stack, held)
    console.print(f"{held.count} checks, {len(held.failed)} failed, {time.monotonic() - started:.0f} seconds")
    return 1 if held.failed else 0


def play(director: Director, stack: Stack, held: Held) -> None:
    """The tournament, from the doors' opening to the winner."""
    random = Random(48)
    battle = fleet_battle(random)
    steps = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
    with steps:
        director.appoint("Head referee", "head_referee")
        referee = director.appoint("Referee", "referee")
        venues = [director.open_venue(name, SEATS // 2) for name in VENUES]
        players = director.join(
            {"name": name, "venue": venues[number % len(venues)]} for number, name in enumerate(FIRST)
        )
        entering = steps.add_task("rosters and check-in", total=len(players))
        for number, player in enumerate(players):
            phone = director.players[player]
            phone.post("registration", director.path(f"/players/{player}/roster"), {"roster": roster(number)})
            phone.post("registration", director.path(f"/players/{player}/check-in"), {})
            steps.advance(entering)
        for number in range(1, ROUNDS + 1):
            playing = steps.add_task(f"round {number}", total=len(players) // 2)
            director.pair()
            director.do("pairing", f"/rounds/{number}/start", {})
            MISFORTUNES.get(number, nothing)(director, stack, held, referee)
            steps.advance(playing, director.play(number, battle))
            games = director.games(number)
            steps.update(playing, completed=len(games), total=len(games))
            director.close(number)
            if number in (2, 3):
                leaver = players[number]
                director.do("registration", f"/players/{leaver}/drop", {"reason": "the last train leaves"})
        correct(director, held)
        director.do("scoring", "/conclusion", {})


Misfortune = Callable[[Director, Stack, Held, Any], None]


def nothing(director: Director, stack: Stack, held: Held, referee: Any) -> None:
    """A round without misfortune."""


def dispute(director: Director, stack: Stack, held: Held, referee: Any) -> None:
    """Two players do not agree; a referee rules."""
    game = first_open(director, 2)
    place = director.path(f"/games/{game['game']}")
    one, two = director.players[game["player_1"]], director.players[game["player_2"]]
    facts = {"points_1": 140, "points_2": 90, "end": "time", "second_player": 2}
    one.post("scoring", f"{place}/result", {"facts": facts})
    two.post("scoring", f"{place}/dispute", {"reason": "the last squadron was still on the table"})
    ruling = {"facts": {**facts, "points_1": 126}, "reason": "both lists and the table looked at", "clause": "AR-RES-5"}
    referee.post("scoring", f"{place}/ruling", ruling)
    shown = director.organiser.get("scoring", place)
    held.that(shown["status"] == "ruled" and shown["facts"]["points_1"] == 126, "a dispute of round 2 is ruled")


def concede(director: Director, stack: Stack, held: Held, referee: Any) -> None:
    """A player concedes: no tournament points, whatever the table says (AR-CON-2)."""
    game = first_open(director, 4)
    facts = {"points_1": 315, "points_2": 120, "end": "concession", "conceded_by": 2, "second_player": 1}
    director.play(4, lambda _: facts, lambda other: other["game"] == game["game"])
    shown = director.organiser.get("scoring", director.path(f"/games/{game['game']}"))
    held.that(shown["score"]["values_2"]["tournament_points"] == 0, "a conceded game of round 4 is worth nothing")


def kill(director: Director, stack: Stack, held: Held, referee: Any) -> None:
    """Scoring dies in the middle of a round, web and worker, and comes back; the phones just try again."""
    half = [game["game"] for game in director.games(3) if game["status"] == "open"][::2]
    director.play(3, fleet_battle(Random(3)), lambda game: game["game"] in half)
    before = director.organiser.get("scoring", director.path("/heads"))["heads"]["scoring"]
    stack.kill("scoring.web")
    stack.kill("scoring.worker")
    after = director.organiser.get("scoring", director.path("/heads"))["heads"]["scoring"]
    held.that(before == after, "scoring was killed with SIGKILL in round 3 and lost nothing that it had acknowledged")


MISFORTUNES: Mapping[int, Misfortune] = {2: dispute, 3: kill, 4: concede}


def first_open(director: Director, round: int) -> dict[str, Any]:
    """The first game of a round that nobody reported yet."""
    return next(game for game in director.games(round) if game["status"] == "open")


def correct(director: Director, held: Held) -> None:
    """A result of round 1 was written down wrongly; it is looked at first, then put right."""
    game = next(game for game in director.games(1) if game["kind"] == "game")
    facts = {**game["facts"], "points_1": 300, "points_2": 0, "end": "defeated_2"}
    body = {"facts": facts, "reason": "the slips of two tables were mixed up"}
    place = director.path(f"/games/{game['game']}/correction")
    before = director.standings()
    preview = director.organiser.post("scoring", place, body, preview="true")
    held.that(director.standings() == before, "looking at a correction first changes nothing")
    director.organiser.post("scoring", place, body)
    ranks = {row["player"]: row["rank"] for row in director.standings()["rows"]}
    promised = {move["player"]: move["rank"]["after"] for move in preview["moves"]}
    held.that(
        bool(promised) and all(ranks[player] == rank for player, rank in promised.items()),
        f"the correction moved what its preview had said ({len(promised)} players)",
    )


def show(director: Director) -> None:
    """Print the final standings."""
    standings = director.standings()
    table = Table(title="Final standings")
    for column in ("rank", "player", *standings["columns"], ""):
        table.add_column(column.replace("_", " "), justify="left" if column in ("player", "") else "right")
    for row in standings["rows"]:
        values = [str(row["values"][column]) for column in standings["columns"]]
        mark = "drawn" if row["tied"] else ""
        table.add_row(str(row["rank"]), row["name"], *values, mark if row["status"] == "active" else row["status"])
    console.print(table)


def verify(director: Director, stack: Stack, held: Held) -> None:
    """Every log complete, verified, and the same on all three services; the standings recomputed from it."""
    standings = director.standings()
    held.that(
        standings["final"] and len(standings["rows"]) == len(FIRST), "all 48 players stand in the final standings"
    )
    games = [game for number in range(1, ROUNDS + 1) for game in director.games(number)]
    held.that(all(game["binds"] for game in games), f"every one of {len(games)} games and byes has a binding result")
    byes = [game for game in games if game["kind"] == "bye"]
    held.that(len(byes) >= 3, f"{len(byes)} byes followed from two drops")
    held.that(same_heads(director), "the heads of all three logs agree on all three services")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "tournament.jsonl"
        lines = [director.organiser.text(name, director.path("/log"), limit=5000) for name in SERVICES]
        log.write_text("".join(lines))
        command = [sys.executable, "-m", "services.console.cli", "verify", str(log)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        console.print(ran.stdout.strip() + ran.stderr.strip(), style="dim")
        held.that(ran.returncode == 0, f"{len(''.join(lines).splitlines())} events verify: hashes, order, standings")


def same_heads(director: Director, seconds: float = 20.0) -> bool:
    """Whether every service holds every log to the same end; waits until messages have arrived."""
    deadline = time.monotonic() + seconds
    while True:
        heads = [director.organiser.get(name, director.path("/heads"))["heads"] for name in SERVICES]
        if heads[0] == heads[1] == heads[2] and len(heads[0]) == len(SERVICES):
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
