"""The reasons of pairings and the findings of the rules, in the language of the page.

A finding has a code and values. The reason of a pairing is recorded as an English sentence with ids of players: each
form of such a sentence has its words here, with names for ids. Any other text, such as the reason of a member of staff
who amended a round, is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from muster_client import answers
from services.console.language import N_, _, in_markup, isolate, mark_english, number
from services.console.problem_words import sentence_text

WHO = r"(?P<{}>[\w-]+|the spare player)"
ONE, OTHER, THIRD = (WHO.format(place) for place in ("player", "other", "third"))
PLAYERS = ("player", "other", "third")
"""Places of a form that hold the id of a player."""
REASONS = (
    (r"drawn for the first round", N_("drawn for the first round")),
    (r"drawn, (?P<above>\S+) and (?P<below>\S+) points", N_("drawn, %(above)s and %(below)s points")),
    (r"same group, (?P<above>\S+) points", N_("same group, %(above)s points")),
    (r"paired down from (?P<above>\S+) to (?P<below>\S+) points", N_("paired down from %(above)s to %(below)s points")),
    (r"next to each other in the standings", N_("next to each other in the standings")),
    (
        r"next to each other with late entries behind the standings",
        N_("next to each other, with late entries after the standings"),
    ),
    (r"left over by the draw of the first round", N_("left over by the draw of the first round")),
    (r"bye rule: (?P<clause>\S+), drawn", N_("bye rule: %(clause)s, drawn")),
    (r"bye rule: (?P<clause>\S+)", N_("bye rule: %(clause)s")),
    (
        ONE.join(("moved from ", r" to avoid a rematch: (?P<clause>\S+)")),
        N_("bye moved from %(player)s to avoid a rematch: %(clause)s"),
    ),
    (r"walkover", N_("advances without a game")),
    (r"by hand", N_("by hand")),
    (
        r"bracket: number (?P<one>\d+) of the cut against number (?P<two>\d+)",
        N_("bracket: seed %(one)s against seed %(two)s"),
    ),
    (r"last in the standings", N_("last in the standings")),
    (
        r"last in the standings, and everybody has met the spare player",
        N_("last in the standings; everyone has played the spare player"),
    ),
    (
        r"the last in the standings who has not met the spare player",
        N_("lowest in the standings who has not played the spare player"),
    ),
    (
        ONE.join(("in place of ", ", the first who dropped")),
        N_("in place of %(player)s, the first to drop"),
    ),
    (r"a bye won before the start", N_("a bye won before the event")),
    (r"a bye that the player asked for", N_("a bye requested by the player")),
    (r"everybody else has a given bye", N_("everyone else has a bye given beforehand")),
    (r"nobody else to be paired at this venue", N_("no one else to pair at this venue")),
    (
        r"numbers (?P<one>\d+) and (?P<two>\d+) of the table; they have met before their turn",
        N_("numbers %(one)s and %(two)s of the pairing table; they met before their turn"),
    ),
    (r"numbers (?P<one>\d+) and (?P<two>\d+) of the table", N_("numbers %(one)s and %(two)s of the pairing table")),
    (r"number (?P<one>\d+) of the table meets nobody", N_("number %(one)s of the pairing table has no opponent")),
    (
        rf"number (?P<one>\d+) of the table meets number (?P<two>\d+), {ONE}, who does not play",
        N_("number %(one)s of the pairing table is matched with number %(two)s, %(player)s, who is not playing"),
    ),
)
"""Form of a reason, and its words in the console."""
CAUSES = (
    (r"(?P<more>\d+) more stand between them", N_("%(more)s more players are between them")),
    (r"others between them are paired elsewhere", N_("others between them are paired elsewhere")),
    (ONE + r" has the bye", N_("%(player)s has the bye")),
    (ONE + r" meets the spare player", N_("%(player)s plays the spare player")),
    (ONE + r" does not play", N_("%(player)s is not playing")),
    (rf"{ONE} and {OTHER} are kept apart", N_("%(player)s and %(other)s are kept apart")),
    (
        rf"{ONE} plays {OTHER}, who stands higher",
        N_("%(player)s plays %(other)s, who is ranked higher"),
    ),
    (
        rf"{ONE} moved down, having met {OTHER}",
        N_("%(player)s moved down after playing %(other)s before"),
    ),
    (
        rf"{ONE} was paired before {OTHER}, who moved down, having met {THIRD}",
        N_("%(player)s was paired before %(other)s, who moved down after playing %(third)s before"),
    ),
    (
        rf"{ONE} against {OTHER} would lead to a rematch further down",
        N_("%(player)s against %(other)s would cause a rematch further down"),
    ),
    (
        rf"{ONE} against {OTHER} would make the rematches further down worse",
        N_("%(player)s against %(other)s would make the rematches further down worse"),
    ),
)
"""Form of the cause why a player between two opponents met neither of them, and its words in the console."""
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


def reason_text(text: str, names: Mapping[str, str]) -> str | Markup:
    """Return why two players meet. names: id of a player -> their name."""
    for pattern, words in AGAIN:
        if match := re.fullmatch(pattern, text):
            return in_markup(words, **match.groupdict() | {"why": reason_text(match["why"], names)})
    if (match := POINTS.fullmatch(text)) and (why := reason_text(match["why"], names)) != match["why"]:
        above, below = number(match["above"]), number(match["below"])
        return in_markup(N_("%(why)s, %(above)s and %(below)s points"), why=why, above=above, below=below)
    if match := NEAREST.fullmatch(text):
        causes = Markup("; ").join(_cause_text(cause, names) for cause in match["causes"].split("; "))
        late = match["where"] != "in the standings"
        words = (
            N_("nearest opponent for %(player)s, with late entries after the standings (%(causes)s)")
            if late
            else N_("nearest opponent in the standings for %(player)s (%(causes)s)")
        )
        return in_markup(words, player=_name(match["player"], names), causes=causes)
    reason = _translate(REASONS, text, names)
    return text.replace("_", " ") if reason is None else reason


def finding_text(finding: answers.FindingView, names: Mapping[str, str]) -> str | Markup:
    """Return a finding of the rules about a round. names: id of a player -> name."""
    try:
        text = sentence_text(finding.sentence or "", finding.data or {})
    except KeyError:  # a service that is older or newer than this console
        return mark_english(finding.said)
    if not finding.game:
        return Markup("%s.") % text
    about = ", ".join(isolate(names.get(player, player)) for player in finding.players) or finding.game
    return Markup("%s: %s.") % (about, text)


def _cause_text(text: str, names: Mapping[str, str]) -> str | Markup:
    if match := MET.fullmatch(text):
        opponents = _name_list(match["others"].split(" and "), names)
        return in_markup(
            N_("%(player)s has already played %(others)s"), player=_name(match["player"], names), others=opponents
        )
    words = _translate(CAUSES, text, names)
    return mark_english(text) if words is None else words


def _translate(forms: Sequence[tuple[str, str]], text: str, names: Mapping[str, str]) -> Markup | None:
    """Return a text of one of these forms in the language of the page; None if it is of another form."""
    for pattern, words in forms:
        if match := re.fullmatch(pattern, text):
            return in_markup(
                words, **{place: _value(place, value, names) for place, value in match.groupdict().items()}
            )
    return None


def _value(place: str, value: str, names: Mapping[str, str]) -> str | Markup:
    if place in PLAYERS:
        return _name(value, names)
    return number(value) if place in ("above", "below") else value


def _name(id: str, names: Mapping[str, str]) -> str | Markup:
    if id == "the spare player":
        return _("the spare player")
    return Markup("<bdi>%s</bdi>") % names.get(id, id)


def _opponent(text: str, names: Mapping[str, str]) -> str | Markup:
    """Return an opponent, with the number of their games if the text contains it."""
    if match := TIMES.fullmatch(text):
        return in_markup(N_("%(player)s (%(times)s times)"), player=_name(match["player"], names), times=match["times"])
    return _name(text, names)


def _name_list(ids: Sequence[str], names: Mapping[str, str]) -> Markup:
    """Return several opponents for a sentence: `A, B (2 times) and C`."""
    opponents = [Markup("%s") % _opponent(id, names) for id in ids]
    if len(opponents) == 1:
        return opponents[0]
    return in_markup(N_("%(first)s and %(last)s"), first=Markup(", ").join(opponents[:-1]), last=opponents[-1])
