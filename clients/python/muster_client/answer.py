"""Answers of services: typed bodies with their metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec


@dataclass(frozen=True)
class Meta:
    """The metadata of an answer.

    service: the service that answered. status: HTTP status. etag: version of the resource; empty if it has none.
    seen: position up to which the service had read each log. replayed: True if the command had already run with the
    same key. request_id: id of the request in the service's log. idempotency_key: key of the command.
    next_page: fetches the page after a cursor.
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
    """Base of the shapes inside answers."""


class Answer(Part, kw_only=True, omit_defaults=True, dict=True):
    """Base of whole answers. Inside another answer the same shape has no `meta`."""

    @property
    def meta(self) -> Meta:
        """The metadata. Raises AttributeError for a part of an answer."""
        try:
            found: Meta = self.__dict__["_meta"]
        except KeyError:
            raise AttributeError(f"this {type(self).__name__} is a part of an answer, and has no `meta`") from None
        return found


def marked(answer: Answer, meta: Meta) -> None:
    """Return an answer with its metadata."""
    answer.__dict__["_meta"] = meta


Version: TypeAlias = Answer | str | None
"""The version that a command depends on: an answer, or its ETag."""


def etag_of(version: Version) -> str:
    """Return the ETag of a version; empty for None. Raises ValueError for an answer without one."""
    if version is None or isinstance(version, str):
        return version or ""
    etag = version.meta.etag
    if not etag:
        raise ValueError(f"this {type(version).__name__} came without an ETag")
    return etag
