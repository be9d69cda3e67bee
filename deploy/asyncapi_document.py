"""`python -m deploy.asyncapi_document`: print docs/reference/asyncapi.json, generated from the event catalogue."""

from __future__ import annotations

from deploy.laid_out import laid_out
from shared.formats.event_schemas import asyncapi
from shared.settings import EXCHANGE
from shared.version import VERSION


def document() -> str:
    """Return the document that services serve with the default exchange name, with a newline at the end."""
    return laid_out(asyncapi(VERSION, EXCHANGE))


if __name__ == "__main__":
    print(document(), end="")
