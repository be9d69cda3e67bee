"""Tokens that the installation took back: operators', integrations', services', and all others of its own key."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from shared.application.repository import Repository
from shared.secret_keys import TICKETS
from shared.tournament.events.installation import INSTALLATION
from shared.web.tokens import Caller


class Revoked:
    """What the log of the installation says, as far as this service holds it."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: Collection[str] = ()

    def has(self, caller: Caller) -> bool:
        """Whether a token was taken back; those of one tournament are that tournament's affair.

        Where the database does not answer, what was known last counts: nothing can be done then but asking how the
        service is.
        """
        if caller.signed_by == TICKETS:
            return False
        with suppress(SQLAlchemyError), self._repository.now(INSTALLATION) as loaded:
            self._known = frozenset(loaded.state.entries.revoked)
        return caller.jti in self._known
