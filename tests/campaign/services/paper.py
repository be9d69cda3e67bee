"""A campaign of two beside a paper: choices with typed dice, and balances as they were worked out by hand.

paper = Paper(league)                                     p1 and p2
paper.choose("p1", "scavenge", (7,), (9,), member="m-3")  two rolls of one die each
paper.holds("p1", caps=490, radiated=3)
"""

from __future__ import annotations

from tests.campaign.services.league import League, told
from tests.services.story import Json

RIVAL = {"p1": "p2", "p2": "p1"}


class Paper:
    """The league beside the paper."""

    def __init__(self, league: League) -> None:
        self.league = league
        self.hired: dict[str, str] = {}

    def choose(self, group: str, does: str, *rolls: tuple[int, ...], six: tuple[int, ...] = (), **of: object) -> None:
        """A choice with its dice; six: which rolls, counted from 0, are of six-sided dice."""
        dice = [self.dice(group, *faces, sides=6 if n in six else 12) for n, faces in enumerate(rolls)]
        self.league.do("scoring", f"/groups/{group}/choices", {"does": does, "of": of, "rolls": dice}, group)

    def dice(self, group: str, *faces: int, sides: int = 12) -> Json:
        return told(*faces, sides=sides, by=group, seen=RIVAL[group])

    def close(self, group: str, *steps: str) -> None:
        for step in steps:
            self.league.do("scoring", f"/groups/{group}/steps/{step}/closing", {}, group)

    def jam(self, game: str, **faces: int) -> None:
        """A die for each ranged weapon of the Raiders."""
        for good, face in faces.items():
            body = {"group": "p1", "item": self.item("p1", good), "roll": self.dice("p1", face)}
            self.league.do("scoring", f"/games/{game}/jams", body)

    def objectives(self, game: str, **faces: int) -> None:
        for group, face in faces.items():
            self.league.do("scoring", f"/games/{game}/objective", {"group": group, "roll": self.dice(group, face)})

    def report(self, game: str, turn: int, die: int, **sides: tuple[list[int], list[Json]]) -> None:
        """Lines and members of each side; both players agree."""
        told = [
            {"group": group, "lines": lines, "vp": sum(lines), "members": did} for group, (lines, did) in sides.items()
        ]
        facts = {"kind": "game", "report": {"last_turn": turn, "end_roll": self.dice("p1", die), "sides": told}}
        self.league.do("scoring", f"/games/{game}/result", {"facts": facts}, "p1")
        self.league.do("scoring", f"/games/{game}/confirmation", {}, "p2")

    def recruits(self, **faces: int) -> None:
        rolls = {group: self.dice(group, face) for group, face in faces.items()}
        self.league.do("scoring", "/recruits", {"rolls": rolls})

    def hire(self, group: str, recruit: str) -> None:
        self.choose(group, "hire", recruit=recruit)
        self.hired[group] = self.sheet(group)["sheets"][-1]["member"]

    def table(self) -> list[str]:
        """The league as `1 p1 3/523/7`: points, rating, victory points."""
        shown = self.league.ask("GET", "scoring", "/standings").body
        return [
            f"{row['rank']} {row['player']} " + "/".join(str(row["values"][column]) for column in shown["columns"])
            for row in shown["rows"]
        ]

    def visit(self, group: str, member: str, turf: str, *rolls: tuple[int, ...], six: tuple[int, ...] = ()) -> None:
        owned = next(one["id"] for one in self.sheet(group)["turfs"] if one["turf"] == turf)
        self.choose(group, "visit_turf", *rolls, member=member, turf=owned, choice="income", six=six)

    def attribute(self, group: str, member: str, letter: str) -> int:
        sheet = next(one for one in self.sheet(group)["sheets"] if one["member"] == member)
        return int(sheet["attributes"][letter]["value"])

    def holds(self, group: str, caps: int, clean: int = 0, radiated: int = 0) -> None:
        """Balances are those of the paper."""
        sheet = self.sheet(group)
        assert (sheet["caps"], sheet["clean"], sheet["radiated"]) == (caps, clean, radiated)

    def members(self, group: str, *rows: str) -> None:
        """Each member with experience, level and rads, then its injuries."""
        sheet = self.sheet(group)
        found = []
        for one in sheet["sheets"]:
            name = "hired" if one["member"] in self.hired.values() else one["member"]
            found.append(" ".join([name, f"{one['xp']}/{one['level']}/{one['rads']}", *one["injuries"]]))
        assert found == list(rows)

    def sheet(self, group: str) -> Json:
        answer = self.league.ask("GET", "scoring", f"/groups/{group}")
        assert answer.status == 200, answer
        return dict(answer.body)

    def item(self, group: str, good: str) -> str:
        return next(item["id"] for item in self.sheet(group)["items"] if item["good"] == good)
