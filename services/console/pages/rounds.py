"""The round board: its games, the clock, and the next step of the event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from muster_client import Problem, answers, problems
from muster_client.generated.bodies import Facts
from services.console.forms import Form
from services.console.game_results import NO_RESULT, results_of
from services.console.hall_time import use_zone_of
from services.console.language import N_, _, ngettext
from services.console.pages.bracket import round_name
from services.console.pages.lists import players_without_list
from services.console.pages.results import is_settled, seen_report
from services.console.quick_entry import QuickEntry, blank_entry, enter, find_game, quick_entry
from services.console.selection import PART, Selection, act_on_each, selection
from services.console.signed_in import ALL, acts_everywhere, current_person, muster, venue_shown
from services.console.undo import flash
from services.console.venue_rounds import ELIMINATION, OF_STATUS, PART_STEPS, rounds_apart, venue_rounds
from services.console.words import FIRST, OVER, table_name

CLOSED, NONE = "closed", "none"
PLAYED = ("started", CLOSED)
"""Statuses of a round whose games can have results."""


def next_step(
    status: str, board: answers.RoundView, planned: int | None, cut: answers.CutView | None, winner: str
) -> str:
    """Return the next step: publish, start, close, cut, publish_cut, pair, end or over.

    status: status of the event. planned: number of rounds, None if undecided. cut: the cut; only used after the round
    is closed. winner: winner of the bracket; empty if there is none yet.
    """
    if board.status in OF_STATUS:
        return OF_STATUS[board.status]
    if status in OVER or cut is None:
        return "over"
    if cut.seeds:
        return "publish_cut" if cut.draft else "end" if winner else "pair"
    if cut.due:
        return "cut"
    return "end" if planned and board.round >= planned else "pair"


class Moved(Struct, frozen=True):
    """A place in the standings after closing. before: rank after the previous round, 0 for none."""

    rank: int
    before: int
    name: str


class Closing(Struct, frozen=True):
    """A preview of closing a round. waiting: games that do not count yet, which prevent it.

    byes: players without a game. moved: the first places, and players who change place; more: how many others do.
    version: to close exactly this state.
    """

    waiting: list[answers.PairingView]
    byes: list[str]
    moved: list[Moved]
    more: int
    version: str


FIRST_PLACES = 8
"""Places listed even if they do not change."""
MOST_NAMES = 24
"""Places listed at most."""


def closing(
    board: answers.RoundView,
    after: Mapping[str, int],
    before: Mapping[str, int],
    names: Mapping[str, str],
    version: str = "",
) -> Closing:
    """Return a preview of closing. after: player -> rank once closed, empty if impossible. before: rank after the
    previous round.
    """
    ranked = sorted(after.items(), key=lambda one: one[1])
    places = [Moved(rank, before.get(player, 0), names.get(player, player)) for player, rank in ranked]
    moved = [
        place for number, place in enumerate(places) if number < FIRST_PLACES or place.before not in (0, place.rank)
    ]
    return Closing(
        waiting=[game for game in board.pairings if not is_settled(game)],
        byes=[game.name_1 for game in board.pairings if game.status == "bye"],
        moved=moved[:MOST_NAMES],
        more=max(0, len(moved) - MOST_NAMES),
        version=version,
    )


blueprint = Blueprint("rounds", __name__)
POINTERS = {"minutes": "/minutes", "why": "/reason"}
CALLS = {
    "start": N_("Round starts"),
    "halfway": N_("Half-time"),
    "ten_minutes": N_("Ten minutes left"),
    "end": N_("Time is up"),
    "hard_stop": N_("Stop now"),
}
"""Time call of pairing -> words."""
DONE = {
    "pair": N_("Round %(round)s is paired."),
    "publish": N_("The pairings of round %(round)s are published."),
    "start": N_("Round %(round)s has started."),
    "close": N_("Round %(round)s is closed."),
    "without": N_("Round %(round)s is closed without the missing results."),
    "aside": N_("Round %(round)s is set aside; the other venues go on."),
    "withdraw": N_("The pairings of round %(round)s are discarded."),
    "extend": N_("Round %(round)s has extra time."),
    "call": N_("Time is called in round %(round)s."),
}
"""Action of a form -> message on the next page."""
NEEDS_REASON = ("aside", "without")
"""Actions that are recorded with a reason."""
NOTHING = N_("Nothing was changed.")
DUE, LATE = "due", "late"
WHICH = {
    DUE: N_("Still open"),
    "all": N_("All"),
    "disputed": N_("Disputed"),
    LATE: N_("Late"),
    "open": N_("Not reported"),
}
"""Filter of games -> words: those without a result that counts, all, those out of time, or those of a status."""
MANY = 40
"""Games above which the board shows only those that are still open, and folds the tiles."""
PAGE = 100
"""Games on one page of the board."""
ROWS = 500
"""Rows of the earlier standings that a preview of closing compares with."""
MOST = 2000
"""Games of a round that are read; the largest page of pairing."""


class Hall(Struct, frozen=True):
    """A venue's tables in this round."""

    name: str
    games: list[answers.PairingView]
    settled: int


