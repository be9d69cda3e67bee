"""Words and marks for states, words of rulesets, and days and names for people.

The words of a shipped ruleset are translated, except proper names such as those of scenarios. The words of any other
ruleset are shown as they are, marked as English.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

from babel.dates import format_skeleton
from markupsafe import Markup

from muster_client import answers
from services.console.hall_time import at, clock, local_day
from services.console.language import N_, _, locale, mark_english, ngettext, number, service_text

CONTEXT = "rules"


def rule_word(text: str) -> str | Markup:
    """Return a word of a ruleset for the middle of a sentence. Underscores become spaces."""
    plain = text.replace("_", " ")
    return service_text(CONTEXT, plain) or mark_english(plain)


def rule_heading(text: str) -> str | Markup:
    """Return a word of a ruleset for a heading, with a capital first letter."""
    plain = text.replace("_", " ")
    translation = service_text(CONTEXT, plain)
    return first_large(translation) if translation else mark_english(first_large(plain))


def column(name: str, words: Mapping[str, str] | None) -> str | Markup:
    """Return a column of the standings for the middle of a sentence. words: name of a column -> word of the ruleset."""
    return rule_word((words or {}).get(name) or name)


def heading(name: str, words: Mapping[str, str] | None) -> str | Markup:
    """Return a column of the standings for the head of a table. words: name of a column -> word of the ruleset."""
    return rule_heading((words or {}).get(name) or name)


def first_large(text: str) -> str:
    """Return a text with a capital first letter; the other letters stay as they are."""
    return text[:1].upper() + text[1:]


COUNTED: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {
        "points": lambda count: ngettext("%(num)s point", "%(num)s points", count),
        "tournament points": lambda count: ngettext("%(num)s tournament point", "%(num)s tournament points", count),
        "match points": lambda count: ngettext("%(num)s match point", "%(num)s match points", count),
        "break points": lambda count: ngettext("%(num)s break point", "%(num)s break points", count),
        "scenario points": lambda count: ngettext("%(num)s scenario point", "%(num)s scenario points", count),
        "half points": lambda count: ngettext("%(num)s half point", "%(num)s half points", count),
        "wins": lambda count: ngettext("%(num)s win", "%(num)s wins", count),
        "search tokens": lambda count: ngettext("%(num)s search token", "%(num)s search tokens", count),
    }
)
"""Word of a shipped ruleset for things that are counted -> a number of them."""


def counted(value: object, word: str) -> str | Markup:
    """Return a value with the ruleset's word for it: `1 tournament point`, or `margin of victory 0` for a quantity."""
    plain = word.replace("_", " ")
    if plain in COUNTED and isinstance(value, int):
        return COUNTED[plain](value)
    if plain in COUNTED:  # a decimal
        return Markup("%s %s") % (number(value), rule_word(plain))
    return Markup("%s %s") % (rule_word(plain), number(value))


GAME = {
    "bye": (N_("bye"), "is-bye"),
    "open": (N_("not reported"), "is-open"),
    "reported": (N_("one side reported"), "is-half"),
    "disputed": (N_("disputed"), "is-dispute"),
    "confirmed": (N_("settled"), "is-bound"),
    "ruled": (N_("settled by a ruling"), "is-bound"),
    "corrected": (N_("settled, corrected"), "is-bound"),
}
"""Status of a game -> words, and the class of its mark."""
FIRST = {"disputed": 0, "open": 1, "reported": 2}
ROUND = {
    "draft": N_("draft, visible to staff only"),
    "paired": N_("paired"),
    "started": N_("being played"),
    "closed": N_("closed"),
    "aside": N_("set aside"),
    "waiting": N_("not paired"),
}
TOURNAMENT = {
    "announced": N_("announced"),
    "running": N_("being played"),
    "concluded": N_("finished"),
    "cancelled": N_("cancelled"),
}
BINDING = ("confirmed", "ruled", "corrected")
"""Statuses of a game that counts."""
OVER = ("concluded", "cancelled")
"""Statuses of an event that is over."""
ROLES = {
    "organiser": N_("organiser"),
    "head_referee": N_("head referee"),
    "referee": N_("referee"),
    "operator": N_("operator"),
}
"""Role of staff -> word for the middle of a sentence."""
SIGNED_IN = ROLES | {"player": N_("player"), "integration": N_("a program")}
"""Role of a signed-in person or program -> word."""
STAFF = {
    "organiser": (N_("Organiser"), N_("Everything you can do at this event.")),
    "head_referee": (N_("Head referee"), N_("Pairs, starts and closes rounds, and decides appeals.")),
    "referee": (N_("Referee"), N_("Checks players in, enters results and makes rulings.")),
    "spare": (N_("Spare player"), N_("Plays when the number of players is odd.")),
    "integration": (N_("A program"), N_("A club website, a rating list or an overlay for a stream.")),
}
"""Role of staff -> heading, and what it is for."""
NO_NAMES: Mapping[str, str] = MappingProxyType({})
LONG_NAME = 27
"""Number of letters from which a name is set smaller on the wall."""


