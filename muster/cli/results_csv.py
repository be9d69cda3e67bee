"""results.csv: reported games scored by the ruleset, its column `extra`, and checks across rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from muster.cli.offline_input import Row, Shape, read_rows, whole
from muster.cli.output import with_progress_bar
from shared.refusals import NOTHING, Expected, Fault, expects, one_of
from shared.rules.model import KINDS, Draw, Entrant, Facts, FactsKind, Game, ImpossibleResult, PairingKind, Score, Side
from shared.rules.parts import DRAW, or_own_scenarios
from shared.swiss.elimination import cut_places
from shared.swiss.game_parts import Bye
from shared.swiss.games import AGAINST_SPARE, COLUMNS, FORM_FACTS
from shared.swiss.outcomes import find_scenario
from shared.swiss.pairing import fault_of_bye_count
from shared.swiss.registries import POINTS_SCHEMES
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import improbable_faults, ruleset_in_round, score_game, score_in_round
from shared.swiss.standings import PURPOSE, rank

WHOLE = "[0-9]{1,9}"
FURTHER: Mapping[str, str] = {
    **dict.fromkeys(FORM_FACTS, WHOLE),
    "end": "[a-z_0-9]+",
    "second_player": "[12]",
}
"""Facts of the result form that a ruleset can ask for, with their parsers."""

KINDS_WITHOUT_GAME = ("forfeit", "no_show", "double_no_show", "double_forfeit")

UNIT = re.compile(r"(\(?)(\d{1,9})(\)?)(?:/(\(?)(\d{1,9})(\)?))?")


def read_extra(row: Row, ruleset: Ruleset, faults: list[Fault]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the facts in the column `extra`: of the result form (those of the table as `board`), and whole numbers."""
    if not row["extra"]:
        return {}, {}
    facts: dict[str, Any] = {}
    board: dict[str, Any] = {}
    extra: dict[str, int] = {}
    asked = FURTHER.keys() & set(ruleset.result.fields)
    builder = ruleset.builder
    objectives = {known.name.casefold(): known.name for known in builder.objectives} if builder else {}
    for word in row["extra"].split():
        if word.casefold() == AGAINST_SPARE and against_spare(row):
            continue
        name, _, text = word.partition("=")
        name = name.casefold()
        on_board = ruleset.builder is not None and _is_of_the_table(name)
        try:
            if not name or name in facts or name in extra or name in board:
                raise ValueError(name)
            if on_board:
                board[name] = _READ[_unsided(name)](text)
                if name == "objective":
                    board[name] = objectives.get(board[name].casefold(), board[name])
            elif name in asked:
                text = text.casefold()
                if not re.fullmatch(FURTHER[name], text):
                    raise ValueError(text)
                facts[name] = text if name == "end" else int(text)
            else:
                extra[name] = _number(text)
        except (KeyError, ValueError):
            expected = _FORMS[_unsided(name)] if on_board else expects("facts-with-numbers")
            faults.append(row.fault("extra", repr(word), expected))
    return facts | ({"board": board} if board else {}), extra


def against_spare(row: Row) -> bool:
    """Return True if the second player of a row is the spare player."""
    is_marked = row["kind"] in KINDS_WITHOUT_GAME and AGAINST_SPARE in row["extra"].casefold().split()
    return row["kind"] == "spare" or is_marked


def _unsided(name: str) -> str:
    return re.sub("_[12]$", "", name)


def _is_of_the_table(name: str) -> bool:
    base = _unsided(name)
    return base in _READ and (base == name) == (base in _WHOLE_TABLE)


def _areas(text: str) -> list[str]:
    return text.split("+") if text else []


def _numbers(text: str) -> list[int]:
    return [_number(part) for part in text.split("+")]


def _number(text: str) -> int:
    if not re.fullmatch(WHOLE, text):
        raise ValueError(text)
    return int(text)


def _units(text: str) -> list[dict[str, Any]]:
    return [_unit(part) for part in text.split("+")] if text else []


def _unit(text: str) -> dict[str, Any]:
    found = UNIT.fullmatch(text)
    if not found or bool(found[1]) != bool(found[3]) or bool(found[4]) != bool(found[6]):
        raise ValueError(text)
    unit: dict[str, Any] = {"points": int(found[2]), "gone": not found[1]}
    return unit | ({"hero_points": int(found[5]), "hero_gone": not found[4]} if found[5] else {})


