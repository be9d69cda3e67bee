"""Values of the rules: entrants, pairings, facts, scores, games, draws; and the refusals of the rules.

Values are frozen, plain JSON, and exact: integers stay integers and fractions become decimal strings. There are no
binary floats. Each refusal contains every fault.

Every random order and every die follows from the answer to a question, a value of 256 bits. The answer is computed from
a secret that was committed to beforehand (`shared.tournament.draws`). The rest of the computation is public, so anyone
with the log can repeat a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any, Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from shared.refusals import Refusal

Value = int | Fraction
"""A value in the standings: an integer, or an exact fraction (mean schedules). Never a float."""

Side = Literal[1, 2]
Winner = Literal[1, 2, "draw"]
Outcome = Literal["win", "draw", "loss"]
Status = Literal["active", "dropped", "disqualified"]
PairingKind = Literal["game", "bye", "spare"]
FactsKind = Literal["game", "bye", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"]
GivenBye = Literal["awarded", "requested"]
"""A bye that pairing did not make: awarded before the start, or requested by the player."""

GIVEN: Mapping[str, GivenBye] = {"awarded": "awarded", "requested": "requested"}
"""Given byes by their name in requests and files."""

KINDS: Mapping[str, GivenBye] = {f"{name}_bye": given for name, given in GIVEN.items()}
"""Given byes by their name among the kinds of pairings."""

PLAYED: frozenset[FactsKind] = frozenset({"game", "spare"})
"""Kinds of facts of games in which two players met at the table."""

NOBODY_WON: frozenset[FactsKind] = frozenset({"double_no_show", "double_forfeit"})
"""Kinds of facts in which both sides lose."""

End = Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"]
PLACES = 6
"""Decimal places of a fraction in JSON."""


class Entrant(Struct, frozen=True, omit_defaults=True):
    """A player who entered the tournament.

    - `player`: id used in all other values and in draws.
    - `dropped_after`: last round played, for status `dropped`.
    - `joined_round`: first round the player may be paired in; 2 or more for a late entry.
    """

    player: str
    name: str = ""
    status: Status = "active"
    dropped_after: int | None = None
    faction: str = ""
    venue: str = ""
    club: str = ""
    joined_round: int = 1

    def plays(self, round: int) -> bool:
        """Return True if this entrant is to be paired in a round."""
        if self.status == "dropped":
            return self.joined_round <= round <= (self.dropped_after or 0)
        return self.status == "active" and self.joined_round <= round


class Pairing(Struct, frozen=True, omit_defaults=True):
    """A pairing and its reason. A bye has no `player_2`; in a `spare` pairing, `player_2` is the spare player.

    - `bye`: how the bye was obtained, if pairing did not make it.
    - `sides`: for a game of three or more groups, all sides with their groups; empty for a game of two. `player_1` and
      `player_2` are then the first of the first two sides.
    """

    kind: PairingKind
    player_1: str
    player_2: str | None = None
    reason: str = ""
    rematch: bool = False
    bye: GivenBye | None = None
    sides: tuple[tuple[str, ...], ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1,) if self.player_2 is None else (self.player_1, self.player_2)


class Facts(Struct, frozen=True, omit_defaults=True, gc=False):
    """The reported facts of a game. The result form of the ruleset defines which are used.

    - `points_*`: score in the game's own unit (fleet points, scenario points, break points), whole.
    - `destroyed_*`, `objective_*`: the two parts of the score, if the ruleset has them.
    - `second_player`: the side without the initiative.
    - `conceded_by`: the side that conceded, forfeited or did not come.
    - `board`: the state of the table at the end, if the ruleset can compute the score from it.
    - `bye`: how a bye was obtained, if pairing did not make it.
    """

    kind: FactsKind = "game"
    points_1: int | None = None
    points_2: int | None = None
    winner: Winner | None = None
    end: End | None = None
    second_player: Side | None = None
    conceded_by: Side | None = None
    destroyed_1: int | None = None
    destroyed_2: int | None = None
    objective_1: int | None = None
    objective_2: int | None = None
    scenario: str = ""
    extra: dict[str, int] = {}
    board: dict[str, Any] = {}
    bye: GivenBye | None = None


class Score(Struct, frozen=True, omit_defaults=True, gc=False):
    """The score of a game under a ruleset: outcome and named integer values of each side.

    The second side of a bye has neither.
    """

    outcome_1: Outcome
    outcome_2: Outcome | None = None
    values_1: dict[str, int] = {}
    values_2: dict[str, int] = {}


class Game(Struct, frozen=True, omit_defaults=True, gc=False):
    """A pairing with its facts and score. `kind` is the kind of the pairing, `facts.kind` the way the game went."""

    round: int
    table: int | None
    kind: PairingKind
    player_1: str
    player_2: str | None
    facts: Facts
    score: Score


class Draw(Struct, frozen=True):
    """A recorded draw: `draw_order` put `group` (sorted by id) into `order` with these inputs."""

    purpose: str
    round: int
    seed: str
    group: tuple[str, ...]
    order: tuple[str, ...]


def as_json(value: Value | None) -> int | str:
    """Return an integer, the decimal string of a fraction, or an empty text for no value.

    Fractions are rounded half to even at PLACES decimals, without trailing zeros. Ranking compares the exact fractions,
    and explanations show them.
    """
    if value is None:
        return ""
    if value.denominator == 1:
        return value.numerator
    scaled = round(value * 10**PLACES)
    sign, digits = "-" if scaled < 0 else "", str(abs(scaled)).rjust(PLACES + 1, "0")
    whole, decimals = digits[:-PLACES], digits[-PLACES:].rstrip("0")
    return f"{sign}{whole}.{decimals}" if decimals else sign + whole


def exact_text(value: Value) -> str:
    """Return the value without rounding: `7`, `44/9`."""
    return str(value)


def as_text(value: Value) -> int | str:
    """Return a value without floats: an integer, or `"p/q"`."""
    return int(value) if Fraction(value).denominator == 1 else f"{Fraction(value)}"


def as_value(text: int | str) -> Value:
    """Return the value that `as_text` wrote."""
    return text if isinstance(text, int) else Fraction(text)


class PackRefused(Refusal):
    """A pack, or a ruleset inside an event, is not a valid ruleset."""

    code = "ruleset-refused"


class UnknownRuleset(Refusal):
    """No shipped pack has this id."""

    code = "unknown-ruleset"


class OptionsRefused(Refusal):
    """The ruleset has no such option, or the option does not accept the value."""

    code = "ruleset-option-refused"


class ImpossibleResult(Refusal):
    """The facts are impossible under the ruleset, or incomplete."""

    code = "impossible-result"


class ImprobableResult(Refusal):
    """The facts are possible but probably mistyped. The reporter has to confirm them."""

    code = "improbable-result"


class TooFewPlayers(Refusal):
    """There are fewer players to pair than a round needs."""

    code = "too-few-players"


class BracketDecided(Refusal):
    """Only one player is left in the elimination stage, so there is nothing to pair."""

    code = "bracket-decided"


class RoundIncomplete(Refusal):
    """A game of the bracket has no result, so the player who advances is unknown."""

    code = "round-incomplete"


class RoundsNotFixed(Refusal):
    """The ruleset has no number of rounds for this many players."""

    code = "rounds-not-fixed"


class NotEnoughTables(Refusal):
    """There are more games than tables."""

    code = "not-enough-tables"


class ClausesRefused(Refusal):
    """A file is not a valid list of clauses."""

    code = "clauses-refused"


class DataRefused(Refusal):
    """The operator's data about a game is inconsistent or incomplete."""

    code = "operator-data-refused"


