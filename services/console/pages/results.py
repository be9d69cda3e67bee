"""One game: its history for everybody; for staff entering a result, ruling, appeals, corrections and warnings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, cast

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, problems
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.game_history import (
    calls_to,
    earlier_at_table,
    history_of,
    names_of,
    players_of,
    score_text,
    warnings_of,
)
from services.console.language import N_, _
from services.console.result_form import ResultForm, defaults_of, facts_of, result_form
from services.console.result_look import IMPROBABLE, LOOK, Look, given_by, look
from services.console.settled import is_settled
from services.console.toast import say
from services.console.upstream import here, muster
from services.console.words import BINDING, ROLES

blueprint = Blueprint("results", __name__)
FIELDS = {"reason": "/reason", "clause": "/clause"}
OF_WARNING = {"warned": "/player", "why": "/reason", "broken": "/clause"}
PREVIEW = "preview"
UNSAID = "…"
"""In place of a reason, where a result is only looked at."""
SENT = {
    "enter": N_("The result of %(first)s against %(second)s is entered."),
    "correct": N_("The result of %(first)s against %(second)s is corrected."),
    "rule": N_("The ruling on %(first)s against %(second)s is made."),
    "decide": N_("The appeal of %(first)s against %(second)s is decided."),
}
"""What staff do with a game -> the message on the next page."""
QUEUE = "queue"
"""Where the page was come to from, as its address says it."""


@blueprint.route("/events/<event>/games/<game>", methods=["GET", "POST"])
def show(event: str, game: str) -> ResponseReturnValue:
    """A game with its history. `do=preview` shows what a correction would move; `do=send` does it, `do=reject` lets a
    ruling stand, `do=warn` warns a player.
    """
    asked = muster()
    shown, found = asked.registration.show_tournament(event), asked.scoring.show_game(event, game)
    asks, does = _asks(found, event), request.form.get("do", "")
    form, warning = _form(found, asks), Form(OF_WARNING)
    form.sent, warning.sent = form.sent and does != "warn", does == "warn"
    moves: answers.ScoringPreview | None = None
    seen = Look()
    overrides = form["override"] == "yes"
    if warning.sent:
        if _warn(event, found, warning):
            return redirect(url_for("results.show", event=event, game=game, **_from()))
    elif form.sent and does == LOOK and asks is not None:
        seen = _look(event, found, form, asks)
    elif form.sent:
        facts = _facts(found, form, asks)
        if form.is_valid and _is_stale(found, form):
            if _says(found, facts):  # the button was tapped twice
                say(_("The result is in already."))
                return redirect(_back(event, found))
            form.above.append(_("This game has changed since you opened it. Below it is as it stands now."))
        elif form.is_valid:
            try:
                moves = _say(event, found, form, facts, does)
            except (problems.RulingFinal, problems.RulingStands) as problem:
                form.add_problem(problem)
                overrides = here().organises
            except Problem as problem:
                form.add_problem(problem)
                seen = Look(unlikely=problem.code == IMPROBABLE)
            else:
                if moves is None:
                    return redirect(_back(event, found))
                seen = Look(given=given_by(moves))
    more = {"given": seen.given, "unchecked": seen.unchecked, "unlikely": seen.unlikely}
    page = _page(shown, found, form=form, warning=warning, asks=asks, moves=moves, overrides=overrides, **more)
    return page, 200 if form.is_valid and warning.is_valid else 422


@blueprint.post("/events/<event>/games/<game>/look")
def look_first(event: str, game: str) -> ResponseReturnValue:
    """What the result that is being typed would give, and what is wrong with it; nothing is sent."""
    found = muster().scoring.show_game(event, game)
    asks = _asks(found, event)
    form, seen = _form(found, asks), Look()
    if asks is not None:
        seen = _look(event, found, form, asks)
    return render_template(
        "result_look.html", form=form, asks=asks, given=seen.given, unchecked=seen.unchecked, unlikely=seen.unlikely
    )


@blueprint.post("/events/<event>/games/<game>/confirmation")
def confirm(event: str, game: str) -> ResponseReturnValue:
    """Staff confirm what one side reported."""
    form = Form()
    done = muster().scoring.confirm_result(event, game, idempotency_key=form.key)
    say(_("The result is confirmed."), done)
    return redirect(url_for("rounds.show", event=event))


def _page(event: answers.TournamentView, game: answers.GameShown, **more: Any) -> str:
    staff, names = here().staff, names_of(event, game)
    events = muster().scoring.show_game_history(event.id, game.id).items
    return render_template(
        "game.html",
        event=event,
        game=game,
        verb=_verb(game),
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
        place="",
        **more,
    )


def _asks(game: answers.GameShown, event: str) -> ResultForm | None:
    """What may be said of the game; None in a format whose games are told in another way."""
    try:
        return result_form(muster().scoring.show_result_form(event, game.id), game.name_1, game.name_2)
    except problems.WrongFormat:
        return None


def _form(game: answers.GameShown, asks: ResultForm | None) -> Form:
    if asks is None:
        return Form(FIELDS)
    return Form({**asks.pointers, **FIELDS}, defaults=defaults_of(game.facts, asks))


def _look(event: str, game: answers.GameShown, form: Form, asks: ResultForm) -> Look:
    """What the result would give; a reason is asked for only when it is sent."""
    return look(form, asks, lambda facts: _say(event, game, form, facts, PREVIEW, UNSAID), staff=True)


def _verb(game: answers.GameShown) -> str:
    """What staff do with a game as it stands: decide an appeal, correct what counts, rule, or enter what is missing."""
    if game.appealed:
        return "decide"
    if game.status in BINDING:
        return "correct"
    return "rule" if game.status == "disputed" else "enter"


def _versions(game: answers.GameShown, names: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """What the two sides of a dispute say: name of the choice, who says so, the score."""
    if game.status != "disputed" or game.contest is None:
        return []
    said = [
        ("first", names.get(game.reported_by or "", ""), game.facts),
        ("second", game.contest.name, game.counter_facts),
    ]
    return [(version, who, score_text(facts)) for version, who, facts in said if facts]


def _facts(game: answers.GameShown, form: Form, asks: ResultForm | None) -> Facts:
    """What the result is to be: as one side said, or as it was typed."""
    said = {"first": game.facts, "second": game.counter_facts}.get(form["version"])
    if said and game.status == "disputed":
        return cast(Facts, said)
    return facts_of(form, asks, staff=True) if asks is not None else {}


def _seen(game: answers.GameShown) -> str:
    """What a page was made of: another text once something else is known of the game."""
    known = [game.status, game.facts, game.counter_facts, game.appealed, game.ruling]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]


def _is_stale(game: answers.GameShown, form: Form) -> bool:
    """Whether the page that was sent showed another state of the game; one that names none is taken as it is."""
    return form["seen"] not in ("", _seen(game))


def _says(game: answers.GameShown, facts: Facts) -> bool:
    """Whether these facts count already."""
    known: Mapping[str, Any] = game.facts or {}
    return is_settled(game) and bool(facts) and all(known.get(name) == value for name, value in facts.items())


def _say(
    event: str, game: answers.GameShown, form: Form, facts: Facts, does: str, reason: str = ""
) -> answers.ScoringPreview | None:
    """Send it and say so on the next page, or ask what it would do. reason: where none was typed. Raises Problem."""
    scoring, verb, preview = muster().scoring, _verb(game), does == PREVIEW
    reason = form["reason"] or reason
    how: dict[str, Any] = {"preview": True} if preview else {"idempotency_key": form.key}
    if does == "reject":
        say(_("The ruling stays."), scoring.reject_appeal(event, game.id, reason=reason, idempotency_key=form.key))
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
    say(_(SENT[verb], first=game.name_1, second=game.name_2), answer)
    return None


def _warn(event: str, game: answers.GameShown, form: Form) -> bool:
    """Warn a player of the game; whether that was done."""
    player = next((player for player in players_of(game) if player[0] == form["warned"]), None)
    if player is None:
        form.add_fault("warned", _("Choose one of these."))
    if not form["why"]:
        form.add_fault("why", _("Say why; it stands in the public log."))
    if player is None or not form.is_valid:
        return False
    try:
        muster().registration.warn_player(
            event, player[0], reason=form["why"], clause=form["broken"], idempotency_key=form.key
        )
    except Problem as problem:
        form.add_problem(problem)
        return False
    say(_("%(player)s is warned.", player=player[1]))
    return True


def _from() -> dict[str, Any]:
    return {"from": QUEUE} if request.args.get("from") == QUEUE else {}


def _back(event: str, game: answers.GameShown) -> str:
    """The page that led here: the referees' queue, or the round."""
    if _from():
        return url_for("referee.show", event=event)
    return url_for("rounds.show", event=event, round=game.round)
