"""The modules of schemas: answers as structs, request bodies as typed dictionaries, problems as exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clients.generate.document import refs
from clients.generate.operations import Operation
from clients.generate.types import annotation, docstring, identifier

Json = dict[str, Any]

ANSWERS = '''"""The shapes of the services' answers.

A member that may be missing is None then; members that are not known here are passed over.
Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from muster_client.answer import Answer, Part

'''

BODIES = '''"""The bodies of requests: their members and types.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict

'''


def answers(schemas: dict[str, Json], operations: Iterable[Operation]) -> str:
    """Return the source of the module with the answers; a schema comes after those that it refers to."""
    whole = {name for one in operations for name in (one.answer, one.preview) if name}
    order = in_order(schemas, whole)
    return ANSWERS + "".join(_struct(name, schemas[name], "Answer" if name in whole else "Part") for name in order)


def bodies(schemas: dict[str, Json], operations: Iterable[Operation]) -> str:
    """Return the source of the module with the request bodies."""
    order = in_order(schemas, {one.body for one in operations if one.body})
    return BODIES + "".join(_dictionary(name, schemas[name]) for name in order)


def in_order(schemas: dict[str, Json], wanted: Iterable[str]) -> list[str]:
    """Return these schemas and all that they refer to; a schema comes after those that it refers to."""
    done: list[str] = []

    def add(name: str, above: tuple[str, ...] = ()) -> None:
        if name in done or name in above:
            return
        for other in sorted(refs(schemas[name])):
            add(other, (*above, name))
        done.append(name)

    for name in sorted(wanted):
        add(name)
    return done


def _struct(name: str, shape: Json, base: str) -> str:
    lines = [
        f"class {name}({base}, kw_only=True, omit_defaults=True):\n",
        docstring(shape.get("description", ""), "    "),
    ]
    required = set(shape.get("required", ()))
    for member, inner in sorted(shape.get("properties", {}).items(), key=lambda entry: entry[0] not in required):
        kind, own = annotation(inner, words=False), identifier(member)
        given = [f'name="{member}"'] if own != member else []
        if member not in required:
            kind = kind if kind == "Any" or kind.endswith("| None") else f"{kind} | None"
            given = [*given, "default=None"] if given else ["None"]
        default = f" = field({', '.join(given)})" if own != member else "".join(f" = {one}" for one in given)
        lines.append(f"    {own}: {kind}{default}\n{_about(inner)}")
    return "".join(lines) + "\n\n"


def _dictionary(name: str, shape: Json) -> str:
    if several := shape.get("oneOf"):
        kinds = " | ".join(annotation(one, words=True) for one in several)
        return f"{name}: TypeAlias = {kinds}\n{docstring(shape.get('description', ''))}\n\n"
    lines = [f"class {name}(TypedDict, total=False):\n", docstring(shape.get("description", ""), "    ")]
    required = set(shape.get("required", ()))
    for member, inner in sorted(shape.get("properties", {}).items(), key=lambda entry: entry[0] not in required):
        if identifier(member) != member:
            raise ValueError(f"{name}: a member that is sent cannot be called {member!r}")
        kind = annotation(inner, words=True)
        lines.append(f"    {member}: {f'Required[{kind}]' if member in required else kind}\n{_about(inner)}")
    return "".join(lines) + "\n\n"


def _about(inner: Json) -> str:
    said = [inner["description"]] if "description" in inner else []
    if "enum" in inner and not any(text.startswith("One of") for text in said):
        said.append(f"One of: {', '.join(map(str, inner['enum']))}.")
    return docstring(" ".join(said), "    ") if said else ""


PROBLEMS_HEAD = '''"""Every problem that the services name, as an exception of its own; `Problem` is any of them.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from muster_client.errors import Problem

'''


def problems(document: dict[str, Any]) -> str:
    """Return the source of the module with the problems, in the order of the codes."""
    classes, rows = [], []
    for code, said in document["x-problems"].items():
        name = "".join(word.title() for word in code.split("-"))
        doc = docstring(f"{said['title']} ({said['status']} `{code}`).\n\n{said['about']}", "    ")
        classes.append(f"class {name}(Problem):\n{doc}\n\n")
        rows.append(f'    "{code}": {name},\n')
    return PROBLEMS_HEAD + "".join(classes) + "BY_CODE: dict[str, type[Problem]] = {\n" + "".join(rows) + "}\n"
