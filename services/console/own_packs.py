"""A pack of one's own on the form of a new event: read from a file or pasted, with its errors by line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from muster_client import Problem
from services.console.forms import Form
from services.console.language import _, ngettext
from services.console.problem_words import fault_text
from services.console.signed_in import muster

OWN = "own"
"""In place of the id of a shipped ruleset."""
TEXT, FILE = "pack_text", "pack_file"
"""Fields: the text of the pack, and its file."""
SHOWN = 50
"""Errors of a pack that are listed."""
LARGEST = 200_000
"""Characters of a pack that registration reads."""
PLACE = re.compile(r"pack:(\d+)(?::(.*))?", re.DOTALL)
FORMAT = "swiss"


class PackFault(Struct, frozen=True):
    """An error. line: from 1; 0 if none is known. place: the path inside the pack. clause: of the rules."""

    line: int
    place: str
    text: str | Markup
    clause: str


class OwnPack(Struct, frozen=True):
    """A pack as it was typed. ruleset: what a tournament stores; None if there is none, or it has errors.

    more: errors that are not listed.
    """

    text: str = ""
    ruleset: Mapping[str, Any] | None = None
    faults: list[PackFault] = []
    more: int = 0


def read_own_pack(form: Form) -> OwnPack:
    """Return the pack of a form, checked by registration; a chosen file takes the place of the text.

    Adds a fault to the form if the pack has errors, or if the event is to be created and there is no pack.
    """
    form.take_file(TEXT, FILE)
    text = form.text(TEXT) if form.sent else form[TEXT]
    if not text.strip():
        if form.sent and not form["do"] and TEXT not in form.faults:
            form.add_fault(TEXT, _("Choose a file, or paste a pack."))
        return OwnPack(text)
    if len(text) > LARGEST:
        form.add_fault(TEXT, _("At most %(most)s characters.", most=LARGEST))
        return OwnPack(text)
    try:
        found = muster().registration.check_ruleset(text=text)
    except Problem as problem:
        if problem.status != 422:
            raise
        faults = [_fault(fault) for fault in problem.faults]
        form.add_fault(
            TEXT, ngettext("This pack has %(num)s error.", "This pack has %(num)s errors.", max(1, len(faults)))
        )
        return OwnPack(text, None, faults[:SHOWN], max(0, len(faults) - SHOWN))
    if found.format != FORMAT:
        form.add_fault(
            TEXT, _("This page creates Swiss events. The pack is for the format %(format)s.", format=found.format)
        )
        return OwnPack(text)
    return OwnPack(text, found.ruleset)


def _fault(fault: Any) -> PackFault:
    found = PLACE.fullmatch(fault.where)
    line, place = (int(found[1]), found[2] or "") if found else (0, fault.where)
    return PackFault(line, place, fault_text(fault), fault.clause or "")