_WHOLE_TABLE = ("spent", "objective")
_READ: Mapping[str, Callable[[str], Any]] = {
    "spent": lambda text: list(text.upper()),
    "objective": lambda text: text.replace("_", " "),
    "noted": _areas,
    "controlled": _areas,
    "inside": _numbers,
    "target_dead": lambda text: {"yes": True, "no": False}[text.casefold()],
    "target_points": _number,
    "units": _units,
}
_FORMS: Mapping[str, Expected] = {
    "spent": expects("extra-spent"),
    "objective": expects("extra-objective"),
    "noted": expects("extra-noted"),
    "controlled": expects("extra-controlled"),
    "inside": expects("extra-inside"),
    "target_dead": expects("extra-target-dead"),
    "target_points": expects("extra-target-points"),
    "units": expects("extra-units"),
}


RESULTS = Shape(
    COLUMNS,
    required=("round", "kind", "player_1", "player_2", "points_1", "points_2"),
    words=("kind", "winner"),
)

SIDES: tuple[Side, Side] = (1, 2)
_SIDES: Mapping[str, object] = {"": None, "1": 1, "2": 2}
_WINNERS: Mapping[str, object] = {**_SIDES, "draw": "draw"}


REPORT = ("winner", "points_1", "points_2", "conceded_by", "extra")
"""Columns about the outcome of a game; if all are empty, the game is still being played."""


class Results(Struct, frozen=True):
    """The games of a file. playing: rows of games still being played. coins: orders decided by coins."""

    games: list[Game]
    playing: list[Row]
    coins: list[Draw]


def read_results(
    path: str,
    ruleset: Ruleset,
    entrants: Sequence[Entrant],
    faults: list[Fault],
    doubts: list[Fault],
    ignored: Collection[str] = (),
) -> Results:
    """Return the scored games of a file; add faults to `faults` and improbable scores to `doubts`.

    ignored: columns that are allowed and not read. Without entrants (their file has faults), unknown players are not
    reported.
    """
    known = {entrant.player: entrant for entrant in entrants}
    out = {player for player, entrant in known.items() if entrant.status == "disqualified"}
    seen: dict[tuple[int, str], int] = {}
    left_over = LeftOver(ruleset, known)
    games: list[Game] = []
    playing: list[Row] = []
    coins = CoinColumns()
    rows = with_own_names(read_rows(path, RESULTS, faults, ignored), ruleset)
    scenarios = scenarios_of_rounds(rows, ruleset)
    first: dict[int, Row] = {}
    cut = cut_places(ruleset, sum(1 + bool(row["player_2"]) for row in rows if row["round"] == "1"))
    unknown = UnknownPlayers(known)
    last = max((whole(row, "round", 1, []) or 0 for row in rows), default=0)
    for row in with_progress_bar(rows, "reading results"):
        wrong = [*_faults_of_players(row, known, ruleset.bye, unknown), *faults_of_scenario(row, scenarios, ruleset)]
        round, table = whole(row, "round", 1, wrong), whole(row, "table", 1, wrong)
        if not row["round"]:
            wrong.append(row.fault("round", NOTHING, expects("whole-number-from", least=1)))
        if round is not None:
            wrong += _faults_of_round(row, round, known, seen)
            if not cut.places or round <= cut.after_round:  # in a bracket every walkover is a bye
                wrong += left_over.faults(row, round)
            first.setdefault(round, row)
            coins.read(row, round, wrong)
        if _is_being_played(row) and round is not None and not wrong:
            if round < last:
                faults.append(row.fault("points_1", NOTHING, expects("result-of-round", last=last)))
            else:
                playing.append(row)
            continue
        game = _game(with_scenario(row, scenarios), round or 1, table, ruleset, out, wrong)
        faults += wrong
        if game is not None and not wrong:
            games.append(game)
            doubts += [
                _in_the_file(row, doubt)
                for doubt in improbable_faults(ruleset_in_round(ruleset, game.round), game.facts)
            ]
    faults += _faults_of_missing_rounds(first)
    drawn = [] if faults else coins.draws(ruleset, entrants, games, last if playing else 0, faults)
    return Results(games, playing, drawn)


def _is_being_played(row: Row) -> bool:
    """Return True if the row has no outcome yet."""
    return row["kind"] in ("game", "spare") and not any(row[column] for column in REPORT)


