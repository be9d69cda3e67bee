"""The round board: the clock, the tables of each venue, what needs somebody, closing and pairing the next."""

from __future__ import annotations

from collections import Counter

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers
from services.console.forms import Form
from services.console.upstream import muster
from services.console.words import FIRST

blueprint = Blueprint("rounds", __name__)
MOST = 2000
"""Games of a round that are read: the largest page that pairing gives stands for the whole."""


class Hall(Struct, frozen=True):
    """A venue's tables in this round."""

    name: str
    games: list[answers.PairingView]
    settled: int


class Progress(Struct, frozen=True):
    """How many games of a round stand how; `settled` of `games` count."""

    games: int
    settled: int
    reported: int
    disputed: int
    open: int


@blueprint.get("/events/<event>/round")
def show(event: str) -> ResponseReturnValue:
    """The board of a round, the last one unless another is asked for."""
    return _board(event, Form())


@blueprint.post("/events/<event>/round")
def act(event: str) -> ResponseReturnValue:
    """Pair, publish, start, close, or withdraw a round."""
    form, does = Form(), request.form.get("do", "")
    number = form.whole("round") or 1
    asked = muster()
    try:
        if does == "pair":
            asked.pairing.pair_round(event, round=number, scenario=form["scenario"], idempotency_key=form.key)
        elif does == "publish":
            asked.pairing.publish_round(event, number, idempotency_key=form.key)
        elif does == "start":
            asked.pairing.start_round(event, number, idempotency_key=form.key)
        elif does == "close":
            asked.scoring.close_round(event, number, idempotency_key=form.key)
        elif does == "withdraw":
            asked.pairing.withdraw_round(event, number, reason=form["reason"], idempotency_key=form.key)
    except Problem as problem:
        form.refused(problem)
        return _board(event, form), problem.status
    return redirect(url_for("rounds.show", event=event))


def _board(event: str, form: Form) -> str:
    asked = muster()
    shown, listed = asked.registration.show_tournament(event), asked.pairing.list_rounds(event)
    if not listed.items:
        scenarios = _scenarios(event)
        return render_template("no_round.html", event=shown, form=form, place="round", scenarios=scenarios)
    wanted = request.args.get("round", type=int) or listed.items[-1].round
    board = asked.pairing.show_round(event, wanted)
    clock = asked.pairing.show_clock(event)
    venues = {venue.id: venue.name for venue in shown.venues}
    games = sorted(board.pairings, key=lambda game: (FIRST.get(game.status, 3), game.table))
    return render_template(
        "round.html",
        event=shown,
        form=form,
        rounds=listed,
        board=board,
        clock=clock if clock.running and clock.round == board.round else None,
        halls=_halls(board.pairings, venues),
        games=games,
        progress=_progress(board.pairings),
        scenarios=_scenarios(event) if board.status == "closed" else [],
        place="round",
    )


def _scenarios(event: str) -> list[str]:
    """What a round may be played by, where the ruleset wants one named."""
    ruleset = muster().registration.show_tournaments_ruleset(event).ruleset
    named = ruleset.get("scenarios") or []
    return [one["name"] if isinstance(one, dict) and "name" in one else str(one) for one in named]


def _halls(pairings: list[answers.PairingView], venues: dict[str, str]) -> list[Hall]:
    halls: dict[str, list[answers.PairingView]] = {}
    for pairing in sorted(pairings, key=lambda pairing: pairing.table):
        if pairing.status != "bye":
            halls.setdefault(pairing.venue, []).append(pairing)
    return [
        Hall(venues.get(venue) or "All tables", games, sum(game.binds for game in games))
        for venue, games in halls.items()
    ]


def _progress(pairings: list[answers.PairingView]) -> Progress:
    games = [pairing for pairing in pairings if pairing.status != "bye"]
    of = Counter(game.status for game in games if not game.binds)
    settled = sum(game.binds for game in games)
    return Progress(len(games), settled, of["reported"], of["disputed"], of["open"])