class Progress(Struct, frozen=True):
    """Numbers of games by status; `settled` of `games` count. late: out of time and not settled."""

    games: int
    settled: int
    reported: int
    disputed: int
    open: int
    late: int


class Listing(Struct, frozen=True):
    """A page of the listed games. total: number on all pages. address: returns the address with another filter."""

    games: list[answers.PairingView]
    total: int
    venue: str
    which: str
    page: int
    last: int
    address: Callable[..., str]


@blueprint.get("/events/<event>/round")
def show(event: str) -> ResponseReturnValue:
    """Show the board of the requested round, or else of the latest."""
    return _board(event, Form(POINTERS))


@blueprint.post("/events/<event>/round")
def act(event: str) -> ResponseReturnValue:
    """Pair, publish, start, close or discard a round; add minutes, or call time."""
    form, action = Form(POINTERS), request.form.get("do", "")
    number = form.whole("round") or 1
    services = muster()
    part: Any = {"venue": form["venue"]} if form["venue"] else {}
    where = _venue_name(event, form["venue"]) if part else ""
    if action in NEEDS_REASON and not form["why"]:
        form.add_fault("why", _("Enter a reason; it is recorded in the event log."))
        return _board(event, form), 422
    done: Any = None
    try:
        if action == "pair":
            done = services.pairing.pair_round(
                event, round=number, scenario=form["scenario"], idempotency_key=form.key, **part
            )
        elif action == "publish":
            done = services.pairing.publish_round(event, number, idempotency_key=form.key, **part)
        elif action == "start":
            done = services.pairing.start_round(event, number, idempotency_key=form.key, **part)
        elif action == "look":
            return _board(event, form, _foresee(event, number))
        elif action == "close":
            done = services.scoring.close_round(event, number, if_match=form.version, idempotency_key=form.key, **part)
        elif action == "without":
            done = services.scoring.close_round(event, number, without=form["why"], idempotency_key=form.key, **part)
        elif action == "aside":
            done = services.scoring.set_part_aside(
                event, number, venue=form["venue"], reason=form["why"], idempotency_key=form.key
            )
        elif action == "withdraw":
            done = services.pairing.withdraw_round(event, number, reason=form["reason"], idempotency_key=form.key)
        elif action == "extend":
            minutes = form.whole("minutes")
            if minutes is None and form.is_valid:
                form.add_fault("minutes", _("Enter the number of minutes."))
            if not form["why"]:
                form.add_fault("why", _("Enter a reason; it is recorded in the event log."))
            if not form.is_valid:
                return _board(event, form), 422
            done = services.pairing.extend_clock(
                event, number, minutes=minutes or 0, reason=form["why"], idempotency_key=form.key, **part
            )
        elif action == "call":
            done = services.pairing.call_time(event, number, call=form["call"], idempotency_key=form.key, **part)
    except problems.PreconditionFailed:
        form.above.append(_("Someone else changed this first. Your change was not saved; this is the current round."))
        return _board(event, form), 412
    except Problem as problem:
        form.add_problem(problem)
        if where and form.above:
            form.above[0] = Markup("%s: %s") % (where, form.above[0])
        return _board(event, form), problem.status
    said = _(DONE.get(action, NOTHING), round=number)
    flash(f"{where}: {said}" if where else said, done)
    return redirect(url_for("rounds.show", event=event))


