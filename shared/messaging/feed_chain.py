"""The digests of a source's own feed, and its lines with what vouches for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.eventlog.database import Database
from shared.eventlog.read import feed_hashes
from shared.events.recorded import GENESIS, Recorded
from shared.messaging.vouching import Signer, block_of, feed_digest
from shared.messaging.wire import feed_line, log_line

SIGNED_LINES = 64
SIGNED_SIZE = 512 * 1024
"""Lines of a page, and characters of their data, of which one at least is signed."""


class FeedChain:
    """Computes digests along the feed; who goes on where it stopped reads nothing again. For one thread."""

    def __init__(self, database: Database, source: str) -> None:
        self._database = database
        self._source = source
        self._at = (0, "")

    def digests(self, page: Sequence[tuple[int, Recorded]]) -> list[tuple[str, str]]:
        """The digest before each line of a page without gaps, and the one at it."""
        found: list[tuple[str, str]] = []
        digest = self._before(page[0][0]) if page else GENESIS
        for feed, event in page:
            before = GENESIS if feed == block_of(feed) else digest
            digest = feed_digest(before, feed, event.tournament, event.position, event.hash)
            found.append((before, digest))
        if page:
            self._at = (page[-1][0], digest)
        return found

    def _before(self, feed: int) -> str:
        first = block_of(feed)
        if self._at[0] == feed - 1 or feed == first:
            return self._at[1]
        digest = GENESIS
        with self._database.reading() as connection:
            for row in feed_hashes(connection, self._source, first, feed):
                digest = feed_digest(digest, *row)
        return digest


def feed_messages(chain: FeedChain, signer: Signer, page: Sequence[tuple[int, Recorded]]) -> list[bytes]:
    """The lines of a page of the feed, each vouched for by itself."""
    return [
        feed_line(feed, event, before, signer.feed(feed, digest))
        for (feed, event), (before, digest) in zip(page, chain.digests(page), strict=True)
    ]


def feed_lines(chain: FeedChain, signer: Signer, page: Sequence[tuple[int, Recorded]]) -> Iterator[bytes]:
    """The lines of a page of the feed, of which so many are signed that they vouch for all of them."""
    due = _Due(len(page))
    for (feed, event), (before, digest) in zip(page, chain.digests(page), strict=True):
        signed = due.after(event) or feed + 1 == block_of(feed + 1)
        yield feed_line(feed, event, before, signer.feed(feed, digest) if signed else "")


def log_lines(signer: Signer, events: Sequence[Recorded]) -> Iterator[bytes]:
    """The lines of a page of one own log, of which so many are signed that they vouch for all of them."""
    due = _Due(len(events))
    for event in events:
        yield log_line(event, signer.log(event) if due.after(event) else "")


class _Due:
    """When a signature is due: with the last line, and often enough that a page cut short is worth something."""

    def __init__(self, lines: int) -> None:
        self._left = lines
        self._lines = 0
        self._size = 0

    def after(self, event: Recorded) -> bool:
        self._left -= 1
        self._lines += 1
        self._size += len(event.data)
        if self._left and self._lines < SIGNED_LINES and self._size < SIGNED_SIZE:
            return False
        self._lines = self._size = 0
        return True
