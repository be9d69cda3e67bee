"""`python -m deploy.asyncapi_document`: docs/reference/asyncapi.json, made from the catalogue."""

from __future__ import annotations

from deploy.laid_out import laid_out
from shared.formats.event_schemas import asyncapi
from shared.settings import EXCHANGE
from shared.version import VERSION


def document() -> str:
    """The whole document, as services answer it where no exchange of another name is set; with a line at its end."""
    return laid_out(asyncapi(VERSION, EXCHANGE))


if __name__ == "__main__":
    print(document(), end="")
