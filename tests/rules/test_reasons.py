"""Every reason of a pairing by standings is true: recomputed from ranks and history."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Facts, Game, Pairing
from shared.swiss.pairing import PairedRound, pair_round, pair_with_spare
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import bye_score, score_game
from shared.swiss.standings import Row, Standings, rank
from tests.examples import examples
from tests.rules.test_brackets import every_pairing

FACTIONS, DUST = shipped_ruleset("fallout-factions-comp-1.0"), shipped_ruleset("dust-warfare-1.0")
SPARE = "zed"
MEETINGS = {2: "second meeting", 3: "third meeting"}
Met = Mapping[str, Collection[str]]


def played(ruleset: Ruleset, round: int, pairing: Pairing, chance: random.Random) -> Game:
    """Return a game with a random result of few values, so that there are ties."""
    if pairing.kind == "bye":
        scenario = "Melee" if ruleset.scenarios else ""
        facts, score = Facts("bye", scenario=scenario), bye_score(ruleset, scenario)
        return Game(round, None, "bye", pairing.player_1, None, facts, score)
    points = chance.choice((5, 10)), chance.choice((0, 5, 10))
    winner = None if ruleset.scenarios else 1 if points[0] > points[1] else 2 if points[1] > points[0] else "draw"
    kind = "spare" if pairing.kind == "spare" else "game"
    facts = Facts(kind, *points, winner=winner, scenario="Melee" if ruleset.scenarios else "")
    return Game(round, None, kind, *pairing.players, facts, score_game(ruleset, facts))


@some.composite
def fields(draw: some.DrawFn) -> tuple[int, int, random.Random, bool]:
    """Draw the number of players, the number of earlier rounds, a random seed, and if those rounds were random."""
    size = draw(some.integers(4, 9))
    return (
        size,
        draw(some.integers(1, min(5, size - 2))),
        draw(some.randoms(use_true_random=False)),
        draw(some.booleans()),
    )


def tournament(
    ruleset: Ruleset, field: tuple[int, int, random.Random, bool], spare: str = ""
) -> tuple[list[Entrant], list[Game], PairedRound]:
    """Return entrants (some of whom leave), the games of some rounds, and the next round."""
    size, rounds, chance, by_chance = field
    entrants = [Entrant(f"p{number}") for number in range(size)]
    games: list[Game] = []
    for round in range(1, rounds + 2):
        if spare:
            paired = pair_with_spare(ruleset, entrants, games, round=round, seed="s", spare=spare)
        else:
            paired = pair_round(ruleset, entrants, games, round=round, seed="s")
        if round > rounds:
            return entrants, games, paired
        pairings: Sequence[Pairing] = paired.pairings
        if by_chance:
            players = [one.player for one in entrants if one.plays(round)]
            chance.shuffle(players)
            pairings = [Pairing("game", one, two) for one, two in zip(players[::2], players[1::2], strict=False)]
            pairings += [Pairing("spare", players[-1], spare) if spare else Pairing("bye", players[-1])] * (
                len(players) % 2
            )
        games += [played(ruleset, round, pairing, chance) for pairing in pairings]
        there = [one for one in entrants if one.plays(round + 1)]
        if len(there) > 4 and chance.random() < 0.3:
            leaver = chance.choice(there)
            status = chance.choice(("dropped", "disqualified"))
            left = replace(leaver, status=status, dropped_after=round if status == "dropped" else None)
            entrants[entrants.index(leaver)] = left
    raise AssertionError


def met_in(games: Sequence[Game]) -> dict[str, set[str]]:
    met: dict[str, set[str]] = {}
    for game in games:
        if game.player_2:
            met.setdefault(game.player_1, set()).add(game.player_2)
            met.setdefault(game.player_2, set()).add(game.player_1)
    return met


def both_ways(game: Game) -> list[tuple[str, str]]:
    return [(game.player_1, game.player_2 or ""), (game.player_2 or "", game.player_1)]


class Held:
    """One round, checked against its reasons."""

    def __init__(self, ruleset: Ruleset, entrants: list[Entrant], games: list[Game], paired: PairedRound) -> None:
        self.ruleset, self.met = ruleset, met_in(games)
        self.times = Counter(pair for game in games if game.player_2 for pair in both_ways(game))
        self.last = {pair for game in games if game.round == paired.round - 1 for pair in both_ways(game)}
        self.by_id = {one.player: one for one in entrants}
        self.round = paired.round
        self.listed = [row.player for row in rank(ruleset, entrants, games, round=paired.round - 1, seed="s").rows]
        self.games = [pairing for pairing in paired.pairings if pairing.kind == "game"]
        self.left_over = next((pairing for pairing in paired.pairings if pairing.kind != "game"), None)
        self.stands_in = ""
        pairs = [pairing.players for pairing in self.games]
        if self.left_over and self.left_over.kind == "spare":
            found = re.search(r"in place of (\w+), the first who dropped", self.left_over.reason)
            if found:
                self.stands_in = found[1]
                pairs.append((self.left_over.player_1, self.stands_in))
                # A placeholder has met its own opponents and the spare player's (FF-AMB-12).
                own, of_spare = self.met.get(self.stands_in, set()), self.met.get(SPARE, set())
                self.met = {**self.met, self.stands_in: own | of_spare}
                for one in of_spare:
                    self.met[one] = self.met[one] | {self.stands_in}
                for one, two in ((one, two) for way in (1, -1) for one, two in ((SPARE, p)[::way] for p in of_spare)):
                    pair = tuple(self.stands_in if name == SPARE else name for name in (one, two))
                    self.times[pair] += self.times[one, two]
                    self.last |= {pair} if (one, two) in self.last else set()
        place = self.listed.index
        self.pairs = [tuple(sorted(pair, key=place)) for pair in pairs]
        self.opponent = {one: two for pair in self.pairs for one, two in (pair, pair[::-1])}

    def place(self, player: str) -> int:
        return self.listed.index(self.stands_in if player == "the spare player" else player)

    def known(self, called: str) -> str:
        return self.stands_in if called == "the spare player" else called

    def check(self) -> Iterator[str]:
        """Yield the kind of every sentence, after checking that it is true."""
        for pairing in self.games:
            higher, lower = sorted(pairing.players, key=self.place)
            between = self.listed[self.place(higher) + 1 : self.place(lower)]
            said, often = re.fullmatch(r"(.*), \d+ and \d+ points(?:; (.+); fewest possible)?", pairing.reason).groups()  # type: ignore[union-attr]
            assert bool(often) == (lower in self.met.get(higher, ())) == pairing.rematch
            number = self.times[higher, lower] + 1
            assert not often or often == MEETINGS.get(number, f"meeting no. {number}")
            if said == "next to each other in the standings":
                assert between == []
                yield "neighbours"
                continue
            causes = re.fullmatch(rf"nearest in the standings for {higher} \((.+)\)", said)
            assert causes, said
            explained: list[str] = []
            for cause in causes[1].split("; "):
                explained += self.true(cause, higher, between)
                yield re.sub(r"\bp\d\b", "x", re.sub(r" and p\d| \(\d times\)", "", cause))
            if "more stand between them" in causes[1]:
                assert len(explained) == 4 < len(between)
                assert f"; {len(between) - 4} more stand between them" in causes[1]
                between = between[:4]
            assert explained == between

    def true(self, cause: str, higher: str, between: list[str]) -> list[str]:
        """Return the players that a cause names, after recomputing it."""
        if re.fullmatch(r"\d+ more stand between them", cause):
            return []
        if found := re.fullmatch(r"(\w+) has the bye", cause):
            assert self.left_over
            assert (self.left_over.kind, self.left_over.player_1) == ("bye", found[1])
            return [found[1]]
        if found := re.fullmatch(r"(\w+) meets the spare player", cause):
            assert self.left_over
            assert self.left_over.players == (found[1], SPARE)
            return [found[1]]
        if found := re.fullmatch(r"(\w+) does not play", cause):
            assert not self.by_id[found[1]].plays(self.round)
            return [found[1]]
        if found := re.fullmatch(rf"{higher} has met (.+)", cause):
            others = []
            for one, times in re.findall(r"(the spare player|\w+)(?: \((\d+) times\))?(?: and |$)", found[1]):
                others.append(self.known(one))
                assert int(times or 1) == self.times[higher, others[-1]]
            assert set(others) <= self.met[higher]
            return others
        if found := re.fullmatch(r"(.+) plays (.+), who stands higher", cause):
            one, two = map(self.known, found.groups())
            assert self.opponent[one] == two
            assert self.place(two) < self.place(higher) < self.place(one)
            return [one]
        if found := re.fullmatch(r"(\w+) moved down, having met (\w+)", cause):
            moved, other = found.groups()
            assert other in self.met[moved]
            assert (moved, other) in self.on_paper()[1]
            return [moved]
        if found := re.fullmatch(rf"(\w+) was paired before {higher}, who moved down, having met (\w+)", cause):
            pairs, moves = self.on_paper()
            assert found[2] in self.met[higher]
            assert (higher, found[2]) in moves
            order = [player for pair in pairs for player in pair]
            assert order.index(found[1]) < order.index(higher)
            return [found[1]]
        worse = r"(lead to a rematch|make the rematches) further down( worse)?"
        if found := re.fullmatch(rf"{higher} against (.+) would {worse}", cause):
            one = self.known(found[1])
            assert one not in self.met.get(higher, ())
            assert bool(found[3]) == any(two in self.met.get(one, ()) for one, two in self.pairs)
            assert self.needed(higher, one) > self.needed(higher, self.opponent[higher])
            return [one]
        raise AssertionError(cause)

    def needed(self, one: str, two: str) -> tuple[int, int, int]:
        """Return the minimum cost of rematches of the remaining players if these two play."""
        above = {player for pair in self.pairs if self.place(pair[0]) < self.place(one) for player in pair}
        rest = [player for player in self.listed if player in self.opponent and player not in above | {one, two}]
        return min(self.again([(one, two), *pairs]) for pairs in every_pairing(rest))

    def again(self, pairs: Sequence[tuple[str, str]]) -> tuple[int, int, int]:
        """Return rematches, those of the previous round, and earlier meetings."""
        times = [self.times[pair] for pair in pairs]
        return sum(map(bool, times)), sum(pair in self.last for pair in pairs), sum(times)

    def on_paper(self) -> tuple[list[tuple[str, str]], set[tuple[str, str]]]:
        """Return the pairs in order, and the sheets moved down with their cause, by repeating the procedure."""
        lower = self.ruleset.pairing.stages[-1].policy == "paper_lower"
        pile = [player for player in self.listed if player in self.opponent]
        pairs: list[tuple[str, str]] = []
        done: set[tuple[str, str]] = set()
        moves: set[tuple[str, str]] = set()
        while pile:
            top, second, *rest = pile
            met = self.met.get(top, ())
            if second in met and (top, second) not in done:
                done.add((top, second))
                sheet, stays = (second, top) if lower else (top, second)
                moves.add((sheet, stays))
                pile = [stays, *rest]
                pile.insert(3 if lower else 2, sheet)
            else:
                opponent = next((player for player in pile[1:] if player not in met), second)
                pairs.append((top, opponent))
                pile = [player for player in pile if player not in (top, opponent)]
        return pairs, moves


RULESETS = {
    "neighbours": FACTIONS,
    "neighbours, no dropped players shown": apply_options(FACTIONS, {"dropped_in_standings": False}),
    "the lower sheet moves": DUST,
    "the higher sheet moves, ties shared": apply_options(DUST, {"rematch_move": "higher", "unresolved_ties": "shared"}),
}


@pytest.mark.clause("FF-PAIR-3", "DW-PAIR-3", "DW-PAIR-4")
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
@settings(max_examples=examples(150), deadline=None)
@given(field=fields())
def test_every_reason_is_true(ruleset: Ruleset, field: tuple[int, int, random.Random, bool]) -> None:
    for kind in Held(ruleset, *tournament(ruleset, field)).check():
        event(kind)


@pytest.mark.clause("FF-SPARE-2", "FF-PAIR-3")
@pytest.mark.parametrize("mode", ["last_ranked", "first_drop"])
@settings(max_examples=examples(150), deadline=None)
@given(field=fields())
def test_every_reason_with_a_spare_player_is_true(mode: str, field: tuple[int, int, random.Random, bool]) -> None:
    ruleset = apply_options(FACTIONS, {"spare_mode": mode})
    for kind in Held(ruleset, *tournament(ruleset, field, SPARE)).check():
        event(kind)


def rows(*ranked: tuple[int, str]) -> Standings:
    return Standings(1, (), tuple(Row(rank, player, {}, False, "active") for rank, player in ranked), ())


def reasons(standings: Standings, *players: str, round: int = 2, ruleset: Ruleset = FACTIONS) -> list[str]:
    """Return the reasons of a round after these standings, without the points."""
    field = [Entrant(player) for player in players]
    paired = pair_round(ruleset, field, [], round=round, seed="s", standings=standings)
    return [pairing.reason.rsplit(", ", 1)[0] for pairing in paired.pairings]


@pytest.mark.clause("FF-PAIR-3")
def test_reasons_consider_players_of_other_venues() -> None:
    of_venue = rows((1, "a"), (2, "b"), (3, "c"), (6, "d"))
    assert reasons(of_venue, *"abcd") == [
        "next to each other in the standings",
        "nearest in the standings for c (others between them are paired elsewhere)",
    ]
    shared = rows((1, "a"), (1, "b"), (3, "c"), (4, "d"))
    assert reasons(shared, *"abcd") == ["next to each other in the standings"] * 2


@pytest.mark.clause("FF-PAIR-3", "FF-AMB-21")
def test_late_entries_follow_the_standings() -> None:
    assert reasons(rows((1, "a"), (2, "b"), (3, "c")), *"abcd") == [
        "next to each other in the standings",
        "next to each other with late entries behind the standings",
    ]


def test_the_reason_of_a_drawn_round() -> None:
    drawn = apply_options(FACTIONS, {})
    drawn = replace(drawn, pairing=replace(drawn.pairing, stages=drawn.pairing.stages[:1]))
    assert reasons(rows((1, "a"), (2, "b")), *"ab", ruleset=drawn) == ["drawn"]


@pytest.mark.clause("FF-PAIR-3")
def test_reasons_name_some_players_between_and_count_the_others() -> None:
    players = [f"p{number}" for number in range(8)]
    games = [
        played(FACTIONS, round, Pairing("game", "p0", other), random.Random(0))
        for round, other in enumerate(players[1:7], 1)
    ]
    standings = rows(*enumerate(players, 1))
    field = [Entrant(player) for player in players]
    first = pair_round(FACTIONS, field, games, round=7, seed="s", standings=standings).pairings[0]
    assert first.players == ("p0", "p7")
    said = "nearest in the standings for p0 (p0 has met p1 and p2 and p3 and p4; 2 more stand between them), "
    assert first.reason.startswith(said)
