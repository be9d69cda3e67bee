"""One service's database put aside, put back and lost, while nothing uses it."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

import psycopg
from sqlalchemy.engine import URL, make_url


class Backup:
    """A database by its URL; a folder takes the copy of a file."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = make_url(url)
        self._folder = folder / "backup"
        self._copy = f"muster_test_{secrets.token_hex(6)}"

    def take(self) -> None:
        """Copy it as it is now."""
        if self._url.get_backend_name() == "sqlite":
            self._folder.mkdir()
            for file in self._files():
                shutil.copy2(file, self._folder / file.name)
        else:
            self._server(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._url.database}'",
                f'CREATE DATABASE "{self._copy}" TEMPLATE "{self._url.database}"',
            )

    def put_back(self) -> None:
        """Make it what it was when the copy was taken."""
        if self._url.get_backend_name() == "sqlite":
            self.lose()
            for file in self._folder.iterdir():
                shutil.copy2(file, Path(str(self._url.database)).parent / file.name)
        else:
            self._server(
                f'DROP DATABASE "{self._url.database}" WITH (FORCE)',
                f'CREATE DATABASE "{self._url.database}" TEMPLATE "{self._copy}"',
            )

    def lose(self) -> None:
        """Nothing is left of it."""
        if self._url.get_backend_name() == "sqlite":
            for file in self._files():
                file.unlink()
        else:
            name = self._url.database
            self._server(f'DROP DATABASE "{name}" WITH (FORCE)', f'CREATE DATABASE "{name}"')

    def forget(self) -> None:
        """Remove the copy."""
        if self._url.get_backend_name() != "sqlite":
            self._server(f'DROP DATABASE IF EXISTS "{self._copy}"')

    def _files(self) -> list[Path]:
        file = Path(str(self._url.database))
        return [path for path in (file, *(Path(f"{file}{end}") for end in ("-wal", "-shm"))) if path.exists()]

    def _server(self, *statements: str) -> None:
        url: URL = self._url.set(drivername="postgresql", database="postgres")
        with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as server:
            for statement in statements:
                server.execute(statement.encode())