@blueprint.route("/events/<event>/quick", methods=["GET", "POST"])
def quick(event: str) -> ResponseReturnValue:
    """Enter the result of a table, then return to the board. A script gets only the form, and the result as text.

    GET names the players of a table.
    """
    number = request.values.get("round", 1, type=int)
    tournament = muster().registration.show_tournament(event)
    entry = blank_entry(tournament, number)
    scripted = "HX-Request" in request.headers
    if request.method == "GET":
        if not scripted:
            return redirect(url_for("rounds.show", event=event, quick=1))
        find_game(tournament, entry, request.args.get("table", "").strip())
        return render_template("quick_entry.html", event=tournament, entry=entry)
    enter(tournament, entry)
    status = 200 if entry.entered else 422
    if not scripted and entry.entered:
        flash(entry.entered.text, entry.entered.answer)
        return redirect(url_for("rounds.show", event=event, quick=1, venue=entry.venue or None))
    if not scripted:
        return _board(event, Form(POINTERS, part="board"), entry=entry), status
    if entry.entered:
        entry = replace(entry, form=Form(part="next"), game=None, stuck="", questions=(), unlikely=False)
    return render_template("quick_entry.html", event=tournament, entry=entry), status


SEVERAL_POINTERS = {"more": "/minutes", "because": "/reason"}
ABSENT: Facts = {"kind": "double_no_show"}


def _confirm(event: str, game: str, report: str, form: Form, key: str) -> Any:
    return muster().scoring.confirm_result(event, game, **seen_report(report), idempotency_key=key)


def _absent(event: str, game: str, report: str, form: Form, key: str) -> Any:
    return muster().scoring.report_result(event, game, facts=ABSENT, idempotency_key=key)


def _extend(event: str, game: str, report: str, form: Form, key: str) -> Any:
    number = form.whole("round") or 1
    minutes, reason = form.whole("more") or 0, form["because"]
    return muster().pairing.extend_clock(event, number, minutes=minutes, reason=reason, game=game, idempotency_key=key)


SEVERAL: Mapping[str, tuple[Callable[[str, str, str, Form, str], Any], Callable[[int], str]]] = {
    "confirm": (
        _confirm,
        lambda count: ngettext("%(num)s result confirmed.", "%(num)s results confirmed.", count),
    ),
    "absent": (
        _absent,
        lambda count: ngettext(
            "%(num)s game entered: neither player showed up.", "%(num)s games entered: neither player showed up.", count
        ),
    ),
    "time": (
        _extend,
        lambda count: ngettext("%(num)s game has extra time.", "%(num)s games have extra time.", count),
    ),
}
"""Action of the selected games -> the request for one of them, and what to say of those that were done."""


@blueprint.post("/events/<event>/round/several")
def several(event: str) -> ResponseReturnValue:
    """Confirm the reports of the selected games, enter that no one came, or give them time, each on their own."""
    chosen, action = selection(SEVERAL_POINTERS, "game"), request.form.get("do", "")
    form = chosen.form
    number = form.whole("round") or 1
    if action not in SEVERAL:
        form.add_fault(PART, _("Choose what to do with the selected rows."))
    if action == "time":
        if form.whole("more") is None and "more" not in form.faults:
            form.add_fault("more", _("Enter the number of minutes."))
        if not form["because"]:
            form.add_fault("because", _("Enter a reason; it is recorded in the event log."))
    if form.is_valid:
        act, say = SEVERAL[action]
        games = {game.id: game for game in muster().pairing.show_round(event, number).pairings}

        def act_on(game: str, key: str) -> Any:
            return act(event, game, form[f"report-{game}"], form, key)

        def name_of(game: str) -> str:
            if game not in games:
                return game
            players, table = f"{games[game].name_1} – {games[game].name_2}", table_name(games[game])
            return _("Table %(number)s", number=table) + f": {players}" if table else players

        if act_on_each(chosen, action, act_on, name_of, say):
            return redirect(url_for("rounds.show", event=event, **_place()))
    return _board(event, Form(POINTERS, part="board"), chosen=chosen), 422


def _place() -> dict[str, Any]:
    """Return the part of the board that the page shows: the query values of its address."""
    return {name: value for name in ("round", "venue", "which", "page") if (value := request.args.get(name, ""))}


