"""The settings of an event: changing it, its venues and its staff."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers, bodies, problems
from muster_client.generated.bodies import AmendTournament
from services.console.forms import PART, Form
from services.console.language import N_, _
from services.console.pages.events import OptionField, option_fields
from services.console.pages.prints import public_address, qr_code, qr_code_of_key
from services.console.responses import leave_plain
from services.console.signed_in import muster, only_for
from services.console.table_lists import (
    labels_in,
    labels_text,
    listed_numbers,
    number_ranges,
    table_body,
    tables_in,
    tables_text,
)
from services.console.undo import Undo, flash
from services.console.words import OVER, STAFF

LABELS = {
    "name": N_("Name of the event"),
    "starts_on": N_("First day"),
    "ends_on": N_("Last day"),
    "capacity": N_("Seats"),
    "rounds": N_("Rounds"),
    "sign_up": N_("Sign-up"),
}
"""Field that every event has -> its label."""
SIGN_UP = {"invite_only": N_("You add players"), "open": N_("Anyone, on the event's public page")}
"""Kind of sign-up -> words."""
CANNOT_BE_EMPTIED = N_("This cannot be left empty.")


def changeable_options(event: Any, pack: Mapping[str, Any]) -> list[OptionField]:
    """Return the options that may still change: until round 1 is paired, all that the announcement did not fix."""
    if event.status != "announced":
        return []
    fixed = {option["key"] for option in pack["options"] if option.get("until") == "announcement"}
    return [option for option in option_fields(pack) if option.key not in fixed]


def current_values(event: Any, pack: Mapping[str, Any]) -> dict[str, str]:
    """Return the current values of the fields."""
    fields = {name: str(getattr(event, name) or "") for name in LABELS}
    chosen = pack.get("chosen", {})
    for option in changeable_options(event, pack):
        fields[option.name] = _as_text(chosen[option.key]) if option.key in chosen else option.default
    return fields


def _as_text(value: Any) -> str:
    return "yes" if value is True else "" if value in (False, None) else str(value)


def changes(form: Form, event: Any, pack: Mapping[str, Any]) -> AmendTournament:
    """Return the request with the fields that differ from the current values; add every fault to the form."""
    now, body = current_values(event, pack), AmendTournament()
    for name in LABELS:
        if form[name] == now[name] or (name == "rounds" and event.status != "announced"):
            continue
        if not form[name]:
            form.add_fault(name, _(CANNOT_BE_EMPTIED))
        elif name in ("capacity", "rounds"):
            if (number := form.whole(name)) is not None:
                body[name] = number  # type: ignore[literal-required]
        elif name in ("starts_on", "ends_on") and not _is_day(form[name]):
            form.add_fault(name, _("Enter a date such as 2026-12-24."))
        else:
            body[name] = form[name]  # type: ignore[literal-required]
    if options := _options(form, event, pack, now):
        body["options"] = options
    return body


def earlier_values(body: Mapping[str, Any], event: Any, pack: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the body that restores what a change overwrites; None if a value did not exist and cannot be emptied."""
    chosen = {option["key"]: option.get("default") for option in pack["options"]} | pack.get("chosen", {})
    earlier = {name: getattr(event, name) for name in body if name != "options"}
    if options := body.get("options"):
        earlier["options"] = {key: chosen[key] for key in options}
    missing = [value for value in (*earlier.values(), *earlier.get("options", {}).values()) if value in (None, "")]
    return None if missing else earlier


