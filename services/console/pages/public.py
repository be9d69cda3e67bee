"""Public pages: an event, its pairings, a player's games, campaigns, co-op events and seasons.

These pages ask the services as a guest first, so they show what everyone sees. An event that guests cannot see is shown
to its own people with their token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Muster, Problem, answers, problems
from services.console.forms import search_query
from services.console.game_results import NO_RESULT, results_of
from services.console.hall_time import use_zone_of
from services.console.language import N_, _
from services.console.pages.results import is_settled
from services.console.signed_in import GUEST, current_person, muster
from services.console.words import LONG_NAME, score_of, table_name


class Sitting(Struct, frozen=True):
    """A player's line in the pairings. against: empty for a bye. place: id of the venue. venue: its name."""

    name: str
    against: str
    venue: str
    table: int
    place: str
    table_label: str | None = None

    @property
    def long(self) -> bool:
        """True if a wall shows the name in a smaller size."""
        return len(self.name) > LONG_NAME


def published(rounds: Iterable[answers.RoundListed]) -> list[answers.RoundListed]:
    """Return the rounds that everyone may see: walls show only these, whoever is signed in there."""
    return [one for one in rounds if one.status != "draft"]


def is_sign_up_open(event: answers.TournamentView) -> bool:
    """Return True if anyone may sign up now."""
    return event.sign_up == "open" and event.registration_open and event.status == "announced"


def seats_left(event: answers.TournamentView) -> int | None:
    """Return the number of free seats; None without a limit."""
    return None if event.capacity is None else max(0, event.capacity - event.players.get("active", 0))


def standings_of(services: Muster, event: str, limit: int, around: str | None = None) -> answers.StandingsView | None:
    """Return the standings that the caller may see; None if there are none."""
    try:
        return services.scoring.show_standings(event, limit=limit, around=around)
    except Problem as problem:
        if problem.status in (404, 409):
            return None
        raise


def is_begun(services: Muster, event: str, standings: answers.StandingsView) -> bool:
    """Return True if at least one result counts. Until then, ranks only reflect the order of player ids."""
    if standings.round == 0:
        return False
    if standings.round > 1 or not standings.provisional:
        return True
    first = services.scoring.show_standings(event, limit=1).items
    return bool(first) and any(_is_something(value) for value in first[0].values.values())


def all_players(event: str, **filters: Any) -> Iterator[answers.PlayerView]:
    """Yield all players by name that the caller may see. filters: as `list_players` takes them."""
    after: str | None = None
    while True:
        page = muster().registration.list_players(event, sort="name", limit=AT_ONCE, after=after, **filters)
        yield from page.items
        after = page.next
        if not after:
            return


def drawn_by_lot(standings: answers.StandingsView) -> set[str]:
    """Return the players whose rank a draw decided: they are tied, and no other row shares their rank."""
    rows = Counter(row.rank for row in standings.items)
    return {row.player for row in standings.items if row.tied and rows[row.rank] == 1}


def _is_something(value: object) -> bool:
    try:
        return float(str(value)) != 0
    except ValueError:
        return False


def sides_of(game: answers.PairingView) -> list[list[str]]:
    """Return the names on each side of a game: two sides, or as many as it has; one for a bye."""
    if game.sides:
        return [[one.name for one in side] for side in game.sides]
    names = [game.name_1] if not game.player_2 else [game.name_1, game.name_2]
    return [[name] for name in names]


def sittings(games: Iterable[answers.PairingView]) -> Iterator[Sitting]:
    """Yield a line for each player of each game, and for the one player of a bye."""
    for game in games:
        sides = sides_of(game) if game.status != "bye" else [[game.name_1]]
        for mine in sides:
            rivals = ", ".join(name for side in sides if side is not mine for name in side)
            for name in mine:
                yield Sitting(name, rivals, game.venue_name, game.table, game.venue, game.table_label)


blueprint = Blueprint("public", __name__)
AT_ONCE = 500
"""Players per request."""
SWISS, SEASON = "swiss", "season"
TOP = 8
"""Rows of the standings on the page of the event."""
PAGE = 60
"""Games on one page of pairings."""


