"""A game: entering, correcting and ruling on its result, with its history."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Problem, Unreachable, answers, problems
from muster_client.generated.bodies import ConfirmResultBody, Facts
from services.console.forms import Form
from services.console.hall_time import use_zone_of
from services.console.language import N_, _, in_markup
from services.console.pages.referee import ABOUT, KEPT
from services.console.pages.reversals import NO_REASON, may_void
from services.console.problem_words import problem_text
from services.console.result_form import (
    IMPROBABLE,
    LOOK,
    ResultForm,
    ResultPreview,
    defaults_of,
    facts_of,
    load_result_form,
    preview_result,
    previewed_score,
)
from services.console.signed_in import current_person, muster
from services.console.undo import flash
from services.console.words import BINDING, ROLES, actor_words, referee_name, score_of

SETTLED = ("bye", "confirmed", "ruled", "corrected")


class HasStatus(Protocol):
    """A game of any answer."""

    @property
    def status(self) -> str: ...


def is_settled(game: HasStatus) -> bool:
    """Return True if a game needs no further result. Whether it counts in the standings is `binds`."""
    return game.status in SETTLED


SAID = {
    "ResultReported": (N_("%(who)s reported %(score)s."), ""),
    "ReportChanged": (N_("%(who)s changed the report to %(score)s (before: %(before)s)."), "is-change"),
    "ResultConfirmed": (N_("%(who)s confirmed it."), "is-bound"),
    "ResultDisputed": (N_("%(who)s disputed it."), "is-dispute"),
    "ResultRuled": (N_("%(who)s ruled: %(score)s."), "is-ruling"),
    "RulingAppealed": (N_("%(who)s appealed the ruling."), "is-dispute"),
    "AppealRejected": (N_("%(who)s upheld the ruling. That is final."), "is-ruling"),
    "ResultCorrected": (N_("%(who)s corrected it to %(score)s (before: %(before)s)."), "is-change"),
    "RulingOverridden": (N_("%(who)s overrode the ruling: %(score)s (before: %(before)s)."), "is-change"),
    "ResultVoided": (N_("%(who)s voided the result; the game was open again."), "is-change"),
}
"""Event of scoring -> words, and the class of its line."""
DETAILED_TEXTS = {
    ("ResultReported", "staff"): N_("%(who)s entered %(score)s."),
    ("ResultDisputed", "facts"): N_("%(who)s disputed it: it was %(score)s."),
    ("ResultRuled", "head_referee"): N_("%(who)s ruled: %(score)s. That is final."),
    ("ResultReported", "restored"): N_("%(who)s undid the voiding: %(score)s."),
}
"""Event and detail -> words that replace those of `SAID`."""
RULING = ("ResultRuled", "ResultCorrected", "RulingOverridden", "AppealRejected")
SOMEHOW = N_("a result without points")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Line(Struct, frozen=True):
    """A line of the history. said: its text, already escaped. time: RFC 3339."""

    time: str
    said: Markup
    mark: str = ""
    reason: str = ""
    clause: str = ""


def history_of(
    events: Iterable[answers.EventView], calls: Iterable[answers.JudgeCallView], names: Mapping[str, str]
) -> list[Line]:
    """Return the lines of a game in order of time. names: id of a player or of staff -> name."""
    return sorted([*_event_lines(events, names), *_call_lines(calls)], key=lambda line: line.time)


def names_of(event: answers.TournamentView, game: answers.GameShown) -> dict[str, str]:
    """Return the names of everyone who may appear in the history of a game, by id."""
    staff = {member.id: member.name for member in event.staff}
    return staff | {game.player_1: game.name_1, game.player_2: game.name_2}


def score_text(facts: Mapping[str, Any] | None) -> str:
    """Return the score of a result, or the words for a result without points."""
    return score_of(facts) or _(SOMEHOW)


def last_reason(events: Iterable[answers.EventView]) -> str:
    """Return the reason of the last ruling or correction; empty if there was none."""
    reasons = [str(event.data.get("reason") or "") for event in events if event.type in RULING]
    return reasons[-1] if reasons else ""


def last_voiding(events: Sequence[answers.EventView]) -> answers.EventView | None:
    """Return the event that voided the result of a game; None if something happened to the game after it."""
    return events[-1] if events and events[-1].type == "ResultVoided" else None


def _event_lines(events: Iterable[answers.EventView], names: Mapping[str, str]) -> Iterator[Line]:
    before: Mapping[str, Any] | None = None
    voided = False
    for event in events:
        facts = event.data.get("facts")
        detail = _more(event)
        if voided and detail == "staff" and facts == before:
            detail = "restored"
        voided = event.type == "ResultVoided"
        if event.type in SAID:
            words, mark = SAID[event.type]
            said = in_markup(
                DETAILED_TEXTS.get((event.type, detail), words),
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


def _call_lines(calls: Iterable[answers.JudgeCallView]) -> Iterator[Line]:
    for call in calls:
        about = _(ABOUT[call.reason]) if call.reason in ABOUT else call.reason
        said = in_markup(N_("%(who)s called a referee: %(about)s."), who=_bdi(call.caller_name), about=about)
        yield Line(call.called_at, said, "is-dispute", reason=call.text)
        judge = _bdi(referee_name(call.referee_name))
        if call.taken_at:
            yield Line(call.taken_at, in_markup(N_("%(who)s went to the table."), who=judge))
        if call.status == "answered":
            yield Line(call.ended_at, in_markup(N_("%(who)s answered."), who=judge), "is-ruling", reason=call.answer)
        elif call.ended_at:
            yield Line(call.ended_at, in_markup(N_("The call was withdrawn.")))


def _bdi(name: str) -> Markup:
    return Markup("<bdi>%s</bdi>") % name


LONGEST_NUMBER = 15
"""Digits of the number of a report."""
EARLIER = 50
"""Games at one table; no event has more rounds."""


class Earlier(Struct, frozen=True):
    """A game at the same table in another round."""

    game: answers.GameShown
    score: str


class ShownWarning(Struct, frozen=True):
    """A warning. where: name of another tournament of the season; empty for this one."""

    name: str
    where: str
    time: str
    actor: Markup
    reason: str
    clause: str


def earlier_at_table(event: str, game: answers.GameShown) -> list[Earlier]:
    """Return the other games at the table of a game in order of rounds; none without a table."""
    if not game.table:
        return []
    found = muster().scoring.list_games(event, round="all", table=game.table, venue=game.venue or None, limit=EARLIER)
    return [Earlier(one, score_text(one.facts) if one.facts else "") for one in found.items if one.id != game.id]


def warnings_of(event: answers.TournamentView, game: answers.GameShown, staff: Mapping[str, str]) -> list[ShownWarning]:
    """Return the warnings of both players in this tournament and in others of its seasons.

    staff: id of a member of staff -> name.
    """
    return [warning for player, name in players_of(game) for warning in _warnings(event, player, name, staff)]


def players_of(game: answers.GameShown) -> list[tuple[str, str]]:
    """Return id and name of the players of a game, without a spare player of the staff."""
    both = [(game.player_1, game.name_1), (game.player_2, game.name_2)]
    return [(player, name) for player, name in both if player and (game.kind != "spare" or player != game.player_2)]


def calls_to(event: str, game: str) -> Sequence[answers.JudgeCallView]:
    """Return the calls to the table of a game; none while pairing is away."""
    try:
        return muster().pairing.list_calls(event, game=game, limit=KEPT).items
    except Unreachable:
        return []


def _warnings(
    event: answers.TournamentView, player: str, name: str, staff: Mapping[str, str]
) -> Iterator[ShownWarning]:
    services, venues = muster(), {venue.id: venue.name for venue in event.venues}
    try:
        for one in services.registration.list_warnings(event.id, player).items:
            yield ShownWarning(name, "", one.time, actor_words(one.actor, staff, venues), one.reason, one.clause)
        for other in services.scoring.list_warnings_in_seasons(event.id, player).items:
            if other.tournament != event.id:
                yield ShownWarning(name, other.name, other.time, actor_words(other.actor), other.reason, other.clause)
    except problems.PlayerUnknown:
        return


blueprint = Blueprint("results", __name__)
FIELDS = {"reason": "/reason", "clause": "/clause"}
WARNING_POINTERS = {"warned": "/player", "why": "/reason", "broken": "/clause"}
PREVIEW = "preview"
SENT = {
    "enter": N_("Result saved: %(first)s against %(second)s."),
    "correct": N_("Result corrected: %(first)s against %(second)s."),
    "rule": N_("Ruling made: %(first)s against %(second)s."),
    "decide": N_("Appeal decided: %(first)s against %(second)s."),
}
"""Action of staff -> message on the next page."""
OTHER_VERSION = "other"
"""Value of the form when neither reported version of a disputed result counts."""
QUEUE = "queue"
"""Query value of pages opened from the referees' queue."""


