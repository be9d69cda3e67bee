"""Printed forms, filled in from the folded state: names, tables, rosters, results, ranks, as far as known."""

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
"""Word of a form -> its cell. Unknown values and values to fill in by hand are empty."""


class ListParts(Struct, frozen=True):
    """The printed parts of a player's roster.

    - `fields`: fields to print; None for all.
    - `unlogged`: values of fields of which the log has only digests.
    """

    fields: frozenset[str] | None = None
    unlogged: Mapping[str, Any] = {}


def all_logged_fields(_: Player) -> ListParts | None:
    """Print all fields of a roster that the log contains."""
    return ListParts()


class SheetSelection(Struct, frozen=True):
    """A selection of sheets: of a round (0 for any), of one player, at one venue. Empty values select all.

    `list_parts` returns the printed parts of a player's roster; None omits the roster.
    """

    round: int = 0
    player: str = ""
    venue: str = ""
    list_parts: Callable[[Player], ListParts | None] = all_logged_fields


class Sheet(Struct, frozen=True):
    """A printed sheet.

    - `about`: player, game or venue it is about.
    - `lines`: from top to bottom, one text for each column.
    """

    about: str
    heading: dict[str, str]
    columns: list[str]
    lines: list[list[str]]


def fill_sheets(state: Tournament, form: Form, selection: SheetSelection) -> Iterator[Sheet]:
    """Yield the sheets of a form, filled in as far as known (AR-DOC-1, DW-DOC-1, DW-DOC-2, FF-DOC-1)."""
    for about, heading, lines in FILL[form.holds](state, form, selection):
        known = {"tournament": state.entries.name, **heading}
        for page in sheets_of(form, lines):
            blank: list[Cells] = [{} for _ in range(form.lines - len(page))]
            rows = [_texts(form.columns, line) for line in [*page, *blank]]
            heading = dict(zip(form.heading, _texts(form.heading, known), strict=True))
            yield Sheet(about, heading, form.columns, rows[::-1] if form.order == "upwards" else rows)


def _texts(words: Iterable[str], known: Mapping[str, Any]) -> list[str]:
    return [str(known.get(word, "")) for word in words]


Contents = Iterator[tuple[str, Cells, list[Cells]]]
"""Subject, heading and lines of each sheet."""


