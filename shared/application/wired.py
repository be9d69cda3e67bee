"""What routes reach of the service that answers the request at hand; put there by whoever builds the application.

Routes stand at the level of their modules, where nothing is wired yet: each name here is looked up at every use.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar, cast

from flask import current_app
from werkzeug.local import LocalProxy

from shared.application.gateway import Gateway
from shared.application.service import Service

WIRED = "muster.wired"
"""The extension of an application that holds its parts by their types."""

Part = TypeVar("Part")


def wired(kind: type[Part]) -> Part:
    """The part of that type."""
    return cast(Part, LocalProxy(lambda: current_app.extensions[WIRED][kind]))


def gateway_of(*formats: str) -> Gateway:
    """The gateway, for what only tournaments of some formats have."""
    return cast(Gateway, LocalProxy(lambda: current_app.extensions[WIRED][Gateway].of(*formats)))


def gateway_in(formats: Collection[str]) -> Gateway:
    """The same for the formats of a table."""
    return cast(Gateway, LocalProxy(lambda: current_app.extensions[WIRED][Gateway].of(*formats)))


service = wired(Service)
gateway = wired(Gateway)
