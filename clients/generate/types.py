"""JSON Schemas as Python types."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from textwrap import wrap
from typing import Any

from clients.generate.document import SCHEMAS

Json = dict[str, Any]

PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
WIDTH = 116


def annotation(shape: Json, *, words: bool, within: str = "") -> str:
    """Return the Python type of a member. Raises ValueError for a JSON Schema feature that is not supported.

    words: make an enum a Literal. Only for requests: a newer service may answer with further values.
    within: name of the module that defines the types, with a dot.
    """

    def of(inner: Json) -> str:
        return annotation(inner, words=words, within=within)

    if "$ref" in shape:
        return within + str(shape["$ref"]).removeprefix(SCHEMAS)
    if several := shape.get("anyOf") or shape.get("oneOf"):
        return " | ".join(dict.fromkeys(map(of, several)))
    if words and "enum" in shape:
        return f"Literal[{', '.join(map(repr, shape['enum']))}]"
    kinds = shape.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(_of_kind(kind, shape, of) for kind in kinds) or "Any"


def _of_kind(kind: str, shape: Json, of: Callable[[Json], str]) -> str:
    if kind == "array":
        return f"list[{of(shape.get('items', {}))}]"
    if kind == "object":
        return (
            f"dict[str, {of(shape['additionalProperties'])}]" if shape.get("additionalProperties") else "dict[str, Any]"
        )
    if kind not in PLAIN:
        raise ValueError(f"{shape} is none of the shapes that a client can be made of")
    return PLAIN[kind]


def identifier(name: str) -> str:
    """Return a name as a Python identifier: a keyword gets an underscore."""
    return f"{name}_" if keyword.iskeyword(name) else name


def docstring(text: str, indent: str = "") -> str:
    """Return a text as a wrapped docstring."""
    text = text.replace("\\", "\\\\").replace('"""', "'''").strip()
    paragraphs = [wrap(part, WIDTH - len(indent), break_long_words=False) for part in text.split("\n\n")]
    lines = [line for number, part in enumerate(paragraphs) for line in ([""] if number else []) + part]
    closing = " " if lines and lines[-1].endswith('"') else ""
    if len(lines) < 2:
        return f'{indent}"""{"".join(lines)}{closing}"""\n'
    body = "\n".join(indent + line if line else "" for line in lines[1:])
    return f'{indent}"""{lines[0]}\n{body}\n{indent}"""\n'