def _game(
    row: Row, round: int, table: int | None, ruleset: Ruleset, disqualified: Collection[str], wrong: list[Fault]
) -> Game | None:
    """Return the game of a row; None with its faults in `wrong`."""
    before = len(wrong)
    kind_of_facts = "bye" if row["kind"] in KINDS else row["kind"]
    if kind_of_facts not in get_args(FactsKind):
        wrong.append(row.fault("kind", repr(row["kind"]), one_of(ruleset.result.kinds), ruleset.result.cites("kinds")))
    called = ruleset.effective_words
    winner = called.winner(row["winner"])
    for column, said, words in (("winner", winner, _WINNERS), ("conceded_by", row["conceded_by"], _SIDES)):
        if said not in words:
            known = [called.draw if word == DRAW else word for word in words if word]
            wrong.append(row.fault(column, repr(said), expects("one-of-or-nothing", values=known)))
    points = [whole(row, column, 0, wrong) for column in ("points_1", "points_2")]
    form_facts, extra = read_extra(row, ruleset, wrong)
    if len(wrong) > before:
        return None
    facts = Facts(
        kind=kind_of_facts,  # type: ignore[arg-type]
        bye=KINDS.get(row["kind"]),
        points_1=points[0],
        points_2=points[1],
        winner=_WINNERS[winner],  # type: ignore[arg-type]
        conceded_by=_SIDES[row["conceded_by"]],  # type: ignore[arg-type]
        scenario=row["scenario"],
        extra=extra,
        **form_facts,
    )
    try:
        facts, score = _scored(
            ruleset_in_round(ruleset, round), facts, (row["player_1"], row["player_2"]), disqualified
        )
    except ImpossibleResult as refusal:
        wrong += [_in_the_file(row, fault) for fault in refusal.faults]
        return None
    kind: PairingKind = "spare" if against_spare(row) else "bye" if facts.kind == "bye" else "game"
    counted = score_in_round(ruleset, score, round, facts)
    return Game(round, table, kind, row["player_1"], row["player_2"] or None, facts, counted)


def _scored(
    ruleset: Ruleset, facts: Facts, players: tuple[str, str], disqualified: Collection[str]
) -> tuple[Facts, Score]:
    """Return the facts and their score. Raises ImpossibleResult.

    Points awarded against a disqualified player are not the score of a played game: the row is read as a concession.
    """
    try:
        return facts, score_game(ruleset, facts)
    except ImpossibleResult as refusal:
        out = next((side for side in SIDES if players[side - 1] in disqualified), None)
        if out is None or facts.kind != "game" or facts.conceded_by is not None:
            raise
        given_up = replace(facts, conceded_by=out)
        try:
            score = score_game(ruleset, given_up)
        except ImpossibleResult:
            raise refusal from None
        counted = POINTS_SCHEMES[type(ruleset.points)].counted(ruleset.points)
        if (facts.points_1, facts.points_2) != (score.values_1.get(counted), score.values_2.get(counted)):
            raise
        return given_up, score


def _in_the_file(row: Row, fault: Fault) -> Fault:
    """Return a fault of the facts at the column of the file that it comes from."""
    column = fault.where.removeprefix("/")
    if column == "bye":
        return row.fault("kind", fault.said, fault.expected, fault.clause)
    if column == "second_player":
        return row.fault("winner", fault.said, expects("second-player-as-winner"), fault.clause)
    if column in FURTHER or fault.where.startswith(("/extra/", "/board/")):
        name = column.removeprefix("extra/").removeprefix("board/")
        return row.fault("extra", f"{name} {fault.said}", fault.expected, fault.clause)
    return row.fault(column if column in COLUMNS else "kind", fault.said, fault.expected, fault.clause)


def _faults_of_players(row: Row, known: Mapping[str, Entrant], bye: Bye, unknown: UnknownPlayers) -> Iterator[Fault]:
    one, two, bye_told = row["player_1"], row["player_2"], row["kind"] == "bye" or row["kind"] in KINDS
    kind = "bye" if bye_told else row["kind"]
    for column, player in (("player_1", one), ("player_2", two)):
        if player and known and player not in known and not (column == "player_2" and against_spare(row)):
            yield row.fault(column, f"{player!r}", unknown.expected(player))
    if not one:
        yield row.fault("player_1", NOTHING, expects("player"))
    if kind == "bye" and two:
        yield row.fault("player_2", f"{two!r}", expects("nobody-in-bye"), bye.clause)
    if kind != "bye" and not two:
        yield row.fault("player_2", NOTHING, expects("player-or-kind-bye"))
    if one and one == two:
        yield row.fault("player_2", f"{two!r}", expects("two-players"))


def _faults_of_missing_rounds(first: Mapping[int, Row]) -> Iterator[Fault]:
    """Yield a fault for each round whose previous round is missing. first: the first row of every round."""
    for round in sorted(first):
        if round > 1 and round - 1 not in first:
            yield first[round].fault("round", f"{round}", expects("every-round", missing=round - 1))


