"""The files that come with Muster's formats: packs, and lists of clauses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Literal

from shared.formats import FORMATS


@cache
def shipped_files(kind: Literal["packs", "clauses"]) -> Mapping[str, Traversable]:
    """Ruleset id -> its file of that kind, of every format, in the order of the ids."""
    rooms = [resources.files("shared.formats").joinpath(format, kind) for format in FORMATS]
    found = {entry.name.removesuffix(".yaml"): entry for room in rooms if room.is_dir() for entry in room.iterdir()}
    return {id: file for id, file in sorted(found.items()) if file.name.endswith(".yaml")}
