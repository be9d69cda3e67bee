"""The tables of a venue as text in a form.

Tables are their number, `12`, or a list of numbers, `1-8, 11, 20-24`. Their labels are lines in the order of the
tables; a line may be a range, `A1..A12`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from muster_client import answers, bodies
from services.console.forms import Form
from services.console.language import _
from shared.names import normalize_name

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
            form.add_fault(field, _("At most 10,000 tables."))
            return None
        return list(range(1, number + 1))
    return listed_numbers(form, field)


def listed_numbers(form: Form, field: str) -> list[int] | None:
    """Return the numbers that a field lists, each once. Add a fault and return None if it cannot be read."""
    numbers: set[int] = set()
    for part in filter(None, (part.strip() for part in form[field].split(","))):
        between = RANGE.fullmatch(part)
        if between is None:
            form.add_fault(field, _("Enter table numbers such as 1-8, 11, 20-24."))
            return None
        first, last = int(between[1]), int(between[2] or between[1])
        if not 1 <= first <= last <= MOST:
            form.add_fault(field, _("Lower number first, such as 13-20."))
            return None
        numbers |= set(range(first, last + 1))
    return sorted(numbers)


def tables_text(numbers: Sequence[int]) -> str:
    """Return tables as text for a field: how many if they are numbered from 1, else their numbers."""
    if list(numbers) == list(range(1, len(numbers) + 1)):
        return str(len(numbers))
    text = number_ranges(numbers)
    return f"{text}-{text}" if text.isdecimal() else text  # a single number would be read as how many


def number_ranges(numbers: Sequence[int]) -> str:
    """Return numbers as text, consecutive ones as a range: `1-8, 11`; empty for none."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in ranges)


LABELS = re.compile(r"(?P<before>.*?)(?P<first>\d{1,5})\s*(?:\.\.|…)\s*(?:(?P=before))?(?P<last>\d{1,5})")


def labels_in(form: Form, field: str, tables: Sequence[int]) -> dict[int, str]:
    """Return table -> label. Add a fault if the lines are not one for each table."""
    labels: list[str] = []
    for line in filter(None, (line.strip() for line in form[field].splitlines())):
        between = LABELS.fullmatch(line)
        numbers = range(int(between["first"]), int(between["last"]) + 1) if between else range(0)
        labels += [f"{between['before']}{number}" for number in numbers[:MOST]] if between and numbers else [line]
    if labels and len(labels) != len(tables):
        words = {"labels": len(labels), "tables": len(tables)}
        form.add_fault(field, _("%(labels)s labels for %(tables)s tables: enter one for each table.", **words))
        return {}
    times = Counter(map(normalize_name, labels))
    if twice := [label for label in labels if times[normalize_name(label)] > 1]:
        form.add_fault(field, _("Each label once; more than once: %(labels)s.", labels=", ".join(dict.fromkeys(twice))))
        return {}
    return dict(zip(tables, labels, strict=False))


def labels_text(tables: Sequence[answers.TableOfVenue]) -> str:
    """Return the labels of tables as lines for a field, the number where there is none; empty without labels."""
    return "\n".join(one.label or str(one.table) for one in tables) if any(one.label for one in tables) else ""


def table_body(number: int, label: str | None = None, *, accessible: bool | None = None) -> bodies.Table:
    """Return a table as requests name it. A label that is only its number is none."""
    body: bodies.Table = {"table": number}
    if accessible is not None:
        body["accessible"] = accessible
    if label and label != str(number):
        body["label"] = label
    return body
