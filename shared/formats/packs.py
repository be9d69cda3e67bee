"""Packs: YAML into a ruleset or every reason why not, the packs of Muster, and the clauses of their documents."""

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
    """Ruleset id -> its file of that kind, of every format, in the order of the ids."""
    rooms = [resources.files(f"shared.{format}").joinpath(kind) for format in FORMATS]
    found = {entry.name.removesuffix(".yaml"): entry for room in rooms if room.is_dir() for entry in room.iterdir()}
    return {id: file for id, file in sorted(found.items()) if file.name.endswith(".yaml")}


def load(text: str, name: str) -> AnyRuleset:
    """The ruleset of a pack. name: how the file is called in faults.

    Raises PackRefused with every fault found: YAML that cannot be read, keys and pieces that do not exist, values
    that are missing or of the wrong kind, tables with gaps, overlaps or an end, options that point nowhere. Each
    stands at `file:line:pointer`.
    """
    data, lines, faults = parse_yaml(text)
    ruleset = None if data is None else _ruleset(data, faults)
    if faults or ruleset is None:
        raise PackRefused(f"{name} is not a ruleset that Muster can use", locate_faults(faults, name, lines))
    return ruleset


def from_values(data: Mapping[str, Any], where: str) -> AnyRuleset:
    """The ruleset of a pack that came as plain values, as JSON has them. where: what its JSON pointers begin with.

    Raises PackRefused as `load` does, each fault at its JSON pointer.
    """
    faults: list[Fault] = []
    ruleset = _ruleset(deepcopy(data), faults)
    if faults or ruleset is None:
        told = [msgspec.structs.replace(fault, where=where + fault.where) for fault in faults]
        raise PackRefused(f"{where} is not a ruleset that Muster can use", told)
    return ruleset


def _ruleset(data: Any, faults: list[Fault]) -> AnyRuleset | None:
    """The ruleset that plain values make, unless there are faults; everything that is wrong is added to `faults`."""
    read = {fault.where for fault in faults}
    wrong = faults_of_form(_expanded(data))
    if not isinstance(data, dict):
        faults += wrong
        return None
    made, places = with_placeholders(data, ruleset_type(data), TRIALS[0])
    ruleset: AnyRuleset = msgspec.convert(made, ruleset_type(data))
    wrong += _faults_of_sense(ruleset, data, places)
    told = [*faults, *wrong]
    if not any(fault.where.startswith(("/roster", "/legality")) for fault in told):
        wrong += faults_of_example(ruleset)  # checks that make no sense would stumble over it
    faults += dict.fromkeys(fault for fault in wrong if fault.where not in read)
    return None if faults else ruleset


def _faults_of_sense(ruleset: AnyRuleset, data: Mapping[str, Any], places: Collection[str]) -> list[Fault]:
    """What a pack still gets wrong beside its shape.

    places: where something else stands for what has no shape; nothing that comes from it is told, so only what is
    found with other values there as well.
    """
    found = faults_of_ruleset(ruleset) + faults_of_options(ruleset)
    if not places:
        return found
    other = msgspec.convert(with_placeholders(data, ruleset_type(data), TRIALS[1])[0], ruleset_type(data))
    both = faults_of_ruleset(other) + faults_of_options(other)
    return [fault for fault in found if fault in both and not _comes_from(fault, ruleset, places)]


def _comes_from(fault: Fault, ruleset: AnyRuleset, places: Collection[str]) -> bool:
    """Whether a fault is at a place where something else stands, or of an option that sets something there."""
    option = re.fullmatch(r"/options/(\d+)/sets/(\d+)", fault.where)
    where = ruleset.options[int(option[1])].sets[int(option[2])] if option else fault.where
    return any(f"{where}/".startswith(f"{place}/") for place in places)


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of the packs that come with Muster."""
    return tuple(shipped_files("packs"))


def shipped_ruleset(id: str) -> AnyRuleset:
    """One shipped ruleset; its id may be written in any case. Raises UnknownRuleset."""
    return _loaded(shipped_id(id))


@cache
def _loaded(id: str) -> AnyRuleset:
    return load(shipped_text(id), f"{id}.yaml")


def shipped_swiss(id: str) -> Ruleset:
    """One shipped ruleset of the format swiss. Raises UnknownRuleset, PackRefused for another format."""
    ruleset = shipped_ruleset(id)
    if not isinstance(ruleset, Ruleset):
        fault = Fault("/ruleset", id, expects("ruleset-of-format", formats=["swiss"]))
        raise PackRefused(f"{id} is of the format {ruleset.format}.", [fault])
    return ruleset


def shipped_id(said: str) -> str:
    """The id of a shipped pack that was named in any case. Raises UnknownRuleset."""
    ids = shipped_ids()
    found = next((id for id in ids if id == said.casefold()), None)
    if found is None:
        known = ", ".join(ids)
        fault = Fault("/ruleset", said, one_of(ids))
        raise UnknownRuleset(f"no ruleset is called {said!r}; there are {known}", [fault], known=list(ids))
    return found


def shipped_text(id: str) -> str:
    """The YAML of a shipped pack, with its comments; its id in any case. Raises UnknownRuleset."""
    return shipped_files("packs")[shipped_id(id)].read_text("utf-8")


def shipped(format: str = "") -> Mapping[str, AnyRuleset]:
    """Every shipped ruleset by id; only those of a format, where one is named."""
    every = {id: shipped_ruleset(id) for id in shipped_ids()}
    return {id: ruleset for id, ruleset in every.items() if format in ("", ruleset.format)}


def _expanded(data: Any) -> Any:
    """Shorthand written out: choices given as a list of words are put as they are."""
    options = data.get("options") if isinstance(data, dict) else None
    for option in options if isinstance(options, list) else []:
        if isinstance(option, dict) and isinstance(option.get("choices"), list):
            option["choices"] = {str(word): word for word in option["choices"]}
    return data


class RolesByRuleset(NamedTuple):
    """Who may of those whom an operation lets in. otherwise: under rulesets that are not named; both for OpenAPI."""

    question: str
    rulesets: dict[str, list[str]]
    otherwise: list[str]


def roles_by_ruleset(question: Question) -> Callable[[], RolesByRuleset]:
    """What OpenAPI, one document for all rulesets, says of an operation that takes who settles this question.

    Called when that is asked for: it reads every shipped pack, which nobody should wait for when a service starts.
    """

    def told() -> RolesByRuleset:
        said = {id: getattr(ruleset.staff or DEFAULT_STAFF_RULES, question) for id, ruleset in shipped("swiss").items()}
        named: dict[str, list[str]] = {id: [*ROLES[deciders]] for id, deciders in said.items()}
        return RolesByRuleset(question, named, [*ROLES[getattr(DEFAULT_STAFF_RULES, question)]])

    return told


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


def cited_clauses(text: str, known: Collection[str]) -> Iterator[str]:
    """The ids of known clauses that a text names, in its order.

    `FS-REP-1 to FS-REP-4` and `FS-REP-1 to 4` name four.
    """
    for series, least, most, whole in _NAMED.findall(text):
        numbers = range(int(least), int(most or least) + 1) if series else ()
        yield from (id for id in (*(f"{series}{number}" for number in numbers), whole) if id in known)


def unproved_clauses(clauses: Sequence[Clause], proved: Mapping[str, Collection[str]]) -> list[Clause]:
    """Binding clauses that no test proves and that give no reason. proved: clause id -> names of tests."""
    return [
        clause
        for clause in clauses
        if clause.level in BINDING and not clause.not_enforceable and not proved.get(clause.id)
    ]
