"""The form of what may still change about an event: its fields as they stand, and what a change of them sends. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from muster_client.generated.bodies import AmendTournament
from services.console.forms import Form
from services.console.language import N_, _
from services.console.new_event import OptionField, option_fields

LABELS = {
    "name": N_("Name of the event"),
    "starts_on": N_("First day"),
    "ends_on": N_("Last day"),
    "capacity": N_("Seats"),
    "rounds": N_("Rounds"),
    "sign_up": N_("Who signs up"),
}
"""Fields that every event has -> what they are called."""
SIGN_UP = {"invite_only": N_("You enter players"), "open": N_("Anybody, on the event's public page")}
"""Who signs up -> in words."""
CANNOT_BE_EMPTIED = N_("This can be changed, and not emptied.")


def changeable_options(event: Any, pack: Mapping[str, Any]) -> list[OptionField]:
    """The options that may still change: until round 1 is paired, those that were not fixed with the announcement."""
    if event.status != "announced":
        return []
    fixed = {option["key"] for option in pack["options"] if option.get("until") == "announcement"}
    return [option for option in option_fields(pack) if option.key not in fixed]


def as_it_stands(event: Any, pack: Mapping[str, Any]) -> dict[str, str]:
    """The fields as they stand now."""
    fields = {name: str(getattr(event, name) or "") for name in LABELS}
    chosen = pack.get("chosen", {})
    for option in changeable_options(event, pack):
        fields[option.name] = _as_text(chosen[option.key]) if option.key in chosen else option.default
    return fields


def _as_text(value: Any) -> str:
    return "yes" if value is True else "" if value in (False, None) else str(value)


def changed(form: Form, event: Any, pack: Mapping[str, Any]) -> AmendTournament:
    """What is sent: the fields that say something else than what stands. Notes every fault."""
    now, body = as_it_stands(event, pack), AmendTournament()
    for name in LABELS:
        if form[name] == now[name] or (name == "rounds" and event.status != "announced"):
            continue
        if not form[name]:
            form.wrong(name, _(CANNOT_BE_EMPTIED))
        elif name in ("capacity", "rounds"):
            if (number := form.whole(name)) is not None:
                body[name] = number  # type: ignore[literal-required]
        elif name in ("starts_on", "ends_on") and not _is_day(form[name]):
            form.wrong(name, _("A day belongs here, as 2026-12-24."))
        else:
            body[name] = form[name]  # type: ignore[literal-required]
    if options := _options(form, event, pack, now):
        body["options"] = options
    return body


def _options(form: Form, event: Any, pack: Mapping[str, Any], now: Mapping[str, str]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for option in changeable_options(event, pack):
        value = form[option.name]
        if value == now[option.name]:
            continue
        if option.kind == "flag":
            chosen[option.key] = value == "yes"
        elif not value:
            form.wrong(option.name, _(CANNOT_BE_EMPTIED))
        elif option.kind == "choice" or value in option.choices:
            chosen[option.key] = value
        elif (number := form.whole(option.name)) is not None:
            chosen[option.key] = number
    return chosen


def differences(form: Form, event: Any, pack: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Where what was typed says something else than what stands now: what the field is called, and what stands."""
    now = as_it_stands(event, pack)
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
