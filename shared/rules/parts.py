"""Parts of rulesets that several formats use, with words, staff roles, printed forms and hints about options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.refusals import Expected, Fault, expects
from shared.rules.model import Game

Setting = int | bool | str
"""Value that an option of the simple kinds puts into a ruleset."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a ruleset with its source. `clause` applies to every field that `clauses` does not name."""

    clause: str
    clauses: dict[str, str] = {}

    def cites(self, field: str) -> str:
        """Return the clause that a field (or rule) of this part comes from."""
        return self.clauses.get(field, self.clause)

    def citable(self) -> frozenset[str]:
        """Return the names that `clauses` may contain."""
        return frozenset(self.__struct_fields__)


class Document(Part, frozen=True):
    """The rules document. `date` is in ISO 8601."""

    name: str
    version: str
    date: str


class Tier(Part, frozen=True):
    """A level of play.

    - `rounds`: the rounds table or the organiser decides.
    - `list_due`: players need an accepted roster before their first game.
    - `list_due_for`: without it they are not paired (`pairing`), or are paired but may not begin (`start`).
    - `kept_apart`: players may ask not to meet each other in round 1.
    """

    id: str
    rounds: Literal["table", "organiser"]
    list_due: bool
    judge_may_play: bool
    kept_apart: bool = False
    list_due_for: Literal["pairing", "start"] = "pairing"


class Entry(Part, frozen=True):
    """Entry conditions: minimum number of players, and the points of late entries.

    `late` is `none` if no one may enter after round 1 is paired.
    """

    minimum_players: int
    late: Literal["none", "zero_points"]


class Stage(Part, frozen=True):
    """A pairing policy and the first round that uses it."""

    from_round: int
    policy: str


class PairingRules(Part, frozen=True):
    """The pairing policies, by stage."""

    stages: list[Stage]


