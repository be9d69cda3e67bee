"""What happened to a game, in words: who reported what, who ruled and why, what was corrected, who was called.

And what staff want to know beside it: what was played at its table before, and for what its players were warned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from muster_client import Unreachable, answers, problems
from services.console.language import N_, _, in_markup
from services.console.upstream import muster
from services.console.waiting import ABOUT, KEPT
from services.console.words import actor_words, score_of

SAID = {
    "ResultReported": (N_("%(who)s reported %(score)s."), ""),
    "ResultConfirmed": (N_("%(who)s confirmed it."), "is-bound"),
    "ResultDisputed": (N_("%(who)s disputed it."), "is-dispute"),
    "ResultRuled": (N_("%(who)s ruled: %(score)s."), "is-ruling"),
    "RulingAppealed": (N_("%(who)s appealed against the ruling."), "is-dispute"),
    "AppealRejected": (N_("%(who)s let the ruling stand. That is final."), "is-ruling"),
    "ResultCorrected": (N_("%(who)s corrected it to %(score)s; it was %(before)s."), "is-change"),
    "RulingOverridden": (N_("%(who)s overrode the ruling: %(score)s; it was %(before)s."), "is-change"),
    "ResultVoided": (N_("%(who)s took the result back; the game was open again."), "is-change"),
}
"""Event of scoring -> in words, and the class of its line."""
OTHERWISE = {
    ("ResultReported", "staff"): N_("%(who)s entered %(score)s."),
    ("ResultDisputed", "facts"): N_("%(who)s disputed it: it was %(score)s."),
    ("ResultRuled", "head_referee"): N_("%(who)s ruled: %(score)s. That is final."),
}
"""The same where more is to be said."""
RULING = ("ResultRuled", "ResultCorrected", "RulingOverridden", "AppealRejected")
SOMEHOW = N_("a result without points")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Line(Struct, frozen=True):
    """One thing that happened. said: escaped. time: RFC 3339."""

    time: str
    said: Markup
    mark: str = ""
    reason: str = ""
    clause: str = ""


def history_of(
    events: Iterable[answers.EventView], calls: Iterable[answers.JudgeCallView], names: Mapping[str, str]
) -> list[Line]:
    """Every line of a game, the first first. names: id of a player or of staff -> what they are called."""
    return sorted([*_told(events, names), *_called(calls)], key=lambda line: line.time)


def names_of(event: answers.TournamentView, game: answers.GameShown) -> dict[str, str]:
    """The names of whoever may stand in the history of a game."""
    staff = {member.id: member.name for member in event.staff}
    return staff | {game.player_1: game.name_1, game.player_2: game.name_2}


def score_text(facts: Mapping[str, Any] | None) -> str:
    """Return the score of a result, or the words for a result without points."""
    return score_of(facts) or _(SOMEHOW)


def why_so(events: Iterable[answers.EventView]) -> str:
    """The reason of the last ruling or correction; empty where there was none."""
    reasons = [str(event.data.get("reason") or "") for event in events if event.type in RULING]
    return reasons[-1] if reasons else ""


def _told(events: Iterable[answers.EventView], names: Mapping[str, str]) -> Iterator[Line]:
    before: Mapping[str, Any] | None = None
    for event in events:
        facts = event.data.get("facts")
        if event.type in SAID:
            words, mark = SAID[event.type]
            said = in_markup(
                OTHERWISE.get((event.type, _more(event)), words),
                who=actor_words(event.actor, names),
                score=score_text(facts),
                before=score_text(before),
            )
        else:  # an event of a campaign, or of a newer service
            said, mark = (
                Markup("%s: %s") % (CAMEL.sub(" ", event.type).capitalize(), actor_words(event.actor, names)),
                "",
            )
        yield Line(
            event.time,
            said,
            mark,
            reason=str(event.data.get("reason") or ""),
            clause=str(event.data.get("clause") or ""),
        )
        if facts and event.type != "ResultDisputed":
            before = facts


def _more(event: answers.EventView) -> str:
    if event.type == "ResultReported":
        return "" if event.data.get("side") else "staff"
    if event.type == "ResultDisputed":
        return "facts" if event.data.get("facts") else ""
    return str(event.data.get("level") or "")


def _called(calls: Iterable[answers.JudgeCallView]) -> Iterator[Line]:
    for call in calls:
        about = _(ABOUT[call.reason]) if call.reason in ABOUT else call.reason
        said = in_markup(N_("%(who)s called a judge: %(about)s."), who=_bdi(call.caller_name), about=about)
        yield Line(call.called_at, said, "is-dispute", reason=call.text)
        judge = _bdi(call.referee_name)
        if call.taken_at:
            yield Line(call.taken_at, in_markup(N_("%(who)s went to the table."), who=judge))
        if call.status == "answered":
            yield Line(call.ended_at, in_markup(N_("%(who)s answered."), who=judge), "is-ruling", reason=call.answer)
        elif call.ended_at:
            yield Line(call.ended_at, in_markup(N_("The call was withdrawn.")))


def _bdi(name: str) -> Markup:
    return Markup("<bdi>%s</bdi>") % name


EARLIER = 50
"""Games at one table: more rounds than any event has."""


class Earlier(Struct, frozen=True):
    """A game at the same table in another round."""

    game: answers.GameShown
    score: str


class Warned(Struct, frozen=True):
    """A warning. where: the name of another tournament of the season; empty: in this one."""

    name: str
    where: str
    time: str
    actor: Markup
    reason: str
    clause: str


def earlier_at_table(event: str, game: answers.GameShown) -> list[Earlier]:
    """The other games at the table of a game, the first round first; none where it has no table."""
    if not game.table:
        return []
    found = muster().scoring.list_games(event, round="all", table=game.table, venue=game.venue or None, limit=EARLIER)
    return [Earlier(one, score_text(one.facts) if one.facts else "") for one in found.items if one.id != game.id]


def warnings_of(event: answers.TournamentView, game: answers.GameShown, staff: Mapping[str, str]) -> list[Warned]:
    """The warnings of both players, of this tournament and of those that a season counts with it.

    staff: id of a member of the staff of this tournament -> their name.
    """
    return [warning for player, name in players_of(game) for warning in _warnings(event, player, name, staff)]


def players_of(game: answers.GameShown) -> list[tuple[str, str]]:
    """Id and name of those who play as players; a spare player of the staff is none."""
    both = [(game.player_1, game.name_1), (game.player_2, game.name_2)]
    return [(player, name) for player, name in both if player and (game.kind != "spare" or player != game.player_2)]


def calls_to(event: str, game: str) -> Sequence[answers.JudgeCallView]:
    """The calls to the table of a game; none while pairing is away, which takes nothing else from the page."""
    try:
        return muster().pairing.list_calls(event, game=game, limit=KEPT).items
    except Unreachable:
        return []


def _warnings(event: answers.TournamentView, player: str, name: str, staff: Mapping[str, str]) -> Iterator[Warned]:
    asked, venues = muster(), {venue.id: venue.name for venue in event.venues}
    try:
        for one in asked.registration.list_warnings(event.id, player).items:
            yield Warned(name, "", one.time, actor_words(one.actor, staff, venues), one.reason, one.clause)
        for other in asked.scoring.list_warnings_in_seasons(event.id, player).items:
            if other.tournament != event.id:
                yield Warned(name, other.name, other.time, actor_words(other.actor), other.reason, other.clause)
    except problems.PlayerUnknown:
        return
