"""Signatures: a source signs the heads of its logs and of its feed, and copies accept only events that these cover.

A signature (`kid:` and 64 bytes in base64url) is over one of two statements, each a few lines of ASCII:

    muster-log-1       source, tournament, position, hash: the log up to here, since the hash covers all before it
    muster-feed-1      source, feed position, digest: the feed up to here, back to where its digests begin

    digest = SHA-256 of the lines: feedbefore, feed position, tournament, position, hash

`feedbefore` is the digest of the previous feed position. So the last signature covers a whole sequence of consecutive
events of one log or of the feed. Digests restart with 64 zeros every BLOCK positions, so that each can be computed from
a page; a verifier need not know where they restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shared.keys import PublicKeys, SigningKey, decode_base64url, encode_base64url
from shared.log.database import Database
from shared.log.event import GENESIS, Recorded
from shared.log.reading import feed_hashes
from shared.messaging.envelope import InboundMessage, event_of, feed_line, log_line

BLOCK = 256
"""Feed positions that share one chain of digests."""
_SIGNATURE_BYTES = 64
SIGNED_LINES = 64
SIGNED_SIZE = 512 * 1024
"""Maximum lines, and characters of data, from one signed line of a page to the next."""


def log_statement(event: Recorded) -> bytes:
    """Return the statement that a signature over a log up to this event covers."""
    return f"muster-log-1\n{event.source}\n{event.tournament}\n{event.position}\n{event.hash}".encode()


def feed_statement(source: str, feed: int, digest: str) -> bytes:
    """Return the statement that a signature over a feed up to this position covers."""
    return f"muster-feed-1\n{source}\n{feed}\n{digest}".encode()


def feed_digest(before: str, feed: int, tournament: str, position: int, hash: str) -> str:
    """Return the digest at a feed position, in hex. before: the digest of the previous position."""
    return sha256(f"{before}\n{feed}\n{tournament}\n{position}\n{hash}".encode()).hexdigest()


def block_start(feed: int) -> int:
    """Return the first feed position of the block of digests that contains a position."""
    return feed - (feed - 1) % BLOCK


class Signer:
    """Signs the logs and the feed of one source. keys: the first one signs. at: public URL of the source."""

    def __init__(self, source: str, keys: Sequence[SigningKey], at: str = "") -> None:
        self.source = source
        self.at = at
        self._kid = keys[0].kid
        self._key = Ed25519PrivateKey.from_private_bytes(keys[0].seed)

    def log(self, event: Recorded) -> str:
        """Return the signature over a log up to this event."""
        return self._signature(log_statement(event))

    def feed(self, feed: int, digest: str) -> str:
        """Return the signature over the feed up to a position."""
        return self._signature(feed_statement(self.source, feed, digest))

    def _signature(self, statement: bytes) -> str:
        return f"{self._kid}:{encode_base64url(self._key.sign(statement))}"


class Keyring:
    """The public keys of all sources; verifies their signatures."""

    def __init__(self, keys: PublicKeys) -> None:
        self._keys: Mapping[str, Mapping[str, Ed25519PublicKey]] = {
            source: {kid: Ed25519PublicKey.from_public_bytes(key) for kid, key in named.items()}
            for source, named in keys.items()
        }

    def fault(self, source: str, statement: bytes, signature: str) -> str:
        """Return why a signature is not valid for a statement of `source`; empty if it is valid."""
        if not signature:
            return "not vouched for: it carries no signature"
        kid, _, encoded = signature.partition(":")
        key = self._keys.get(source, {}).get(kid)
        if key is None:
            return f"not vouched for: {source} has no key {kid[:64]!r}"
        try:
            given = decode_base64url(encoded)
            if len(given) != _SIGNATURE_BYTES:
                return "not vouched for: its signature is cut short"
            key.verify(given, statement)
        except (ValueError, InvalidSignature):
            return f"not vouched for: the signature is not one of {source}'s for this event at this place"
        return ""


def find_unvouched(keyring: Keyring, messages: Sequence[InboundMessage]) -> list[tuple[InboundMessage, str]]:
    """Return the messages without a valid signature, each with the reason. All of them must be parsed."""
    placed = [message for message in messages if message.feed is not None]
    unvouched = [
        (message, fault) for message in messages if message.feed is None and (fault := _log_fault(keyring, message))
    ]
    for run in _feed_runs(placed):
        # The last valid signature covers all messages before it; those after it are not covered.
        while run and (fault := _feed_fault(keyring, *run[-1])):
            unvouched.append((run.pop()[0], fault))
    return unvouched


def _feed_runs(messages: Sequence[InboundMessage]) -> list[list[tuple[InboundMessage, str]]]:
    """Return messages with their digests, in runs in which each refers to the digest of the previous one."""
    runs: list[list[tuple[InboundMessage, str]]] = []
    for message in sorted(messages, key=lambda a: (event_of(a).source, a.feed or 0)):
        event, feed = event_of(message), message.feed or 0
        digest = feed_digest(message.before, feed, event.tournament, event.position, event.hash)
        last, end = runs[-1][-1] if runs else (None, "")
        follows = last is not None and event_of(last).source == event.source and last.feed == feed - 1
        if follows and message.before == end:
            runs[-1].append((message, digest))
        else:
            runs.append([(message, digest)])
    return runs


def _feed_fault(keyring: Keyring, message: InboundMessage, digest: str) -> str:
    source = event_of(message).source
    return keyring.fault(source, feed_statement(source, message.feed or 0, digest), message.signature)


def _log_fault(keyring: Keyring, message: InboundMessage) -> str:
    event = event_of(message)
    return keyring.fault(event.source, log_statement(event), message.signature)


class FeedChain:
    """Computes the digests of the feed; consecutive pages need no further queries. Not thread-safe."""

    def __init__(self, database: Database, source: str) -> None:
        self._database = database
        self._source = source
        self._at = (0, "")

    def digests(self, page: Sequence[tuple[int, Recorded]]) -> list[tuple[str, str]]:
        """Return, for each line of a page without gaps, the digest of the previous position and its own."""
        digests: list[tuple[str, str]] = []
        digest = self._before(page[0][0]) if page else GENESIS
        for feed, event in page:
            before = GENESIS if feed == block_start(feed) else digest
            digest = feed_digest(before, feed, event.tournament, event.position, event.hash)
            digests.append((before, digest))
        if page:
            self._at = (page[-1][0], digest)
        return digests

    def _before(self, feed: int) -> str:
        first = block_start(feed)
        if self._at[0] == feed - 1 or feed == first:
            return self._at[1]
        digest = GENESIS
        with self._database.reading() as connection:
            for row in feed_hashes(connection, self._source, first, feed):
                digest = feed_digest(digest, *row)
        return digest


def sign_places(chain: FeedChain, signer: Signer, page: Sequence[tuple[int, Recorded]]) -> list[tuple[str, str]]:
    """Return, for each line of a feed page, the digest of the previous position and a signature up to the line."""
    return [
        (before, signer.feed(feed, digest))
        for (feed, _), (before, digest) in zip(page, chain.digests(page), strict=True)
    ]


def feed_lines(chain: FeedChain, signer: Signer, page: Sequence[tuple[int, Recorded]]) -> Iterator[bytes]:
    """Yield the lines of a feed page. Some lines are signed; through the hash chain they cover all lines."""
    due = _Due(len(page))
    for (feed, event), (before, digest) in zip(page, chain.digests(page), strict=True):
        signed = due.after(event) or feed + 1 == block_start(feed + 1)
        yield feed_line(feed, event, before, signer.feed(feed, digest) if signed else "", signer.at)


def individually_signed_lines(
    chain: FeedChain, signer: Signer, page: Sequence[tuple[int, Recorded]], select: Callable[[Recorded], bool]
) -> list[bytes]:
    """Return the selected lines of a feed page, each with its own signature."""
    places = zip(page, sign_places(chain, signer, page), strict=True)
    return [feed_line(feed, event, *place, signer.at) for (feed, event), place in places if select(event)]


def log_lines(signer: Signer, events: Sequence[Recorded]) -> Iterator[bytes]:
    """Yield the lines of a page of one own log; enough of them are signed to cover all."""
    due = _Due(len(events))
    for event in events:
        yield log_line(event, signer.log(event) if due.after(event) else "", signer.at)


class _Due:
    """Decides which lines to sign: the last one, and enough others for a truncated page to be usable."""

    def __init__(self, lines: int) -> None:
        self._left = lines
        self._lines = 0
        self._size = 0

    def after(self, event: Recorded) -> bool:
        self._left -= 1
        self._lines += 1
        self._size += len(event.data) + len(event.command)
        if self._left and self._lines < SIGNED_LINES and self._size < SIGNED_SIZE:
            return False
        self._lines = self._size = 0
        return True
