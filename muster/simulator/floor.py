"""The floor of a simulated tournament: plays games, from the start of a round to the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, Protocol, cast

from muster.simulator.director import Director
from muster.simulator.results_by_chance import Table, can_concede, plausible_result
from muster_client import Muster, bodies
from shared.rules.model import Side
from shared.rules.parts import Question, Role, deciding_roles
from shared.swiss.roster_parts import Total
from shared.swiss.rounds import scenario_pool
from shared.swiss.ruleset import Ruleset

Json = dict[str, Any]

IN_A_HUNDRED: Mapping[str, int] = {"absent": 4, "forfeited": 2, "conceded": 4, "disputed": 6, "on paper": 4}
"""Percentages of games with another end than a report that the opponent confirms."""

APPEALS = 33
"""Percentage of rulings that are appealed."""


class Play(Protocol):
    """Plays a game. what: its course; None: random."""

    def __call__(self, game: Json, what: str | None = None) -> None: ...


@dataclass
class Floor:
    """The people at the event, and what happened so far.

    staff: role -> client, the organiser included. spare: the client of the spare player, if there is one. skills,
    rosters: by player. absent: players who missed a game. notes: round and event, for games out of the ordinary.
    """

    director: Director
    ruleset: Ruleset
    seed: str
    staff: Mapping[str, Muster]
    skills: Mapping[str, int]
    rosters: Mapping[str, Json]
    spare: Muster | None = None
    absent: set[str] = field(default_factory=set)
    notes: list[tuple[int, str]] = field(default_factory=list)

    def playing(self, scenario: str, *, all_there: bool = False) -> Play:
        """Return a function that plays one game. scenario: the round's scenario; empty if each table has its own.

        all_there: no player is absent or forfeits, as in an elimination. The function's second argument is a key of
        IN_A_HUNDRED; None: the course of the game is random.
        """

        def play(game: Json, what: str | None = None) -> None:
            random = Random(f"{self.seed}/{game['round']}/{game['player_1']}/{game['player_2']}")
            own = "" if scenario else self._own_scenario(random)
            away = self.absent & {game["player_1"], game["player_2"]}  # twice would be the end for some
            if what is None:
                what = self._happening(random, unplayed=not (all_there or away) and game["kind"] == "game")
            conceder: Side | None = random.choice((1, 2)) if what == "conceded" else None
            table = self._table(game, scenario or own, conceder)

            def drawn() -> bodies.Facts:
                facts = plausible_result(self.ruleset, table, random)
                return cast(bodies.Facts, {**facts, "scenario": own} if own else facts)

            if what in ("absent", "forfeited"):
                self._unplayed(game, "no_show" if what == "absent" else "forfeit", own, random)
            elif what == "disputed":
                self._disputed(game, drawn, random)
            elif what == "on paper":
                self._report(self.staff["referee"], game, drawn())
            else:
                reporter, other = random.sample((1, 2), 2)
                self._report(self._phone(game, reporter), game, drawn())
                self._phone(game, other).scoring.confirm_result(self.director.id, game["id"])
            if what:
                self.notes.append((game["round"], what))

        return play

    def account(self, round: int) -> str:
        """Return a description of a round."""
        games = Counter(game["kind"] for game in self.director.games(round))
        played = games["game"] + games["spare"]
        counts = Counter(what for number, what in self.notes if number == round)
        said = [f"{played} game{'s' * (played != 1)}", *(f"{count} {what}" for what, count in sorted(counts.items()))]
        return ", ".join([*said, f"{games['bye']} bye" + "s" * (games["bye"] > 1)] if games["bye"] else said)

    def disqualify(self, player: str) -> None:
        """Disqualify a player as the staff who may do it."""
        staff = self.decider("disqualification")
        staff.registration.disqualify_player(self.director.id, player, reason="slow play on purpose, after a warning")

    def decider(self, question: Question) -> Muster:
        """Return the client that answers a question under the ruleset, the lowest role first."""
        return self.staff[self._answerers(question)[-1]]

    def _answerers(self, question: Question) -> tuple[Role, ...]:
        return deciding_roles(self.ruleset.staff, question, self.staff).roles

    def _happening(self, random: Random, *, unplayed: bool) -> str:
        """Return a key of IN_A_HUNDRED that ruleset and game allow; empty for the ordinary course."""
        kinds = self.ruleset.result.kinds
        possible = {
            "absent": unplayed and "no_show" in kinds,
            "forfeited": unplayed and "forfeit" in kinds,
            "conceded": can_concede(self.ruleset),
        }
        drawn, most = random.randrange(100), 0
        for what, share in IN_A_HUNDRED.items():
            most += share
            if drawn < most:
                return what if possible.get(what, True) else ""
        return ""

    def _table(self, game: Json, scenario: str, conceder: Side | None) -> Table:
        players = (game["player_1"], game["player_2"])
        one, two = (self.skills.get(player, 50) for player in players)
        written = next((check.written for check in self.ruleset.roster.checks if isinstance(check, Total)), "")
        lists = [self.rosters.get(player, {}).get(written) for player in players]
        return Table((one, two), (lists[0], lists[1]), scenario, conceder)

    def _own_scenario(self, random: Random) -> str:
        names = scenario_pool(self.ruleset)
        return random.choice(names) if names else ""

    def _unplayed(self, game: Json, kind: Literal["no_show", "forfeit"], scenario: str, random: Random) -> None:
        """Record a no-show, sometimes of both, or a forfeit before the game, as staff."""
        side = random.choice((1, 2))
        facts: bodies.Facts = {"kind": kind, "conceded_by": side}
        missing = {game[f"player_{side}"]}
        if kind == "no_show" and "double_no_show" in self.ruleset.result.kinds and random.random() < 0.2:
            facts, missing = {"kind": "double_no_show"}, {game["player_1"], game["player_2"]}
        if scenario:
            facts["scenario"] = scenario
        self._report(self.decider("rulings"), game, facts)
        if kind == "no_show":
            self.absent.update(missing)

    def _disputed(self, game: Json, drawn: Callable[[], bodies.Facts], random: Random) -> None:
        """Report, dispute and rule; sometimes the ruling is appealed."""
        id, said, right = self.director.id, drawn(), drawn()
        reporter, other = random.sample((1, 2), 2)
        self._report(self._phone(game, reporter), game, said)
        disputing, ruling = self._phone(game, other).scoring, self.decider("rulings").scoring
        disputing.dispute_result(id, game["id"], reason="that is not how it ended", facts=right)
        ruling.rule_result(id, game["id"], facts=right, reason="both were heard, and the table looked at")
        final = self._answerers("rulings")[-1] in self._answerers("final")
        if random.randrange(100) < APPEALS and not final:
            appealing, upholding = self._phone(game, reporter).scoring, self.decider("final").scoring
            appealing.appeal_ruling(id, game["id"], reason="somebody else should look at it")
            upholding.reject_appeal(id, game["id"], reason="the ruling is right")

    def _phone(self, game: Json, side: int) -> Muster:
        """Return the client of a side: the player's or the spare player's."""
        if game["kind"] == "spare" and side == 2:
            assert self.spare is not None  # nobody else stands by
            return self.spare
        return self.director.players[game[f"player_{side}"]]

    def _report(self, by: Muster, game: Json, facts: bodies.Facts) -> None:
        by.scoring.report_result(self.director.id, game["id"], facts=facts)
