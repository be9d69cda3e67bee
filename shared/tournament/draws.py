"""Draws of a tournament: committed secrets, the questions they answer, and their record in the log.

Each service that draws keeps one secret at a time, in a private row. `DrawsCommitted` records its digest before anyone
can influence what it decides. The answer to a question is HMAC-SHA256(secret, question): no one can foresee it, and the
same question has the same answer. The event that results from an answer includes it. `DrawsRevealed` records the secret
once it answers no new questions. From then on anyone can check every answer.

An installation may add a public beacon. Each commitment then names a future round of the beacon, and the value of that
round becomes a part of every question. So the installation cannot select a secret by its answers.
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
"""Kind of the private row that holds a secret. The row's id is the number of the secret."""
PREVIEW_ROW = "look"
"""Kind of the private row that holds a `FirstPreview`. The row's id is the question."""
BEACON_ROW = "beacon"
"""Kind of the private row that makes the service read the beacon. The row's id is the number of the secret."""


class DrawsCommitted(Event, frozen=True, kw_only=True):
    """The service made a new secret and committed to it. The secret answers questions from now on.

    - `number`: number of the secret in this log, from 1.
    - `digest`: SHA-256 of the secret's 32 bytes, in hex.
    - `beacon`: round of the public beacon (drand's quicknet) whose value becomes a part of every question; 0 for none.
      The secret then answers questions only after BeaconRead or BeaconMissed.
    """

    number: int
    digest: str
    beacon: int = 0


class BeaconRead(Event, frozen=True, kw_only=True):
    """The service read the beacon round that a commitment named. The secret answers questions from now on.

    - `number`: number of the secret.
    - `signature`: the beacon's signature of the round, in hex. Its SHA-256 is the beacon's value.
    """

    number: int
    signature: str


class BeaconMissed(Event, frozen=True, kw_only=True):
    """The service could not read the beacon in time. The secret answers questions without it.

    - `number`: number of the secret.
    - `reason`: description of the error.
    """

    number: int
    reason: str


class DrawsRevealed(Event, frozen=True, kw_only=True):
    """The service revealed a secret. It answers no more questions.

    - `number`: number of the secret.
    - `secret`: the 32 bytes in hex.
    """

    number: int
    secret: str


class DrawsLost(Event, frozen=True, kw_only=True):
    """The service lost a secret. Its answers can never be checked. A new secret follows.

    - `number`: number of the secret.
    - `reason`: description of the cause.
    """

    number: int
    reason: str


class Secret(Struct, frozen=True):
    """Body of a private row: the secret in hex, encrypted with a key of the service, in base64."""

    sealed: str


class AwaitedBeacon(Struct, frozen=True):
    """Body of a private row: the beacon round to record once it is published."""

    round: int


class FirstPreview(Struct, frozen=True):
    """Body of a private row: the inputs of a draw (such as player ids) when staff first previewed its outcome."""

    about: list[str]


class DrawRecord(Struct):
    """The fold of one log's draws.

    - `committed`: digest by number of secret. `revealed`: secret by number. `lost`: numbers.
    - `answers`: answer by question.
    - `beacons`: value of the beacon by number of secret; None while it is awaited. Secrets without a beacon, or with a
      missed one, have no entry.
    """

    committed: dict[int, str] = field(default_factory=dict)
    revealed: dict[int, str] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    beacons: dict[int, str | None] = field(default_factory=dict)

    def with_beacon_value(self, number: int, question: str) -> str:
        """Return a question with the beacon's value, if the secret has one."""
        value = self.beacons.get(number)
        return f"{question}, beacon {value}" if value else question

    @property
    def current(self) -> int:
        """Number of the secret that answers new questions; 0 if there is none."""
        last = max(self.committed, default=0)
        return 0 if last in self.revealed or last in self.lost else last


def _committed(draws: DrawRecord, event: DrawsCommitted, stored: StoredEvent) -> None:
    draws.committed[event.number] = event.digest
    if event.beacon:
        draws.beacons[event.number] = None


def _read(draws: DrawRecord, event: BeaconRead, stored: StoredEvent) -> None:
    if event.number not in draws.beacons:
        raise KeyError(f"secret {event.number} awaits no beacon")
    draws.beacons[event.number] = beacon_value(event.signature)


