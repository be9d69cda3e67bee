"""Accept: whether what an operation answers in is what the caller takes (RFC 9110, 12.5.1). Pure.

The most specific range decides, a quality of 0 refuses. Parameters (`;charset=…`, `;version=…`) are not looked at:
nothing here comes in two kinds that only a parameter tells apart. Problems are answered whatever was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from shared.refusals import Fault
from shared.web.refusals import NotAcceptable

ANYTHING = frozenset({"*/*", "application/json"})
"""What nearly every client sends; both take JSON."""


_SHORT = re.compile(r"(;\s*q)=\.", re.IGNORECASE)
"""A quality without its zero, as older Java clients send it of everything that they take."""


def best_type(accept: str | None, types: Sequence[str]) -> str:
    """Return which of the media types to answer in: of those equally welcome the first.

    accept: the header, None where there is none. Raises NotAcceptable with the types that there are.
    """
    found = _best(accept, tuple(types))
    if found is None:
        listed = " or ".join(types)
        fault = Fault("Accept", (accept or "")[:140], listed)
        raise NotAcceptable(f"This is answered as {listed}.", [fault], types=list(types))
    return found


@lru_cache(maxsize=512)
def _best(accept: str | None, types: tuple[str, ...]) -> str | None:
    if accept is None or (accept in ANYTHING and types[0] == "application/json"):
        return types[0]
    read = parse_accept_header(_SHORT.sub(r"\1=0.", accept))
    ranges = [(value.partition(";")[0].strip(), quality) for value, quality in read]
    return MIMEAccept(ranges).best_match(types) if ranges else types[0]
