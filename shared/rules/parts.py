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
"""What an option of the simple kinds puts into a ruleset."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part with its source: `clause` holds for every field that `clauses` does not name."""

    clause: str
    clauses: dict[str, str] = {}

    def cites(self, field: str) -> str:
        """The clause that the field (or rule) of this part comes from."""
        return self.clauses.get(field, self.clause)

    def citable(self) -> frozenset[str]:
        """The names that `clauses` may speak of."""
        return frozenset(self.__struct_fields__)


class Document(Part, frozen=True):
    """The rules document. date: ISO 8601."""

    name: str
    version: str
    date: str


class Tier(Part, frozen=True):
    """A level of play. rounds: by the table, or set by the organiser. list_due: no first game without a list.

    list_due_for: who has none is not paired, or is paired and does not begin. kept_apart: players may ask not to meet
    each other in round 1.
    """

    id: str
    rounds: Literal["table", "organiser"]
    list_due: bool
    judge_may_play: bool
    kept_apart: bool = False
    list_due_for: Literal["pairing", "start"] = "pairing"


class Entry(Part, frozen=True):
    """Who may enter: fewest players, and what a late entry gets (`none`: nobody enters once round 1 is paired)."""

    minimum_players: int
    late: Literal["none", "zero_points"]


class Stage(Part, frozen=True):
    """The pairing policy from tournament round `from_round` on."""

    from_round: int
    policy: str


class PairingRules(Part, frozen=True):
    """Who meets whom."""

    stages: list[Stage]


