"""Settings that the piece beside them does not look at: whoever wrote them expects something of them.

A setting that an option puts there, or whose piece an option chooses, is left alone: it waits for that choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.board_facts import FORMULAS
from shared.formats.swiss.rules.game_parts import BoardFormula
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Expected, Fault, as_said, expects
from shared.rules.parts import Option
from shared.rules.semantic_checks import unused_by

BOARD_SETTINGS: Mapping[str, object] = MappingProxyType(
    {
        field.name: msgspec.structs.asdict(BoardFormula(formula="", clause=""))[field.name]
        for field in msgspec.structs.fields(BoardFormula)
        if field.name not in ("formula", "game_rounds", "clause", "clauses")
    }
)
"""Settings of a formula that only some use -> their value where nobody sets them; every formula has game rounds."""

OPTION_SETTINGS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "choices": frozenset({"choice", "words", "whole"}),
        "least": frozenset({"whole"}),
        "most": frozenset({"whole"}),
        "needs_above": frozenset({"whole"}),
    }
)
"""Setting of an option -> the kinds of options that use it."""


def faults_of_unused(ruleset: Ruleset) -> Iterator[Fault]:
    """Every setting of a ruleset that has no effect, at its JSON pointer."""
    chosen = {pointer for option in ruleset.options for pointer in option.sets}
    for switch, where, expected in (*_switched(ruleset), *_brackets(ruleset), *_formulas(ruleset)):
        if not {switch, where} & chosen:
            yield Fault(where, as_said(_at(ruleset, where)), expected)


def _at(part: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        part = part[int(step)] if isinstance(part, list) else getattr(part, step)
    return part


Unused = tuple[str, str, Expected]
"""Where the piece is named, where the setting is, and what is expected there."""


def _switched(ruleset: Ruleset) -> Iterator[Unused]:
    bye, concession = ruleset.bye, ruleset.concession
    if bye.of and bye.policy in registries.BYE_POLICIES and bye.policy not in registries.BYES_BY_VALUES:
        yield "/bye/policy", "/bye/of", unused_by(bye.policy, sorted(registries.BYES_BY_VALUES))
    if bye.scenario_most is not None and not bye.half_of_most:
        yield "/bye/half_of_most", "/bye/scenario_most", expects("unused-without", key="half_of_most")
    if concession.scenario_most is not None and concession.award != "bye_score":
        yield "/concession/award", "/concession/scenario_most", unused_by(concession.award, ["bye_score"])
    for name in ("forfeit", "no_show"):
        absence = getattr(ruleset, name)
        if absence.half != "down" and absence.award != "reported":
            yield f"/{name}/award", f"/{name}/half", unused_by(absence.award, ["reported"])


def _brackets(ruleset: Ruleset) -> Iterator[Unused]:
    for index, band in enumerate(ruleset.rounds.table):
        for name in ("cut_to", "cut_after"):
            if not getattr(band, name):
                continue
            where = f"/rounds/table/{index}/{name}"
            if ruleset.cut.bracket == "none":
                yield "/cut/bracket", where, unused_by("cut.bracket none", ["random", "reseed", "seeded"])
            elif not band.cut_to:
                yield f"/rounds/table/{index}/cut_to", where, expects("unused-without", key="cut_to")


def _formulas(ruleset: Ruleset) -> Iterator[Unused]:
    for index, scenario in enumerate(ruleset.scenarios):
        board = scenario.board
        if board is None or board.formula not in FORMULAS:
            continue
        for name, unset in BOARD_SETTINGS.items():
            if getattr(board, name) != unset and name not in FORMULAS[board.formula].settings:
                users = sorted(formula for formula, known in FORMULAS.items() if name in known.settings)
                where = f"/scenarios/{index}/board"
                yield f"{where}/formula", f"{where}/{name}", unused_by(board.formula, users)


def faults_of_option_settings(options: Sequence[Option]) -> Iterator[Fault]:
    """Settings of options that their kind does not use."""
    for index, option in enumerate(options):
        unset = {"choices": {}, "least": 0, "most": None, "needs_above": -1}
        for name, kinds in OPTION_SETTINGS.items():
            value = getattr(option, name)
            if value != unset[name] and option.kind not in kinds:
                expected = expects("unused-by-kind", kind=option.kind, users=sorted(kinds))
                yield Fault(f"/options/{index}/{name}", as_said(value), expected)
        if option.kind == "whole" and option.needs_above != -1 and not option.needs:
            expected = expects("unused-without", key="needs")
            yield Fault(f"/options/{index}/needs_above", as_said(option.needs_above), expected)
