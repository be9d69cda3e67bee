"""A fault is shown by its code: the sentence of the page's language, with its values in the form of the page."""

from __future__ import annotations

from typing import Any

import pytest

from muster_client import Fault, Problem
from services.console import problem_words
from services.console.language import BEGIN, END, LANGUAGES, SOURCE
from services.console.problem_words import PLACE, VALUES, expected_text, fault_text, value_text
from services.console.words import rule_word
from shared.fault_texts import sentences

HEBREW = "דנה"
SENTENCES = {
    "en": {
        "after": "%(day)s or later",
        "between": "from %(first_year)s to %(last_year)s",
        "later": "after %(time)s",
        "among": "one of %(values)s",
        "limit": "at most %(most)s",
        "of-field": "its %(field)s",
        "of-fields": "points of %(fields)s",
        "met": "%(player)s to leave <now>",
        "or": "%(expected)s, or %(other)s",
        "each": "all of: %(parts)s",
        "plain": "a round",
        "option": "the option %(option)s=%(value)s",
        "with": "the option %(option)s=%(value)s with %(needs)s",
    },
    "de": {
        "after": "%(day)s oder später",
        "between": "von %(first_year)s bis %(last_year)s",
        "later": "nach %(time)s",
        "among": "eines von %(values)s",
        "limit": "höchstens %(most)s",
        "of-field": "die Angabe %(field)s",
        "of-fields": "Punkte für %(fields)s",
        "met": "dass %(player)s <jetzt> geht",
        "or": "%(expected)s, oder %(other)s",
        "each": "alles davon: %(parts)s",
        "plain": "eine Runde",
        "option": "die Option %(option)s=%(value)s",
        "with": "die Option %(option)s=%(value)s mit %(needs)s",
    },
}
ROWS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "no values": ("plain", {}, "a round", "eine Runde"),
    "a day": ("after", {"day": "2026-12-05"}, "Sat, 5 Dec 2026 or later", "Sa., 5. Dez. 2026 oder später"),
    "no day": ("after", {"day": "never"}, "never or later", "never oder später"),
    "years": ("between", {"first_year": 1900, "last_year": 2999}, "from 1900 to 2999", "von 1900 bis 2999"),
    "a moment": (
        "later",
        {"time": "2020-12-05T13:32:00Z"},
        'after <time datetime="2020-12-05T13:32:00Z">Sat, 5 Dec 2020, 13:32 UTC</time>',
        'nach <time datetime="2020-12-05T13:32:00Z">Sa., 5. Dez. 2020, 13:32 UTC</time>',
    ),
    "a large number": ("limit", {"most": 12500}, "at most 12,500", "höchstens 12.500"),
    "text of digits": ("limit", {"most": "12500"}, "at most 12500", "höchstens 12500"),
    "yes or no": ("among", {"values": [True, False]}, "one of yes, no", "eines von ja, nein"),
    "a list": ("among", {"values": ["hall", 1234]}, "one of hall, 1,234", "eines von hall, 1.234"),
    "an empty list": ("among", {"values": []}, "one of ", "eines von "),
    "a word of a ruleset": ("of-field", {"field": "fleet_total"}, "its fleet total", "die Angabe Flotte insgesamt"),
    "a word of somebody's own ruleset": (
        "of-field",
        {"field": "glory_<b>"},
        "its glory &lt;b&gt;",
        'die Angabe <span lang="en">glory &lt;b&gt;</span>',
    ),
    "several words of a ruleset": (
        "of-fields",
        {"fields": ["ships", "squadrons"]},
        "points of ships, squadrons",
        "Punkte für Schiffe, Staffeln",
    ),
    "an expectation in another": (
        "or",
        {"expected": {"code": "limit", "data": {"most": 1500}}, "other": {"code": "plain"}},
        "at most 1,500, or a round",
        "höchstens 1.500, oder eine Runde",
    ),
    "a list of expectations": (
        "each",
        {"parts": [{"code": "plain"}, {"code": "after", "data": {"day": "2026-12-05"}}]},
        "all of: a round, Sat, 5 Dec 2026 or later",
        "alles davon: eine Runde, Sa., 5. Dez. 2026 oder später",
    ),
    "markup in a name": (
        "met",
        {"player": "<b>Ana</b> & %(x)s"},
        "&lt;b&gt;Ana&lt;/b&gt; &amp; %(x)s to leave &lt;now&gt;",
        "dass &lt;b&gt;Ana&lt;/b&gt; &amp; %(x)s &lt;jetzt&gt; geht",
    ),
    "a right-to-left name": (
        "met",
        {"player": HEBREW},
        f"{BEGIN}{HEBREW}{END} to leave &lt;now&gt;",
        f"dass {BEGIN}{HEBREW}{END} &lt;jetzt&gt; geht",
    ),
    "right-to-left names in a list": (
        "among",
        {"values": [HEBREW, "Ana"]},
        f"one of {BEGIN}{HEBREW}{END}, Ana",
        f"eines von {BEGIN}{HEBREW}{END}, Ana",
    ),
    "an option": (
        "option",
        {"option": "late_entry", "value": "zero_points"},
        "the option “Late entries after round 1 is paired?” Yes, starting with no points",
        "die Option „Dürfen Spieler noch einsteigen, wenn Runde 1 ausgelost ist?“ Ja, ohne Punkte",
    ),
    "an option of somebody's own ruleset": (
        "with",
        {"option": "<glory>", "value": "7", "needs": ["ap_limit", "more"]},
        "the option &lt;glory&gt;=7 with “Army points per list, at most”, more",
        "die Option &lt;glory&gt;=7 mit „Höchstens so viele Armeepunkte je Liste“, more",
    ),
    "a value too many": ("plain", {"more": 1}, "a round", "eine Runde"),
}
"""What is tried -> code, values, and the text on an English and on a German page."""
FALLBACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown code": ("riddle", {"most": 1}),
    "no code": ("", {}),
    "a value that is missing": ("limit", {}),
    "an unknown code in another": ("or", {"expected": {"code": "riddle"}, "other": {"code": "plain"}}),
    "an object without a code": ("limit", {"most": {"least": 1}}),
}
"""What is tried -> code and values for which this console has no sentence."""


