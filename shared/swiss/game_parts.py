"""Parts of a ruleset about games (results, points, byes, absences, standings) and about the event (clock, advice)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from shared.refusals import Expected, Fault, expects
from shared.rules.model import End, FactsKind, GivenBye, Outcome
from shared.rules.parts import Part
from shared.rules.tiebreakers import Criterion


class EndRule(Part, frozen=True):
    """A way for a game to end.

    - `winner`: rule for the winner.
    - `margin`: the difference of the scores, or zero regardless of the scores.
    - `full`: side whose score contains the value of a whole fleet, because the other side lost it.
    """

    end: End
    winner: Literal["higher_score", "survivor", "second_player", "opponent"]
    margin: Literal["difference", "zero"] = "difference"
    full: Literal["nobody", "winner", "both"] = "nobody"


class Result(Part, frozen=True):
    """The result form.

    - `fields`: optional facts that it asks for, in addition to kind and points.
    - `scenario_per`: with `round`, all games of a round have the same scenario.
    - `pool`: names of the scenarios used at the event; None for all.
    """

    kinds: list[FactsKind]
    fields: list[str]
    ends: list[EndRule]
    unit: str
    scenario_per: Literal["round", "table"] = "round"
    pool: list[str] | None = None


class Band(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a margin table. Bounds are inclusive; the last row has no `most`."""

    least: int
    winner: int
    loser: int
    most: int | None = None


class MarginTable(Part, frozen=True, tag_field="scheme", tag="margin_table"):
    """Points by the margin of the scores.

    - `points`, `margin`: names of the two values.
    - `full_fleet`: score for a whole enemy fleet, and maximum for destroyed units.
    - `equal`: winner at equal scores.
    - `draws`: `even_rows` if rows that give both sides the same points are draws.
    - `objective_most`: highest known points from objectives. Higher scores are questioned as improbable; None for no
      limit.
    """

    points: str
    margin: str
    full_fleet: int
    equal: Literal["second_player"]
    draws: Literal["impossible", "even_rows"]
    bands: list[Band]
    objective_most: int | None = None


class Recorded(Part, frozen=True):
    """A whole number reported in `extra` as `<name>_1` and `<name>_2`.

    - `counted`: `for_each` if each side has its own number; `once` if the game has one (drawn games of a match),
      reported for either side or the same for both.
    - `most`: maximum of one number. `together`: maximum of both sides in sum; None for no limit.
    """

    name: str
    most: int
    together: int | None = None
    counted: Literal["for_each", "once"] = "for_each"


class LaterMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """The match from a tournament round on. For its fields see `Match`."""

    from_round: int
    best_of: int = 0
    most_games: int | None = None


class Match(Part, frozen=True):
    """The limits of a match if the score is the number of games won.

    - `best_of`: the match ends when a side has won more than half of this many games; 0 if all games are played.
    - `most_games`: maximum number of games, including drawn ones; None for no limit.
    - `drawn`: the recorded value that counts drawn games; empty if they are not reported.
    - `later`: different matches from some round on, by round.
    """

    best_of: int = 0
    most_games: int | None = None
    drawn: str = ""
    later: list[LaterMatch] = []

    def in_round(self, round: int) -> Match:
        """Return the match of a tournament round."""
        rows = [row for row in self.later if row.from_round <= round]
        return replace(self, best_of=rows[-1].best_of, most_games=rows[-1].most_games) if rows else self


class OutcomePoints(Part, frozen=True, tag_field="scheme", tag="outcome_points"):
    """Points for a win, a draw and a loss, and the score as a second value.

    - `decided_by`: the scores decide the outcome, or it is reported in addition to them.
    - `recorded`: further values.
    - `list_limit`: maximum points of a roster, if the score is the destroyed part of the other roster. No score is
      higher.
    - `match`: limits of a match, if the score is the number of games won.
    """

    points: str
    score: str
    win: int
    draw: int
    loss: int
    decided_by: Literal["points", "report"]
    recorded: list[Recorded] = field(default_factory=list)
    list_limit: int | None = None
    match: Match | None = None


class ReportedPoints(Part, frozen=True, tag_field="scheme", tag="as_reported"):
    """The points of a game as reported, in whole numbers.

    - `points`: name of the value.
    - `most`: maximum of one side, and points of the other side after a concession.
    - `together`: sum of both sides; None if it varies.
    """

    points: str
    most: int
    together: int | None = None


Points = MarginTable | OutcomePoints | ReportedPoints


class Order(Part, frozen=True):
    """The ranking: criteria in order, and the treatment of players whom none of them separates.

    - `reuse_draws`: players who were in one draw keep its order.
    - `by_hand`: staff may enter their own coin flip.
    """

    criteria: list[Criterion]
    unresolved: Literal["draw", "shared", "shared_below_first"]
    reuse_draws: bool = False
    by_hand: bool = False


