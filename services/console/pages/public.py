"""What anybody may see of an event: its page, who plays whom, and what one player has played.

Whoever looks, these pages are asked for as a guest first, so that what stands on them is what everybody sees; only an
event that guests cannot see at all is shown to its own people with their key.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Muster, Problem, answers
from services.console.forms import searched_for
from services.console.pages.public_formats import page_of
from services.console.pages.results import is_settled
from services.console.signed_in import GUEST, here, muster
from services.console.sittings import is_begun, published, standings_of
from services.console.words import score_of

blueprint = Blueprint("public", __name__)
SWISS, SEASON = "swiss", "season"
TOP = 8
"""Rows of the standings on the page of the event."""
PAGE = 60
"""Games on one page of pairings."""


class Played(Struct, frozen=True):
    """A game as one of its players had it. score: theirs first; empty while nothing counts."""

    round: int
    game: str
    kind: str
    rival: str
    rival_name: str
    status: str
    score: str


@blueprint.get("/events/<event>/about")
def show(event: str) -> ResponseReturnValue:
    """Timetable, the latest round and the head of the standings, with the addresses of feeds and exports."""
    asked, shown = _seen(event)
    if shown.format != SWISS:
        return page_of(asked, shown)
    rounds = _published(asked, event)
    now = next((one for one in reversed(rounds) if one.status == "started"), None)
    standings = standings_of(asked, event, TOP)
    begun = standings is not None and is_begun(asked, event, standings)
    awards = asked.scoring.list_awards(event).items
    return render_template(
        "public_event.html",
        event=shown,
        place="about",
        timetable=asked.pairing.show_timetable(event),
        rounds=rounds,
        now=now,
        latest=rounds[-1] if rounds else None,
        standings=standings if begun else None,
        entrants=None if begun else asked.registration.list_players(event, status="active", sort="name", limit=PAGE),
        awards=awards,
        winners={one.player: asked.registration.show_player(event, one.player).name for one in awards},
        has_bracket=_has_bracket(asked, event, rounds),
    )


@blueprint.get("/events/<event>/pairings")
def pairings(event: str) -> ResponseReturnValue:
    """Who plays whom at which table in a round; `q` finds a player, `after` leads on."""
    asked, shown = _seen(event)
    rounds = _published(asked, event)
    words, after = searched_for(), request.args.get("after") or None
    number = request.args.get("round", type=int)
    chosen = next((one for one in rounds if one.round == number), rounds[-1] if rounds and number is None else None)
    page = (
        asked.pairing.show_round(event, chosen.round, limit=PAGE, after=after, q=words or None, sort="table")
        if chosen
        else None
    )
    return render_template(
        "public_pairings.html", event=shown, place="pairings", rounds=rounds, round=page, q=words, number=number
    )


@blueprint.get("/events/<event>/history/<player>")
def history(event: str, player: str) -> ResponseReturnValue:
    """The games of one player in this event, and where they stand."""
    asked, shown = _seen(event)
    who = asked.registration.show_player(event, player)
    games = asked.scoring.list_games(event, player=player, round="all", limit=500).items
    drawn = {one.round for one in _published(asked, event)}
    standings = standings_of(asked, event, 1, around=player)
    begun = standings is not None and is_begun(asked, event, standings)
    row = next((row for row in standings.items if row.player == player), None) if standings and begun else None
    return render_template(
        "public_player.html",
        event=shown,
        place="standings",
        who=who,
        standings=standings,
        row=row,
        games=[_played(game, player) for game in sorted(games, key=lambda game: game.round) if game.round in drawn],
    )


def home_of(event: str) -> str:
    """Where a guest begins: the page of the event, or that of the season."""
    _asked, shown = _seen(event)
    return url_for("season.show" if shown.format == SEASON else "public.show", event=event)


def _seen(event: str) -> tuple[Muster, Any]:
    """The services as a guest, and the event; as the person who looks where guests do not see it."""
    asked = muster(GUEST)
    try:
        return asked, asked.registration.show_tournament(event)
    except Problem:
        if not here().token:
            raise
    asked = muster()
    return asked, asked.registration.show_tournament(event)


def _published(asked: Muster, event: str) -> list[answers.RoundListed]:
    return published(asked.pairing.list_rounds(event).items)


def _has_bracket(asked: Muster, event: str, rounds: list[answers.RoundListed]) -> bool:
    """Whether everybody may see who goes on to a bracket: it is played, or its cut is published."""
    if not rounds or rounds[-1].stage != SWISS:
        return bool(rounds)
    return rounds[-1].status == "closed" and bool(asked.pairing.show_cut(event).seeds)


def _played(game: Any, player: str) -> Played:
    first = game.player_1 == player
    score = score_of(game.facts, 1 if first else 2) if is_settled(game) else ""
    return Played(
        game.round,
        game.id,
        game.kind,
        game.player_2 if first else game.player_1,
        game.name_2 if first else game.name_1,
        game.status,
        score,
    )