def _foresee(event: str, number: int) -> Closing:
    """Return the preview of closing a round, or the games that it waits for. Raises Problem."""
    services = muster()
    board = services.pairing.show_round(event, number)
    names = {game.player_1: game.name_1 for game in board.pairings}
    names |= {game.player_2: game.name_2 for game in board.pairings}
    before: dict[str, int] = {}
    if number > 1:
        rows = services.scoring.show_standings(event, round=number - 1, limit=ROWS).items
        before, names = {row.player: row.rank for row in rows}, {row.player: row.name for row in rows} | names
    try:
        seen = services.scoring.close_round(event, number, preview=True)
    except problems.GamesOpen:
        return closing(board, {}, before, names)
    recorded = [row for one in seen.events if one.type == "StandingsRecorded" for row in one.data.get("rows", [])]
    after = {row["player"]: row["rank"] for row in recorded}
    if not recorded:  # the standings are held back
        after = {row.player: row.rank for row in services.scoring.show_standings(event, limit=ROWS).items}
        if moved := seen.moves.standings:
            after |= {row.player: row.rank.after for row in moved.ranks}
    return closing(board, after, before, names, seen.meta.etag or "")


def _board(
    event: str,
    form: Form,
    foreseen: Closing | None = None,
    entry: QuickEntry | None = None,
    chosen: Selection | None = None,
) -> str:
    services = muster()
    tournament, listed = services.registration.show_tournament(event), services.pairing.list_rounds(event)
    runs = current_person().heads and acts_everywhere(tournament)
    if not listed.items:
        scenarios = _scenarios(event)
        apart = current_person().heads and tournament.pairing_scope == "venue"
        return render_template(
            "no_round.html",
            event=tournament,
            form=form,
            place="round",
            scenarios=scenarios,
            runs=runs,
            spare=runs and _spare_offered(tournament),
            on_call=[one.name for one in listed.spares],
            parts=venue_rounds(tournament, listed, services.pairing.show_clock(event), cut=False) if apart else [],
            step_words=PART_STEPS,
            calls=CALLS,
            unlisted=players_without_list(tournament) if runs else None,
        )
    venue, at_venues = venue_shown(tournament), rounds_apart(tournament, listed.items)
    newest = listed.items[-1].round
    latest = at_venues.get(venue, newest)
    board = services.pairing.show_round(event, request.args.get("round", type=int) or latest)
    clock = services.pairing.show_clock(event)
    venues = {venue.id: venue.name for venue in tournament.venues}
    use_zone_of(tournament, venue)
    late = late_games(board, clock)
    listing = _listing(event, board, venue, late)
    if entry is None and current_person().staff:
        for number in (board.round, *sorted({*at_venues.values()} - {board.round})):
            shown = board if number == board.round else services.pairing.show_round(event, number)
            if entry is None and shown.status == "started":
                entry = quick_entry(tournament, board.round, shown.pairings)
    alone = bool(venue) and (bool(at_venues) or venue == current_person().venue)
    own = [one for one in board.pairings if not alone or one.venue == venue]
    last, closed = board.round == newest, board.status == CLOSED
    cut = services.pairing.show_cut(event) if last and closed and tournament.format == "swiss" else None
    parts = venue_rounds(tournament, listed, clock, cut=board.stage == ELIMINATION or bool(cut and cut.seeds))
    bracket = services.pairing.show_bracket(event) if board.stage == ELIMINATION or (cut and cut.seeds) else None
    games = Counter(game.round for game in bracket.items) if bracket else {}
    return render_template(
        "round.html",
        event=tournament,
        form=form,
        rounds=listed,
        board=board,
        step=next_step(tournament.status, board, listed.planned, cut, bracket.winner if bracket else ""),
        cut=cut,
        foreseen=foreseen,
        parts=parts if current_person().heads or len(set(at_venues.values())) > 1 else [],
        apart=at_venues,
        latest=latest,
        step_words=PART_STEPS,
        stage_names={number: round_name(count) for number, count in games.items()},
        has_bracket=bracket is not None,
        clock=clock if clock.running and clock.round == board.round else None,
        halls=_halls(own, venues),
        listing=listing,
        late=late,
        chosen=chosen or Selection(Form(part=PART)),
        select_all=listing.address(page=listing.page, select="all"),
        act_on=url_for("rounds.several", event=event, **_place()),
        entry=entry,
        results=results_of(services, event, board.round, listing.games) if board.status in PLAYED else {},
        no_result=NO_RESULT,
        calls=CALLS,
        which_words=WHICH,
        many=len(own) > MANY,
        progress=_progress(own, late),
        calls_open=services.pairing.list_calls(event, status="open", limit=1).total if current_person().staff else 0,
        scenarios=_scenarios(event) if board.status == "closed" else [],
        everywhere=acts_everywhere(tournament),
        runs=runs,
        spare=runs and last and _spare_offered(tournament),
        on_call=[one.name for one in listed.spares],
        place="round",
    )


