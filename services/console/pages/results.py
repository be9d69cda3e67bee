"""One game, for staff: entering its result, ruling on a dispute, correcting what counts, with what that would move."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.result_form import POINTERS, facts_of, result_form
from services.console.upstream import muster
from services.console.words import score_of

blueprint = Blueprint("results", __name__)
BINDING = ("confirmed", "ruled", "corrected")
FIELDS = {**POINTERS, "reason": "/reason"}


@blueprint.route("/events/<event>/games/<game>", methods=["GET", "POST"])
def show(event: str, game: str) -> ResponseReturnValue:
    """A game and the form for its result. `do=preview` shows what a correction would move; `do=send` does it."""
    asked = muster()
    shown, found = asked.registration.show_tournament(event), asked.scoring.show_game(event, game)
    ruleset = asked.registration.show_tournaments_ruleset(event).ruleset
    asks = result_form(ruleset, found.name_1, found.name_2)
    form = Form(FIELDS, defaults={name: str(value) for name, value in (found.facts or {}).items()})
    moves: answers.ScoringPreview | None = None
    if form.sent:
        facts = facts_of(form, asks)
        if form.good:
            try:
                moves = _say(event, found, form, facts, preview=request.form.get("do") == "preview")
            except Problem as problem:
                form.refused(problem)
            else:
                if moves is None:
                    return redirect(url_for("rounds.show", event=event, round=found.round))
    told = {"first": score_of(found.facts), "second": score_of(found.counter_facts)}
    page = render_template(
        "game.html", event=shown, game=found, form=form, asks=asks, moves=moves, told=told, verb=_verb(found), place=""
    )
    return page, 200 if form.good else 422


@blueprint.post("/events/<event>/games/<game>/confirmation")
def confirm(event: str, game: str) -> ResponseReturnValue:
    """Staff confirm what one side reported."""
    form = Form()
    muster().scoring.confirm_result(event, game, idempotency_key=form.key)
    return redirect(url_for("rounds.show", event=event))


def _verb(game: answers.GameShown) -> str:
    """What staff do with a game as it stands: correct what counts, rule on a dispute, enter what is missing."""
    if game.status in BINDING:
        return "correct"
    return "rule" if game.status == "disputed" else "enter"


def _say(
    event: str, game: answers.GameShown, form: Form, facts: Facts, *, preview: bool
) -> answers.ScoringPreview | None:
    """Send it, or ask what it would do. Raises Problem."""
    scoring, verb = muster().scoring, _verb(game)
    likely = form["improbable"] == "yes"
    why, key = form["reason"], form.key
    if preview and verb == "correct":
        return scoring.correct_result(event, game.id, preview=True, facts=facts, reason=why, improbable=likely)
    if verb == "correct":
        scoring.correct_result(event, game.id, facts=facts, reason=why, improbable=likely, idempotency_key=key)
    elif verb == "rule":
        scoring.rule_result(event, game.id, facts=facts, reason=why, improbable=likely, idempotency_key=key)
    else:
        scoring.report_result(event, game.id, facts=facts, improbable=likely, idempotency_key=key)
    return None
