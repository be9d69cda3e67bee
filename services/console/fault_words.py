"""Problems and faults in the language of the page.

A problem is the title of its kind, by its code, and a sentence about the case (see `refusal_words`). A fault is the
sentence of its code in `shared/locale/<language>.po`, with its values in the form of the page. A code that this
console does not know, from a newer service, is shown in the English of the service, marked as English.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from markupsafe import Markup, escape

from muster_client import Problem
from services.console.hall_time import at
from services.console.language import (
    N_,
    _,
    in_markup,
    isolate,
    language,
    mark_english,
    number,
    service_text,
)
from services.console.option_words import option_question, option_text
from services.console.refusal_words import sentence
from services.console.words import day, rule_word
from shared.fault_texts import sentences

CONTEXT = "problem"
NOTHING = ("", "nothing")
"""What a fault has in `said` if no value was given."""
YEAR = "year"
"""The end of a name whose value has no thousands separator."""
OPTION = "%(option)s=%(value)s"
"""The places of a sentence that names an option with its value: a page shows its question and the answer."""


class AnyFault(Protocol):
    """A fault of a problem or of another answer, such as of a list. code, data: None if an older service answers."""

    @property
    def said(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def clause(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def data(self) -> Mapping[str, Any] | None: ...


def problem_text(problem: Problem) -> str | Markup:
    """Return the title of a problem and what to do; the English of the service if its kind is not translated."""
    detail, title = mark_english(problem.detail or problem.title), service_text(CONTEXT, problem.code)
    if title is None:
        return detail
    kind, advice = title if title.endswith("?") else f"{title}.", sentence(problem)
    more = detail if advice is None else advice
    return Markup("%s %s") % (kind, more) if more else kind


def fault_text(fault: AnyFault) -> str | Markup:
    """Return what is wrong with a value, and what would be right."""
    clause = f" ({fault.clause})" if fault.clause else ""
    right = expected_text(fault)
    if fault.said in NOTHING:
        return in_markup(N_("Missing: %(expected)s%(clause)s."), expected=right, clause=clause)
    words = N_("%(value)s is not valid. Expected: %(expected)s%(clause)s.")
    return in_markup(words, value=fault.said, expected=right, clause=clause)


def value_text(said: str) -> str:
    """Return the value of a fault; the word of the page for `nothing` if there was none."""
    return _("nothing") if said in NOTHING else said


def expected_text(fault: AnyFault) -> str | Markup:
    """Return what would be right, by the code of a fault; the English of the service if the code is unknown here."""
    try:
        return sentence_text(fault.code or "", fault.data or {})
    except KeyError:
        return mark_english(fault.expected)


def sentence_text(code: str, data: Mapping[str, Any]) -> Markup:
    """Return the sentence of a code with its values. Raises KeyError for an unknown code or a value that is missing."""
    words: Markup = escape(sentences(language())[code])
    values = {name: _value(name, value) for name, value in data.items()}
    if OPTION in words:
        values["option"] = option_text(str(data["option"]), str(data["value"]))
        words = words.replace(OPTION, "%(option)s")
    return words % values


def _value(name: str, value: Any) -> str | Markup:
    """Return a value in the form of the page. Raises KeyError for an expectation with an unknown code."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Markup(", ").join(_value(name, item) for item in value)
    if isinstance(value, Mapping):
        return sentence_text(str(value["code"]), value.get("data", {}))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int) and not name.endswith(YEAR):
        return number(value)
    text = str(value)
    return isolate(VALUES[name](text) if name in VALUES else text)


def _moment(text: str) -> str | Markup:
    return at(text, day=True) or text


VALUES: Mapping[str, Callable[[str], str | Markup]] = {
    **dict.fromkeys(("day", "first_day"), day),
    "time": _moment,
    **dict.fromkeys(("field", "fields", "draw"), rule_word),
    **dict.fromkeys(("option", "options", "needs"), option_question),
}
"""Name of a value in `data` -> its form on a page; other texts are shown as they are."""
