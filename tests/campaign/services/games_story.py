"""A campaign in scoring: built groups and paired rounds are given.

games = new_games(club, "raiders", "raiders")     two groups, p1 and p2, paired in round 1 as r1g1
games.ready("r1g1")                                both mustered, objectives and jams rolled
games.report("r1g1", lines=((1, 2), (1,)))         reported by the organiser, so that it binds
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.campaign.dice import DieRolled
from shared.campaign.outcomes import GroupAccepted, GroupRestored
from shared.campaign.roster import Group, GroupBefore, Item
from shared.campaign.state import CAMPAIGN, ENLISTED
from shared.campaign.tables import Rules
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.log.event import Event
from shared.rules.parts import to_json
from shared.tournament.registration import PlayerJoined, StaffAppointed, TournamentAnnounced
from tests.campaign.services.built import built, force_of
from tests.campaign.services.league import ABSENT
from tests.services.story import Answer, Club, Json, Tournament

_numbers = count(1)

NO_SHOW: Json = {"kind": "no_show", "conceded_by": 2}
BOTH_AWAY: Json = {"kind": "double_no_show"}


def roll(*faces: int, sides: int = 12, by: str = "p1", seen: str = "p2") -> Json:
    """A roll at the table."""
    return {"dice": [{"sides": sides, "natural": face} for face in faces], "rolled_by": by, "witnessed_by": seen}


class Games(Tournament):
    """A campaign with the commands of scoring as methods."""

    def muster(self, game: str, group: str, *fielded: str, by: str = "organiser") -> Answer:
        """Muster members; by default all."""
        members = list(fielded) or list(self.group(group).ids)
        return self.post(f"/games/{game}/muster", {"group": group, "fielded": members}, by)

    def jams(self, game: str, group: str, item: str = "", told: Json | None = None, by: str = "organiser") -> Answer:
        """Roll jams for one weapon or all."""
        return self.post(f"/games/{game}/jams", {"group": group, **({"item": item} if item else {}), "roll": told}, by)

    def evil(self, game: str, group: str, told: Json | None = None, by: str = "organiser") -> Answer:
        """Judge a rival."""
        return self.post(f"/games/{game}/evil", {"group": group, "roll": told}, by)

    def objective(self, game: str, group: str, told: Json | None = None, by: str = "organiser") -> Answer:
        """Roll the objective of a group."""
        return self.post(f"/games/{game}/objective", {"group": group, "roll": told}, by)

    def ready(self, game: str, *faces: int) -> None:
        """Complete the preparation of both sides. faces: of the objectives."""
        for group, face in zip(self.players(game), faces or (1, 1), strict=True):
            assert self.muster(game, group).status == 201
            rival = next(one for one in self.players(game) if one != group)
            assert self.objective(game, group, roll(face, by=group, seen=rival)).status == 201
        for due in self.due(game):
            _, _, group, what, *_ = due.split("/")
            if due in self.due(game):
                assert self.post(f"/games/{game}/{what}", {"group": group}).status == 201

    def due(self, game: str) -> list[str]:
        """Return the missing preparation of a game."""
        return [due["where"] for due in self.get(f"/games/{game}").body["due"]]

    def told(
        self, game: str, lines: Any = ((1, 2), (1,)), deeds: Any = ({}, {}), sides: Any = ({}, {}), **more: Any
    ) -> Json:
        """Return a report of a game that ended in turn 8.

        deeds: member -> deeds; sides: further members of each side.
        """
        made = []
        for group, held, did, said in zip(self.players(game), lines, deeds, sides, strict=True):
            fielded = CAMPAIGN.of(self.state).mustered[group].fielded
            members = [{"member": id, **did.get(id, {})} for id in fielded]
            made.append({"group": group, "lines": list(held), "vp": sum(held), "members": members, **said})
        one, *_, last = self.players(game)
        return {"sides": made, "last_turn": 8, "end_roll": roll(12, by=one, seen=last), **more}

    def report(self, game: str, by: str = "organiser", headers: Json | None = None, **more: Any) -> Answer:
        """Report a game."""
        return self.say_result(game, {"kind": "game", "report": self.told(game, **more)}, by, **(headers or {}))

    def say_result(self, game: str, facts: Json, by: str = "organiser", **headers: str) -> Answer:
        """Report these facts."""
        return self.post(f"/games/{game}/result", {"facts": facts}, by, **headers)

    def confirm(self, game: str, by: str) -> Answer:
        """Confirm a result."""
        return self.post(f"/games/{game}/confirmation", None, by)

    def void(self, game: str, by: str = "organiser") -> Answer:
        """Void a result."""
        return self.post(f"/games/{game}/voiding", {"reason": "the wrong slip"}, by)

    def dispute(self, game: str, by: str) -> Answer:
        """Dispute a result."""
        return self.post(f"/games/{game}/dispute", {"reason": "that is not how it was"}, by)

    def rule(self, game: str, facts: Json, by: str = "organiser") -> Answer:
        """Rule on a result."""
        return self.post(f"/games/{game}/ruling", {"facts": facts, "reason": "both were heard"}, by)

    def correct(self, game: str, facts: Json, by: str = "organiser", preview: bool = False) -> Answer:
        """Correct a result."""
        rest = f"/games/{game}/correction" + ("?preview=true" if preview else "")
        return self.post(rest, {"facts": facts, "reason": "the slip says otherwise"}, by)

    def override(self, game: str, facts: Json, by: str = "organiser") -> Answer:
        """Override a ruling."""
        return self.post(f"/games/{game}/override", {"facts": facts, "reason": "the rule was read wrongly"}, by)

    def enter(self, group: str, *entries: Json, by: str = "organiser", preview: bool = False) -> Answer:
        """Enter ledger entries of a group."""
        rest = f"/groups/{group}/ledger" + ("?preview=true" if preview else "")
        return self.post(rest, {"entries": list(entries)}, by)

    def close_step(self, group: str) -> Answer:
        """Close the open step of a group as staff."""
        step = self.step(group)
        answer = self.post(f"/groups/{group}/steps/{step}/closing", ABSENT)
        assert answer.status == 201, answer
        return answer

    def until(self, step: str, *groups: str) -> None:
        """Close steps of these groups until this one is open."""
        for group in groups:
            while self.step(group) != step:
                self.close_step(group)

    def finish(self, *groups: str) -> None:
        """Close all steps of these groups."""
        self.until("4", *groups)
        assert self.post("/recruits", {}).status == 201
        while pool := CAMPAIGN.of(self.state).pool:
            self.close_step(pool.order[0])
        for group in groups:
            while self.step(group):
                self.close_step(group)

    def step(self, group: str) -> str:
        """Return the open step of a group."""
        phase = self.group(group).phase
        return phase.step if phase else ""

    def table(self, round: int = 0) -> list[str]:
        """Return the league table as text, such as `1 p1 3/490/7`."""
        answer = self.get("/standings" + (f"?round={round}" if round else ""))
        assert answer.status == 200, answer
        columns = answer.body["columns"]
        return [
            f"{row['rank']} {row['player']} " + "/".join(str(row["values"][column]) for column in columns)
            for row in answer.body["items"]
        ]

    def points(self) -> dict[str, int]:
        """Return group -> league points."""
        rows = self.get("/standings").body["items"]
        return {row["player"]: row["values"]["league_points"] for row in rows}

    def players(self, game: str) -> tuple[str, ...]:
        """Return the players of a game."""
        return next(r.seats[game].players for r in self.state.rounds.rounds.values() if game in r.seats)

    def group(self, id: str) -> Group:
        """Return a group as it is, or as it was built."""
        state = self.state
        return CAMPAIGN.of(state).groups.get(id) or ENLISTED.of(state).groups[id]

    def of(self, kind: str) -> list[Json]:
        """Return the events of one type in scoring's log, in order."""
        return [msgspec.json.decode(event.data) for event in self.log if event.type == kind]


