"""Names in sentences: one that runs from right to left stands by itself, and does not turn round what is beside it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

BEGIN, END = "\u2068", "\u2069"
"""Between these a text has its own direction, as in a `bdi` (Unicode, UAX 9: first strong isolate)."""
RIGHT_TO_LEFT = ("R", "AL")


def isolated(names: Mapping[str, object]) -> dict[str, object]:
    """The places of a sentence; each that runs from right to left stands by itself, others are as they were."""
    return {name: BEGIN + one + END if turns(one) else one for name, one in names.items()}  # type: ignore[operator]


def turns(one: object) -> bool:
    """Whether something is a text with a letter that runs from right to left."""
    return isinstance(one, str) and any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in one)


def isolate_in(environment: Environment) -> None:
    """Have the sentences of templates isolate what stands in them, too: Jinja fills in their places itself."""
    for name in ("gettext", "ngettext"):
        environment.globals[name] = _isolating(environment.globals[name])


def _isolating(translate: Any) -> Callable[..., str]:
    @pass_context
    def translated(context: Context, *texts: Any, **names: object) -> str:
        found: str = translate(context, *texts, **isolated(names))
        return found

    return translated
