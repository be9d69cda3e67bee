"""Why two meet, and what the rules think of a round: what pairing says, in the language of the page.

Pairing says reasons in sentences of a known form, with ids of players in them. Here each form has its words, and ids
are names. What is of another form, such as the words of whoever amended a round, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from muster_client import answers
from services.console.language import N_, _, in_english, in_markup, number

WHO = r"(?P<{}>[\w-]+|the spare player)"
ONE, OTHER, THIRD = (WHO.format(place) for place in ("player", "other", "third"))
PLAYERS = ("player", "other", "third")
"""Places of a form that hold an id."""
REASONS = (
    (r"drawn for the first round", N_("drawn for the first round")),
    (r"drawn, (?P<above>\S+) and (?P<below>\S+) points", N_("drawn, %(above)s and %(below)s points")),
    (r"same group, (?P<above>\S+) points", N_("same group, %(above)s points")),
    (r"paired down from (?P<above>\S+) to (?P<below>\S+) points", N_("paired down from %(above)s to %(below)s points")),
    (r"next to each other in the standings", N_("next to each other in the standings")),
    (
        r"next to each other with late entries behind the standings",
        N_("next to each other, with late entries behind the standings"),
    ),
    (r"left over by the draw of the first round", N_("left over by the draw of the first round")),
    (r"bye rule: (?P<clause>\S+), drawn", N_("bye rule: %(clause)s, drawn")),
    (r"bye rule: (?P<clause>\S+)", N_("bye rule: %(clause)s")),
    (
        ONE.join(("moved from ", r" to avoid a rematch: (?P<clause>\S+)")),
        N_("moved from %(player)s to avoid a rematch: %(clause)s"),
    ),
    (r"walkover", N_("goes on without a game")),
    (r"by hand", N_("by hand")),
    (
        r"bracket: number (?P<one>\d+) of the cut against number (?P<two>\d+)",
        N_("bracket: number %(one)s of the cut against number %(two)s"),
    ),
    (r"last in the standings", N_("last in the standings")),
    (
        r"last in the standings, and everybody has met the spare player",
        N_("last in the standings, and everybody has met the spare player"),
    ),
    (
        r"the last in the standings who has not met the spare player",
        N_("the last in the standings who has not met the spare player"),
    ),
    (
        ONE.join(("in place of ", ", the first who dropped")),
        N_("in place of %(player)s, the first who dropped out"),
    ),
    (r"a bye won before the start", N_("a bye won before the start")),
    (r"a bye that the player asked for", N_("a bye that the player asked for")),
    (r"everybody else has a given bye", N_("everyone else has a bye that was given beforehand")),
    (r"nobody else to be paired at this venue", N_("no one else to be paired at this venue")),
    (
        r"numbers (?P<one>\d+) and (?P<two>\d+) of the table; they have met before their turn",
        N_("numbers %(one)s and %(two)s of the table; they have met before their turn"),
    ),
    (r"numbers (?P<one>\d+) and (?P<two>\d+) of the table", N_("numbers %(one)s and %(two)s of the table")),
    (r"number (?P<one>\d+) of the table meets nobody", N_("number %(one)s of the table meets nobody")),
    (
        rf"number (?P<one>\d+) of the table meets number (?P<two>\d+), {ONE}, who does not play",
        N_("number %(one)s of the table meets number %(two)s, %(player)s, who does not play"),
    ),
)
"""A reason as pairing says it -> in words of the console."""
CAUSES = (
    (r"(?P<more>\d+) more stand between them", N_("%(more)s more stand between them")),
    (r"others between them are paired elsewhere", N_("others between them are paired elsewhere")),
    (ONE + r" has the bye", N_("%(player)s has the bye")),
    (ONE + r" meets the spare player", N_("%(player)s meets the spare player")),
    (ONE + r" does not play", N_("%(player)s does not play")),
    (rf"{ONE} and {OTHER} are kept apart", N_("%(player)s and %(other)s are kept apart")),
    (
        rf"{ONE} plays {OTHER}, who stands higher",
        N_("%(player)s plays %(other)s, who stands higher"),
    ),
    (
        rf"{ONE} moved down, having met {OTHER}",
        N_("%(player)s moved down, having met %(other)s"),
    ),
    (
        rf"{ONE} was paired before {OTHER}, who moved down, having met {THIRD}",
        N_("%(player)s was paired before %(other)s, who moved down, having met %(third)s"),
    ),
    (
        rf"{ONE} against {OTHER} would lead to a rematch further down",
        N_("%(player)s against %(other)s would lead to a rematch further down"),
    ),
    (
        rf"{ONE} against {OTHER} would make the rematches further down worse",
        N_("%(player)s against %(other)s would make the rematches further down worse"),
    ),
)
"""What became of somebody who stands between two -> in words of the console."""
MET = re.compile(rf"{ONE} has met (?P<others>.+)")
NEAREST = re.compile(
    rf"nearest (?P<where>in the standings|with late entries behind the standings) for {ONE}"
    r" \((?P<causes>.*)\)"
)
POINTS = re.compile(r"(?P<why>n.*), (?P<above>\S+) and (?P<below>\S+) points")
AGAIN = (
    (r"(?P<why>.+); second meeting; fewest possible", N_("%(why)s; second meeting; fewest possible")),
    (r"(?P<why>.+); third meeting; fewest possible", N_("%(why)s; third meeting; fewest possible")),
    (
        r"(?P<why>.+); meeting no\. (?P<number>\d+); fewest possible",
        N_("%(why)s; meeting no. %(number)s; fewest possible"),
    ),
)
TIMES = re.compile(r"(?P<player>.+) \((?P<times>\d+) times\)")
FINDINGS = {
    "kept_apart": (r"they asked not to meet", N_("they asked not to meet")),
    "other_venue": (r"not at their venue", N_("not at their venue")),
    "venue_closed": (r"(?P<venue>.+) is closed", N_("%(venue)s is closed")),
    "table_gone": (r"(?P<venue>.+) has no table (?P<table>\d+)", N_("%(venue)s has no table %(table)s")),
    "table_shared": (
        r"(?P<games>\d+) games are at table (?P<table>\d+) at once",
        N_("%(games)s games are at table %(table)s at once"),
    ),
    "not_at_fixed_table": (r"not at the table that is fixed for them", N_("not at the table that is fixed for them")),
    "table_kept_free": (
        r"table (?P<table>\d+) is kept for players who need it",
        N_("table %(table)s is kept for players who need it"),
    ),
    "table_again": (r"at table (?P<table>\d+) before", N_("at table %(table)s before")),
    "bye_again": (r"had a bye in round (?P<round>\d+)", N_("had a bye in round %(round)s")),
    "byes_together": (
        r"(?P<players>\d+) have a bye who could play each other",
        N_("%(players)s have a bye who could play each other"),
    ),
    "byes_meet": (r"all had a bye in round (?P<round>\d+)", N_("all had a bye in round %(round)s")),
    "bye_beside_spare": (r"(?P<spare>.+) stands by to play", N_("%(spare)s stands by to play")),
    "staff_plays": (
        r"of the staff; another one decides in this game",
        N_("of the staff; somebody else decides in this game"),
    ),
    "left_out": (r"The rules would pair (?P<names>.+) too", N_("The rules would pair %(names)s too")),
    "older_standings": (
        r"The standings before round (?P<round>\d+) are others by now",
        N_("The standings before round %(round)s are others by now"),
    ),
}
"""Code of a finding -> what pairing says of it, and how the console does."""
OTHERWISE = (
    (r"they have met before", N_("they have met before")),
    (r"they have met (?P<times>\d+) times before", N_("they have met %(times)s times before")),
    (r"of the staff no more", N_("of the staff no more")),
    (r"in another game, too", N_("in another game, too")),
    (r"cannot play as it is: no roster", N_("cannot play as it is: no list")),
    (r"cannot play as it is: not checked in", N_("cannot play as it is: not checked in")),
    (r"cannot play as it is: dropped", N_("cannot play as it is: dropped out")),
    (r"cannot play as it is: disqualified", N_("cannot play as it is: disqualified")),
    (r"cannot play as it is: withdrawn", N_("cannot play as it is: gave up the seat")),
    (r"cannot play as it is: waiting", N_("cannot play as it is: waits for a seat")),
)
"""Findings whose code has several forms."""


def reason(text: str, names: Mapping[str, str]) -> str | Markup:
    """Why two meet. names: id of a player -> their name."""
    for pattern, words in AGAIN:
        if found := re.fullmatch(pattern, text):
            return in_markup(words, **found.groupdict() | {"why": reason(found["why"], names)})
    if (found := POINTS.fullmatch(text)) and (why := reason(found["why"], names)) != found["why"]:
        above, below = number(found["above"]), number(found["below"])
        return in_markup(N_("%(why)s, %(above)s and %(below)s points"), why=why, above=above, below=below)
    if found := NEAREST.fullmatch(text):
        causes = Markup("; ").join(_cause(one, names) for one in found["causes"].split("; "))
        late = found["where"] != "in the standings"
        words = (
            N_("nearest with late entries behind the standings for %(player)s (%(causes)s)")
            if late
            else N_("nearest in the standings for %(player)s (%(causes)s)")
        )
        return in_markup(words, player=_name(found["player"], names), causes=causes)
    said = _of(REASONS, text, names)
    return text.replace("_", " ") if said is None else said


def finding(one: answers.FindingView, names: Mapping[str, str]) -> str | Markup:
    """What the rules think of something in a round. names: id of a player -> their name."""
    who = ", ".join(names.get(player, player) for player in one.players) or one.game
    whole = one.said.removesuffix(".")
    for before in (f"{who}: ", f"{one.game}: ", ""):
        what = _of([FINDINGS[one.code]] if one.code in FINDINGS else OTHERWISE, whole.removeprefix(before), {})
        if what is not None and whole.startswith(before):
            return Markup("%s: %s.") % (who, what) if before else Markup("%s.") % what
    return in_english(one.said)


def _cause(text: str, names: Mapping[str, str]) -> str | Markup:
    if found := MET.fullmatch(text):
        others = found["others"].split(" and ")
        who = _name(found["player"], names)
        return in_markup(N_("%(player)s has met %(others)s"), player=who, others=_all(others, names))
    said = _of(CAUSES, text, names)
    return in_english(text) if said is None else said


def _of(forms: Sequence[tuple[str, str]], text: str, names: Mapping[str, str]) -> Markup | None:
    """A text of one of these forms in the language of the page; None for one of another form."""
    for pattern, words in forms:
        if found := re.fullmatch(pattern, text):
            places = {
                place: _name(said, names) if place in PLAYERS else number(said) if place in ("above", "below") else said
                for place, said in found.groupdict().items()
            }
            return in_markup(words, **places)
    return None


def _name(id: str, names: Mapping[str, str]) -> str | Markup:
    if id == "the spare player":
        return _("the spare player")
    return Markup("<bdi>%s</bdi>") % names.get(id, id)


def _often(text: str, names: Mapping[str, str]) -> str | Markup:
    """A player, with the number of games where that is said."""
    if found := TIMES.fullmatch(text):
        return in_markup(N_("%(player)s (%(times)s times)"), player=_name(found["player"], names), times=found["times"])
    return _name(text, names)


def _all(ids: Sequence[str], names: Mapping[str, str]) -> Markup:
    """Several players as a sentence has them: `A, B (2 times) and C`."""
    shown = [Markup("%s") % _often(id, names) for id in ids]
    if len(shown) == 1:
        return shown[0]
    return in_markup(N_("%(first)s and %(last)s"), first=Markup(", ").join(shown[:-1]), last=shown[-1])