def wrong(answer: Answer) -> list[tuple[str, str]]:
    """Return the places and clauses of a refusal. Check that every fault has a value and an expectation."""
    assert answer.status in (409, 422), answer
    assert all(fault["said"] and fault["expected"] for fault in answer.faults), answer
    return [(fault["where"].removeprefix("/facts/report"), fault["clause"]) for fault in answer.faults]


def new_games(
    club: Club,
    *forces: str,
    options: Json | None = None,
    goods: Any = None,
    paired: Sequence[tuple[str, ...]] | None = (("p1", "p2"),),
    staff: Sequence[str] = (),
) -> Games:
    """Return a campaign with groups p1, p2, … of these forces, paired in round 1.

    goods: group -> goods of each member.
    """
    told = {"fs." + key.replace("__", "."): value for key, value in (options or {}).items()}
    pack = apply_options(shipped_ruleset("fallout-skirmish"), told)
    rules: Rules = pack.rules  # type: ignore[union-attr]
    games = Games(club, f"c-{next(_numbers)}")
    events: list[Event] = [TournamentAnnounced(name="League", format="campaign", ruleset=to_json(pack))]
    events += [PlayerJoined(player=f"p{n}", name=f"Player {n}") for n in range(1, len(forces) + 1)]
    events += [StaffAppointed(staff=f"s{n}", name=f"Staff {n}", role=role) for n, role in enumerate(staff, 1)]
    made = 0
    for number, force in enumerate(forces, 1):
        id = f"p{number}"
        for outcome in built(rules, id, force_of(rules, force, (goods or {}).get(id, ())), made):
            cause = "accept_group" if isinstance(outcome, GroupAccepted) else "roll_turf"
            events.append(outcome.about(id, 0, cause))
            made += isinstance(outcome, DieRolled)
    games.say("registration", *events)
    if paired is not None:
        games.paired(1, *paired)
    return games


def ready(games: Callable[..., Games], *forces: str, **more: Any) -> Games:
    """Return a campaign of two forces that are ready to play."""
    made = games(*forces, **more)
    made.ready("r1g1")
    return made


def endings(told: Games) -> list[str]:
    """Return the outcome of the game for each side."""
    phases = [told.group(id).phase for id in ("p1", "p2")]
    return [phase.played.ending for phase in phases if phase]


def given(told: Games, group: str, *goods: tuple[str, str]) -> list[str]:
    """Give goods to members of a group by events of scoring. Return the items."""
    known = told.group(group)
    items = [Item(f"i-{100 + n}", good, holder, found=True) for n, (good, holder) in enumerate(goods)]
    made = replace(known, items=(*known.items, *items), serial=200)
    told.say("scoring", GroupRestored(GroupBefore.of(made), "told", group=group, round=1, cause="told"))
    return [item.id for item in items]