@blueprint.route("/events/<event>/games/<game>", methods=["GET", "POST"])
def show(event: str, game: str) -> ResponseReturnValue:
    """Show a game with its history.

    `do=preview` previews a correction, `do=send` sends it, `do=reject` upholds a ruling, `do=warn` warns a player.
    """
    services = muster()
    tournament, found = services.registration.show_tournament(event), services.scoring.show_game(event, game)
    use_zone_of(tournament, found.venue)
    asks, action = load_result_form(event, found), request.form.get("do", "")
    form, warning = _form(found, asks), Form(WARNING_POINTERS)
    form.sent, warning.sent = form.sent and action != "warn", action == "warn"
    moves: answers.ScoringPreview | None = None
    seen = ResultPreview()
    overrides = form["override"] == "yes"
    if warning.sent:
        if _warn(event, found, warning):
            return redirect(url_for("results.show", event=event, game=game, **_from()))
    elif form.sent and action == LOOK and asks is not None:
        seen = _look(event, found, form, asks)
    elif form.sent:
        facts = _facts(found, form, asks)
        if form.is_valid and _is_stale(found, form):
            if _says(found, facts):  # the button was tapped twice
                flash(_("This result was already saved."))
                return redirect(_back(event, found))
            form.above.append(_("This game has changed since you opened it. This is the current state."))
        elif form.is_valid:
            try:
                moves = _say(event, found, form, facts, action)
            except (problems.RulingFinal, problems.RulingStands) as problem:
                form.add_problem(problem)
                overrides = current_person().organises
            except Problem as problem:
                form.add_problem(problem)
                seen = ResultPreview(unlikely=problem.code == IMPROBABLE)
            else:
                if moves is None:
                    return redirect(_back(event, found))
                seen = ResultPreview(given=previewed_score(moves))
    more = {"given": seen.given, "unchecked": seen.unchecked, "unlikely": seen.unlikely}
    page = _page(tournament, found, form=form, warning=warning, asks=asks, moves=moves, overrides=overrides, **more)
    return page, 200 if form.is_valid and warning.is_valid else 422


