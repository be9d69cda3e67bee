"""Problems and faults in the language of the page, by their codes and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from markupsafe import Markup, escape

from muster_client import Problem
from services.console.hall_time import at
from services.console.language import (
    N_,
    SOURCE,
    _,
    in_markup,
    isolate,
    language,
    mark_english,
    ngettext,
    number,
    service_text,
)
from services.console.option_words import option_question, option_text
from services.console.words import SIGNED_IN, day, rule_word
from shared.fault_texts import sentences

AGAIN = N_("Send it again in a moment; it counts only once.")
RELOAD = N_("Something may have changed. Reload the page.")
SEE_ERROR = N_("See the error next to it.")
IN_PARTS = N_("Send it in several parts.")


EVENT: Mapping[str, Sequence[str]] = {
    "tournament-over": (N_("Only staff can correct results now."),),
    "other-venue": (N_("Staff of one venue can only act there."),),
    "tournament-unknown": (N_("The list of events shows all events."),),
    "wrong-format": (
        N_("This page does not exist for %(format)s."),
        N_("This page does not exist for this kind of event."),
    ),
    "tournament-exists": (RELOAD,),
    "format-not-played": (SEE_ERROR,),
    "dates-out-of-order": (N_("The last day cannot be before the first day."),),
    "already-over": (SEE_ERROR,),
    "name-not-free": (SEE_ERROR,),
    "not-on-purpose": (SEE_ERROR,),
    "too-late-to-change leaving": (N_("A round is already paired. Players who leave now drop out."),),
    "too-late-to-change disqualification": (N_("A round was already paired without this player."),),
    "too-late-to-change registration": (N_("Round 1 is paired. Staff can still add a late entry."),),
    "too-late-to-change": (N_("The settings of the event show what can still be changed."),),
    "unknown-ruleset": (N_("Choose one from the list."),),
    "ruleset-refused": (SEE_ERROR,),
    "ruleset-option-refused": (N_("The possible values are next to it."),),
    "operator-data-refused": (SEE_ERROR,),
    "venue-unknown": (N_("Choose one of the open venues."),),
    "staff-unknown": (RELOAD,),
    "judge-may-not-play": (N_("Appoint someone who does not play."),),
    # seasons
    "tournaments-open": (
        N_(
            "Events that have not ended: %(tournaments)s. End them first, or give a reason to end the "
            "season without them."
        ),
        N_("End them first, or give a reason to end the season without them."),
    ),
    "season-without-results": (N_("At least one finished event must count for it first."),),
    "tie-undecided": (N_("The players who share a place are listed next to it."),),
    "standings-unknown": (N_("The season page shows the latest standings."),),
}


PLAYERS: Mapping[str, Sequence[str]] = {
    "name-taken": (N_("Two names must differ in more than capitals and spaces."),),
    "registration-closed late_entry": (
        N_("Late entries are off for this event. They can only be allowed before round 1."),
    ),
    "registration-closed": (
        N_("There are %(capacity)s seats; %(wanted)s would be needed."),
        N_("Ask the organiser about a late entry."),
    ),
    "invite-only": (N_("Ask the organiser."),),
    "capacity-too-small": (
        N_("There are %(capacity)s seats; %(wanted)s would be needed."),
        N_("More players than that already have a seat."),
    ),
    "sign-ups-paused": (N_("Try again in %(retry_after)s seconds."), N_("Try again in a moment.")),
    "quota-reached": (N_("There are %(used)s; the limit is %(limit)s."), ""),
    "player-not-active waiting": (N_("The player is on the waiting list."),),
    "player-not-active withdrawn": (N_("The player withdrew before the first round."),),
    "player-not-active dropped": (N_("The player has dropped out."),),
    "player-not-active disqualified": (N_("The player was disqualified."),),
    "player-not-active": (),
    "player-unknown": (),
    "not-yours": (N_("Staff do this for others."),),
    "roster-illegal": (N_("Errors: %(faults)s."), N_("See the errors next to it.")),
    "roster-locked": (N_("Play has started. Only staff can change a list now, with a reason."),),
    "roster-missing": (N_("It must be handed in first."),),
    "csv-refused": (N_("No players were added. Errors: %(faults)s."), N_("No players were added.")),
    "still-in-use": (N_("Wait until the round is closed, or move its games."),),
    "external-id-taken": (N_("It already belongs to the player named next to it."),),
    "roster-too-large": (
        N_("It has %(used)s bytes; the limit is %(limit)s."),
        N_("Shorten it."),
    ),
    "rosters-hidden": (
        N_("Until the first round starts, only these roles can see them: %(roles)s."),
        N_("They open when the first round starts."),
    ),
    "party-refused": (N_("No players were added. See the errors next to it."),),
    "kept-apart-not-offered": (N_("Other rules, or another level of play, allow it."),),
    "invitation-unknown": (N_("Ask the person who invited you for the code."),),
    "event-too-large": (IN_PARTS,),
}


ROUNDS: Mapping[str, Sequence[str]] = {
    "games-open": (N_("Games without a result: %(games)s."), N_("Every game needs a result first.")),
    "later-round-paired": (N_("Correct the result instead."),),
    "round-already-paired": (N_("Round %(next)s is next."), ""),
    "round-not-closed": (
        N_("Close round %(round)s first. Open games: %(games)s."),
        N_("Close round %(round)s first."),
        N_("Close it first."),
    ),
    "round-already-started": (N_("Round %(round)s is being played."), N_("It is being played.")),
    "round-not-started": (N_("Start round %(round)s first."), N_("Start it first.")),
    "round-not-published": (N_("Publish round %(round)s first."), N_("Publish it first.")),
    "draft-outdated": (N_("Pair round %(round)s again."), N_("Pair it again.")),
    "round-already-published": (N_("Everyone can already see it."),),
    "round-not-latest": (N_("Only the latest round can be changed."),),
    "round-has-absent-players": (
        N_("Cannot play: %(players)s. Edit the pairings, or pair the round again."),
        N_("Edit the pairings, or pair the round again."),
    ),
    "round-has-results": (
        N_("Games with a result: %(games)s. Void these results first."),
        N_("Void the results first."),
    ),
    "part-unknown": (N_("Choose a venue where this round is played."),),
    "part-not-aside": (N_("Enter its results and close it."),),
    "part-stays": (N_("Close it when its games have results."),),
    "paired-together": (N_("All venues are paired together here, so this is about the whole round."),),
    "venues-apart": (N_("Wait for the other venues, or allow more rounds between venues in the settings."),),
    "pairings-refused": (N_("Nothing was paired. See the errors next to it."),),
    "players-without-venue": (N_("These players need a venue first: %(players)s."), N_("Give them a venue first.")),
    "too-few-players": (
        N_("Can't pair yet: %(left_out)s."),
        N_("There are %(players)s; at least %(minimum)s are needed."),
        N_("At least %(minimum)s are needed."),
        N_("More are needed."),
    ),
    "not-enough-tables": (N_("Add tables to the venue or move players."),),
    "all-rounds-played": (
        N_("All %(planned)s planned rounds are played. You can end the event now."),
        N_("You can end the event now."),
    ),
    "rounds-remain": (
        N_("%(closed)s of %(planned)s rounds are closed. Enter a reason to end it now."),
        N_("Enter a reason to end it now."),
    ),
    "scenario-missing": (N_("Choose the scenario for this round."),),
    "cut-due": (N_("Make the cut, then pair the next round."),),
    "publication-past": (N_("Choose a later time, or publish it now."),),
    "no-spare": (),
    "spare-taken": (N_("End that standby first."),),
    "coin-not-offered": (N_("Under these rules the recorded draw counts."),),
    "not-tied": (N_("The page shows who is tied now."),),
    "award-unknown": (RELOAD,),
    "table-unknown": (N_("Choose a table of this venue."),),
    "table-taken": (N_("Another game is still being played there."),),
    "organiser-decides": (),
    "round-unknown": (N_("It is not paired yet, or its pairings were discarded."),),
    "no-game": (N_("Wait for the next round, or ask at the desk."),),
    "rounds-not-fixed": (
        N_("With %(players)s players you decide the number. Enter it in the settings of the event."),
        N_("Enter it in the settings of the event."),
    ),
    "rounds-by-table": (
        N_("With %(players)s players there are %(rounds)s. Enter that in the settings of the event."),
        N_("Enter it in the settings of the event."),
    ),
    "rounds-by-option": (N_("Leave the number of rounds empty."),),
    "game-has-result": (N_("The pairing of a game with a result cannot change. A wrong result can be corrected."),),
    "groups-waiting": (
        N_("Groups that are not finished: %(groups)s. The round closes automatically after the last of them."),
        N_("The round closes automatically after the last of them."),
    ),
    "sessions-open": (N_("Tables still playing: %(sessions)s."), N_("Every table must finish first.")),
    "call-out-of-order": (RELOAD,),
    "time-is-up": (N_("Single games can still get extra minutes."),),
    "standings-already-published": (N_("Everyone can already see them."),),
    "form-unknown": (N_("The Print page lists all forms."),),
    # the cut
    "bracket-stands": (N_("Give up a seat in the cut; the opponent advances."),),
    "no-cut none": (N_("Under these rules the final standings decide."),),
    "no-cut places": (N_("The rules make no cut after this round. Enter how many advance."),),
    "no-cut players": (N_("Fewer than two players can advance."),),
    "no-cut not-made": (N_("Make the cut first."),),
    "no-cut": (),
    "cut-already-published": (N_("You can redo it until its first round is paired."),),
    "cut-not-published": (N_("Publish it first, then pair the round."),),
    "standings-not-published": (N_("Publish them first, on the standings page, then make the cut."),),
    "cut-stands": (N_("Single seats can still be given up."),),
    "not-in-cut": (N_("The cut page shows who is in."),),
    # calls
    "judge-already-called": (N_("A referee is coming. Wait at the table."),),
    "call-taken": (N_("%(name)s is on the way."), ""),
    "call-over": (N_("Call again if you need a referee."),),
    "call-unknown": (RELOAD,),
    "not-your-table": (N_("Call a referee to your own table."),),
    "no-table-to-call-to": (N_("A bye has no table. Ask a member of staff."),),
}


RESULTS: Mapping[str, Sequence[str]] = {
    "not-your-game": (N_("Players can only report their own games. Call a referee for any other game."),),
    "round-not-begun": (
        N_("You can report results once round %(round)s has started."),
        N_("You can report results once it has started."),
    ),
    "round-closed": (
        N_("Only staff can correct results of round %(round)s now."),
        N_("Only staff can correct its results now."),
    ),
    "game-held": (
        N_("These lists must be accepted first: %(players)s."),
        N_("Both lists must be accepted first."),
    ),
    "result-exists reported": (N_("Confirm it, dispute it, or ask a referee."),),
    "result-exists disputed": (N_("A referee will rule on it."),),
    "result-exists": (N_("It already counts. If it is wrong, ask a referee."),),
    "result-settled disputed": (N_("A referee will rule on it."),),
    "result-settled": (N_("It already counts. If it is wrong, ask a referee."),),
    "bracket-moved-on": (N_("The game will be paired again in a moment. If not, pair the round again."),),
    "bracket-played-on": (N_("Void the later result first; reopen its round if it is closed."),),
    "result-missing": (N_("Report it first."),),
    "result-not-binding": (N_("It must be confirmed or ruled on before it can be corrected."),),
    "report-changed": (N_("Nothing was confirmed. Check the report again as it is now."),),
    "own-report": (N_("You cannot confirm a result you reported; your opponent or staff can."),),
    "own-game": (N_("Another member of staff must decide."),),
    "staff-only": (N_("Call a referee."),),
    "impossible-result": (SEE_ERROR,),
    "improbable-result": (N_("It is possible but rare. If it is right, tick the box and send it again."),),
    "bye-has-no-result": (N_("The rules decide what it is worth."),),
    "ruling-final": (N_("Only the head referee can change it, or an organiser with a reason."),),
    "ruling-stands": (
        N_("The referee who ruled can correct it, a player can appeal, and an organiser can override it."),
    ),
    "appeal-open": (N_("The appeal must be decided first."),),
    "no-head-referee": (N_("Without one, a ruling is final."),),
    "not-appealed": (),
    "not-your-decision": (N_("Under these rules this is for: %(roles)s."), N_("The rules say who decides.")),
    "ruling-not-final": (N_("Rule on the result, or correct it."),),
    "game-unknown": (RELOAD,),
    "dice-refused": (SEE_ERROR,),
    "game-report-refused": (SEE_ERROR,),
    "game-not-ready": (SEE_ERROR,),
    "step-refused": (N_("Later steps already depend on this game. See next to it what is in the way."),),
}


NEW_KEY = N_("Ask the person who gave it to you for a new one.")
OURS = N_("Reload the page. If that does not help, tell the operator of Muster.")
FROM_THE_START = N_("Send all messages again from the beginning.")

KEYS: Mapping[str, Sequence[str]] = {
    "forbidden": (N_("This is for: %(roles)s."), ""),
    "not-your-tournament": (N_("Ask its organiser or an operator to add you to the staff."),),
    "wrong-tournament": (N_("A key is valid for one event. Sign in with the key for this event."),),
    "token-expired": (NEW_KEY,),
    "token-revoked": (NEW_KEY,),
    "unauthenticated": (N_("Sign in again."),),
    "precondition-failed": (N_("Check the current state, and send it again if it is still right."),),
    "invalid-request": (N_("See the error next to it."),),
    "too-many-requests": (N_("Wait %(retry_after)s seconds."), N_("Wait a moment.")),
    "token-not-yet-valid": (N_("If it should be valid by now, a clock is wrong: tell the operator of Muster."),),
    "token-narrowed": (N_("It is read-only, or limited to some messages. Sign in with another one."),),
    # what was sent
    "idempotency-key-reused": (N_("Reload the page and send the form from there."),),
    "invalid-cursor": (N_("Go back to the start of the list."),),
    "too-large": (IN_PARTS,),
    "not-found": (N_("It was removed, or the address is wrong."),),
    "incomplete-body": (AGAIN,),
    **dict.fromkeys(("bad-request", "malformed-json", "duplicate-member", "invalid-idempotency-key"), (OURS,)),
    **dict.fromkeys(("malformed-seen", "implausible-seen", "method-not-allowed", "not-acceptable"), (OURS,)),
    "unsupported-media-type": (OURS,),
    # services
    **dict.fromkeys(("unavailable", "busy", "not-yet-seen", "beacon-awaited"), (AGAIN,)),
    "internal-error": (
        N_("You can send it again; it counts only once. Tell the operator of Muster this number: %(request_id)s."),
        N_("You can send it again; it counts only once."),
    ),
    "behind-own-copies": (N_("Nothing was saved. The operator of Muster must run `muster recover` first."),),
    "schema-outdated": (N_("The operator of Muster must run `python -m deploy.migrate` first."),),
    "log-unreadable": (N_("The operator of Muster can see under Health how to repair it."),),
    # webhooks
    "webhook-unknown": (RELOAD,),
    "webhook-disabled": (N_("Enable it first."),),
    "webhook-target-lost": (N_("The subscriber must enter its address again."),),
    "webhook-target-refused": (SEE_ERROR,),
    "not-your-webhook": (N_("An organiser manages all of them."),),
    "delivery-unknown": (N_("Only recent deliveries are kept. Send all messages again instead."),),
    **dict.fromkeys(("feed-cursor-unknown", "feed-cursor-of-another"), (FROM_THE_START,)),
}


PLACE = re.compile(r"%\((\w+)\)s")
VARIANTS = ("status", "option")
"""Facts whose values may have sentences of their own, under the code and the value."""
TABLES: tuple[Mapping[str, Sequence[str]], ...] = (RESULTS, ROUNDS, PLAYERS, EVENT, KEYS)
SENTENCES: Mapping[str, Sequence[str]] = {code: forms for table in TABLES for code, forms in table.items()}
"""Code of a problem, with its variant if that matters -> sentences; the first one whose facts are known is used."""
WHOLE = (
    N_("This page does not exist for %(format)s."),
    N_("Late entries are off for this event. They can only be allowed before round 1."),
    N_("Can't pair yet: %(left_out)s."),
)
"""Sentences that need no title before them."""


def sentence(problem: Problem) -> str | None:
    """Return the sentence after the title of a problem; empty if the title is enough, None for an unknown code."""
    form = _sentence_form(problem)
    return _(form, **_facts(problem)) if form else form


def _sentence_form(problem: Problem) -> str | None:
    facts = _facts(problem)
    values = [problem.data[name] for name in VARIANTS if name in problem.data]
    variants = [f"{problem.code} {one['key'] if isinstance(one, dict) and 'key' in one else one}" for one in values]
    key = next((key for key in variants if key in SENTENCES), problem.code)
    if key not in SENTENCES:
        return None
    return next((form for form in SENTENCES[key] if facts.keys() >= set(PLACE.findall(form))), "")


def _facts(problem: Problem) -> dict[str, str]:
    """Return the facts of a problem that sentences may name, as text."""
    facts = {name: text_of(problem.data[name]) for name, text_of in FACT_TEXTS.items() if name in problem.data}
    if problem.faults:
        facts["faults"] = number(len(problem.faults))
    if problem.request_id:
        facts["request_id"] = problem.request_id
    return {name: text for name, text in facts.items() if text}


def _number(value: Any) -> str:
    return number(value) if isinstance(value, int) else ""


def _count(value: Any) -> str:
    return number(len(value)) if isinstance(value, list) else ""


def _people(value: Any) -> str:
    """Return the names of people, or how many they are."""
    if isinstance(value, int):
        return number(value)
    people = value if isinstance(value, list) else []
    named = (person for person in people if isinstance(person, dict) and person.get("name"))
    return ", ".join(dict.fromkeys(person["name"] for person in named))


def _roles(value: Any) -> str:
    roles = value if isinstance(value, list) else []
    return ", ".join(_(SIGNED_IN[role]) for role in roles if role in SIGNED_IN)


FORMATS = {
    "swiss": N_("Swiss events"),
    "campaign": N_("campaigns"),
    "coop": N_("co-op events"),
    "season": N_("seasons"),
}


def _format(value: Any) -> str:
    return _(FORMATS[value]) if value in FORMATS else ""


def _without_list(value: Any) -> str:
    """Return text with the number of players left out of a round without a list; empty if there are none."""
    players = value.get("no_roster") if isinstance(value, dict) else None
    if not players:
        return ""
    return ngettext(
        "%(num)s player has not handed in a list", "%(num)s players have not handed in a list", len(players)
    )


FACT_TEXTS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("round", "next", "planned", "closed", "minimum", "capacity", "wanted"), _number),
    **dict.fromkeys(("limit", "used", "retry_after", "rounds"), _number),
    **dict.fromkeys(("games", "groups", "sessions", "tournaments"), _count),
    "format": _format,
    "left_out": _without_list,
    "name": str,
    "players": _people,
    "roles": _roles,
}
"""Fact of a problem -> its text; sentences name no other facts."""


CONTEXT = "problem"
NOTHING = ("", "nothing")
"""Values of `said` for a missing value."""
YEAR = "year"
"""The end of a name whose value has no thousands separator."""
OPTION = "%(option)s=%(value)s"
"""The places of a sentence that names an option with its value: a page shows its question and the answer."""


class AnyFault(Protocol):
    """A fault of a problem or of another answer, such as of a list. code, data: None if an older service answers."""

    @property
    def where(self) -> str: ...
    @property
    def said(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def clause(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def data(self) -> Mapping[str, Any] | None: ...


def problem_text(problem: Problem) -> str | Markup:
    """Return the title of a problem and what to do; the English of the service if its code is unknown here."""
    form, advice = _sentence_form(problem), sentence(problem)
    if advice and form in WHOLE:
        return advice
    detail = mark_english(problem.detail or problem.title)
    if language() == SOURCE:
        title = problem.title if advice is not None else ""
    else:
        title = service_text(CONTEXT, problem.code) or ""
    if not title:
        return detail
    kind = title if title.endswith("?") else f"{title}."
    more = detail if advice is None else advice
    return Markup("%s %s") % (kind, more) if more else kind


WHOLE_FAULTS: Mapping[str, str] = {
    "free-table": N_("Table %(value)s is taken. Choose a free one."),
    "free-accessible-table": N_("Table %(value)s is not free or not accessible. Choose another one."),
    "second-player-at-equal-scores": N_("Scores are equal: who was second player?"),
}
"""Code of a fault -> its whole sentence, in place of the value and what would be right."""


def fault_text(fault: AnyFault) -> str | Markup:
    """Return what is wrong with a value, and what would be right."""
    clause = f" ({fault.clause})" if fault.clause else ""
    if whole := WHOLE_FAULTS.get(fault.code or ""):
        return Markup("%s%s") % (_(whole, value=fault.said), clause)
    if fault.said in NOTHING and fault.code == "text-length" and fault.where.endswith("/reason"):
        return _("Enter a reason (up to %(most)s characters).", most=number((fault.data or {}).get("most", "")))
    right = expected_text(fault)
    if fault.said in NOTHING:
        return in_markup(N_("Missing: %(expected)s%(clause)s."), expected=right, clause=clause)
    words = N_("%(value)s is not valid. Expected: %(expected)s%(clause)s.")
    return in_markup(words, value=fault.said, expected=right, clause=clause)


def value_text(said: str) -> str:
    """Return the value of a fault; the word of the page for `nothing` if there was none."""
    return _("nothing") if said in NOTHING else said


def expected_text(fault: AnyFault) -> str | Markup:
    """Return what would be right, by the code of a fault; the English of the service if the code is unknown here."""
    try:
        return sentence_text(fault.code or "", fault.data or {})
    except KeyError:
        return mark_english(fault.expected)


def sentence_text(code: str, data: Mapping[str, Any]) -> Markup:
    """Return the sentence of a code with its values. Raises KeyError for an unknown code or a value that is missing."""
    words: Markup = escape(sentences(language())[code])
    values = {name: _value(name, value) for name, value in data.items()}
    if OPTION in words:
        values["option"] = option_text(str(data["option"]), str(data["value"]))
        words = words.replace(OPTION, "%(option)s")
    return words % values


def _value(name: str, value: Any) -> str | Markup:
    """Return a value in the form of the page. Raises KeyError for an expectation with an unknown code."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Markup(", ").join(_value(name, item) for item in value)
    if isinstance(value, Mapping):
        return sentence_text(str(value["code"]), value.get("data", {}))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int) and not name.endswith(YEAR):
        return number(value)
    text = str(value)
    return isolate(VALUES[name](text) if name in VALUES else text)


def _moment(text: str) -> str | Markup:
    return at(text, day=True) or text


VALUES: Mapping[str, Callable[[str], str | Markup]] = {
    **dict.fromkeys(("day", "first_day"), day),
    "time": _moment,
    **dict.fromkeys(("field", "fields", "draw"), rule_word),
    **dict.fromkeys(("option", "options", "needs"), option_question),
}
"""Name of a value in `data` -> its form on a page; other texts are shown as they are."""
