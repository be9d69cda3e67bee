"""What is settled before a view runs, in this order: who asks, in which form they take the answer, what is queried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

from shared.refusals import Fault
from shared.roles import EVERY_TOURNAMENT
from shared.web.accept import best_type
from shared.web.access import require, require_everywhere
from shared.web.body import refuse
from shared.web.current import this_request
from shared.web.faults import shown

View = TypeVar("View", bound=Callable[..., Any])

JSON_ALONE = ("application/json",)
TOKEN = "token"
"""The one member of a query that is taken everywhere: it says who asks, not what is asked."""


@dataclass(frozen=True, slots=True)
class Door:
    """What one operation lets in.

    roles: None for everybody. within: the part of the address that names the tournament of the token, EVERY_TOURNAMENT
    where a token of one will not do, None where it will.
    types: the media types of its answer. bare: it takes no query, and refuses one. events: it hands out events alone,
    those that a token is for where it is for some.
    """

    roles: Collection[str] | None = None
    within: str | None = None
    types: Sequence[str] = JSON_ALONE
    bare: bool = True
    events: bool = False

    def guard(self, view: View) -> View:
        """Return the view behind this door."""

        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            this_request().edge.events = self.events
            if self.roles is not None and self.within == EVERY_TOURNAMENT:
                require_everywhere(self.roles)
            elif self.roles is not None:
                require(self.roles, None if self.within is None else kwargs[self.within])
            best_type(this_request().environ.get("HTTP_ACCEPT"), self.types)
            if self.bare:
                refuse_query()
            return view(*args, **kwargs)

        return cast(View, guarded)


def refuse_query() -> None:
    """Raise InvalidRequest where the address has a query, for what takes none; `token` is none."""
    request = this_request()
    if not request.environ.get("QUERY_STRING"):
        return
    faults = [Fault(f"/{name}", shown(value), "no query here") for name, value in request.args.items() if name != TOKEN]
    if faults:
        refuse(faults)
