"""The form that changes an event: its current values, and the request that a change sends. Pure.

The tables of a venue are text in this form: their number, `12`, or a list of numbers, `1-8, 11, 20-24`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
"""Field that every event has -> its label."""
SIGN_UP = {"invite_only": N_("You enter players"), "open": N_("Anybody, on the event's public page")}
"""Who signs up -> words."""
CANNOT_BE_EMPTIED = N_("This can be changed, and not emptied.")


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
            form.add_fault(name, _("A day belongs here, as 2026-12-24."))
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


MOST = 10_000
RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")


def tables_in(form: Form, field: str) -> list[int] | None:
    """Return the tables of a field; one number says how many. None if it is empty, or, with a fault added, wrong."""
    text = form[field]
    if not text:
        return None
    if text.isdecimal():
        number = int(text) if len(text) < 7 else MOST + 1
        if number > MOST:
            form.add_fault(field, _("At most 10,000 tables fit."))
            return None
        return list(range(1, number + 1))
    return listed_numbers(form, field)


def listed_numbers(form: Form, field: str) -> list[int] | None:
    """Return the numbers that a field lists, each once. Add a fault and return None if it cannot be read."""
    numbers: set[int] = set()
    for part in filter(None, (part.strip() for part in form[field].split(","))):
        between = RANGE.fullmatch(part)
        if between is None:
            form.add_fault(field, _("Numbers of tables belong here, as in 1-8, 11, 20-24."))
            return None
        first, last = int(between[1]), int(between[2] or between[1])
        if not 1 <= first <= last <= MOST:
            form.add_fault(field, _("From the lower number to the higher one, as in 13-20."))
            return None
        numbers |= set(range(first, last + 1))
    return sorted(numbers)


def tables_text(numbers: Sequence[int]) -> str:
    """Return tables as text for a field: how many if they are numbered from 1, else their numbers."""
    if list(numbers) == list(range(1, len(numbers) + 1)):
        return str(len(numbers))
    text = number_ranges(numbers)
    return f"{text}-{text}" if text.isdecimal() else text  # one number alone would be how many


def number_ranges(numbers: Sequence[int]) -> str:
    """Return numbers as text, consecutive ones as a range: `1-8, 11`; empty for none."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in ranges)
