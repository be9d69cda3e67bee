"""The scenario of each round of results.csv: told once, it holds for the bye too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from muster.cli.offline.csv_input import Row
from shared.formats.swiss.rules.outcomes import scenario_of
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.option_hints import own_scenarios

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
            f"{of_round}, as in the whole round{own_scenarios(ruleset)}",
            ruleset.result.cites("scenario_per"),
        )
    ]