@pytest.fixture
def catalog(monkeypatch):
    """Sentences of these tests in place of the shipped ones."""
    monkeypatch.setattr(problem_words, "sentences", SENTENCES.__getitem__)


def fault_of(code: str, data: dict[str, Any], expected: str = "a riddle", said: str = "x", clause: str = "") -> Fault:
    """Return the fault of a problem of a service."""
    errors = [{"where": "/x", "said": said, "code": code, "data": data, "expected": expected, "clause": clause}]
    return Problem("registration", 422, {"code": "invalid-request", "errors": errors}).faults[0]


def on_page(app, language: str, text: Any, *args: Any) -> str:
    """Return what a page in a language shows."""
    with app.test_request_context(headers={"Accept-Language": language}):
        return str(text(*args))


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("row", ROWS)
def test_values_are_shown_in_the_form_of_the_page(app, row):
    code, data, english, german = ROWS[row]
    fault = fault_of(code, data)
    assert on_page(app, "en", expected_text, fault) == english
    assert on_page(app, "de", expected_text, fault) == german


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("row", FALLBACKS)
def test_a_fault_without_a_sentence_is_shown_in_the_marked_english_of_the_service(app, row):
    fault = fault_of(*FALLBACKS[row], expected="a <riddle>")
    assert on_page(app, "de", expected_text, fault) == '<span lang="en">a &lt;riddle&gt;</span>'
    assert on_page(app, "en", expected_text, fault) == "a <riddle>"  # the template escapes it


@pytest.mark.usefixtures("catalog")
def test_a_fault_names_the_value_what_is_right_and_the_clause(app):
    fault = fault_of("limit", {"most": 4000}, said="<b>9</b>", clause="AR-1")
    assert on_page(app, "de", fault_text, fault) == (
        "&lt;b&gt;9&lt;/b&gt; passt nicht. Richtig ist: höchstens 4.000 (AR-1)."
    )
    assert on_page(app, "en", fault_text, fault) == (
        "&lt;b&gt;9&lt;/b&gt; is not valid. Expected: at most 4,000 (AR-1)."
    )


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("said", ["", "nothing"])
def test_a_fault_says_that_a_value_is_missing(app, said):
    fault = fault_of("plain", {}, said=said)
    assert on_page(app, "de", fault_text, fault) == "Hier fehlt: eine Runde."
    assert on_page(app, "en", fault_text, fault) == "Missing: a round."
    assert on_page(app, "de", value_text, said) == "nichts"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_services_is_rendered_in_the_language_of_the_page(app, language):
    assert len(sentences(SOURCE)) > 20
    for code, sentence in sentences(SOURCE).items():
        values = {name: "draw" if VALUES.get(name) is rule_word else "7" for name in PLACE.findall(sentence)}
        text = on_page(app, language, expected_text, fault_of(code, values))
        assert 'lang="en"' not in text, code
        assert "%(" not in text, code
