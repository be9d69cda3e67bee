"""Standings with their explanations, awards, and the end of the event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Muster, MusterError, Problem, answers
from muster_client.generated.bodies import Conclude
from services.console.forms import Form, search_query
from services.console.language import _
from services.console.pages.public import all_players, is_begun
from services.console.pages.rounds import CLOSED
from services.console.signed_in import current_person, muster
from services.console.undo import flash

WIDTH, HEIGHT = 380, 130
LEFT, RIGHT, TOP, BOTTOM = 66, 330, 15, 105


@dataclass(frozen=True, slots=True)
class Point:
    """A rank after a round, and its place in the picture."""

    round: int
    rank: int
    x: int
    y: int


def points_of(ranks: Mapping[int, int], players: int) -> list[Point]:
    """Return the points of the rank chart. ranks: round -> rank. Rank 1 is at the top, the last one at the bottom."""
    rounds = sorted(ranks)
    across = (RIGHT - LEFT) / max(1, len(rounds) - 1)
    down = (BOTTOM - TOP) / max(1, players - 1)
    return [
        Point(number, ranks[number], round(LEFT + place * across), round(TOP + (ranks[number] - 1) * down))
        for place, number in enumerate(rounds)
    ]


blueprint = Blueprint("standings", __name__)
PAGE, ENTRANTS = 50, 500
CHART_ROUNDS = 3
"""Closed rounds from which the ranks of a player make a chart."""
NOT_SHOWN = (403, 404, 409, 422)
"""Statuses of standings that are not recorded or not visible to the caller."""


@blueprint.route("/events/<event>/standings", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Show a page of standings; a post publishes those held back.

    `round=3` shows those recorded then, `why=p7` explains the row of a player.
    """
    form = Form()
    if form.sent:
        try:
            flash(
                _("The standings are published."), muster().scoring.publish_standings(event, idempotency_key=form.key)
            )
            return redirect(url_for("standings.show", event=event))
        except Problem as problem:
            form.add_problem(problem)
    page = _page(event, form)
    return page, 200 if form.is_valid else 409


def _page(event: str, form: Form) -> str:
    services, query = muster(), search_query()
    after, why = request.args.get("after") or None, request.args.get("why", "")
    number = request.args.get("round", type=int)
    tournament = services.registration.show_tournament(event)
    standings = services.scoring.show_standings(event, limit=PAGE, after=after, q=query or None, round=number)
    closed = _shown(
        services, tournament, [one.round for one in services.pairing.list_rounds(event).items if one.status == CLOSED]
    )
    begun = number is not None or is_begun(services, event, standings)
    explained = services.scoring.explain_rank(event, why) if why and number is None else None
    charted = explained is not None and len(closed) >= CHART_ROUNDS
    moved = points_of(_ranks(services, event, why, closed), standings.total) if charted else []
    kept = {"q": query or None, "round": number, "after": after}
    return render_template(
        "standings.html",
        event=tournament,
        form=form,
        kept_back="standings" in tournament.on_purpose and current_person().heads and _kept_back(services, event),
        standings=standings,
        begun=begun,
        entrants=None
        if begun
        else services.registration.list_players(event, status="active", sort="name", limit=ENTRANTS, q=query or None),
        why=why,
        explained=explained,
        q=query,
        place="standings",
        number=number,
        closed=closed,
        moved=moved,
        kept=kept,
    )


def _shown(services: Muster, event: answers.TournamentView, closed: list[int]) -> list[int]:
    """Return the closed rounds whose standings this person may see: those held back are the last ones."""
    while closed and "standings" in event.on_purpose:
        try:
            services.scoring.show_standings(event.id, limit=1, round=closed[-1])
        except Problem as problem:
            if problem.status not in NOT_SHOWN:
                raise
            closed = closed[:-1]
        else:
            break
    return closed


def _kept_back(services: Muster, event: str) -> bool:
    """Return True if scoring holds standings that only staff can see."""
    try:
        return bool(services.scoring.publish_standings(event, preview=True).events)
    except MusterError:
        return False


@blueprint.get("/events/<event>/standings.csv")
def save(event: str) -> ResponseReturnValue:
    """Return the full standings as CSV."""
    number = request.args.get("round", type=int)
    text = muster().scoring.show_standings_csv(event, round=number)
    name = f"standings-after-round-{number}.csv" if number else "standings.csv"
    heads = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, mimetype="text/csv", headers=heads)


def _ranks(services: Muster, event: str, player: str, closed: list[int]) -> dict[int, int]:
    """Return round -> rank of a player, for the closed rounds that the caller may see."""
    ranks: dict[int, int] = {}
    for number in closed:
        try:
            near = services.scoring.show_standings(event, around=player, limit=1, round=number)
        except Problem as problem:
            if problem.status not in NOT_SHOWN:
                raise
            continue
        rank = next((row.rank for row in near.items if row.player == player), None)
        if rank is not None:
            ranks[number] = rank
    return ranks


BEST = 8


@blueprint.route("/events/<event>/awards", methods=["GET", "POST"])
def awards(event: str) -> ResponseReturnValue:
    """Show the top players and awards. A post gives an award, previews the end of the event, or ends it."""
    form, services, foreseen = Form({"name": "/name", "player": "/player", "why": "/reason"}), muster(), None
    action = request.form.get("do", "") if form.sent else ""
    try:
        if action == "give" and not form["player"]:
            form.add_fault("player", _("Choose a player."))
        elif action == "give":
            done = services.scoring.give_award(
                event, name=form["name"], player=form["player"], reason=form["reason"], idempotency_key=form.key
            )
            flash(_("Award given: %(award)s.", award=form["name"]), done)
        elif action == "preview":
            foreseen = services.scoring.conclude_tournament(event, preview=True, **_early_end(form))
        elif action == "conclude":
            services.scoring.conclude_tournament(event, idempotency_key=form.key, **_early_end(form))
            flash(_("The event is over. The standings are final."))
        if action in ("give", "conclude") and form.is_valid:
            return redirect(url_for("standings.awards", event=event))
    except Problem as problem:
        form.add_problem(problem)
    players = list(all_players(event))
    best = services.scoring.show_standings(event, limit=BEST)
    begun = is_begun(services, event, best)
    tournament = services.registration.show_tournament(event)
    page = render_template(
        "awards.html",
        event=tournament,
        columns=best.columns[:2],
        words=best.words,
        early=best.provisional or not tournament.rounds or best.round < tournament.rounds,
        form=form,
        best=best.items if begun else [],
        entrants=None if begun else services.registration.list_players(event, status="active", sort="name", limit=PAGE),
        players=[one for one in players if one.status in ("active", "dropped")],
        names={one.id: one.name for one in players},
        awards=services.scoring.list_awards(event).items,
        foreseen=foreseen,
        place="awards",
    )
    return page, 200 if form.is_valid else 422


def _early_end(form: Form) -> Conclude:
    """Return the reason to end the event before its last planned round, if given."""
    return {"reason": form["why"]} if form["why"] else {}
