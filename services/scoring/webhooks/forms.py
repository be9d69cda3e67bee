"""What a webhook is sent of an event: the event itself, the game it is about, or a line in the form of a chat. Pure.

Which events a chat is told of stands in one table; it is told nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import orjson

Form = Literal["events", "results", "discord", "slack"]
EVENTS: Form = "events"
RESULTS: Form = "results"
LONGEST_LINE = 1500
"""Characters; Discord takes 2000."""

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


def _round(does: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda data: f"round {data['round']} {does}."


def _closed(data: Mapping[str, Any]) -> str:
    """seed: of standings that are held back."""
    return f"round {data['round']} is closed{'' if data.get('seed') else '; the standings are out'}."


TOLD_TO_CHATS: Mapping[str, Callable[[Mapping[str, Any]], str]] = MappingProxyType(
    {
        "RoundPaired": _round("is published"),
        "SessionRoundOpened": _round("is published"),
        "RoundStarted": _round("has begun"),
        "RoundClosed": _closed,
        "SessionRoundClosed": _round("is closed; the ranking is out"),
    }
)
"""Type of an event -> what a chat is told of it, from its data, behind the name of the tournament."""


def _discord(line: str) -> bytes:
    return orjson.dumps({"content": line, "allowed_mentions": {"parse": []}})


def _slack(line: str) -> bytes:
    return orjson.dumps({"text": line})


def _for_discord(name: str) -> str:
    return _MARKDOWN.sub(r"\\\1", name)


def _for_slack(name: str) -> str:
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


CHATS: Mapping[str, tuple[Callable[[str], str], Callable[[str], bytes]]] = MappingProxyType(
    {"discord": (_for_discord, _discord), "slack": (_for_slack, _slack)}
)
"""Form -> how it writes what people are called, so that it is text there and nothing else; and its body."""


def chat_body(form: str, tournament_name: str, said: str) -> bytes:
    """The body of a message to a chat."""
    written, body = CHATS[form]
    return body(f"{written(tournament_name)}: {said}"[:LONGEST_LINE])
