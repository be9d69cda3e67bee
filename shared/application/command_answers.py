"""What the answer to a command says in addition to its events: the `id` and `Location` of what it made.

    AWARD = Made((AwardGiven,), "award")
    PLAYER = Made((PlayerJoined, PlayerWaitlisted), "player", "/tournaments/<id:tournament>/players/<id:player>")

Both follow from the events, so a repeated command gets the same answer.
"""

from __future__ import annotations

import re
from typing import TypeVar
from urllib.parse import quote

from msgspec import UNSET, Struct
from msgspec.structs import replace

from shared.application.views import Appended
from shared.events.base import Event
from shared.web.request import this_request

PARTS = re.compile(r"<(?:[^<>:]+:)?([^<>:]+)>")
"""Names of the parts of a route."""


Answer = TypeVar("Answer", bound=Appended)


class Made(Struct, frozen=True):
    """What a command makes.

    by: events that each make one. member: of them, that holds its id; empty where the view says the id itself.
    at: the route that shows one, whose last part is the id; empty where nothing shows one by itself.
    """

    by: tuple[type[Event], ...]
    member: str
    at: str = ""

    def named(self, answer: Answer) -> tuple[Answer, dict[str, str]]:
        """The answer with the id of what was made, and the headers that go with it; as it is for none or several."""
        made = {kind.__name__ for kind in self.by}
        ids = [str(event.data[self.member]) for event in answer.events if self.member and event.type in made]
        if answer.id is UNSET and len(ids) == 1:
            answer = replace(answer, id=ids[0])
        if answer.id is UNSET or not self.at:
            return answer, {}
        return answer, {"Location": self._address(answer.id)}

    def _address(self, id: str) -> str:
        """From the root of the service, as the caller reaches it."""
        request = this_request()
        *_, last = PARTS.findall(self.at)
        parts = {**(request.view_args or {}), last: id}
        path = PARTS.sub(lambda part: str(parts[part[1]]), self.at)
        return quote(request.root_path.rstrip("/") + path)