class Draws(Protocol):
    """A source of answers for a decision. The same question always has the same answer."""

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question as 64 hex digits.

        `about`: inputs of the draw (such as player ids), if staff can preview its outcome before it is recorded.
        """
        ...


def draw_lots(draws: Draws, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Return players in the order of their lots.

    The question is `lot: <purpose>, <round>`. Each player's lot is independent, so removing players keeps the order of
    the others.
    """
    return draw_order(draws.answer(f"lot: {purpose}, {round}"), purpose, round, players)


def draw_order(seed: str, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Return players in a random order that depends only on the arguments, not on their given order.

    The order is ascending by the hexadecimal SHA-256 of the UTF-8 text `seed|purpose|round|player`.
    Source: the method in the ambiguities of each ruleset (AR-AMB, DW-AMB, FF-AMB-3).
    """

    return list(draw_function(seed, purpose, round)(players).order)


def draw_function(seed: str, purpose: str, round: int) -> Callable[[Iterable[str]], Draw]:
    """Return a function that draws groups of players. It computes the digest of each player once."""
    digests: dict[str, tuple[str, str]] = {}

    def digest(player: str) -> tuple[str, str]:
        if player not in digests:
            digests[player] = sha256(f"{seed}|{purpose}|{round}|{player}".encode()).hexdigest(), player
        return digests[player]

    def draw(players: Iterable[str]) -> Draw:
        group = tuple(sorted(players))
        return Draw(purpose, round, seed, group, tuple(sorted(group, key=digest)))

    return draw


def make_draw(seed: str, purpose: str, round: int, players: Iterable[str]) -> Draw:
    """Return the draw of a group as it is recorded, with its inputs."""
    return draw_function(seed, purpose, round)(players)


class RecordedDraws:
    """Draws in force, found by their players. The first one that contains them counts."""

    def __init__(self, draws: Iterable[Draw], purpose: str) -> None:
        self._draws = [draw for draw in draws if draw.purpose == purpose]
        self._groups = [frozenset(draw.group) for draw in self._draws]
        self._of: dict[str, list[int]] = {}
        for index, draw in enumerate(self._draws):
            for player in draw.group:
                self._of.setdefault(player, []).append(index)

    def of(self, players: Collection[str]) -> Draw | None:
        """Return the first draw that contains all the players, reduced to them; None if there is none.

        A reduced draw is still the draw of its seed and round. Source: FF-AMB-20, FF-AMB-3.
        """
        group = frozenset(players)
        for index in self._of.get(min(group), ()):
            if group <= self._groups[index]:
                draw = self._draws[index]
                order = tuple(player for player in draw.order if player in group)
                return replace(draw, group=tuple(sorted(group)), order=order)
        return None
