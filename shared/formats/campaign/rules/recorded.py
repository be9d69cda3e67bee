"""Every kind of outcome by its name, for reading what was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from shared.formats.campaign.rules import game_outcomes, income_outcomes, outcomes, trade_outcomes
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.words import Outcome


def _kinds() -> Iterator[type[Outcome]]:
    yield DieRolled
    for module in (outcomes, income_outcomes, trade_outcomes, game_outcomes):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Outcome) and value is not Outcome:
                yield value


KINDS: Mapping[str, type[Outcome]] = {kind.__name__: kind for kind in _kinds()}
"""The name that an outcome carries as its `type`, and its struct."""


def to_plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain JSON values, with its `type`."""
    plain: dict[str, Any] = msgspec.to_builtins(outcome)
    return plain


def from_plain(plain: Mapping[str, Any]) -> Outcome:
    """The outcome that `to_plain` wrote. Raises ValueError for what is none."""
    kind = KINDS.get(str(plain.get("type")))
    if kind is None:
        raise ValueError(f"{plain.get('type')!r} is no kind of outcome")
    return msgspec.convert(plain, kind)
