"""A new event: its form, the announcement that the form makes, and a form filled in from a past event."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem
from services.console.forms import Form, own_path
from services.console.language import N_, _, ngettext, whole_number
from services.console.option_words import CHOICES, QUESTIONS, RULES
from services.console.own_packs import OWN, TEXT, OwnPack, read_own_pack
from services.console.pages.public import SWISS, home_of
from services.console.problem_words import problem_text
from services.console.signed_in import current_person, muster, person_of, sign_in
from services.console.undo import flash, read_undo
from services.console.words import day

EDITED = ("flag", "choice", "whole")
"""Kinds of options that the form has fields for; tables of numbers are set through the API."""
LENGTH = "round_minutes"
ON_PURPOSE = {"rounds": "on_purpose", "cut": "on_purpose_cut", "standings": "on_purpose_standings"}
"""Part of an event that staff publish themselves -> its field."""
MOST_VENUES = 20
RANGE = re.compile(r"(\d{1,5})\s*[-–]\s*(\d{1,5})")
TIERS = {
    "casual": (N_("Casual"), N_("For fun. You choose the number of rounds; no lists needed.")),
    "competitive": (N_("Competitive"), N_("Lists are due before round 1. The number of players decides the rounds.")),
    "premier": (N_("Premier"), N_("Like competitive, and referees may not play.")),
}
"""Tier of a ruleset -> its name, and what it means."""


class OptionField(Struct, frozen=True):
    """An option of the ruleset as a field. choices: value -> words; `default` is the usual value."""

    key: str
    name: str
    question: str
    kind: str
    default: str
    clause: str
    choices: dict[str, str]


class Summary(Struct, frozen=True):
    """A preview of the event, as far as the form can be read. notes: warnings."""

    facts: list[tuple[str, str]]
    notes: list[str]


def option_fields(pack: Mapping[str, Any]) -> list[OptionField]:
    """Return the options that the form offers, in the order of the pack."""
    kinds = {option["key"]: option["kind"] for option in pack["options"]}
    return [
        _option_field(option)
        for option in pack["options"]
        if option["kind"] in EDITED and all(kinds.get(need) in EDITED for need in option.get("needs", []))
    ]


def _option_field(option: Mapping[str, Any]) -> OptionField:
    key, default = option["key"], option.get("default")
    words = {value: _choice(key, value) for value in option.get("choices", {})}
    return OptionField(
        key=key,
        name=f"option_{key}",
        question=_(QUESTIONS.get(key, option["name"])),
        kind=option["kind"],
        default="" if default in (None, False) else "yes" if default is True else str(default),
        clause=option["clause"],
        choices=words,
    )


def _choice(key: str, value: str) -> str:
    known = CHOICES.get(f"{key} {value}") or CHOICES.get(value)
    return _(known) if known else value.replace("_", " ")


def rules_hint(id: str) -> str:
    """Return a line about a ruleset."""
    return _(RULES[id]) if id in RULES else id


def options_set(form: Form, pack: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from the ruleset; add a fault to each that is not a number."""
    chosen: dict[str, Any] = {}
    for field in option_fields(pack):
        value = form[field.name]
        if value == field.default:
            continue
        if field.kind == "flag":
            chosen[field.key] = value == "yes"
        elif not value:
            continue  # emptied: as the ruleset has it
        elif field.kind == "choice" or value in field.choices:
            chosen[field.key] = value
        elif (number := form.whole(field.name)) is not None:
            chosen[field.key] = number
    return chosen


