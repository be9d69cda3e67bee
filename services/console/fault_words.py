"""What a service refuses, in the language of the page: the kind of problem by its stable type, and faults of fields.

What happened in the one case at hand, and what to do, follows in a sentence of the console where it has one (see
`refusal_words`), else in the words of the service, marked as English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from muster_client import Problem
from muster_client.errors import Fault
from services.console.faults.event import EVENT
from services.console.faults.fields import FIELDS
from services.console.faults.games import RESULTS, ROUNDS, SAID
from services.console.faults.lists import LISTS
from services.console.language import N_, SOURCE, _, in_english, in_markup, language, of_services
from services.console.option_words import asked, option_in_words
from services.console.refusal_words import sentence
from services.console.words import day, rule_word

CONTEXT = "problem"
NOTHING = ("", "nothing", "no score")
EXPECTED = (*LISTS, *RESULTS, *ROUNDS, *EVENT, *FIELDS)
"""What a service says that it expects -> in words of the console; the first that fits is said."""
OPTION = re.compile(
    r"(?P<right>.+), or the option (?P<option>\w+=\S+?)(?: with (?P<needs>\S+(?: and \S+)*?))?"
    r"(?P<until>|, set with the announcement|, set before round 1)"
)
"""What is expected, with the option of a ruleset that would allow what was said."""
UNTIL = {
    "": N_("%(right)s, or the option %(option)s"),
    ", set with the announcement": N_("%(right)s, or the option %(option)s, set with the announcement"),
    ", set before round 1": N_("%(right)s, or the option %(option)s, set before round 1"),
}
DAYS, NUMBER = ("day", "first_day"), re.compile(r"-?\d+")
BETWEEN = re.compile(r", | and ")
_EXPECTED = [(re.compile(pattern), words) for pattern, words in EXPECTED]
_SAID = [(re.compile(pattern), words) for pattern, words in SAID]


def lead(problem: Problem) -> str | Markup:
    """What a service says of a refusal: in English in its own words, else its kind and what there are words for."""
    said, title = in_english(problem.detail or problem.title), of_services(CONTEXT, problem.code)
    if title is None:
        return said
    kind, ours = title if title.endswith("?") else f"{title}.", sentence(problem)
    more = said if ours is None else ours
    return Markup("%s %s") % (kind, more) if more else kind


def told(fault: Fault) -> str | Markup:
    """What is wrong with a field, and what would be right."""
    clause = f" ({fault.clause})" if fault.clause else ""
    if language() == SOURCE:
        found = f"{fault.said}; " if fault.said else ""
        return f"{found}{fault.expected}{clause}"
    right = expected(fault.expected)
    if fault.said in NOTHING:
        return in_markup(N_("Missing: %(right)s%(clause)s."), right=right, clause=clause)
    words = N_("%(said)s does not fit. Right is: %(right)s%(clause)s.")
    return in_markup(words, said=said(fault.said), right=right, clause=clause)


def said(text: str) -> str | Markup:
    """What was found, in the language of the page where it is more than one value."""
    if language() == SOURCE:
        return text
    return _in_words(_SAID, text) or (_("nothing") if text in NOTHING else text)


def expected(text: str) -> str | Markup:
    """What would be right, in the language of the page where there are words for it."""
    if language() == SOURCE:
        return text
    if found := OPTION.fullmatch(text):
        option = option_in_words(*found["option"].split("=", 1))
        if found["needs"]:
            needs = ", ".join(map(asked, found["needs"].split(" and ")))
            option = _("%(option)s with %(needs)s", option=option, needs=needs)
        return in_markup(UNTIL[found["until"]], right=_parts_in_words(found["right"]), option=option)
    return _parts_in_words(text)


def _parts_in_words(text: str) -> str | Markup:
    """What is expected as a whole, or else each of its parts."""
    if NUMBER.fullmatch(text):
        return text
    if words := _in_words(_EXPECTED, text):
        return words
    parts = text.split("; ")
    return Markup("; ").join(map(_parts_in_words, parts)) if parts[1:] else in_english(text)


def _in_words(table: Sequence[tuple[re.Pattern[str], str]], text: str) -> Markup | None:
    """The words of the first row that fits, with what the text has at their places; None where no row does."""
    found = next(((match, words) for pattern, words in table if (match := pattern.fullmatch(text))), None)
    if found is None:
        return None
    match, words = found
    return in_markup(words, **{name: _place(name, value or "") for name, value in match.groupdict().items()})


def _place(name: str, value: str) -> str | Markup:
    """What stands at a place of a text: a day as the page writes it, fields by their words; names as they are typed."""
    if name in DAYS:
        return day(value)
    if name == "field":
        return rule_word(value)
    if name == "places":
        return value.replace(" or ", ", ")
    return Markup(", ").join(map(rule_word, BETWEEN.split(value))) if name == "fields" else value
