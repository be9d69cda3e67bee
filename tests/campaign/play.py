"""Campaigns played at random: any choice may be tried, and a refused one changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random
from typing import Any

from msgspec.structs import replace

from shared.campaign import bartering, encounters, experience, food, injuries, post_game, rewards, scavenging, workshop
from shared.campaign.choices import close_for_absent
from shared.campaign.dice import DiceSource, Die, Questions, RolledDice, Thrown, parse_formula
from shared.campaign.evolve import evolve
from shared.campaign.facts import Deeds, GameReport, SideReport
from shared.campaign.group import Enlisted, Submission, accept_group, appoint_leader, finalise_rating
from shared.campaign.league import LeagueGame, bye, league_table
from shared.campaign.muster import cannot_be_fielded, muster
from shared.campaign.outcomes import CampaignEvent, MemberRemoved
from shared.campaign.pairing import pair_round
from shared.campaign.post_game import open_after_bye, open_post_game
from shared.campaign.recruits import close_recruits, end_turn, hire, open_recruits
from shared.campaign.report import accept_report, jailers_among
from shared.campaign.rewards import roll_turf, turf_of, visit_dice
from shared.campaign.roster import Group, Phase, RecruitPool
from shared.campaign.tables import Rules
from shared.refusals import Fault, Refusal
from shared.rules.matching import meetings_of_pairs
from shared.tournament.draws import SeededDraws


class Play:
    """A campaign in progress: groups, the events of each, games."""

    def __init__(self, rules: Rules, groups: int, seed: str) -> None:
        self.rules, self.chance, self.draws = rules, Random(seed), SeededDraws(seed)
        self.groups: dict[str, Group] = {}
        self.said: dict[str, list[CampaignEvent]] = {}
        self.common: list[CampaignEvent] = []
        self.log: list[tuple[str, int, CampaignEvent]] = []
        self.round = 0
        self.games: list[LeagueGame] = []
        self.meetings: list[tuple[int, str, str]] = []
        self.steps: list[tuple[str, str]] = []
        self.rolls = 0
        self.done = 0
        self.unexplained: list[Fault] = []
        for number in range(groups):
            self._enter(f"g-{number:02}", sorted(rules.forces)[number % len(rules.forces)])

    def thrown(self, expression: str, replaces: str = "") -> Thrown:
        self.rolls += 1
        dice = tuple(Die(12, self.chance.randint(1, 12)) for _ in range(parse_formula(expression).count))
        return Thrown(f"r-{self.rolls}", dice, replaces, "service")

    def record(self, id: str, outcomes: list[CampaignEvent]) -> None:
        self.groups[id] = evolve(self.groups[id], outcomes)
        self.said[id] += outcomes
        self.log += [(id, self.round, outcome) for outcome in outcomes]
        group = self.groups[id]
        assert min(group.caps, group.clean, group.radiated, *(member.xp for member in group.members), 0) >= 0
        assert len(group.members) <= self.rules.forces[group.force].most
        assert (group.leader in group.ids) is bool(group.members)

    def attempt(self, id: str, ask: Callable[..., list[CampaignEvent]], *given: Any, **named: Any) -> bool:
        """Try a choice. A refusal must give a reason and change nothing."""
        try:
            outcomes = ask(self.rules, self.groups[id], *given, **named)
        except Refusal as refused:
            self.unexplained += [fault for fault in refused.faults if not fault.clause]
            return False
        self.record(id, outcomes)
        self.done += 1
        return True

    def _enter(self, id: str, force: str) -> None:
        entry = self.rules.forces[force]
        members = tuple(
            Enlisted(rank, goods=entry.ranks[rank].armor.of[:1] if entry.ranks[rank].armor.duty == "must" else ())
            for rank in ("veteran", "experienced", "green", "green")
        )
        accepted = accept_group(self.rules, id, Submission(force, members, entry.goods[:1]))
        self.groups[id], self.said[id] = Group(id, force), []
        self.groups[id] = evolve(self.groups[id], [accepted])
        self.said[id].append(accepted)
        self.log.append((id, 0, accepted))
        self.record(id, list(appoint_leader(self.rules, self.groups[id], self.draws, 0)))
        for _ in range(self.rules.core.starting_turfs):
            self.record(id, roll_turf(self.rules, self.groups[id], self.thrown("2D12")))
        self.record(id, [finalise_rating(self.rules, self.groups[id])])

    def table(self) -> list[Any]:
        ratings = {id: group.rating for id, group in self.groups.items()}
        return league_table(self.rules, ratings, self.games)

    def play_round(self, round: int) -> None:
        self.round = round
        out = {id for id, group in self.groups.items() if post_game.is_eliminated(self.rules, group)}
        resting = [game.groups[0] for game in self.games if len(game.groups) == 1]
        for pairing in pair_round(self.rules, self.table(), meetings_of_pairs(self.meetings, round), resting, out):
            if pairing.player_2 is None:
                self.games.append(bye(pairing.player_1))
                self.record(pairing.player_1, open_after_bye(self.rules, self.groups[pairing.player_1], round))
            else:
                self._game(round, pairing.player_1, pairing.player_2)
        for id in self.groups:
            while self.groups[id].phase and self.groups[id].phase.step != "4":
                self._step(id)
        self._recruits(round, {id: group for id, group in self.groups.items() if group.phase})
        for id in self.groups:
            while self.groups[id].phase:
                self._step(id)

    def _game(self, round: int, *ids: str) -> None:
        one, two = ids
        fielded = {id: self._mustered(id) for id in ids}
        lines = self.chance.sample(range(1, 6), self.chance.randint(0, 5))
        cut = self.chance.randint(0, len(lines))
        first, second = lines[:cut], [6 - line for line in lines[cut:]]
        deeds = {id: [self._deeds(member) for member in fielded[id]] for id in ids}
        for here, there in ((one, two), (two, one)):
            if deeds[here] and deeds[there] and self.chance.random() < 0.7:
                self._kill(deeds, here, there)
        sides = tuple(
            SideReport(id, self.chance.randint(1, 12), tuple(held), sum(held), members=tuple(deeds[id]))
            for id, held in zip(ids, (first, second), strict=True)
        )
        end = Thrown(f"end-{round}-{one}", (Die(12, 12),), source="service")
        report = GameReport(sides, 8, end)
        pair = {id: self.groups[id] for id in ids}
        played = accept_report(self.rules, report, pair, fielded)
        self.games.append(LeagueGame(ids, tuple(part.ending for part in played), tuple(side.vp for side in sides)))
        self.meetings.append((round, one, two))
        jailers = jailers_among(self.rules, pair.values())
        for id, part in zip(ids, played, strict=True):
            self.record(id, open_post_game(self.rules, self.groups[id], round, part, self.draws, jailers=jailers))

    def _mustered(self, id: str) -> list[str]:
        group = self.groups[id]
        for item in group.items:
            if self.rules.goods[item.good].kind == "big_gun" and item.holder:
                self.attempt(id, post_game.move_item, item.id)
        group = self.groups[id]
        able = [member.id for member in group.members if not list(cannot_be_fielded(self.rules, group, member))]
        return list(muster(self.rules, group, able).fielded)

    def _deeds(self, member: str) -> Deeds:
        chance = self.chance
        down = chance.choice([None, None, "creature", "fall", "fire"])
        wounds = chance.randint(0, 4)
        return Deeds(
            member, down, wounds=wounds, models=min(wounds, 1), locks=chance.randint(0, 1), rads=chance.randint(0, 2)
        )

    def _kill(self, deeds: dict[str, list[Deeds]], here: str, there: str) -> None:
        killer, victim = self.chance.randrange(len(deeds[here])), self.chance.randrange(len(deeds[there]))
        one, two = deeds[here][killer], deeds[there][victim]
        if two.down is None:
            deeds[here][killer] = replace(one, wounds=one.wounds + 1, kills=one.kills + 1, took=(*one.took, two.member))
            deeds[there][victim] = replace(two, down="rival", by=one.member, melee=self.chance.random() < 0.5)

    def _step(self, id: str) -> None:
        phase = self.groups[id].phase
        assert phase is not None
        self.steps.append((id, phase.step))
        for _ in range(6):
            phase = self.groups[id].phase
            if phase is not None and self.groups[id].members:
                self.TRY[phase.step](self, id, phase, self.chance.choice(self.groups[id].ids))
        self.rolls += 100
        self.record(id, close_for_absent(self.rules, self.groups[id], self._dice()))
        self.rolls += 100

    def _dice(self) -> DiceSource:
        questions = Questions(self.draws, lambda group: f"round {self.round}", RolledDice())
        return DiceSource("r-", self.rolls, questions, ())

    def _recruits(self, round: int, groups: Mapping[str, Group]) -> None:
        events, pool = open_recruits(self.rules, groups, {id: self.thrown("1D12") for id in groups}, self.draws, round)
        self.common += events
        self.log += [("", round, outcome) for outcome in events]
        for id in pool.order:
            for recruit in pool.recruits[:2]:
                with suppress(Refusal):
                    outcomes, pool = hire(self.rules, self.groups[id], pool, recruit.id)
                    self.record(id, outcomes)
            passed: tuple[list[CampaignEvent], RecruitPool] = end_turn(self.groups[id], pool)
            self.record(id, passed[0])
            pool = passed[1]
        for id, closing in close_recruits(self.rules, [self.groups[id] for id in groups], pool).items():
            self.record(id, closing)

    def _injuries(self, id: str, phase: Phase, member: str) -> None:
        self.attempt(
            id, injuries.choose_clean_home, self.chance.choice(["medical_lab", "restaurant", "radaway"]), member
        )
        again = next((open for open in phase.open_injuries if open.member == member), None)
        self.attempt(id, injuries.roll_injury, member, self.thrown_for(again), self.draws)
        self.attempt(id, injuries.reroll_injury, member)
        self.attempt(id, injuries.check_jail, member, self.thrown("1D12"))
        self.attempt(id, injuries.dismiss_blind, member, "send_away", self.draws)

    def thrown_for(self, open: Any) -> Thrown:
        return self.thrown("2D12", open.roll if open else "")

    def _rewards(self, id: str, phase: Phase, member: str) -> None:
        group = self.groups[id]
        dice = rewards.reward_dice(self.rules, group)
        hurt = group.member(member).injuries
        good = self.chance.choice(["jet", *self.rules.forces[group.force].goods])
        claim = rewards.Claim(member, hurt[0] if hurt else "", good, self.thrown(dice) if dice else None)
        self.attempt(id, rewards.claim_reward, claim, self.draws)

    def _advance(self, id: str, phase: Phase, member: str) -> None:
        if phase.awarded:
            waiting = experience.open_advance(self.groups[id], member)
            self.attempt(id, experience.roll_advancement, member, self.thrown_for(waiting))
            self.attempt(id, experience.choose_perk, member, self.chance.choice(list(self.rules.advancement.perks)))

    def _income(self, id: str, phase: Phase, member: str) -> None:
        chance, group = self.chance, self.groups[id]
        self.attempt(id, food.draw_fighters, self.draws)
        self.attempt(id, food.eat_own, self.chance.choice(group.ids), self.draws)
        rival = phase.played.rival
        if rival:
            dead = [
                outcome.member
                for group, round, outcome in self.log
                if (group, round) == (rival, self.round)
                and isinstance(outcome, MemberRemoved)
                and outcome.reason == "dead"
            ]
            self.attempt(id, food.feast, {rival: self.groups[rival].force}, dead)
        first = self.thrown("1D12")
        second = {1: None, 6: "1D6*5"}.get(first.dice[0].natural, "1D6")
        self.attempt(id, scavenging.scavenge, member, first, self.thrown(second) if second else None)
        if chance.random() < 0.3:
            self.attempt(id, encounters.draw_encounter, member, self.draws)
        self.attempt(id, encounters.resolve_encounter, self._meeting(member), lambda asked, *about: self.thrown(asked))
        if group.turfs:
            owned = chance.choice(group.turfs)
            throws = [self.thrown(text) for text in visit_dice(turf_of(self.rules, owned.turf))]
            self.attempt(id, scavenging.visit_turf, chance.choice(group.ids), owned.id, throws)
        if group.items:
            item = chance.choice(group.items).id
            self.attempt(id, food.emergency_sale, item, self.thrown("1D6"), self.thrown("1D6"))
        self.attempt(id, food.sell_food, "clean", chance.randint(0, 2))

    def _meeting(self, member: str) -> encounters.Meeting:
        """Return a random encounter outcome: any card, any ending."""
        key, card = self.chance.choice(list(self.rules.encounters.cards.items()))
        if card.treasure:
            return encounters.Meeting(member, "searched", key, searches=self.chance.randint(1, 2))
        if card.joins:
            return encounters.Meeting(member, "slaves_met", key, down=self.chance.random() < 0.2)
        number = self.chance.randint(*encounters.span_of(card))
        if self.chance.random() < 0.5:
            return encounters.Meeting(member, "creatures_killed", key, number)
        kills = self.chance.randrange(number)
        each = card.wounds if self.rules.options.wound == "per_wound" else 1
        ending = self.chance.choice(("escaped", "member_killed"))
        return encounters.Meeting(member, ending, key, number, kills * each, kills)

    def _trade(self, id: str, phase: Phase, member: str) -> None:
        chance, group = self.chance, self.groups[id]
        merchant = chance.choice(list(self.rules.merchants))
        die = self.thrown("1D12") if self.rules.merchants[merchant].find else None
        self.attempt(id, bartering.seek_merchant, merchant, [member], die)
        visit = self.groups[id].phase.visit
        if visit:
            offer = chance.choice(self.rules.merchants[visit.merchant].goods)
            rarity = self.thrown(f"{offer.rarity}D12") if offer.rarity else None
            self.attempt(id, bartering.quote_price, offer.item, rarity, self.thrown("1D6"), self.thrown("1D6"))
            self.attempt(id, bartering.take_offer)
        self.attempt(id, bartering.buy_from_list, chance.choice(self.rules.forces[group.force].goods))
        self.attempt(
            id,
            scavenging.search_building,
            chance.sample(group.ids, min(2, len(group.ids))),
            self.thrown("2D12"),
            self.draws,
        )
        for item in self.groups[id].items:
            if not item.holder:
                self.attempt(id, post_game.move_item, item.id, member)

    def _build(self, id: str, phase: Phase, member: str) -> None:
        for item in self.groups[id].items:
            if self.rules.goods[item.good].parts_for:
                self.attempt(id, workshop.build, member, item.id, self.thrown("1D12"))

    def _doctor(self, id: str, phase: Phase, member: str) -> None:
        treatment = self.chance.choice(list(self.rules.core.treatments))
        hurt = self.groups[id].member(member).injuries
        self.attempt(id, workshop.see_doctor, member, treatment, hurt[0] if hurt else "")

    def _nothing(self, id: str, phase: Phase, member: str) -> None:
        """Do nothing: the step requires nothing."""

    TRY: Mapping[str, Callable[..., None]] = {
        "1": _injuries,
        "1b": _rewards,
        "2": _advance,
        "3": _income,
        "5": _trade,
        "6": _nothing,
        "7": _build,
        "8": _doctor,
        "9": _nothing,
    }
