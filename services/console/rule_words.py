"""Words of rulesets in the language of the page: columns of standings, units, forms, calls of time, parts of lists.

A shipped ruleset has all of its words in each language, but for proper names such as those of scenarios; the words of
somebody's own ruleset stay as they are written there, and are marked as English.
"""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from services.console.language import in_english, of_services

CONTEXT = "rules"


def rule_word(text: str) -> str | Markup:
    """A word of a ruleset, within a sentence. Names of members have their underscores as spaces."""
    plain = text.replace("_", " ")
    return of_services(CONTEXT, plain) or in_english(plain)


def rule_heading(text: str) -> str | Markup:
    """The same where it stands alone: its first letter is a capital."""
    plain = text.replace("_", " ")
    found = of_services(CONTEXT, plain)
    return first_large(found) if found else in_english(first_large(plain))


def column(name: str, words: Mapping[str, str] | None) -> str | Markup:
    """A column of the standings, within a sentence. words: of the ruleset, by the names of its columns."""
    return rule_word((words or {}).get(name) or name)


def heading(name: str, words: Mapping[str, str] | None) -> str | Markup:
    """The same above its values."""
    return rule_heading((words or {}).get(name) or name)


def first_large(text: str) -> str:
    """A text with a capital at its beginning; the rest stays, as German nouns need it."""
    return text[:1].upper() + text[1:]
