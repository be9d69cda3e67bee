"""The Flask application of a service: its own routes, the routes of the log, and the allowances of callers.

Allowances are counted over all processes of a service. A count is worthless after its window, so on PostgreSQL the
table is unlogged and a crash may empty it.
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
from shared.messaging.errors import DATABASE_UNAVAILABLE
from shared.service.health import NEEDED, disk_usage, probes
from shared.service.log_routes import copies_blueprint, log_blueprint, schemas_blueprint
from shared.service.operations_routes import rebuild_blueprint, recopy_blueprint, recovery_blueprint
from shared.service.rebuild import ReadModel
from shared.service.refusals import PROBLEMS as HANDLING
from shared.service.wiring import WIRED, Service
from shared.web.app import Access, Backend, create_app
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
"""Length of the digest that stands for a caller: names and addresses are not stored."""


class Allowances:
    """The allowances table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    def add(self, caller: str, number: int, spent: int) -> int:
        """Count requests of a caller in a time window. Return the total of all processes.

        Deletes expired windows. Raises the database's errors.
        number: number of the window; later windows have higher numbers. spent: number of requests to add.
        """
        digest = sha256(caller.encode()).hexdigest()[:CALLER_DIGITS]
        with self._database.writing() as connection:
            if number != self._latest:
                self._latest = number
                expired = "DELETE FROM allowances WHERE number < :before OR number > :next"
                connection.run(expired, before=number - 1, next=number + 1)
            # A process whose clock is slightly behind adds to the window of the others. A window far in the future was
            # written with a wrong clock and does not count.
            total: int = connection.value(_ADD, caller=digest, number=number, next=number + 1, spent=spent)
        return total


NO_SUCH = "no such "
"""SQLite's message for a missing table or column, which has the same error class as a temporary failure."""

DATABASE = "muster.database"
"""The extension that holds the database; the server closes it when the process ends."""

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
    """Build the web application of a service.

    read_models: tables that can be rebuilt from the logs. parts: further objects that routes get by `current_part`.
    """
    settings = service.settings
    logs.configure(settings.service, form=settings.log_format, level=settings.log_level)
    app = create_app(
        settings.service,
        About(title, description, services=settings.public_urls),
        [
            *blueprints,
            log_blueprint(service),
            copies_blueprint(service),
            rebuild_blueprint(service, read_models),
            recopy_blueprint(service, read_models),
            recovery_blueprint(service, read_models),
            schemas_blueprint(service),
        ],
        Access(
            verifier=Verifier(settings.token_keys),
            secrets=[key.seed for key in settings.signing_keys],
            is_revoked=service.is_revoked,
            allowance=Allowance(settings.rate_limit, _tally(service)) if settings.rate_limit else None,
            size_limit=settings.request_limit,
            trusted_proxies=settings.trusted_proxies,
            origins=settings.origins,
        ),
        Backend(
            health=_health(service),
            problems=(HANDLING, problems),
            require_ready=service.schema.require_current,
            unavailable=DATABASE_UNAVAILABLE,
            preview_shape=service.previews.shape,
        ),
    )
    app.wsgi_app = Slots(app.wsgi_app, settings.web_threads, settings.request_limit)  # type: ignore[method-assign]
    app.extensions[DATABASE] = service.database
    app.extensions[WIRED] = {type(part): part for part in (service, service.gateway, *parts)}
    for kind in (ProgrammingError, OperationalError):
        app.register_error_handler(kind, _answer_database_error(service))
    return app


def _health(service: Service) -> Health:
    named = probes(service)
    advisory = [name for name in named if name not in NEEDED]
    return Health(service.settings.service, named, advisory, partial(disk_usage, service.settings.data))


def _answer_database_error(service: Service) -> Callable[[ProgrammingError | OperationalError], Response]:
    """Return an error handler that answers `schema-outdated` if the statement failed for lack of a table or column."""

    def answer(error: ProgrammingError | OperationalError) -> Response:
        is_operational = isinstance(error, OperationalError)
        if is_operational and NO_SUCH not in str(error.orig):
            return answer_unavailable(error)
        try:
            service.schema.recheck()
        except SchemaOutdated as refusal:
            return answer_refusal(refusal)
        except DATABASE_UNAVAILABLE as unavailable:
            return answer_unavailable(unavailable)
        return answer_unavailable(error) if is_operational else answer_failure(error)

    return answer


def _tally(service: Service) -> Tally | None:
    """Return the count that all processes of a service share; None on SQLite, where there is only one process."""
    if service.settings.sqlite:
        return None
    allowances = Allowances(service.database)

    def tally(caller: str, number: int, spent: int) -> int:
        try:
            return allowances.add(caller, number, spent)
        except SQLAlchemyError as error:
            # Requests that need the database report that it is away. Until then each process counts alone.
            _log.warning("an allowance is counted in this process alone", error=type(error).__name__)
            return 0

    return tally
