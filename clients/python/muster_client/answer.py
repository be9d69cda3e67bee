"""What every answer is, and what came with it besides its body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec


@dataclass(frozen=True)
class Meta:
    """What came with an answer.

    service: who answered; status: of HTTP; etag: its version, empty where it has none; seen: how far the service had
    read each log; replayed: whether a command had been done before, with the same key; request_id: names the request
    in the service's log; idempotency_key: of a command; next_page: asks for the page behind a cursor.
    """

    service: str
    status: int
    etag: str = ""
    seen: str = ""
    replayed: bool = False
    request_id: str = ""
    idempotency_key: str = ""
    next_page: Callable[[str], Any] | None = None


class Part(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A shape inside answers."""


class Answer(Part, kw_only=True, omit_defaults=True, dict=True):
    """An answer as a whole; the same shape may also stand inside another, and has no `meta` there."""

    @property
    def meta(self) -> Meta:
        """What came with it. Raises AttributeError for a shape that is only a part of an answer."""
        try:
            found: Meta = self.__dict__["_meta"]
        except KeyError:
            raise AttributeError(f"this {type(self).__name__} is a part of an answer, and has no `meta`") from None
        return found


def marked(answer: Answer, meta: Meta) -> None:
    """Give an answer what came with it."""
    answer.__dict__["_meta"] = meta


Version: TypeAlias = Answer | str | None
"""What a command may depend on: an answer as it was read, or its ETag."""


def etag_of(version: Version) -> str:
    """The ETag of a version, empty for None. Raises ValueError for an answer that has none."""
    if version is None or isinstance(version, str):
        return version or ""
    etag = version.meta.etag
    if not etag:
        raise ValueError(f"this {type(version).__name__} came without an ETag")
    return etag
