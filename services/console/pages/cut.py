"""The page of the cut: who is in and who is not, what separates them, and giving up a seat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers, bodies, problems
from services.console.forms import Form
from services.console.hall_time import use_zone_of
from services.console.language import _, whole_number
from services.console.pages.rounds import CLOSED
from services.console.signed_in import current_person, muster
from services.console.undo import flash
from services.console.venue_rounds import ELIMINATION
from services.console.words import OVER

BEYOND = 8
"""Rows shown below the cut line."""


class CutLine(Struct, frozen=True):
    """A row of the standings at the cut. number: the seed, 0 for none. why: in or out, in words.

    last: True for the last row above the line.
    """

    rank: int
    player: str
    name: str
    values: Mapping[str, int | str]
    number: int
    why: str
    tied: bool
    last: bool


def cut_lines(
    rows: Sequence[answers.RowView],
    seeds: Sequence[str],
    given_up: Collection[str] = (),
    moved_up: Mapping[str, str] | None = None,
) -> list[CutLine]:
    """Return the rows down to a few below the cut line.

    rows: rows of the standings. seeds: players in the cut, in order. given_up: players whose seat is empty.
    moved_up: player who gave up a seat -> name of the replacement.
    """
    moved = moved_up or {}
    there = [place for place, row in enumerate(rows) if row.player in seeds]
    if not there:
        return []
    numbers = {player: number for number, player in enumerate(seeds, 1)}
    return [
        CutLine(
            rank=row.rank,
            player=row.player,
            name=row.name,
            values=row.values,
            number=0 if row.player in given_up else numbers.get(row.player, 0),
            why=_why(row, numbers, given_up, moved, above=place < there[-1], place=place),
            tied=row.tied,
            last=place == there[-1],
        )
        for place, row in enumerate(rows[: there[-1] + 1 + BEYOND])
    ]


def _why(
    row: answers.RowView,
    numbers: Mapping[str, int],
    given_up: Collection[str],
    moved: Mapping[str, str],
    *,
    above: bool,
    place: int,
) -> str:
    if row.player in given_up:
        return _("gave up the seat; no one moves up")
    if row.player in moved:
        return _("gave up the seat; %(player)s moved up", player=moved[row.player])
    if row.player in numbers:
        up = bool(moved) and place >= len(numbers)
        return (
            _("moved up as seed %(number)s", number=numbers[row.player])
            if up
            else (_("in, seed %(number)s", number=numbers[row.player]))
        )
    return _("has left, so no seat") if above or row.status != "active" else _("out")


def decided_by(lines: Sequence[CutLine], columns: Sequence[str]) -> str | None:
    """Return the column that separates the last player in from the first one out; empty if no column does.

    None if no player is out.
    """
    last = next((place for place, line in enumerate(lines) if line.last), None)
    if last is None or last + 1 >= len(lines):
        return None
    inside, outside = lines[last].values, lines[last + 1].values
    return next((name for name in columns if inside.get(name) != outside.get(name)), "")


blueprint = Blueprint("cut", __name__)
POINTERS = {"places": "/places", "at": "/at", "player": "/player"}
MOST = 500
"""Rows of the standings that are read."""
HIDDEN = (403, 404, 409, 422)
"""Statuses of standings that are not recorded or not visible to the caller."""


class Foreseen(Struct, frozen=True):
    """A preview of the cut. version: to make exactly this one. tie: the players tied at its line."""

    seeds: list[str]
    after_round: int
    version: str
    tie: answers.LineTieView | None


@blueprint.get("/events/<event>/cut")
def show(event: str) -> ResponseReturnValue:
    """Show the cut; to those who may make it, also the preview for `places`."""
    return _page(event, Form(POINTERS))


@blueprint.post("/events/<event>/cut")
def act(event: str) -> ResponseReturnValue:
    """Make the cut, publish it now or at a time, or give up a seat; `do=try` previews who would move up."""
    form, action = Form(POINTERS), request.form.get("do", "")
    tried: answers.PairingPreview | None = None
    try:
        if action == "make":
            places = form.whole("places")
            if form.is_valid:
                version = form.version
                done = muster().pairing.make_cut(event, **_so_many(places), if_match=version, idempotency_key=form.key)
                flash(_("The cut is made."), done)
        elif action in ("publish", "later", "keep"):
            _publish(event, form, action)
        elif action == "try":
            tried = muster().pairing.give_up_seat(event, preview=True, player=form["player"])
        elif action == "give":
            done = muster().pairing.give_up_seat(event, player=form["player"], idempotency_key=form.key)
            flash(_("The seat is given up."), done)
        else:
            flash(_("Nothing was changed."))
    except problems.PreconditionFailed:
        form.above.append(_("Someone else changed this first. Your change was not saved; this is the current cut."))
        return _page(event, form), 412
    except Problem as problem:
        form.add_problem(problem)
        return _page(event, form), problem.status
    if tried is not None or not form.is_valid:
        return _page(event, form, tried), 200 if form.is_valid else 422
    return redirect(url_for("cut.show", event=event))


def _publish(event: str, form: Form, action: str) -> None:
    pairing = muster().pairing
    if action == "keep":
        flash(_("The cut is held back."), pairing.cancel_cut_publication(event, idempotency_key=form.key))
    elif action == "publish":
        pairing.publish_cut(event, idempotency_key=form.key)
        flash(_("The cut is published."))
    else:
        use_zone_of(muster().registration.show_tournament(event))
        if (at := form.moment("at")) is not None:
            done = pairing.publish_cut(event, at=at, idempotency_key=form.key)
            flash(_("The cut will be published at that time."), done)


def _page(event: str, form: Form, tried: answers.PairingPreview | None = None) -> str:
    """Render the page. tried: the preview of giving up a seat."""
    services = muster()
    tournament, cut = services.registration.show_tournament(event), services.pairing.show_cut(event)
    use_zone_of(tournament)
    rounds = services.pairing.list_rounds(event).items
    begun = any(one.stage == ELIMINATION for one in rounds)
    makes = current_person().heads and tournament.status not in OVER
    redo = bool(cut.seeds) and "anew" in request.args
    foreseen = None
    if makes and cut.bracket != "none" and not begun and (redo or not cut.seeds) and rounds:
        foreseen = _foresee(event, form)
    standings, lines = _lines(event, cut, foreseen)
    return render_template(
        "cut.html",
        event=tournament,
        form=form,
        cut=cut,
        begun=begun,
        closed=bool(rounds) and rounds[-1].status == CLOSED,
        makes=makes,
        redo=redo,
        foreseen=foreseen,
        places=_places(form) or (len(foreseen.seeds) if foreseen else cut.due) or "",
        standings=standings,
        lines=lines,
        separates=decided_by(lines, standings.columns) if standings else None,
        tie=foreseen.tie if foreseen else cut.tie_at_line,
        left=[seed for seed in cut.seeds if seed.status != "active" and not seed.given_up],
        moves_up=_moves_up(tried) if tried is not None else None,
        given=next((seed.name for seed in cut.seeds if seed.player == form["player"]), "") if form.sent else "",
        place="round",
        has_bracket=cut.bracket != "none",
    )


def _foresee(event: str, form: Form) -> Foreseen | None:
    """Return the preview of the cut, or None if it is refused; then add a fault if a number was requested."""
    places = _places(form)
    try:
        seen = muster().pairing.make_cut(event, preview=True, **_so_many(places))
    except Problem as problem:
        if form.is_valid and (places is not None or isinstance(problem, problems.StandingsNotPublished)):
            form.add_problem(problem)
        return None
    made = seen.moves.cut
    if not made or made.after_round is None:
        return None
    return Foreseen([seed.player for seed in made.seeds], made.after_round, seen.meta.etag or "", made.tie_at_line)


def _places(form: Form) -> int | None:
    """Return how many advance, from the form or the address; None if the ruleset decides."""
    typed = form["places"] if form.sent else request.args.get("places", "")
    return whole_number(typed)


def _so_many(places: int | None) -> bodies.MakeCut:
    return {"places": places} if places is not None else {}


def _lines(
    event: str, cut: answers.CutView, foreseen: Foreseen | None
) -> tuple[answers.StandingsView | None, list[CutLine]]:
    """Return the standings and their rows at the previewed cut, or at the cut that exists."""
    after = foreseen.after_round if foreseen else cut.after_round
    seeds = foreseen.seeds if foreseen else [seed.player for seed in cut.seeds]
    if not after or not seeds:
        return None, []
    try:
        standings = muster().scoring.show_standings(event, round=after, limit=MOST)
    except Problem as problem:
        if problem.status not in HIDDEN:
            raise
        return None, []
    if foreseen:
        return standings, cut_lines(standings.items, seeds)
    empty = [seed.player for seed in cut.seeds if seed.given_up]
    moved = {one.player: one.moved_up_name for one in cut.gave_up if one.moved_up}
    return standings, cut_lines(standings.items, seeds, empty, moved)


def _moves_up(tried: answers.PairingPreview) -> str:
    """Return the name of the player who would move up; empty if no one would."""
    cut = tried.moves.cut
    return cut.gave_up[-1].moved_up_name if cut and cut.gave_up else ""