class ByeWorth(Part, frozen=True):
    """The value of a given bye. `most`: maximum number of such byes for a player."""

    outcome: Outcome
    values: dict[str, int | Literal["half_list_limit"]]
    most: int | None = None


class Bye(Part, frozen=True):
    """The recipient of the bye after round 1, and its value.

    - `of`: values that decide before the draw, fewest first.
    - `avoid_repeat`: only players with the fewest byes are considered.
    - `may_move`: another of these gets it if that leaves fewer rematches.
    - `values`: values of the bye. `half_list_limit` is half of the maximum points of a roster, rounded down.
    - `half_of_most`: the value that is half of the maximum points of the scenario, rounded up; empty for none.
    - `one_a_round`: only the odd player out has a bye, so a second bye in a round is a mistake.
    - `awarded`, `requested`: values of byes awarded before the start, or requested by players; None if there are none.
    """

    policy: str
    of: list[str]
    outcome: Outcome
    values: dict[str, int | Literal["half_list_limit"]]
    avoid_repeat: bool
    may_move: bool
    half_of_most: str = ""
    scenario_most: int | None = None
    one_a_round: bool = False
    awarded: ByeWorth | None = None
    requested: ByeWorth | None = None

    def worth(self, given: GivenBye | None) -> Bye | ByeWorth | None:
        """Return the value of a bye, made by pairing or given; None if the ruleset has no such bye."""
        return {"awarded": self.awarded, "requested": self.requested}[given] if given else self


class RoundWorth(Part, frozen=True):
    """A tournament round that counts for more.

    - `times`: factor for the values in `of`.
    - `plus`: amount added to each value for every player who is present: who plays, wins by forfeit, or has a bye.
    """

    round: int
    of: list[str] = field(default_factory=list)
    times: int = 1
    plus: dict[str, int] = field(default_factory=dict)


class Concession(Part, frozen=True):
    """The result of a conceded game.

    - `award`: rule for the opponent's score. Each points scheme supports some (`registries.POINTS_SCHEMES`). `table` is
      the score so far; `table_lead` is at least 1 more than the conceder's; `most` is the maximum of one side.
    - `conceder`: values of the conceder, whatever the points scheme gives.
    """

    award: Literal["full_fleet", "half_list", "bye_score", "table", "table_lead", "most"]
    conceder: dict[str, int]
    scenario_most: int | None = None

    def citable(self) -> frozenset[str]:
        """Return the names that `clauses` may contain.

        In addition to the fields: `full`, the rule that the conceder's remaining units count as destroyed.
        """
        return frozenset((*self.__struct_fields__, "full"))


class Absence(Part, frozen=True):
    """A game that was not played because one side did not come or forfeited.

    - `award`: the opponent gets the values of a bye, the points of a concession, or a win with the reported score.
    - `absent`: values of the other side.
    - `drop_after`: number of absences that end the tournament for a player; 0 for no limit.
    - `half`: rounding of half of the absent side's roster, if that is the score.
    """

    award: Literal["bye", "concession", "reported"]
    absent: dict[str, int]
    drop_after: int = 0
    half: Literal["down", "up"] = "down"


class Disqualification(Part, frozen=True):
    """The effects of a disqualification.

    - `current_game`: result of the player's current game.
    - `listed`: the player is removed from the standings or listed last.
    - `opponents`: results against the player stay or are void.
    """

    current_game: Literal["concession", "forfeit"]
    listed: Literal["removed", "last"]
    opponents: Literal["keep_results", "void_games"]


class Drop(Part, frozen=True):
    """The treatment of players who left.

    - `listed`: True if a dropped player stays in the standings, marked.
    - `in_game`: effect of a drop during a game.
    - `games`: `count` if their games count in the standings, `struck_out` if they never do, `below_half` if they count
      only for players who played at least half of the games of a round robin.
    """

    listed: bool
    in_game: Literal["concession"]
    games: Literal["count", "below_half", "struck_out"] = "count"


class BoardFormula(Part, frozen=True):
    """The computation of points from board facts (see `board`).

    - `game_rounds`: number of game rounds. `scoring_rounds`: those after which claims score.
    - `tokens`: objective tokens in play, for each game round or (one number) for all.
    - `worth`: points for a token, a claim or a lead. `tie`, `zero_tie`: points of both sides for equal claims, and for
      none.
    - `fact`: the reported Rating. `per`: Rating for a point. `rating_most`: maximum Rating of a crew.
    - `interrupted_round`: treatment of a game round stopped by time.
    """

    formula: str
    game_rounds: int = 4
    scoring_rounds: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    worth: int = 0
    tie: int = 0
    zero_tie: int = 0
    fact: str = ""
    per: int = 10
    rating_most: int = 250
    interrupted_round: Literal["score", "skip"] = "score"

    def tokens_in(self, game_round: int) -> int:
        """Return the number of objective tokens in play in a game round, from 1."""
        return self.tokens[game_round - 1] if len(self.tokens) > 1 else self.tokens[0]


