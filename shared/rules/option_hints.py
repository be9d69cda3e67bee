"""Which option of a ruleset, set to what, would allow what is refused: so that a refusal can name it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from shared.refusals import Expected, expects
from shared.rules.parts import Option, Setting

WHEN: Mapping[str, str] = {"announcement": ", set with the announcement", "round_1": ", set before round 1", "any": ""}


class Options(Protocol):
    """A ruleset of any format: its options."""

    @property
    def options(self) -> list[Option]: ...


class Allowing(NamedTuple):
    """An option and the value that would allow what was refused. until: when it is fixed; needs: set along with it."""

    key: str
    value: str
    until: Literal["announcement", "round_1", "any"]
    needs: Sequence[str] = ()

    @property
    def said(self) -> str:
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


def data_of(option: Allowing | None) -> dict[str, Any]:
    """Members for the data of a problem: `option`, where one would allow it."""
    return {"option": option.data()} if option else {}


def allowing(ruleset: Options, pointer: str, fits: Callable[[Setting], bool], number: int = 0) -> Allowing | None:
    """The option that puts something fitting at a place of the ruleset; None where no option does.

    pointer: JSON pointer of what is in the way. fits: whether a value there would allow it. number: for an option that
    takes any number, the one that would.
    """
    for option in ruleset.options:
        if pointer in option.sets:
            word = next((said for said, put in _choices(option, number) if fits(put)), None)
            if word is not None:
                alone = option.kind == "whole" and number <= option.needs_above
                return Allowing(option.key, word, option.until, () if alone else option.needs)
    return None


def or_option(
    right: Expected, ruleset: Options, pointer: str, fits: Callable[[Setting], bool], number: int = 0
) -> Expected:
    """Return what would be right, with the option that would allow what was refused, if there is one.

    `at most 400, or the option ap_limit=420, set with the announcement`; the parameters are those of `allowing`.
    """
    found = allowing(ruleset, pointer, fits, number)
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