def _options(form: Form, event: Any, pack: Mapping[str, Any], now: Mapping[str, str]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for option in changeable_options(event, pack):
        value = form[option.name]
        if value == now[option.name]:
            continue
        if option.kind == "flag":
            chosen[option.key] = value == "yes"
        elif not value:
            form.add_fault(option.name, _(CANNOT_BE_EMPTIED))
        elif option.kind == "choice" or value in option.choices:
            chosen[option.key] = value
        elif (number := form.whole(option.name)) is not None:
            chosen[option.key] = number
    return chosen


def differences(form: Form, event: Any, pack: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the label and the current value of each field that was typed differently."""
    now = current_values(event, pack)
    names = {name: _(label) for name, label in LABELS.items()}
    names |= {option.name: option.question for option in changeable_options(event, pack)}
    words = {option.name: option.choices for option in changeable_options(event, pack)}
    words["sign_up"] = {value: _(word) for value, word in SIGN_UP.items()}
    yes_or_no = {"yes": _("Yes"), "": _("No")}
    flags = {option.name for option in changeable_options(event, pack) if option.kind == "flag"}
    return [
        (label, (yes_or_no if name in flags else words.get(name, {})).get(now[name], now[name]) or "–")
        for name, label in names.items()
        if form[name] != now[name]
    ]


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


blueprint = Blueprint("event_settings", __name__)
EVENT_POINTERS = {name: f"/{name}" for name in ("name", "starts_on", "ends_on", "capacity", "rounds", "sign_up")}
VENUE_LABELS = {
    "name": N_("Name"),
    "time_zone": N_("Time zone"),
    "address": N_("Address"),
    "note": N_("Note for visitors"),
}
"""Member of a venue that can be amended -> its label."""
STAFF_POINTERS = {"staff_name": "/name", "staff_role": "/role", "staff_venue": "/venue", "plays_as": "/player"}
STAFF_POINTERS |= {"override": "/override"}
PageValues = Mapping[str, Any]
"""Values for a page that shows a form again instead of redirecting."""


class SentForm(Struct, frozen=True):
    """A form that was sent. of: the venue or member of staff concerned; empty if neither."""

    event: str
    form: Form
    of: str
    shown: answers.TournamentView
    pack: Mapping[str, Any]


@blueprint.route("/events/<event>/settings", methods=["GET", "POST"])
@only_for(lambda person: person.organises)
def show(event: str) -> ResponseReturnValue:
    """Show the settings; a post sends one of the forms."""
    tournament = muster().registration.show_tournament(event)
    pack = muster().registration.show_tournaments_ruleset(event).ruleset
    forms, part = _forms(tournament, pack), request.form.get(PART, "")
    if request.method != "POST":
        return _page(tournament, pack, forms, Form(), {})
    form = forms.get(part)
    if form is None:
        flash(_("Nothing was saved: this no longer exists. This is the current state."))
        return redirect(url_for("event_settings.show", event=event))
    does, _colon, of = part.partition(":")
    more: PageValues | None = None
    try:
        more = ACTIONS[does](SentForm(event, form, of, tournament, pack))
    except problems.PreconditionFailed:
        form.above.append(_("Someone else changed this first. Nothing was saved; send it again if it is still right."))
        tournament = muster().registration.show_tournament(event)
        return _page(
            tournament, pack, forms, form, {"now": differences(form, tournament, pack) if does == "event" else []}
        ), 412
    except Problem as problem:
        form.add_problem(problem)
        return _page(tournament, pack, forms, form, {}), problem.status
    if not form.is_valid or (more is not None and "token" not in more):
        return _page(tournament, pack, forms, form, more or {}), 200 if form.is_valid else 422
    if more is not None:
        leave_plain()
        return render_template("staff_token.html", event=tournament, form=form, **more)
    return redirect(url_for("event_settings.show", event=event))


def _forms(shown: answers.TournamentView, pack: Mapping[str, Any]) -> dict[str, Form]:
    """Return every form of the page, by its part."""
    options = {option.name: f"/options/{option.key}" for option in changeable_options(shown, pack)}
    forms = {"event": Form(EVENT_POINTERS | options, current_values(shown, pack), "event")}
    for part in ("close", "reopen"):
        forms[part] = Form(part=part)
    forms["venue"] = Form(
        {"venue_name": "/name", "venue_tables": "/tables", "venue_time_zone": "/time_zone"}, part="venue"
    )
    for venue in shown.venues:
        numbers = [one.table for one in venue.tables]
        accessible = [one.table for one in venue.tables if one.accessible]
        field, easy, labels = f"tables_{venue.id}", f"accessible_{venue.id}", f"labels_{venue.id}"
        forms[f"tables:{venue.id}"] = Form(
            {labels: "/tables/", field: "/tables"},
            {field: tables_text(numbers), easy: number_ranges(accessible), labels: labels_text(venue.tables)},
            f"tables:{venue.id}",
        )
        about = {f"{name}_{venue.id}": name for name in VENUE_LABELS}
        forms[f"about:{venue.id}"] = Form(
            {field: f"/{name}" for field, name in about.items()},
            {field: getattr(venue, name) or "" for field, name in about.items()},
            f"about:{venue.id}",
        )
        forms[f"shut:{venue.id}"] = Form({f"why_{venue.id}": "/reason"}, part=f"shut:{venue.id}")
    forms["staff"] = Form(STAFF_POINTERS, {"staff_role": "referee"}, "staff")
    for member in shown.staff:
        forms[f"dismiss:{member.id}"] = Form({f"why_{member.id}": "/reason"}, part=f"dismiss:{member.id}")
    forms["cancel"] = Form({"why_cancelled": "/reason"}, part="cancel")
    return forms


def _page(
    shown: answers.TournamentView, pack: Mapping[str, Any], forms: Mapping[str, Form], sent: Form, more: PageValues
) -> str:
    joins = url_for("home.join", event=shown.id)
    return render_template(
        "event_settings.html",
        event=shown,
        forms=forms,
        sent=sent,
        options=changeable_options(shown, pack),
        roles=STAFF,
        sign_up=SIGN_UP,
        over=shown.status in OVER,
        venue_names={venue.id: venue.name for venue in shown.venues},
        place="settings",
        join={"address": public_address(joins), "code": qr_code(joins)},
        **more,
    )


def _amend(act: SentForm) -> PageValues | None:
    """Change the name, days, seats, rounds and options; `do=look` previews who would move up into new seats."""
    body = changes(act.form, act.shown, act.pack)
    registration, version = muster().registration, act.form.version
    if not act.form.is_valid:
        if body:  # also show the faults that the service finds
            registration.amend_tournament(act.event, preview=True, if_match=version, **body)
        return None
    if not body:
        flash(_("Nothing was changed."))
        return None
    if act.form["do"] == "look":
        return {"moved": registration.amend_tournament(act.event, preview=True, if_match=version, **body).moves.players}
    done = registration.amend_tournament(act.event, if_match=version, idempotency_key=act.form.key, **body)
    earlier = earlier_values(body, act.shown, act.pack)
    flash(_("The changes are saved."), done, Undo("registration", "/amendments", earlier) if earlier else None)
    return None


def _close(act: SentForm) -> PageValues | None:
    done = muster().registration.close_registration(act.event, idempotency_key=act.form.key)
    flash(_("Sign-up is closed."), done)
    return None


def _reopen(act: SentForm) -> PageValues | None:
    done = muster().registration.reopen_registration(act.event, idempotency_key=act.form.key)
    flash(_("Sign-up is open again."), done)
    return None


def _open_venue(act: SentForm) -> PageValues | None:
    form, name = act.form, act.form["venue_name"]
    if not name:
        form.add_fault("venue_name", _("Enter a name."))
    if not form["venue_tables"]:
        form.add_fault("venue_tables", _("Enter the number of tables."))
    numbers = tables_in(form, "venue_tables")
    if not form.is_valid or numbers is None:
        return None
    tables = [table_body(number) for number in numbers]
    zone = form["venue_time_zone"]
    done = muster().registration.open_venue(
        act.event, name=name, tables=tables, time_zone=zone, idempotency_key=form.key
    )
    flash(_("%(venue)s is open.", venue=name), done)
    return None


def _amend_venue(act: SentForm) -> PageValues | None:
    """Change the name, time zone, address or note of a venue."""
    form = act.form
    venue = next(venue for venue in act.shown.venues if venue.id == act.of)
    now = {name: getattr(venue, name) or "" for name in VENUE_LABELS}
    typed = {name: form[f"{name}_{venue.id}"] for name in VENUE_LABELS}
    changed = {name: value for name, value in typed.items() if value != now[name]}
    body: bodies.AmendVenueBody = {**changed}  # type: ignore[typeddict-item]
    done = muster().registration.amend_venue(
        act.event, venue.id, **body, if_match=form.version, idempotency_key=form.key
    )
    earlier = {name: now[name] for name in changed}
    undo = Undo("registration", f"/venues/{venue.id}/amendments", earlier) if done.events else None
    flash(_("%(venue)s is changed.", venue=typed["name"]) if done.events else _("Nothing was changed."), done, undo)
    return None


def _change_tables(act: SentForm) -> PageValues | None:
    """Replace the tables of a venue and mark the accessible ones."""
    form, field, easy = act.form, f"tables_{act.of}", f"accessible_{act.of}"
    if not form[field]:
        form.add_fault(field, _("Enter the number of tables."))
    numbers, accessible = tables_in(form, field), listed_numbers(form, easy)
    labels = labels_in(form, f"labels_{act.of}", numbers or [])
    if numbers is not None and accessible and (unknown := set(accessible) - set(numbers)):
        form.add_fault(easy, _("This venue has no table %(number)s.", number=min(unknown)))
    if not form.is_valid or numbers is None or accessible is None:
        return None
    tables = [table_body(number, labels.get(number), accessible=number in accessible) for number in numbers]
    done = muster().registration.change_tables(
        act.event, act.of, tables=tables, if_match=form.version, idempotency_key=form.key
    )
    before = next(venue.tables for venue in act.shown.venues if venue.id == act.of)
    earlier = {"tables": [table_body(one.table, one.label, accessible=one.accessible) for one in before]}
    undo = Undo("registration", f"/venues/{act.of}/tables", earlier) if done.events else None
    flash(_("The tables are changed.") if done.events else _("Nothing was changed."), done, undo)
    return None


def _close_venue(act: SentForm) -> PageValues | None:
    form, why = act.form, f"why_{act.of}"
    if not form[why]:
        form.add_fault(why, _("Enter a reason; it is recorded in the event log."))
        return None
    done = muster().registration.close_venue(act.event, act.of, reason=form[why], idempotency_key=form.key)
    name = next(venue.name for venue in act.shown.venues if venue.id == act.of)
    flash(_("%(venue)s is closed.", venue=name), done)
    return None


def _appoint(act: SentForm) -> PageValues | None:
    """Appoint a member of staff; the next page shows their key, once."""
    form = act.form
    if not form["staff_name"]:
        form.add_fault("staff_name", _("Enter a name."))
    if form["staff_role"] not in STAFF:
        form.add_fault("staff_role", _("Choose one of these."))
    if not form.is_valid:
        return None
    body: bodies.AppointStaff = {"name": form["staff_name"], "role": form["staff_role"]}  # type: ignore[typeddict-item]
    if form["staff_venue"]:
        body["venue"] = form["staff_venue"]
    if form["plays_as"]:
        body["player"] = form["plays_as"]
    if form["override"]:
        body["override"] = form["override"]
    done = muster().registration.appoint_staff(act.event, idempotency_key=form.key, **body)
    place = url_for("sign_ins.by_key", key=done.token)
    return {
        "name": body["name"],
        "role": body["role"],
        "token": done.token,
        "address": public_address(place),
        "code": qr_code_of_key(place),
        "venue": next((one.name for one in act.shown.venues if one.id == form["staff_venue"]), ""),
    }


def _dismiss(act: SentForm) -> PageValues | None:
    form = act.form
    done = muster().registration.dismiss_staff(
        act.event,
        act.of,
        reason=form[f"why_{act.of}"],
        revoke_links=form["revoke_links"] == "yes",
        idempotency_key=form.key,
    )
    name = next(member.name for member in act.shown.staff if member.id == act.of)
    flash(_("%(name)s is no longer on the staff.", name=name), done)
    return None


def _cancel(act: SentForm) -> PageValues | None:
    """Cancel the event after a second confirmation."""
    form, registration = act.form, muster().registration
    if not form["why_cancelled"]:
        form.add_fault("why_cancelled", _("Enter a reason; it is recorded in the event log."))
        return None
    if form["do"] != "cancel":
        registration.cancel_tournament(act.event, preview=True, reason=form["why_cancelled"])
        return {"asked_twice": True}
    registration.cancel_tournament(act.event, reason=form["why_cancelled"], idempotency_key=form.key)
    flash(_("The event is cancelled."))
    return None


ACTIONS: Mapping[str, Callable[[SentForm], PageValues | None]] = {
    "event": _amend,
    "close": _close,
    "reopen": _reopen,
    "venue": _open_venue,
    "about": _amend_venue,
    "tables": _change_tables,
    "shut": _close_venue,
    "staff": _appoint,
    "dismiss": _dismiss,
    "cancel": _cancel,
}
"""Part of the page, up to a colon -> the function that handles its form."""
