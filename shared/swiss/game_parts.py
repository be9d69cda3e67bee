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
    """One way for a game to end.

    winner: who wins. margin: the difference of the scores, or zero whatever they are.
    full: whose score holds the value of a whole fleet, because the other side lost it.
    """

    end: End
    winner: Literal["higher_score", "survivor", "second_player", "opponent"]
    margin: Literal["difference", "zero"] = "difference"
    full: Literal["nobody", "winner", "both"] = "nobody"


class Result(Part, frozen=True):
    """The result form. fields: the optional facts it asks for, beside kind and points.

    scenario_per: whether all games of a round have one scenario, where there are scenarios. pool: the names of those
    that the event is played by; nothing: all of them.
    """

    kinds: list[FactsKind]
    fields: list[str]
    ends: list[EndRule]
    unit: str
    scenario_per: Literal["round", "table"] = "round"
    pool: list[str] | None = None


class Band(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a margin table; bounds inclusive, the last row has no `most`."""

    least: int
    winner: int
    loser: int
    most: int | None = None


class MarginTable(Part, frozen=True, tag_field="scheme", tag="margin_table"):
    """Points by the margin of the scores.

    points, margin: the names of the two values made. full_fleet: score for a whole enemy fleet, and the most that
    destroyed units are worth. equal: who wins on equal scores. draws: whether there are any: in `even_rows`,
    those that give both sides the same. objective_most: the most points that objectives bring in any game anybody has
    seen; a higher score is asked back. Nothing: none is.
    """

    points: str
    margin: str
    full_fleet: int
    equal: Literal["second_player"]
    draws: Literal["impossible", "even_rows"]
    bands: list[Band]
    objective_most: int | None = None


class Recorded(Part, frozen=True):
    """A whole number told in `extra` as `<name>_1` and `<name>_2`.

    counted: each side has a number of its own, or the game has one (drawn games of a match), which is told of either
    side or the same of both. most: of one number; together: of both sides in sum, nothing where that is open.
    """

    name: str
    most: int
    together: int | None = None
    counted: Literal["for_each", "once"] = "for_each"


class LaterMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match is from a tournament round on. The fields are those of `Match`."""

    from_round: int
    best_of: int = 0
    most_games: int | None = None


class Match(Part, frozen=True):
    """What a match can be, where the score is the games that each side won.

    best_of: the match is over once a side has won more than half of so many games; 0: all games are played.
    most_games: of the whole match, drawn ones too; nothing where that is open. drawn: the recorded value that counts
    drawn games; empty where none can be told. later: other matches from some round on, by round.
    """

    best_of: int = 0
    most_games: int | None = None
    drawn: str = ""
    later: list[LaterMatch] = []

    def in_round(self, round: int) -> Match:
        """Return the match of a tournament round."""
        found = [row for row in self.later if row.from_round <= round]
        return replace(self, best_of=found[-1].best_of, most_games=found[-1].most_games) if found else self


class OutcomePoints(Part, frozen=True, tag_field="scheme", tag="outcome_points"):
    """Points for a win, a draw and a loss, and the score itself as a second value.

    decided_by: the outcome follows from the scores, or is reported beside them. recorded: further values.
    list_limit: the most points of a list where the score is what was destroyed of the other's: no score is higher.
    match: what a match can be, where the score is games won.
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
    """The points of a game as they are reported, in whole numbers.

    points: the name of the value made. most: what one side can have, and what a concession is worth to the other.
    together: what both sides of a game have in sum; nothing where that is open.
    """

    points: str
    most: int
    together: int | None = None


Points = MarginTable | OutcomePoints | ReportedPoints


class Order(Part, frozen=True):
    """The ranking: criteria in order, and what separates players whom none of them does.

    reuse_draws: players who were in one draw already keep its order. by_hand: staff may enter a coin flip of theirs.
    """

    criteria: list[Criterion]
    unresolved: Literal["draw", "shared", "shared_below_first"]
    reuse_draws: bool = False
    by_hand: bool = False


class ByeWorth(Part, frozen=True):
    """What a bye of a kind is worth that does not come from the pairing. most: so many of them a player may have."""

    outcome: Outcome
    values: dict[str, int | Literal["half_list_limit"]]
    most: int | None = None


class Bye(Part, frozen=True):
    """Who gets the bye after round 1, and what it is worth. of: the values that decide before the draw, fewest first.

    avoid_repeat: only those with the fewest byes are considered. may_move: another of these gets it where that leaves
    fewer rematches.
    half_of_most: the value that is half of the most points of the scenario, rounded up; empty where none is.
    A value `half_list_limit` is half of the most points of a list, rounded down. one_a_round: only the odd one out
    has a bye, so that a second one of a round is a mistake. awarded, requested: what byes are worth that were given
    before the start, or that players asked for; nothing where there are none.
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
        """What a bye is worth: one of the pairing, or one that was given; nothing where the ruleset has none such."""
        return {"awarded": self.awarded, "requested": self.requested}[given] if given else self


class RoundWorth(Part, frozen=True):
    """A tournament round that counts for more. times: what the values in `of` are multiplied by.

    plus: value -> what is added for everybody who was there: who plays, wins by the other's absence, or has a bye.
    """

    round: int
    of: list[str] = field(default_factory=list)
    times: int = 1
    plus: dict[str, int] = field(default_factory=dict)


class Concession(Part, frozen=True):
    """award: how the opponent's score is found, of which each points scheme knows some (`registries.POINTS_SCHEMES`).

    `table` is the score reached by then; `table_lead` is that too, but 1 more than the conceder has at least; `most`
    is all that one side can have. conceder: values that hold whatever the points scheme says.
    """

    award: Literal["full_fleet", "half_list", "bye_score", "table", "table_lead", "most"]
    conceder: dict[str, int]
    scenario_most: int | None = None

    def citable(self) -> frozenset[str]:
        """The rule that what the conceder has left counts as destroyed, too."""
        return frozenset((*self.__struct_fields__, "full"))


class Absence(Part, frozen=True):
    """A game that was not played because one side did not come, or forfeits.

    award: the opponent gets the values of a bye, the points of a concession, or a win with the score reported.
    absent: the values of the other side. drop_after: so many absences end the tournament for a player (0: never).
    half: how half of the absent side's list is rounded, where that is the score.
    """

    award: Literal["bye", "concession", "reported"]
    absent: dict[str, int]
    drop_after: int = 0
    half: Literal["down", "up"] = "down"


class Disqualification(Part, frozen=True):
    """listed: whether the player stays in the standings. opponents: whether their results against the player stay."""

    current_game: Literal["concession", "forfeit"]
    listed: Literal["removed", "last"]
    opponents: Literal["keep_results", "void_games"]


class Drop(Part, frozen=True):
    """The treatment of players who left.

    listed: whether a dropped player stays in the standings, marked. in_game: what a drop during a game counts as.
    games: whether their games count in the standings; `below_half` strikes them out for a player who has played less
    than half of the games of a round robin, `struck_out` always.
    """

    listed: bool
    in_game: Literal["concession"]
    games: Literal["count", "below_half", "struck_out"] = "count"


class BoardFormula(Part, frozen=True):
    """How points come from what lies on the board (see `board`).

    game_rounds: of a whole game; scoring_rounds: after which claims score. tokens: objective tokens in play, in each
    game round or (one number) in all. worth: points for a token, a claim or a lead; tie, zero_tie: points of both on
    equal claims, and where nobody claims any. fact: the Rating that is told; per: Rating for a point; rating_most: of
    a crew. interrupted_round: whether the game round that time stopped scores.
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
        """Objective tokens in play in a game round, counted from 1."""
        return self.tokens[game_round - 1] if len(self.tokens) > 1 else self.tokens[0]


class Scenario(Part, frozen=True):
    """A scenario: its name, other names it goes by, the most points one side and both can score, and their step.

    board: how the points come from what lies on the board, where that can be told. focus: the way of playing that it
    favours, in a word; empty where the document says none.
    """

    name: str
    focus: str = ""
    aliases: list[str] = field(default_factory=list)
    most: int | None = None
    sum_most: int | None = None
    step: int = 1
    board: BoardFormula | None = None


class Call(Part, frozen=True):
    """A time call, `minutes_before_end` of the round, or at `percent` of it. mandatory: no later one goes before it."""

    name: str
    minutes_before_end: int = 0
    percent: int | None = None
    mandatory: bool = False


class ChessClock(Part, frozen=True):
    """A clock on the table that runs in a player's own turns, and stands while points are counted.

    use: whether there are any; where they are only allowed, both players have to agree. minutes_each: of a player;
    set_up_minutes: of a round, for setting up and clearing. at_zero: what a player may do whose clock has run out.
    """

    minutes_each: int
    set_up_minutes: int
    use: Literal["none", "allowed", "required"] = "none"
    at_zero: Literal["referee_decides", "no_further_turn"] = "referee_decides"


class Slot(Part, frozen=True):
    """Time of the day that is no round, such as a meal. least, most: minutes, where the document has them."""

    name: str
    least: int = 0
    most: int = 0


class Clock(Part, frozen=True):
    """Times. minutes: a tournament round; per: for each begun `per` points of the list limit (0: flat).

    game_rounds: the most a game has. at_time: what is still finished when time is called. overtime_minutes: how
    long that may take (none: no hard stop). extra_minutes: what the organiser adds to every round.
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
    """A number of the event that had better be within bounds.

    of: the most points of a list, the players of the event, or the minutes that the organiser adds to a round.
    least, most: inclusive; most 0: no bound. power_of, multiple_of: what the number had better be. lists_above: only
    where lists may have more points than this. says: what to expect, for a person.
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
    """What is otherwise than recommended, each with its clause. players: 0 while they are not known."""
    values = {"list_limit": list_limit, "players": players, "extra_minutes": extra_minutes}
    for index, rule in enumerate(rules):
        value = values[rule.of]
        if list_limit > rule.lists_above and (rule.of != "players" or players) and not _kept(rule, value):
            yield Fault(f"/advice/{index}", f"{value}", _recommended(rule), rule.clause)


def _kept(rule: Recommendation, value: int) -> bool:
    inside = rule.least <= value and (not rule.most or value <= rule.most)
    return inside and value % rule.multiple_of == 0 and (not rule.power_of or _is_power(value, rule.power_of))


def _is_power(value: int, base: int) -> bool:
    while value > 1 and base > 1 and value % base == 0:
        value //= base
    return value == 1


def _recommended(rule: Recommendation) -> Expected:
    """Return the expectation of a number as the document recommends it, in the words of the pack."""
    match rule.of:
        case "list_limit":
            return expects("list-limit-as-recommended", says=rule.says)
        case "players":
            return expects("players-as-recommended", says=rule.says)
    return expects("extra-minutes-as-recommended", says=rule.says)