class Scenario(Part, frozen=True):
    """A scenario.

    - `focus`: the way of playing that it favours; empty if the document names none.
    - `aliases`: other names.
    - `most`, `sum_most`: maximum points of one side, and of both together.
    - `step`: points are multiples of this.
    - `board`: computation of the points from board facts, if it has one.
    """

    name: str
    focus: str = ""
    aliases: list[str] = field(default_factory=list)
    most: int | None = None
    sum_most: int | None = None
    step: int = 1
    board: BoardFormula | None = None


class Call(Part, frozen=True):
    """A time call, `minutes_before_end` of the round or at `percent` of it. `mandatory`: it cannot be skipped."""

    name: str
    minutes_before_end: int = 0
    percent: int | None = None
    mandatory: bool = False


class ChessClock(Part, frozen=True):
    """A chess clock at the table. It runs in a player's own turns and stops while points are counted.

    - `use`: `none`, `allowed` if both players agree, or `required`.
    - `minutes_each`: minutes of a player.
    - `set_up_minutes`: minutes of a round for setting up and clearing.
    - `at_zero`: rule for a player whose clock has run out.
    """

    minutes_each: int
    set_up_minutes: int
    use: Literal["none", "allowed", "required"] = "none"
    at_zero: Literal["referee_decides", "no_further_turn"] = "referee_decides"


class Slot(Part, frozen=True):
    """Time of the day outside rounds, such as a meal. `least`, `most`: minutes, if the document names them."""

    name: str
    least: int = 0
    most: int = 0


class Clock(Part, frozen=True):
    """Times.

    - `minutes`: length of a tournament round; with `per`, for each started `per` points of the roster limit.
    - `game_rounds`: maximum number of game rounds.
    - `at_time`: the part of the game that is finished when time is called.
    - `overtime_minutes`: maximum time for that; None for no hard stop.
    - `extra_minutes`: minutes that the organiser adds to every round.
    """

    minutes: int
    game_rounds: int
    at_time: Literal["finish_game_round", "finish_turn", "stop_now"]
    calls: list[Call]
    per: int = 0
    overtime_minutes: int | None = None
    break_minutes: int = 0
    extra_minutes: int = 0
    early_set_up: bool = False
    chess_clock: ChessClock | None = None
    slots: list[Slot] = []


class Recommendation(Part, frozen=True):
    """A recommendation for a number of the event.

    - `of`: the roster limit, the number of players, or the organiser's extra minutes.
    - `least`, `most`: inclusive bounds; `most` 0 for no bound.
    - `power_of`, `multiple_of`: recommended form of the number.
    - `lists_above`: applies only if the roster limit is greater than this.
    - `says`: the recommendation, for people.
    """

    of: Literal["list_limit", "players", "extra_minutes"]
    says: str
    least: int = 0
    most: int = 0
    multiple_of: int = 1
    power_of: int = 0
    lists_above: int = -1


def advice_on_event(
    rules: Iterable[Recommendation], *, list_limit: int, players: int, extra_minutes: int
) -> Iterator[Fault]:
    """Yield a fault for each number that differs from a recommendation. `players`: 0 if not known."""
    values = {"list_limit": list_limit, "players": players, "extra_minutes": extra_minutes}
    for index, rule in enumerate(rules):
        value = values[rule.of]
        if list_limit > rule.lists_above and (rule.of != "players" or players) and not _is_followed(rule, value):
            yield Fault(f"/advice/{index}", f"{value}", _recommended(rule), rule.clause)


def _is_followed(rule: Recommendation, value: int) -> bool:
    inside = rule.least <= value and (not rule.most or value <= rule.most)
    return inside and value % rule.multiple_of == 0 and (not rule.power_of or _is_power(value, rule.power_of))


def _is_power(value: int, base: int) -> bool:
    while value > 1 and base > 1 and value % base == 0:
        value //= base
    return value == 1


def _recommended(rule: Recommendation) -> Expected:
    match rule.of:
        case "list_limit":
            return expects("list-limit-as-recommended", says=rule.says)
        case "players":
            return expects("players-as-recommended", says=rule.says)
    return expects("extra-minutes-as-recommended", says=rule.says)
