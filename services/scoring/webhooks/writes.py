"""Writes of many webhooks in one transaction: while one commits, the next gather.

A commit costs a round to the disk. Twenty webhooks that are told of one event at the same moment share it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from shared.log import lease
from shared.log.database import Connection, Database
from shared.messaging.errors import DATABASE_AWAY

LEASE_NAME = "webhooks"
LEASE_MS = 5_000

Change = Callable[[Connection], Any]
"""A write, inside a transaction that holds the lease."""


class GroupedWrites:
    """Of one event loop. token: of the lease that every transaction holds; thread: that has the database."""

    def __init__(self, database: Database, token: int, thread: ThreadPoolExecutor) -> None:
        self._database = database
        self._token = token
        self._thread = thread
        self._pending: list[tuple[Change, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, change: Change) -> Any:
        """Write, with whatever else waits; returns once it is committed, with what `change` returns.

        Raises what `change` raises, LeaseLost, and the database's errors.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._pending.append((change, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._commit_all())
        return await future

    async def _commit_all(self) -> None:
        while self._pending:
            batch, self._pending = self._pending, []
            changes = [change for change, _ in batch]
            for (_, future), outcome in zip(batch, await self._outcomes(changes), strict=True):
                if future.done():  # whoever asked has been told to stop
                    continue
                if isinstance(outcome, BaseException):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

    async def _outcomes(self, changes: list[Change]) -> list[Any]:
        """What each change returned or raised; one that cannot be written alone leaves the others as they are."""
        loop = asyncio.get_running_loop()
        try:
            found: list[Any] = await loop.run_in_executor(self._thread, self._commit, changes)
            return found
        except (lease.LeaseLost, *DATABASE_AWAY) as error:
            return [error] * len(changes)
        except Exception as error:
            if len(changes) == 1:
                return [error]
            return [outcome for change in changes for outcome in await self._outcomes([change])]

    def _commit(self, changes: list[Change]) -> list[Any]:
        with self._database.writing() as connection:
            lease.hold(connection, self._token, LEASE_MS, LEASE_NAME)
            return [change(connection) for change in changes]