def _missed(draws: DrawRecord, event: BeaconMissed, stored: StoredEvent) -> None:
    draws.beacons.pop(event.number)


def _revealed(draws: DrawRecord, event: DrawsRevealed, stored: StoredEvent) -> None:
    if event.number not in draws.committed:
        raise KeyError(f"secret {event.number} was never committed to")
    draws.revealed[event.number] = event.secret


def _lost(draws: DrawRecord, event: DrawsLost, stored: StoredEvent) -> None:
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
"""Event type -> the function that applies it. Every service has these events."""
ABOUT_SECRETS = frozenset(event.__name__ for event in EVOLVE)
"""Types of events that a command causes as a side effect. Answers and previews omit them."""


def digest_of(secret: str) -> str:
    """Return the digest that commits to a secret. Raise ValueError if the secret is not hexadecimal."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def answer_to(secret: str, question: str) -> str:
    """Return a secret's answer to a question. Raise ValueError if the secret is not hexadecimal."""
    return hmac.digest(bytes.fromhex(secret), question.encode(), "sha256").hex()


def beacon_value(signature: str) -> str:
    """Return the beacon's value of a signature, in hex. Raise ValueError if the signature is not hexadecimal."""
    return sha256(bytes.fromhex(signature)).hexdigest()


class BeaconAwaited(Refusal):
    """The current secret still waits for its beacon; data: `retry_after` in seconds."""

    code = "beacon-awaited"


BEACON_SECONDS = 10
"""Seconds after which callers should retry while the beacon is awaited."""


class SecretLost(Exception):
    """The row of a secret is missing, or no key decrypts it."""


class Oracle(ABC):
    """The source of answers for one decision. Collects the answers and secret events that the log must record.

    A question that the log has already answered gets the recorded answer, whatever secret is in use now. `events` are
    the events about secrets that were made, revealed or lost for this decision.
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
        """Return a secret's answer to a question. Raises SecretLost."""

    def changes(self, question: str, about: Collection[str]) -> list[str]:
        """Return the changes of the inputs since staff first previewed the outcome of a question."""
        return []

    @abstractmethod
    def make_secret(self, number: int, *, with_beacon: bool = True) -> DrawsCommitted:
        """Make the secret of a number and return the event that commits to it.

        `with_beacon`: name a round of the public beacon, if the service uses one.
        """

    @abstractmethod
    def reveal_secret(self, number: int) -> DrawsRevealed:
        """Return the event that reveals a secret. Raises SecretLost."""

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question as 64 hex digits. `about`: see `shared.rules.model.Draws`."""
        answer = self._known.get(question) or self._new.get(question)
        if answer is None:
            answer = self._ask(question)
            if about:
                answer = replace(answer, changes=self.changes(question, about))
            self._new[question] = answer
        return answer.value

    def has_answered(self, question: str) -> bool:
        """Return True if the log or this decision already has the answer to a question."""
        return question in self._known or question in self._new

    @property
    def new(self) -> list[Answer]:
        """The answers that the log does not have yet, in the order of their questions."""
        return list(self._new.values())

    @property
    def is_committed(self) -> bool:
        """True if there is a secret for new questions."""
        return bool(self._current)

    def commit(self, *, with_beacon: bool = True) -> None:
        """Make the next secret. A secret that has to answer immediately must not wait for a beacon."""
        self._last = self._current = self._last + 1
        self.events.append(self.make_secret(self._current, with_beacon=with_beacon))

    def reveal(self) -> None:
        """Reveal the current secret, if there is one."""
        if self._current:
            try:
                self.events.append(self.reveal_secret(self._current))
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
    """Return a decision's events with its new answers, followed by the events about secrets.

    `keeps_back`: the answers belong to a draft. They stay private until the event that ends the secret.
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
    """Answers derived from a text instead of a secret: for previews, and to repeat a draw with a known answer."""

    text: str

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the answer to a question as 64 hex digits."""
        return sha256(f"{self.text}|{question}".encode()).hexdigest()


class FixedDraws(Struct, frozen=True):
    """The same answer to every question: repeats a draw whose answer is recorded."""

    value: str

    def answer(self, question: str, about: Collection[str] = ()) -> str:
        """Return the recorded answer."""
        return self.value
