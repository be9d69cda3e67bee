"""Whether a service may use its database: it must stand where this code expects it, or further.

The database is asked once, and then only while it was wrong or when readiness asks. So nobody has to start anything
again: as soon as somebody has migrated, the next look finds it.
"""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from shared.eventlog.database import Database
from shared.eventlog.schema import Standing, expected_revisions, named, places, standing
from shared.logs import get_logger
from shared.messaging.backoff import DATABASE_AWAY
from shared.web.refusals import SchemaOutdated

RETRY_AFTER = 5
"""Seconds that callers are asked to wait for whoever migrates."""

_log = get_logger("muster.handling")


class SchemaGate:
    """Lets through once the schema of the service's database holds all that its code needs."""

    def __init__(self, database: Database, service: str) -> None:
        self._database = database
        self._service = service
        self._expected = expected_revisions(places(service))
        self._good = False
        self._said: Standing | None = None

    @property
    def advice(self) -> str:
        """What an operator does about a schema that is missing or older."""
        return f"python -m deploy.migrate {self._service}"

    @property
    def wrong(self) -> bool:
        """Whether the last look found a schema that is missing or older."""
        return self._said is not None and bool(self._said.missing)

    def look(self) -> Standing:
        """Ask the database where it stands. Raises the database's errors."""
        with self._database.reading() as connection:
            found = standing(connection, self._expected)
        self._good = not found.missing
        if found != self._said and found.missing:
            _log.error("the schema of the database is missing or older", **self.told(found), advice=self.advice)
        elif found != self._said and (self._said is not None or found.newer):
            _log.warning("the schema of the database is good", **self.told(found))
        self._said = found
        return found

    def need(self) -> None:
        """Raises SchemaOutdated, and the database's errors where it has to be asked."""
        if not self._good and self.look().missing:
            raise SchemaOutdated(
                "The database of this service has not been upgraded yet; nothing was done.",
                retry_after=RETRY_AFTER,
            )

    def hindrance(self) -> str:
        """Why a worker may not run now; empty where it may."""
        try:
            found = self.look()
        except DATABASE_AWAY:
            return "the database does not answer"
        except SQLAlchemyError as error:
            return f"the database cannot be asked for its schema: {type(error).__name__}"
        return f"the database lacks {', '.join(found.missing)}: {self.advice}" if found.missing else ""

    def doubt(self) -> None:
        """Look again after a statement that the database did not understand: it may have been put back to an earlier
        schema meanwhile. Raises SchemaOutdated then."""
        self._good = False
        self.need()

    @staticmethod
    def told(found: Standing) -> dict[str, object]:
        """Where the database stands, as readiness and the log say it."""
        return {"found": ", ".join(named(found.found)) or "none", "expected": ", ".join(named(found.expected))}