class RoundsBand(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the rounds table: players (inclusive, the last may be open), rounds, days, cut size and cut round."""

    least: int
    rounds: int
    most: int | None = None
    days: list[int] = []
    cut_to: int = 0
    cut_after: int = 0


class Rounds(Part, frozen=True):
    """The number of tournament rounds. outside: what holds for player counts that no row has."""

    table: list[RoundsBand]
    outside: Literal["never", "organiser"]

    def citable(self) -> frozenset[str]:
        """The fields of the table's rows, too."""
        return frozenset((*self.__struct_fields__, *RoundsBand.__struct_fields__))


class Cut(Part, frozen=True):
    """The elimination stage. bracket `none`: final standings decide."""

    bracket: Literal["none", "seeded", "random", "reseed"]


class Tables(Part, frozen=True):
    """order: the top pairing gets the lowest table, or a recorded draw says who does. avoid_repeats: a player gets a
    new table when one is free."""

    order: Literal["top_first", "random"]
    avoid_repeats: bool


class Spare(Part, frozen=True):
    """Whom the spare player meets: the last in the standings, or whoever the first to drop would have met."""

    mode: Literal["last_ranked", "first_drop"] = "last_ranked"


Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Legality(Part, frozen=True):
    """delay_days: from a release until it is legal; list_due_days: from a list's due day to the first day of play.

    weekdays: kind of release -> the day of the week on which such releases come out.
    """

    delay_days: int
    list_due_days: int
    weekdays: dict[str, Weekday] = {}

    def lists_due(self, first_day: date) -> date:
        """Return the last day for lists, as advised; they are locked later. FF-REG-2, FF-AMB-22."""
        return first_day - timedelta(days=self.list_due_days)

    def released_by(self, first_day: date) -> date:
        """Return the last day of release of what is legal on the first day of play. FF-ROS-14, FF-AMB-5."""
        return first_day - timedelta(days=self.delay_days)


class Option(Part, frozen=True, kw_only=True):
    """Something an organiser may set.

    kind: `choice` puts what `choices` says for the word given, `flag` true or false, `whole` the number (or what
    `choices` says for a word), `bands` a margin table, `rounds` a table of rounds and cuts, `points` a number for each
    word given, `words` some of the choices in an order. default: what holds otherwise (a word, a number or a flag;
    nothing where the pack's own table or no value holds). sets: JSON pointers into the ruleset. until: when it is
    fixed. needs: options that must be set together with this one; needs_above: only where this one is a number above
    that.
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
"""A game without a winner, in files and on the wire; and the name of this word among the values of a fault."""
LONGEST_WORD = 40
"""Characters of a word of a ruleset's own, which a report may bring."""


class Words(Part, frozen=True):
    """Words that people read and write; the names of members, columns and values stay as they are.

    draw: a game without a winner; whoever reports one may say this or `draw`, in any case. tied: what separates
    players whom nothing else does; empty for the usual word (`Ruleset.effective_words`). game_round: a part of
    a game. columns: a value of the standings -> its heading.
    """

    draw: str = "draw"
    tied: str = ""
    game_round: str = "game round"
    columns: dict[str, str] = {}

    def headings(self, names: Iterable[str]) -> dict[str, str]:
        """What stands above each of these columns: the pack's word, else the name itself without underscores."""
        return {name: self.columns.get(name, name.replace("_", " ")) for name in names}

    def winner(self, said: str) -> str:
        """What is said of the winner as files and the wire have it: a drawn game is `draw`, all else stays."""
        return DRAW if said.casefold() in (DRAW, self.draw.casefold()) else said

    def in_fault(self, fault: Fault) -> Fault:
        """Return a fault of the winner in these words: `draw` is a value of what was said, and of what is expected."""
        said = self.draw if fault.said == DRAW else fault.said
        if fault.data.get(DRAW) != DRAW:
            return replace(fault, said=said)
        return replace(fault, said=said, expected=replace(fault.expected, data={**fault.data, DRAW: self.draw}))


DEFAULT_WORDS = Words(tied="equal", clause="")
"""What holds where a ruleset has no words of its own and ranks are shared."""


Role = Literal["organiser", "head_referee", "referee"]
Deciders = Literal["staff", "leading", "head_referee", "organiser"]
Question = Literal["rulings", "final", "disqualification", "reinstatement", "barring", "lists"]

ORGANISER: Role = "organiser"
JUDGES: tuple[Role, ...] = ("head_referee", "referee")
"""Roles of which a tier may say that they do not play."""

ROLES: MappingProxyType[Deciders, tuple[Role, ...]] = MappingProxyType(
    {
        "staff": ("organiser", "head_referee", "referee"),
        "leading": ("organiser", "head_referee"),
        "head_referee": ("head_referee",),
        "organiser": ("organiser",),
    }
)
"""Word in a pack -> the roles it stands for."""


class StaffRules(Part, frozen=True):
    """Who settles what; an organiser stands in where nobody was appointed to a role that would.

    rulings: what a disputed result is, and corrections. final: whose ruling nobody else changes, and who hears
    appeals. changes: who puts something else in the place of a ruling: whoever may rule, or its `author` alone (and in
    any case the head referee on appeal, and an organiser who overrides it). disqualification, reinstatement: who puts a
    player out, and who takes that back. barring: who keeps somebody disqualified from later events, too. lists: who
    accepts and rejects lists. own_games: whether a judge who plays rules on their own games. neutral_advised: one judge
    at least had better not play. titles: what the document calls them.
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
"""What holds where a ruleset says nothing of its staff."""


class DecidingRoles(Struct, frozen=True):
    """Who answers a question of the staff, and the clause that says so."""

    question: Question
    roles: tuple[Role, ...]
    clause: str


def deciding_roles(rules: StaffRules | None, question: Question, appointed: Collection[str]) -> DecidingRoles:
    """Who settles a question among those who were appointed. appointed: the roles that somebody holds.

    The organiser, who is always there, stands in for a role that nobody holds.
    Source: AR-STAFF-1, FF-STAFF-4, FF-AMB-29, DW-STAFF-1.
    """
    said = rules or DEFAULT_STAFF_RULES
    there = tuple(role for role in ROLES[getattr(said, question)] if role == ORGANISER or role in appointed)
    return DecidingRoles(question, there or (ORGANISER,), said.cites(question))


def all_deciding_roles(rules: StaffRules | None, appointed: Collection[str]) -> list[DecidingRoles]:
    """Every question with who settles it."""
    return [deciding_roles(rules, question, appointed) for question in get_args(Question)]


Line = TypeVar("Line")


class Form(Part, frozen=True):
    """A form that is printed.

    holds: what its lines are, and so what a sheet is about: the rounds of a player, the entries of a player's list,
    the two sides of a game, the table from which the players of a game build their scenario, the pairings of a round at
    a venue, the standings after a round, or the players.
    filled_by: who writes on it. heading: what stands above the lines. columns: of a line; what is no word that Muster
    knows is written by hand. lines: on one sheet (0: as many as are needed). order: from where lines are used.
    new_after_cut: a new sheet begins with the elimination. running: values of rounds are totals so far.
    lists: of a roster, the lists whose entries are its lines, in order.
    copies, copies_a_round: how many are printed, and how many more for each round that is planned.
    titles: what is printed above a column or beside a heading, where that is not the word itself. instructions: what
    whoever fills it in reads first, a line each.
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
        """The name as an address has it."""
        return self.name.replace(" ", "-")


class Printed(NamedTuple):
    """What is on a form in addition to its lines. titles: word -> what is printed for it; instructions: a line each."""

    titles: dict[str, str]
    instructions: list[str]


def titles_of(form: Form, words: Words | None) -> dict[str, str]:
    """What is printed for every word of the heading and the columns: the form's title, else the ruleset's word."""
    return (words or DEFAULT_WORDS).headings([*form.heading, *form.columns]) | form.titles


class ScoreLine(Struct, frozen=True):
    """A line of a score sheet. opponent: empty after a bye; totals: the values, in order."""

    round: int
    opponent: str
    totals: tuple[int, ...]


def score_sheets(
    form: Form, player: str, games: Iterable[Game], values: Iterable[str], *, cut_after: int = 0
) -> list[list[ScoreLine]]:
    """The score sheets of a player: `values` of each round, or their totals so far, `form.lines` rounds to a sheet.

    cut_after: the last round before the elimination (0: none), after which totals begin anew on a new sheet where
    the form says so. Source: DW-DOC-1, DW-DOC-2, DW-CUT-2.
    """
    names = list(values)
    stages: dict[int, list[ScoreLine]] = {}
    totals = [0] * len(names)
    own = [game for game in games if player in (game.player_1, game.player_2)]
    for game in sorted(own, key=lambda game: game.round):
        after = int(form.new_after_cut and 0 < cut_after < game.round)
        if after not in stages or not form.running:
            totals = [0] * len(names)
        first = game.player_1 == player
        made = game.score.values_1 if first else game.score.values_2
        totals = [total + made.get(name, 0) for total, name in zip(totals, names, strict=True)]
        line = ScoreLine(game.round, (game.player_2 if first else game.player_1) or "", tuple(totals))
        stages.setdefault(after, []).append(line)
    return [sheet for lines in stages.values() for sheet in sheets_of(form, lines)]


def sheets_of(form: Form, lines: Sequence[Line]) -> list[list[Line]]:
    """Lines on sheets, in the order in which they are used; one empty sheet where there are no lines. DW-AMB-24."""
    size = form.lines or max(len(lines), 1)
    return [list(lines[start : start + size]) for start in range(0, len(lines), size)] or [[]]


class RoundsOption(msgspec.Struct, frozen=True):
    """An option that sets the number of rounds. key: of the option; clause: that says so."""

    key: str
    rounds: int
    clause: str


class AnyRuleset(msgspec.Struct, frozen=True, kw_only=True):
    """What every ruleset says, whatever its format.

    id: stable, with the version of the document in it. chosen: the options that were set, already applied to the
    other parts.
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
        """When lists are due and releases are legal; None if the ruleset has no such rule."""
        return None

    def printed(self, form: Form) -> Printed:
        """Return what is on every sheet of a form in addition to its lines."""
        return Printed(titles_of(form, None), form.instructions)


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(AnyRuleset)


def to_json(ruleset: msgspec.Struct) -> dict[str, Any]:
    """A ruleset as plain JSON values: strings, whole numbers, booleans, lists, objects; nothing is null.

    Defaults are written out, so that a later default never changes what an old event says.
    """
    built: dict[str, Any] = _without_nulls(msgspec.to_builtins(ruleset))
    return built


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(item) for item in value]
    return value


WHEN: Mapping[str, str] = {"announcement": ", set with the announcement", "round_1": ", set before round 1", "any": ""}


class Options(Protocol):
    """A ruleset of any format: its options."""

    @property
    def options(self) -> list[Option]: ...


class AllowingOption(NamedTuple):
    """An option and the value that would allow what was refused. until: when it is fixed; needs: set along with it."""

    key: str
    value: str
    until: Literal["announcement", "round_1", "any"]
    needs: Sequence[str] = ()

    @property
    def text(self) -> str:
        """In a sentence: `the option late_entry=zero_points, set before round 1`."""
        beside = f" with {' and '.join(self.needs)}" if self.needs else ""
        return f"the option {self.key}={self.value}{beside}{WHEN[self.until]}"

    def or_else(self, right: Expected) -> Expected:
        """Return what would be right with this option as the alternative."""
        option = expects("option", option=self.key, value=self.value)
        if self.needs:
            option = expects("option-with", option=self.key, value=self.value, needs=list(self.needs))
        match self.until:
            case "announcement":
                return expects("or-option-with-announcement", right=right, option=option)
            case "round_1":
                return expects("or-option-before-round-1", right=right, option=option)
        return expects("or-option", right=right, option=option)

    def data(self) -> dict[str, Any]:
        """For the data of a problem."""
        needs = {"needs": list(self.needs)} if self.needs else {}
        return {"key": self.key, "value": self.value, "until": self.until, **needs}


def option_data(option: AllowingOption | None) -> dict[str, Any]:
    """Members for the data of a problem: `option`, where one would allow it."""
    return {"option": option.data()} if option else {}


def allowing_option(
    ruleset: Options, pointer: str, fits: Callable[[Setting], bool], number: int = 0
) -> AllowingOption | None:
    """The option that puts something fitting at a place of the ruleset; None where no option does.

    pointer: JSON pointer of what is in the way. fits: whether a value there would allow it. number: for an option that
    takes any number, the one that would.
    """
    for option in ruleset.options:
        if pointer in option.sets:
            word = next((said for said, put in _choices(option, number) if fits(put)), None)
            if word is not None:
                alone = option.kind == "whole" and number <= option.needs_above
                return AllowingOption(option.key, word, option.until, () if alone else option.needs)
    return None


def or_option(
    right: Expected, ruleset: Options, pointer: str, fits: Callable[[Setting], bool], number: int = 0
) -> Expected:
    """Return what would be right, with the option that would allow what was refused, if there is one.

    `at most 400, or the option ap_limit=420, set with the announcement`; the parameters are those of `allowing_option`.
    """
    found = allowing_option(ruleset, pointer, fits, number)
    return found.or_else(right) if found else right


def or_own_scenarios(right: Expected, ruleset: Options) -> Expected:
    """Return what would be right, with the option by which every table has its own scenario. FF-AMB-8."""
    return or_option(right, ruleset, "/result/scenario_per", lambda per: per == "table")


def _choices(option: Option, number: int) -> Iterable[tuple[str, Setting]]:
    """The values that an option may be set to, each as it is written."""
    if option.kind == "flag":
        return [("true", True), ("false", False)]
    if option.kind == "whole" and option.least <= number <= (number if option.most is None else option.most):
        return [*option.choices.items(), (str(number), number)]
    return option.choices.items() if option.kind in ("choice", "whole") else ()
