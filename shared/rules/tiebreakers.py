"""Tiebreakers: records of games, the values made of them, and the groups that stay tied.

No value calls standings: the records and the group are arguments.

Each value is a sum of shares, one for each round of the player, so that what is ranked by is what is explained.

| name                     | value                                                       | source                   |
|--------------------------|-------------------------------------------------------------|--------------------------|
| `total`                  | sum of a value over all rounds (points for)                 | AR-TB-1, DW-TB-1         |
| `against`                | sum of that value of the other sides (points against)       | general use              |
| `difference`             | `total` less `against` (margin)                             | general use              |
| `wins`                   | rounds won, byes included                                   | FF-TB-3                  |
| `cumulative`             | sum of the totals after each round                          | US Chess rule 34E3       |
| `head_to_head`           | wins against the others of the tied group                   | general use              |
| `schedule_sum`           | sum of what the opponents have in all                       | AR-TB-3                  |
| `schedule_average`       | that, per opponent met                                      | general use              |
| `schedule_mean`          | mean over rounds of the opponents' own means                | AR-TB-4, AR-AMB-4        |
| `schedule_mean_met`      | the same over the opponents met: a bye is no round          | AR-AMB-4                 |
| `schedule_extended`      | sum of the opponents' `schedule_sum`                        | general use (SOSOS)      |
| `buchholz`               | `schedule_sum`, lowest and highest opponents cut            | FIDE C.07, 8.1           |
| `sonneborn_berger`       | totals of those beaten, half of those drawn with            | FIDE C.07, 9.1           |
| `koya`                   | points against those who have `limit` of the possible       | FIDE C.07, 9.2, 14.5     |
| `match_win`              | share of the possible points                                | Magic MTR, appendix C    |
| `opponents_match_win`    | mean of the opponents' `match_win`, with a floor            | Magic MTR, appendix C    |
| `game_win`               | share of the possible game points                           | Magic MTR, appendix C    |
| `opponents_game_win`     | mean of the opponents' `game_win`, with a floor             | Magic MTR, appendix C    |
| recorded draw            | order of the tied group; made by `standings`                | AR-AMB-15                |

Percentages are exact fractions, 1/2 and not 50. Not done: FIDE's virtual opponents. A round without an opponent adds 0
to everything that is made of opponents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, groupby

from msgspec import Struct
from msgspec.structs import fields

from shared.rules.model import PLAYED, FactsKind, Game, Outcome, Value
from shared.rules.parts import Part


class Played(Struct, frozen=True, gc=False):
    """One round of one player.

    opponent: nobody after a bye, a game that was not played, or a game against the spare player, since none of
    these says anything of the strength of those a player met. values, against: what
    the player and the other side had of the round.
    """

    round: int
    opponent: str | None
    outcome: Outcome
    values: Mapping[str, int]
    bye: bool
    against: Mapping[str, int] = {}


Records = Mapping[str, list[Played]]

Shares = Callable[[str], Sequence[Value]]
"""A player -> what each of the player's rounds, in order, adds to a value."""


def records_of(games: Iterable[Game], players: Iterable[str] = (), played: Collection[FactsKind] = PLAYED) -> Records:
    """The rounds of every player in `games`, in round order; an empty list for `players` without one.

    played: the kinds of facts after which the two sides count as having met.
    """
    records: dict[str, list[Played]] = {player: [] for player in players}
    for game in sorted(games, key=lambda game: (game.round, game.player_1)):
        score, faced, bye = game.score, game.kind == "game" and game.facts.kind in played, game.kind == "bye"
        records.setdefault(game.player_1, []).append(
            Played(game.round, game.player_2 if faced else None, score.outcome_1, score.values_1, bye, score.values_2)
        )
        if game.player_2 is not None and game.kind != "spare" and score.outcome_2 is not None:
            records.setdefault(game.player_2, []).append(
                Played(
                    game.round, game.player_1 if faced else None, score.outcome_2, score.values_2, False, score.values_1
                )
            )
    return records


def totals(records: Records, value: str) -> dict[str, int]:
    """The sum of one value over all rounds, of every player."""
    return {player: sum(played.values.get(value, 0) for played in rounds) for player, rounds in records.items()}


class Criterion(Part, frozen=True):
    """One step of the ranking, higher first. column: its name in standings; of: the value it is made of.

    lowest_first: the lower value is ahead. divisor: the value is shown and compared divided by this (points kept as
    halves: 2). cut_lowest, cut_highest: how many opponents are left out. full: the most points that one round, or one
    game of a match, can bring. drawn: the value that counts drawn games. floor: the least that a percentage
    counts for, a player's own or an opponent's, as a fraction (`1/3`). limit: how much of what was possible an opponent
    has, at the least, to be one of those who count.
    """

    column: str
    piece: str
    of: str = ""
    shown: bool = True
    active: bool = True
    lowest_first: bool = False
    divisor: int = 1
    cut_lowest: int = 0
    cut_highest: int = 0
    full: int = 0
    drawn: str = ""
    floor: str = "0"
    limit: str = "1/2"


