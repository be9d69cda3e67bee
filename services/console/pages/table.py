"""The player's own pages: my table, my games, leaving; also as an app on the phone."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from flask import (
    Blueprint,
    Response,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct

from muster_client import Problem, Unreachable, answers, problems
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.hall_time import use_zone
from services.console.language import N_, _, in_markup, language
from services.console.pages.public import home_of, is_begun
from services.console.pages.referee import ABOUT, CALL_POINTERS, call_a_judge, my_call, withdraw_my_call
from services.console.pages.results import is_settled, last_reason, last_voiding, seen_report
from services.console.reported_result import reported_result
from services.console.result_form import (
    IMPROBABLE,
    LOOK,
    Preview,
    ResultForm,
    ResultPreview,
    defaults_of,
    facts_of,
    load_result_form,
    preview_result,
    result_text,
)
from services.console.signed_in import current_person, muster
from services.console.undo import flash
from services.console.words import actor_words

NOTHING = (404, 409)
"""Statuses that mean: not available, or not now."""
NO_ROW = 422
"""Status for a player without a row in the standings: waiting, or gone before round 1."""


class Place(Struct, frozen=True):
    """A rank in the standings. round: after which. total: number of players. final: True if the event is over.

    so_far: True if the round is still being played.
    """

    rank: int
    total: int
    round: int
    final: bool
    so_far: bool = False


class BracketSeat(Struct, frozen=True):
    """A seat in the bracket. seed: 0 without a seat. begun: True if the player's latest game was in the bracket."""

    seed: int
    begun: bool


class NextRound(Struct, frozen=True):
    """The next round. at: its approximate start, RFC 3339; or else day: ISO 8601."""

    round: int
    at: str = ""
    day: str = ""


class Voiding(Struct, frozen=True):
    """How a result was voided. said: who did it, already escaped."""

    said: Markup
    reason: str


def next_round(event: str, seat: answers.PlayersPairing | None) -> NextRound | None:
    """Return the next round with its start: the end of this one plus the break, or a day."""
    try:
        rounds = muster().pairing.show_timetable(event).rounds
    except Unreachable:
        return None
    except Problem as problem:
        if problem.status in NOTHING:
            return None
        raise
    known, number = {one.round: one for one in rounds}, seat.round if seat else 0
    now, coming = known.get(number), known.get(number + 1)
    if coming is None:
        return None
    if now is not None and seat is not None and seat.pairing.ends_at and now.day == coming.day:
        begins = datetime.fromisoformat(seat.pairing.ends_at) + timedelta(minutes=now.break_minutes)
        return NextRound(coming.round, at=begins.isoformat())
    return NextRound(coming.round, day=coming.date) if coming.date else None


def place_of(event: str, player: str) -> Place | None:
    """Return the rank of a player; None before the first result, and if the standings are hidden or away."""
    try:
        standings = muster().scoring.show_standings(event, limit=1, around=player)
        begun = is_begun(muster(), event, standings)
    except Unreachable:
        return None
    except Problem as problem:
        if problem.status in (*NOTHING, NO_ROW):
            return None
        raise
    rank = next((row.rank for row in standings.items if row.player == player), None)
    if rank is None or not begun:
        return None
    return Place(rank, standings.total, standings.round, standings.final, standings.provisional)


def seat_in_bracket(event: str, player: str, round: int) -> BracketSeat | None:
    """Return the seat of a player in the bracket; None without a visible cut. round: that of their latest game."""
    try:
        cut = muster().pairing.show_cut(event)
    except Problem as problem:
        if problem.status in NOTHING:
            return None
        raise
    if not cut.seeds:
        return None
    seed = next((seat.seed for seat in cut.seeds if seat.player == player and not seat.given_up), 0)
    return BracketSeat(seed, round > (cut.after_round or 0))


def seconds_left(event: str, seat: answers.PlayersPairing) -> int | None:
    """Return the seconds left in a game by the service's clock, negative after its end; None without an end."""
    if seat.status != "started" or not seat.pairing.ends_at:
        return None
    clock = muster().pairing.show_clock(event)
    ends = datetime.fromisoformat(seat.pairing.ends_at)
    return round((ends - datetime.fromisoformat(clock.now)).total_seconds()) if clock.running else None


blueprint = Blueprint("table", __name__)
ENTRY = "entry"
"""Where the session keeps how the player entered the last result: by its points, or by what was on the table."""
REPORT, CHANGE = "report", "change"
"""Actions that send facts; the second one is also the query value of a page with the form that changes a report."""
REPORTED = "reported"
MAY_BE_APPEALED = ("ruled", "corrected")
FINAL = ("head_referee", "organiser")
"""Roles whose ruling cannot be appealed."""


