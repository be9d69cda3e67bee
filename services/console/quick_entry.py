"""Quick entry of results on the round board: a table number and two scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flask import request
from markupsafe import Markup
from msgspec import Struct

from muster_client import Problem, Unreachable, answers, problems
from services.console.forms import Form
from services.console.game_results import GameResult, game_result
from services.console.language import N_, _, in_markup, whole_number
from services.console.result_form import IMPROBABLE, Field, facts_of, load_result_form
from services.console.signed_in import current_person, muster
from services.console.undo import sign, undo_of
from services.console.venue_rounds import rounds_apart
from services.console.words import BINDING, table_name
from shared.names import normalize_name

PART = "quick"
SCORES = ("points_1", "points_2")
LINE = re.compile(r"(.{1,20}?)[ ;]+(\d{1,6})[ :;-]+(\d{1,6})")
"""A table with both scores, typed into the first field: `12 150 129` or `12 150:129`."""
MISTYPED = re.compile(r"(.{1,20}?)[ ;]+([^\s:;]{1,20})[ :;-]+([^\s:;]{1,20})")
"""The same with a score that may be no number: `12 x 129`."""
FRAME = ("csrf_token", "key", "part", "round", "venue", "table", *SCORES, "asked")
"""The fields that every line has; all others are answers to questions."""
SAVED = N_("Table %(number)s: %(first)s %(score)s %(second)s")
TAKEN = N_("Table %(number)s already has a result: %(first)s %(score)s %(second)s.")
DISPUTED = N_("Table %(number)s is disputed: make a ruling.")


class Entered(Struct, frozen=True):
    """A result that was entered. undo: signed; empty if it cannot be undone. answer: of scoring."""

    game: answers.GameShown
    result: GameResult
    undo: str
    answer: answers.Appended

    @property
    def text(self) -> str:
        """The result in a sentence."""
        game = self.game
        return _(SAVED, number=table_name(game), first=game.name_1, score=self.result.score, second=game.name_2)


class QuickEntry(Struct):
    """The form of quick entry. game: at the table that was typed, whose players are named. venues: to choose from.

    labelled: tables have labels, which are not all digits.
    stuck: the game of the table if it has to be opened instead. questions: further fields that decide the result.
    """

    form: Form
    round: int
    venues: Sequence[answers.VenueView]
    venue: str = ""
    game: answers.GameShown | None = None
    stuck: str = ""
    questions: Sequence[Field] = ()
    unlikely: bool = False
    entered: Entered | None = None
    labelled: bool = False

    @property
    def asked(self) -> str:
        """What the questions are about: the game and its scores. Answers to them count for nothing else."""
        return " ".join([self.game.id if self.game else "", *(self.form[name] for name in SCORES)])


def quick_entry(event: answers.TournamentView, round: int, games: Sequence[answers.PairingView]) -> QuickEntry | None:
    """Return the empty form for a round; None if no open game of the person takes two scores."""
    person = current_person()
    due = [game for game in games if game.table and game.status in ("open", "reported") and person.acts_at(game.venue)]
    try:
        asks = load_result_form(event.id, due[0]) if due else None
    except (Unreachable, problems.GameUnknown):  # scoring is away, or has not seen the round yet
        return None
    return blank_entry(event, round) if asks and all(map(asks.field, SCORES)) else None


def blank_entry(event: answers.TournamentView, round: int) -> QuickEntry:
    """Return an empty form, or the one that was sent."""
    form, person = Form(part=PART), current_person()
    venues = [venue for venue in event.venues if venue.open]
    venues = venues if len(venues) > 1 and not person.venue else []
    chosen = request.values.get("venue", "")
    venue = chosen if any(one.id == chosen for one in venues) else person.venue
    labelled = any(table.label for one in event.venues if one.open for table in one.tables)
    return QuickEntry(form, round, venues, venue, labelled=labelled)


def tables_named(event: answers.TournamentView, typed: str, venue: str = "") -> list[tuple[str, int]]:
    """Return the tables that a typed label or number may mean, as (venue, number). venue: the only one; empty: any.

    The venue of a number is empty if any may be meant.
    """
    label = normalize_name(typed)
    labelled = [
        (one.id, table.table)
        for one in event.venues
        if venue in ("", one.id)
        for table in one.tables
        if table.label and normalize_name(table.label) == label
    ]
    number = whole_number(typed)
    return labelled or ([(venue, number)] if number else [])


def rounds_asked(event: answers.TournamentView, entry: QuickEntry, venue: str) -> list[tuple[str, int]]:
    """Return where a result may be meant, as (venue, round): the latest round of each venue if they are apart.

    venue: the only one; empty: any.
    """
    listed = muster().pairing.list_rounds(event.id).items if event.pairing_scope == "venue" else []
    latest = rounds_apart(event, listed)
    if not latest:
        return [(venue, entry.round)]
    return [(one, number) for one, number in latest.items() if venue in ("", one)]


def find_game(event: answers.TournamentView, entry: QuickEntry, typed: str) -> None:
    """Find the game at the table that was typed; add a fault if there is none, or if nothing can be entered there."""
    places = tables_named(event, typed, entry.venue)
    if not places and not (entry.labelled and typed):
        entry.form.add_fault("table", _("Enter the table number."))
        return
    found: list[answers.GameShown] = []
    try:
        for place, table in places:
            for venue, round in rounds_asked(event, entry, place):
                found += muster().scoring.list_games(event.id, round=str(round), table=table, venue=venue or None).items
    except problems.InvalidRequest:
        found = []
    if not found:
        entry.form.add_fault("table", _("No game at table %(number)s in this round.", number=typed))
    elif len({game.venue for game in found}) > 1:
        text = _("Table %(number)s is at more than one venue. Choose the venue.", number=typed)
        entry.form.add_fault("venue", text)
    else:  # a table with several games in turn: the first one that is due
        due = [game for game in found if game.status in ("open", "reported")]
        entry.game = (due or found)[0]
        if not due:
            _refuse(entry, entry.game)


def enter(event: answers.TournamentView, entry: QuickEntry) -> None:
    """Send the result that was typed. Add the faults to the form, with the fields of the questions that decide."""
    form = entry.form
    if line := _line(event, entry, form["table"]):
        form.replace(dict(zip(("table", *SCORES), line.groups(), strict=True)))
    find_game(event, entry, form["table"])
    for name in SCORES:
        if not form[name]:
            form.add_fault(name, _("Enter the score."))
        elif whole_number(form[name]) is None:
            form.add_fault(name, _("“%(typed)s” is not a score. Enter a whole number.", typed=form[name]))
    if entry.game is None or not form.is_valid:
        return
    game = entry.game
    asks = load_result_form(event.id, game)
    if asks is None:
        entry.stuck = game.id
        form.add_fault("table", _("This result has its own form."))
        return
    form.pointers = asks.pointers
    answered = [name for name in request.form if name not in FRAME]
    if form["asked"] != entry.asked:  # the answers to a question about another game or other scores
        form.replace(dict.fromkeys(answered, ""))
        answered = []
    facts = facts_of(form, asks, staff=True)
    if form.is_valid:
        try:
            how: dict[str, Any] = {"idempotency_key": form.key, "improbable": form["improbable"] == "yes"}
            answer = muster().scoring.report_result(event.id, game.id, facts=facts, **how)
        except Problem as problem:
            entry.unlikely = problem.code == IMPROBABLE
            form.add_problem(problem)
        else:
            shown = muster().scoring.show_game(event.id, game.id)
            entry.entered = Entered(shown, game_result(shown), sign(undo_of(answer.events), event.id), answer)
            return
    asked = [name for name in (*form.faults, *answered) if name not in (*SCORES, "otherwise")]
    entry.questions = [field for name in dict.fromkeys(asked) if (field := asks.field(name))]


def _line(event: answers.TournamentView, entry: QuickEntry, typed: str) -> re.Match[str] | None:
    """Return the parts of a whole line; None if a table alone was typed."""
    if line := LINE.fullmatch(typed):
        return line
    line = MISTYPED.fullmatch(typed)
    is_table = bool(tables_named(event, typed, entry.venue))
    return line if line and not is_table and tables_named(event, line[1], entry.venue) else None


def _refuse(entry: QuickEntry, game: answers.GameShown) -> None:
    """Say why nothing can be entered for a game, and offer its page."""
    entry.stuck = game.id if game.status != "bye" else ""
    score = game_result(game).score
    if game.status in BINDING:
        names = {"number": table_name(game), "first": game.name_1, "score": score or "–", "second": game.name_2}
        entry.form.add_fault("table", in_markup(TAKEN, **names))
    else:
        entry.form.add_fault("table", Markup("%s") % _(DISPUTED, number=table_name(game)))