def _faults_of_round(
    row: Row, round: int, known: Mapping[str, Entrant], seen: dict[tuple[int, str], int]
) -> Iterator[Fault]:
    columns = ("player_1",) if against_spare(row) else ("player_1", "player_2")
    for column in columns:
        player = row[column]
        if not player or (column == "player_2" and player == row["player_1"]):
            continue
        if (round, player) in seen:
            expected = expects("player-once-in-round", round=round, row=seen[round, player])
            yield row.fault(column, f"{player!r}", expected)
        seen.setdefault((round, player), row.line)
        last = known[player].dropped_after if player in known else None
        if last is not None and round > last:
            yield row.fault(column, f"{player!r}", expects("no-round-after", last=last))


class LeftOver:
    """Counts the byes of the rows read so far."""

    def __init__(self, ruleset: Ruleset, known: Mapping[str, Entrant]) -> None:
        self._ruleset = ruleset
        self._known = known
        self._first: dict[tuple[int, str], int] = {}
        self._given: Counter[tuple[str, str]] = Counter()

    def faults(self, row: Row, round: int) -> Iterator[Fault]:
        """Yield the faults of a bye: a second one in a round, a spare player who is paired, too many for one player.

        Source: FF-PAIR-4, FF-PAIR-5, FF-SPARE-1; the ruleset's `bye.one_a_round` and `most` of its other byes.
        """
        if row["kind"] in KINDS:
            yield from self._one_too_many(row)
        kind = "spare" if against_spare(row) else row["kind"]
        if kind in ("bye", "spare") and kind in self._ruleset.result.kinds:
            yield from self._second(row, round, kind)

    def _second(self, row: Row, round: int, kind: str) -> Iterator[Fault]:
        """Return the fault of a second bye, among all players or those of a venue that is paired by itself."""
        ruleset, known, spare = self._ruleset, self._known, row["player_2"]
        if kind == "spare" and ruleset.spare and spare in known and known[spare].status == "active":
            yield row.fault("player_2", f"{spare!r}", expects("unpaired-spare"), ruleset.spare.clause)
        venue = known[row["player_1"]].venue if row["player_1"] in known else ""
        before = self._first.setdefault((round, venue), row.line)
        if ruleset.bye.one_a_round and before != row.line:
            expected = expects("one-left-over", round=round, row=before)
            yield row.fault("kind", kind, expected, ruleset.bye.cites("one_a_round"))

    def _one_too_many(self, row: Row) -> Iterator[Fault]:
        player, kind = row["player_1"], row["kind"]
        had = self._given[player, kind]
        if wrong := fault_of_bye_count(self._ruleset, KINDS[kind], had, kind, "kind"):
            yield row.fault("kind", wrong.said, wrong.expected, wrong.clause)
        self._given[player, kind] += 1


NOT_PLAYED = ("bye", "forfeit", "no_show", "double_no_show")


def with_own_names(rows: Sequence[Row], ruleset: Ruleset) -> list[Row]:
    """Return the rows with the names of scenarios in the spelling of the ruleset."""
    names = {name.casefold(): name for known in ruleset.scenarios for name in (known.name, *known.aliases)}
    if not names:
        return list(rows)
    return [
        replace(row, values=row.values | {"scenario": name})
        if (name := names.get(row["scenario"].casefold())) and name != row["scenario"]
        else row
        for row in rows
    ]


def scenarios_of_rounds(rows: Sequence[Row], ruleset: Ruleset) -> dict[str, str]:
    """Return the first known scenario of each round, by the round as written.

    Source: FF-AMB-8.
    """
    found: dict[str, str] = {}
    for row in rows:
        scenario = find_scenario(row["scenario"], ruleset.scenarios, ruleset.result, [])
        if scenario is not None:
            found.setdefault(row["round"], scenario.name)
    return found


def with_scenario(row: Row, scenarios: Mapping[str, str]) -> Row:
    """Return a row that was not played with the scenario of its round. FF-BYE-2, FF-AMB-14."""
    if row["kind"] not in NOT_PLAYED or row["scenario"] or row["round"] not in scenarios:
        return row
    return replace(row, values=row.values | {"scenario": scenarios[row["round"]]})


