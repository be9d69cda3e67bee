"""Answers that are printed in the documentation name no member that the services' schemas do not have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = json.loads((ROOT / "clients/openapi.json").read_text())
SERVICES = {"8001": "registration", "8002": "pairing", "8003": "scoring"}
PAGES = sorted(page for folder in ("how-to", "reference") for page in (ROOT / "docs" / folder).rglob("*.md"))
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]')

Member = tuple[str, ...]


def members(text: str) -> Iterator[Member]:
    """Yield the path of every member of a printed JSON value, which may leave things out (`…`); lists add nothing."""
    path: list[str] = []
    open_: list[str] = []
    tokens = TOKEN.findall(text)
    for index, token in enumerate(tokens):
        if token in "[{":
            open_.append(path[-1] if path else "")
        elif token in "]}":
            inside = open_.pop() if open_ else ""
            while path and path[-1] != inside:
                path.pop()
        elif token.startswith('"') and tokens[index + 1 : index + 2] == [":"]:
            inside = open_[-1] if open_ else ""
            while path and path[-1] != inside:
                path.pop()
            path.append(token.strip('"'))
            yield tuple(path)


def printed() -> Iterator[tuple[str, str, str, str]]:
    """Yield page, method, path and text of each answer that is printed as a comment behind its `curl`."""
    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL):
            asked = ""
            lines = block.replace("\\\n", " ").splitlines()
            for index, line in enumerate(lines):
                if line.startswith("curl"):
                    asked = line
                elif line.startswith("# {") and asked:
                    rest = [follow[1:] for follow in takewhile_comment(lines[index:])]
                    where = re.search(r":(800[123])(/[^\s\"'?]*)", asked)
                    if where:
                        given = re.search(r"-X (\w+)", asked)
                        method = (
                            given[1] if given else "POST" if re.search(r" (-d|--json|--data\S*) ", asked) else "GET"
                        )
                        yield page.name, method.lower(), f"/{SERVICES[where[1]]}{where[2]}", "\n".join(rest)


def takewhile_comment(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("#"):
            return
        yield line


def operation(method: str, path: str) -> dict[str, Any]:
    for template, found in DOCUMENT["paths"].items():
        if method in found and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return dict(found[method])
    raise AssertionError(f"no operation {method} {path}")


def alternatives(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the object schemas that a schema may stand for, with lists and references opened."""
    if "$ref" in schema:
        *_, kind, name = schema["$ref"].split("/")
        yield from alternatives(DOCUMENT["components"][kind][name])
        return
    for word in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(word, ()):
            yield from alternatives(one)
    if isinstance(schema.get("items"), dict):
        yield from alternatives(schema["items"])
    if "properties" in schema or schema.get("type") == "object":
        yield schema


def knows(schemas: list[dict[str, Any]], path: Member) -> bool:
    """Return True if one of the schemas has the member, or says nothing about members at its place."""
    for schema in schemas:
        properties = schema.get("properties", {})
        if path[0] in properties:
            inner = list(alternatives(properties[path[0]]))
            if len(path) == 1 or not inner or knows(inner, path[1:]):
                return True
        elif schema.get("additionalProperties", False if properties else {}) is not False:
            return True
    return False


def unknown(method: str, path: str, text: str) -> list[Member]:
    """Return the members of a printed answer that the operation's answers do not have."""
    kinds = [
        kind["schema"]
        for answer in operation(method, path)["responses"].values()
        for kind in (DOCUMENT["components"]["responses"][answer["$ref"].split("/")[-1]] if "$ref" in answer else answer)
        .get("content", {})
        .values()
        if "schema" in kind
    ]
    schemas = [schema for kind in kinds for schema in alternatives(kind)]
    assert schemas, f"{method} {path} answers no object"
    return [member for member in members(text) if not knows(schemas, member)]


ANSWERS = list(printed())


@pytest.mark.parametrize(("page", "method", "path", "text"), ANSWERS, ids=[f"{one[0]} {one[2]}" for one in ANSWERS])
def test_a_printed_answer_has_the_members_of_its_schema(page: str, method: str, path: str, text: str) -> None:
    assert unknown(method, path, text) == [], page


def test_a_member_that_answers_no_longer_have_is_found() -> None:
    path = "/registration/tournaments/t-1/players/p1/drop"
    assert unknown("post", path, '{"tournament": "t-1", "events": [{"type": "PlayerDropped", … }]}') == [
        ("tournament",)
    ]
    assert unknown("post", path, '{"events": [{"typo": "PlayerDropped", "data": {"any": 1}}]}') == [("events", "typo")]
    assert len(ANSWERS) >= 3
