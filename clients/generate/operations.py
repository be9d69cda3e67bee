"""Modules with the operations of each service as methods of a class; a base class has those of all services."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from clients.generate.document import SCHEMAS
from clients.generate.types import annotation, docstring, identifier
from shared.settings import SERVICES

Json = dict[str, Any]

LINES, CSV, JSON, STREAM = "application/x-ndjson", "text/csv", "application/json", "text/event-stream"


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation of the joined document.

    path: path below the service's address. places: path parameters with types. query: query parameters with types,
    each with its name and default. answer, preview, body: names of schemas; empty if it has none. kinds: content
    types of a success. versioned: True if the service can answer that nothing has changed.
    """

    service: str
    name: str
    method: str
    path: str
    about: str
    places: tuple[tuple[str, str], ...]
    query: tuple[tuple[str, str], ...]
    answer: str = ""
    preview: str = ""
    body: str = ""
    members: frozenset[str] = frozenset()
    union: bool = False
    sends: str = ""
    kinds: tuple[str, ...] = ()
    versioned: bool = False
    command: bool = False


def operations(document: Json) -> list[Operation]:
    """Return every operation with a single request and answer; hand-written code reads streams."""
    found = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                made = _operation(
                    document, path, method, [*item.get("parameters", ()), *operation.get("parameters", ())]
                )
                if STREAM not in made.kinds:
                    found.append(made)
    return sorted(found, key=lambda one: (one.service, one.name))


def _operation(document: Json, path: str, method: str, parameters: list[Json]) -> Operation:
    schemas = document["components"]["schemas"]
    operation = document["paths"][path][method]
    named = {str(one["$ref"]).rpartition("/")[2] for one in parameters if "$ref" in one}
    given = [one for one in parameters if "$ref" not in one]
    previewed = "Preview" in named
    successes = {s: r.get("content", {}) for s, r in operation["responses"].items() if str(s).startswith("2")}
    shapes = {s: _shapes(content.get(JSON, {}).get("schema", {})) for s, content in successes.items()}
    preview = shapes["200"][-1] if previewed and shapes.get("200") else ""
    answer = next((name for s in sorted(shapes, reverse=True) for name in shapes[s] if name != preview), "")
    contents = operation.get("requestBody", {}).get("content", {})
    sends = next(iter(contents), "")
    body = _shapes(contents.get(JSON, {}).get("schema", {}))
    shape = schemas[body[0]] if body else {}
    service = operation["x-service"]
    summary = operation.get("summary", "")
    return Operation(
        service=service,
        name=operation["x-operation"],
        method=method.upper(),
        path=path.removeprefix(f"/{service}"),
        about="\n\n".join(filter(None, (summary, operation.get("description", "")))),
        places=tuple((one["name"], annotation(one["schema"], words=True)) for one in given if one["in"] == "path"),
        query=tuple((one["name"], annotation(one["schema"], words=True)) for one in given if one["in"] == "query"),
        answer=answer,
        preview=preview,
        body=body[0] if body else "",
        members=frozenset(shape.get("properties", ())),
        union="oneOf" in shape,
        sends=sends,
        kinds=tuple(dict.fromkeys(kind for content in successes.values() for kind in content)),
        versioned="IfNoneMatch" in named,
        command="IdempotencyKey" in named,
    )


def _shapes(schema: Json) -> list[str]:
    parts = schema.get("oneOf", [schema])
    return [str(one["$ref"]).removeprefix(SCHEMAS) for one in parts if "$ref" in one]


COMMON = "common"
HEAD = '''"""The client of {service}: a method for each of its operations.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from muster_client.answer import Version
from muster_client.asking import Operation, Service
from muster_client.generated import answers, bodies
from muster_client.generated.common import Common
from muster_client.lines import Lines


'''


def in_common(found: Iterable[Operation]) -> list[Operation]:
    """Return the operations that are the same in every service."""
    of: dict[Operation, set[str]] = {}
    for one in found:
        of.setdefault(replace(one, service=COMMON), set()).add(one.service)
    return [one for one, services in of.items() if services == set(SERVICES)]


def common_class(found: Iterable[Operation]) -> str:
    """Return the source of the module with the operations of every service."""
    head = HEAD.replace("from muster_client.generated.common import Common\n", "").format(service="every service")
    return head + _module(in_common(found), "Common(Service)", "The operations that every service has.")


def service_class(service: str, found: Iterable[Operation]) -> str:
    """Return the source of the module of one service."""
    found = list(found)
    common = in_common(found)
    own = [one for one in found if one.service == service and replace(one, service=COMMON) not in common]
    return HEAD.format(service=service) + _module(own, f"{service.title()}(Common)", f"{service.title()}.", service)


