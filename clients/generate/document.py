"""One OpenAPI document of the three services, under one address each: `/registration/…`, `/pairing/…`, `/scoring/…`.

`x-service` of an operation is its service, `x-operation` its id in that service. An operation that several services
have appears once for each, as `scoring_log`. So does a schema whose services define it differently:
`ScoringGroupView`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any

from shared.settings import SERVICES

Json = dict[str, Any]

SCHEMAS = "#/components/schemas/"
DESCRIPTION = "The three services of Muster under one address. Made of their own documents by `make client`."


def served() -> dict[str, Json]:
    """Return the document that each service serves, with its problems in `x-problems`."""
    with TemporaryDirectory() as folder:
        return {name: _served_by(name, folder) for name in SERVICES}


def _served_by(service: str, folder: str) -> Json:
    app = import_module(f"services.{service}.app").build_web({"MUSTER_DATA": folder, "MUSTER_LOG_LEVEL": "error"})
    client = app.test_client()
    found: Json = json.loads(client.get("/openapi.json").get_data())
    listed = json.loads(client.get("/problems", headers={"Accept": "application/json"}).get_data())
    return {**found, "x-problems": {one.pop("code"): one for one in listed["items"]}}


def joined(documents: Mapping[str, Json]) -> Json:
    """Join the documents of the services into one.

    Raises ValueError if two services use a name differently and it cannot be renamed.
    """
    operations = [
        operation["operationId"]
        for document in documents.values()
        for item in document["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    ]
    shared = {id for id in operations if operations.count(id) > 1}
    renamed = _renamed({service: document["components"]["schemas"] for service, document in documents.items()})
    made: Json = {
        "openapi": "3.1.0",
        "info": {"title": "Muster", "version": "", "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "tags": [],
        "paths": {},
        "components": {},
        "x-problems": {},
    }
    for service, document in documents.items():
        made["info"]["version"] = document["info"]["version"]
        named = _with_refs(document, renamed[service])
        for path, item in named["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    id = operation["operationId"]
                    operation |= {"x-service": service, "x-operation": id}
                    operation["operationId"] = f"{service}_{id}" if id in shared else id
            made["paths"][f"/{service}{path}"] = item
        _add_tags(made["tags"], named["tags"])
        for kind, entries in named["components"].items():
            known = made["components"].setdefault(kind, {})
            for name, entry in entries.items():
                name = renamed[service].get(name, name) if kind == "schemas" else name
                if known.setdefault(name, entry) != entry:
                    raise ValueError(f"{kind} {name}: {service} means something else by it")
        made["x-problems"] = {**document["x-problems"], **made["x-problems"]}
    for entries in (*made["components"].values(), made["x-problems"]):
        for name in sorted(entries):
            entries[name] = entries.pop(name)
    return made


def _add_tags(known: list[Json], tags: list[Json]) -> None:
    """Add the tags of a service. A tag of several services gets the descriptions of all of them."""
    by_name = {tag["name"]: tag for tag in known}
    for tag in tags:
        if (same := by_name.get(tag["name"])) is None:
            known.append(dict(tag))
        elif (said := tag.get("description", "")) not in same.get("description", ""):
            same["description"] = f"{same.get('description', '')} {said}".strip()


def _renamed(schemas: Mapping[str, Mapping[str, Json]]) -> dict[str, dict[str, str]]:
    """Return the schemas to rename, for each service: those that differ, and those that refer to one that differs."""
    apart: set[str] = set()
    names = {name for known in schemas.values() for name in known}
    while True:
        found = {name for name in names - apart if _differ(name, schemas, apart)}
        if not found:
            break
        apart |= found
    return {
        service: {name: f"{service.title()}{name}" for name in known if name in apart}
        for service, known in schemas.items()
    }


def _differ(name: str, schemas: Mapping[str, Mapping[str, Json]], apart: set[str]) -> bool:
    """Return True if several services use a name for different shapes."""
    found = [known[name] for known in schemas.values() if name in known]
    return len(found) > 1 and (any(one != found[0] for one in found) or bool(refs(found[0]) & apart))


def refs(shape: Any) -> set[str]:
    """Return the names of the schemas that a schema refers to."""
    if isinstance(shape, dict):
        own = {shape["$ref"].removeprefix(SCHEMAS)} if str(shape.get("$ref", "")).startswith(SCHEMAS) else set()
        return own.union(*map(refs, shape.values()))
    return set().union(*map(refs, shape)) if isinstance(shape, list) else set()


def _with_refs(part: Any, renamed: Mapping[str, str]) -> Any:
    """Return a copy in which every reference uses the schema's name in the joined document."""
    if isinstance(part, dict):
        return {key: _with_refs(value, renamed) for key, value in part.items()}
    if isinstance(part, list):
        return [_with_refs(value, renamed) for value in part]
    if isinstance(part, str) and part.startswith(SCHEMAS):
        name = part.removeprefix(SCHEMAS)
        return SCHEMAS + renamed.get(name, name)
    return part