@blueprint.route("/events/<event>/table", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Show my table; a post reports a result, changes the report, confirms, disputes or appeals, or calls a referee.

    `?change=yes` shows the form that changes the player's own report.
    """
    if not current_person().player:
        return redirect(url_for("home.enter"))
    me = muster().registration.show_me(event)
    try:
        seat = _seat(event, me.player.id)
    except problems.WrongFormat:  # a format without games
        return redirect(home_of(event))
    if seat is not None:
        use_zone(seat.time_zone)
    rests = seat is None or seat.status == "closed"
    bracket = seat_in_bracket(event, me.player.id, seat.round if seat else 0) if rests else None
    if seat is None or seat.pairing.status == "bye":
        standing = place_of(event, me.player.id)
        return render_template(
            "my_table.html",
            me=me,
            seat=seat,
            coming=None if seat else muster().registration.show_tournament(event),
            game=None,
            form=Form(),
            place="table",
            standing=standing,
            bracket=bracket,
            next=None if bracket else next_round(event, seat),
        )
    game = muster().scoring.show_game(event, seat.pairing.id)
    action = request.form.get("do", "")
    reports, looks = action in (REPORT, CHANGE), action == LOOK
    asks = (
        load_result_form(event, game) if reports or looks or not (is_settled(game) or seat.status == "paired") else None
    )
    by_me = game.reported_by == me.player.id
    mine_waits = by_me and game.status == REPORTED
    changes = mine_waits and asks is not None and (action in (CHANGE, LOOK) or bool(request.args.get(CHANGE)))
    form, found = _form(asks, action, game if mine_waits else None), ResultPreview()
    if form.sent and form["game"] not in ("", game.id):
        form.above.append(_("This was about an earlier game. Nothing was sent; this is the current game."))
    elif looks and asks is not None:
        found = preview_result(form, asks, _preview(event, game))
    elif form.sent:
        try:
            _say(event, game, form, facts_of(form, asks) if asks is not None and reports else {})
        except Problem as problem:
            form.add_problem(problem)
            found = ResultPreview(unlikely=problem.code == IMPROBABLE)
        if form.is_valid:
            return redirect(url_for("table.show", event=event))
    mine = 1 if game.player_1 == me.player.id else 2
    page = render_template(
        "my_table.html",
        me=me,
        seat=seat,
        game=game,
        mine=mine,
        opponent=_opponents(game, me.player),
        by_me=by_me,
        changes=changes,
        result=result_text(game),
        reported=reported_result(game, asks, me.player.id),
        asks=asks,
        given=_score(form, found, game),
        unchecked=found.unchecked,
        unlikely=found.unlikely,
        why=last_reason(muster().scoring.show_game_history(event, game.id).items)
        if game.status in MAY_BE_APPEALED
        else "",
        voided=_voiding(event, game) if game.status == "open" and seat.status == "started" else None,
        call=None if seat.status == "closed" else my_call(event, game.id),
        about=ABOUT,
        appealable=seat.status == "started" and game.status in MAY_BE_APPEALED and game.ruling not in FINAL,
        left=None if is_settled(game) else seconds_left(event, seat),
        standing=place_of(event, me.player.id) if is_settled(game) else None,
        bracket=bracket,
        next=next_round(event, seat) if is_settled(game) and not bracket else None,
        form=form,
        place="table",
    )
    return page, 200 if form.is_valid else 422


@blueprint.post("/events/<event>/table/look")
def look_first(event: str) -> ResponseReturnValue:
    """Return the outcome and the faults of the report being typed; nothing is sent."""
    game = muster().scoring.show_game(event, Form()["game"])
    asks = load_result_form(event, game)
    form, found = _form(asks, LOOK), ResultPreview()
    if asks is not None:
        found = preview_result(form, asks, _preview(event, game))
    return render_template(
        "result_look.html",
        form=form,
        asks=asks,
        given=_score(form, found, game),
        unchecked=found.unchecked,
        unlikely=found.unlikely,
    )


def _form(asks: ResultForm | None, action: str, reported: answers.GameShown | None = None) -> Form:
    """Return the form of the page. reported: the game whose report the player may change."""
    if action == "call":
        return Form(CALL_POINTERS)
    known = defaults_of(reported.facts, asks) if asks and reported else {"by": session.get(ENTRY, "")}
    return Form({**(asks.pointers if asks else {}), "reason": "/reason"}, known)


def _score(
    form: Form, found: ResultPreview, game: answers.GameShown
) -> answers.ScoreView | answers.CampaignScoreView | None:
    """Return the score of what the form says: that of the report if nothing differs from it; None if not known."""
    if form.sent and found.preview is None:
        return None
    return found.given or game.score


def _preview(event: str, game: answers.GameShown) -> Preview:
    """Return a preview of a report, or of a change of the player's own report."""
    improbable, scoring = request.form.get("improbable") == "yes", muster().scoring
    changes = game.status == REPORTED and game.reported_by == current_person().player
    send = scoring.change_report if changes else scoring.report_result
    return lambda facts: send(event, game.id, facts=facts, improbable=improbable, preview=True)


def _opponents(game: answers.GameShown, me: answers.PlayerView) -> str:
    """Return the names of all opponents in a game; a game of three has two."""
    if not game.sides:
        return game.name_2 if game.player_1 == me.id else game.name_1
    mine = next((one.side for one in game.sides if one.group == me.id), 0)
    return ", ".join(one.name for one in game.sides if one.side != mine)


def _voiding(event: str, game: answers.GameShown) -> Voiding | None:
    """Return how the result of an open game was voided; None if it had no result."""
    done = last_voiding(muster().scoring.show_game_history(event, game.id).items)
    if done is None:
        return None
    names = {member.id: member.name for member in muster().registration.show_tournament(event).staff}
    said = in_markup(N_("%(who)s voided the result."), who=actor_words(done.actor, names))
    return Voiding(said, str(done.data.get("reason") or ""))


def _seat(event: str, player: str) -> answers.PlayersPairing | None:
    try:
        return muster().pairing.show_players_pairing(event, player)
    except problems.NoGame:
        return None


def _say(event: str, game: answers.GameShown, form: Form, facts: Facts) -> None:
    """Send what the player says about the game, with a message on the next page. Raises Problem."""
    scoring, action = muster().scoring, request.form.get("do", "")
    if action in (REPORT, CHANGE) and form.is_valid:
        tell = scoring.report_result if action == REPORT else scoring.change_report
        tell(event, game.id, facts=facts, improbable=form["improbable"] == "yes", idempotency_key=form.key)
        session[ENTRY] = form["by"]
        flash(_("Your result was sent.") if action == REPORT else _("Your report was changed."))
    elif action == "confirm":
        scoring.confirm_result(event, game.id, **seen_report(form["report"]), idempotency_key=form.key)
        flash(_("The result is confirmed."))
    elif action in ("dispute", "appeal"):
        if not form["reason"]:
            form.add_fault("reason", _("Say briefly what is wrong, for the referee."))
            return
        send = scoring.dispute_result if action == "dispute" else scoring.appeal_ruling
        send(event, game.id, reason=form["reason"], idempotency_key=form.key)
        flash(_("A referee will look at it."))
    elif action == "call":
        call_a_judge(event, game.id, form)
        if form.is_valid:
            flash(_("A referee has been called."))
    elif action == "withdraw":
        withdraw_my_call(event, form)
        flash(_("The call is withdrawn."))
    elif form.is_valid:
        flash(_("Nothing was changed."))


GAMES = 100
"""More than a player plays in one event."""


@blueprint.get("/events/<event>/my-games")
def games(event: str) -> ResponseReturnValue:
    """Show all games of the player in order, with the player's own score first."""
    if not current_person().player:
        return redirect(url_for("home.enter"))
    me = muster().registration.show_me(event)
    mine = []
    for game in muster().scoring.list_games(event, player=me.player.id, round="all", limit=GAMES).items:
        first = game.player_1 == me.player.id
        score = result_text(game, 1 if first else 2)
        mine.append({"game": game, "opponent": game.name_2 if first else game.name_1, "score": score})
    return render_template("my_games.html", me=me, games=mine)


@blueprint.route("/events/<event>/leave", methods=["GET", "POST"])
def leave(event: str) -> ResponseReturnValue:
    """Ask a second time; a post drops the player."""
    if not current_person().player:
        return redirect(url_for("home.enter"))
    me, form = muster().registration.show_me(event), Form()
    if form.sent:
        try:
            muster().registration.drop_player(event, me.player.id, idempotency_key=form.key)
            flash(_("You have left the event."))
        except Problem as problem:
            form.add_problem(problem)
        else:
            return redirect(url_for("table.show", event=event))
    return render_template("my_leave.html", me=me, form=form), 200 if form.is_valid else 422


STATIC = Path(__file__).parents[1] / "static"
WORKER = "phone-worker.js"
KEEP = "X-Muster-Keep"
"""Header of an answer that the worker may keep on the phone until its player signs out."""
OWN_PAGES = ("table.show", "table.games")
THEME_COLOUR, BACKGROUND_COLOUR = "#1f6b4a", "#f1f4f1"
"""Colours of the app's bar, and of the screen before its page appears."""


@blueprint.get("/events/<event>/phone.webmanifest")
def manifest(event: str) -> ResponseReturnValue:
    """Return the web app manifest. Browsers fetch it without cookies, so it says nothing about the event."""
    icons = [
        {"src": url_for("static", filename=f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    answer = jsonify(
        id=url_for("table.show", event=event),
        name=_("Muster: my table"),
        short_name="Muster",
        lang=language(),
        start_url=url_for("table.show", event=event),
        scope="/",
        display="standalone",
        theme_color=THEME_COLOUR,
        background_color=BACKGROUND_COLOUR,
        icons=[
            *icons,
            {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {
                "src": url_for("static", filename="icon-maskable.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get(f"/{WORKER}")
def worker() -> ResponseReturnValue:
    """Return the service worker. Its path covers all pages, and browsers revalidate it for new versions."""
    answer = send_from_directory(STATIC, WORKER)
    answer.direct_passthrough = False  # in hand, so that it can be compressed
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def mark_own_pages(response: Response) -> Response:
    """Let the worker keep the player's own pages."""
    if (
        request.method == "GET"
        and request.endpoint in OWN_PAGES
        and response.status_code == 200
        and current_person().player
    ):
        response.headers[KEEP] = "until-sign-out"
    return response
