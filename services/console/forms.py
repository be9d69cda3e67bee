"""A form: what was typed, what is wrong with it, and the key under which it is sent once; and what is looked for.

A fault of a service names the member of the request that it is about, as a JSON pointer. A form knows which of its
fields became which member, so each fault stands beside its field; one that belongs to no field stands above.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import uuid4

from flask import request
from markupsafe import Markup

from muster_client import Problem
from services.console.fault_words import lead, told
from services.console.hall_time import typed
from services.console.language import _, whole_number

KEY = "key"
PART = "part"
"""The field by which a page with several forms tells which of them was sent."""
LONGEST_KEY = 128
ETAG = re.compile(r'(?:W/)?"[!#-~]*"')
NO_VERSION = '"none"'
KEY_REUSED = "idempotency-key-reused"


class Form:
    """What somebody sent, or an empty form. fields: of a form -> pointers into the request, or beginnings of them.

    part: which of the forms of a page this is; empty where there is one. The others are not sent with it.
    """

    def __init__(
        self,
        pointers: Mapping[str, str] | None = None,
        defaults: Mapping[str, str] | None = None,
        part: str = "",
    ) -> None:
        self.pointers = pointers or {}
        self.part = part
        self.sent = request.method == "POST" and (not part or request.form.get(PART) == part)
        self._defaults = defaults or {}
        self.faults: dict[str, list[str]] = {}
        self.above: list[str] = []
        given = request.form.get(KEY, "") if self.sent else ""
        self.key = given if given and len(given) <= LONGEST_KEY and given.isascii() and given.isprintable() else ""
        if not self.key or " " in self.key:
            self.key = str(uuid4())

    def __getitem__(self, name: str) -> str:
        """What stands in a field: as it was typed, else its default."""
        if self.sent:
            return request.form.get(name, "").strip()
        return self._defaults.get(name, "")

    @property
    def version(self) -> str | None:
        """What the page was made of, for If-Match; None where it does not say. What is no ETag matches nothing."""
        typed = self["version"]
        return (typed if ETAG.fullmatch(typed) else NO_VERSION) if typed else None

    def all(self, name: str) -> list[str]:
        """What stands in all fields of a name."""
        return [value.strip() for value in request.form.getlist(name)]

    def whole(self, name: str) -> int | None:
        """A field as a whole number; None where it is empty, or is none, which is a fault."""
        text = self[name]
        if not text:
            return None
        number = whole_number(text)
        if number is None:
            self.wrong(name, _("A whole number belongs here."))
        return number

    def moment(self, name: str) -> str | None:
        """A field for a day and a time, read by the clock of the hall, as services take it; None with a fault noted."""
        try:
            moment, later = typed(self[name])
        except ValueError:
            self.wrong(name, _("Say the day and the time."))
            return None
        if moment is None:
            skipped = _(
                "There is no %(time)s on that day: the clocks are put forward. Say an earlier time, or %(later)s.",
                time=self[name][11:16],
                later=later,
            )
            self.wrong(name, skipped)
        return moment

    def wrong(self, name: str, what: str) -> None:
        """Note a fault beside a field."""
        self.faults.setdefault(name, []).append(what)

    def refused(self, problem: Problem) -> None:
        """Note what a service refused: each fault beside its field, the rest above the form."""
        if problem.code == KEY_REUSED:  # somebody went back to a form that was sent, and changed it
            self.key = str(uuid4())
            self.above.append(
                _("This form was sent before with something else in it. Look at what stands now, then send it again.")
            )
            return
        for fault in problem.faults:
            text = told(fault)
            field = next((name for name, at in self.pointers.items() if fault.where.startswith(at)), None)
            if field is None:
                self.above.append(Markup("%s: %s") % (fault.where.lstrip("/"), text) if fault.where else text)
            else:
                self.wrong(field, text)
        if not problem.faults or self.above:
            self.above.insert(0, lead(problem))

    @property
    def good(self) -> bool:
        """Whether nothing is wrong so far."""
        return not self.faults and not self.above


LONGEST = 100
"""Characters of a name that is looked for."""


def searched_for() -> str:
    """The words, as far as a name can be long; empty for none."""
    return request.args.get("q", "").strip()[:LONGEST]


def inside(path: str) -> str:
    """A path of this console as a page wrote it into its form; empty for anything else."""
    own = path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path
    return path if own else ""
