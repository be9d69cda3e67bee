"""Draws of a tournament: secrets committed to beforehand, the questions they answer, and what the log holds of both.

Each service that draws keeps one secret at a time in a private row. `DrawsCommitted` records its digest before anybody
can influence what it decides. The answer to a question is HMAC-SHA256(secret, question), so nobody can foresee it, and
asking again gives the same answer. The event that follows from an answer carries it. `DrawsRevealed` records the secret
once no new question can be asked of it: from then on anybody can check every answer.

An installation may mix in a public beacon. The commitment then names a round of the beacon that is still to come, and
its value becomes a part of each question. So nobody can choose a secret whose answers they like.
"""

from __future__ import annotations

import hmac
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from shared.log.event import Answer, Event, StoredEvent
from shared.refusals import Refusal

SECRET_ROW = "secret"
"""The kind of the private row that holds a secret; its id is the number of the secret."""
PREVIEW_ROW = "look"
"""The kind of the private row that holds a `FirstPreview`; its id is the question."""
BEACON_ROW = "beacon"
"""The kind of the private row that makes the service read the beacon in time; its id is the number of the secret."""


class DrawsCommitted(Event, frozen=True, kw_only=True):
    """The service has made a secret that answers questions from now on.

    number: counts the secrets of this log from 1. digest: SHA-256 of the 32 bytes of the secret, in hex. beacon: the
    round of the public beacon (drand's quicknet) whose value is mixed into every question of this secret; 0: none.
    """

    number: int
    digest: str
    beacon: int = 0


class BeaconRead(Event, frozen=True, kw_only=True):
    """The value of the public beacon that a commitment named is known: its secret answers questions from now on.

    number: of the secret. signature: the beacon's signature of the named round, in hex; its SHA-256 is the value.
    """

    number: int
    signature: str


class BeaconMissed(Event, frozen=True, kw_only=True):
    """The beacon could not be read in time: the secret answers questions alone. reason: what the service met."""

    number: int
    reason: str


class DrawsRevealed(Event, frozen=True, kw_only=True):
    """A secret answers no new question any more. secret: its 32 bytes in hex."""

    number: int
    secret: str


class DrawsLost(Event, frozen=True, kw_only=True):
    """The service has lost a secret: the answers that it gave can never be checked. The next secret follows."""

    number: int
    reason: str


class Secret(Struct, frozen=True):
    """The content of a private row. sealed: the secret in hex, encrypted with a key of the service, in base64."""

    sealed: str


class AwaitedBeacon(Struct, frozen=True):
    """The content of a private row. round: of the beacon, whose value is recorded once it is published."""

    round: int


class FirstPreview(Struct, frozen=True):
    """The content of a private row: who and what a draw was about when staff saw first what it would make."""

    about: list[str]


class DrawRecord(Struct):
    """The fold of what one log says about its draws.

    committed: number of a secret -> its digest. revealed: number -> the secret. lost: numbers. answers: question -> its
    answer. beacons: number -> the beacon's value that is mixed into the questions; None while it is awaited. Secrets
    without a beacon, and those whose beacon was missed, are not in it.
    """

    committed: dict[int, str] = field(default_factory=dict)
    revealed: dict[int, str] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    beacons: dict[int, str | None] = field(default_factory=dict)

    def mixed(self, number: int, question: str) -> str:
        """Return a question as the secret of a number is asked it: with the beacon's value, if it has one."""
        value = self.beacons.get(number)
        return f"{question}, beacon {value}" if value else question

    @property
    def current(self) -> int:
        """The number of the secret that answers new questions; 0 if there is none."""
        last = max(self.committed, default=0)
        return 0 if last in self.revealed or last in self.lost else last


def _committed(draws: DrawRecord, event: DrawsCommitted, told: StoredEvent) -> None:
    draws.committed[event.number] = event.digest
    if event.beacon:
        draws.beacons[event.number] = None


def _read(draws: DrawRecord, event: BeaconRead, told: StoredEvent) -> None:
    if event.number not in draws.beacons:
        raise KeyError(f"secret {event.number} awaits no beacon")
    draws.beacons[event.number] = beacon_value(event.signature)


def _missed(draws: DrawRecord, event: BeaconMissed, told: StoredEvent) -> None:
    draws.beacons.pop(event.number)


def _revealed(draws: DrawRecord, event: DrawsRevealed, told: StoredEvent) -> None:
    if event.number not in draws.committed:
        raise KeyError(f"secret {event.number} was never committed to")
    draws.revealed[event.number] = event.secret


def _lost(draws: DrawRecord, event: DrawsLost, told: StoredEvent) -> None:
    draws.lost.append(event.number)


EVOLVE: Mapping[type[Event], Callable[[DrawRecord, Any, StoredEvent], None]] = MappingProxyType(
    {
        DrawsCommitted: _committed,
        BeaconRead: _read,
        BeaconMissed: _missed,
        DrawsRevealed: _revealed,
        DrawsLost: _lost,
    }
)
"""Event -> what it changes. Every service has these events."""
ABOUT_SECRETS = frozenset(event.__name__ for event in EVOLVE)
"""Types of events that follow a command and are not what it asked for: answers and previews leave them out."""


