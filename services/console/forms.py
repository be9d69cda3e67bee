"""A form: what was typed, what is wrong with it, and the key under which it is sent once.

A fault of a service names the member of the request that it is about, as a JSON pointer. A form knows which of its
fields became which member, so each fault stands beside its field; one that belongs to no field stands above.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from flask import request

from muster_client import Problem

KEY = "key"
LONGEST_KEY = 128


class Form:
    """What somebody sent, or an empty form. fields: of a form -> pointers into the request, or beginnings of them."""

    def __init__(self, pointers: Mapping[str, str] | None = None, defaults: Mapping[str, str] | None = None) -> None:
        self.pointers = pointers or {}
        self.sent = request.method == "POST"
        self._defaults = defaults or {}
        self.faults: dict[str, list[str]] = {}
        self.above: list[str] = []
        given = request.form.get(KEY, "")
        self.key = given if given and len(given) <= LONGEST_KEY and given.isascii() and given.isprintable() else ""
        if not self.key or " " in self.key:
            self.key = str(uuid4())

    def __getitem__(self, name: str) -> str:
        """What stands in a field: as it was typed, else its default."""
        if self.sent:
            return request.form.get(name, "").strip()
        return self._defaults.get(name, "")

    def all(self, name: str) -> list[str]:
        """What stands in all fields of a name."""
        return [value.strip() for value in request.form.getlist(name)]

    def whole(self, name: str) -> int | None:
        """A field as a whole number; None where it is empty, or is none, which is a fault."""
        text = self[name]
        if not text:
            return None
        if not text.isdecimal() or len(text) > 9:
            self.wrong(name, "A whole number belongs here.")
            return None
        return int(text)

    def wrong(self, name: str, what: str) -> None:
        """Note a fault beside a field."""
        self.faults.setdefault(name, []).append(what)

    def refused(self, problem: Problem) -> None:
        """Note what a service refused: each fault beside its field, the rest above the form."""
        for fault in problem.faults:
            clause = f" ({fault.clause})" if fault.clause else ""
            said = f"{fault.said}; " if fault.said else ""
            text = f"{said}{fault.expected}{clause}"
            field = next((name for name, at in self.pointers.items() if fault.where.startswith(at)), None)
            if field is None:
                self.above.append(f"{fault.where.lstrip('/')}: {text}" if fault.where else text)
            else:
                self.wrong(field, text)
        if not problem.faults or self.above:
            self.above.insert(0, problem.detail or problem.title)

    @property
    def good(self) -> bool:
        """Whether nothing is wrong so far."""
        return not self.faults and not self.above
