"""The clauses of a rules document: what each asks in a line of our own, and why software cannot hold it, if so."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
import yaml

from shared.formats.pack import shipped_files
from shared.refusals import NOTHING, Fault, expects
from shared.rules.refusals import ClausesRefused
from shared.rules.shape_checks import faults_of_shape

Level = Literal["MUST", "SHOULD", "MAY", "DATA", "NONE", "DECISION", "EXAMPLE"]
"""As the rules document means it; DECISION: how an open question is settled; EXAMPLE: worked by hand."""

BINDING: frozenset[Level] = frozenset({"MUST", "DATA", "MAY"})
"""Levels whose clauses need a test, or a reason why software cannot hold them."""

_NAMED = re.compile(r"\b((?:[A-Z]+-)+)(\d+)(?: to (?:\1)?(\d+))?|\b([A-Z]+(?:-[A-Z]+)+)\b")


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One clause. where: the file that holds it, or the part of the pack; not_enforceable: why software cannot."""

    id: str
    level: Level
    says: str
    where: str = ""
    not_enforceable: str = ""


def read_clauses(text: str, name: str) -> list[Clause]:
    """The clauses of a YAML list, one mapping for each. name: how the file is called in faults.

    Raises ClausesRefused with every fault: what is no list of clauses, and ids that stand there twice.
    """
    try:
        data: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ClausesRefused(
            f"{name} cannot be read",
            [Fault(name, NOTHING, expects("yaml", problem=f"{getattr(error, 'problem', error)}"))],
        ) from error
    faults = faults_of_shape(data, list[Clause])
    if not faults:
        found = msgspec.convert(data, list[Clause])
        ids = [clause.id for clause in found]
        once = expects("each-clause-once")
        faults = [Fault(f"/{index}/id", id, once) for index, id in enumerate(ids) if id in ids[:index]]
        if not faults:
            return found
    placed = [msgspec.structs.replace(fault, where=f"{name}:{fault.where}") for fault in faults]
    raise ClausesRefused(f"{name} is not a list of clauses", placed)


def shipped_clauses() -> dict[str, list[Clause]]:
    """The clauses of every ruleset that comes with a list of them, by its id."""
    return {id: read_clauses(file.read_text("utf-8"), file.name) for id, file in shipped_files("clauses").items()}


def named(text: str, known: Collection[str]) -> Iterator[str]:
    """The ids of known clauses that a text names, in its order.

    `FS-REP-1 to FS-REP-4` and `FS-REP-1 to 4` name four.
    """
    for series, least, most, whole in _NAMED.findall(text):
        numbers = range(int(least), int(most or least) + 1) if series else ()
        yield from (id for id in (*(f"{series}{number}" for number in numbers), whole) if id in known)


def uncovered(clauses: Sequence[Clause], proved: Mapping[str, Collection[str]]) -> list[Clause]:
    """Binding clauses that no test proves and that give no reason. proved: clause id -> names of tests."""
    return [
        clause
        for clause in clauses
        if clause.level in BINDING and not clause.not_enforceable and not proved.get(clause.id)
    ]