def build_announcement(form: Form, pack: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the request that announces the event; add a fault to each field that is missing or cannot be read."""
    if not form["name"]:
        form.add_fault("name", _("Enter a name. Players see it on their phones and on the wall."))
    if pack is None and form["ruleset"] != OWN:
        form.add_fault("ruleset", _("Choose a ruleset."))
    made: dict[str, Any] = {"name": form["name"], "check_in": form["check_in"] == "yes"}
    made |= {"pack": pack} if form["ruleset"] == OWN and pack is not None else {"ruleset": form["ruleset"]}
    if pack is not None and form["options_of"] == form["ruleset"]:
        if form["tier"]:
            made["tier"] = form["tier"]
        if options := options_set(form, pack):
            made["options"] = options
    if things := held_back(form, pack):
        made["on_purpose"] = things
    if form["pairing_scope"] == "venue" and len(named_venues(form)) > 1:
        made["pairing_scope"] = "venue"
        if (apart := form.whole("rounds_apart")) is not None:
            made["rounds_apart"] = apart
    if form["sign_up"] in ("open", "invite_only"):
        made["sign_up"] = form["sign_up"]
    if form["private"] == "yes":
        made["visibility"] = "private"
    if form["rehearsal"] == "yes":
        made["rehearsal"] = True
    for name in ("starts_on", "ends_on"):
        if form[name]:
            if _day(form[name]) is None:
                form.add_fault(name, _("Enter a date such as 2026-12-24."))
            else:
                made[name] = form[name]
    return made | {name: number for name in ("rounds", "capacity") if (number := form.whole(name)) is not None}


def held_back(form: Form, pack: Mapping[str, Any] | None) -> list[str]:
    """Return what staff publish themselves: as ticked, and the cut only if the ruleset has one."""
    ticked = [thing for thing, field in ON_PURPOSE.items() if form[field] == "yes"]
    return [thing for thing in ticked if thing != "cut" or (pack is not None and has_cut(pack))]


def has_cut(pack: Mapping[str, Any]) -> bool:
    """Return True if the ruleset has a bracket."""
    return bool((pack.get("cut") or {}).get("bracket", "none") != "none")


def venue_lines(form: Form) -> int:
    """Return how many lines for venues the form shows."""
    lines = form["lines"]
    shown = int(lines) if lines.isdecimal() and len(lines) < 4 else 2
    more = 1 if form["do"] == "venue" else 0
    return max(1, min(MOST_VENUES, shown + more))


def named_venues(form: Form) -> list[str]:
    """Return the names of venues that the form has so far."""
    return [name for line in range(1, MOST_VENUES + 1) if (name := form[f"venue_{line}"])]


def venues_of_form(form: Form) -> list[tuple[str, int | list[dict[str, int]]]]:
    """Return the venues to open, each with how many tables or with their numbers; add every fault to the form."""
    found: list[tuple[str, int | list[dict[str, int]]]] = []
    known: set[str] = set()
    for line in range(1, MOST_VENUES + 1):
        name, text = form[f"venue_{line}"], form[f"tables_{line}"]
        if name and not text:
            form.add_fault(f"tables_{line}", _("Enter the number of tables."))
        if text and not name:
            form.add_fault(f"venue_{line}", _("Enter a name."))
        if len(name) > 100:
            form.add_fault(f"venue_{line}", _("At most 100 characters."))
        if name and name.casefold() in known:
            form.add_fault(f"venue_{line}", _("This venue is listed twice."))
        known.add(name.casefold())
        tables = _tables(form, f"tables_{line}")
        if name and tables is not None:
            found.append((name, tables))
    return found


def _tables(form: Form, field: str) -> int | list[dict[str, int]] | None:
    """Return the tables of a field: how many, from `12`, or which, from `13-20`."""
    between = RANGE.fullmatch(form[field])
    if between is None:
        number = form.whole(field)
        if number is not None and number > 10_000:
            form.add_fault(field, _("At most 10,000 tables."))
        return number
    first, last = int(between[1]), int(between[2])
    if not 1 <= first <= last <= 10_000:
        form.add_fault(field, _("Lower number first, such as 13-20."))
        return None
    return [{"table": number} for number in range(first, last + 1)]


def suggested_rounds(pack: Mapping[str, Any], players: int) -> int | None:
    """Return the number of rounds that the table of the ruleset has for a number of players; None if it has none."""
    for row in pack["rounds"]["table"]:
        if row["least"] <= players <= (row.get("most") or players):
            return int(row["rounds"])
    return None


def summary(form: Form, pack: Mapping[str, Any] | None) -> Summary:
    """Return a summary of the event that the form describes; invalid fields are ignored."""
    reading = _Reading(form)
    facts, notes = [], []
    seats, tables = reading.number("capacity"), reading.tables()
    facts.append((_("Players"), _("up to %(seats)s", seats=seats) if seats else _("no limit")))
    rounds = reading.number("rounds")
    if pack is not None:
        facts += _rounds(form, pack, rounds, seats)
        minutes = reading.number(f"option_{LENGTH}") or _minutes(pack)
        if minutes:
            facts.append((_("A round"), ngettext("%(num)s minute", "%(num)s minutes", minutes)))
        facts += _lists(form, pack, reading)
        if lists_are_due(form, pack):
            notes.append(_("Lists are due before round 1."))
    facts.append((_("Tables"), str(tables) if tables else _("none - games get no table")))
    if len(named_venues(form)) > 1:
        apart = form["pairing_scope"] == "venue"
        facts.append((_("Pairings"), _("each venue separately") if apart else _("everyone together")))
    facts.append((_("Sign-up"), _("open to everyone") if form["sign_up"] == "open" else _("you add players")))
    if seats and tables and tables < seats // 2:
        notes.append(
            _("%(seats)s players need %(wanted)s tables. You can add them later.", seats=seats, wanted=seats // 2)
        )
    return Summary(facts, notes)


def _rounds(form: Form, pack: Mapping[str, Any], rounds: int | None, seats: int | None) -> list[tuple[str, str]]:
    if rounds:
        return [(_("Rounds"), str(rounds))]
    if seats and (suggested := suggested_rounds(pack, seats)):
        return [(_("Rounds"), _("%(rounds)s with %(seats)s players", rounds=suggested, seats=seats))]
    if pack["rounds"]["table"]:
        return [(_("Rounds"), _("decided by the number of players"))]
    return [(_("Rounds"), _("as many as you pair"))]


def lists_are_due(form: Form, pack: Mapping[str, Any]) -> bool:
    """Return True if the chosen level of play, by default the first, requires an accepted list before round 1."""
    tiers = pack.get("tiers") or []
    tier = next((one for one in tiers if one["id"] == form["tier"]), tiers[0] if tiers else {})
    return bool(tier.get("list_due"))


def _lists(form: Form, pack: Mapping[str, Any], reading: _Reading) -> list[tuple[str, str]]:
    """Return when lists are due if the ruleset says how many days before the event."""
    rule, first = pack.get("legality"), _day(form["starts_on"])
    if not rule or first is None:
        return []
    days = reading.number("option_list_due_days")
    before = rule["list_due_days"] if days is None else min(days, 3650)
    if first.toordinal() <= before:  # that would be before year 1
        return []
    return [(_("Lists due"), day((first - timedelta(days=before)).isoformat()))]


def _minutes(pack: Mapping[str, Any]) -> int:
    """Return the length of a round; 0 if it depends on the size of lists."""
    clock = pack["clock"]
    return 0 if clock.get("per") else int(clock["minutes"]) + int(clock.get("extra_minutes", 0))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


class _Reading:
    """The fields of a form without faults: a field that cannot be read counts as empty."""

    def __init__(self, form: Form) -> None:
        self._form = form

    def number(self, name: str) -> int | None:
        value = whole_number(self._form[name])
        return value if value is not None and value < 10**6 else None

    def tables(self) -> int:
        """Return the number of tables of all venues."""
        tables = 0
        for line in range(1, MOST_VENUES + 1):
            between = RANGE.fullmatch(self._form[f"tables_{line}"])
            tables += max(0, int(between[2]) - int(between[1]) + 1) if between else self.number(f"tables_{line}") or 0
        return tables


def filled_from(event: Any, pack: Mapping[str, Any], shipped: Sequence[str]) -> dict[str, str]:
    """Return the fields of a past event for the form, without its days and players. shipped: ids of rulesets."""
    fields = {
        "name": event.name,
        "ruleset": event.ruleset.id if event.ruleset.id in shipped else OWN,
        TEXT: "" if event.ruleset.id in shipped else json.dumps(pack, ensure_ascii=False, indent=1),
        "tier": event.tier,
        "capacity": str(event.capacity or ""),
        "rounds": str(event.rounds or ""),
        "sign_up": event.sign_up,
        "check_in": "yes" if event.check_in else "",
        **{field: "yes" if thing in event.on_purpose else "" for thing, field in ON_PURPOSE.items()},
        "private": "yes" if event.visibility == "private" else "",
        "pairing_scope": event.pairing_scope,
        "rounds_apart": "" if event.rounds_apart is None else str(event.rounds_apart),
    }
    for key, value in pack.get("chosen", {}).items():
        fields[f"option_{key}"] = "yes" if value is True else "" if value is False else str(value)
    opened = [venue for venue in event.venues if venue.open]
    for line, venue in enumerate(opened, 1):
        numbers = [one.table for one in venue.tables]
        fields |= {f"venue_{line}": venue.name, f"tables_{line}": _tables_text(numbers)}
    return fields | {"lines": str(max(2, len(opened)))}


def _tables_text(numbers: list[int]) -> str:
    """Return tables as text for the form: how many, or the first and the last if they do not begin with 1."""
    if not numbers or numbers[0] == 1 or numbers != list(range(numbers[0], numbers[-1] + 1)):
        return str(len(numbers))
    return f"{numbers[0]}-{numbers[-1]}"


blueprint = Blueprint("events", __name__)
POINTERS = {name: f"/{name}" for name in ("name", "ruleset", "tier", "starts_on", "ends_on", "rounds", "capacity")}
POINTERS |= {"sign_up": "/sign_up", TEXT: "/pack"}
DEFAULTS = {"check_in": "yes", "sign_up": "invite_only", "lines": "2"}
FRAGMENTS = {"frag-summary": "new_event_summary.html", "frag-rules": "new_event_rules.html"}
"""Part of the page that a script may request -> its template."""


@blueprint.route("/events/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    """Create an event and open its venues. `copy=t-…` fills the form from a past event."""
    rulesets = [one for one in muster().registration.list_rulesets().items if one.format == "swiss"]
    form = Form(POINTERS, defaults=_defaults([one.id for one in rulesets]))
    own = read_own_pack(form) if form["ruleset"] == OWN else OwnPack(form[TEXT])
    pack = own.ruleset if form["ruleset"] == OWN else _pack(form["ruleset"], [one.id for one in rulesets])
    options = option_fields(pack) if pack else []
    form.pointers = {**POINTERS, **{option.name: f"/options/{option.key}" for option in options}}
    if form.sent and not form["do"]:
        event = _create(form, pack)
        if event:
            return redirect(url_for("players.show", event=event))
    fragment = FRAGMENTS.get(request.headers.get("HX-Target", ""), "new_event.html")
    shown = render_template(
        fragment if form["do"] else "new_event.html",
        form=form,
        rulesets=rulesets,
        rules_hint=rules_hint,
        pack=pack,
        own=own,
        options=options,
        tiers=TIERS,
        has_cut=has_cut,
        lines=range(1, venue_lines(form) + 1),
        summary=summary(form, pack),
        copied=request.args.get("copy", ""),
    )
    return shown, 200 if form.is_valid or fragment != "new_event.html" else 422


@blueprint.get("/events/<event>/")
def show(event: str) -> ResponseReturnValue:
    """Redirect to the page that matters now.

    For staff of a Swiss event: the round if there is one, or else the players. For a player: their table. For anyone
    else: the public page.
    """
    if current_person().staff and muster().registration.show_tournament(event).format == SWISS:
        page = "rounds.show" if muster().pairing.list_rounds(event).items else "players.show"
        return redirect(url_for(page, event=event))
    if current_person().player and not current_person().staff:
        return redirect(url_for("table.show", event=event))
    return redirect(home_of(event))


def _defaults(shipped: list[str]) -> dict[str, str]:
    """Return the values of an empty form, or those of the event that is copied."""
    event = request.args.get("copy", "")
    if not event:
        return DEFAULTS
    registration = muster().registration
    return filled_from(
        registration.show_tournament(event), registration.show_tournaments_ruleset(event).ruleset, shipped
    )


def _pack(ruleset: str, shipped: list[str]) -> Mapping[str, Any] | None:
    return muster().registration.show_ruleset(ruleset).ruleset if ruleset in shipped else None


def _create(form: Form, pack: Mapping[str, Any] | None) -> str:
    """Return the id of the new event; empty if the form has faults, which are added to it."""
    said, venues = build_announcement(form, pack), venues_of_form(form)
    if form.is_valid:
        try:
            return _announce(form, said, venues)
        except Problem as problem:
            form.add_problem(problem)
    chosen = ("ruleset", "pack", "tier", "options")
    rules = {"name": "Event"} | {member: said[member] for member in chosen if member in said}
    for part in (said, rules):  # options are only checked if the rest is valid
        _note_refusals(form, part)
    return ""


def _note_refusals(form: Form, announcement: dict[str, Any]) -> None:
    """Add the faults that a preview reports, for fields without a fault so far."""
    try:
        muster().registration.announce_tournament(**announcement, preview=True)
    except Problem as problem:
        known, above = {name: list(texts) for name, texts in form.faults.items()}, list(form.above)
        form.add_problem(problem)
        form.faults |= known
        form.above = list(dict.fromkeys([*above, *form.above]))


def _announce(form: Form, announcement: dict[str, Any], venues: list[tuple[str, Any]]) -> str:
    """Announce the event and open its venues. The same key gives the same event."""
    services = muster()
    done = services.registration.announce_tournament(**announcement, idempotency_key=form.key)
    event = str(done.id)
    for number, (name, tables) in enumerate(venues, 1):
        key = f"{form.key}-venue-{number}"
        services.acting_as(done.token).registration.open_venue(event, name=name, tables=tables, idempotency_key=key)
    person = person_of(done.token)
    if person is not None and not current_person().organises:
        sign_in(person)
    flash(_("%(event)s is created. Now add players.", event=announcement["name"]))
    return event


@blueprint.post("/events/<event>/undo")
def take_back(event: str) -> ResponseReturnValue:
    """Send an undo request, then return to the page of its button."""
    form, undo = Form(), read_undo(request.form.get("undo", ""), event)
    back = own_path(request.form.get("back", "")) or url_for("events.show", event=event)
    if undo is None:
        flash(_("This can no longer be undone."))
        return redirect(back)
    try:
        muster().send(
            undo.method, undo.service, f"/tournaments/{event}{undo.path}", undo.body, idempotency_key=form.key
        )
    except Problem as problem:
        flash(problem_text(problem))
    else:
        flash(_("Undone."))
    return redirect(back)
