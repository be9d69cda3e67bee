"""Whole campaigns as three logs tell them: played by chance, each decision with the seed that the log gives.

written = Written(4, 2, "a seed")       four groups, two rounds, to the end
written.logs                            source -> recorded events
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.application.entries import entries_of
from shared.eventlog.append import Stamp, chained
from shared.events.base import Event
from shared.events.canonical import canonical
from shared.events.recorded import EMPTY, GENESIS, Head, Recorded
from shared.formats.campaign.league import as_rows
from shared.formats.campaign.rules import muster as before
from shared.formats.campaign.rules import post_game
from shared.formats.campaign.rules.absent import close_for_absent
from shared.formats.campaign.rules.deeds import jailers_among
from shared.formats.campaign.rules.departures import appoint_leader
from shared.formats.campaign.rules.dice import Die, Thrown, drawn_dice, formula
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.group import Enlisted, Submission, accept_group
from shared.formats.campaign.rules.improbable import improbable_in_report
from shared.formats.campaign.rules.injuries import jail_bounty
from shared.formats.campaign.rules.opening import open_after_bye, open_post_game
from shared.formats.campaign.rules.outcomes import GroupEntered, MemberIncarcerated, MemberRemoved
from shared.formats.campaign.rules.pairing import pair_round
from shared.formats.campaign.rules.payloads import GroupBuilt
from shared.formats.campaign.rules.rating import finalise_rating
from shared.formats.campaign.rules.recruits import close_recruits, end_turn, hire, open_recruits
from shared.formats.campaign.rules.report import accept_report, end_of_game
from shared.formats.campaign.rules.reported import Dose, GameReport, SideReport
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.ruleset import versions_of
from shared.formats.campaign.rules.standings import LeagueGame, bye
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.turf import roll_turf
from shared.formats.campaign.rules.words import CampaignEvent
from shared.formats.options import apply_options
from shared.formats.pack import shipped_ruleset
from shared.formats.rulesets import from_json
from shared.refusals import Refusal
from shared.rules.ruleset import to_json
from shared.tournament.events import pairing as paired
from shared.tournament.events import scoring as scored
from shared.tournament.events.registration import PlayerJoined, RulesetMoved, StaffAppointed, TournamentAnnounced
from tests.campaign.play import Play
from tests.campaign.story import SHIPPED

TOURNAMENT = "t-1"
PREFIX = {"registration": "e", "scoring": "s"}
STAFF = ("judge", "clerk")
Change = Callable[[Rules], Rules]


def _as_pinned(ruleset: Any) -> Any:
    """A ruleset as an event holds it: its names are in the order of canonical JSON."""
    return from_json(json.loads(canonical(to_json(ruleset))))


class Written(Play):
    """A campaign and its logs. Dice are drawn by the service, or told by two of the staff, in turns."""

    def __init__(self, groups: int, rounds: int, seed: str, moved: dict[int, Change] | None = None, **options: Any):
        self.logs: dict[str, list[Recorded]] = {"registration": [], "pairing": [], "scoring": []}
        self.writing, self.commands, self.pending = "registration", 0, 0
        self.recorded = {"registration": 0, "scoring": 0}
        chosen = {"fs." + key.replace("__", "."): value for key, value in options.items()}
        chosen["fs.campaign.rounds"] = rounds
        self.pack = _as_pinned(apply_options(shipped_ruleset(SHIPPED), chosen))
        self.append(
            "registration",
            [
                TournamentAnnounced(name="Wastes", format="campaign", ruleset=msgspec.to_builtins(self.pack)),
                *(StaffAppointed(staff=id, name=id, role="referee") for id in STAFF),
                *(PlayerJoined(player=f"g-{number:02}", name=f"Group {number}") for number in range(groups)),
            ],
        )
        super().__init__(self.pack.rules, groups, seed)
        for round in range(1, rounds + 1):
            if moved and round in moved:
                self.move(round, moved[round])
            self.play_round(round)
        first = self.table()[0]
        self.append("scoring", [scored.TournamentConcluded(winner=first.group, rounds=rounds)])

    @property
    def seed(self) -> str:
        """What the log that is written to held last."""
        log = self.logs[self.writing]
        return log[-1].hash if log else GENESIS

    @seed.setter
    def seed(self, seed: str) -> None:
        """Chance itself keeps the text that a campaign is made from."""

    @property
    def pot(self) -> str:
        """Rounds are paired without a seed."""
        return ""

    @property
    def versions(self) -> str:
        """What rules a roll is made under, as it names them."""
        return versions_of(self.pack).named

    def append(self, source: str, events: Sequence[Event]) -> None:
        """One command of one service, which had seen all there was of the others."""
        self.commands += 1
        log = self.logs[source]
        head = Head(log[-1].position, log[-1].hash) if log else EMPTY
        seen = {other: len(known) for other, known in self.logs.items() if other != source and known}
        stamp = Stamp("judge", f"c-{self.commands}", "2026-03-01T10:00:00.000Z", seen)
        log += chained(source, TOURNAMENT, head, entries_of(list(events)), stamp)
        rolls = sum(type(event).__name__ == "DieRolled" for event in events)
        if source in self.recorded:
            self.recorded[source] += rolls
        self.pending = 0

    def thrown(self, expression: str, replaces: str = "") -> Thrown:
        self.pending += 1
        id = f"{PREFIX[self.writing]}{self.recorded[self.writing] + self.pending}"
        if self.chance.random() < 0.5:
            dice = drawn_dice(self.seed, id, expression)
            return Thrown(id, dice, replaces, "service", seed=self.seed, versions=self.versions)
        dice = tuple(Die(12, self.chance.randint(1, 12)) for _ in range(formula(expression).count))
        return Thrown(id, dice, replaces, "table", *STAFF, versions=self.versions)

    def attempt(self, id: str, ask: Any, *given: Any, **named: Any) -> bool:
        self.cause = ask.__name__
        done = super().attempt(id, ask, *given, **named)
        self.pending = 0
        return done

    def say(self, id: str, outcomes: list[CampaignEvent], cause: str = "") -> None:
        cause = cause or self.cause
        if outcomes:
            self.append(self.writing, self.events(id, outcomes, cause))
            if self.writing == "scoring":
                played = self.groups[id].phase.played if self.groups[id].phase else None
                super().say(id, outcomes)
                for outcome in outcomes:
                    if isinstance(outcome, MemberIncarcerated) and played is not None:
                        captor = played.taker(outcome.member)
                        self.say(captor, [jail_bounty(self.rules, self.groups[captor], outcome.roll)], cause)
            else:  # a group that is being built has no leader yet
                self.groups[id] = evolve(self.groups[id], outcomes)

    def events(self, id: str, outcomes: Sequence[CampaignEvent], cause: str) -> list[Event]:
        return [outcome.about(id, self.round, cause) for outcome in outcomes]

    def move(self, round: int, change: Change) -> None:
        """From a round on the ruleset is another."""
        self.pack = _as_pinned(replace(self.pack, rules=change(self.pack.rules)))
        self.rules = self.pack.rules
        moved = RulesetMoved(from_round=round, ruleset=msgspec.to_builtins(self.pack), reason="a new version")
        self.append("registration", [moved])

    def _enter(self, id: str, force: str) -> None:
        told = self.rules.forces[force]
        members = tuple(
            Enlisted(rank, goods=told.ranks[rank].armor.of[:1] if told.ranks[rank].armor.duty == "must" else ())
            for rank in ("veteran", "experienced", "green", "green")
        )
        accepted = accept_group(self.rules, id, Submission(force, members, told.goods[:1]))
        self.groups[id], self.said[id] = accepted.accepted.state, [accepted]
        self.append("registration", self.events(id, [accepted], "accept_group"))
        for _ in range(self.rules.core.starting_turfs - 1):
            self.say(id, roll_turf(self.rules, self.groups[id], self.thrown("2D12")), "roll_turf")
        last = roll_turf(self.rules, self.groups[id], self.thrown("2D12"))
        appointed = list(appoint_leader(self.rules, self.groups[id], self.seed, 0))
        whole = evolve(self.groups[id], [*last, *appointed])
        self.say(id, [*last, *appointed, finalise_rating(self.rules, whole)], "roll_turf")

    def play_round(self, round: int) -> None:
        self.round, self.writing = round, "scoring"
        out = {id for id, group in self.groups.items() if not group.members}
        resting = {game.groups[0] for game in self.games if len(game.groups) == 1}
        made = pair_round(self.rules, self.table(), self.met, resting, out)
        self._pair(round, made, out)
        if round == 1:
            built = {id: GroupEntered(GroupBuilt.of(group)) for id, group in self.groups.items()}
            self.append("scoring", [built[id].about(id, 1, "entry") for id in built])
        for number, pairing in enumerate(made, 1):
            if pairing.player_2 is None:
                self.games.append(bye(pairing.player_1))
                self.say(pairing.player_1, open_after_bye(self.rules, self.groups[pairing.player_1], round), "bye")
            else:
                self._told_game(f"r{round}g{number}", pairing.player_1, pairing.player_2)
        for id in self.groups:
            while self.groups[id].phase and self.groups[id].phase.step != "4":
                self._step(id)
        self._recruits(round, {id: group for id, group in self.groups.items() if group.phase and group.members})
        for id in self.groups:
            while self.groups[id].phase:
                self._step(id)
        page = scored.StandingsRecorded(
            round=round, page=1, pages=1, rows=as_rows(self.table()), seed=self.logs["scoring"][-1].hash
        )
        self.append("scoring", [page, scored.RoundClosed(round=round, games=len(made))])

    def _pair(self, round: int, made: Sequence[Any], out: set[str]) -> None:
        seats = [
            paired.Seat(
                game=f"r{round}g{number}",
                kind=pairing.kind,
                player_1=pairing.player_1,
                player_2=pairing.player_2 or "",
                table=number,
            )
            for number, pairing in enumerate(made, 1)
        ]
        drawn = paired.PairingsDrawn(round=round, page=1, pages=1, pairings=seats)
        from_ = max((event.position for event in self.logs["scoring"] if event.type == "StandingsRecorded"), default=0)
        left_out = {"wiped_out": sorted(out)} if out else {}
        stands = paired.RoundPaired(
            round=round, stage="league", method="swiss", games=len(seats), made_from=from_, left_out=left_out
        )
        self.append("pairing", [drawn, stands])

    def _told_game(self, game: str, one: str, two: str) -> None:
        ids = (one, two)
        fielded = {id: self._mustered(id) for id in ids}
        for id in ids:
            self.say(id, [replace(before.muster(self.rules, self.groups[id], fielded[id]), game=game)], "muster")
        jammed: set[tuple[str, str]] = set()
        for id in ids:
            for item in before.jam_rolls_due(self.rules, self.groups[id], fielded[id]):
                said = before.roll_jam(self.rules, self.groups[id], fielded[id], item.id, self.thrown("1D12"))
                jammed |= {(id, item.id)} if said[1].jammed else set()
                self.say(id, said, "jam")
        evil = dict.fromkeys(ids, False)
        for here, there in ((one, two), (two, one)):
            if before.judges(self.rules, self.groups[here], self.groups[there]):
                said = before.judge_evil(self.rules, self.groups[here], self.groups[there], self.thrown("1D12"))
                evil[there] = said[1].evil
                self.say(here, said, "evil")
        faces = {}
        for id in ids:
            said = before.roll_objective(self.rules, self.thrown("1D12"))
            faces[id] = said[0].total
            self.say(id, said, "objective")
        report = self._report(ids, fielded, faces, evil, jammed)
        facts = {"kind": "game", "report": msgspec.to_builtins(report)}
        marked = bool(improbable_in_report(self.rules, report, self.groups))
        told = scored.ResultReported(round=self.round, game=game, facts=facts, side=1, improbable=marked)
        self.append("scoring", [told])
        self._bind(game, report, fielded)

    def _report(self, ids: Any, fielded: Any, faces: Any, evil: Any, jammed: Any) -> GameReport:
        """What is told: rolls have no ids yet."""
        lines = self.chance.sample(range(1, 6), self.chance.randint(0, 5))
        cut = self.chance.randint(0, len(lines))
        held = (lines[:cut], [6 - line for line in lines[cut:]])
        deeds = {id: [self._deeds(member) for member in fielded[id]] for id in ids}
        for here, there in (ids, ids[::-1]):
            if deeds[here] and deeds[there] and self.chance.random() < 0.7:
                self._kill(deeds, here, there)
            for number, known in enumerate(deeds[here]):
                drug = next((item for item in self.groups[here].held_by(known.member) if self._is_drug(item)), None)
                if drug:
                    roll = replace(self.thrown("1D12"), id="")
                    deeds[here][number] = replace(known, doses=(Dose(drug.id, roll),))
        sides = tuple(
            SideReport(id, faces[id], tuple(own), sum(own), members=tuple(deeds[id]), evil=evil[id])
            for id, own in zip(ids, held, strict=True)
        )
        return GameReport(sides, 8, Thrown("", (Die(12, 12),), "", "table", *STAFF))

    def _is_drug(self, item: Any) -> bool:
        return self.rules.goods[item.good].kind == "drug"

    def _bind(self, game: str, told: GameReport, fielded: Any) -> None:
        """The other side agrees: rolls get their ids, and both phases open in the same append."""
        ids = [side.group for side in told.sides]
        self.pending = 0

        def cast(roll: Thrown) -> Thrown:
            self.pending += 1
            return Thrown(
                f"s{self.recorded['scoring'] + self.pending}", roll.dice, "", "table", *STAFF, "", self.versions
            )

        end = cast(told.end_roll)
        sides = tuple(
            replace(
                side,
                members=tuple(
                    replace(known, doses=tuple(Dose(dose.item, cast(dose.roll)) for dose in known.doses))
                    for known in side.members
                ),
            )
            for side in told.sides
        )
        report = replace(told, sides=sides, end_roll=end)
        pair = {id: self.groups[id] for id in ids}
        played = accept_report(self.rules, report, pair, fielded)
        self.games.append(LeagueGame(tuple(ids), tuple(part.ending for part in played), tuple(s.vp for s in sides)))
        for here, there in (ids, ids[::-1]):
            self.met.setdefault(here, set()).add(there)
        said: dict[str, list[CampaignEvent]] = {ids[0]: end_of_game(self.rules, report)}
        jailers = jailers_among(self.rules, pair.values())
        for id, part in zip(ids, played, strict=True):
            opened = open_post_game(self.rules, pair[id], self.round, part, self.seed, jailers=jailers)
            said.setdefault(id, []).extend(opened)
        events: list[Event] = [scored.ResultConfirmed(round=self.round, game=game, side=2)]
        for id in ids:
            events += self.events(id, said[id], "result")
        self.append("scoring", events)
        for id in ids:
            Play.say(self, id, said[id])

    def _mustered(self, id: str) -> list[str]:
        group = self.groups[id]
        for item in group.items:
            if self.rules.goods[item.good].kind == "big_gun" and item.holder:
                self.attempt(id, post_game.move_item, item.id)
        group = self.groups[id]
        able = [member.id for member in group.members if not list(before.cannot_be_fielded(self.rules, group, member))]
        return list(before.muster(self.rules, group, able).fielded)

    def _step(self, id: str) -> None:
        phase = self.groups[id].phase
        assert phase is not None
        for _ in range(6):
            phase = self.groups[id].phase
            if phase is not None and self.groups[id].members:
                self.TRY[phase.step](self, id, phase, self.chance.choice(self.groups[id].ids))
        dice_source = DiceSource("s", self.recorded["scoring"], self.seed, (), versions=self.versions)
        said = close_for_absent(self.rules, self.groups[id], dice_source, self._dead(phase.played.rival))
        self.say(id, said, "close_for_absent")

    def _dead(self, rival: str) -> list[str]:
        """Who of the rival has died of injuries since the game."""
        return [
            outcome.member
            for group, round, outcome in self.log
            if (group, round) == (rival, self.round) and isinstance(outcome, MemberRemoved) and outcome.why == "dead"
        ]

    def _recruits(self, round: int, groups: dict[str, Group]) -> None:
        said, pool = open_recruits(
            self.rules, groups, {id: self.thrown("1D12") for id in sorted(groups)}, self.seed, round
        )
        self.append("scoring", self.events("", said, "open_recruits"))
        for id in pool.order:
            for recruit in pool.recruits[:2]:
                with suppress(Refusal):
                    outcomes, pool = hire(self.rules, self.groups[id], pool, recruit.id)
                    self.say(id, outcomes, "hire")
            outcomes, pool = end_turn(self.groups[id], pool)
            self.say(id, outcomes, "end_turn")
        open_ones = [group for group in self.groups.values() if group.phase]
        for id, closing in close_recruits(self.rules, open_ones, pool).items():
            self.say(id, closing, "end_turn")
