"""What a request runs through: functions, files and rooms of the product, in the order in which they are entered."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from flask import Flask
from msgspec import Struct

ROOT = Path(__file__).parents[2]
PRODUCT = ("shared", "services", "muster")
APPLICATION = Flask.wsgi_app.__code__


class Walk(Struct, frozen=True):
    """functions, files: how many different ones were entered. changes: how often the way left a room for another."""

    functions: int
    files: int
    changes: int
    stops: tuple[str, ...]
    """`file:function`, each once, in the order of its first call."""


def walk_of(request: Callable[[], object]) -> Walk:
    """The walk of one request, made by calling `request` in this thread.

    It begins and ends with the application that is asked: neither is what signs the caller's token a part of it, nor
    what another service does that this one asks meanwhile.
    """
    entered: dict[str, str] = {}
    within = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal within
        if frame.f_code is APPLICATION and event in ("call", "return"):
            within += 1 if event == "call" else -1
        if within != 1 or event != "call" or frame.f_code.co_name.startswith("<"):
            return
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in PRODUCT:
            where = file.relative_to(ROOT).as_posix()
            entered.setdefault(f"{where}:{frame.f_code.co_qualname}", where)

    sys.setprofile(note)
    try:
        request()
    finally:
        sys.setprofile(None)
    files = list(entered.values())
    rooms = [room_of(file) for file in files]
    changes = sum(one != two for one, two in pairwise(rooms))
    return Walk(len(entered), len(set(files)), changes, tuple(entered))


def room_of(file: str) -> str:
    """The folder that a file lies in."""
    return file.rpartition("/")[0]
