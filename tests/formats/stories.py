"""One short evening of each format, played over HTTP, and the bad commands tried on the way.

played = STORIES["swiss"](muster)
played.evening                     the tournament, as `tests.fuzz.muster` drives it
played.table                       its standings
played.refused                     the refused commands and their problems
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from shared.log.event import Recorded
from shared.log.reading import log_page
from shared.service.commands import CommandEnvelope
from shared.service.wiring import Service
from shared.settings import SERVICES
from shared.tournament.guards import By
from tests.campaign.services.league import new_league
from tests.coop.story import new_night
from tests.formats import duel
from tests.fuzz.muster import WHOLE_LOG, Evening, Json, Muster, service_of
from tests.season.story import new_season
from tests.services.story import Answer

THERE: Mapping[str, Any] = {
    "player": "p1",
    "round": 1,
    "game": "r1g1",
    "session": "r1t1",
    "call": "c1",
    "group": "p1",
    "member": "m-1",
    "account": "caps",
    "form": "result_slip",
    "webhook": "w1",
    "delivery": 1,
}
"""Argument of an address -> what an evening has of it, where its format knows such a thing."""


@dataclass(frozen=True)
class Tried:
    """A bad command. `appended`: True if any log grew because of it."""

    wanted: str
    operation: str
    service: str
    answer: Answer
    appended: bool


@dataclass
class Played:
    """An evening.

    - `standings`: place of its standings.
    - `gathered`: a tournament that a season counts.
    - `stir`: causes an event elsewhere that the tournament has not read yet.
    """

    format: str
    evening: Evening
    standings: str
    gathered: str = "t-1"
    stir: Callable[[], object] = lambda: None
    refused: list[Tried] = field(default_factory=list)

    def tried(self, wanted: str, service: str, rest: str, body: Any = None) -> None:
        """Try a command that must be refused with this code."""
        muster, before = self.evening.muster, self.evening.muster.length
        address = f"/tournaments/{self.evening.id}{rest}"
        answer = muster.ask("POST", service, address, body, self.evening.token("organiser"))
        found, _ = muster.apps[service].url_map.bind("localhost").match(address, method="POST")
        self.refused.append(Tried(wanted, found.rpartition(".")[2], service, answer, muster.length != before))

    @property
    def there(self) -> Mapping[str, Any]:
        """Existing values of URL parameters."""
        return THERE | {"tournament": self.evening.id, "gathered": self.gathered}

    def copy(self) -> None:
        """Let every service read all events, as its worker would."""
        muster = self.evening.muster
        muster.copy(self.evening.id)
        for name in SERVICES:
            service = service_of(muster, name)
            for source in service.sources[1:]:
                service.handle_copies(self.evening.id, source)

    @property
    def table(self) -> Json:
        """The standings."""
        answer = self.evening.ask("GET", "scoring", self.standings)
        assert answer.status == 200, answer
        return dict(answer.body)

    @property
    def logs(self) -> dict[str, list[Recorded]]:
        """The three logs of their owners."""
        found = {}
        for name, database in self.evening.muster.databases.items():
            with database.reading() as connection:
                found[name] = log_page(connection, name, self.evening.id, 0, WHOLE_LOG)
        return found

    def service(self, name: str) -> Service:
        """Return a running service with its state in memory."""
        return service_of(self.evening.muster, name)


def swiss(muster: Muster) -> Played:
    """Play five players of Armada: two games, a bye, a dispute, a correction, a drop, an award."""
    evening = muster.announce(rounds=1)
    played = Played("swiss", evening, "/standings")
    evening.do("registration", "/venues", {"name": "Hall", "tables": 2})
    evening.do("registration", "/staff", {"name": "Rex", "role": "referee"})
    players = [{"name": f"Player {number}", "venue": "v1"} for number in range(1, 6)]
    evening.do("registration", "/players/list", {"players": players})
    played.tried("name-taken", "registration", "/players", {"name": "Player 1"})
    played.tried("round-unknown", "scoring", "/rounds/1/close")
    evening.round(1)
    played.tried("round-not-closed", "pairing", "/rounds")
    played.tried("wrong-format", "pairing", "/session-rounds")
    one, two = evening.games(1)
    played.tried("game-unknown", "scoring", "/games/r9g9/result", {"facts": {"points_1": 1, "points_2": 0}})
    played.tried("impossible-result", "scoring", f"/games/{one['id']}/result", {"facts": {"points_1": 100}})
    played.tried("games-open", "scoring", "/rounds/1/close")
    evening.report(one["id"], by=one["player_1"])
    evening.do("scoring", f"/games/{one['id']}/dispute", {"reason": "it was more"}, by=one["player_2"])
    ruled = {"facts": {"points_1": 120, "points_2": 60}, "reason": "counted again"}
    evening.do("scoring", f"/games/{one['id']}/ruling", ruled)
    evening.report(two["id"])
    evening.do("scoring", "/rounds/1/close")
    correction = {"facts": {"points_1": 10, "points_2": 70}, "reason": "slips mixed up"}
    evening.do("scoring", f"/games/{two['id']}/correction", correction)
    evening.do("scoring", "/awards", {"name": "Best painted", "player": "p1"})
    evening.do("registration", "/players/p5/drop", {})
    evening.do("scoring", "/conclusion", {})
    played.tried("tournament-over", "registration", "/players", {"name": "Late"})
    return played


def campaign(muster: Muster) -> Played:
    """Play two groups, one game, its post-game phase, the end."""
    league = new_league(muster, 2)
    played = Played("campaign", league, "/standings")
    played.tried("group-refused", "registration", "/players/p1/group", {"force": "nobody", "members": [], "stash": []})
    for player in ("p1", "p2"):
        league.build(player)
    league.pair()
    (game,) = league.games(1)
    played.tried("game-report-refused", "scoring", f"/games/{game['id']}/result", {"facts": {"kind": "game"}})
    played.tried("wrong-format", "scoring", "/sessions/r1t1/confirmation")
    league.play(game["id"], winner="p1")
    played.tried("round-not-closed", "pairing", "/rounds")
    played.tried("step-refused", "scoring", "/groups/p1/steps/9/closing", {})
    played.tried("group-unknown", "scoring", "/groups/p9/steps/1/closing", {})
    league.end_round()
    league.do("scoring", "/conclusion", {"reason": "one round"})
    played.tried("tournament-over", "scoring", "/recruits", {})
    return played


def coop(muster: Muster) -> Played:
    """Play four survivors at one table, who win."""
    night = new_night(muster, 4)
    played = Played("coop", night, "/ranking")
    played.tried("session-not-begun", "scoring", "/sessions/r1t1/confirmation")
    played.tried("session-unknown", "scoring", "/sessions/r9t9/confirmation")
    played.tried("wrong-format", "pairing", "/rounds")
    night.set_up()
    kill = {"moves": [{"move": "survivor_killed", "survivor": "p9"}]}
    played.tried("impossible-move", "scoring", "/sessions/r1t1/moves", kill)
    night.kill("p1")
    (_, slip) = night.ask("GET", "scoring", "/sessions/r1t1/statements").body["items"]
    night.end_round("a1")
    night.do("scoring", f"/sessions/r1t1/statements/{slip['id']}/taking-back", {"reason": "it was another table"})
    night.win()
    night.confirm()
    played.tried("session-ended", "scoring", "/sessions/r1t1/moves", {"moves": [{"move": "enemies_activated"}]})
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/conclusion", {"reason": "one evening"})
    played.tried("tournament-over", "registration", "/parties", {"players": ["p1", "p2"]})
    return played


def season(muster: Muster) -> Played:
    """Play two tournaments of four, gathered and claimed; the season continues."""
    season = new_season(muster)
    spring = season.cup("Ana", "Ben", "Cy", "Dee", name="Spring cup", starts_on="2026-03-01")
    autumn = season.cup("Ben", "Ana", "Dee", "Cy", name="Autumn cup", starts_on="2026-10-01")
    points = cycle([(0, 400), (400, 0)])
    played = Played("season", season, "/season/standings", spring.id, lambda: spring.correct("r1g1", *next(points)))
    played.tried("tournament-not-gathered", "registration", "/season/claims/by-name", {"tournament": spring.id})
    season.count(spring, autumn)
    played.tried("tournament-gathered", "registration", "/season/tournaments", {"tournament": spring.id})
    played.tried("tournament-not-for-season", "registration", "/season/tournaments", {"tournament": "t-nowhere"})
    played.tried("wrong-format", "pairing", "/rounds")
    same = {"player": "p1", "into": "p1", "reason": "one person"}
    played.tried("identity-merged", "registration", "/season/merges", same)
    season.post("/results", service="scoring")
    played.tried("no-final", "scoring", "/season/cut", {})
    return played


def duellists(muster: Muster) -> Played:
    """Play two players, a challenge, one game."""
    answer = muster.ask(
        "POST", "registration", "/tournaments", {"name": "Dawn", "pack": duel.PACK}, muster.token("operator")
    )
    assert answer.status == 201, answer
    evening = Evening(muster, answer.body["id"])
    played = Played("duel", evening, "/standings")
    for name in ("Ana", "Ben"):
        evening.do("registration", "/players", {"name": name})
    played.tried("name-taken", "registration", "/players", {"name": "Ana"})
    challenge = CommandEnvelope(evening.id, duel.Challenge(player="p2"), By("organiser", "organiser"), "challenge")
    service_of(muster, "registration").handler.run(challenge)
    evening.do("pairing", "/rounds")
    played.tried("wrong-format", "pairing", "/session-rounds")
    played.tried("game-unknown", "scoring", "/games/r9g9/result", {"facts": {"winner": 1}})
    played.tried("impossible-result", "scoring", "/games/r1g1/result", {"facts": {"winner": "draw"}})
    evening.report("r1g1", winner=2)
    evening.do("scoring", "/rounds/1/close")
    evening.do("scoring", "/conclusion", {})
    played.tried("tournament-over", "registration", "/players", {"name": "Cy"})
    return played


STORIES: dict[str, Callable[[Muster], Played]] = {
    "swiss": swiss,
    "campaign": campaign,
    "coop": coop,
    "season": season,
    "duel": duellists,
}
"""Format -> its evening."""