@blueprint.post("/events/<event>/games/<game>/look")
def look_first(event: str, game: str) -> ResponseReturnValue:
    """Return the outcome and the faults of the result being typed, without reporting it."""
    found = muster().scoring.show_game(event, game)
    asks = load_result_form(event, found)
    form, seen = _form(found, asks), ResultPreview()
    if asks is not None:
        seen = _look(event, found, form, asks)
    return render_template(
        "result_look.html", form=form, asks=asks, given=seen.given, unchecked=seen.unchecked, unlikely=seen.unlikely
    )


@blueprint.post("/events/<event>/games/<game>/confirmation")
def confirm(event: str, game: str) -> ResponseReturnValue:
    """Confirm, as staff, what one side reported."""
    form = Form()
    try:
        done = muster().scoring.confirm_result(event, game, **seen_report(form["report"]), idempotency_key=form.key)
    except problems.ReportChanged as problem:
        flash(problem_text(problem))
        return redirect(url_for("results.show", event=event, game=game))
    flash(_("The result is confirmed."), done)
    return redirect(url_for("rounds.show", event=event))


def seen_report(number: str) -> ConfirmResultBody:
    """Return the report that a page has shown, for its confirmation; nothing if the form names none."""
    return {"report": int(number)} if number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER else {}


def _page(event: answers.TournamentView, game: answers.GameShown, **more: Any) -> str:
    staff, names = current_person().staff, names_of(event, game)
    events = muster().scoring.show_game_history(event.id, game.id).items
    return render_template(
        "game.html",
        event=event,
        game=game,
        verb=_staff_action(game),
        versions=_versions(game, names),
        seen=_seen(game),
        back=_back(event.id, game),
        decides={one.question: one for one in event.decisions},
        roles=ROLES,
        history=history_of(events, calls_to(event.id, game.id) if staff else [], names),
        earlier=earlier_at_table(event.id, game),
        warnings=warnings_of(event, game, names) if staff else [],
        both_links_of=names.get(game.both_links_of, game.both_links_of) if game.both_links_of else "",
        players=players_of(game),
        voidable=may_void(event, game),
        place="",
        **more,
    )


def _form(game: answers.GameShown, asks: ResultForm | None) -> Form:
    if asks is None:
        return Form(FIELDS)
    return Form({**asks.pointers, **FIELDS}, defaults=defaults_of(game.facts, asks))


