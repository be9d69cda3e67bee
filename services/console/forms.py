"""A form: its values, its faults and its idempotency key; the search words of a page.

A fault of a service names a member of the request by a JSON pointer. A form knows which of its fields became which
member, so each fault is shown next to its field; a fault without a field is shown above the form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import uuid4

from flask import g, request
from markupsafe import Markup

from muster_client import Problem
from services.console.hall_time import parse_local_time
from services.console.language import _, whole_number
from services.console.problem_words import fault_text, problem_text
from shared.csv_cells import NotUtf8, decode_utf8

KEY = "key"
PART = "part"
"""The field that says which form of a page with several forms was sent."""
TOO_LARGE = "form_too_large"
"""Name in `flask.g` of a form that was too large to be read."""
LONGEST_KEY = 128
ETAG = re.compile(r'(?:W/)?"[!#-~]*"')
NO_VERSION = '"none"'
KEY_REUSED = "idempotency-key-reused"


class Form:
    """A form that was sent, or an empty one.

    pointers: field -> pointer of its member in the request, or the beginning of such pointers. part: the form of a
    page with several; empty if it has only one. The others are not sent with it. A form that was too large to be read
    (`too_large`) counts as not sent.
    """

    def __init__(
        self,
        pointers: Mapping[str, str] | None = None,
        defaults: Mapping[str, str] | None = None,
        part: str = "",
    ) -> None:
        self.pointers = pointers or {}
        self.part = part
        self.faults: dict[str, list[str]] = {}
        self.too_large = bool(g.get(TOO_LARGE))
        sent = request.method == "POST" and not self.too_large
        self.sent = sent and (not part or request.form.get(PART) == part)
        self._defaults = defaults or {}
        self._replaced: dict[str, str] = {}
        self.above: list[str] = []
        key = request.form.get(KEY, "") if self.sent else ""
        self.key = key if len(key) <= LONGEST_KEY and key.isascii() and key.isprintable() else ""
        if not self.key or " " in self.key:
            self.key = str(uuid4())

    def __getitem__(self, name: str) -> str:
        """Return the value of a field as it was typed; its default if the form was not sent."""
        return self.text(name).strip() if self.sent else self._defaults.get(name, "")

    def text(self, name: str) -> str:
        """Return the value of a field that was sent, with the spaces around it."""
        return self._replaced.get(name, request.form.get(name, ""))

    def replace(self, values: Mapping[str, str]) -> None:
        """Replace what was typed, by the contents of a file or by the parts of a line. values: field -> value."""
        self._replaced |= values

    def take_file(self, name: str, file: str) -> None:
        """Replace what was typed in a field by the text of a chosen file. Add a fault if that is not UTF-8.

        file: the field of the file; nothing happens if none was chosen, or it is empty.
        """
        chosen = request.files.get(file) if self.sent else None
        raw = chosen.read() if chosen is not None and chosen.filename else b""
        if not raw:
            return
        try:
            self.replace({name: decode_utf8(raw)})
        except NotUtf8 as bad:
            self.add_fault(
                name, _("Line %(number)s cannot be read as text. Save the file as plain text in UTF-8.", number=bad.row)
            )

    @property
    def version(self) -> str | None:
        """The version of the page for If-Match; None if there is none. A value that is no ETag matches nothing."""
        typed = self["version"]
        return (typed if ETAG.fullmatch(typed) else NO_VERSION) if typed else None

    def all(self, name: str) -> list[str]:
        """Return the values of all fields of a name."""
        return [value.strip() for value in request.form.getlist(name)]

    def whole(self, name: str) -> int | None:
        """Return a field as a whole number; None if it is empty, or, with a fault added, if it is something else."""
        text = self[name]
        if not text:
            return None
        number = whole_number(text)
        if number is None:
            self.add_fault(name, _("Enter a whole number."))
        return number

    def moment(self, name: str) -> str | None:
        """Return a field for a day and a time, by the clock of the hall, in the form of the services.

        Add a fault and return None if it is not one.
        """
        try:
            moment, later = parse_local_time(self[name])
        except ValueError:
            self.add_fault(name, _("Enter a date and a time."))
            return None
        if moment is None:
            skipped = _(
                "There is no %(time)s on that day: the clocks go forward. Enter an earlier time, or %(later)s.",
                time=self[name][11:16],
                later=later,
            )
            self.add_fault(name, skipped)
        return moment

    def add_fault(self, name: str, text: str) -> None:
        """Add a fault to a field."""
        self.faults.setdefault(name, []).append(text)

    def add_problem(self, problem: Problem) -> None:
        """Add the problem of a service: each fault to its field, the rest above the form."""
        if problem.code == KEY_REUSED:  # the user went back to a sent form and changed it
            self.key = str(uuid4())
            self.above.append(
                _("This form was already sent with different content. Check the current state, then send it again.")
            )
            return
        for fault in problem.faults:
            text = fault_text(fault)
            field = next((name for name, at in self.pointers.items() if fault.where.startswith(at)), None)
            if field is None:
                self.above.append(Markup("%s: %s") % (fault.where.lstrip("/"), text) if fault.where else text)
            else:
                self.add_fault(field, text)
        if not problem.faults or self.above:
            self.above.insert(0, problem_text(problem))

    @property
    def is_valid(self) -> bool:
        """True if the form has no faults so far."""
        return not self.faults and not self.above


LONGEST = 100
"""Most characters of the words of a search."""


def search_query() -> str:
    """Return the words of a search, cut to the length of a name; empty for none."""
    return request.args.get("q", "").strip()[:LONGEST]


def own_path(path: str) -> str:
    """Return a path if it is one of this console; an empty text otherwise."""
    own = path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path
    return path if own else ""
