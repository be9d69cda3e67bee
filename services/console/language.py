"""The language of a page: the one that was chosen, else the one that the browser asks for, else English.

Texts are written in English where they are used, inside `_()`, and stand in `locale/<language>/<area>.po` with their
translation. Nothing is compiled: the files are read when a language is first asked for.

What the services say stands there under a key, in a context (`msgctxt`): titles of problems under their types, and
words of rulesets under themselves. What a language has no words for stays English, and is marked so. Numbers are
written and typed as the language has them: 1,234.5 in English and 1.234,5 in German.
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


def isolated(names: Mapping[str, object]) -> dict[str, object]:
    """The places of a sentence; each that runs from right to left stands by itself, others are as they were."""
    return {name: BEGIN + one + END if turns(one) else one for name, one in names.items()}  # type: ignore[operator]


def turns(one: object) -> bool:
    """Whether something is a text with a letter that runs from right to left."""
    return isinstance(one, str) and any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in one)


def isolate_in(environment: Environment) -> None:
    """Have the sentences of templates isolate what stands in them, too: Jinja fills in their places itself."""
    for name in ("gettext", "ngettext"):
        environment.globals[name] = _isolating(environment.globals[name])


def _isolating(translate: Any) -> Callable[..., str]:
    @pass_context
    def translated(context: Context, *texts: Any, **names: object) -> str:
        found: str = translate(context, *texts, **isolated(names))
        return found

    return translated


LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Code -> name in the language itself; the first is the one that texts are written in."""
SOURCE = "en"
LOCALES = {"en": "en_GB", "de": "de"}
"""Code -> whose days, times and numbers a page of that language has: 5 Dec and 14:32 rather than Dec 5 and 2:32 PM."""
COOKIE = "language"
FOLDER = Path(__file__).parent / "locale"
_KNOWN = "muster.language"
"""Of a request's environment."""


def language() -> str:
    """The language of the page that is being made; a page asks for it with each of its texts."""
    if not has_request_context():
        return SOURCE
    known: str | None = request.environ.get(_KNOWN)
    if known is None:
        known = request.environ[_KNOWN] = _asked_for()
    return known


def _asked_for() -> str:
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())  # the dearest first
    return next((code for code in wanted if code in LANGUAGES), SOURCE)


def locale() -> str:
    """How the page that is being made writes days, times and numbers."""
    return LOCALES[language()]


def _(text: str, /, **names: object) -> str:
    """A text in the language of the page. names: of the places in it, `%(player)s`; a percent sign is written twice."""
    return translations(language()).gettext(text) % isolated(names)


def in_markup(text: str, /, **names: object) -> Markup:
    """A text in the language of the page, with names in it that are escaped unless they are markup."""
    return Markup(translations(language()).gettext(text)) % isolated(names)  # the text is ours, and % escapes names


def ngettext(one: str, many: str, count: int, /, **names: object) -> str:
    """The form of a text that goes with a count, which it may name as `%(num)s`."""
    return translations(language()).ngettext(one, many, count) % {"num": counted(count), **isolated(names)}


def counted(count: int) -> str:
    """How many, with marks between thousands."""
    return format_decimal(count, locale=locale())


def N_(text: str) -> str:
    """Mark a text of a table for translation; `_()` translates it where it is shown."""
    return text


def of_services(context: str, key: str) -> str | None:
    """What the language of the page has for something that the services say; None where it has nothing."""
    return keyed(language()).get((context, key))


def in_english(text: str) -> str | Markup:
    """A text that there is in English alone, marked so on a page in another language (WCAG 3.1.2)."""
    return text if language() == SOURCE or not text else Markup('<span lang="en">%s</span>') % text


@cache
def keyed(code: str) -> dict[tuple[str, str], str]:
    """Context and key -> what a language has for it."""
    if code == SOURCE:
        return {}
    return {(one.context, str(one.id)): str(one.string) for one in catalog(code) if one.context and one.string}


def callables() -> tuple[Callable[[str], str], Callable[[str, str, int], str]]:
    """What Jinja translates with; it fills in the places itself, escaped."""
    return (
        lambda text: translations(language()).gettext(text),
        lambda one, many, count: translations(language()).ngettext(one, many, count),
    )


@cache
def translations(code: str) -> NullTranslations:
    """Every text of a language."""
    if code == SOURCE:
        return NullTranslations()
    compiled = io.BytesIO()
    write_mo(compiled, catalog(code))
    compiled.seek(0)
    return GNUTranslations(compiled)


def catalog(code: str) -> Catalog:
    """What the files of a language say, together. Raises ValueError if two of them translate one text differently."""
    whole = Catalog(locale=code)
    for file in sorted((FOLDER / code).glob("*.po")):
        with file.open("rb") as opened:
            for message in read_po(opened, locale=code, abort_invalid=True):
                if not message.id:
                    continue
                known = whole.get(message.id, message.context)
                if known is not None and known.string != message.string:
                    raise ValueError(f"{file.name} translates {message.id!r} in another way than a file before it")
                whole.add(message.id, message.string, flags=message.flags, context=message.context)
    return whole


DECIMAL = re.compile(r"-?\d{1,30}(?:\.(\d{1,20}))?")
LEAST_WRITTEN = 4
"""Digits from which a whole number has a mark in it."""
MOST_DIGITS = 9
"""Of a number that somebody types."""


def number(value: object) -> str:
    """A number as the page writes it; a decimal keeps its digits behind the point. What is no number stays."""
    text = str(value)
    if len(text) < LEAST_WRITTEN and text.isdecimal():  # most of a table
        return text
    found = DECIMAL.fullmatch(text)
    if found is None or isinstance(value, bool):
        return text
    places = len(found[1] or "")
    pattern = "#,##0" + ("." + "0" * places if places else "")
    return format_decimal(Decimal(text), format=pattern, locale=locale())


def whole_number(typed: str) -> int | None:
    """A whole number as it was typed, with or without marks between its thousands; None for what is none."""
    if typed.isdecimal():
        return int(typed) if len(typed) <= MOST_DIGITS else None
    if len(typed) > 2 * MOST_DIGITS or not typed[:1].isdecimal():
        return None
    try:
        found = parse_decimal(typed, locale=locale(), strict=True)
    except NumberFormatError:
        return None
    return int(found) if found == int(found) and 0 <= found < 10**MOST_DIGITS else None
