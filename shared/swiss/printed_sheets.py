"""Printed forms, filled in from the folded state: names, tables, lists, results, ranks, as far as they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from shared.rules.model import Game, as_json
from shared.rules.parts import Form, score_sheets, sheets_of
from shared.swiss.games import counted_games, ruleset_of, score_facts
from shared.swiss.ranking import closed_standings
from shared.swiss.roster_parts import blank_entries
from shared.swiss.ruleset import BattleBuilder
from shared.swiss.scoring import score_in_round
from shared.tournament.people import PLAYING, Player
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

Cells = dict[str, Any]
"""Word of a form -> what stands there; what nobody knows yet, or is written by hand, is an empty text."""


class ListParts(Struct, frozen=True):
    """What is printed of a player's list.

    fields: the fields that are filled in; None: all. unlogged: values of fields that are only digests in the log.
    """

    fields: frozenset[str] | None = None
    unlogged: Mapping[str, Any] = {}


def all_logged_fields(_: Player) -> ListParts | None:
    """Print every field of a list that is in the log."""
    return ListParts()


class SheetSelection(Struct, frozen=True):
    """Which sheets: of a round (0: none is meant), of one player, at one venue; empty: all.

    list_parts: what is printed of a player's list; None leaves the list out.
    """

    round: int = 0
    player: str = ""
    venue: str = ""
    list_parts: Callable[[Player], ListParts | None] = all_logged_fields


class Sheet(Struct, frozen=True):
    """One printed sheet. about: the player, game or venue it is for; lines: from top to bottom, a text a column."""

    about: str
    heading: dict[str, str]
    columns: list[str]
    lines: list[list[str]]


def fill_sheets(state: Tournament, form: Form, wanted: SheetSelection) -> Iterator[Sheet]:
    """The sheets of a form, filled in as far as is known. Source: AR-DOC-1, DW-DOC-1, DW-DOC-2, FF-DOC-1."""
    for about, heading, lines in FILL[form.holds](state, form, wanted):
        known = {"tournament": state.entries.name, **heading}
        for page in sheets_of(form, lines):
            blank: list[Cells] = [{} for _ in range(form.lines - len(page))]
            rows = [_texts(form.columns, line) for line in [*page, *blank]]
            heading = dict(zip(form.heading, _texts(form.heading, known), strict=True))
            yield Sheet(about, heading, form.columns, rows[::-1] if form.order == "upwards" else rows)


def _texts(words: Iterable[str], known: Mapping[str, Any]) -> list[str]:
    return [str(known.get(word, "")) for word in words]


Filled = Iterator[tuple[str, Cells, list[Cells]]]


def _rounds(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """A player's rounds; of a round that is being played the opponent, and nothing more."""
    games: dict[str, list[Game]] = {}
    for game in counted_games(state, max(state.rounds.rounds, default=0)):
        for id in filter(None, (game.player_1, game.player_2)):
            games.setdefault(id, []).append(game)
    for player in selected_players(state, wanted):
        for page in _played(state, form, player, games.get(player.id, [])):
            own = [line for line in page if wanted.round in (0, line["round"])]
            if own or not wanted.round:
                yield player.id, {"name": player.name, "faction": player.faction}, own


def _played(state: Tournament, form: Form, player: Player, games: list[Game]) -> list[list[Cells]]:
    """The lines of a player's sheets: rounds with their values, then those that are still played."""
    values = [name for name in form.columns if any(name in _values(game, player.id) for game in games)]
    cut = state.rounds.cut_after
    sheets: list[list[Cells]] = [
        [
            {"round": line.round, "opponent": _name(state, line.opponent), "name": player.name}
            | dict(zip(values, line.totals, strict=True))
            for line in page
        ]
        for page in score_sheets(form, player.id, games, values, cut_after=cut)
    ]
    over = {game.round for game in games}
    waiting: list[Cells] = [
        {"round": round.number, "opponent": _name(state, _other(seat, player.id)), "name": player.name}
        for round in state.rounds.rounds.values()
        for seat in round.seats.values()
        if player.id in (seat.player_1, seat.player_2) and round.number not in over
    ]
    anew = (
        form.new_after_cut and cut > 0 and any(line["round"] > cut for line in waiting) and max(over, default=0) <= cut
    )
    if sheets and not anew:
        return [*sheets[:-1], [*sheets[-1], *waiting]]
    return [*sheets, waiting]