class Played(Struct, frozen=True):
    """A game from one player's side. score: theirs first; empty while nothing counts."""

    round: int
    game: str
    kind: str
    rival: str
    rival_name: str
    status: str
    score: str


@blueprint.get("/events/<event>/about")
def show(event: str) -> ResponseReturnValue:
    """Show the timetable, the latest round, the top of the standings, and the addresses of feeds and exports."""
    asked, shown = _seen(event)
    if shown.format != SWISS:
        return other_format_page(asked, shown)
    rounds = _published(asked, event)
    now = next((one for one in reversed(rounds) if one.status == "started"), None)
    standings = standings_of(asked, event, TOP)
    begun = standings is not None and is_begun(asked, event, standings)
    return render_template(
        "public_event.html",
        event=shown,
        place="about",
        open=is_sign_up_open(shown),
        left=seats_left(shown),
        timetable=asked.pairing.show_timetable(event),
        rounds=rounds,
        now=now,
        latest=rounds[-1] if rounds else None,
        standings=standings if begun else None,
        entrants=None if begun else asked.registration.list_players(event, status="active", sort="name", limit=PAGE),
        awards=asked.scoring.list_awards(event).items,
        has_bracket=_has_bracket(asked, event, rounds),
    )


@blueprint.get("/events/<event>/pairings")
def pairings(event: str) -> ResponseReturnValue:
    """Show the pairings of a round; `q` finds a player, `after` is the next page."""
    asked, shown = _seen(event)
    rounds = _published(asked, event)
    query, after = search_query(), request.args.get("after") or None
    number = request.args.get("round", type=int)
    chosen = next((one for one in rounds if one.round == number), rounds[-1] if rounds and number is None else None)
    page = (
        asked.pairing.show_round(event, chosen.round, limit=PAGE, after=after, q=query or None, sort="table")
        if chosen
        else None
    )
    settled = [game for game in page.pairings if is_settled(game)] if page else []
    return render_template(
        "public_pairings.html",
        event=shown,
        place="pairings",
        rounds=rounds,
        round=page,
        q=query,
        number=number,
        results=results_of(asked, event, page.round, settled) if page else {},
        no_result=NO_RESULT,
    )


@blueprint.get("/events/<event>/history/<player>")
def history(event: str, player: str) -> ResponseReturnValue:
    """Show the games of one player in this event, and their rank."""
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
    """Return the address of the public page of an event or a season."""
    _asked, shown = _seen(event)
    return url_for("public.season" if shown.format == SEASON else "public.show", event=event)


def _seen(event: str) -> tuple[Muster, Any]:
    """Return the services and the event as a guest, or as the signed-in person if guests may not see the event."""
    services = muster(GUEST)
    try:
        shown = services.registration.show_tournament(event)
    except Problem:
        if not current_person().token:
            raise
        services = muster()
        shown = services.registration.show_tournament(event)
    use_zone_of(shown)
    return services, shown


def _published(services: Muster, event: str) -> list[answers.RoundListed]:
    return published(services.pairing.list_rounds(event).items)


def _has_bracket(services: Muster, event: str, rounds: list[answers.RoundListed]) -> bool:
    """Return True if everyone may see who advances: the bracket is played, or its cut is published."""
    if not rounds or rounds[-1].stage != SWISS:
        return bool(rounds)
    return rounds[-1].status == "closed" and bool(services.pairing.show_cut(event).seeds)


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


MOST = 100
"""Rows of each table on a page; programs read all of them."""

STATUS = {
    "seated": N_("not started"),
    "setup": N_("being set up"),
    "playing": N_("being played"),
    "ended": N_("over"),
    "not_played": N_("not played"),
}
OUTCOME = {
    "victory": N_("won"),
    "defeat": N_("lost"),
    "unfinished": N_("unfinished"),
    "abandoned": N_("abandoned"),
}


