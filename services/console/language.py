"""The language of a page: the reader's choice, or else the browser's, or else English.

Texts are written in English where they are used, inside `_()`. `locale/<language>.po` has their translations. Nothing
is compiled: the file is read when a page first needs its language.

The same file has the texts of the services, each under a key in a context (`msgctxt`): titles of problems under their
codes, and words of rulesets under themselves. A text without a translation stays English and is marked as English.
Numbers are written and read in the form of the language: 1,234.5 in English and 1.234,5 in German.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import NumberFormatError, format_decimal, parse_decimal
from flask import has_request_context, request
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

BEGIN, END = "\u2068", "\u2069"
"""Between these a text has its own direction, as in a `bdi` (Unicode, UAX 9: first strong isolate)."""
RIGHT_TO_LEFT = ("R", "AL")


def isolate_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a sentence, with each right-to-left text isolated from the words around it."""
    return {name: isolate(value) if isinstance(value, str) else value for name, value in values.items()}


def isolate(text: str) -> str:
    """Wrap a right-to-left text in Unicode isolation marks; return any other text unchanged."""
    return BEGIN + text + END if is_right_to_left(text) else text


def is_right_to_left(text: str) -> bool:
    """Return True if a text has a letter that is written from right to left."""
    return any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text)


def isolate_in(environment: Environment) -> None:
    """Make translated texts in templates isolate their values too, since Jinja fills in the placeholders itself."""
    for name in ("gettext", "ngettext"):
        environment.globals[name] = _isolating(environment.globals[name])


def _isolating(translate: Any) -> Callable[..., str]:
    @pass_context
    def translated(context: Context, *texts: Any, **names: object) -> str:
        translation: str = translate(context, *texts, **isolate_values(names))
        return translation

    return translated


LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Code -> name in the language itself; texts are written in the first one."""
SOURCE = "en"
LOCALES = {"en": "en_GB", "de": "de"}
"""Code -> locale for the days, times and numbers of a page: 5 Dec and 14:32 rather than Dec 5 and 2:32 PM."""
COOKIE = "language"
FOLDER = Path(__file__).parent / "locale"
_KNOWN = "muster.language"
"""Key of the WSGI environ that caches the language of the request."""


def language() -> str:
    """Return the language of the current page; English outside a request."""
    if not has_request_context():
        return SOURCE
    known: str | None = request.environ.get(_KNOWN)
    if known is None:
        known = request.environ[_KNOWN] = _requested_language()
    return known


def _requested_language() -> str:
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    accepted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())  # most preferred first
    return next((code for code in accepted if code in LANGUAGES), SOURCE)


def locale() -> str:
    """Return the locale of the current page, for its days, times and numbers."""
    return LOCALES[language()]


def _(text: str, /, **values: object) -> str:
    """Return a text in the language of the page. values: placeholder values, as for `%(player)s`; `%%` is `%`."""
    return translations(language()).gettext(text) % isolate_values(values)


def in_markup(text: str, /, **values: object) -> Markup:
    """Return a text in the language of the page as markup; values are escaped unless they are markup themselves."""
    return Markup(translations(language()).gettext(text)) % isolate_values(values)  # the text is ours; % escapes values


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the singular or plural form of a text for a count, which the text may name as `%(num)s`."""
    return translations(language()).ngettext(one, many, count) % {"num": format_count(count), **isolate_values(values)}


def format_count(count: int) -> str:
    """Return a count with thousands separators."""
    return format_decimal(count, locale=locale())


def N_(text: str) -> str:
    """Mark a text of a table for translation; `_()` translates it when it is shown."""
    return text


def service_text(context: str, key: str) -> str | None:
    """Return the translation of a text of the services into the language of the page; None if there is none."""
    return service_texts(language()).get((context, key))


def mark_english(text: str) -> str | Markup:
    """Return a text that exists in English only, marked as English on a page in another language (WCAG 3.1.2)."""
    return text if language() == SOURCE or not text else Markup('<span lang="en">%s</span>') % text


@cache
def service_texts(code: str) -> dict[tuple[str, str], str]:
    """Return the translations of the texts of the services into a language, by context and key; none for English."""
    if code == SOURCE:
        return {}
    entries = catalog(code)
    return {(entry.context, str(entry.id)): str(entry.string) for entry in entries if entry.context and entry.string}


def gettext_functions() -> tuple[Callable[[str], str], Callable[[str, str, int], str]]:
    """Return gettext and ngettext for Jinja, which escapes values and fills in the placeholders itself."""
    return (
        lambda text: translations(language()).gettext(text),
        lambda one, many, count: translations(language()).ngettext(one, many, count),
    )


@cache
def translations(code: str) -> NullTranslations:
    """Return all translations into a language."""
    if code == SOURCE:
        return NullTranslations()
    compiled = io.BytesIO()
    write_mo(compiled, catalog(code))
    compiled.seek(0)
    return GNUTranslations(compiled)


def catalog(code: str) -> Catalog:
    """Return the entries of the file of a language."""
    with (FOLDER / f"{code}.po").open("rb") as opened:
        return read_po(opened, locale=code, abort_invalid=True)


DECIMAL = re.compile(r"-?\d{1,30}(?:\.(\d{1,20}))?")
LEAST_WRITTEN = 4
"""Digits from which a whole number has a thousands separator."""
MOST_DIGITS = 9
"""Most digits of a number that a person types."""


def number(value: object) -> str:
    """Return a number in the form of the page, with as many decimals as it has; return any other text unchanged."""
    text = str(value)
    if len(text) < LEAST_WRITTEN and text.isdecimal():  # most of a table
        return text
    match = DECIMAL.fullmatch(text)
    if match is None or isinstance(value, bool):
        return text
    places = len(match[1] or "")
    pattern = "#,##0" + ("." + "0" * places if places else "")
    return format_decimal(Decimal(text), format=pattern, locale=locale())


def whole_number(typed: str) -> int | None:
    """Return the whole number that a person typed, with or without thousands separators; None if it is not one."""
    if typed.isdecimal():
        return int(typed) if len(typed) <= MOST_DIGITS else None
    if len(typed) > 2 * MOST_DIGITS or not typed[:1].isdecimal():
        return None
    try:
        value = parse_decimal(typed, locale=locale(), strict=True)
    except NumberFormatError:
        return None
    return int(value) if value == int(value) and 0 <= value < 10**MOST_DIGITS else None
