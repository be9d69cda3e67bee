"""A campaign over HTTP, with the three services in one process.

league = new_league(muster, 4)          a campaign that four players have joined
league.build("p1")                      a legal group of Raiders, with its turfs, leader and rating
league.pair()                           the next round is paired
league.play("r1g1", "p2")               its game is played and won; without a winner it is a draw
league.end_round()                      every group closes its post-game phase, as for absent players
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
ABSENT: Json = {"absent": True, "leave": True, "reason": "did not answer", "announced": "2020-03-01T20:00:00Z"}
"""The body that closes a step of a player who is away, and leaves everything."""
RANKS = {"g": "green", "e": "experienced", "v": "veteran"}


def members(ranks: str = "vegg", goods: Sequence[str] = ()) -> list[Json]:
    """Return characters by the first letters of their ranks. The first carries the goods."""
    return [{"rank": RANKS[letter], "goods": list(goods) if number == 0 else []} for number, letter in enumerate(ranks)]


def group(ranks: str = "vegg", force: str = "raiders", stash: Sequence[str] = (), goods: Sequence[str] = ()) -> Json:
    """Return the body that hands in a group."""
    return {"force": force, "members": members(ranks, goods), "stash": list(stash)}


def told(*faces: int, sides: int = 12, by: str = "", seen: str = "") -> Json:
    """Return dice rolled at the table."""
    roll = {"dice": [{"sides": sides, "natural": face} for face in faces], "witnessed_by": seen}
    return roll | ({"rolled_by": by} if by else {})


class League(Evening):
    """A campaign."""

    def hand_in(self, player: str, handed: Json | None = None, by: str = "") -> Answer:
        """Hand in a group."""
        return self.do("registration", f"/players/{player}/group", handed or group(), by or player)

    def roll_turfs(self, player: str, *rolls: Json, by: str = "") -> Answer:
        """Roll starting turfs: the given dice, or by the service."""
        return self.do(
            "registration", f"/players/{player}/group/turfs", {"rolls": list(rolls) or [{}] * 3}, by or player
        )

    def build(self, player: str, handed: Json | None = None, *faces: tuple[int, int]) -> None:
        """Build a complete group.

        Its turfs are the given dice, witnessed by the organiser, or rolled by the service.
        """
        self.hand_in(player, handed)
        self.roll_turfs(player, *(told(*pair, seen="s1") for pair in faces))

    def built(self, player: str) -> Json:
        answer = self.ask("GET", "registration", f"/players/{player}/group")
        assert answer.status == 200, answer
        return dict(answer.body)

    def refused(
        self, status: int, code: str, service: str, rest: str, body: Any = None, by: str = "organiser"
    ) -> Answer:
        """Check that a command is refused and appends nothing to any log."""
        before = self.heads
        answer = self.ask("POST", service, rest, body, by)
        assert (answer.status, answer.code) == (status, code), answer
        assert self.heads == before
        return answer

    def faults(self, answer: Answer) -> list[tuple[str, str]]:
        """Return the places and clauses of a refusal. Check that every fault has a value and an expectation."""
        errors = answer.body["errors"]
        assert all(fault["said"] and fault["expected"] for fault in errors), errors
        return [(fault["where"], fault["clause"]) for fault in errors]

    def pair(self, **body: Any) -> Answer:
        return self.do("pairing", "/rounds", body or None)

    def play(self, game: str, winner: str = "", killed: str = "") -> None:
        """Play a game with all members and report it as the organiser. killed: a group without survivors.

        In a game in sides, the winner holds the second line and no one else any.
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
            caps = told(1, by=player, seen=other)  # a reward that does not change ratings
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
        """Close all steps of all groups as for absent players. No one hires recruits."""
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
        """Close one step of a group and return the next one."""
        self.do("scoring", f"/groups/{group['group']}/steps/{group['step']}/closing", ABSENT)
        group |= self.ask("GET", "scoring", f"/groups/{group['group']}/post-game").body

    def pairs(self, round: int) -> list[set[str]]:
        """Return the pairings of a round as sets of players; a bye is a set of one."""
        pairings = self.ask("GET", "pairing", f"/rounds/{round}").body["pairings"]
        return [{one["player_1"], one["player_2"]} - {""} for one in pairings]

    @property
    def logs(self) -> dict[str, list[Recorded]]:
        """Return the three logs from their owners."""
        return {
            name: [from_wire(line) for line in self.ask("GET", name, "/log?limit=5000").text.splitlines()]
            for name in ("registration", "pairing", "scoring")
        }


def new_league(muster: Muster, players: int = 4, *, built: bool = False, **announced: Any) -> League:
    """Return a campaign with players p1, p2, … and a referee s1. built: every player has a group with turfs."""
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
