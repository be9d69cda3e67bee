"""What is looked at across the rows of results.csv: who was left over, scenarios of rounds, unknown players, coins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from unicodedata import normalize

from msgspec.structs import replace

from muster.cli.offline.extra_column import against_spare
from muster.cli.offline.input_files import Row, whole
from shared.refusals import Expected, Fault, expects
from shared.rules.model import KINDS, Draw, Entrant, Game
from shared.rules.parts import or_own_scenarios
from shared.swiss.outcomes import scenario_of
from shared.swiss.pairing import fault_of_number
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import PURPOSE, rank


class LeftOver:
    """Who was left over in the rows of a file that were looked at so far."""

    def __init__(self, ruleset: Ruleset, known: Mapping[str, Entrant]) -> None:
        self._ruleset = ruleset
        self._known = known
        self._first: dict[tuple[int, str], int] = {}
        self._given: Counter[tuple[str, str]] = Counter()

    def faults(self, row: Row, round: int) -> Iterator[Fault]:
        """A second player left over in a round, a spare player who is paired, more byes than a player may have.

        Source: FF-PAIR-4, FF-PAIR-5, FF-SPARE-1; the ruleset's `bye.one_a_round` and `most` of its other byes.
        """
        if row["kind"] in KINDS:
            yield from self._one_too_many(row)
        kind = "spare" if against_spare(row) else row["kind"]
        if kind in ("bye", "spare") and kind in self._ruleset.result.kinds:
            yield from self._second(row, round, kind)

    def _second(self, row: Row, round: int, kind: str) -> Iterator[Fault]:
        """Of all, or of a venue that is paired apart."""
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
        if wrong := fault_of_number(self._ruleset, KINDS[kind], had, kind, "kind"):
            yield row.fault("kind", wrong.said, wrong.expected, wrong.clause)
        self._given[player, kind] += 1


NOT_PLAYED = ("bye", "forfeit", "no_show", "double_no_show")


def with_own_names(rows: Sequence[Row], ruleset: Ruleset) -> list[Row]:
    """The rows with the names of scenarios as the ruleset writes them, whatever their case in the file."""
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
    """Round, as written -> the first scenario that a row of it names, by its own name; unknown ones are left out.

    Source: FF-AMB-8.
    """
    found: dict[str, str] = {}
    for row in rows:
        scenario = scenario_of(row["scenario"], ruleset.scenarios, ruleset.result, [])
        if scenario is not None:
            found.setdefault(row["round"], scenario.name)
    return found


def with_scenario(row: Row, scenarios: Mapping[str, str]) -> Row:
    """The row with the scenario of its round where it is one that nobody played. FF-BYE-2, FF-AMB-14."""
    if row["kind"] not in NOT_PLAYED or row["scenario"] or row["round"] not in scenarios:
        return row
    return replace(row, values=row.values | {"scenario": scenarios[row["round"]]})


def faults_of_scenario(row: Row, scenarios: Mapping[str, str], ruleset: Ruleset) -> list[Fault]:
    """Another scenario than that of the round, unless every table may have its own. FF-SCN-1, FF-AMB-8."""
    scenario = scenario_of(row["scenario"], ruleset.scenarios, ruleset.result, [])
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
"""So many players are looked for among those who are known; each look goes through all of them."""


class UnknownPlayers:
    """What is expected in place of a player whom nobody knows; everybody is looked for once."""

    def __init__(self, known: Collection[str]) -> None:
        self._by_plain = {_plain(player): player for player in known}
        self._expected: dict[str, Expected] = {}

    def expected(self, player: str) -> Expected:
        """A player of the file, with who may be meant: other letters, a letter too many."""
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


SIDES = (1, 2)


class CoinColumns:
    """What the two columns told, by round and player, and where each value stands."""

    def __init__(self) -> None:
        self._told: dict[int, dict[str, tuple[int, Row, str]]] = {}

    def read(self, row: Row, round: int, faults: list[Fault]) -> None:
        """Take the values of a row; what is no whole number is added to `faults`."""
        for side in SIDES:
            column = f"coins_{side}"
            value = whole(row, column, 0, faults)
            player = row[f"player_{side}"]
            if value is None:
                continue
            if not player or (side == 2 and against_spare(row)):
                faults.append(row.fault(column, f"{value}", expects("coin-of-nobody")))
            else:
                self._told.setdefault(round, {})[player] = (value, row, column)

    def draws(
        self,
        ruleset: Ruleset,
        entrants: Sequence[Entrant],
        games: Sequence[Game],
        being_played: int,
        faults: list[Fault],
    ) -> list[Draw]:
        """The orders that the coins gave, one for each tie; what does not fit a tie is added to `faults`.

        being_played: the round that is still being played, 0 for none. Source: FF-AMB-3; the ruleset's
        `standings.by_hand`.
        """
        draws: list[Draw] = []
        for round in sorted(self._told):
            told = self._told[round]
            first, first_row, first_column = next(iter(told.values()))
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
        told, clause = self._told[round], ruleset.standings.cites("by_hand")
        group_of = {player: group for group in groups for player in group}
        draws: list[Draw] = []
        for player, (value, row, column) in told.items():
            group = group_of.get(player, ())
            values = [told[other][0] for other in group if other in told]
            if not group:
                expected = expects("coin-of-tied-player", player=player, round=round)
                faults.append(row.fault(column, f"{value}", expected, clause))
            elif len(values) < len(group) or len(set(values)) < len(values):
                expected = expects("coin-for-each-tied", players=list(group))
                faults.append(row.fault(column, f"{value}", expected, clause))
            elif player == group[0]:
                order = sorted(group, key=lambda other: -told[other][0])
                draws.append(Draw(PURPOSE, round, "", group, tuple(order)))
        return draws
