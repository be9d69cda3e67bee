"""Tiebreakers: records of games, the values computed from them, and the groups that stay tied.

Tiebreakers take records and the tied group as arguments and never compute standings. Each value is a sum of shares, one
for each round of the player, so explanations show exactly what is ranked.

| name                     | value                                                       | source                   |
|--------------------------|-------------------------------------------------------------|--------------------------|
| `total`                  | sum of a value over all rounds (points for)                 | AR-TB-1, DW-TB-1         |
| `against`                | sum of that value of the other sides (points against)       | general use              |
| `difference`             | `total` less `against` (margin)                             | general use              |
| `wins`                   | rounds won, byes included                                   | FF-TB-3                  |
| `cumulative`             | sum of the totals after each round                          | US Chess rule 34E3       |
| `head_to_head`           | wins against the others of the tied group                   | general use              |
| `schedule_sum`           | sum of the opponents' totals                                | AR-TB-3                  |
| `schedule_average`       | that, per opponent met                                      | general use              |
| `schedule_mean`          | mean over rounds of the opponents' own means                | AR-TB-4, AR-AMB-4        |
| `schedule_mean_met`      | the same over the opponents met: a bye is no round          | AR-AMB-4                 |
| `schedule_extended`      | sum of the opponents' `schedule_sum`                        | general use (SOSOS)      |
| `buchholz`               | `schedule_sum`, lowest and highest opponents cut            | FIDE C.07, 8.1           |
| `sonneborn_berger`       | totals of opponents beaten, half of those drawn with        | FIDE C.07, 9.1           |
| `koya`                   | points against opponents with `limit` of the possible       | FIDE C.07, 9.2, 14.5     |
| `match_win`              | share of the possible points                                | Magic MTR, appendix C    |
| `opponents_match_win`    | mean of the opponents' `match_win`, with a floor            | Magic MTR, appendix C    |
| `game_win`               | share of the possible game points                           | Magic MTR, appendix C    |
| `opponents_game_win`     | mean of the opponents' `game_win`, with a floor             | Magic MTR, appendix C    |
| recorded draw            | order of the tied group; made by `standings`                | AR-AMB-15                |

Percentages are exact fractions: 1/2, not 50. FIDE's virtual opponents are not implemented. A round without an opponent
adds 0 to all values computed from opponents.
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

    - `opponent`: None for a bye, a game that was not played, or a game against the spare player. None of these measures
      the strength of a player's opponents.
    - `values`, `against`: values of the player and of the other side.
    """

    round: int
    opponent: str | None
    outcome: Outcome
    values: Mapping[str, int]
    bye: bool
    against: Mapping[str, int] = {}


Records = Mapping[str, list[Played]]

Shares = Callable[[str], Sequence[Value]]
"""A player -> the share of each of their rounds, in order, in a value."""


def records_of(games: Iterable[Game], players: Iterable[str] = (), played: Collection[FactsKind] = PLAYED) -> Records:
    """Return the rounds of every player in `games`, in round order; an empty list for `players` without games.

    `played`: kinds of facts after which the two sides count as having met.
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
    """Return the sum of one value over all rounds, for every player."""
    return {player: sum(played.values.get(value, 0) for played in rounds) for player, rounds in records.items()}


class Criterion(Part, frozen=True):
    """A step of the ranking.

    - `column`: its name in standings.
    - `piece`: name of the tiebreaker.
    - `of`: the value it is computed from.
    - `lowest_first`: the lower value ranks first.
    - `divisor`: the value is divided by this before it is compared and shown (2 for points kept as halves).
    - `cut_lowest`, `cut_highest`: number of opponents left out.
    - `full`: maximum points of one round, or of one game of a match.
    - `drawn`: the value that counts drawn games.
    - `floor`: minimum of a percentage, of a player or an opponent, as a fraction (`1/3`).
    - `limit`: minimum share of the possible points for an opponent to count.
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
"""Returns the shares of each player of a group. Arguments: records of all players, the group, the criterion."""


