"""Views made of structs whose members they have by the same names."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from shared.shapes import View
from shared.web.deferred import convert

Shown = TypeVar("Shown", bound=View)


def shown_as(kind: type[Shown], made: Struct, **more: Any) -> Shown:
    """The view of a struct that has members of its names; parts of it likewise. more: members beside those.

    Raises msgspec.ValidationError where the two do not fit.
    """
    return convert({**asdict(made), **more}, kind, from_attributes=True)
