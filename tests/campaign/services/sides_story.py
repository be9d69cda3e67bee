"""Games of three and more groups: pairings and reports.

league = new_sides(muster, forces, [["p1"], ["p2"], ["p3"]], [["p4", "p5"], ["p6", "p7"]])
league.ready("r1g1")                    all groups mustered, all dice before the game rolled
league.facts("r1g1", lines={"p1": [5]}, deeds={"p1 m-1": {...}})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.formats.packs import shipped_ruleset
from shared.log.log import Stamp
from shared.log.reading import head_of
from shared.service.commands import entries_of
from shared.tournament.rounds import PairingsDrawn, RoundPaired, Seat
from tests.acting import acting
from tests.appending import append
from tests.campaign.services.built import force_of
from tests.campaign.services.league import ABSENT, League, new_league, told
from tests.fuzz.muster import Json, Muster
from tests.services.story import Answer

Sides = Sequence[Sequence[str]]
TURFS = ((1, 1), (2, 2), (3, 3))
"""A scrapyard, a moonshine caravan and a free trader: turfs that do not affect injuries."""


def seat_in_sides(game: str, sides: Sides, table: int = 0) -> Seat:
    """Return a pairing with these sides."""
    first, second, *_ = (side[0] for side in sides)
    kept = [list(side) for side in sides]
    return Seat(game=game, kind="game", player_1=first, player_2=second, table=table, sides=kept)


class InSides(League):
    """A campaign whose rounds have games in sides."""

    def paired_in_sides(self, round: int, *games: Sides) -> None:
        """Pair a round by hand in these sides."""
        seats = [seat_in_sides(f"r{round}g{number}", sides, number) for number, sides in enumerate(games, 1)]
        database = self.muster.databases["pairing"]
        with database.reading() as connection:
            head = head_of(connection, "pairing", self.id)
            seen = {other: head_of(connection, other, self.id).position for other in ("registration", "scoring")}
        made_from = max((row.position for row in self.logs["scoring"] if row.type == "StandingsRecorded"), default=0)
        events = [
            PairingsDrawn(round=round, page=1, pages=1, pairings=seats),
            RoundPaired(
                round=round,
                stage="league",
                method="manual",
                games=len(seats),
                made_from=made_from,
                reason="as agreed",
            ),
        ]
        latest = self.logs["registration"][-1].time
        stamp = Stamp(acting("organiser"), f"by-hand-{round}", latest, seen)
        append(database, "pairing", self.id, head, entries_of(events), stamp)
        self.muster.copy(self.id)

    def players(self, game: str) -> list[str]:
        """Return the groups of a game in the order of sides."""
        return [side["group"] for side in self.game(game)["sides"]]

    def game(self, game: str) -> Json:
        """Return the view of a game."""
        answer = self.ask("GET", "scoring", f"/games/{game}")
        assert answer.status == 200, answer
        return dict(answer.body)

    def roll(self, game: str, *faces: int) -> Json:
        """Return a roll by the first player of a game, witnessed by the last."""
        players = self.players(game)
        return told(*faces, by=players[0], seen=players[-1])

    def ready(self, game: str, faces: Mapping[str, int] | None = None) -> None:
        """Muster all members who can play. Objectives have these faces, all other dice are threes."""
        for player in self.players(game):
            sheets = self.ask("GET", "scoring", f"/groups/{player}").body["sheets"]
            fielded = [sheet["id"] for sheet in sheets if not sheet["stays_home"]]
            self.do("scoring", f"/games/{game}/muster", {"fielded": fielded}, by=player)
        while due := self.game(game)["due"]:
            _, _, player, what, *item = due[0]["where"].split("/")
            face = (faces or {}).get(player, 1) if what == "objective" else 3
            body: Json = {"roll": self.roll(game, face), **({"item": item[0]} if item else {})}
            self.do("scoring", f"/games/{game}/{what}", body, by=player)

    def facts(
        self,
        game: str,
        lines: Mapping[str, Sequence[int]],
        deeds: Mapping[str, Json] | None = None,
        gave_up: Sequence[str] = (),
        **more: Any,
    ) -> Json:
        """Return facts of a game that ended in turn 7. lines: group -> lines held; deeds: `p1 m-2` -> deeds."""
        sides = []
        for side in self.game(game)["sides"]:
            group, held = side["group"], list(lines.get(side["group"], ()))
            members = [{"member": id, **(deeds or {}).get(f"{group} {id}", {})} for id in side["fielded"]]
            conceded = group in gave_up
            sides.append({"group": group, "lines": held, "vp": sum(held), "members": members, "conceded": conceded})
        return {"kind": "game", "report": {"sides": sides, "last_turn": 7, "end_roll": self.roll(game, 11), **more}}

    def told(self, game: str, facts: Json, by: str) -> Answer:
        """Report as a player and check that it is accepted."""
        return self.do("scoring", f"/games/{game}/result", {"facts": facts}, by=by)

    def choose(self, group: str, does: str, of: Json, *faces: int, seen: str = "") -> Answer:
        """Make a choice in the post-game phase."""
        rolls = [told(*faces, by=group, seen=seen)] if faces else []
        return self.do("scoring", f"/groups/{group}/choices", {"does": does, "of": of, "rolls": rolls}, by=group)

    def until(self, step: str, *groups: str) -> None:
        """Close steps for absent players until this one is open."""
        for group in groups:
            while (now := self.ask("GET", "scoring", f"/groups/{group}/post-game").body)["step"] != step:
                self.do("scoring", f"/groups/{group}/steps/{now['step']}/closing", ABSENT)

    def rows(self) -> dict[str, tuple[int, int]]:
        """Return group -> league points and victory points."""
        rows = self.ask("GET", "scoring", "/standings").body["items"]
        return {row["player"]: (row["values"]["league_points"], row["values"]["total_vp"]) for row in rows}


def new_sides(muster: Muster, forces: Sequence[str], *games: Sides, **options: Any) -> InSides:
    """Return a campaign with groups p1, p2, … of these forces, paired in round 1 in these sides."""
    chosen = {"fs." + key.replace("__", "."): value for key, value in options.items()}
    announced = new_league(muster, len(forces), options=chosen)
    league = InSides(muster, announced.id)
    rules = shipped_ruleset("fallout-skirmish").rules  # type: ignore[union-attr]
    for number, force in enumerate(forces, 1):
        made = force_of(rules, force)
        members = [{"rank": member.rank, "goods": list(member.goods)} for member in made.members]
        league.build(f"p{number}", {"force": force, "members": members}, *TURFS)
    league.paired_in_sides(1, *games)
    return league
