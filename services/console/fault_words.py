"""What a service refuses, in the language of the page: the kind of problem by its stable type, and faults of fields.

What happened in the one case at hand, and what to do, follows in a sentence of the console where it has one (see
`refusal_words`), else in the words of the service, marked as English.
"""

from __future__ import annotations

import re

from markupsafe import Markup

from muster_client import Problem
from muster_client.errors import Fault
from services.console.language import N_, SOURCE, _, in_english, in_markup, language, of_services
from services.console.refusal_words import sentence
from services.console.words import day

CONTEXT = "problem"
NOTHING = ("", "nothing")
EXPECTED = (
    (r"a name of 1 to (?P<most>\d+) characters on one line", N_("a name of at most %(most)s letters on one line")),
    (r"text of 0 to (?P<most>\d+) characters", N_("a text of at most %(most)s letters")),
    (r"text of (?P<least>\d+) to (?P<most>\d+) characters", N_("a text of %(least)s to %(most)s letters")),
    (r"an id of 1 to 64 letters a-z, digits, - and _", N_("an id of 1 to 64 letters a-z, digits, - and _")),
    (r"an id of their own.*", N_("an id that nobody else has")),
    (r"a whole number", N_("a whole number")),
    (r"a whole number from (?P<least>-?\d+) to (?P<most>\d+)", N_("a whole number from %(least)s to %(most)s")),
    (r"a whole number, (?P<least>\d+) or more", N_("a whole number, %(least)s or more")),
    (r"(?P<least>\d+) or more", N_("%(least)s or more")),
    (r"(?P<least>\d+) to (?P<most>\d+)", N_("%(least)s to %(most)s")),
    (r"at most (?P<most>\d+)", N_("at most %(most)s")),
    (r"at most (?P<most>\d+) together", N_("at most %(most)s together")),
    (r"at most (?P<most>\d+), the opponent's list", N_("at most %(most)s, the list of the opponent")),
    (r"at least the (?P<least>\d+) destroyed", N_("at least the %(least)s that were destroyed")),
    (r"at least (?P<least>\d+) for a whole fleet", N_("at least %(least)s for a whole fleet")),
    (r"a multiple of (?P<step>\d+)", N_("a multiple of %(step)s")),
    (r"a number", N_("a number")),
    (r"true or false", N_("yes or no")),
    (r"one of:? (?P<choices>.+)", N_("one of these: %(choices)s")),
    (r"1, 2 or (?:draw|tie)", N_("one of the two, or a draw")),
    (r"1 or 2: every game has a winner", N_("one of the two: every game has a winner")),
    (r"1 or 2, the side that conceded", N_("the side that conceded")),
    (r"the side that was there", N_("the side that was there")),
    (r"(?P<winner>[12]), by the points", N_("side %(winner)s, by the points")),
    (r"draw, by the (?:points|margin)", N_("a draw, by the points")),
    (r"a day as YYYY-MM-DD.*", N_("a day, as 2026-12-24")),
    (r"(?P<day>\d{4}-\d\d-\d\d) or later", N_("%(day)s or later")),
    (r"a moment as RFC 3339", N_("a day and a time")),
    (r"a web address", N_("a web address")),
    (r"another name|a name of their own", N_("a name that nobody else has")),
    (r"a table of (?:this venue|.+)", N_("a table of this venue")),
    (r"a free table(?:, or wave; .+)?", N_("a free table")),
    (r"the id of a player of this tournament", N_("a player of this event")),
    (r"everybody once", N_("everybody once")),
    (r"each player once", N_("each player once")),
    (r"each column once", N_("each column once")),
    (r"a file in UTF-8", N_("a file in UTF-8")),
    (r"a line for each player", N_("a line for each player")),
    (r"(?P<columns>\d+) columns", N_("%(columns)s columns")),
    (r"players of two games, or of two sides with allies", N_("players of two games")),
    (r"opponents who have not met yet, or allow_rematch", N_("opponents who have not met yet")),
)
"""What a service says that it expects, as it says so -> in words of the console; what has no row stays in its words."""
_EXPECTED = [(re.compile(pattern), words) for pattern, words in EXPECTED]


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
        said = f"{fault.said}; " if fault.said else ""
        return f"{said}{fault.expected}{clause}"
    right = expected(fault.expected)
    if fault.said in NOTHING:
        return in_markup(N_("Missing: %(right)s%(clause)s."), right=right, clause=clause)
    words = N_("%(said)s does not fit. Right is: %(right)s%(clause)s.")
    return in_markup(words, said=fault.said, right=right, clause=clause)


def expected(text: str) -> str | Markup:
    """What would be right, in the language of the page where there are words for it."""
    if language() == SOURCE:
        return text
    for pattern, words in _EXPECTED:
        if found := pattern.fullmatch(text):
            places = found.groupdict()
            if "day" in places:
                places["day"] = day(places["day"])
            return _(words, **places)
    first, parted, rest = text.partition("; ")
    if parted and (known := expected(first)) != in_english(first):
        return Markup("%s; %s") % (known, in_english(rest))
    return in_english(text)
