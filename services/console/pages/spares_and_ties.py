"""Spare players on call, and ties: how each was drawn, and the coin tossed instead where the rules allow it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers
from services.console.forms import Form
from services.console.language import _
from services.console.pages.public import SWISS
from services.console.pages.rounds import CLOSED, MAY_STAND_BY, has_spare
from services.console.signed_in import acts_everywhere, current_person, muster, only_for
from services.console.undo import flash

blueprint = Blueprint("spares_and_ties", __name__)
LARGEST = 16
"""Players of a tie whose order can be typed."""
NAMED = 24
"""Players of a tie that are named."""
ROWS = 500
"""Rows of the standings per request."""


@blueprint.route("/events/<event>/spare", methods=["GET", "POST"])
@only_for(lambda person: person.heads)
def spares(event: str) -> ResponseReturnValue:
    """Show who stands by as the spare player; a post puts a member of staff on call or ends that."""
    form, services = Form({"staff": "/staff"}), muster()
    tournament = services.registration.show_tournament(event)
    if tournament.format != SWISS:
        abort(404)
    if not acts_everywhere(tournament):
        abort(403)
    status = 200
    if form.sent:
        name = next((one.name for one in tournament.staff if one.id == form["staff"]), form["staff"])
        try:
            if form["do"] == "recall":
                done = services.pairing.recall_spare(event, staff=form["staff"], idempotency_key=form.key)
                flash(_("%(name)s no longer stands by.", name=name), done)
            else:
                done = services.pairing.offer_spare(event, staff=form["staff"], idempotency_key=form.key)
                flash(_("%(name)s stands by as the spare player.", name=name), done)
            return redirect(url_for("spares_and_ties.spares", event=event))
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
    page = render_template(
        "spares.html",
        event=tournament,
        form=form,
        offered=has_spare(event),
        staff=[one for one in tournament.staff if one.role in MAY_STAND_BY],
        on_call={one.id for one in services.pairing.list_rounds(event).spares},
        venues={venue.id: venue.name for venue in tournament.venues},
        place="round",
    )
    return page, status


class Tie(Struct, frozen=True):
    """Players whom only a draw separates.

    players: in the drawn order, as (id, name); at most `NAMED`. more: how many others. seed: the answer of the draw;
    empty if the order was entered by hand. can_toss: the order of a coin can be entered.
    """

    players: list[tuple[str, str]]
    more: int
    seed: str
    can_toss: bool

    @property
    def part(self) -> str:
        """Name of the form of this tie: its players, in any order."""
        return " ".join(sorted(player for player, _name in self.players))


@blueprint.route("/events/<event>/ties", methods=["GET", "POST"])
def ties(event: str) -> ResponseReturnValue:
    """Show the ties after the last closed round with their draws; a post enters the order that a coin gave."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    if tournament.format != SWISS:
        abort(404)
    rounds = services.pairing.list_rounds(event).items
    closed = [one.round for one in rounds if one.status == CLOSED]
    number = closed[-1] if closed else 0
    rules = services.registration.show_tournaments_ruleset(event).ruleset["standings"]
    tosses = bool(rules.get("by_hand")) and len(rounds) == len(closed) and acts_everywhere(tournament)
    tosses = tosses and current_person().heads
    found = list(_ties(event, number, tosses)) if number else []
    forms = {tie.part: Form({"reason": "/reason"}, part=tie.part) for tie in found}
    sent = next((form for form in forms.values() if form.sent), Form(part="none"))
    status = 200
    if Form().sent and not current_person().heads:
        abort(403)
    if sent.part in forms:
        tie = next(tie for tie in found if tie.part == sent.part)
        order = _order(sent, tie)
        status = 200 if sent.is_valid else 422
        if sent.is_valid:
            try:
                done = services.scoring.enter_coin(
                    event, number, order=order, reason=sent["reason"], idempotency_key=sent.key
                )
                flash(_("The order of the coin toss is recorded, and the standings follow it."), done)
                return redirect(url_for("spares_and_ties.ties", event=event))
            except Problem as problem:
                sent.add_problem(problem)
                status = problem.status
    elif Form().sent:
        flash(_("Nothing was saved: this no longer exists. This is the current state."))
        return redirect(url_for("spares_and_ties.ties", event=event))
    page = render_template(
        "ties.html",
        event=tournament,
        number=number,
        ties=found,
        forms=forms,
        sent=sent,
        clauses=_clauses(rules),
        by_hand=bool(rules.get("by_hand")),
        place="standings",
    )
    return page, status


def _clauses(rules: Mapping[str, object]) -> dict[str, str]:
    known = rules.get("clauses")
    clauses = known if isinstance(known, dict) else {}
    return {name: str(clauses.get(name) or rules.get("clause") or "") for name in ("unresolved", "by_hand")}


def _ties(event: str, number: int, tosses: bool) -> Iterator[Tie]:
    """Return the ties in the standings recorded after a round."""
    names: dict[str, str] = {}
    draws: dict[tuple[str, ...], answers.DrawView] = {}
    after = None
    while True:
        listed = muster().scoring.show_standings(event, round=number, limit=ROWS, after=after)
        names |= {row.player: row.name for row in listed.items}
        draws |= {tuple(draw.order): draw for draw in listed.draws if draw.round == number}
        after = listed.next
        if not after:
            break
    for order, draw in draws.items():
        players = [(player, names.get(player, player)) for player in order]
        can_toss = tosses and len(order) <= LARGEST
        yield Tie(players[:NAMED], max(0, len(order) - NAMED), draw.seed, can_toss)


def _order(form: Form, tie: Tie) -> list[str]:
    """Return the players in the typed order; add a fault to the field of each place that is missing or given twice."""
    places: dict[int, str] = {}
    for player, _name in tie.players:
        place = form.whole(f"place_{player}")
        if f"place_{player}" in form.faults:
            continue
        if place is None or not 1 <= place <= len(tie.players):
            form.add_fault(f"place_{player}", _("Enter a place from 1 to %(last)s.", last=len(tie.players)))
        elif place in places:
            form.add_fault(f"place_{player}", _("Place %(place)s is given twice.", place=place))
        else:
            places[place] = player
    return [places[place] for place in sorted(places)]