class RoundsBand(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the rounds table: number of players (inclusive; the last row may be open), rounds, days, and cut."""

    least: int
    rounds: int
    most: int | None = None
    days: list[int] = []
    cut_to: int = 0
    cut_after: int = 0


class Rounds(Part, frozen=True):
    """The number of tournament rounds. `outside`: the rule for numbers of players that no row covers."""

    table: list[RoundsBand]
    outside: Literal["never", "organiser"]

    def citable(self) -> frozenset[str]:
        """Return the names that `clauses` may contain, including fields of the table's rows."""
        return frozenset((*self.__struct_fields__, *RoundsBand.__struct_fields__))


class Cut(Part, frozen=True):
    """The elimination stage. With bracket `none`, the final standings decide."""

    bracket: Literal["none", "seeded", "random", "reseed"]


class Tables(Part, frozen=True):
    """The assignment of tables.

    - `order`: the top pairing gets the lowest table, or a recorded draw decides.
    - `avoid_repeats`: players get a table that is new to them if one is free.
    """

    order: Literal["top_first", "random"]
    avoid_repeats: bool


class Spare(Part, frozen=True):
    """The rule for the spare player's opponent.

    - `mode`: `last_ranked`, or `first_drop` for the opponent that the first player to drop would have had.
    """

    mode: Literal["last_ranked", "first_drop"] = "last_ranked"


Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Legality(Part, frozen=True):
    """Legality of releases and due dates of rosters.

    - `delay_days`: days from a release until it is legal.
    - `list_due_days`: days from the due date of rosters to the first day of play.
    - `weekdays`: weekday on which each kind of release comes out.
    """

    delay_days: int
    list_due_days: int
    weekdays: dict[str, Weekday] = {}

    def lists_due(self, first_day: date) -> date:
        """Return the advised due date of rosters; they are locked later (FF-REG-2, FF-AMB-22)."""
        return first_day - timedelta(days=self.list_due_days)

    def released_by(self, first_day: date) -> date:
        """Return the latest release date that is legal on the first day of play (FF-ROS-14, FF-AMB-5)."""
        return first_day - timedelta(days=self.delay_days)


class Option(Part, frozen=True, kw_only=True):
    """An option that an organiser may set.

    - `kind`: `choice` puts in the value that `choices` has for the given word, `flag` true or false, `whole` the number
      (or the value that `choices` has for a word), `bands` a margin table, `rounds` a table of rounds and cuts,
      `points` a number for each given word, `words` some of the choices in an order.
    - `default`: a word, number or flag; None if the pack's own table or no value applies.
    - `sets`: JSON pointers into the ruleset.
    - `until`: deadline for setting it.
    - `needs`: options that must be set together with this one. `needs_above`: only if the number is greater than this.
    """

    key: str
    name: str
    kind: Literal["choice", "flag", "whole", "bands", "rounds", "points", "words"]
    default: Setting | None = None
    until: Literal["announcement", "round_1", "any"]
    sets: list[str]
    choices: dict[str, Setting] = {}
    least: int = 0
    most: int | None = None
    needs: list[str] = []
    needs_above: int = -1


DRAW = "draw"
"""A game without a winner, in files and on the wire; also the name of this word in the data of faults."""
LONGEST_WORD = 40
"""Maximum length of a ruleset's own word in a report, in characters."""


class Words(Part, frozen=True):
    """The ruleset's words for people. Names of members, columns and values do not change.

    - `draw`: a game without a winner. Reports may contain this word or `draw`, in any case.
    - `tied`: heading of the mark for players whom only a draw separates; empty for the default word
      (`Ruleset.effective_words`).
    - `game_round`: a part of a game.
    - `columns`: heading by value of the standings.
    """

    draw: str = "draw"
    tied: str = ""
    game_round: str = "game round"
    columns: dict[str, str] = {}

    def headings(self, names: Iterable[str]) -> dict[str, str]:
        """Return the heading of each column: the pack's word, or its name without underscores."""
        return {name: self.columns.get(name, name.replace("_", " ")) for name in names}

    def winner(self, word: str) -> str:
        """Return the winner in the form of files and the API: `draw` for a drawn game, otherwise `word` unchanged."""
        return DRAW if word.casefold() in (DRAW, self.draw.casefold()) else word

    def in_fault(self, fault: Fault) -> Fault:
        """Return a fault about the winner with the ruleset's word for `draw`, in the found and the expected value."""
        word = self.draw if fault.said == DRAW else fault.said
        if fault.data.get(DRAW) != DRAW:
            return replace(fault, said=word)
        return replace(fault, said=word, expected=replace(fault.expected, data={**fault.data, DRAW: self.draw}))


DEFAULT_WORDS = Words(tied="equal", clause="")
"""The words if a ruleset has none and ranks are shared."""


Role = Literal["organiser", "head_referee", "referee"]
Deciders = Literal["staff", "leading", "head_referee", "organiser"]
Question = Literal["rulings", "final", "disqualification", "reinstatement", "barring", "lists"]

ORGANISER: Role = "organiser"
JUDGES: tuple[Role, ...] = ("head_referee", "referee")
"""Roles that a tier may bar from playing."""

ROLES: MappingProxyType[Deciders, tuple[Role, ...]] = MappingProxyType(
    {
        "staff": ("organiser", "head_referee", "referee"),
        "leading": ("organiser", "head_referee"),
        "head_referee": ("head_referee",),
        "organiser": ("organiser",),
    }
)
"""Deciders in a pack -> the roles they stand for."""


class StaffRules(Part, frozen=True):
    """The roles that settle each question. An organiser stands in if no one is appointed to the role.

    - `rulings`: rule on disputed results and correct results.
    - `final`: give final rulings and decide appeals.
    - `changes`: `staff` if anyone who rules may replace a ruling, `author` if only the person who gave it may. In any
      case the head referee may on appeal, and an organiser may override it.
    - `disqualification`, `reinstatement`: disqualify a player, and revoke that.
    - `barring`: ban a disqualified player from later events.
    - `lists`: accept and reject rosters.
    - `own_games`: True if judges who play may rule on their own games.
    - `neutral_advised`: True if at least one judge should not play.
    - `titles`: titles of the roles in the document.
    """

    rulings: Deciders = "staff"
    final: Deciders = "leading"
    changes: Literal["staff", "author"] = "staff"
    disqualification: Deciders = "leading"
    reinstatement: Deciders = "organiser"
    barring: Deciders = "organiser"
    lists: Deciders = "staff"
    own_games: bool = True
    neutral_advised: bool = False
    titles: dict[Role, str] = {}


DEFAULT_STAFF_RULES = StaffRules(clause="")
"""The rules if a ruleset has none about its staff."""


class DecidingRoles(Struct, frozen=True):
    """The roles that settle a question, and the clause that says so."""

    question: Question
    roles: tuple[Role, ...]
    clause: str


def deciding_roles(rules: StaffRules | None, question: Question, appointed: Collection[str]) -> DecidingRoles:
    """Return the roles that settle a question, given the appointed roles.

    The organiser, who always exists, stands in if no one has such a role.
    Source: AR-STAFF-1, FF-STAFF-4, FF-AMB-29, DW-STAFF-1.
    """
    rules = rules or DEFAULT_STAFF_RULES
    roles = tuple(role for role in ROLES[getattr(rules, question)] if role == ORGANISER or role in appointed)
    return DecidingRoles(question, roles or (ORGANISER,), rules.cites(question))


def all_deciding_roles(rules: StaffRules | None, appointed: Collection[str]) -> list[DecidingRoles]:
    """Return the deciding roles of every question."""
    return [deciding_roles(rules, question, appointed) for question in get_args(Question)]


Line = TypeVar("Line")


class Form(Part, frozen=True):
    """A printed form.

    - `holds`: content of its lines, which also determines the subject of a sheet: the rounds of a player, the entries
      of a player's roster, the two sides of a game, the scenario table of a game, the pairings of a round at a venue,
      the standings after a round, or the players.
    - `filled_by`: who writes on it.
    - `heading`: words above the lines.
    - `columns`: words of a line. Words that Muster does not know are columns to fill in by hand.
    - `lines`: lines on a sheet; 0 for as many as needed.
    - `order`: direction in which lines are used.
    - `new_after_cut`: the elimination begins on a new sheet.
    - `running`: values of rounds are running totals.
    - `lists`: for a roster, the lists whose entries are its lines, in order.
    - `copies`, `copies_a_round`: number of copies, and of further copies for each planned round.
    - `titles`: printed titles of columns and headings, if they differ from the word.
    - `instructions`: instructions for the person who fills it in, one line each.
    """

    name: str
    filled_by: Literal["player", "staff"]
    heading: list[str]
    columns: list[str]
    holds: Literal["rounds", "roster", "sides", "builder", "pairings", "standings", "players"] = "rounds"
    lines: int = 0
    order: Literal["downwards", "upwards"] = "downwards"
    new_after_cut: bool = False
    running: bool = True
    lists: list[str] = []
    copies: int = 1
    copies_a_round: int = 0
    titles: dict[str, str] = {}
    instructions: list[str] = []

    @property
    def id(self) -> str:
        """The form's name in URLs."""
        return self.name.replace(" ", "-")


class Printed(NamedTuple):
    """The fixed texts of a form: printed title of each word, and lines of instructions."""

    titles: dict[str, str]
    instructions: list[str]


def titles_of(form: Form, words: Words | None) -> dict[str, str]:
    """Return the printed title of every word of a form: its own title, or the ruleset's word."""
    return (words or DEFAULT_WORDS).headings([*form.heading, *form.columns]) | form.titles


class ScoreLine(Struct, frozen=True):
    """A line of a score sheet. `opponent` is empty for a bye; `totals` has the values in order."""

    round: int
    opponent: str
    totals: tuple[int, ...]


def score_sheets(
    form: Form, player: str, games: Iterable[Game], values: Iterable[str], *, cut_after: int = 0
) -> list[list[ScoreLine]]:
    """Return a player's score sheets: `values` of each round, or running totals, `form.lines` rounds to a sheet.

    `cut_after`: last round before the elimination (0 for none). If the form says so, totals then restart on a new
    sheet.
    Source: DW-DOC-1, DW-DOC-2, DW-CUT-2.
    """
    names = list(values)
    stages: dict[int, list[ScoreLine]] = {}
    totals = [0] * len(names)
    own = [game for game in games if player in (game.player_1, game.player_2)]
    for game in sorted(own, key=lambda game: game.round):
        is_after_cut = int(form.new_after_cut and 0 < cut_after < game.round)
        if is_after_cut not in stages or not form.running:
            totals = [0] * len(names)
        first = game.player_1 == player
        earned = game.score.values_1 if first else game.score.values_2
        totals = [total + earned.get(name, 0) for total, name in zip(totals, names, strict=True)]
        line = ScoreLine(game.round, (game.player_2 if first else game.player_1) or "", tuple(totals))
        stages.setdefault(is_after_cut, []).append(line)
    return [sheet for lines in stages.values() for sheet in sheets_of(form, lines)]


def sheets_of(form: Form, lines: Sequence[Line]) -> list[list[Line]]:
    """Split lines into sheets, in order of use; one empty sheet if there are no lines (DW-AMB-24)."""
    size = form.lines or max(len(lines), 1)
    return [list(lines[start : start + size]) for start in range(0, len(lines), size)] or [[]]


class RoundsOption(msgspec.Struct, frozen=True):
    """An option that sets the number of rounds, and the clause that says so."""

    key: str
    rounds: int
    clause: str


class AnyRuleset(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a ruleset that all formats have.

    - `id`: stable; includes the version of the document.
    - `chosen`: the options that were set, already applied to the other parts.
    """

    id: str
    version: str
    name: str
    format: str
    document: Document
    tiers: list[Tier]
    entry: Entry
    staff: StaffRules | None = None
    forms: list[Form] = []
    options: list[Option] = []
    chosen: dict[str, Any] = {}

    @property
    def rounds_option(self) -> RoundsOption | None:
        """The option that sets the number of rounds; None if the announcement does."""
        return None

    @property
    def due_dates(self) -> Legality | None:
        """The rules on legality and due dates; None if the ruleset has none."""
        return None

    def printed(self, form: Form) -> Printed:
        """Return the fixed texts of every sheet of a form."""
        return Printed(titles_of(form, None), form.instructions)


# msgspec 0.22 crashes if several threads are the first to use a type. This is the first use, in one thread.
msgspec.json.Decoder(AnyRuleset)


def to_json(ruleset: msgspec.Struct) -> dict[str, Any]:
    """Return a ruleset as plain JSON values, without nulls.

    Defaults are included, so that a later default never changes the meaning of an old event.
    """
    values: dict[str, Any] = _without_nulls(msgspec.to_builtins(ruleset))
    return values


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(item) for item in value]
    return value


WHEN: Mapping[str, str] = {"announcement": ", set with the announcement", "round_1": ", set before round 1", "any": ""}


class Options(Protocol):
    """A ruleset of any format, reduced to its options."""

    @property
    def options(self) -> list[Option]: ...


class AllowingOption(NamedTuple):
    """An option value that would allow the refused action.

    - `until`: deadline for setting it.
    - `needs`: options that must be set together with it.
    """

    key: str
    value: str
    until: Literal["announcement", "round_1", "any"]
    needs: Sequence[str] = ()

    @property
    def text(self) -> str:
        """Text for a sentence: `the option late_entry=zero_points, set before round 1`."""
        needs = f" with {' and '.join(self.needs)}" if self.needs else ""
        return f"the option {self.key}={self.value}{needs}{WHEN[self.until]}"

    def or_else(self, expected: Expected) -> Expected:
        """Return an expectation with this option as the alternative."""
        option = expects("option", option=self.key, value=self.value)
        if self.needs:
            option = expects("option-with", option=self.key, value=self.value, needs=list(self.needs))
        match self.until:
            case "announcement":
                return expects("or-option-with-announcement", right=expected, option=option)
            case "round_1":
                return expects("or-option-before-round-1", right=expected, option=option)
        return expects("or-option", right=expected, option=option)

    def data(self) -> dict[str, Any]:
        """Return the option for the data of a problem."""
        needs = {"needs": list(self.needs)} if self.needs else {}
        return {"key": self.key, "value": self.value, "until": self.until, **needs}


def option_data(option: AllowingOption | None) -> dict[str, Any]:
    """Return members for the data of a problem: `option`, if there is one."""
    return {"option": option.data()} if option else {}


def allowing_option(
    ruleset: Options, pointer: str, accepts: Callable[[Setting], bool], number: int = 0
) -> AllowingOption | None:
    """Return the option that can put an accepted value at a place of the ruleset; None if there is none.

    - `pointer`: JSON pointer of the value that caused the refusal.
    - `accepts`: returns True if a value there would allow what was refused.
    - `number`: for an option that takes any number, the number that would.
    """
    for option in ruleset.options:
        if pointer in option.sets:
            word = next((word for word, value in _choices(option, number) if accepts(value)), None)
            if word is not None:
                needs_none = option.kind == "whole" and number <= option.needs_above
                return AllowingOption(option.key, word, option.until, () if needs_none else option.needs)
    return None


def or_option(
    expected: Expected, ruleset: Options, pointer: str, accepts: Callable[[Setting], bool], number: int = 0
) -> Expected:
    """Return an expectation, extended with the option that would allow what was refused, if there is one.

    `at most 400, or the option ap_limit=420, set with the announcement`. Parameters: see `allowing_option`.
    """
    option = allowing_option(ruleset, pointer, accepts, number)
    return option.or_else(expected) if option else expected


def or_own_scenarios(expected: Expected, ruleset: Options) -> Expected:
    """Return an expectation, extended with the option that gives every table its own scenario (FF-AMB-8)."""
    return or_option(expected, ruleset, "/result/scenario_per", lambda per: per == "table")


def _choices(option: Option, number: int) -> Iterable[tuple[str, Setting]]:
    """Return the values that an option may be set to, each with its written form."""
    if option.kind == "flag":
        return [("true", True), ("false", False)]
    if option.kind == "whole" and option.least <= number <= (number if option.most is None else option.most):
        return [*option.choices.items(), (str(number), number)]
    return option.choices.items() if option.kind in ("choice", "whole") else ()
