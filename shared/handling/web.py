"""The Flask application of a service: its own routes, those of the log, and what the edge brings."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask
from sqlalchemy.exc import InterfaceError, OperationalError

from shared.handling.log_routes import log_blueprint
from shared.handling.probes import probes
from shared.handling.rebuild import ReadModel
from shared.handling.rebuild_routes import rebuild_blueprint
from shared.handling.refusals import PROBLEMS as HANDLING
from shared.handling.service import Service
from shared.http.app import create_app
from shared.http.blueprint import Blueprint
from shared.http.kinds import Table


def build_app(
    service: Service,
    *,
    title: str,
    description: str,
    blueprints: Sequence[Blueprint],
    problems: Table,
    read_models: Sequence[ReadModel] = (),
) -> Flask:
    """Put the web application of a service together. read_models: tables that are rebuilt from the logs."""
    settings = service.settings
    found = probes(service)
    return create_app(
        settings.service,
        title=title,
        description=description,
        token_keys=settings.token_keys,
        blueprints=[
            *blueprints,
            log_blueprint(service.front, service.sources),
            rebuild_blueprint(service, read_models),
        ],
        probes=found,
        advisory=[name for name in found if name != "database"],
        kinds=(HANDLING, problems),
        unavailable=(OperationalError, InterfaceError),
        size_limit=settings.request_limit,
        rate_limit=settings.rate_limit,
        trusted_proxies=settings.trusted_proxies,
        log_format=settings.log_format,
        log_level=settings.log_level,
    )
