"""`in` and `not in` changed into each other, which Cosmic Ray leaves out and rules are full of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator

_OTHER = {"in": " not in", "not in": " in"}


class Membership(Operator):
    """Says the opposite of whether something is among others."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Every `in` and `not in` of a comparison; the `in` of a loop is none."""
        return ((node.children[at].start_pos, node.children[at].end_pos) for at in _operators(node))

    def mutate(self, node: Any, index: int) -> Any:
        """Turn the index-th of them round."""
        at = _operators(node)[index]
        node.children[at] = parso.parse(_OTHER[_written(node.children[at])])
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """As every operator has them."""
        return (Example("x in y", "x not in y"), Example("x not in y", "x in y"))


def _operators(node: Any) -> list[int]:
    if node.type != "comparison":
        return []
    return [at for at in range(1, len(node.children), 2) if _written(node.children[at]) in _OTHER]


def _written(node: Any) -> str:
    return " ".join(node.get_code().split())
