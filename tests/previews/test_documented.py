"""OpenAPI documents the preview of every command."""

from __future__ import annotations

from typing import Any

import pytest

from shared.settings import SERVICES
from tests.fuzz.muster import Json, documents

METHODS = ("post", "put", "patch", "delete")
WEBHOOK = "/tournaments/{tournament}/webhooks/{webhook}"
OPERATIONS = {
    "/fsck",
    "/rebuild",
    "/recopy",
    "/recover",
    "/rulesets/check",
    f"{WEBHOOK}/ping",
    f"{WEBHOOK}/deliveries/{{delivery}}/resend",
}
"""What puts right what a service holds beside its own log, or only sends something: no commands, and not previewed."""


def commands(service: str) -> dict[str, Json]:
    """Operations that change something, by their names."""
    paths = [path for address, path in documents()[service]["paths"].items() if address not in OPERATIONS]
    found = [operation for path in paths for method, operation in path.items() if method in METHODS]
    return {one["operationId"]: one for one in found}


def shapes(service: str, schema: Json) -> list[str]:
    """The members of a schema, or of each of those that it is one of."""
    inner = schema.get("oneOf") or [schema]
    known: Any = documents()[service]["components"]["schemas"]
    return [name for one in inner for name in known[one["$ref"].rpartition("/")[2]]["properties"]]


@pytest.mark.parametrize("service", SERVICES)
def test_every_command_documents_its_preview(service: str) -> None:
    assert len(commands(service)) > 10
    for name, operation in commands(service).items():
        assert {"$ref": "#/components/parameters/Preview"} in operation["parameters"], name
        answer = operation["responses"]["200"]
        assert "With `preview=true`" in answer["description"], name
        assert {"events", "uncertain", "moves"} <= set(shapes(service, answer["content"]["application/json"]["schema"]))