def _roster(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """The entries of a player's list, list by list, with what is nested in them; empty lines for what is not shown."""
    roster = ruleset_of(state.entries).roster
    for player in selected_players(state, wanted):
        parts = wanted.list_parts(player) if player.roster else None
        if parts is None:
            continue
        fields = roster.fields if parts.fields is None else parts.fields
        known = {**player.roster_sheet, **parts.unlogged}
        sheet = {name: value for name, value in known.items() if name in fields}
        sealed = set(player.roster_sealed) - set(parts.unlogged)
        hidden = [name for name in roster.fields if name in sealed or name not in fields]
        lines = [
            {"list": name, **{key: _text(value) for key, value in entry.items()}}
            for name in form.lists
            for entry in (blank_entries(roster, name) if name in hidden else sheet.get(name, []))
        ]
        heading = {name: sheet.get(name, "") for name, kind in roster.fields.items() if kind != "entries"}
        yield player.id, {**heading, "name": player.name}, lines


def _sides(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """A game: a line for each side, with what is known of its result."""
    words = ruleset_of(state.entries).effective_words
    for round, seat in _seats(state, wanted):
        if seat.kind == "bye" or wanted.player not in ("", seat.player_1, seat.player_2):
            continue
        heading: Cells = {**_of_round(state, round, seat.venue), "table": _table(seat), "game": seat.game}
        lines: list[Cells] = [{"player": _name(state, who)} for who in (seat.player_1, seat.player_2)]
        result = state.results.results.get(seat.game)
        if result is not None and result.binds:
            facts, score = score_facts(state.entries, result.facts)
            score = score_in_round(ruleset_of(state.entries), score, round.number, facts)
            heading |= {"end": facts.end or "", "scenario": facts.scenario or heading["scenario"]}
            second = facts.second_player
            heading["second_player"] = lines[second - 1]["player"] if second else ""
            for line, points, outcome, values in (
                (lines[0], facts.points_1, score.outcome_1, score.values_1),
                (lines[1], facts.points_2, score.outcome_2, score.values_2),
            ):
                called = words.draw if outcome == "draw" else outcome
                line |= {"score": "" if points is None else points, "outcome": called, **values}
        yield seat.game, heading, lines


def _builder(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """The Battle Builder for the table of each game; before a round is paired, one copy without a table. DW-TBL-4."""
    lines = builder_lines(ruleset_of(state.entries).builder)
    if wanted.round not in state.rounds.rounds:
        yield "", {}, lines
    for round, seat in _seats(state, wanted):
        if seat.kind != "bye" and wanted.player in ("", seat.player_1, seat.player_2):
            names = {"player_1": _name(state, seat.player_1), "player_2": _name(state, seat.player_2)}
            heading = {**_of_round(state, round, seat.venue), "table": _table(seat), "game": seat.game, **names}
            yield seat.game, heading, lines


def builder_lines(builder: BattleBuilder | None) -> list[Cells]:
    """The table of the Battle Builder: variable by variable, a line for each number of points spent on it."""
    if builder is None:
        return []
    variables = (
        ("Objectives", builder.objectives),
        ("Deployment", builder.deployment),
        ("Conditions", builder.conditions),
    )
    return [
        {"variable": name, "points": points, "name": element.name, "says": element.says}
        for name, elements in variables
        for points, element in enumerate(elements)
    ]


def _table(seat: Seat) -> int | str:
    """The number of the table, with the wave for a game that waits for another there; empty for none."""
    return f"{seat.table}, wave {seat.wave}" if seat.table and seat.wave > 1 else seat.table or ""


def _pairings(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """The pairings of a round, venue by venue, in the order in which they were made."""
    venues: dict[str, list[Cells]] = {}
    latest: Round | None = None
    for round, seat in _seats(state, wanted):
        latest = round
        names = {"player_1": _name(state, seat.player_1), "player_2": _name(state, seat.player_2)}
        line = {"table": _table(seat), "game": seat.game, "kind": seat.kind, **names}
        venues.setdefault(seat.venue, []).append(line)
    for venue, lines in venues.items():
        if latest is not None:
            yield venue, _of_round(state, latest, venue), lines


def _standings(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """The standings after a closed round."""
    standings = closed_standings(state, wanted.round)
    if standings is None:
        return
    lines = [
        {"rank": row.rank, "player": _name(state, row.player), "status": row.status}
        | {name: as_json(value) for name, value in row.values.items()}
        for row in standings.rows
    ]
    yield "", {"round": wanted.round}, lines


def _entered(state: Tournament, form: Form, wanted: SheetSelection) -> Filled:
    """Everybody who entered and has not withdrawn, in order of sign-up."""
    lines = [
        {
            "name": player.name,
            "faction": player.faction,
            "club": player.club,
            "venue": _venue(state, player.venue),
            "status": player.status,
            "list": player.roster,
            "checked_in": "yes" if player.checked_in else "",
        }
        for player in state.entries.players.values()
        if player.status != "withdrawn" and wanted.venue in ("", player.venue)
    ]
    yield "", {}, lines


FILL: Mapping[str, Callable[[Tournament, Form, SheetSelection], Filled]] = MappingProxyType(
    {
        "rounds": _rounds,
        "roster": _roster,
        "sides": _sides,
        "builder": _builder,
        "pairings": _pairings,
        "standings": _standings,
        "players": _entered,
    }
)
"""What a form holds -> how it is filled in."""


def selected_players(state: Tournament, wanted: SheetSelection) -> Iterator[Player]:
    """Yield the players whose sheets are wanted, in order of sign-up."""
    for player in state.entries.players.values():
        if player.status in PLAYING and wanted.player in ("", player.id) and wanted.venue in ("", player.venue):
            yield player


def _seats(state: Tournament, wanted: SheetSelection) -> Iterator[tuple[Round, Seat]]:
    round = state.rounds.rounds.get(wanted.round)
    for seat in round.seats.values() if round else ():
        if round and wanted.venue in ("", seat.venue):
            yield round, seat


def _of_round(state: Tournament, round: Round, venue: str) -> Cells:
    return {"round": round.number, "scenario": round.scenario, "venue": _venue(state, venue)}


def _values(game: Game, player: str) -> Mapping[str, int]:
    return game.score.values_1 if game.player_1 == player else game.score.values_2


def _other(seat: Seat, player: str) -> str:
    return seat.player_2 if seat.player_1 == player else seat.player_1


def _name(state: Tournament, who: str) -> str:
    known = state.entries.players.get(who) or state.entries.staff.get(who)
    return known.name if known else who


def _venue(state: Tournament, venue: str) -> str:
    known = state.entries.venues.get(venue)
    return known.name if known else ""


def _text(value: Any) -> Any:
    """A text or a number as it is; nested entries by name, each with its points where it has any."""
    if not isinstance(value, list):
        return value
    return ", ".join(
        f"{one.get('name', '')} ({one['points']})" if "points" in one else str(one.get("name", "")) for one in value
    )
