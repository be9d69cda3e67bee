"""The sentences of faults: one for each code in `locale/<language>.po`, with placeholders for values.

This module renders English for answers and the command line. The console renders other languages from the same codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "locale"


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Return code -> sentence with placeholders like `%(player)s`."""
    from babel.messages.pofile import read_po  # imported late: most runs of a program show no fault

    with (FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalogue if message.id}


def english(code: str, data: Mapping[str, Any]) -> str:
    """Return the English sentence of a code. Raises KeyError for an unknown code or a value that is missing."""
    return sentences("en")[code] % {name: _text(value) for name, value in data.items()}


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value))
    return str(value)