def _module(own: list[Operation], name: str, about: str, service: str = "") -> str:
    constants = "".join(map(_constant, own))
    methods = "\n".join(map(_methods, own))
    members = [f'_service = "{service}"'] if service else []
    members += [f"_preview = answers.{preview}" for preview in _previews(own)]
    named = "".join(f"    {member}\n" for member in members) + "\n"
    return f'{constants}\n\nclass {name}:\n    """{about}"""\n\n{named if members else ""}{methods}'


def _previews(own: list[Operation]) -> set[str]:
    """Return the schema of a service's previews, if it has any. Raises ValueError for several schemas."""
    found = {one.preview for one in own if one.preview}
    if len(found) > 1:
        raise ValueError(f"a service has one shape of previews, not {', '.join(sorted(found))}")
    return found


def _constant(one: Operation) -> str:
    given = [f'"{one.name}"', f'"{one.method}"', f'"{one.path}"']
    given += [f"answers.{one.answer}"] if one.answer else []
    given += [f"body=bodies.{one.body}"] if one.body else []
    given += [f'sends="{one.sends}"'] if one.sends not in ("", JSON) else []
    given += [f"query={tuple(name for name, _ in one.query)}"] if one.command and one.query else []
    return f"{one.name.upper()} = Operation({', '.join(given)})\n"


def _methods(one: Operation) -> str:
    return _command(one) if one.command else _question(one)


def _question(one: Operation) -> str:
    constant = one.name.upper()
    places = [f"{name}: {kind}" for name, kind in one.places]
    query = [f"{identifier(name)}: {kind} | None = None" for name, kind in one.query]
    asked = "{" + ", ".join(f'"{name}": {identifier(name)}' for name, _ in one.query) + "}"
    named = "".join(f"{name}, " for name, _ in one.places)
    doc = docstring(one.about, "        ")
    if not one.answer:
        kind, ask = ("Lines", "_lines") if LINES in one.kinds else ("str", "_text")
        text = "" if kind == "Lines" else f', "{one.kinds[0]}"'
        return (
            f"    def {one.name}({_signature(places, query)}) -> {kind}:\n{doc}"
            f"        return self.{ask}({constant}, ({named}), {asked}{text})\n"
        )
    answer = f"answers.{one.answer}"
    known = [f"known: {answer} | None = None"] if one.versioned else []
    more = ", known" if one.versioned else ""
    made = (
        f"    def {one.name}({_signature(places, [*query, *known])}) -> {answer}:\n{doc}"
        f"        return self._read({constant}, ({named}), {asked}, {answer}{more})\n"
    )
    if CSV in one.kinds:
        made += (
            f"\n    def {one.name}_csv({_signature(places, query)}) -> str:\n"
            f'        """As `{one.name}`, as comma-separated values with a header."""\n'
            f'        return self._text({constant}, ({named}), {asked}, "{CSV}")\n'
        )
    return made


def _command(one: Operation) -> str:
    places = [f"{name}: {kind}" for name, kind in one.places]
    # What the address names is not given by name where a member of the body has the same one.
    places += ["/"] if {name for name, _ in one.places} & one.members else []
    whole = "file" if one.sends not in ("", JSON) else "body" if one.union else ""
    if whole:
        places.append("file: str | bytes" if whole == "file" else f"body: bodies.{one.body}")
    members = f"**body: Unpack[bodies.{one.body}]" if one.body and not whole else ""
    named = "".join(f"{name}, " for name, _ in one.places)
    own = [f"{identifier(name)}: {kind} | None = None" for name, kind in one.query]
    own += ["if_match: Version = None"] if one.preview else []
    own.append('idempotency_key: str = ""')
    # Some commands answer nothing (204), or what has no shape of its own.
    answer, doc = f"answers.{one.answer}" if one.answer else "Any", docstring(one.about, "        ")
    call = f"self._command({one.name.upper()}, ({named}), how{f', {whole}' if whole else ''})"
    if not one.preview:
        how = ", ".join(['"idempotency_key": idempotency_key', *(["**body"] if members else [])])
        return (
            f"    def {one.name}({_signature(places, own, members)}) -> {answer}:\n{doc}"
            f"        how: dict[str, Any] = {{{how}}}\n        made: {answer} = {call}\n        return made\n"
        )
    shown = _signature(places, ["preview: Literal[True]", *own], members)
    done = _signature(places, ["preview: Literal[False] = False", *own], members)
    return (
        f"    @overload\n    def {one.name}({shown}) -> answers.{one.preview}: ...\n"
        f"    @overload\n    def {one.name}({done}) -> {answer}: ...\n"
        f"    def {one.name}({_signature(places, [], '**how: Any')}) -> Any:\n{doc}        return {call}\n"
    )


def _signature(places: list[str], named: list[str], body: str = "") -> str:
    return ", ".join(["self", *places, *(["*", *named] if named else []), *([body] if body else [])])
