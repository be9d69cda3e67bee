"""A season over HTTP: three services in one process, finished tournaments, claimed players.

season = new_season(muster)                       announced; nothing is gathered
cup = season.cup("Ana", "Ben", "Cy", "Dee")       a Swiss tournament of one round, won by those named first
season.gather(cup)                                the season counts it
season.claim_all(cup)                             all its players, by name
season.standings()                                the rows by name
"""

from __future__ import annotations

from typing import Any

from tests.auditing import failures, logs_of
from tests.fuzz.muster import ARMADA, Evening, Json, Muster
from tests.services.story import Answer

POINTS = "season-points"
LEAGUE = "season-league"


class CupEvening(Evening):
    """A Swiss tournament of one or more rounds."""

    def correct(self, game: str, points_1: int, points_2: int, preview: bool = False) -> Answer:
        """The head of the tournament replaces a result."""
        rest = f"/games/{game}/correction" + ("?preview=true" if preview else "")
        body = {"facts": {"points_1": points_1, "points_2": points_2}, "reason": "the sheet was misread"}
        answer = self.ask("POST", "scoring", rest, body)
        assert answer.status in (200, 201), answer
        self.muster.copy(self.id)
        return answer

    def loses(self, player: str, preview: bool = False) -> Answer:
        """A correction by which somebody loses their game of round 1 by as much as can be."""
        game = self.game_of(player)
        return self.correct(game, *((0, 400) if self.is_first(player, game) else (400, 0)), preview)

    def is_first(self, player: str, game: str) -> bool:
        """Whether somebody is player 1 of a game."""
        return bool(self.ask("GET", "scoring", f"/games/{game}").body["player_1"] == player)

    def game_of(self, player: str, round: int = 1) -> str:
        """The game of a player by id."""
        (found,) = [one["id"] for one in self.games(round) if player in (one["player_1"], one["player_2"])]
        return str(found)

    def player(self, name: str) -> str:
        """The id of a player by name."""
        items = self.ask("GET", "registration", "/players?limit=500").body["items"]
        return next(str(item["id"]) for item in items if item["name"] == name)


class Season(Evening):
    """A season."""

    def cup(self, *names: str | dict[str, str], rounds: int = 1, conclude: bool = True, **members: Any) -> CupEvening:
        """A tournament in which players named earlier beat those named later, the more the earlier."""
        cup = CupEvening(self.muster, self.muster.announce(ruleset=ARMADA, rounds=rounds, **members).id)
        players = [one if isinstance(one, dict) else {"name": one} for one in names]
        cup.do("registration", "/players/list", {"players": players})
        place = {f"p{index}": index for index in range(1, len(names) + 1)}
        for number in range(1, rounds + 1):
            pairings = [{"player_1": one, "player_2": two} for one, two in meetings(list(place), number)]
            cup.round(number, pairings=pairings, reason="as every year")
            for game in cup.games(number):
                one, two = place[game["player_1"]], place[game["player_2"]]
                margin = 20 * (len(names) + 1 - min(one, two))
                won, lost = 100 + margin, 100
                points = (won, lost) if one < two else (lost, won)
                cup.report(game["id"], points_1=points[0], points_2=points[1])
            cup.do("scoring", f"/rounds/{number}/close")
        if conclude:
            cup.do("scoring", "/conclusion", {})
        return cup

    def post(self, rest: str, body: Any = None, by: str = "organiser", service: str = "registration") -> Answer:
        """A command of the season that is not refused."""
        return self.do(service, f"/season{rest}", body, by)

    def refused(
        self, status: int, code: str, rest: str, body: Any = None, by: str = "organiser", service: str = "registration"
    ) -> Answer:
        """A command that is refused, and has appended nothing to any log."""
        before = self.heads
        answer = self.ask("POST", service, f"/season{rest}", body, by)
        assert (answer.status, answer.code) == (status, code), answer
        assert self.heads == before
        return answer

    def gather(self, cup: Evening, **more: Any) -> Answer:
        return self.post("/tournaments", {"tournament": cup.id, **more})

    def claim_all(self, cup: Evening) -> Answer:
        """Everybody of a tournament: by the same name, or as new players."""
        return self.post("/claims/by-name", {"tournament": cup.id})

    def count(self, *cups: Evening) -> None:
        """Gather and claim tournaments."""
        for cup in cups:
            self.gather(cup)
            self.claim_all(cup)

    def follow(self) -> Answer:
        """What the worker does every few seconds: what is new of the tournaments is taken."""
        return self.post("/results", service="scoring")

    def table(self) -> Json:
        """The standings, as recorded once the worker has followed."""
        self.follow()
        answer = self.ask("GET", "scoring", "/season/standings")
        assert answer.status == 200, answer
        self.muster.copy(self.id)
        return dict(answer.body)

    def standings(self) -> list[tuple[int, str, Any]]:
        """Rank, name and points of everybody."""
        return [(row["rank"], row["name"], row["points"]) for row in self.table()["items"]]

    def history(self, name: str) -> list[Json]:
        """Every time that somebody moved, with what the worker has taken by then."""
        self.follow()
        answer = self.ask("GET", "scoring", f"/season/players/{self.player(name)}/history")
        assert answer.status == 200, answer
        return list(answer.body["items"])

    def player(self, name: str) -> str:
        """The id of a player of the season by name."""
        items = self.ask("GET", "registration", "/season/players?limit=500").body["items"]
        return next(str(item["id"]) for item in items if item["name"] == name)


def holds(season: Evening) -> None:
    """Audit the logs of a season and check that there are no findings."""
    assert failures(logs_of(season)) == []


def meetings(players: list[str], round: int) -> list[tuple[str, str]]:
    """Return the pairings of a round robin; neighbours meet last. The number of players must be even."""
    first, *others = players
    turned = others[-round + 1 :] + others[: -round + 1] if round > 1 else others
    circle = [first, *turned]
    return [(circle[index], circle[-1 - index]) for index in range(len(circle) // 2)]


def new_season(muster: Muster, ruleset: str = POINTS, **members: Any) -> Season:
    """Return a season that has gathered nothing."""
    return Season(muster, muster.announce(**{"name": "League", "ruleset": ruleset, "rounds": None, **members}).id)