def total(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the value `of` over all rounds: points for (AR-TB-1, DW-TB-1, FF-TB-1)."""
    return lambda player: [played.values.get(rule.of, 0) for played in records[player]]


def against(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the value `of` of the other sides: points against; nothing for a bye."""
    return lambda player: [played.against.get(rule.of, 0) for played in records[player]]


def difference(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the value `of` less that of the other sides: the margin, negative after a loss."""
    return lambda player: [played.values.get(rule.of, 0) - played.against.get(rule.of, 0) for played in records[player]]


def wins(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Count rounds won, including byes that are wins (FF-TB-3)."""
    return lambda player: [int(played.outcome == "win") for played in records[player]]


def cumulative(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the running totals after each round, so early points count more often (US Chess, rule 34E3)."""
    return lambda player: list(accumulate(played.values.get(rule.of, 0) for played in records[player]))


def head_to_head(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Count games won against the other players of the group."""
    return lambda player: [int(played.outcome == "win" and played.opponent in group) for played in records[player]]


def schedule_sum(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the totals of all opponents met; 0 for a player without opponents (AR-TB-3)."""
    whole = totals(records, rule.of)
    return lambda player: [0 if other is None else whole[other] for other in _opponents(records[player])]


def schedule_average(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Divide the sum of the opponents' totals by the number of opponents met; an exact fraction."""
    whole = schedule_sum(records, group, rule)

    def shares(player: str) -> list[Value]:
        count = sum(other is not None for other in _opponents(records[player])) or 1
        return [Fraction(share) / count for share in whole(player)]

    return shares


def schedule_mean(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Average, over the player's rounds, each opponent's total per round played; exact fractions.

    A bye is a round played in both counts. The rounds of a dropped player stop at the drop. Without rounds the value is
    0, also for an opponent, whose games may not count in a season.
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
    """Average, over the opponents met, each opponent's total per round played; exact fractions.

    A bye is no round of the player, but it is a round of an opponent who had it. Source: AR-AMB-4.
    """
    by_rounds = schedule_mean(records, group, rule)

    def shares(player: str) -> list[Value]:
        count = sum(other is not None for other in _opponents(records[player])) or 1
        return [share * Fraction(len(records[player]), count) for share in by_rounds(player)]

    return shares


def schedule_extended(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the schedules of the opponents: the totals of the opponents' opponents."""
    theirs = schedule_sum(records, group, rule)
    whole = {player: sum(theirs(player)) for player in records}
    return lambda player: [0 if other is None else whole[other] for other in _opponents(records[player])]


def buchholz(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the opponents' totals without the `cut_lowest` lowest and the `cut_highest` highest.

    Cut 1 is `cut_lowest: 1`; the median cuts one of each. A round without an opponent counts as an opponent with 0, so
    it is cut first. Of equal totals, the earlier round is cut.
    Source: FIDE Handbook C.07, articles 8.1 and 14 (cuts); without the virtual opponents of article 16.
    """
    whole = schedule_sum(records, group, rule)

    def shares(player: str) -> list[Value]:
        shares_of_rounds = list(whole(player))
        order = sorted(range(len(shares_of_rounds)), key=lambda index: (shares_of_rounds[index], index))
        cut = {*order[: rule.cut_lowest], *order[max(0, len(order) - rule.cut_highest) :]}
        return [0 if index in cut else value for index, value in enumerate(shares_of_rounds)]

    return shares


def sonneborn_berger(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the totals of the opponents beaten, and half the totals of those drawn with.

    Source: FIDE Handbook C.07, article 9.1. A round without an opponent adds nothing.
    """
    whole = schedule_sum(records, group, rule)
    halves = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction()}
    return lambda player: [
        halves[played.outcome] * value for played, value in zip(records[player], whole(player), strict=True)
    ]


def koya(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Sum the value `of` in games against opponents with at least `limit` of the possible points.

    The possible points are `full` for each round of the player with the most rounds. A bye without points is no such
    round. An opponent's points include byes. Forfeits count if the ruleset treats the two sides as having met.
    Source: FIDE Handbook C.07, articles 9.2, 14.5 (limit) and 15.2 (forfeits in a round robin).
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
    """Divide the value `of` by `full` (maximum of a round) for every round played, including byes; at least `floor`."""
    return lambda player: _raise_to_floor(
        [Fraction(played.values.get(rule.of, 0), rule.full * len(records[player])) for played in records[player]], rule
    )


def game_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Divide game points by `full` for every game played in the rounds; at least `floor`.

    `of` counts the games won; the other side's value counts those lost. `drawn` counts drawn games, worth 1 each (empty
    if there are none). The games of a bye are those that the ruleset awards.
    """

    def shares(player: str) -> list[Value]:
        possible = rule.full * sum(_games(played, rule) for played in records[player]) or 1
        return _raise_to_floor([Fraction(_game_points(played, rule), possible) for played in records[player]], rule)

    return shares


def opponents_match_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Average the opponents' `match_win`, none below `floor`. Byes are left out."""
    return _of_opponents(records, rule, match_win(records, group, rule))


def opponents_game_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Average the opponents' `game_win`, none below `floor`. Byes are left out."""
    return _of_opponents(records, rule, game_win(records, group, rule))


def _of_opponents(records: Records, rule: Criterion, own: Shares) -> Shares:
    floor = Fraction(rule.floor)
    whole = {player: max(floor, Fraction(sum(own(player)))) for player in records}

    def shares(player: str) -> list[Value]:
        count = sum(played.opponent is not None for played in records[player])
        return [0 if played.opponent is None else Fraction(whole[played.opponent], count) for played in records[player]]

    return shares


def _raise_to_floor(shares: list[Value], rule: Criterion) -> list[Value]:
    """Return a player's shares, raised equally if their sum is below `floor`, so that they add up to it."""
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

    - `settings`: the settings of a criterion that only some tiebreakers use, reduced to those it uses.
    - `of_nothing`: it is computed from outcomes only, not from a value.
    - `of_possible`: it measures the share of the possible points and needs `full`.
    - `within_the_group`: its value depends on the other players of the tied group.
    - `reach`: the players affected by a changed round: 0 only the player, 1 also opponents, 2 also the opponents'
      opponents; None for all, so it is computed again for everyone.
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
"""Settings of a criterion that only some pieces use -> their default."""


def shares_of(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Return the shares of a criterion for the players of a group. A player's value is their sum."""
    shares = TIEBREAKERS[rule.piece].shares(records, group, rule)
    if rule.divisor == 1:
        return shares
    return lambda player: [Fraction(share) / rule.divisor for share in shares(player)]


def criterion_values(records: Records, group: Collection[str], rule: Criterion) -> dict[str, Value]:
    """Return the value of a criterion for each player of a group."""
    shares = shares_of(records, group, rule)
    return {player: sum(shares(player)) for player in group}


def updated_values(
    records: Records,
    players: Collection[str],
    rule: Criterion,
    moved: Collection[str],
    met: Callable[[str], Iterable[str]],
) -> dict[str, Value]:
    """Return a criterion's new values for the players whose value may depend on changed rounds.

    - `records`: current records of everyone.
    - `players`: all ranked players.
    - `moved`: players whose rounds changed.
    - `met`: returns all players with whom a player has sat down to a game that counts.

    The tiebreaker gets the rounds of the players it reads, and of no one else.
    """
    reach = TIEBREAKERS[rule.piece].reach
    if reach is None:
        return criterion_values(records, players, rule)
    affected = _around(moved, met, reach)
    read = _around(affected, met, reach)
    needed: Records = {player: records.get(player, []) if player in read else [] for player in _around(read, met, 1)}
    shares = shares_of(needed, players, rule)
    return {player: sum(shares(player)) for player in affected if player in players}


def _around(players: Iterable[str], met: Callable[[str], Iterable[str]], steps: int) -> set[str]:
    """Return the players within a number of steps, from opponent to opponent."""
    reached = edge = set(players)
    for _ in range(steps):
        edge = {opponent for player in edge for opponent in met(player)} - reached
        reached = reached | edge
    return reached


def tied_groups(
    players: list[str],
    criteria: Iterable[Criterion],
    values: Mapping[str, Mapping[str, Value]],
    records: Records,
    compared: Mapping[str, list[Value]] | None = None,
    note: Callable[[Criterion, list[str]], None] | None = None,
) -> list[list[str]]:
    """Return the groups of players whom no criterion separates, best first, inside a group by id.

    - `values`: values of every player, by column. Values that depend on the tied group are computed for each group.
    - `compared`: receives each player's compared values, one for each criterion until the player is separated.
    - `note`: called with each criterion and each group that it compares.
    """
    groups = [players] if players else []
    for rule in criteria:
        of_all = values.get(rule.column, {})
        groups = [part for group in groups for part in _split(group, rule, of_all, records, compared, note)]
    return groups


def shown_values(
    player: str, criteria: Iterable[Criterion], values: Mapping[str, Mapping[str, Value]], compared: Sequence[Value]
) -> dict[str, Value]:
    """Return a player's values by column, without those of criteria that did not compare the player.

    `compared`: as from `tied_groups`, for the same criteria.
    """
    shown: dict[str, Value] = {}
    for place, rule in enumerate(criteria):
        if not is_within_the_group(rule):
            shown[rule.column] = values[rule.column][player]
        elif place < len(compared):
            shown[rule.column] = compared[place]
    return shown


def is_within_the_group(rule: Criterion) -> bool:
    """Return True if the value depends on the other players of the tied group."""
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
