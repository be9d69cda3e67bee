"""Databases and roles as the container's script and the page make them, under names with a prefix."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from sqlalchemy.engine import make_url

from shared.settings import SERVICES
from tests.conftest import FEW_CONNECTIONS, POSTGRESQL_URL, conninfo

SCRIPT = Path(__file__).parents[2] / "deploy/postgresql/create-databases.sh"
OPERATING = Path(__file__).parents[2] / "docs/how-to/install.md"
NAMES = re.compile(r"\b(muster_owner|muster|registration|pairing|scoring)\b")


@dataclass(frozen=True)
class Roles:
    """prefix: of every name. password: of every role, where the server asks for one."""

    prefix: str
    password: str

    def user(self, service: str) -> str:
        """Return the role that a service runs as."""
        return f"{self.prefix}_{service}"

    @property
    def owner(self) -> str:
        """The role that migrates."""
        return f"{self.prefix}_muster_owner"

    def url(self, role: str, service: str) -> str:
        """The database of a service for a role; `service` may be any of the names in the script."""
        place = make_url(POSTGRESQL_URL).set(username=role, password=self.password)
        return place.set(database=f"{self.prefix}_{service}").render_as_string(hide_password=False)

    def named(self, said: str) -> bytes:
        """SQL of a script or of a page with the names and the password of these roles."""
        said = NAMES.sub(lambda match: f"{self.prefix}_{match[0]}", said)
        return re.sub(r":'\w+'|'…'", f"'{self.password}'", said).encode()

    @property
    def env(self) -> dict[str, str]:
        """The environment of a Stack on these databases."""
        runs = {f"{name.upper()}_DATABASE_URL": self.url(self.user(name), name) for name in SERVICES}
        migrates = {f"{name.upper()}_MIGRATION_DATABASE_URL": self.url(self.owner, name) for name in SERVICES}
        return runs | migrates | FEW_CONNECTIONS


def statements(sql: str) -> list[str]:
    """The statements of a script, without its comments."""
    lines = (line.partition("--")[0] for line in sql.splitlines())
    return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]


def of_the_script() -> str:
    """What the container's script has PostgreSQL do."""
    return SCRIPT.read_text().partition("<<'SQL'\n")[2].partition("\nSQL")[0]


def of_the_page() -> tuple[str, str]:
    """Return the SQL of the page that gives a service its own role: on the server, and inside a database."""
    sql = OPERATING.read_text().partition("From one role for all")[2].partition("```sql\n")[2].partition("```")[0]
    before, _, inside = sql.partition("\\c registration")
    return before, inside


@contextmanager
def roles_made_by(script: str) -> Iterator[Roles]:
    """Run a script that makes roles and databases; all that it made is dropped at the end."""
    roles = Roles(f"muster_test_{secrets.token_hex(4)}", secrets.token_hex(8))
    with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
        try:
            for statement in statements(script):
                server.execute(roles.named(statement))
            yield roles
        finally:
            for name in SERVICES:
                server.execute(roles.named(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            for role in ("muster", "muster_owner", *SERVICES):
                server.execute(roles.named(f"DROP ROLE IF EXISTS {role}"))


def two_roles() -> AbstractContextManager[Roles]:
    """The owner, a role for each service and three empty databases, as the container's script makes them."""
    return roles_made_by(of_the_script())
