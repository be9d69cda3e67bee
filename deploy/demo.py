"""`make demo`: play a whole tournament over HTTP on a separate Muster, with everything that goes wrong at real ones.

48 players at 3 venues play 5 rounds of Star Wars: Armada, as `muster play` simulates them: rosters, check-in, drops
and the resulting byes, concessions, disputed results that a referee rules on. In addition, one service is killed with
SIGKILL in the middle of a round, and a result is corrected after later rounds were paired. Then the standings are
shown and all three logs are verified. Exit codes: 0 all checks passed, 1 a check failed and is named.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from deploy.stack import Stack, operator
from muster.cli.tournament import show_standings
from muster.simulator.director import Director
from muster.simulator.floor import Play
from muster.simulator.simulation import Simulation
from shared.formats.packs import shipped_swiss
from shared.settings import SERVICES

RULESET = "star-wars-armada-1.1"
PLAYERS, VENUES, ROUNDS = 48, 3, 5
DISPUTE_IN, KILLED_IN, CONCESSION_IN = 2, 3, 4
SEED = "48"

console = Console()


class Held:
    """The checks of a demonstration, and those that failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.count = 0

    def that(self, holds: bool, what: str) -> None:
        """Record a check. what: a sentence that is true if the check passed."""
        self.count += 1
        if not holds:
            self.failed.append(what)
        console.print(f"  [green]✓[/] {what}" if holds else f"  [bold red]✗ not so:[/] {what}")


def main() -> int:
    """Play, show and verify the tournament. Return the exit code."""
    held = Held()
    started = time.monotonic()
    with Stack() as stack:
        console.print(f"[bold]Three services and their workers are up[/] ({time.monotonic() - started:.1f} s)")
        director = Director.announce(
            operator(stack.urls, stack.issuer),
            name="Armada at three venues",
            ruleset=RULESET,
            tier="competitive",
            pairing_scope="venue",
            check_in=True,
            capacity=PLAYERS,
        )
        play(director, stack, held)
        correct(director, held)
        show_standings(director.standings(), "table")
        look(director, held)
        verify(director, held)
    console.print(f"{held.count} checks, {len(held.failed)} failed, {time.monotonic() - started:.0f} seconds")
    return 1 if held.failed else 0


def play(director: Director, stack: Stack, held: Held) -> None:
    """Play the tournament from check-in to the winner. Some incidents are scripted instead of random."""

    def meanwhile(number: int, play_one: Play) -> None:
        if number == DISPUTE_IN:
            play_one(director.open_games(number)[0], "disputed")
        if number == CONCESSION_IN:
            play_one(director.open_games(number)[0], "conceded")
        if number == KILLED_IN:
            kill(director, stack, held, play_one)

    ruleset = shipped_swiss(RULESET)
    Simulation(director, ruleset, PLAYERS, VENUES, SEED, console.print, meanwhile=meanwhile).play()


def kill(director: Director, stack: Stack, held: Held, play_one: Play) -> None:
    """Kill scoring (web and worker) in the middle of a round and restart it; the phones just retry."""
    for game in director.open_games(KILLED_IN)[::2]:
        play_one(game)
    before = heads(director, "scoring")["scoring"]
    stack.kill("scoring")
    after = heads(director, "scoring")["scoring"]
    held.that(before == after, f"scoring was killed with SIGKILL in round {KILLED_IN} and lost nothing acknowledged")


def correct(director: Director, held: Held) -> None:
    """Correct a wrong result of round 1, after a preview."""
    game = next(game for game in director.games(1) if game["status"] == "confirmed" and "kind" not in game["facts"])
    facts = {"points_1": 300, "points_2": 0, "end": "defeated_2"}
    body = {"facts": facts, "reason": "the slips of two tables were mixed up"}
    place = director.path(f"/games/{game['id']}/correction")
    before = director.standings()
    preview = director.organiser.plain.post("scoring", place, body, preview="true")
    # Compare rows only: a rule may drop an absent player in between, which changes the version.
    same = director.standings()["items"] == before["items"]
    held.that(same, "looking at a correction first changes nothing")
    director.organiser.plain.post("scoring", place, body)
    ranks = {row["player"]: row["rank"] for row in director.standings()["items"]}
    moves = preview["moves"]["standings"]["ranks"]
    promised = {move["player"]: move["rank"]["after"] for move in moves}
    held.that(
        bool(promised) and all(ranks[player] == rank for player, rank in promised.items()),
        f"the correction moved what its preview had said ({len(promised)} players)",
    )


def look(director: Director, held: Held) -> None:
    """Check what the services show at the end: all players, all games, and the outcome of each accident."""
    standings = director.standings()
    out = list(director.organiser.plain.items("registration", director.path("/players"), status="disqualified"))
    held.that(
        standings["final"] and len(standings["items"]) == PLAYERS - len(out),
        f"all players but {len(out)} who were disqualified stand in the final standings",
    )
    games = [game for number in range(1, ROUNDS + 1) for game in director.games(number)]
    byes = [game for game in games if game["kind"] == "bye"]
    held.that(
        all(game["binds"] for game in games), f"all of {len(games)} games have a binding result, {len(byes)} byes"
    )
    ruled = [game for game in games if game.get("ruling")]
    held.that(
        bool(ruled) and all(game["status"] == "ruled" for game in ruled), f"all of {len(ruled)} disputes were ruled"
    )
    conceded = [game for game in games if game.get("facts", {}).get("end") == "concession"]
    worth = [game["score"][f"values_{game['facts']['conceded_by']}"]["tournament_points"] for game in conceded]
    held.that(bool(worth) and not any(worth), f"who conceded got nothing for it, in {len(worth)} games")
    held.that(same_heads(director), "the heads of all three logs agree on all three services")


def verify(director: Director, held: Held) -> None:
    """Verify the exported logs: hashes, order, and every standing and pairing computed again."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "tournament.jsonl"
        logs = [director.organiser.service(name).log(director.id, limit=5000) for name in SERVICES]
        lines = [line for page in logs for line in page]
        log.write_bytes(b"".join(line + b"\n" for line in lines))
        command = [sys.executable, "-m", "muster.cli.main", "verify", str(log)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        console.print(ran.stdout.strip() + ran.stderr.strip(), style="dim")
        held.that(ran.returncode == 0, f"{len(lines)} events verify: hashes, order, standings")


def heads(director: Director, service: str) -> dict[str, Any]:
    """Return the ends of the three logs as one service has them."""
    found: dict[str, Any] = director.organiser.plain.get(service, director.path("/heads"))["heads"]
    return found


def same_heads(director: Director) -> bool:
    """Return True if every service holds every log to the same end; wait for messages to arrive."""
    deadline = time.monotonic() + 20.0
    while True:
        first, *others = [heads(director, name) for name in SERVICES]
        if all(other == first for other in others) and len(first) == len(SERVICES):
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
