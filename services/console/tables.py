"""The tables of a venue as text: how many, `12`, or which, `1-8, 11, 20-24`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from services.console.forms import Form
from services.console.language import _

MOST = 10_000
RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")


def tables_in(form: Form, field: str) -> list[int] | None:
    """The numbers that a field says, one alone being how many; None for an empty field, or for a fault, noted there."""
    text = form[field]
    if not text:
        return None
    if text.isdecimal():
        number = int(text) if len(text) < 7 else MOST + 1
        if number > MOST:
            form.wrong(field, _("At most 10,000 tables fit."))
            return None
        return list(range(1, number + 1))
    return which_in(form, field)


def which_in(form: Form, field: str) -> list[int] | None:
    """The numbers that a field lists, each once; empty for an empty field. None for a fault, noted there."""
    found: set[int] = set()
    for part in filter(None, (part.strip() for part in form[field].split(","))):
        between = RANGE.fullmatch(part)
        if between is None:
            form.wrong(field, _("Numbers of tables belong here, as in 1-8, 11, 20-24."))
            return None
        first, last = int(between[1]), int(between[2] or between[1])
        if not 1 <= first <= last <= MOST:
            form.wrong(field, _("From the lower number to the higher one, as in 13-20."))
            return None
        found |= set(range(first, last + 1))
    return sorted(found)


def told(numbers: Sequence[int]) -> str:
    """Tables as a field takes them: how many where they are numbered from 1, else which."""
    if list(numbers) == list(range(1, len(numbers) + 1)):
        return str(len(numbers))
    text = listed(numbers)
    return f"{text}-{text}" if text.isdecimal() else text  # one number alone would be how many


def listed(numbers: Sequence[int]) -> str:
    """Numbers in order, those that follow each other as a range; empty for none."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join(str(one[0]) if len(one) == 1 else f"{one[0]}-{one[-1]}" for one in ranges)