def late_games(board: answers.RoundView, clock: answers.ClockView) -> frozenset[str]:
    """Return the ids of the games whose time is up and that are not settled, by the clock of the service."""
    now = datetime.fromisoformat(clock.now)
    return frozenset(
        game.id
        for game in board.pairings
        if game.ends_at and not is_settled(game) and datetime.fromisoformat(game.ends_at) < now
    )


def _venue_name(event: str, venue: str) -> str:
    """Return the name of a venue; its id if the event has no such venue."""
    venues = muster().registration.show_tournament(event).venues
    return next((one.name for one in venues if one.id == venue), venue)


def _listing(event: str, board: answers.RoundView, venue: str, late: Collection[str]) -> Listing:
    """Return a page of the games that match the filter, disputes first, then those that are late.

    venue: empty for all. late: ids of the games out of time.
    """
    which = request.args.get("which", "")
    if which not in WHICH:
        which = DUE if board.status == "started" and len(board.pairings) > MANY else "all"
    games = [
        game
        for game in sorted(
            board.pairings, key=lambda game: (FIRST.get(game.status, 3), game.id not in late, game.table)
        )
        if (not venue or game.venue == venue)
        and (
            which in ("all", game.status)
            or (which == DUE and not is_settled(game))
            or (which == LATE and game.id in late)
        )
    ]
    last = max(1, -(-len(games) // PAGE))
    page = min(max(1, request.args.get("page", 1, type=int)), last)

    def address(**other: Any) -> str:
        round = board.round if "round" in request.args else None  # the latest one is followed
        chosen: dict[str, Any] = {"round": round, "venue": venue, "which": which, "page": 1} | other
        if not chosen["venue"] and current_person().venue:
            chosen["venue"] = ALL
        return url_for("rounds.show", event=event, **{name: value for name, value in chosen.items() if value})

    return Listing(games[(page - 1) * PAGE : page * PAGE], len(games), venue, which, page, last, address)


def _scenarios(event: str) -> list[str]:
    """Return the scenarios to choose from, if the ruleset needs one for a round."""
    ruleset = muster().registration.show_tournaments_ruleset(event).ruleset
    named = ruleset.get("scenarios") or []
    return [one["name"] if isinstance(one, dict) and "name" in one else str(one) for one in named]


SPARE = "spare"
MAY_STAND_BY = (SPARE, "organiser", "head_referee", "referee")
"""Roles of staff who may play as the spare player."""


def has_spare(event: str) -> bool:
    """Return True if the rules of an event have games against a spare player."""
    return SPARE in muster().registration.show_tournaments_ruleset(event).ruleset["result"]["kinds"]


def _spare_offered(event: answers.TournamentView) -> bool:
    """Return True if someone of the staff could stand by as the spare player."""
    return any(one.role in MAY_STAND_BY for one in event.staff) and has_spare(event.id)


def _halls(pairings: list[answers.PairingView], venues: dict[str, str]) -> list[Hall]:
    halls: dict[str, list[answers.PairingView]] = {}
    for pairing in sorted(pairings, key=lambda pairing: pairing.table):
        if pairing.status != "bye":
            halls.setdefault(pairing.venue, []).append(pairing)
    return [
        Hall(venues.get(venue) or _("All tables"), games, sum(map(is_settled, games))) for venue, games in halls.items()
    ]


def _progress(pairings: list[answers.PairingView], late: Collection[str]) -> Progress:
    games = [pairing for pairing in pairings if pairing.status != "bye"]
    of = Counter(game.status for game in games if not is_settled(game))
    settled = sum(map(is_settled, games))
    return Progress(
        len(games), settled, of["reported"], of["disputed"], of["open"], sum(game.id in late for game in games)
    )
