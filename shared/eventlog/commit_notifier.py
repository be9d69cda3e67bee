"""Wake whoever waits for committed events, without polling.

On PostgreSQL an append notifies in its own statement, and waiting is LISTEN. On SQLite the bell is a named pipe
beside the database file: ringing is one byte after the commit, waiting is `select`. A ring that is missed costs
a second, never an event: whoever waits looks again by itself.
"""

from __future__ import annotations

import os
import select
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import structlog

from shared.eventlog.database import Database
from shared.eventlog.extend import NOTIFY_CHANNEL

_log = structlog.get_logger("muster.log")


class CommitNotifier:
    """The bell of one database. Any number of processes may ring; one waits (of two, either may hear a ring)."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # The driver's own, as the engine has loaded it: SQLite needs no psycopg, which takes long to import.
        self._failures = (OSError, database.engine.dialect.loaded_dbapi.Error)
        file = database.url.database if database.dialect == "sqlite" else None
        # A hidden name: `cp base.sqlite3* elsewhere` would wait for ever for the end of a pipe.
        self._pipe = Path(file).with_name(f".{Path(file).name}.bell") if file and file != ":memory:" else None
        self._reader: int | None = None
        self._listener: Any = None
        self._told = False

    def ring(self) -> None:
        """Say that something was committed. Nobody waiting, or no pipe: nothing happens. On PostgreSQL appends
        ring by themselves, and this does nothing."""
        if self._pipe is None:
            return
        try:
            writer = os.open(self._pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody waits (ENXIO, ENOENT); whoever comes looks before it waits
            return
        try:
            os.write(writer, b"!")
        except (BlockingIOError, BrokenPipeError):
            pass  # thousands of rings that nobody has heard yet, or the one who waited left just now
        finally:
            os.close(writer)

    def listen(self) -> None:
        """Hear every ring from now on; call it before looking at what is there, so that none is missed between.

        Where that is not possible (a file system without pipes, a database that restarts) waiting goes by the clock.
        """
        try:
            if self._database.dialect == "sqlite":
                self._open_pipe()
            elif self._listener is None:
                self._open_listener()
        except self._failures as error:
            self._fall_silent(error)

    def wait(self, seconds: float) -> bool:
        """Wait for a ring, `seconds` at most; True when it rang. A lost connection counts as silence."""
        end = time.monotonic() + seconds
        self.listen()
        try:
            if self._reader is not None:
                return self._wait_pipe(seconds)
            if self._listener is not None:
                return self._wait_listener(seconds)
        except self._failures as error:
            self._fall_silent(error)
        time.sleep(max(0.0, end - time.monotonic()))
        return False

    def close(self) -> None:
        """Stop listening."""
        if self._reader is not None:
            os.close(self._reader)
            self._reader = None
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def __enter__(self) -> CommitNotifier:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _fall_silent(self, error: Exception) -> None:
        self.close()
        if not self._told:
            self._told = True
            _log.warning("doorbell is silent, looking by the clock instead", error=str(error))

    def _open_listener(self) -> None:
        engine = self._database.engine
        places, names = engine.dialect.create_connect_args(engine.url)
        self._listener = engine.dialect.loaded_dbapi.connect(*places, **names, autocommit=True)
        self._listener.execute(f"LISTEN {NOTIFY_CHANNEL}")
        self._told = False

    def _open_pipe(self) -> None:
        if self._reader is None and self._pipe is not None:
            with suppress(FileExistsError):
                os.mkfifo(self._pipe, 0o600)
            # Open for both, so that the pipe never reads as ended when the last one who rang is gone.
            reader = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)
            if not stat.S_ISFIFO(os.fstat(reader).st_mode):
                os.close(reader)
                raise OSError(f"{self._pipe} is no pipe; it can be deleted")
            self._reader = reader
            self._told = False

    def _wait_pipe(self, seconds: float) -> bool:
        assert self._reader is not None
        rang, _, _ = select.select([self._reader], [], [], seconds)
        if rang:
            os.read(self._reader, 65536)
        return bool(rang)

    def _wait_listener(self, seconds: float) -> bool:
        rang = False
        for _ in self._listener.notifies(timeout=seconds, stop_after=1):
            rang = True
        for _ in self._listener.notifies(timeout=0):
            rang = True
        return rang
