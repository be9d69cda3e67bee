"""Members of lists that can say what changed since an earlier answer (`since.py`), without the edge behind them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UnsetType

AskedSince = Annotated[
    str | UnsetType,
    "`version` of an earlier answer of this list with the same filters: only what has changed since comes.",
]
Version = Annotated[str | UnsetType, "What to send as `since`, to be told later what has changed after this answer."]
AnsweredSince = Annotated[
    str | UnsetType | None,
    "Where `since` was asked for: that version, and `items` are only what changed after it. null: what changed after"
    " it is not known here, and `items` are everything, so begin anew with them.",
]
Gone = Annotated[
    list[str] | UnsetType,
    "Where `since` was asked for: ids of what is not in the list any more, or not with these filters; some of them may"
    " never have been.",
]
