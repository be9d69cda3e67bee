"""An event of any size, played over HTTP, for the pages of the console: two rounds closed, a third under way."""

from __future__ import annotations

from itertools import cycle
from random import Random
from typing import Any, cast
from urllib.parse import quote

import httpx

from deploy.operator import operator
from deploy.stack import Stack
from muster.simulator.director import Director, at_once, player_names, venue_names
from muster.simulator.plausible import results
from muster_client import Muster, bodies
from shared.formats.pack import shipped_ruleset
from shared.settings import PORT_OFFSETS

RULESET = "star-wars-armada-1.1"
CLOSED = 2
ROUND = CLOSED + 1
PLAYERS_OF_A_VENUE = 100
AT_ONCE = 8
SETTLED, DISPUTED = 0.3, 0.02
"""Shares of the games of the round that is under way."""
MOST_DISPUTED = 20
SIGN_IN_SECONDS = 60.0


def console_of(stack: Stack) -> str:
    """The address of the console of a stack."""
    return f"http://127.0.0.1:{port_of(stack)}"


def port_of(stack: Stack) -> int:
    """The port of the console."""
    return stack.port_base + PORT_OFFSETS["console"]


class ConsoleEvent:
    """One event of a stack with its console, and the cookies of those who look at it."""

    def __init__(self, stack: Stack, players: int) -> None:
        self.stack = stack
        self.players = players
        self.operator = operator(stack.urls, stack.issuer)
        self._facts = results(shipped_ruleset(RULESET), Random(players))
        self.director = Director.announce(
            self.operator, name=f"Cup of {players:,}", ruleset=RULESET, tier="casual", rounds=5, sign_up="open"
        )
        self._enter()
        for number in range(1, CLOSED + 1):
            self._pair(number)
            self._settle(self.director.open_games(number))
            self.director.close(number)
        self._pair(ROUND)
        games = [game for game in self.director.open_games(ROUND) if game["kind"] == "game"]
        settled, disputed = int(len(games) * SETTLED), min(MOST_DISPUTED, max(1, int(len(games) * DISPUTED)))
        self._settle(games[:settled])
        self._quarrel(games[settled : settled + disputed])
        self.disputed = games[settled]
        self.open = games[settled + disputed :]

    @property
    def page(self) -> str:
        """Where its pages begin."""
        return f"/events/{self.director.id}"

    def cookies(self) -> dict[str, str]:
        """Somebody -> the cookie of their browser; empty for a guest."""
        referee = self.director.appoint("Rudi", "referee")[1]
        someone = self.open[0]["player_1"]
        staff = {"operator": self.operator, "organiser": self.director.organiser, "referee": referee}
        found = {name: signed_in(self.stack, f"/come-in?key={quote(who.token)}") for name, who in staff.items()}
        return {"guest": "", "player": self.cookie_of(someone), **found}

    def cookie_of(self, player: str) -> str:
        """The cookie of a player's phone, which has opened its link."""
        return signed_in(self.stack, f"{self.page}/come-in?token={quote(self.director.players[player].token)}")

    def facts(self, game: dict[str, Any]) -> bodies.Facts:
        """A result that a game may have."""
        return cast(bodies.Facts, self._facts(game))

    def _enter(self) -> None:
        director, venues = self.director, max(1, self.players // PLAYERS_OF_A_VENUE)
        tables = -(-self.players // venues) // 2 + 1
        halls = cycle([director.open_venue(name, tables) for name in venue_names(venues)])
        director.join(
            [{"name": name, "venue": hall} for name, hall in zip(player_names(self.players), halls, strict=False)]
        )

    def _pair(self, number: int) -> None:
        self.director.pair(round=number)
        self.director.start(number)

    def _settle(self, games: list[dict[str, Any]]) -> None:
        """Staff enter the results, which count at once."""
        scoring = self.director.organiser.scoring
        entered = [(game["id"], self.facts(game)) for game in games if game["kind"] == "game"]

        def enter(one: tuple[str, bodies.Facts]) -> None:
            scoring.report_result(self.director.id, one[0], facts=one[1])

        at_once(enter, entered, AT_ONCE)

    def _quarrel(self, games: list[dict[str, Any]]) -> None:
        """Two say different things, and one of them calls a judge."""
        for game in games:
            one, two = (self._phone(game[f"player_{side}"]) for side in (1, 2))
            one.scoring.report_result(self.director.id, game["id"], facts=self.facts(game))
            two.scoring.dispute_result(self.director.id, game["id"], reason="the last ship was out of range")
            two.pairing.call_judge(self.director.id, game=game["id"], reason="dispute", text="please come")

    def _phone(self, player: str) -> Muster:
        return self.director.players[player]


def signed_in(stack: Stack, address: str) -> str:
    """The cookie of a browser that opened an address with a key. Raises RuntimeError where that signs nobody in."""
    answer = httpx.get(f"{console_of(stack)}{address}", timeout=SIGN_IN_SECONDS)
    kept = answer.cookies.get("muster_console")
    if not kept:
        raise RuntimeError(f"{answer.status_code}: nobody was signed in: {answer.text[:500]}")
    return f"muster_console={kept}"