def _rounds(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield a player's rounds. A round in progress has only the opponent."""
    games: dict[str, list[Game]] = {}
    for game in counted_games(state, max(state.rounds.rounds, default=0)):
        for id in filter(None, (game.player_1, game.player_2)):
            games.setdefault(id, []).append(game)
    for player in selected_players(state, selection):
        for page in _round_lines(state, form, player, games.get(player.id, [])):
            own = [line for line in page if selection.round in (0, line["round"])]
            if own or not selection.round:
                yield player.id, {"name": player.name, "faction": player.faction}, own


def _round_lines(state: Tournament, form: Form, player: Player, games: list[Game]) -> list[list[Cells]]:
    """Return the lines of a player's sheets: rounds with their values, then those in progress."""
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
    finished = {game.round for game in games}
    in_progress: list[Cells] = [
        {"round": round.number, "opponent": _name(state, _other(seat, player.id)), "name": player.name}
        for round in state.rounds.rounds.values()
        for seat in round.seats.values()
        if player.id in (seat.player_1, seat.player_2) and round.number not in finished
    ]
    new_sheet = (
        form.new_after_cut
        and cut > 0
        and any(line["round"] > cut for line in in_progress)
        and max(finished, default=0) <= cut
    )
    if sheets and not new_sheet:
        return [*sheets[:-1], [*sheets[-1], *in_progress]]
    return [*sheets, in_progress]


def _roster(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield the entries of a player's roster, list by list, with nested entries.

    Hidden lists, and those of a roster that staff saw on paper, have blank lines.
    """
    roster = ruleset_of(state.entries).roster
    for player in selected_players(state, selection):
        parts = selection.list_parts(player) if player.roster else None
        if parts is None:
            continue
        fields = roster.fields if parts.fields is None else parts.fields
        known = {**player.roster_sheet, **parts.unlogged}
        sheet = {name: value for name, value in known.items() if name in fields}
        sealed = set(player.roster_sealed) - set(parts.unlogged)
        hidden_fields = [name for name in roster.fields if name in sealed or name not in fields]
        blank = form.lists if player.roster_on_paper else hidden_fields
        lines = [
            {"list": name, **{key: _text(value) for key, value in entry.items()}}
            for name in form.lists
            for entry in (blank_entries(roster, name) if name in blank else sheet.get(name, []))
        ]
        heading = {name: sheet.get(name, "") for name, kind in roster.fields.items() if kind != "entries"}
        yield player.id, {**heading, "name": player.name}, lines


def _sides(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield games with a line for each side, and the result as far as known."""
    words = ruleset_of(state.entries).effective_words
    for round, seat in _seats(state, selection):
        if seat.kind == "bye" or selection.player not in ("", seat.player_1, seat.player_2):
            continue
        heading: Cells = {**_of_round(state, round, seat.venue), "table": _table(state, seat), "game": seat.game}
        lines: list[Cells] = [{"player": _name(state, id)} for id in (seat.player_1, seat.player_2)]
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
                word = words.draw if outcome == "draw" else outcome
                line |= {"score": "" if points is None else points, "outcome": word, **values}
        yield seat.game, heading, lines


def _builder(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield the Battle Builder for each game; before a round is paired, one copy without a table (DW-TBL-4)."""
    lines = builder_lines(ruleset_of(state.entries).builder)
    if selection.round not in state.rounds.rounds:
        yield "", {}, lines
    for round, seat in _seats(state, selection):
        if seat.kind != "bye" and selection.player in ("", seat.player_1, seat.player_2):
            names = {"player_1": _name(state, seat.player_1), "player_2": _name(state, seat.player_2)}
            heading = {**_of_round(state, round, seat.venue), "table": _table(state, seat), "game": seat.game, **names}
            yield seat.game, heading, lines


def builder_lines(builder: BattleBuilder | None) -> list[Cells]:
    """Return the table of the Battle Builder: variable by variable, a line for each number of points spent on it."""
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


def _table(state: Tournament, seat: Seat) -> str:
    """Return the table as people know it, with the wave if the game waits for another; empty for none."""
    name = state.entries.table_name(seat.venue, seat.table) if seat.table else ""
    return f"{name}, wave {seat.wave}" if name and seat.wave > 1 else name


def _pairings(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield the pairings of a round, venue by venue, in the order in which they were made."""
    venues: dict[str, list[Cells]] = {}
    latest: Round | None = None
    for round, seat in _seats(state, selection):
        latest = round
        names = {"player_1": _name(state, seat.player_1), "player_2": _name(state, seat.player_2)}
        line = {"table": _table(state, seat), "game": seat.game, "kind": seat.kind, **names}
        venues.setdefault(seat.venue, []).append(line)
    for venue, lines in venues.items():
        if latest is not None:
            yield venue, _of_round(state, latest, venue), lines


def _standings(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield the standings after a closed round."""
    standings = closed_standings(state, selection.round)
    if standings is None:
        return
    lines = [
        {"rank": row.rank, "player": _name(state, row.player), "status": row.status}
        | {name: as_json(value) for name, value in row.values.items()}
        for row in standings.rows
    ]
    yield "", {"round": selection.round}, lines


def _entered(state: Tournament, form: Form, selection: SheetSelection) -> Contents:
    """Yield all players who entered and did not withdraw, in order of sign-up."""
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
        if player.status != "withdrawn" and selection.venue in ("", player.venue)
    ]
    yield "", {}, lines


FILL: Mapping[str, Callable[[Tournament, Form, SheetSelection], Contents]] = MappingProxyType(
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
"""Content of a form -> the function that fills it in."""


def selected_players(state: Tournament, selection: SheetSelection) -> Iterator[Player]:
    """Yield the selected players in order of sign-up."""
    for player in state.entries.players.values():
        if player.status in PLAYING and selection.player in ("", player.id) and selection.venue in ("", player.venue):
            yield player


def _seats(state: Tournament, selection: SheetSelection) -> Iterator[tuple[Round, Seat]]:
    round = state.rounds.rounds.get(selection.round)
    for seat in round.seats.values() if round else ():
        if round and selection.venue in ("", seat.venue):
            yield round, seat


def _of_round(state: Tournament, round: Round, venue: str) -> Cells:
    return {"round": round.number, "scenario": round.scenario, "venue": _venue(state, venue)}


def _values(game: Game, player: str) -> Mapping[str, int]:
    return game.score.values_1 if game.player_1 == player else game.score.values_2


def _other(seat: Seat, player: str) -> str:
    return seat.player_2 if seat.player_1 == player else seat.player_1


def _name(state: Tournament, id: str) -> str:
    known = state.entries.players.get(id) or state.entries.staff.get(id)
    return known.name if known else id


def _venue(state: Tournament, venue: str) -> str:
    known = state.entries.venues.get(venue)
    return known.name if known else ""


def _text(value: Any) -> Any:
    """Return a text or number unchanged; nested entries by name, with their points."""
    if not isinstance(value, list):
        return value
    return ", ".join(
        f"{entry.get('name', '')} ({entry['points']})" if "points" in entry else str(entry.get("name", ""))
        for entry in value
    )
