"""The column `extra` of results.csv: facts without a column of their own, as words like `list_1=300`.

Facts of the table, for rulesets whose players build the scenario:

| word                             | says                                                                     |
|----------------------------------|--------------------------------------------------------------------------|
| `spent=ODOC`                     | how the scenario points were spent, in order                             |
| `objective=Key_Positions`        | what was played, `_` for a space                                         |
| `noted_1=T1+T2 controlled_1=T2`  | areas that side 1 noted, and those it controls in the end (none: nothing) |
| `inside_1=2+1+2+1+0`             | own units inside a noted area at the end of each game turn               |
| `target_dead_1=yes`              | whether the target of side 1 is dead, `yes` or `no`                      |
| `target_points_1=45`             | what it is worth                                                         |
| `units_1=45+60/20+(50)/15`       | units of side 1 that suffered, with a hero who joined after the stroke;  |
|                                  | who is in parentheses still stands                                       |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from muster.cli.offline.input_files import Row
from shared.refusals import Expected, Fault, expects
from shared.swiss.games import AGAINST_SPARE, OF_FORM
from shared.swiss.ruleset import Ruleset

WHOLE = "[0-9]{1,9}"
FURTHER: Mapping[str, str] = {
    **dict.fromkeys(OF_FORM, WHOLE),
    "end": "[a-z_0-9]+",
    "second_player": "[12]",
}
"""Facts of the result form, where the ruleset asks for them, and what they look like."""

NOT_PLAYED = ("forfeit", "no_show", "double_no_show", "double_forfeit")

UNIT = re.compile(r"(\(?)(\d{1,9})(\)?)(?:/(\(?)(\d{1,9})(\)?))?")


def read_extra(row: Row, ruleset: Ruleset, faults: list[Fault]) -> tuple[dict[str, Any], dict[str, int]]:
    """The words of a row: facts of the result form (those of the table as `board`), and further whole numbers."""
    if not row["extra"]:
        return {}, {}
    told: dict[str, Any] = {}
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
            if not name or name in told or name in extra or name in board:
                raise ValueError(name)
            if on_board:
                board[name] = _READ[_unsided(name)](text)
                if name == "objective":
                    board[name] = objectives.get(board[name].casefold(), board[name])
            elif name in asked:
                text = text.casefold()
                if not re.fullmatch(FURTHER[name], text):
                    raise ValueError(text)
                told[name] = text if name == "end" else int(text)
            else:
                extra[name] = _number(text)
        except (KeyError, ValueError):
            expected = _FORMS[_unsided(name)] if on_board else expects("facts-with-numbers")
            faults.append(row.fault("extra", repr(word), expected))
    return told | ({"board": board} if board else {}), extra


def against_spare(row: Row) -> bool:
    """Whether the second player of a row is the spare player."""
    told = row["kind"] in NOT_PLAYED and AGAINST_SPARE in row["extra"].casefold().split()
    return row["kind"] == "spare" or told


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