def _look(event: str, game: answers.GameShown, form: Form, asks: ResultForm) -> ResultPreview:
    """Preview the result. A reason is only required when it is sent."""
    return preview_result(form, asks, lambda facts: _say(event, game, form, facts, PREVIEW, NO_REASON), staff=True)


def _staff_action(game: answers.GameShown) -> str:
    """Return what staff can do with a game: decide an appeal, correct, rule, or enter."""
    if game.appealed:
        return "decide"
    if game.status in BINDING:
        return "correct"
    return "rule" if game.status == "disputed" else "enter"


def _versions(game: answers.GameShown, names: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return the versions of a disputed result, each as (form value, name of the reporter, score)."""
    if game.status != "disputed" or game.contest is None:
        return []
    said = [
        ("first", names.get(game.reported_by or "", ""), game.facts),
        ("second", game.contest.name, game.counter_facts),
    ]
    return [(version, who, score_text(facts)) for version, who, facts in said if facts]


def _facts(game: answers.GameShown, form: Form, asks: ResultForm | None) -> Facts:
    """Return the facts of the chosen version, or those that were typed."""
    versions = {"first": game.facts, "second": game.counter_facts}
    disputed = game.status == "disputed" and game.contest is not None and any(versions.values())
    if disputed and form["version"] not in (*versions, OTHER_VERSION):
        form.add_fault("version", _("Choose which result counts."))
    if disputed and (said := versions.get(form["version"])):
        return cast(Facts, said)
    return facts_of(form, asks, staff=True) if asks is not None else {}


def _seen(game: answers.GameShown) -> str:
    """Return a digest of the state of a game."""
    known = [game.status, game.facts, game.counter_facts, game.appealed, game.ruling]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]


def _is_stale(game: answers.GameShown, form: Form) -> bool:
    """Return True if the page was sent from another state of the game; a form without a digest is current."""
    return form["seen"] not in ("", _seen(game))


def _says(game: answers.GameShown, facts: Facts) -> bool:
    """Return True if these facts already count."""
    known: Mapping[str, Any] = game.facts or {}
    return is_settled(game) and bool(facts) and all(known.get(name) == value for name, value in facts.items())


def _say(
    event: str, game: answers.GameShown, form: Form, facts: Facts, action: str, reason: str = ""
) -> answers.ScoringPreview | None:
    """Send the result or preview it. reason: used if none was typed. Raises Problem."""
    scoring, verb, preview = muster().scoring, _staff_action(game), action == PREVIEW
    reason = form["reason"] or reason
    how: dict[str, Any] = {"preview": True} if preview else {"idempotency_key": form.key}
    if action == "reject":
        flash(
            _("The ruling is upheld."), scoring.reject_appeal(event, game.id, reason=reason, idempotency_key=form.key)
        )
        return None
    how |= {"facts": facts, "improbable": form["improbable"] == "yes"}
    if verb == "correct" and form["override"] == "yes":
        answer = scoring.override_ruling(event, game.id, reason=reason, **how)
    elif verb == "correct":
        answer = scoring.correct_result(event, game.id, reason=reason, **how)
    elif verb in ("rule", "decide"):
        answer = scoring.rule_result(event, game.id, reason=reason, clause=form["clause"], **how)
    else:
        answer = scoring.report_result(event, game.id, **how)
    if preview:
        return cast(answers.ScoringPreview, answer)
    flash(_(SENT[verb], first=game.name_1, second=game.name_2), answer)
    return None


def _warn(event: str, game: answers.GameShown, form: Form) -> bool:
    """Warn a player of the game. Return True if done."""
    player = next((player for player in players_of(game) if player[0] == form["warned"]), None)
    if player is None:
        form.add_fault("warned", _("Choose one of these."))
    if not form["why"]:
        form.add_fault("why", _("Enter a reason; it goes into the public log."))
    if player is None or not form.is_valid:
        return False
    try:
        muster().registration.warn_player(
            event, player[0], reason=form["why"], clause=form["broken"], idempotency_key=form.key
        )
    except Problem as problem:
        form.add_problem(problem)
        return False
    flash(_("The warning for %(player)s is recorded.", player=player[1]))
    return True


def _from() -> dict[str, Any]:
    return {"from": QUEUE} if request.args.get("from") == QUEUE else {}


def _back(event: str, game: answers.GameShown) -> str:
    """Return the page that led here: the referees' queue or the round."""
    if _from():
        return url_for("referee.show", event=event)
    return url_for("rounds.show", event=event, round=game.round)
