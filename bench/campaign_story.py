"""A campaign as its three logs would tell it, of any size: groups built, paired, played, and taken through every step.

Every outcome is decided by the rules, on dice from a seed; choices are the plainest that there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from bench.story import Appended
from shared.events.base import Event
from shared.formats.campaign.league import as_rows
from shared.formats.campaign.rules import bartering, muster, recruits, scavenging, visits
from shared.formats.campaign.rules.absent import close_for_absent
from shared.formats.campaign.rules.departures import appoint_leader
from shared.formats.campaign.rules.dice import Thrown
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.evolve import evolve
from shared.formats.campaign.rules.group import Enlisted, Submission, accept_group
from shared.formats.campaign.rules.opening import open_post_game
from shared.formats.campaign.rules.outcomes import GroupEntered
from shared.formats.campaign.rules.pairing import pair_round
from shared.formats.campaign.rules.payloads import GroupBuilt
from shared.formats.campaign.rules.prices import finalise_rating
from shared.formats.campaign.rules.report import accept_report, end_of_game
from shared.formats.campaign.rules.reported import Deeds, GameReport, SideReport
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.ruleset import CampaignRuleset
from shared.formats.campaign.rules.standings import LeagueGame, Standing, league_table
from shared.formats.campaign.rules.turf import expressions, roll_turf, turf_of
from shared.formats.campaign.rules.words import CampaignEvent
from shared.formats.options import apply_options
from shared.formats.pack import shipped_ruleset
from shared.refusals import Refusal
from shared.rules.meetings import met_in
from shared.rules.ruleset import to_json
from shared.tournament.events import pairing, registration, scoring
from shared.tournament.events.pairing import PAGE, Seat

SEED = "5a" * 32


class League:
    """A campaign as it goes. groups: as they live; said: events of the command at hand."""

    def __init__(self, groups: int, rounds: int) -> None:
        ruleset = apply_options(shipped_ruleset("fallout-skirmish"), {"fs.campaign.rounds": rounds})
        assert isinstance(ruleset, CampaignRuleset)
        self.ruleset, self.rules, self.rounds = ruleset, ruleset.rules, rounds
        self.ids = [f"p{number}" for number in range(1, groups + 1)]
        self.groups: dict[str, Group] = {}
        self.games: list[LeagueGame] = []
        self.meetings: list[tuple[int, str, str]] = []
        self.chance = Random(7)
        self.round = self.rolled = 0
        self.said: list[Event] = []

    def story(self) -> Iterator[Appended]:
        """Everything that happens, command by command."""
        pack = to_json(self.ruleset)
        announced = registration.TournamentAnnounced(name="Wasteland", format="campaign", ruleset=pack)
        joined = [registration.PlayerJoined(player=id, name=id) for id in self.ids]
        yield "registration", "organiser", [announced, *joined]
        for number, id in enumerate(self.ids):
            yield "registration", id, self._built(id, sorted(self.rules.forces)[number % len(self.rules.forces)])
        while self.round < self.rounds:
            self.round += 1
            yield from self._round()

    def table(self) -> list[Standing]:
        """The league table by now."""
        return league_table(self.rules, {id: group.rating for id, group in self.groups.items()}, self.games)

    def _say(self, id: str, outcomes: Sequence[CampaignEvent]) -> None:
        self.said += [event.about(id, self.round, "played") for event in outcomes]
        if id:
            self.groups[id] = evolve(self.groups[id], outcomes)

    def _done(self, actor: str) -> Appended:
        """The command at hand, which is over."""
        self.rolled += sum(type(event).__name__ == "DieRolled" for event in self.said)
        told, self.said = ("scoring", actor, self.said), []
        return told

    def _dice_source(self) -> DiceSource:
        return DiceSource("s", self.rolled, SEED, (), drawn=True)

    def _built(self, id: str, force: str) -> list[Event]:
        told = self.rules.forces[force]
        armor = {rank: entry.armor.of[:1] if entry.armor.duty == "must" else () for rank, entry in told.ranks.items()}
        ranks = ("veteran", "experienced", "green", "green")
        enlisted = tuple(Enlisted(rank, goods=armor[rank]) for rank in ranks)
        self.groups[id] = Group(id, force)
        self._say(id, [accept_group(self.rules, id, Submission(force, enlisted, told.goods[:1]))])
        dice_source = DiceSource("e", 3 * self.ids.index(id), SEED, (), drawn=True)
        for _ in range(self.rules.core.starting_turfs):
            self._say(id, roll_turf(self.rules, self.groups[id], dice_source.next("2D12")))
        self._say(id, appoint_leader(self.rules, self.groups[id], SEED, 0))
        self._say(id, [finalise_rating(self.rules, self.groups[id])])
        _, _, events = self._done(id)
        self.rolled = 0
        return list(events)

    def _round(self) -> Iterator[Appended]:
        out = {id for id, group in self.groups.items() if not group.members}
        met = met_in(self.meetings, self.round)
        made = [one for one in pair_round(self.rules, self.table(), met, (), out) if one.player_2]
        seats = [
            Seat(game=f"r{self.round}g{n}", kind="game", player_1=one.player_1, player_2=one.player_2 or "", table=n)
            for n, one in enumerate(made, 1)
        ]
        drawn = pairing.PairingsDrawn(round=self.round, page=1, pages=1, pairings=seats)
        stands = pairing.RoundPaired(round=self.round, stage="league", method="swiss", games=len(seats))
        yield "pairing", "organiser", [drawn, stands]
        if self.round == 1:
            for id, group in list(self.groups.items()):
                self._say(id, [GroupEntered(GroupBuilt.of(group))])
            yield self._done("organiser")
        for seat in seats:
            yield from self._game(seat)
        playing = [player for seat in seats for player in seat.players]
        for id in playing:
            yield from self._until(id, "4")
        yield from self._recruits(playing)
        for id in playing:
            yield from self._until(id, "")
        rows = as_rows(self.table())
        pages = [rows[start : start + PAGE] for start in range(0, len(rows), PAGE)]
        self.said += [
            scoring.StandingsRecorded(round=self.round, page=n, pages=len(pages), rows=page, seed=SEED)
            for n, page in enumerate(pages, 1)
        ]
        self.said.append(scoring.RoundClosed(round=self.round, games=len(seats)))
        yield self._done("organiser")

    def _game(self, seat: Seat) -> Iterator[Appended]:
        fielded, faces = {}, {}
        for id in seat.players:
            group = self.groups[id]
            able = [one.id for one in group.members if not list(muster.cannot_be_fielded(self.rules, group, one))]
            with suppress(Refusal):  # too many Big Guns: the first who may go, goes
                fielded[id] = muster.muster(self.rules, group, able)
            fielded[id] = fielded.get(id) or muster.muster(self.rules, group, able[:1])
            self._say(id, [msgspec.structs.replace(fielded[id], game=seat.game)])
            yield self._done(id)
            rolled = muster.roll_objective(self.rules, self._dice_source().next("1D12"))
            faces[id] = getattr(rolled[0], "total", 1)
            self._say(id, rolled)
            yield self._done(id)
        report = self._report(seat, fielded, faces)
        facts = {"kind": "game", "report": msgspec.to_builtins(report)}
        reported = scoring.ResultReported(round=self.round, game=seat.game, facts=facts, side=1)
        yield "scoring", seat.player_1, [reported]
        self.said.append(scoring.ResultConfirmed(round=self.round, game=seat.game, side=2))
        pair = {id: self.groups[id] for id in seat.players}
        played = accept_report(self.rules, report, pair, {id: told.fielded for id, told in fielded.items()})
        self._say(seat.player_1, end_of_game(self.rules, report))
        for part in played:
            id = part.side.group
            self._say(id, open_post_game(self.rules, self.groups[id], self.round, part, SEED))
        yield self._done(seat.player_2)
        vp = tuple(side.vp for side in report.sides)
        self.games.append(LeagueGame(seat.players, tuple(part.ending for part in played), vp))
        self.meetings.append((self.round, seat.player_1, seat.player_2))

    def _report(self, seat: Seat, fielded: Any, faces: dict[str, int]) -> GameReport:
        chance = self.chance
        lines = chance.sample(range(1, 6), 4)
        cut = chance.randint(0, 4)
        sides = tuple(
            SideReport(
                id,
                faces[id],
                tuple(held),
                sum(held),
                members=tuple(
                    Deeds(member, chance.choice([None, None, "creature", "fall"]), wounds=chance.randint(0, 3))
                    for member in fielded[id].fielded
                ),
            )
            for id, held in zip(seat.players, (lines[:cut], [6 - line for line in lines[cut:]]), strict=True)
        )
        end: Thrown = self._dice_source().next("1D12")
        return GameReport((sides[0], sides[1]), 14, end)

    def _until(self, id: str, step: str) -> Iterator[Appended]:
        """The steps of a group up to one, or to the last; each is closed by the service."""
        while (phase := self.groups[id].phase) is not None and phase.step != step:
            for choose in self.CHOICES.get(phase.step, ()):
                with suppress(Refusal):
                    self._say(id, choose(self, self.groups[id], self._dice_source()))
                    yield self._done(id)
            self._say(id, close_for_absent(self.rules, self.groups[id], self._dice_source()))
            yield self._done(id)

    def _scavenge(self, group: Group, dice_source: DiceSource) -> list[CampaignEvent]:
        """Whoever comes next goes out, and finds caps or food."""
        acted = group.phase.acted if group.phase else {}
        member = next((id for id in group.ids if id not in acted), group.leader)
        first = dice_source.next("1D12")
        rows = self.rules.finds.scavenging
        row = next(row for row in rows if row.least <= first.dice[0].natural <= row.most)
        assert group.phase is not None
        asked = scavenging.second_dice(row, group.phase, member)
        return scavenging.scavenge(self.rules, group, member, first, dice_source.next(asked) if asked else None)

    def _visit(self, group: Group, dice_source: DiceSource) -> list[CampaignEvent]:
        """The leader looks after a turf."""
        owned = group.turfs[0]
        throws = [dice_source.next(text) for text in expressions(turf_of(self.rules, owned.turf))]
        return visits.visit_turf(self.rules, group, group.leader, owned.id, throws)

    def _buy(self, group: Group, dice_source: DiceSource) -> list[CampaignEvent]:
        return bartering.buy_from_list(self.rules, group, self.rules.forces[group.force].goods[0])

    CHOICES: dict[str, Sequence[Callable[[League, Group, DiceSource], list[CampaignEvent]]]] = {
        "3": (_visit, _scavenge, _scavenge, _scavenge),
        "5": (_buy,),
    }
    """Step -> what is chosen in it, where it can be."""

    def _recruits(self, playing: Sequence[str]) -> Iterator[Appended]:
        groups = {id: self.groups[id] for id in playing if self.groups[id].phase is not None}
        dice_source = self._dice_source()
        throws = {id: dice_source.next("1D12") for id in sorted(groups)}
        said, pool = recruits.open_recruits(self.rules, groups, throws, SEED, self.round)
        self._say("", said)
        yield self._done("organiser")
        for id in pool.order:
            with suppress(Refusal, IndexError):
                outcomes, pool = recruits.hire(self.rules, self.groups[id], pool, pool.recruits[0].id)
                self._say(id, outcomes)
                yield self._done(id)
            outcomes, pool = recruits.end_turn(self.groups[id], pool)
            self._say(id, outcomes)
            if not pool.order:
                open_ones = [self.groups[one] for one in groups]
                for one, closing in recruits.close_recruits(self.rules, open_ones, pool).items():
                    self._say(one, closing)
            yield self._done(id)
