"""What is wrong with a list, and what the rules advise against in it."""

from __future__ import annotations

from services.console.language import N_

LISTS: tuple[tuple[str, str], ...] = (
    (
        r"at most (?P<most>\d+) points of (?P<fields>.+), which have (?P<found>\d+)",
        N_("at most %(most)s points of %(fields)s, which have %(found)s"),
    ),
    (r"a whole number: (?P<number>\d+)", N_("a whole number: %(number)s")),
    (r"(?P<number>\d+), the sum", N_("%(number)s, the sum")),
    (r"exactly (?P<number>\d+) of (?P<field>\w+)", N_("%(field)s: exactly %(number)s")),
    (r"(?P<least>\d+) to (?P<most>\d+) of (?P<field>\w+)", N_("%(field)s: %(least)s to %(most)s")),
    (r"exactly (?P<number>\d+) of (?P<field>\w+) (?P<kind>.+)", N_("%(field)s %(kind)s: exactly %(number)s")),
    (r"its (?P<field>[a-z_]+)", N_("its entry %(field)s")),
    (r"its price, (?P<least>\d+) or more", N_("its price, %(least)s or more")),
    (r"its price, if only 0", N_("its price, if only 0")),
    (r"(?P<points>\d+), its price", N_("%(points)s, its price")),
    (r"its requisite, a whole number of 1 or more", N_("its requisite, a whole number of 1 or more")),
    (r"nothing: it is not in use here", N_("nothing, as it is not in use here")),
    (
        r"at most (?P<most>\d+) of (?P<fields>[a-z_]+(?:, [a-z_]+)*) for a (?P<kind>.+)",
        N_("at most %(most)s of %(fields)s for the class %(kind)s"),
    ),
    (
        r"a (?P<kind>.+) that is paid for under (?P<field>\w+), with its Caps",
        N_("a model of the class %(kind)s whose Caps are paid under %(field)s"),
    ),
    (
        r"a perk that can be bought, not one that is (?P<kind>.+)",
        N_("a perk that can be bought, not one of the kind %(kind)s"),
    ),
    (r"each perk once, it is in (?P<place>\S+)", N_("each perk once, it is in %(place)s already")),
    (r"each statistic once for a model", N_("each statistic once for a model")),
    (r"the value it is raised to", N_("the value it is raised to")),
    (r"a model with (?P<perk>.+) under (?P<places>\w+(?: or \w+)*)", N_("a model with %(perk)s, under %(places)s")),
    (r"another: it has no effect", N_("another, as it has no effect")),
    (r"another (?P<field>\w+): this one is not allowed", N_("another entry %(field)s, as this one is not allowed")),
    (r"a name of the catalogue", N_("a name of the catalogue")),
    (r"what is for (?P<own>.*), not for (?P<others>.+)", N_("what is for %(own)s, not for %(others)s")),
    (
        r"what is legal on (?P<first_day>\S+), not from (?P<day>\S+) on",
        N_("what is legal on %(first_day)s, not from %(day)s on"),
    ),
    (r"a monday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Monday as the day of release, not %(day)s (%(kind)s)")),
    (r"a tuesday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Tuesday as the day of release, not %(day)s (%(kind)s)")),
    (r"a wednesday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Wednesday as the day of release, not %(day)s (%(kind)s)")),
    (r"a thursday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Thursday as the day of release, not %(day)s (%(kind)s)")),
    (r"a friday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Friday as the day of release, not %(day)s (%(kind)s)")),
    (r"a saturday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Saturday as the day of release, not %(day)s (%(kind)s)")),
    (r"a sunday, not (?P<kind>.*) of (?P<day>\d\S+)", N_("Sunday as the day of release, not %(day)s (%(kind)s)")),
    (r"a list", N_("a list")),
    (r"an object", N_("an object")),
    (r"text", N_("text")),
    (r"text, a whole number or a list", N_("text, a whole number or a list")),
    (r"only its digest", N_("only its digest")),
    (r"a digest, 64 hexadecimal digits", N_("a digest of 64 hexadecimal digits")),
    (r"nothing: this field is not hidden; send it in `roster`", N_("nothing, as this field is not hidden")),
    (r"(?P<most>\d+) bytes or less", N_("%(most)s bytes or less")),
    (r"handed in by (?P<day>\S+)", N_("handed in by %(day)s")),
    (r"a list that is handed in and accepted", N_("a list that is handed in and accepted")),
    (
        r"a list without the fault, or staff who accept this one",
        N_("a list without the fault, or staff who accept this one"),
    ),
    (r"staff who accept the list, or reject it", N_("staff who accept the list, or reject it")),
)
"""Pattern of what a service says that it expects -> in words of the console."""
