"""Packs: parsing of YAML into a ruleset or its faults, the shipped packs, and the clauses of their documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Literal, NamedTuple

import msgspec
import yaml

from shared.formats import FORMATS
from shared.formats.options import faults_of_example, faults_of_form, faults_of_options, faults_of_ruleset, ruleset_type
from shared.refusals import NOTHING, Fault, expects, one_of
from shared.rules.checks import TRIALS, faults_of_shape, locate_faults, parse_yaml, with_placeholders
from shared.rules.model import ClausesRefused, PackRefused, UnknownRuleset
from shared.rules.parts import DEFAULT_STAFF_RULES, ROLES, AnyRuleset, Question
from shared.swiss.ruleset import Ruleset


@cache
def shipped_files(kind: Literal["packs", "clauses"]) -> Mapping[str, Traversable]:
    """Return the files of a kind for every format: ruleset id -> file, in the order of the ids."""
    rooms = [resources.files(f"shared.{format}").joinpath(kind) for format in FORMATS]
    files = {entry.name.removesuffix(".yaml"): entry for room in rooms if room.is_dir() for entry in room.iterdir()}
    return {id: file for id, file in sorted(files.items()) if file.name.endswith(".yaml")}


def load(text: str, name: str) -> AnyRuleset:
    """Return the ruleset of a pack's YAML text. `name`: the file's name in faults.

    Raise PackRefused with every fault: unreadable YAML, unknown keys and pieces, missing values and wrong types, tables
    with gaps, overlaps or a missing end, options with invalid pointers. Each fault is at `file:line:pointer`.
    """
    data, lines, faults = parse_yaml(text)
    ruleset = None if data is None else _ruleset(data, faults)
    if faults or ruleset is None:
        raise PackRefused(f"{name} is not a ruleset that Muster can use", locate_faults(faults, name, lines))
    return ruleset


def from_values(data: Mapping[str, Any], where: str) -> AnyRuleset:
    """Return the ruleset of a pack given as JSON values. `where`: prefix of the JSON pointers in faults.

    Raise PackRefused as `load` does, with each fault at its JSON pointer.
    """
    faults: list[Fault] = []
    ruleset = _ruleset(deepcopy(data), faults)
    if faults or ruleset is None:
        faults = [msgspec.structs.replace(fault, where=where + fault.where) for fault in faults]
        raise PackRefused(f"{where} is not a ruleset that Muster can use", faults)
    return ruleset


def _ruleset(data: Any, faults: list[Fault]) -> AnyRuleset | None:
    """Return the ruleset of plain values, or None. Every fault is added to `faults`."""
    reported = {fault.where for fault in faults}
    new = faults_of_form(_expand(data))
    if not isinstance(data, dict):
        faults += new
        return None
    complete, places = with_placeholders(data, ruleset_type(data), TRIALS[0])
    ruleset: AnyRuleset = msgspec.convert(complete, ruleset_type(data))
    new += _semantic_faults(ruleset, data, places)
    if not any(fault.where.startswith(("/roster", "/legality")) for fault in [*faults, *new]):
        new += faults_of_example(ruleset)  # invalid checks would fail on any example
    faults += dict.fromkeys(fault for fault in new if fault.where not in reported)
    return None if faults else ruleset


def _semantic_faults(ruleset: AnyRuleset, data: Mapping[str, Any], places: Collection[str]) -> list[Fault]:
    """Return faults of a pack that are not about its shape.

    `places` contain placeholders. Only faults that appear with both sets of placeholders are reported, so that no fault
    comes from a placeholder.
    """
    faults = faults_of_ruleset(ruleset) + faults_of_options(ruleset)
    if not places:
        return faults
    second = msgspec.convert(with_placeholders(data, ruleset_type(data), TRIALS[1])[0], ruleset_type(data))
    second_faults = faults_of_ruleset(second) + faults_of_options(second)
    return [fault for fault in faults if fault in second_faults and not _comes_from(fault, ruleset, places)]


def _comes_from(fault: Fault, ruleset: AnyRuleset, places: Collection[str]) -> bool:
    """Return True if a fault is at a place with a placeholder, or about an option that sets such a place."""
    option = re.fullmatch(r"/options/(\d+)/sets/(\d+)", fault.where)
    where = ruleset.options[int(option[1])].sets[int(option[2])] if option else fault.where
    return any(f"{where}/".startswith(f"{place}/") for place in places)


@cache
def shipped_ids() -> tuple[str, ...]:
    """Return the ids of the shipped packs."""
    return tuple(shipped_files("packs"))


def shipped_ruleset(id: str) -> AnyRuleset:
    """Return a shipped ruleset by its id, in any case. Raises UnknownRuleset."""
    return _load_shipped(shipped_id(id))


@cache
def _load_shipped(id: str) -> AnyRuleset:
    return load(shipped_text(id), f"{id}.yaml")


def shipped_swiss(id: str) -> Ruleset:
    """Return a shipped ruleset of the format swiss. Raise UnknownRuleset, or PackRefused for another format."""
    ruleset = shipped_ruleset(id)
    if not isinstance(ruleset, Ruleset):
        fault = Fault("/ruleset", id, expects("ruleset-of-format", formats=["swiss"]))
        raise PackRefused(f"{id} is of the format {ruleset.format}.", [fault])
    return ruleset


def shipped_id(name: str) -> str:
    """Return the id of a shipped pack, given in any case. Raises UnknownRuleset."""
    ids = shipped_ids()
    if (id := name.casefold()) not in ids:
        known = ", ".join(ids)
        fault = Fault("/ruleset", name, one_of(ids))
        raise UnknownRuleset(f"no ruleset is called {name!r}; there are {known}", [fault], known=list(ids))
    return id


def shipped_text(id: str) -> str:
    """Return the YAML of a shipped pack with its comments. The id may be in any case. Raises UnknownRuleset."""
    return shipped_files("packs")[shipped_id(id)].read_text("utf-8")


def shipped(format: str = "") -> Mapping[str, AnyRuleset]:
    """Return the shipped rulesets by id, of one format or of all."""
    every = {id: shipped_ruleset(id) for id in shipped_ids()}
    return {id: ruleset for id, ruleset in every.items() if format in ("", ruleset.format)}


def _expand(data: Any) -> Any:
    """Expand shorthand: choices given as a list of words are put as they are."""
    options = data.get("options") if isinstance(data, dict) else None
    for option in options if isinstance(options, list) else []:
        if isinstance(option, dict) and isinstance(option.get("choices"), list):
            option["choices"] = {str(word): word for word in option["choices"]}
    return data


class RolesByRuleset(NamedTuple):
    """The roles that may use an operation, by ruleset, and under other rulesets; for OpenAPI."""

    question: str
    rulesets: dict[str, list[str]]
    otherwise: list[str]


def roles_by_ruleset(question: Question) -> Callable[[], RolesByRuleset]:
    """Return a function that gives the roles which settle a question under each ruleset.

    OpenAPI is one document for all rulesets. The function reads every shipped pack, which would slow down the start of
    a service, so it is called only when the document is requested.
    """

    def compute() -> RolesByRuleset:
        rules = {id: ruleset.staff or DEFAULT_STAFF_RULES for id, ruleset in shipped("swiss").items()}
        roles: dict[str, list[str]] = {id: [*ROLES[getattr(staff, question)]] for id, staff in rules.items()}
        return RolesByRuleset(question, roles, [*ROLES[getattr(DEFAULT_STAFF_RULES, question)]])

    return compute


Level = Literal["MUST", "SHOULD", "MAY", "DATA", "NONE", "DECISION", "EXAMPLE"]
"""Level of a clause in its document. DECISION: the answer to an open question. EXAMPLE: worked out by hand."""

BINDING: frozenset[Level] = frozenset({"MUST", "DATA", "MAY"})
"""Levels whose clauses need a test, or a reason why software cannot enforce them."""

_NAMED = re.compile(r"\b((?:[A-Z]+-)+)(\d+)(?: to (?:\1)?(\d+))?|\b([A-Z]+(?:-[A-Z]+)+)\b")


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A clause.

    - `where`: the file with the clause, or the part of the pack.
    - `not_enforceable`: the reason why software cannot enforce it.
    """

    id: str
    level: Level
    says: str
    where: str = ""
    not_enforceable: str = ""


