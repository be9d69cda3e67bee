"""The hub of an application."""

from __future__ import annotations

from flask import Flask

from muster_client import Muster
from services.console.live.hub import Hub

_HUB = "muster-live"


def connect(app: Flask, services: Muster) -> None:
    """Give an application its hub."""
    app.extensions[_HUB] = Hub(services)


def hub_of(app: Flask) -> Hub:
    """What tells the live pages of an application."""
    hub: Hub = app.extensions[_HUB]
    return hub
