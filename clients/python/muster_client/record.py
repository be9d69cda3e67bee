"""The record of a tournament: its three logs, read to one moment on which all of them agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from muster_client.connection import SERVICES
from muster_client.errors import MusterError

if TYPE_CHECKING:
    from muster_client.muster import Muster

PAGE = 1000
"""Events per request; a service ends a page at 4 MB."""
Take = Callable[[str, int, bytes], Mapping[str, int]]
"""Takes source, position and line of an event; returns the positions of other logs that the event had seen."""


class LogTooShort(MusterError):
    """A service returned no event after a position, although more must exist. source, after, wanted: positions."""

    def __init__(self, source: str, after: int, wanted: int) -> None:
        super().__init__(f"{source} returned no event after {after}; there are {wanted}")
        self.source, self.after, self.wanted = source, after, wanted


def read_logs(muster: Muster, tournament: str, take: Take, ends: Mapping[str, int] | None = None) -> dict[str, int]:
    """Read the logs from their owners in order of position, and return the position to which each was read.

    The logs grow while they are read. Each is read until it holds everything that the others had seen of it, so what
    was taken shows one moment. ends: how far to read at least; by default to the present heads. Raises LogTooShort.
    """
    if ends is None:
        ends = log_ends(muster, tournament)
    wanted = {source: ends.get(source, 0) for source in SERVICES}
    have = dict.fromkeys(SERVICES, 0)
    while behind := [source for source in SERVICES if have[source] < wanted[source]]:
        for source in behind:
            while have[source] < wanted[source]:
                limit = min(PAGE, wanted[source] - have[source])
                lines = muster.service(source).log(tournament, after=have[source], limit=limit)
                if not lines:
                    raise LogTooShort(source, have[source], wanted[source])
                for line in lines:
                    have[source] += 1
                    for other, position in take(source, have[source], line).items():
                        if other in wanted:
                            wanted[other] = max(wanted[other], position)
    return have


def log_ends(muster: Muster, tournament: str) -> dict[str, int]:
    """Return the present end of each log, from its owner; 0 for an empty one."""
    heads = {source: muster.service(source).heads(tournament).heads.get(source) for source in SERVICES}
    return {source: head.position if head else 0 for source, head in heads.items()}


class _Line(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The attributes of an event in a file, in their order. Values are kept byte for byte."""

    specversion: msgspec.Raw
    id: msgspec.Raw
    source: msgspec.Raw
    type: str
    subject: msgspec.Raw
    time: msgspec.Raw
    datacontenttype: msgspec.Raw
    dataschema: str
    tournament: msgspec.Raw
    position: msgspec.Raw
    schemaversion: int
    actor: msgspec.Raw
    commandid: msgspec.Raw
    seen: msgspec.Raw
    prevhash: msgspec.Raw
    hash: msgspec.Raw
    command: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    data: msgspec.Raw


_decoder = msgspec.json.Decoder(_Line)


def record_line(line: bytes) -> tuple[bytes, dict[str, int]]:
    """Return a line of a log as `muster export` writes it, and what its event had seen of the other logs.

    Signatures of the transport and addresses of the service are left out. Raises ValueError if it is not an event.
    """
    try:
        event = _decoder.decode(line)
        seen = msgspec.json.decode(msgspec.json.decode(event.seen, type=str), type=dict[str, int])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"not an event: {error}") from error
    event.dataschema = f"urn:muster:event:{event.type}:{event.schemaversion}"
    return msgspec.json.encode(event), seen
