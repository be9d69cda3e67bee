"""The values of the rules: entrants, pairings, facts, scores, games, draws; and the refusals of the rules.

Values are frozen, plain JSON, and exact: whole numbers stay numbers, fractions become decimal strings. No binary floats
anywhere. Each refusal carries every fault.

Every random order and every die of Muster follows from the answer to a question, a value of 256 bits. The answer is
computed from a secret that was committed to before anybody could influence what it decides (`shared.tournament.draws`).
What follows from it is public, so anybody who holds the log repeats the draw.
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
"""A value in the standings: whole, or an exact fraction (mean schedules). Never a float."""

Side = Literal[1, 2]
Winner = Literal[1, 2, "draw"]
Outcome = Literal["win", "draw", "loss"]
Status = Literal["active", "dropped", "disqualified"]
PairingKind = Literal["game", "bye", "spare"]
FactsKind = Literal["game", "bye", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"]
GivenBye = Literal["awarded", "requested"]
"""A bye that does not come from the pairing: won before the start, or asked for by the player."""

GIVEN: Mapping[str, GivenBye] = {"awarded": "awarded", "requested": "requested"}
"""The kinds of such byes, by the word that a request or a file has for them."""

KINDS: Mapping[str, GivenBye] = {f"{name}_bye": given for name, given in GIVEN.items()}
"""The same as kinds of a pairing."""

PLAYED: frozenset[FactsKind] = frozenset({"game", "spare"})
"""The kinds of facts in which two players sat down with each other."""

NOBODY_WON: frozenset[FactsKind] = frozenset({"double_no_show", "double_forfeit"})
"""The kinds of facts after which both sides have lost."""

End = Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"]
PLACES = 6


class Entrant(Struct, frozen=True, omit_defaults=True):
    """Somebody who entered the tournament.

    player: the id used in every other value and in draws. dropped_after: the last round played, with `dropped`.
    joined_round: the first round this player may be paired in (a late entry has 2 or more).
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
        """Whether this entrant is to be paired in tournament round `round`."""
        if self.status == "dropped":
            return self.joined_round <= round <= (self.dropped_after or 0)
        return self.status == "active" and self.joined_round <= round


class Pairing(Struct, frozen=True, omit_defaults=True):
    """Who meets whom, and why. A bye has no player_2; in a `spare` pairing player_2 is the spare player.

    bye: how a bye was come by that is none of the pairing. sides: of a game of three or more groups, every side with
    its groups, player_1 and player_2 being the first of the first two; empty for a game of two.
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
    """What was reported of a game; which of it a ruleset asks for stands in its result form.

    points_*: the score in the game's own unit (fleet points, scenario points, break points), whole.
    destroyed_*, objective_*: the two parts that add up to the score, where a ruleset has them.
    second_player: the side without the initiative. conceded_by: the side that conceded, forfeits or did not come.
    board: what stood on the table at the end, where the ruleset can make the score of it.
    bye: how a bye was come by that is none of the pairing.
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
    """What a ruleset makes of the facts: an outcome and named whole values for each side.

    The second side of a bye has neither.
    """

    outcome_1: Outcome
    outcome_2: Outcome | None = None
    values_1: dict[str, int] = {}
    values_2: dict[str, int] = {}


class Game(Struct, frozen=True, omit_defaults=True, gc=False):
    """A pairing with its facts and score. kind says who sat down; facts.kind says how it went."""

    round: int
    table: int | None
    kind: PairingKind
    player_1: str
    player_2: str | None
    facts: Facts
    score: Score


class Draw(Struct, frozen=True):
    """A recorded draw: `group` (sorted by id) was put into `order` by `draw_order` with these inputs."""

    purpose: str
    round: int
    seed: str
    group: tuple[str, ...]
    order: tuple[str, ...]


