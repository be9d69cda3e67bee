"""The commands of scoring as methods of a tournament."""

from __future__ import annotations

from itertools import count
from typing import Any

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.tournament.registration import PlayerJoined, StaffAppointed, TournamentAnnounced
from tests.services.story import Answer, Club, Json, Tournament

ARMADA = "star-wars-armada-1.1"
NAMES = ("Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")

_numbers = count(1)


def score(one: int, two: int, **more: Any) -> Json:
    """Return facts of an Armada game of six rounds in which player 2 is second player."""
    return {"points_1": one, "points_2": two, "end": "rounds", "second_player": 2, **more}


class Floor(Tournament):
    """A tournament whose events of registration and pairing are given and whose scoring log is created by commands."""

    def report(self, game: str, facts: Json, by: str = "referee", **headers: str) -> Answer:
        """Report a result."""
        return self.post(f"/games/{game}/result", {"facts": facts}, by, **headers)

    def confirm(self, game: str, by: str = "referee") -> Answer:
        """Confirm a result."""
        return self.post(f"/games/{game}/confirmation", None, by)

    def dispute(self, game: str, by: str, facts: Json | None = None) -> Answer:
        """Dispute a result."""
        body = {"reason": "that is not how it was"} | ({} if facts is None else {"facts": facts})
        return self.post(f"/games/{game}/dispute", body, by)

    def rule(self, game: str, facts: Json, by: str = "referee") -> Answer:
        """Rule on a result."""
        return self.post(f"/games/{game}/ruling", {"facts": facts, "reason": "both were heard"}, by)

    def appeal(self, game: str, by: str) -> Answer:
        """Appeal a ruling."""
        return self.post(f"/games/{game}/appeal", {"reason": "the card says otherwise"}, by)

    def reject(self, game: str, by: str = "head_referee") -> Answer:
        """Reject an appeal."""
        return self.post(f"/games/{game}/appeal/rejection", {"reason": "the card was read rightly"}, by)

    def correct(self, game: str, facts: Json, by: str = "referee", preview: bool = False, **headers: str) -> Answer:
        """Correct a result, or preview the correction."""
        rest = f"/games/{game}/correction" + ("?preview=true" if preview else "")
        return self.post(rest, {"facts": facts, "reason": "the slip says otherwise"}, by, **headers)

    def override(self, game: str, facts: Json, by: str = "organiser", **headers: str) -> Answer:
        """Override a ruling."""
        body = {"facts": facts, "reason": "the rule was read wrongly"}
        return self.post(f"/games/{game}/override", body, by, **headers)

    def void(self, game: str, by: str = "referee") -> Answer:
        """Void a result."""
        return self.post(f"/games/{game}/voiding", {"reason": "the wrong table"}, by)

    def close(self, round: int, by: str = "head_referee") -> Answer:
        """Close a round."""
        return self.post(f"/rounds/{round}/close", None, by)

    def reopen(self, round: int, by: str = "head_referee") -> Answer:
        """Reopen a round."""
        return self.post(f"/rounds/{round}/reopening", {"reason": "a slip was lost"}, by)

    def conclude(self, early: str = "") -> Answer:
        """Conclude the tournament."""
        return self.post("/conclusion", {"reason": early} if early else {})

    def game(self, game: str) -> Json:
        """Return a game as the public sees it."""
        return dict(self.get(f"/games/{game}").body)

    def play(self, round: int, *results: tuple[int, int]) -> None:
        """Report all results of a round as staff and close it."""
        for number, (one, two) in enumerate(results, start=1):
            assert self.report(f"r{round}g{number}", score(one, two)).status == 201
        assert self.close(round).status == 201

    def standings(self, round: int | None = None) -> list[str]:
        """Return the rows of standings as text, such as `Ana 17/285/14`."""
        answer = self.get("/standings" + (f"?round={round}" if round else ""))
        assert answer.status == 200, answer
        return [
            f"{row['name']} " + "/".join(str(row["values"][column]) for column in answer.body["columns"])
            for row in answer.body["items"]
        ]

    def begin(self, round: int, *games: tuple[str, ...], **more: Any) -> None:
        """Pair and start a round."""
        self.paired(round, *games, **more)
        self.started(round)


def floor(
    club: Club,
    players: int = 4,
    ruleset: str = ARMADA,
    options: Json | None = None,
    staff: tuple[str, ...] = (),
    **members: Any,
) -> Floor:
    """Announce a tournament with players p1, p2, … and staff s1, s2, … with these roles."""
    pack = to_json(apply_options(shipped_ruleset(ruleset), options or {}))
    told = Floor(club, f"t-{next(_numbers)}")
    told.say(
        "registration",
        TournamentAnnounced(name="Club night", format="swiss", ruleset=pack, **members),
        *[PlayerJoined(player=f"p{number}", name=NAMES[number - 1]) for number in range(1, players + 1)],
        *[
            StaffAppointed(staff=f"s{number}", name=f"Staff {number}", role=role)
            for number, role in enumerate(staff, 1)
        ],
    )
    return told