class SeatedTable(Struct, frozen=True):
    """A table of a round of sessions. number: its label or number; empty if tables have none.

    state: the session's status or outcome. corrected: what the outcome was before a correction, by whom and why; empty
    without one.
    """

    number: str
    venue: str
    names: list[str]
    state: str
    corrected: str = ""


def other_format_page(services: Muster, event: answers.TournamentView) -> str:
    """Render the page of an event that is not Swiss."""
    if event.format == "campaign":
        return _campaign(services, event)
    if event.format == "coop":
        return _coop(services, event)
    return render_template("public_other.html", event=event, place="about")


def _campaign(services: Muster, event: answers.TournamentView) -> str:
    """Render the league standings with each group, and the games of the latest round."""
    rounds = published(services.pairing.list_rounds(event.id).items)
    return render_template(
        "public_campaign.html",
        event=event,
        place="about",
        standings=standings_of(services, event.id, MOST),
        groups={group.id: group for group in services.scoring.list_groups(event.id).items},
        round=services.pairing.show_round(event.id, rounds[-1].round, limit=MOST) if rounds else None,
    )


def _coop(services: Muster, event: answers.TournamentView) -> str:
    """Render the tables of the latest round, the state of each session, and the ranking of survivors."""
    rounds = services.pairing.list_session_rounds(event.id).items
    return render_template(
        "public_coop.html",
        event=event,
        place="about",
        round=rounds[-1] if rounds else None,
        tables=_tables(services, event, rounds[-1]) if rounds else [],
        ranking=_ranking(services, event.id) if rounds else None,
    )


def _tables(services: Muster, event: answers.TournamentView, round: answers.SessionRoundView) -> list[SeatedTable]:
    """Return the tables of a round with the state of their sessions."""
    sessions = {session.id: session for session in services.scoring.list_sessions(event.id, round=round.round).items}
    venues = {venue.id: venue.name for venue in event.venues}
    tables = []
    for seated in round.tables[:MOST]:
        session = sessions.get(seated.id)
        ended = session.ended if session else None
        state = OUTCOME.get(ended.outcome) if ended else STATUS.get(seated.status)
        corrected = _was_before(session.corrected) if session and session.corrected else ""
        venue = venues.get(seated.venue, "")
        tables.append(SeatedTable(table_name(seated), venue, seated.names, _(state) if state else "", corrected))
    return tables


def _was_before(corrected: answers.CorrectionView) -> str:
    """Return the line about the outcome of a session before its correction."""
    before = OUTCOME.get(corrected.before.outcome)
    return _(
        "Corrected by %(who)s (before: %(outcome)s): %(reason)s",
        who=corrected.by,
        outcome=_(before) if before else "–",
        reason=corrected.reason,
    )


def _ranking(services: Muster, event: str) -> answers.RankingView | None:
    try:
        return services.scoring.show_ranking(event, of="survivors", limit=MOST)
    except problems.RoundUnknown:  # scoring has not read of the round yet
        return None


SEASON_PAGE = 50


@blueprint.get("/events/<event>/season")
def season(event: str) -> ResponseReturnValue:
    """Show the season standings by page; `q` finds a player, `division` filters."""
    services = muster(GUEST)
    query = search_query()
    division, after = request.args.get("division"), request.args.get("after") or None
    tournament = services.registration.show_tournament(event)
    gathered = services.registration.list_gathered(event).items
    divisions = sorted({one.division for one in gathered if one.division})
    try:
        table = services.scoring.show_season_standings(
            event, limit=SEASON_PAGE, after=after, q=query or None, division=division
        )
    except Problem as problem:
        if problem.status not in (404, 409):
            raise
        table = None
    return render_template(
        "season.html",
        event=tournament,
        place="season",
        table=table,
        gathered=gathered,
        divisions=divisions,
        division=division,
        q=query,
    )


@blueprint.get("/events/<event>/season/<player>")
def season_player(event: str, player: str) -> ResponseReturnValue:
    """Show the results of a player in each event of the season."""
    services = muster(GUEST)
    tournament = services.registration.show_tournament(event)
    played = services.scoring.show_season_tournaments(event, player)
    return render_template("season_player.html", event=tournament, place="season", played=played)
