"""What a field of any form takes. Looked at last, as these fit many texts."""

from __future__ import annotations

from services.console.language import N_

FIELDS: tuple[tuple[str, str], ...] = (
    (r"a name of 1 to (?P<most>\d+) characters on one line", N_("a name of at most %(most)s letters on one line")),
    (r"text of 0 to (?P<most>\d+) characters", N_("a text of at most %(most)s letters")),
    (r"text of (?P<least>\d+) to (?P<most>\d+) characters", N_("a text of %(least)s to %(most)s letters")),
    (r"an id of 1 to 64 letters a-z, digits, - and _", N_("an id of 1 to 64 letters a-z, digits, - and _")),
    (r"it has (?P<count>\d+) characters", N_("it has %(count)s letters")),
    (r"it is empty", N_("it is empty")),
    (r"nothing in it can be seen", N_("nothing in it can be seen")),
    (r"it has half of a character \(a lone surrogate\)", N_("it has half of a letter")),
    (
        r"it has a character that changes direction \((?P<code>\S+)\)",
        N_("it has a character that changes direction (%(code)s)"),
    ),
    (r"it has a line break", N_("it has a line break")),
    (r"it has a control character \((?P<code>\S+)\)", N_("it has a control character (%(code)s)")),
    (r"a whole number", N_("a whole number")),
    (r"a whole number from (?P<least>-?\d+) to (?P<most>\d+)", N_("a whole number from %(least)s to %(most)s")),
    (r"a whole number, (?P<least>\d+) or more", N_("a whole number, %(least)s or more")),
    (r"(?P<least>\d+) or more", N_("%(least)s or more")),
    (r"(?P<least>\d+) to (?P<most>\d+)", N_("%(least)s to %(most)s")),
    (r"at most (?P<most>\d+)", N_("at most %(most)s")),
    (r"at most (?P<most>\d+) together", N_("at most %(most)s together")),
    (r"a multiple of (?P<step>\d+)", N_("a multiple of %(step)s")),
    (r"a number", N_("a number")),
    (r"true or false", N_("yes or no")),
    (r"a day as YYYY-MM-DD.*", N_("a day from 1900 to 2999, as 2026-12-24")),
    (r"(?P<day>\d{4}-\d\d-\d\d) or later", N_("%(day)s or later")),
    (r"a moment as RFC 3339", N_("a day and a time")),
    (r"a web address", N_("a web address")),
    (r"a list, each .+, (?P<least>\d+) to (?P<most>\d+) long", N_("a list of %(least)s to %(most)s entries")),
    (r"a list, each .+", N_("a list")),
    (
        r"a whole number from (?P<least>\d+) to (?P<most>\d+), or a list.*",
        N_("a whole number from %(least)s to %(most)s, or a list"),
    ),
    (r"an object with .+", N_("an object")),
    (r"nothing", N_("nothing")),
    (r"one of:? (?P<choices>.+)", N_("one of these: %(choices)s")),
)
"""Pattern of what a service says that it expects -> in words of the console."""
