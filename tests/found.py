"""What faults say was found, held against the request: every client of the tests asks this of every refusal it meets.

Where a fault points at a text, a number or a truth value of the body, `said` is that value, as it stands or as JSON;
of a list or an object it may be what the fault is about, such as how many there are. Where nothing stands there it is
no value of the request, and that it is no sentence a person has to see.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

MISSING = object()
EMPTY = (None, "", [], {})
LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exact."""
SHORTEST = 100
"""Characters of a long value that are said back at least."""


def holds_what_was_found(errors: Iterable[Mapping[str, Any]], body: object) -> None:
    """Every error that points at a plain value of a JSON body says that value."""
    for error in errors:
        found = at(body, error["where"]) if error["where"].startswith("/") else MISSING
        if found is not MISSING and not isinstance(found, list | dict):
            assert says(error["said"], found), f"{error['where']} holds {found!r}: {error}"


def as_json(body: bytes) -> Any:
    """What a body is as JSON; None where it is none."""
    try:
        return json.loads(body)
    except ValueError:
        return None


def at(document: Any, pointer: str) -> Any:
    """The value that a JSON pointer leads to, MISSING where it leads to none."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and name in document:
            document = document[name]
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return MISSING
    return document


def says(said: str, found: Any) -> bool:
    """Whether a fault says a value: as text or as JSON, whole or its beginning."""
    if found in EMPTY and said == "nothing":
        return True
    if isinstance(found, int) and abs(found) > LARGEST:
        return float(said) == float(found)
    if isinstance(found, str) and as_json(said.encode()) == found:
        return True
    forms = [json.dumps(found, ensure_ascii=False), json.dumps(found)] + [found] * isinstance(found, str)
    forms += [form.strip() for form in forms]
    return said in forms or (len(said) >= SHORTEST and any(form.startswith(said[: SHORTEST - 1]) for form in forms))