def digest_of(secret: str) -> str:
    """Return the digest by which a secret is committed to. Raises ValueError if the secret is not hexadecimal."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def answer_to(secret: str, question: str) -> str:
    """Return the answer of a secret to a question. Raises ValueError if the secret is not hexadecimal."""
    return hmac.digest(bytes.fromhex(secret), question.encode(), "sha256").hex()


def beacon_value(signature: str) -> str:
    """Return the value of the beacon in hex. signature: of a round. Raises ValueError if it is not hexadecimal."""
    return sha256(bytes.fromhex(signature)).hexdigest()


class BeaconAwaited(Refusal):
    """The secret in use cannot answer yet, since its beacon has not been read; data: `retry_after` in seconds."""

    code = "beacon-awaited"


BEACON_SECONDS = 10
"""Seconds that callers are asked to wait for the beacon."""


class SecretLost(Exception):
    """The row of a secret is gone, or no key opens it."""


class Oracle(ABC):
    """Answers the questions of one decision, and keeps what the log has to hold of them.

    draws: what the log of the deciding service says. A question that it has answered is answered from there, whatever
    secret is in use now. events: of secrets that were made, revealed or lost for this decision.
    """

    def __init__(self, draws: DrawRecord) -> None:
        self._draws = draws
        self._known = draws.answers
        self._last = max(draws.committed, default=0)
        self._current = draws.current
        self._new: dict[str, Answer] = {}
        self.events: list[Event] = []

    @abstractmethod
    def value(self, number: int, question: str) -> str:
        """Return what a secret answers. Raises SecretLost."""

    def changes(self, question: str, about: Collection[str]) -> list[str]:
        """Return what has changed since staff saw first what the answer to a question would make."""
        return []

    @abstractmethod
    def made(self, number: int, *, with_beacon: bool = True) -> DrawsCommitted:
        """Make the secret of a number. with_beacon: wait for the public beacon first, if the service names one."""

    @abstractmethod
    def revealed(self, number: int) -> DrawsRevealed:
        """Return the event that reveals a secret. Raises SecretLost."""

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question, as 64 hex digits. about: as of `shared.rules.model.Draws`."""
        found = self._known.get(question) or self._new.get(question)
        if found is None:
            found = self._ask(question)
            if about:
                found = replace(found, changes=self.changes(question, about))
            self._new[question] = found
        return found.value

    def has_answered(self, question: str) -> bool:
        """Return True if the log holds the answer to a question, or this decision has asked it before."""
        return question in self._known or question in self._new

    @property
    def new(self) -> list[Answer]:
        """The answers that the log does not hold yet, in the order of their questions."""
        return list(self._new.values())

    @property
    def is_committed(self) -> bool:
        """Return True if there is a secret for new questions."""
        return bool(self._current)

    def commit(self, *, with_beacon: bool = True) -> None:
        """Make the next secret. with_beacon: as of `made`; a secret that has to answer at once has none."""
        self._last = self._current = self._last + 1
        self.events.append(self.made(self._current, with_beacon=with_beacon))

    def reveal(self) -> None:
        """Reveal the secret in use, if there is one."""
        if self._current:
            try:
                self.events.append(self.revealed(self._current))
            except SecretLost as lost:
                self._lose(lost)
            self._current = 0

    def _ask(self, question: str) -> Answer:
        if not self._current:
            self.commit(with_beacon=False)
        if self._draws.beacons.get(self._current, "") is None:
            detail = "The draw waits for the value of the public beacon that was named for it."
            raise BeaconAwaited(detail, retry_after=BEACON_SECONDS)
        try:
            return Answer(question=question, number=self._current, value=self.value(self._current, question))
        except SecretLost as lost:
            self._lose(lost)
            self.commit(with_beacon=False)
            return Answer(question=question, number=self._current, value=self.value(self._current, question))

    def _lose(self, lost: SecretLost) -> None:
        self.events.append(DrawsLost(number=self._current, reason=str(lost)))
        self._current = 0


def with_draws(events: Sequence[Event], oracle: Oracle, *, keeps_back: bool = False) -> list[Event]:
    """Return the events of a decision with the answers drawn for them, and the events about secrets that follow.

    keeps_back: the answers may be those of a draft, which is not public before the event that ends the secret.
    """
    ended = any(event.ends_secret for event in events)
    if any(event.ends_draws for event in events):
        oracle.reveal()
    elif ended:
        oracle.reveal()
        oracle.commit()
    if not events or not oracle.new or (keeps_back and not ended):
        return [*events, *oracle.events]
    return [replace(events[0], answers=oracle.new), *events[1:], *oracle.events]


class SeededDraws(Struct, frozen=True):
    """Answers that follow from a text and not from a secret: for previews, and to repeat a draw with a known answer."""

    text: str

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question, as 64 hex digits."""
        return sha256(f"{self.text}|{question}".encode()).hexdigest()


class FixedDraws(Struct, frozen=True):
    """One answer to every question: repeats a draw whose answer is recorded."""

    value: str

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the recorded answer."""
        return self.value