def as_json(value: Value | None) -> int | str:
    """A whole number, or the decimal string of a fraction; an empty text where there is no value.

    Fractions that do not end within PLACES decimals are rounded half to even there; zeros at the end are left out.
    The exact fraction is what is compared when players are ranked, and what an explanation shows.
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
    """The value without rounding: `7`, `44/9`."""
    return str(value)


def as_text(value: Value) -> int | str:
    """A value without floats: whole, or "p/q"."""
    return int(value) if Fraction(value).denominator == 1 else f"{Fraction(value)}"


def as_value(text: int | str) -> Value:
    """The value that `as_text` wrote."""
    return text if isinstance(text, int) else Fraction(text)


class PackRefused(Refusal):
    """A pack, or a ruleset inside an event, is not one that Muster can play by."""

    code = "ruleset-refused"


class UnknownRuleset(Refusal):
    """No shipped pack has this id."""

    code = "unknown-ruleset"


class OptionsRefused(Refusal):
    """An option that the ruleset does not have, or a value that it does not take."""

    code = "ruleset-option-refused"


class ImpossibleResult(Refusal):
    """Facts that cannot have happened under the ruleset, or that leave out what it needs."""

    code = "impossible-result"


class ImprobableResult(Refusal):
    """Facts that may have happened under the ruleset, and more likely were mistyped: whoever tells them says so."""

    code = "improbable-result"


class TooFewPlayers(Refusal):
    """Fewer players to pair than a round needs."""

    code = "too-few-players"


class BracketDecided(Refusal):
    """One player of the elimination stage is left, so that there is nothing to pair."""

    code = "bracket-decided"


class RoundIncomplete(Refusal):
    """A game of the bracket has no result, so that it is not known who goes on."""

    code = "round-incomplete"


class RoundsNotFixed(Refusal):
    """The ruleset has no number of rounds for this many players."""

    code = "rounds-not-fixed"


class NotEnoughTables(Refusal):
    """More games than tables."""

    code = "not-enough-tables"


class ClausesRefused(Refusal):
    """A list of clauses that is not one."""

    code = "clauses-refused"


class DataRefused(Refusal):
    """What an operator entered about a game does not hold together, or is not enough for what is asked."""

    code = "operator-data-refused"


class Draws(Protocol):
    """What a decision asks its questions of. The same question has the same answer."""

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question, as 64 hex digits.

        about: who and what the answer is applied to, if staff may see what it would make before it is recorded.
        """
        ...


def draw_lots(draws: Draws, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Put players into the order of their lots.

    The question is `lot: purpose, round`; each player has a lot by itself, so a smaller group keeps its order.
    """
    return draw_order(draws.answer(f"lot: {purpose}, {round}"), purpose, round, players)


def draw_order(seed: str, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Put players into a random order that depends on nothing but the arguments.

    Players are ordered by ascending hexadecimal SHA-256 of the UTF-8 text `seed|purpose|round|player`; the order
    in which they are given does not matter.
    Source: the method stated with the ambiguities of each ruleset (AR-AMB, DW-AMB, FF-AMB-3).
    """

    return list(draw_function(seed, purpose, round)(players).order)


def draw_function(seed: str, purpose: str, round: int) -> Callable[[Iterable[str]], Draw]:
    """The draws of one seed, purpose and round, group by group: the digest of a player is made once for all of them."""
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
    """The same draw as the value that is recorded: with its inputs, and the group it was made for."""
    return draw_function(seed, purpose, round)(players)


class RecordedDraws:
    """Draws that stand, found by who was in them; of several the first."""

    def __init__(self, draws: Iterable[Draw], purpose: str) -> None:
        self._draws = [draw for draw in draws if draw.purpose == purpose]
        self._groups = [frozenset(draw.group) for draw in self._draws]
        self._of: dict[str, list[int]] = {}
        for index, draw in enumerate(self._draws):
            for player in draw.group:
                self._of.setdefault(player, []).append(index)

    def of(self, players: Collection[str]) -> Draw | None:
        """The first draw in which all the players were, cut down to them; None where there is none.

        Cut down it is still the draw of its own seed and round. Source: FF-AMB-20, FF-AMB-3.
        """
        group = frozenset(players)
        for index in self._of.get(min(group), ()):
            if group <= self._groups[index]:
                draw = self._draws[index]
                order = tuple(player for player in draw.order if player in group)
                return replace(draw, group=tuple(sorted(group)), order=order)
        return None