def actor_words(
    actor: answers.ActorView, names: Mapping[str, str] = NO_NAMES, venues: Mapping[str, str] = NO_NAMES
) -> Markup:
    """Return who acted and in which role, in the language of the page: `Sam (referee, Hall B)`.

    names: id of a player or of staff -> name. venues: id -> name; one that is not among them is left out.
    """
    name = Markup("<bdi>%s</bdi>") % names.get(actor.actor, actor.actor)
    if actor.role not in ROLES:
        return name
    role = _(ROLES[actor.role])
    if actor.actor == actor.role:  # a token of the installation, which has no name
        return Markup("%s") % first_large(role)
    if actor.venue and actor.venue in venues:
        return Markup("%s (%s, <bdi>%s</bdi>)") % (name, role, venues[actor.venue])
    return Markup("%s (%s)") % (name, role)


def referee_name(name: str) -> str:
    """Return the name of a referee; for a token of the installation, which has no name, its role as a heading."""
    return first_large(_(ROLES[name])) if name in ROLES else name


def table_name(place: Any) -> str:
    """Return a table as people know it: its label, or its number; empty for no table."""
    label = getattr(place, "table_label", None) or getattr(place, "label", None)
    return label or (str(place.table) if place.table else "")


def filters() -> Mapping[str, Callable[..., Any]]:
    """Return the filters of templates."""
    return {
        "game_word": lambda status: _(GAME[status][0]) if status in GAME else status,
        "game_mark": lambda status: GAME.get(status, ("", ""))[1],
        "round_word": lambda status: _(ROUND[status]) if status in ROUND else status,
        "role_word": lambda role: _(STAFF[role][0]) if role in STAFF else role.replace("_", " "),
        "who_word": lambda role: _(SIGNED_IN[role]) if role in SIGNED_IN else role.replace("_", " "),
        "event_word": lambda status: _(TOURNAMENT[status]) if status in TOURNAMENT else status,
        "referee": referee_name,
        "table_name": table_name,
        "clock": clock,
        "at": at,
        "local_day": local_day,
        "day": day,
        "column": column,
        "counted": counted,
        "heading": heading,
        "rule_word": rule_word,
        "rule_heading": rule_heading,
        "first_large": first_large,
        "number": number,
        "actor": actor_words,
        "first_name": lambda name: name.split()[0] if name.split() else name,
    }


def day(text: str) -> str:
    """Return a day such as `2026-12-05` in the form of the page; return any other text unchanged."""
    try:
        return format_skeleton("yMMMEd", date.fromisoformat(text), locale=locale())
    except ValueError:
        return text


def score_of(facts: Mapping[str, Any] | None, first: int = 1) -> str:
    """Return the score of a result, such as `187 : 142`; empty if it has none. first: the player in front, 1 or 2."""
    if not facts:
        return ""
    points = [facts.get(f"points_{side}") for side in (first, 3 - first)]
    if None in points:
        return {"no_show": _("no-show"), "forfeit": _("forfeit")}.get(str(facts.get("kind", "")), "")
    return f"{points[0]} : {points[1]}"
