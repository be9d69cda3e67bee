"""Shapes that are worked out when somebody first needs them, by one thread: a process that starts waits for none.

msgspec works a type out at its first use, and 0.22 crashes where a second thread comes meanwhile. So whoever converts
while requests are answered does it by `convert`, and schemas of marshmallow are made behind the same lock.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

import msgspec
from marshmallow import Schema as MarshmallowSchema

Made = TypeVar("Made")

ONE_AT_A_TIME = RLock()
"""Held by whoever works out what a type is made of."""

_worked_out: set[object] = set()


def worked_out(kind: type[Made]) -> type[Made]:
    """The same type, known to msgspec from now on: every thread may use it."""
    if kind not in _worked_out:
        with ONE_AT_A_TIME:
            msgspec.json.Decoder(kind)
            _worked_out.add(kind)
    return kind


def convert(value: Any, kind: type[Made], *, from_attributes: bool = False) -> Made:
    """As `msgspec.convert`, also where several threads are the first. Raises msgspec.ValidationError."""
    return msgspec.convert(value, worked_out(kind), from_attributes=from_attributes)


class Deferred:
    """A schema of marshmallow that is made when a request, or the documentation, first asks for it."""

    def __init__(self, make: Callable[[], type[MarshmallowSchema]]) -> None:
        """make: called once, for the class. Raises nothing itself; what is wrong with a shape is raised by `schema`."""
        self._make = make
        self._made: MarshmallowSchema | None = None

    @property
    def schema(self) -> MarshmallowSchema:
        """The schema. Raises TypeError for a member of a type that no shape has, as `schema_of` does."""
        if self._made is None:
            with ONE_AT_A_TIME:
                if self._made is None:
                    self._made = self._make()()
        return self._made

    def dump(self, shown: Any) -> Any:
        """What a view returned as it is answered; flask-smorest asks an answer's schema for it."""
        return self.schema.dump(shown)

    def __deepcopy__(self, memo: object) -> Deferred:
        """The same: flask-smorest copies what it knows of a view at every decorator."""
        return self
