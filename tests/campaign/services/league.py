"""A campaign over HTTP: the three services in one process.

league = new_league(muster, 4)          a campaign that four players have joined
league.build("p1")                      a legal group of Raiders, with its turfs, leader and rating
league.pair()                           the next round is paired
league.play("r1g1", "p2")               its game is played and won, or drawn without a winner
league.end_round()                      every group closes its post-game phase, as for players who are away
league.refused(422, "group-refused", "registration", "/players/p1/group", {...})     and has appended nothing
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.log.event import Recorded
from shared.messaging.envelope import from_wire
from tests.fuzz.muster import Evening, Json, Muster
from tests.services.story import Answer

RULESET = "fallout-skirmish"
RANKS = {"g": "green", "e": "experienced", "v": "veteran"}


def members(ranks: str = "vegg", goods: Sequence[str] = ()) -> list[Json]:
    """Characters by the first letters of their ranks; the first carries the goods."""
    return [{"rank": RANKS[letter], "goods": list(goods) if number == 0 else []} for number, letter in enumerate(ranks)]


def group(ranks: str = "vegg", force: str = "raiders", stash: Sequence[str] = (), goods: Sequence[str] = ()) -> Json:
    """A group as it is handed in."""
    return {"force": force, "members": members(ranks, goods), "stash": list(stash)}


def told(*faces: int, sides: int = 12, by: str = "", seen: str = "") -> Json:
    """Dice as they lay on a table."""
    roll = {"dice": [{"sides": sides, "natural": face} for face in faces], "witnessed_by": seen}
    return roll | ({"rolled_by": by} if by else {})


class League(Evening):
    """One campaign."""

    def hand_in(self, player: str, handed: Json | None = None, by: str = "") -> Answer:
        """A player hands a group in."""
        return self.do("registration", f"/players/{player}/group", handed or group(), by or player)

    def roll_turfs(self, player: str, *rolls: Json, by: str = "") -> Answer:
        """Starting turfs, by the service unless they are told."""
        return self.do(
            "registration", f"/players/{player}/group/turfs", {"rolls": list(rolls) or [{}] * 3}, by or player
        )

    def build(self, player: str, handed: Json | None = None, *faces: tuple[int, int]) -> None:
        """A group with everything; turfs as told, the organiser looking on, or else drawn by the service."""
        self.hand_in(player, handed)
        self.roll_turfs(player, *(told(*pair, seen="s1") for pair in faces))

    def built(self, player: str) -> Json:
        answer = self.ask("GET", "registration", f"/players/{player}/group")
        assert answer.status == 200, answer
        return dict(answer.body)

    def refused(
        self, status: int, code: str, service: str, rest: str, body: Any = None, by: str = "organiser"
    ) -> Answer:
        """A command that is refused, and has appended nothing to any log."""
        before = self.heads
        answer = self.ask("POST", service, rest, body, by)
        assert (answer.status, answer.code) == (status, code), answer
        assert self.heads == before
        return answer

    def faults(self, answer: Answer) -> list[tuple[str, str]]:
        """Where and by which clause something is refused; every fault says what was wrong and what is right."""
        errors = answer.body["errors"]
        assert all(fault["said"] and fault["expected"] for fault in errors), errors
        return [(fault["where"], fault["clause"]) for fault in errors]

    def pair(self, **body: Any) -> Answer:
        return self.do("pairing", "/rounds", body or None)

    def play(self, game: str, winner: str = "", killed: str = "") -> None:
        """A game is played by everybody and reported by the organiser. killed: a group of which nobody survives.

        Of a game in sides the winner holds the second line, and nobody else any.
        """
        rounds = self.ask("GET", "pairing", f"/rounds/{game[1]}").body["pairings"]
        seat = next(one for one in rounds if one["id"] == game)
        sides = []
        told_sides = [[one["player"] for one in side] for side in seat.get("sides", ())]
        players = [one for side in told_sides for one in side] or [seat["player_1"], seat["player_2"]]
        for player, other in zip(players, reversed(players), strict=True):
            other = other if other != player else players[0]
            fielded = [member["id"] for member in self.built(player)["members"]]
            self.do("scoring", f"/games/{game}/muster", {"group": player, "fielded": fielded})
            caps = told(1, by=player, seen=other)  # a reward that leaves ratings as they are
            self.do("scoring", f"/games/{game}/objective", {"group": player, "roll": caps})
            lines = [1, 2] if winner in (player, "") else [1]
            if told_sides:
                lines = [2] if player == winner else []
            disposition = {"down": "terrain", "removed": True} if player == killed else {}
            deeds = [{"member": member, **disposition} for member in fielded]
            sides.append({"group": player, "lines": lines, "vp": sum(lines), "members": deeds})
        end = told(12, by=seat["player_1"], seen=seat["player_2"])
        facts = {"kind": "game", "report": {"sides": sides, "last_turn": 8, "end_roll": end}}
        self.do("scoring", f"/games/{game}/result", {"facts": facts})

    def end_round(self) -> None:
        """Every step of every group is closed as for a player who is away; nobody hires a recruit."""
        while not (now := self.ask("GET", "scoring", "/post-game").body)["closed"]:
            before = self.heads
            for group in now["groups"]:
                while not group["done"] and group["step"] not in ("", "4"):
                    self._close(group)
            if not now["recruits"]["open"] and any(group["step"] == "4" for group in now["groups"]):
                self.do("scoring", "/recruits", {})
            while waits := self.ask("GET", "scoring", "/post-game").body["recruits"]["order"]:
                self._close({"group": waits[0], "step": "4"})
            assert self.heads != before, now

    def _close(self, group: Json) -> None:
        """One step of a group; the line tells the next."""
        self.do("scoring", f"/groups/{group['group']}/steps/{group['step']}/closing", {"absent": True})
        group |= self.ask("GET", "scoring", f"/groups/{group['group']}/post-game").body

    def pairs(self, round: int) -> list[set[str]]:
        """Who meets whom in a round; a bye is a set of one."""
        pairings = self.ask("GET", "pairing", f"/rounds/{round}").body["pairings"]
        return [{one["player_1"], one["player_2"]} - {""} for one in pairings]

    @property
    def logs(self) -> dict[str, list[Recorded]]:
        """The three logs as their owners have them."""
        return {
            name: [from_wire(line) for line in self.ask("GET", name, "/log?limit=5000").text.splitlines()]
            for name in ("registration", "pairing", "scoring")
        }


def new_league(muster: Muster, players: int = 4, *, built: bool = False, **announced: Any) -> League:
    """A campaign with so many players, p1, p2 …, and a referee s1. built: every player has a group with its turfs."""
    body = {"name": "Wasteland", **({} if "pack" in announced else {"ruleset": RULESET}), **announced}
    answer = muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))
    assert answer.status == 201, answer
    league = League(muster, answer.body["id"])
    names = [{"name": f"Player {number}"} for number in range(1, players + 1)]
    league.do("registration", "/staff", {"name": "Rex", "role": "referee"})
    if names:
        league.do("registration", "/players/list", {"players": names})
    for number in range(1, players + 1) if built else ():
        league.build(f"p{number}")
    return league
