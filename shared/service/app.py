"""The Flask application of a service: its own routes, those of the log, the edge, and what callers have spent.

Allowances are added up over all processes of a service. Nothing of it is needed after its window: on PostgreSQL the
table is not logged, and a restart may forget it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256

from flask import Flask, Response
from sqlalchemy.exc import OperationalError, ProgrammingError, SQLAlchemyError

from shared import logs
from shared.log.database import Database
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_AWAY
from shared.service.health import NEEDED, disk_usage, probes
from shared.service.log_routes import copies_blueprint, log_blueprint, schemas_blueprint
from shared.service.operations_routes import rebuild_blueprint, recopy_blueprint, recovery_blueprint
from shared.service.rebuild import ReadModel
from shared.service.refusals import PROBLEMS as HANDLING
from shared.service.wiring import WIRED, Service
from shared.web.app import create_app
from shared.web.blueprint import Blueprint
from shared.web.health import Health
from shared.web.limits import Allowance, Tally
from shared.web.openapi import About
from shared.web.problems import answer_failure, answer_refusal, answer_unavailable
from shared.web.refusals import SchemaOutdated, Table
from shared.web.streams import Slots
from shared.web.tokens import Verifier

_ADD = """INSERT INTO allowances (caller, number, spent) VALUES (:caller, :number, :spent)
    ON CONFLICT (caller) DO UPDATE SET
        spent = :spent + CASE WHEN allowances.number IN (:number, :next) THEN allowances.spent ELSE 0 END,
        number = CASE WHEN allowances.number = :next THEN :next ELSE :number END
    RETURNING spent"""
CALLER_DIGITS = 32
"""Of the digest that stands for a caller: neither names nor addresses are kept."""


class Allowances:
    """The allowances table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    def add(self, caller: str, number: int, spent: int) -> int:
        """Add requests of a caller in a window, and return how many all processes have added; its number counts up.

        Windows that are over are forgotten. Raises the database's errors.
        """
        digest = sha256(caller.encode()).hexdigest()[:CALLER_DIGITS]
        with self._database.writing() as connection:
            if number != self._latest:
                self._latest = number
                over = "DELETE FROM allowances WHERE number < :before OR number > :next"
                connection.run(over, before=number - 1, next=number + 1)
            # A process whose clock is a little behind adds to the window that the others are in. One that is far ahead
            # has had a clock that was wrong; nobody is held to what it said.
            total: int = connection.value(_ADD, caller=digest, number=number, next=number + 1, spent=spent)
        return total


NO_SUCH = "no such "
"""What SQLite says of a table or a column that is not there, as the same kind of error as one that passes by itself."""

DATABASE = "muster.database"
"""The extension of an application that its process closes when it ends."""

_log = get_logger("muster.handling")


def build_app(
    service: Service,
    *,
    title: str,
    description: str,
    blueprints: Sequence[Blueprint],
    problems: Table,
    read_models: Sequence[ReadModel] = (),
    parts: Sequence[object] = (),
) -> Flask:
    """Put the web application of a service together. read_models: tables that are rebuilt from the logs.

    parts: what routes reach beside the service and its gateway, each by its type.
    """
    settings = service.settings
    logs.configure(settings.service, form=settings.log_format, level=settings.log_level)
    app = create_app(
        settings.service,
        About(title, description, services=settings.public_urls),
        verifier=Verifier(settings.token_keys),
        secrets=[key.seed for key in settings.signing_keys],
        is_revoked=service.is_revoked,
        previewed=service.previews.shape,
        blueprints=[
            *blueprints,
            log_blueprint(service),
            copies_blueprint(service),
            rebuild_blueprint(service, read_models),
            recopy_blueprint(service, read_models),
            recovery_blueprint(service, read_models),
            schemas_blueprint(service),
        ],
        health=_health(service),
        kinds=(HANDLING, problems),
        unavailable=DATABASE_AWAY,
        need=service.schema.need,
        size_limit=settings.request_limit,
        allowance=Allowance(settings.rate_limit, _tally(service)) if settings.rate_limit else None,
        trusted_proxies=settings.trusted_proxies,
        origins=settings.origins,
    )
    app.wsgi_app = Slots(app.wsgi_app, settings.web_threads, settings.request_limit)  # type: ignore[method-assign]
    app.extensions[DATABASE] = service.database
    app.extensions[WIRED] = {type(part): part for part in (service, service.gateway, *parts)}
    for kind in (ProgrammingError, OperationalError):
        app.register_error_handler(kind, _not_understood(service))
    return app


def _health(service: Service) -> Health:
    found = probes(service)
    advisory = [name for name in found if name not in NEEDED]
    return Health(service.settings.service, found, advisory, partial(disk_usage, service.settings.data))


def _not_understood(service: Service) -> Callable[[ProgrammingError | OperationalError], Response]:
    """Answer what a database says of a table that it does not have, as SchemaOutdated if that is why."""

    def answer(error: ProgrammingError | OperationalError) -> Response:
        away = isinstance(error, OperationalError)
        if away and NO_SUCH not in str(error.orig):
            return answer_unavailable(error)
        try:
            service.schema.doubt()
        except SchemaOutdated as refusal:
            return answer_refusal(refusal)
        except DATABASE_AWAY as gone:
            return answer_unavailable(gone)
        return answer_unavailable(error) if away else answer_failure(error)

    return answer


def _tally(service: Service) -> Tally | None:
    """Where the processes of a service add up what callers spend; None on SQLite, where there is one."""
    if service.settings.sqlite:
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
