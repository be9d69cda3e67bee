"""`python -m tests.walks [--stops]`: how far a result, a campaign's choice and a new player walk.

From the HTTP request to the answer, appended on the way, in one process on SQLite; copies elsewhere are no part of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.campaign.services.league import ABSENT, new_league
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was
from tests.walks.trace import Walk, walk_of

Request = Callable[[], object]


def walks(muster: Muster) -> Iterator[tuple[str, Walk]]:
    """Each walk by its name. Each is taken once before, so that nothing is counted that happens only once."""
    for name, requests in (("result", results(muster)), ("choice", choices(muster)), ("player", players(muster))):
        next(requests)()
        yield name, walk_of(next(requests))


def results(muster: Muster) -> Iterator[Request]:
    """Players report what their games ended like."""
    evening = muster.evening("before")
    evening.round(1)
    for seat in evening.games(1):
        body = {"facts": {"points_1": 100, "points_2": 50}}
        address, by = f"/games/{seat['id']}/result", seat["player_1"]
        yield lambda address=address, by=by, body=body: taken(evening.ask("POST", "scoring", address, body, by))


def choices(muster: Muster) -> Iterator[Request]:
    """Members of a campaign's group search buildings after their game; the service rolls."""
    league = new_league(muster, 2, built=True)
    league.pair()
    league.play("r1g1", "p1")
    while league.ask("GET", "scoring", "/groups/p1/post-game").body["step"] != "3":
        step = league.ask("GET", "scoring", "/groups/p1/post-game").body["step"]
        league.do("scoring", f"/groups/p1/steps/{step}/closing", ABSENT)
    for member in league.built("p1")["members"]:
        body = {"does": "scavenge", "of": {"member": member["id"]}, "service": True}
        yield lambda body=body: taken(league.ask("POST", "scoring", "/groups/p1/choices", body, "p1"))


def players(muster: Muster) -> Iterator[Request]:
    """Staff enter people."""
    evening = muster.announce()
    for number in (1, 2):
        body = {"name": f"Player {number}", "contact": {"phone": "1"}}
        yield lambda body=body: taken(evening.ask("POST", "registration", "/players", body))


def taken(answer: object) -> None:
    """Raises unless a command was taken."""
    assert getattr(answer, "status", 0) in (200, 201), answer


def main() -> None:
    """Print a line for each walk, and with --stops every function on it."""
    with TemporaryDirectory() as folder, logging_as_it_was():
        for name, walk in walks(Muster(Path(folder))):
            print(f"{name}: {walk.functions} functions, {walk.files} files, {walk.changes} changes of room")
            if "--stops" in sys.argv[1:]:
                print(*(f"  {stop}" for stop in walk.stops), sep="\n")


if __name__ == "__main__":
    main()
