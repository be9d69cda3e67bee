"""Mutants of the rules that are code: Cosmic Ray finds the places and breaks them, in ways that we choose."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider

from tests.mutants.claims import CodeClaims
from tests.mutants.membership import Membership
from tests.mutants.model import Mutant, Place, mutant

_ARITHMETIC = ("Add", "Sub", "Mul", "FloorDiv")
_SETS = ("BitOr", "BitAnd", "Sub")
_ORDER = ("Lt", "LtE", "Gt", "GtE")


def _names() -> Iterator[str]:
    for family in (_ARITHMETIC, _SETS):
        yield from (f"ReplaceBinaryOperator_{a}_{b}" for a in family for b in family if a != b)
    yield from (f"ReplaceComparisonOperator_{a}_{b}" for a in _ORDER for b in _ORDER if a != b)
    for a, b in (("Eq", "NotEq"), ("Is", "IsNot")):
        yield from (f"ReplaceComparisonOperator_{a}_{b}", f"ReplaceComparisonOperator_{b}_{a}")
    yield from ("ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_Not", "AddNot")
    yield from ("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd")
    yield from ("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer", "ZeroIterationForLoop")


def operators() -> dict[str, Operator]:
    """Those of Cosmic Ray's ways that break a rule so that a reader might have written it, by name.

    Left out: shifts, identity in place of equality, other variables, exceptions and decorators.
    """
    provider = OperatorProvider()
    return {"Membership": Membership(), **{name: provider[name]() for name in dict.fromkeys(_names())}}


class Code:
    """One file of Python. root: the repository; file: below it."""

    def __init__(self, root: Path, file: str, claims: CodeClaims) -> None:
        self.text = (root / file).read_text("utf-8")
        self._file = file
        self._claims = claims
        self._operators = operators()
        self._ways: dict[tuple[int, int], list[tuple[str, int]]] = {}
        tree = get_ast(self.text)
        for name, operator in self._operators.items():
            positions = (at for node in ast_nodes(tree) for at in operator.mutation_positions(node))
            for occurrence, ((line, column), _) in enumerate(positions):
                if self._claims.is_rule(line, column):
                    self._ways.setdefault((line, column), []).append((name, occurrence))

    def places(self) -> list[Place]:
        """Every place that can be broken, in order of the file."""
        return [Place(self._file, line, column, self._claims.at(line)) for line, column in sorted(self._ways)]

    def ways(self, place: Place) -> int:
        """In how many ways a place can be broken."""
        return len(self._ways[place.line, place.column])

    def broken(self, place: Place, way: int) -> Mutant:
        """A place broken in one of its ways, counted from 0."""
        name, occurrence = self._ways[place.line, place.column][way]
        broken = mutate_code(self.text, self._operators[name], occurrence)
        return mutant(place, name, self.text, str(broken))