FRACTIONS = frozenset({"floor", "limit"})
"""Settings that are fractions from 0 to 1, such as `1/3`."""

MakeShares = Callable[[Records, Collection[str], Criterion], Shares]
"""(records of all, the group to value, the criterion with its settings) -> the shares of each in the group."""


def total(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The value `of` over all rounds: points for. AR-TB-1, DW-TB-1, FF-TB-1."""
    return lambda player: [played.values.get(rule.of, 0) for played in records[player]]


def against(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """What the other sides had of the value `of`: points against; nothing in a bye."""
    return lambda player: [played.against.get(rule.of, 0) for played in records[player]]


def difference(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The value `of` less what the other side had of it: the margin, which a loss makes negative."""
    return lambda player: [played.values.get(rule.of, 0) - played.against.get(rule.of, 0) for played in records[player]]


def wins(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The number of rounds won; a bye that is a win counts. FF-TB-3."""
    return lambda player: [int(played.outcome == "win") for played in records[player]]


def cumulative(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The running totals after each round added up: early points count more often. US Chess, rule 34E3."""
    return lambda player: list(accumulate(played.values.get(rule.of, 0) for played in records[player]))


def head_to_head(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The number of games won against the other players of the group."""
    return lambda player: [int(played.outcome == "win" and played.opponent in group) for played in records[player]]


def schedule_sum(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The sum of the totals of every opponent a player has met; 0 for a player who has met nobody. AR-TB-3."""
    whole = totals(records, rule.of)
    return lambda player: [0 if other is None else whole[other] for other in _opponents(records[player])]


def schedule_average(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The sum of the opponents' totals, divided by the number of opponents met; an exact fraction."""
    whole = schedule_sum(records, group, rule)

    def shares(player: str) -> list[Value]:
        count = sum(other is not None for other in _opponents(records[player])) or 1
        return [Fraction(share) / count for share in whole(player)]

    return shares


def schedule_mean(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The sum of every opponent's total per round played, per round the player has played; exact fractions.

    A bye is a round played in both counts; the rounds of a dropped player stop at the drop. No rounds: 0; also of an
    opponent, whose games may not count in a season.
    Source: AR-TB-4, AR-AMB-4.
    """
    whole = totals(records, rule.of)

    def shares(player: str) -> list[Value]:
        rounds = records[player]
        return [
            0 if other is None else Fraction(whole[other], max(1, len(records[other])) * len(rounds))
            for other in _opponents(rounds)
        ]

    return shares


def schedule_mean_met(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The mean over the opponents met of each opponent's total per round played; exact fractions.

    A bye adds no round to the player's own count. It stays a round of an opponent who had it. Source: AR-AMB-4.
    """
    by_rounds = schedule_mean(records, group, rule)

    def shares(player: str) -> list[Value]:
        count = sum(other is not None for other in _opponents(records[player])) or 1
        return [share * Fraction(len(records[player]), count) for share in by_rounds(player)]

    return shares


def schedule_extended(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The schedules of the opponents added up: the sum of the opponents' opponents' totals."""
    theirs = schedule_sum(records, group, rule)
    whole = {player: sum(theirs(player)) for player in records}
    return lambda player: [0 if other is None else whole[other] for other in _opponents(records[player])]


def buchholz(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The sum of the opponents' totals without the `cut_lowest` lowest and the `cut_highest` highest of them.

    Cut 1: `cut_lowest: 1`; median: one of each. A round without an opponent counts as an opponent with 0, so it is
    cut first. Of equal ones the earlier round is cut.
    Source: FIDE Handbook C.07, articles 8.1 and 14 (cuts); without the virtual opponents of its article 16.
    """
    whole = schedule_sum(records, group, rule)

    def shares(player: str) -> list[Value]:
        found = list(whole(player))
        order = sorted(range(len(found)), key=lambda index: (found[index], index))
        cut = {*order[: rule.cut_lowest], *order[max(0, len(order) - rule.cut_highest) :]}
        return [0 if index in cut else value for index, value in enumerate(found)]

    return shares


def sonneborn_berger(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The totals of the opponents a player beat, and half the totals of those the player drew with.

    Source: FIDE Handbook C.07, article 9.1; a round without an opponent adds nothing.
    """
    whole = schedule_sum(records, group, rule)
    halves = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction()}
    return lambda player: [
        halves[played.outcome] * value for played, value in zip(records[player], whole(player), strict=True)
    ]


def koya(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The points of the value `of` against every opponent who has `limit` of what was possible, or more.

    Possible are `full` points for each round of whoever played most; a bye that brings nothing is no such round. An
    opponent has what all rounds brought, byes too. Forfeits count where the ruleset lets the two sides have met.
    Source: FIDE Handbook C.07, articles 9.2, 14.5 (limit) and 15.2 (forfeits among those who all meet).
    """
    whole = totals(records, rule.of)
    rounds = [
        sum(not played.bye or bool(played.values.get(rule.of)) for played in records[player]) for player in records
    ]
    enough = Fraction(rule.limit) * rule.full * max(rounds, default=0)
    return lambda player: [
        played.values.get(rule.of, 0) if played.opponent is not None and whole[played.opponent] >= enough else 0
        for played in records[player]
    ]


def match_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Points of the value `of`, divided by `full` (the most a round can bring) for every round played, byes too.

    Never less than `floor` in all.
    """
    return lambda player: _raised(
        [Fraction(played.values.get(rule.of, 0), rule.full * len(records[player])) for played in records[player]], rule
    )


def game_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Game points, divided by `full` for every game played inside the rounds.

    of: the value that counts the games won; the other side's says how many were lost. drawn: the value that counts
    drawn games, worth 1 each (empty: there are none). A bye's games count as the ruleset's bye says. Never less than
    `floor` in all.
    """

    def shares(player: str) -> list[Value]:
        possible = rule.full * sum(_games(played, rule) for played in records[player]) or 1
        return _raised([Fraction(_game_points(played, rule), possible) for played in records[player]], rule)

    return shares


def opponents_match_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The mean of the opponents' `match_win`, none below `floor`; byes have no opponent and are left out."""
    return _of_opponents(records, rule, match_win(records, group, rule))


def opponents_game_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The mean of the opponents' `game_win`, none below `floor`; byes have no opponent and are left out."""
    return _of_opponents(records, rule, game_win(records, group, rule))


def _of_opponents(records: Records, rule: Criterion, own: Shares) -> Shares:
    floor = Fraction(rule.floor)
    whole = {player: max(floor, Fraction(sum(own(player)))) for player in records}

    def shares(player: str) -> list[Value]:
        count = sum(played.opponent is not None for played in records[player])
        return [0 if played.opponent is None else Fraction(whole[played.opponent], count) for played in records[player]]

    return shares


def _raised(shares: list[Value], rule: Criterion) -> list[Value]:
    """The shares of a player who has less than `floor` in all, each raised by as much, so that they add up to it."""
    missing = Fraction(rule.floor) - sum(shares)
    return [share + Fraction(missing, len(shares)) for share in shares] if shares and missing > 0 else shares


def _games(played: Played, rule: Criterion) -> int:
    return played.values.get(rule.of, 0) + played.against.get(rule.of, 0) + played.values.get(rule.drawn, 0)


def _game_points(played: Played, rule: Criterion) -> int:
    return rule.full * played.values.get(rule.of, 0) + played.values.get(rule.drawn, 0)


def _opponents(rounds: Iterable[Played]) -> list[str | None]:
    return [played.opponent for played in rounds]


class Tiebreaker(Struct, frozen=True):
    """A row of the table.

    settings: of a criterion, those of its own that it uses. of_nothing: it is made of outcomes and of no value.
    of_possible: it measures by what was possible, and must be told how much. within_the_group: its value depends on
    who else is tied. reach: how far a round of a player moves it: 0 the player's own value, 1 those of the players met
    too, 2 also of those whom they have met; None: anybody's, so that it is made anew for everybody.
    """

    shares: MakeShares
    settings: frozenset[str] = frozenset()
    of_nothing: bool = False
    of_possible: bool = False
    within_the_group: bool = False
    reach: int | None = None


TIEBREAKERS: Mapping[str, Tiebreaker] = {
    "total": Tiebreaker(total, reach=0),
    "against": Tiebreaker(against, reach=0),
    "difference": Tiebreaker(difference, reach=0),
    "wins": Tiebreaker(wins, of_nothing=True, reach=0),
    "cumulative": Tiebreaker(cumulative, reach=0),
    "head_to_head": Tiebreaker(head_to_head, of_nothing=True, within_the_group=True, reach=0),
    "schedule_sum": Tiebreaker(schedule_sum, reach=1),
    "schedule_average": Tiebreaker(schedule_average, reach=1),
    "schedule_mean": Tiebreaker(schedule_mean, reach=1),
    "schedule_mean_met": Tiebreaker(schedule_mean_met, reach=1),
    "schedule_extended": Tiebreaker(schedule_extended, reach=2),
    "buchholz": Tiebreaker(buchholz, frozenset({"cut_lowest", "cut_highest"}), reach=1),
    "sonneborn_berger": Tiebreaker(sonneborn_berger, reach=1),
    "koya": Tiebreaker(koya, frozenset({"full", "limit"}), of_possible=True),
    "match_win": Tiebreaker(match_win, frozenset({"full", "floor"}), of_possible=True, reach=0),
    "opponents_match_win": Tiebreaker(opponents_match_win, frozenset({"full", "floor"}), of_possible=True, reach=1),
    "game_win": Tiebreaker(game_win, frozenset({"full", "drawn", "floor"}), of_possible=True, reach=0),
    "opponents_game_win": Tiebreaker(
        opponents_game_win, frozenset({"full", "drawn", "floor"}), of_possible=True, reach=1
    ),
}
"""The tiebreakers that a pack may name."""

OWN_SETTINGS: Mapping[str, object] = {
    field.name: field.default
    for field in fields(Criterion)
    if any(field.name in row.settings for row in TIEBREAKERS.values())
}
"""Settings of a criterion that only some pieces use -> their value where nobody sets them."""


def shares_of(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """What each round adds to the value of a criterion, for the players of a group; the value is their sum."""
    shares = TIEBREAKERS[rule.piece].shares(records, group, rule)
    if rule.divisor == 1:
        return shares
    return lambda player: [Fraction(share) / rule.divisor for share in shares(player)]


def criterion_values(records: Records, group: Collection[str], rule: Criterion) -> dict[str, Value]:
    """What a criterion is worth to each player of a group."""
    shares = shares_of(records, group, rule)
    return {player: sum(shares(player)) for player in group}


def updated_values(
    records: Records,
    players: Collection[str],
    rule: Criterion,
    moved: Collection[str],
    met: Callable[[str], Iterable[str]],
) -> dict[str, Value]:
    """What a criterion is worth now to those of `players` whose value rounds of the players `moved` may have moved.

    records: of everybody, as they are now. players: everybody who is ranked. met: everybody with whom a player has sat
    down to a game that counts. The tiebreaker is given the rounds of those whom it asks about, and of nobody else.
    """
    reach = TIEBREAKERS[rule.piece].reach
    if reach is None:
        return criterion_values(records, players, rule)
    wanted = _around(moved, met, reach)
    asked = _around(wanted, met, reach)
    some: Records = {player: records.get(player, []) if player in asked else [] for player in _around(asked, met, 1)}
    shares = shares_of(some, players, rule)
    return {player: sum(shares(player)) for player in wanted if player in players}


def _around(players: Iterable[str], met: Callable[[str], Iterable[str]], steps: int) -> set[str]:
    """The players, whom they have met, whom those have met, and so on."""
    found = edge = set(players)
    for _ in range(steps):
        edge = {other for player in edge for other in met(player)} - found
        found = found | edge
    return found


def tied_groups(
    players: list[str],
    criteria: Iterable[Criterion],
    values: Mapping[str, Mapping[str, Value]],
    records: Records,
    compared: Mapping[str, list[Value]] | None = None,
    note: Callable[[Criterion, list[str]], None] | None = None,
) -> list[list[str]]:
    """Groups of players whom no criterion separates, best first; inside a group by id.

    values: of every player, by column; those that depend on who else is tied are computed for each group instead.
    compared: receives the values by which each player was compared, one for each criterion until none is equal.
    note: called with each criterion and each group that it compares.
    """
    groups = [players] if players else []
    for rule in criteria:
        of_all = values.get(rule.column, {})
        groups = [part for group in groups for part in _split(group, rule, of_all, records, compared, note)]
    return groups


def shown_values(
    player: str, criteria: Iterable[Criterion], values: Mapping[str, Mapping[str, Value]], compared: Sequence[Value]
) -> dict[str, Value]:
    """Return the values of a player by column, without those of a tied group in which the player was not compared.

    compared: as from `tied_groups`, for the same criteria.
    """
    found: dict[str, Value] = {}
    for place, rule in enumerate(criteria):
        if not is_within_the_group(rule):
            found[rule.column] = values[rule.column][player]
        elif place < len(compared):
            found[rule.column] = compared[place]
    return found


def is_within_the_group(rule: Criterion) -> bool:
    """Return True if the value depends on who else is tied."""
    return rule.piece in TIEBREAKERS and TIEBREAKERS[rule.piece].within_the_group


def _split(
    group: list[str],
    rule: Criterion,
    of_all: Mapping[str, Value],
    records: Records,
    compared: Mapping[str, list[Value]] | None,
    note: Callable[[Criterion, list[str]], None] | None,
) -> Iterable[list[str]]:
    if len(group) == 1:
        return [group]
    if note is not None:
        note(rule, group)
    value = criterion_values(records, group, rule) if is_within_the_group(rule) else of_all
    if compared is not None:
        for player in group:
            compared[player].append(value[player])
    sign = 1 if rule.lowest_first else -1
    ordered = sorted(group, key=lambda player: (sign * value[player], player))
    return [list(part) for _, part in groupby(ordered, key=lambda player: value[player])]
