"""What an organiser sets of an event after it was announced: the event, its sign-up, venues and staff, and its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import Problem, answers, bodies, problems
from services.console.codes import address_of, code_of_key
from services.console.event_form import (
    SIGN_UP,
    changeable_options,
    changes,
    current_values,
    differences,
    earlier_values,
    listed_numbers,
    number_ranges,
    tables_in,
    tables_text,
)
from services.console.forms import PART, Form
from services.console.language import _
from services.console.responses import leave_plain
from services.console.toast import say
from services.console.undo import Undo
from services.console.upstream import here, muster
from services.console.words import OVER, STAFF

blueprint = Blueprint("event_settings", __name__)
OF_EVENT = {name: f"/{name}" for name in ("name", "starts_on", "ends_on", "capacity", "rounds", "sign_up")}
OF_STAFF = {"staff_name": "/name", "staff_role": "/role", "staff_venue": "/venue", "plays_as": "/player"}
OF_STAFF |= {"override": "/override"}
Shown = Mapping[str, Any]
"""What a form that was sent has to show in place of being done; whatever is done is said on the next page."""


class Act(Struct, frozen=True):
    """A form that was sent. of: the venue or the member of staff whom it is about; empty for neither."""

    event: str
    form: Form
    of: str
    shown: answers.TournamentView
    pack: Mapping[str, Any]


@blueprint.route("/events/<event>/settings", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """The settings; posting sends one of the forms."""
    if not here().token:
        return redirect(url_for("home.enter"))
    if not here().organises:
        return render_template("refused.html", what=_("Your role may not do this."), problem=None), 403
    shown = muster().registration.show_tournament(event)
    pack = muster().registration.show_tournaments_ruleset(event).ruleset
    forms, part = _forms(shown, pack), request.form.get(PART, "")
    if request.method != "POST":
        return _page(shown, pack, forms, Form(), {})
    form = forms.get(part)
    if form is None:
        say(_("Nothing was done: what this was about is gone. Below is what stands now."))
        return redirect(url_for("event_settings.show", event=event))
    does, _colon, of = part.partition(":")
    more: Shown | None = None
    try:
        more = DOES[does](Act(event, form, of, shown, pack))
    except problems.PreconditionFailed:
        form.above.append(_("Somebody was faster. Nothing was changed; send it again if it is still right."))
        shown = muster().registration.show_tournament(event)
        return _page(shown, pack, forms, form, {"now": differences(form, shown, pack) if does == "event" else []}), 412
    except Problem as problem:
        form.add_problem(problem)
        return _page(shown, pack, forms, form, {}), problem.status
    if not form.is_valid or (more is not None and "token" not in more):
        return _page(shown, pack, forms, form, more or {}), 200 if form.is_valid else 422
    if more is not None:
        leave_plain()
        return render_template("staff_token.html", event=shown, form=form, **more)
    return redirect(url_for("event_settings.show", event=event))


def _forms(shown: answers.TournamentView, pack: Mapping[str, Any]) -> dict[str, Form]:
    """Every form of the page, by its part."""
    options = {option.name: f"/options/{option.key}" for option in changeable_options(shown, pack)}
    forms = {"event": Form(OF_EVENT | options, current_values(shown, pack), "event")}
    for part in ("close", "reopen"):
        forms[part] = Form(part=part)
    forms["venue"] = Form({"venue_name": "/name", "venue_tables": "/tables"}, part="venue")
    for venue in shown.venues:
        numbers = [one.table for one in venue.tables]
        accessible = [one.table for one in venue.tables if one.accessible]
        field, easy = f"tables_{venue.id}", f"accessible_{venue.id}"
        forms[f"tables:{venue.id}"] = Form(
            {field: "/tables"}, {field: tables_text(numbers), easy: number_ranges(accessible)}, f"tables:{venue.id}"
        )
        forms[f"shut:{venue.id}"] = Form({f"why_{venue.id}": "/reason"}, part=f"shut:{venue.id}")
    forms["staff"] = Form(OF_STAFF, {"staff_role": "referee"}, "staff")
    for member in shown.staff:
        forms[f"dismiss:{member.id}"] = Form({f"why_{member.id}": "/reason"}, part=f"dismiss:{member.id}")
    forms["cancel"] = Form({"why_cancelled": "/reason"}, part="cancel")
    return forms


def _page(
    shown: answers.TournamentView, pack: Mapping[str, Any], forms: Mapping[str, Form], sent: Form, more: Shown
) -> str:
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
        **more,
    )


def _amend(act: Act) -> Shown | None:
    """Name, days, seats, rounds, options; `do=look` says who would move up into new seats."""
    body = changes(act.form, act.shown, act.pack)
    asked, version = muster().registration, act.form.version
    if not act.form.is_valid:
        if body:  # what the service says of the rest, so that every fault stands there at once
            asked.amend_tournament(act.event, preview=True, if_match=version, **body)
        return None
    if not body:
        say(_("Nothing was changed."))
        return None
    if act.form["do"] == "look":
        return {"moved": asked.amend_tournament(act.event, preview=True, if_match=version, **body).moves.players}
    done = asked.amend_tournament(act.event, if_match=version, idempotency_key=act.form.key, **body)
    earlier = earlier_values(body, act.shown, act.pack)
    say(_("The changes are kept."), done, Undo("registration", "/amendments", earlier) if earlier else None)
    return None


def _close(act: Act) -> Shown | None:
    done = muster().registration.close_registration(act.event, idempotency_key=act.form.key)
    say(_("Sign-up is closed."), done)
    return None


def _reopen(act: Act) -> Shown | None:
    done = muster().registration.reopen_registration(act.event, idempotency_key=act.form.key)
    say(_("Sign-up is open again."), done)
    return None


def _open_venue(act: Act) -> Shown | None:
    form, name = act.form, act.form["venue_name"]
    if not name:
        form.add_fault("venue_name", _("What is it called?"))
    if not form["venue_tables"]:
        form.add_fault("venue_tables", _("How many tables does it have?"))
    numbers = tables_in(form, "venue_tables")
    if not form.is_valid or numbers is None:
        return None
    tables: list[bodies.Table] = [{"table": number} for number in numbers]
    done = muster().registration.open_venue(act.event, name=name, tables=tables, idempotency_key=form.key)
    say(_("%(venue)s is open.", venue=name), done)
    return None


def _change_tables(act: Act) -> Shown | None:
    """All tables of a venue from now on, and which of them everybody can reach."""
    form, field, easy = act.form, f"tables_{act.of}", f"accessible_{act.of}"
    if not form[field]:
        form.add_fault(field, _("How many tables does it have?"))
    numbers, accessible = tables_in(form, field), listed_numbers(form, easy)
    if numbers is not None and accessible and (unknown := set(accessible) - set(numbers)):
        form.add_fault(easy, _("This venue has no table %(number)s.", number=min(unknown)))
    if not form.is_valid or numbers is None or accessible is None:
        return None
    tables: list[bodies.Table] = [{"table": number, "accessible": number in accessible} for number in numbers]
    done = muster().registration.change_tables(
        act.event, act.of, tables=tables, if_match=form.version, idempotency_key=form.key
    )
    before = next(venue.tables for venue in act.shown.venues if venue.id == act.of)
    earlier = {"tables": [{"table": one.table, "accessible": one.accessible} for one in before]}
    undo = Undo("registration", f"/venues/{act.of}/tables", earlier) if done.events else None
    say(_("The tables are changed.") if done.events else _("Nothing was changed."), done, undo)
    return None


def _close_venue(act: Act) -> Shown | None:
    form, why = act.form, f"why_{act.of}"
    if not form[why]:
        form.add_fault(why, _("Say why. It stands in the log."))
        return None
    done = muster().registration.close_venue(act.event, act.of, reason=form[why], idempotency_key=form.key)
    name = next(venue.name for venue in act.shown.venues if venue.id == act.of)
    say(_("%(venue)s is closed.", venue=name), done)
    return None


def _appoint(act: Act) -> Shown | None:
    """Somebody new; the page that follows hands out their key, this once."""
    form = act.form
    if not form["staff_name"]:
        form.add_fault("staff_name", _("Say who it is."))
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
        "address": address_of(place),
        "code": code_of_key(place),
        "venue": next((one.name for one in act.shown.venues if one.id == form["staff_venue"]), ""),
    }


def _dismiss(act: Act) -> Shown | None:
    form = act.form
    done = muster().registration.dismiss_staff(
        act.event,
        act.of,
        reason=form[f"why_{act.of}"],
        revoke_links=form["revoke_links"] == "yes",
        idempotency_key=form.key,
    )
    name = next(member.name for member in act.shown.staff if member.id == act.of)
    say(_("%(name)s is dismissed.", name=name), done)
    return None


def _cancel(act: Act) -> Shown | None:
    """Asked twice: what it means first, then for good."""
    form, asked = act.form, muster().registration
    if not form["why_cancelled"]:
        form.add_fault("why_cancelled", _("Say why. It stands in the log."))
        return None
    if form["do"] != "cancel":
        asked.cancel_tournament(act.event, preview=True, reason=form["why_cancelled"])
        return {"asked_twice": True}
    asked.cancel_tournament(act.event, reason=form["why_cancelled"], idempotency_key=form.key)
    say(_("The event is cancelled."))
    return None


DOES: Mapping[str, Callable[[Act], Shown | None]] = {
    "event": _amend,
    "close": _close,
    "reopen": _reopen,
    "venue": _open_venue,
    "tables": _change_tables,
    "shut": _close_venue,
    "staff": _appoint,
    "dismiss": _dismiss,
    "cancel": _cancel,
}
"""Part of the page, up to a colon -> what its form does."""