def faults_of_scenario(row: Row, scenarios: Mapping[str, str], ruleset: Ruleset) -> list[Fault]:
    """Yield a fault if the scenario differs from that of the round and tables may not differ. FF-SCN-1, FF-AMB-8."""
    scenario = find_scenario(row["scenario"], ruleset.scenarios, ruleset.result, [])
    of_round = scenarios.get(row["round"])
    if scenario is None or ruleset.result.scenario_per == "table" or scenario.name == of_round:
        return []
    return [
        row.fault(
            "scenario",
            repr(row["scenario"]),
            or_own_scenarios(expects("scenario-of-round", scenario=of_round), ruleset),
            ruleset.result.cites("scenario_per"),
        )
    ]


MOST_GUESSES = 50
"""Unknown players for which suggestions are searched; each search compares all known names."""


class UnknownPlayers:
    """Suggestions for unknown players; each name is searched once."""

    def __init__(self, known: Collection[str]) -> None:
        self._by_plain = {_plain(player): player for player in known}
        self._expected: dict[str, Expected] = {}

    def expected(self, player: str) -> Expected:
        """Return the expected value for an unknown player, with similar names."""
        if player not in self._expected:
            self._expected[player] = self._looked_for(player)
        return self._expected[player]

    def _looked_for(self, player: str) -> Expected:
        if player.casefold() == "bye":
            return expects("player-of-file-or-kind-bye")
        plain = _plain(player)
        near = [plain] if plain in self._by_plain else []
        if not near and len(self._expected) < MOST_GUESSES:
            near = get_close_matches(plain, self._by_plain, n=1, cutoff=0.8)
        if near:
            return expects("player-of-file-perhaps", player=self._by_plain[near[0]])
        return expects("player-of-file")


def _plain(player: str) -> str:
    return normalize("NFC", player).casefold()


BOTH_SIDES = (1, 2)


class CoinColumns:
    """The values of the two coin columns by round and player, with the place of each."""

    def __init__(self) -> None:
        self._values: dict[int, dict[str, tuple[int, Row, str]]] = {}

    def read(self, row: Row, round: int, faults: list[Fault]) -> None:
        """Read the values of a row; add a fault for a value that is not a whole number."""
        for side in BOTH_SIDES:
            column = f"coins_{side}"
            value = whole(row, column, 0, faults)
            player = row[f"player_{side}"]
            if value is None:
                continue
            if not player or (side == 2 and against_spare(row)):
                faults.append(row.fault(column, f"{value}", expects("coin-of-nobody")))
            else:
                self._values.setdefault(round, {})[player] = (value, row, column)

    def draws(
        self,
        ruleset: Ruleset,
        entrants: Sequence[Entrant],
        games: Sequence[Game],
        being_played: int,
        faults: list[Fault],
    ) -> list[Draw]:
        """Return the order that coins decided for each tie; add a fault for values that fit no tie.

        being_played: the round that is still being played; 0: none. Source: FF-AMB-3; the ruleset's
        `standings.by_hand`.
        """
        draws: list[Draw] = []
        for round in sorted(self._values):
            values_by_player = self._values[round]
            first, first_row, first_column = next(iter(values_by_player.values()))
            if not ruleset.standings.by_hand:
                clause = ruleset.standings.cites("unresolved")
                drawn = expects("ties-are-drawn", ruleset=ruleset.id)
                faults.append(first_row.fault(first_column, f"{first}", drawn, clause))
                continue
            if round == being_played:
                clause = ruleset.standings.cites("by_hand")
                faults.append(first_row.fault(first_column, f"{first}", expects("coin-after-round"), clause))
                continue
            tied = rank(ruleset, entrants, games, round=round, seed="", coins=draws).draws
            draws += self._of_round(ruleset, round, [draw.group for draw in tied], faults)
        return draws

    def _of_round(
        self, ruleset: Ruleset, round: int, groups: Sequence[tuple[str, ...]], faults: list[Fault]
    ) -> list[Draw]:
        values_by_player, clause = self._values[round], ruleset.standings.cites("by_hand")
        group_of = {player: group for group in groups for player in group}
        draws: list[Draw] = []
        for player, (value, row, column) in values_by_player.items():
            group = group_of.get(player, ())
            values = [values_by_player[other][0] for other in group if other in values_by_player]
            if not group:
                expected = expects("coin-of-tied-player", player=player, round=round)
                faults.append(row.fault(column, f"{value}", expected, clause))
            elif len(values) < len(group) or len(set(values)) < len(values):
                expected = expects("coin-for-each-tied", players=list(group))
                faults.append(row.fault(column, f"{value}", expected, clause))
            elif player == group[0]:
                order = sorted(group, key=lambda other: -values_by_player[other][0])
                draws.append(Draw(PURPOSE, round, "", group, tuple(order)))
        return draws
