"""Two rounds of four groups with known dice, compared with balances computed by hand from the document.

`two_rounds.py` holds the dice and the results, which were computed from the document only. Here they are played over
HTTP and compared entry by entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.campaign.services import two_rounds as paper
from tests.campaign.services.league import League, new_league, told
from tests.campaign.services.test_rounds import audited
from tests.fuzz.muster import Json, Muster

STEPS = ("1", "1b", "2", "3")


class Played(League):
    """The campaign in progress. rivals: of the current round."""

    rivals: dict[str, str]

    def begin(self, number: int) -> None:
        """Pair the round and check that it is as expected."""
        self.pair()
        assert {frozenset(pair) for pair in self.pairs(number)} == {frozenset(game) for game in paper.PAIRED[number]}
        self.rivals = {}
        for one, other in paper.PAIRED[number]:
            self.rivals |= {one: other, other: one}

    def roll(self, player: str, faces: tuple[int, ...]) -> Json:
        """Return dice rolled at the table."""
        return told(*faces, by=player, seen=self.rivals[player])

    def named(self, player: str, said: Any) -> Any:
        """Return the ids for the names of members, goods and turfs."""
        if isinstance(said, Mapping):
            return {key: self.named(player, value) for key, value in said.items()}
        if isinstance(said, tuple | list):
            return [self.named(player, one) for one in said]
        shown = self.ask("GET", "scoring", f"/groups/{player}").body
        if said == "recruit":
            return shown["sheets"][-1]["id"]
        if isinstance(said, str) and said.startswith("turf:"):
            return next(one["id"] for one in shown["turfs"] if one["turf"] == said[5:])
        if isinstance(said, str) and said.startswith("item:"):
            return next(one["id"] for one in shown["items"] if one["good"] == said[5:] and not one["holder"])
        return said

    def play(self, number: int, one: str, two: str) -> None:  # type: ignore[override]
        """Play a game from the muster to the report."""
        game = next(seat["id"] for seat in self.games(number) if {seat["player_1"], seat["player_2"]} == {one, two})
        story = paper.GAMES[number, one, two]
        sides = []
        for player in (one, two):
            side = story[player]
            fielded = self.named(player, list(side["members"]))
            self.do("scoring", f"/games/{game}/muster", {"group": player, "fielded": fielded}, by=player)
            objective = {"group": player, "roll": self.roll(player, (side["objective"],))}
            self.do("scoring", f"/games/{game}/objective", objective, by=player)
            members = [{"member": self.named(player, id), **deeds} for id, deeds in side["members"].items()]
            more = {
                "searches": [{**found, "roll": self.roll(player, found["roll"])} for found in side.get("searches", ())]
            }
            sides.append({"group": player, "lines": side["lines"], "vp": side["vp"], "members": members, **more})
        for due in self.ask("GET", "scoring", f"/games/{game}").body["due"]:
            _, _, player, what, item = due["where"].split("/")
            assert what == "jams"
            self.do("scoring", f"/games/{game}/jams", {"group": player, "item": item, "roll": self.roll(player, (3,))})
        turn, face = story["end"]
        report = {"sides": sides, "last_turn": turn, "end_roll": self.roll(one, (face,))}
        facts = {"kind": "game", "report": report | {"encounters": story.get("encounters", [])}}
        self.do("scoring", f"/games/{game}/result", {"facts": facts}, by=one)
        self.do("scoring", f"/games/{game}/confirmation", by=two)

    def choose(self, player: str, does: str, of: Json, *rolls: tuple[int, ...]) -> None:
        """Make a choice with its dice."""
        dice = [self.roll(player, faces) for faces in rolls]
        body = {"does": does, "of": self.named(player, of), "rolls": dice, "leave": True}
        self.do("scoring", f"/groups/{player}/choices", body, by=player)

    def close(self, player: str, step: str) -> None:
        self.do("scoring", f"/groups/{player}/steps/{step}/closing", {"leave": True}, by=player)

    def live(self, number: int) -> None:
        """Play the nine steps of all groups."""
        for step in STEPS:
            for player in paper.PLAYERS:
                for does, of, *rolls in paper.CHOICES[number, player].get(step, ()):
                    self.choose(player, does, of, *rolls)
                self.close(player, step)
        dice = [{"group": player, **self.roll(player, (face,))} for player, face in paper.RECRUITS[number].items()]
        self.do("scoring", "/recruits", {"rolls": dice})
        for player, rank in paper.HIRED[number]:
            offers = self.ask("GET", "scoring", f"/groups/{player}/post-game").body["choices"]
            if rank:
                of = next(one["of"] for one in offers if one["does"] == "hire" and one["of"]["rank"] == rank)
                self.choose(player, "hire", {"recruit": of["recruit"]})
            self.choose(player, "end_turn", {})
        for step in ("5", "6", "7", "8", "9"):
            for player in paper.PLAYERS:
                for does, of, *rolls in paper.CHOICES[number, player].get(step, ()):
                    self.choose(player, does, of, *rolls)
                self.close(player, step)

    def balances(self, player: str) -> Json:
        """Return the state of a group in the form of the record."""
        shown = self.ask("GET", "scoring", f"/groups/{player}").body
        return {
            "caps": shown["caps"],
            "food": (shown["clean"], shown["radiated"]),
            "rating": shown["rating"],
            "turfs": sorted(turf["turf"] for turf in shown["turfs"]),
            "goods": sorted(item["good"] for item in shown["items"]),
            "xp": [(sheet["xp"], sheet["level"]) for sheet in shown["sheets"]],
            "rads": [sheet["rads"] for sheet in shown["sheets"]],
            "hurt": [" ".join(sheet["injuries"]) for sheet in shown["sheets"]],
            "leader": [sheet["id"] for sheet in shown["sheets"]].index(shown["leader"]),
            "grown": paper.grown(
                [{name: value["value"] for name, value in sheet["attributes"].items()} for sheet in shown["sheets"]],
                [sheet["rank"] for sheet in shown["sheets"]],
            ),
        }


@pytest.mark.clause(
    "FS-RAT-1", "FS-RND-2", "FS-GAM-9", "FS-GAM-10", "FS-INJ-1", "FS-INJ-3", "FS-INJ-5", "FS-XP-1", "FS-XP-2", "FS-XP-5"
)
@pytest.mark.clause(
    "FS-SCV-1",
    "FS-TRF-2",
    "FS-UPK-1",
    "FS-UPK-5",
    "FS-UPK-6",
    "FS-UPK-7",
    "FS-REC-2",
    "FS-BAR-3",
    "FS-SEL-1",
    "FS-SPC-2",
)
@pytest.mark.clause("FS-ENC-2", "FS-ENC-3", "FS-ENC-4", "FS-ENC-5", "FS-SPC-3", "FS-LDR-2", "FS-LGE-2", "FS-AUD-2")
def test_two_rounds_match_the_paper_record(muster: Muster) -> None:
    announced = new_league(muster, 4, options={"fs.campaign.rounds": 2})
    league = Played(announced.muster, announced.id)
    for player, (handed, turfs) in paper.GROUPS.items():
        league.build(player, handed, *turfs)
    assert {player: league.built(player)["rating"] for player in paper.PLAYERS} == paper.RATED
    for number in (1, 2):
        league.begin(number)
        for one, two in paper.PAIRED[number]:
            league.play(number, one, two)
        league.live(number)
        for player in paper.PLAYERS:
            assert league.balances(player) == paper.BALANCES[number, player], (number, player)
        table = league.ask("GET", "scoring", f"/standings?round={number}").body
        shown = [(row["player"], *(row["values"][name] for name in table["columns"])) for row in table["items"]]
        assert shown == paper.TABLE[number]
    assert audited(league) == []
