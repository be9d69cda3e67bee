"""The Flask application of a service: its own routes, those of the log, and what the edge brings."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from shared.handling.log_routes import log_blueprint
from shared.handling.probes import probes
from shared.handling.rebuild import ReadModel
from shared.handling.rebuild_routes import rebuild_blueprint
from shared.handling.recopy_routes import recopy_blueprint
from shared.handling.refusals import PROBLEMS as HANDLING
from shared.handling.service import Service
from shared.http.app import create_app
from shared.http.blueprint import Blueprint
from shared.http.kinds import Table
from shared.http.limits import Tally
from shared.log.allowances import Allowances
from shared.messaging.patience import DATABASE_AWAY

_log = structlog.get_logger("muster.handling")


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
            log_blueprint(service.front, service.sources, service.signer),
            rebuild_blueprint(service, read_models),
            recopy_blueprint(service, read_models),
        ],
        probes=found,
        advisory=[name for name in found if name != "database"],
        kinds=(HANDLING, problems),
        unavailable=DATABASE_AWAY,
        size_limit=settings.request_limit,
        rate_limit=settings.rate_limit,
        tally=_tally(service),
        trusted_proxies=settings.trusted_proxies,
        log_format=settings.log_format,
        log_level=settings.log_level,
    )


def _tally(service: Service) -> Tally | None:
    """Where the processes of a service add up what callers spend; None where there is one process alone."""
    if service.settings.sqlite and service.settings.web_workers <= 1:
        return None
    allowances = Allowances(service.database)

    def tally(caller: str, number: int, spent: int) -> int:
        try:
            return allowances.add(caller, number, spent)
        except SQLAlchemyError as error:
            # A database that does not answer is told of by whoever needs it; here each process counts for itself.
            _log.warning("an allowance is counted in this process alone", error=type(error).__name__)
            return 0

    return tally