def read_clauses(text: str, name: str) -> list[Clause]:
    """Return the clauses of a YAML list of mappings. `name`: the file's name in faults.

    Raise ClausesRefused with every fault: invalid clauses, and ids that occur twice.
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
        clauses = msgspec.convert(data, list[Clause])
        ids = [clause.id for clause in clauses]
        once = expects("each-clause-once")
        faults = [Fault(f"/{index}/id", id, once) for index, id in enumerate(ids) if id in ids[:index]]
        if not faults:
            return clauses
    placed = [msgspec.structs.replace(fault, where=f"{name}:{fault.where}") for fault in faults]
    raise ClausesRefused(f"{name} is not a list of clauses", placed)


def shipped_clauses() -> dict[str, list[Clause]]:
    """Return the clauses of every ruleset that has a list of them, by its id."""
    return {id: read_clauses(file.read_text("utf-8"), file.name) for id, file in shipped_files("clauses").items()}


def cited_clauses(text: str, known: Collection[str]) -> Iterator[str]:
    """Yield the ids of known clauses that a text cites, in order.

    `FS-REP-1 to FS-REP-4` and `FS-REP-1 to 4` cite four clauses.
    """
    for series, least, most, whole in _NAMED.findall(text):
        numbers = range(int(least), int(most or least) + 1) if series else ()
        yield from (id for id in (*(f"{series}{number}" for number in numbers), whole) if id in known)


def unproved_clauses(clauses: Sequence[Clause], proved: Mapping[str, Collection[str]]) -> list[Clause]:
    """Return binding clauses without a test and without a reason. `proved`: clause id -> names of tests."""
    return [
        clause
        for clause in clauses
        if clause.level in BINDING and not clause.not_enforceable and not proved.get(clause.id)
    ]
