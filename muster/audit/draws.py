"""The audit of draws: re-decision takes recorded answers; revealed secrets then prove the answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from muster.audit.findings import LONGEST, Findings
from muster.audit.replay import DecodedEvent
from shared.log.event import Answer, Event
from shared.refusals import Refusal, expects
from shared.tournament.draws import (
    BeaconMissed,
    BeaconRead,
    DrawRecord,
    DrawsCommitted,
    DrawsLost,
    DrawsRevealed,
    Oracle,
    SecretLost,
    SeededDraws,
    answer_to,
    beacon_value,
    digest_of,
)


class NotDrawn(Refusal):
    """A decision asks a question whose answer is not in its events."""

    code = "not-drawn"


class RecordedOracle(Oracle):
    """Answers the questions of one command from its own events.

    keeps_back: the command may have drawn a draft, whose answers are not in the log yet.
    """

    def __init__(self, draws: DrawRecord, events: Sequence[Event], *, keeps_back: bool) -> None:
        super().__init__(draws)
        self._answers = {answer.question: answer for event in events for answer in event.answers}
        self._committed = {event.number: event for event in events if isinstance(event, DrawsCommitted)}
        self._revealed = {event.number: event for event in events if isinstance(event, DrawsRevealed)}
        self._lost = {event.number: event for event in events if isinstance(event, DrawsLost)}
        self._keeps_back = keeps_back

    def value(self, number: int, question: str) -> str:
        """Return the recorded answer. Raises SecretLost as the service did, and NotDrawn."""
        self._refuse_lost(number)
        if question in self._answers:
            return self._answers[question].value
        if self._keeps_back:
            return SeededDraws("draft").answer(question)
        raise NotDrawn(f"its events have no answer to the question {question}")

    def changes(self, question: str, about: Collection[str]) -> list[str]:
        """Return the recorded changes."""
        return self._answers[question].changes if question in self._answers else []

    def make_secret(self, number: int, *, with_beacon: bool = True) -> DrawsCommitted:
        """Return the recorded commitment; one without a digest if there is none."""
        return self._committed.get(number) or DrawsCommitted(number=number, digest="")

    def reveal_secret(self, number: int) -> DrawsRevealed:
        """Return the recorded secret; an empty one if it was not revealed. Raises SecretLost as the service did."""
        self._refuse_lost(number)
        return self._revealed.get(number) or DrawsRevealed(number=number, secret="")

    def _refuse_lost(self, number: int) -> None:
        if number in self._lost:
            raise SecretLost(self._lost[number].reason)


def audit_draws(log: Sequence[DecodedEvent], findings: Findings) -> None:
    """Check every answer of a log whose secret is revealed, and every secret against its commitment.

    Counts draws that are checked, draws whose secret is still sealed, draws by a secret that was committed to in the
    same command or is lost, lost secrets, and beacon values that were read or missed.
    """
    digests: dict[int, str] = {}
    commands: dict[int, str] = {}
    secrets: dict[int, str] = {}
    lost: set[int] = set()
    draws = DrawRecord()
    for decoded in log:
        event = decoded.event
        if isinstance(event, DrawsCommitted):
            digests[event.number], commands[event.number] = event.digest, decoded.command_id
        elif isinstance(event, BeaconRead):
            findings.counts["beacons read"] += 1
            try:
                draws.beacons[event.number] = beacon_value(event.signature)
            except ValueError:
                findings.fail("draw", decoded, f"the signature {event.signature[:LONGEST]}", expects("hexadecimal"))
        elif isinstance(event, BeaconMissed):
            findings.counts["beacons missed"] += 1
        elif isinstance(event, DrawsLost):
            lost.add(event.number)
        elif isinstance(event, DrawsRevealed):
            found = _digest(event.secret)
            due = digests.get(event.number)
            if found != due:
                expected = expects("no-commitment") if due is None else expects("value", value=due)
                findings.fail("draw", decoded, f"secret {event.number} with the digest {found}", expected)
            else:
                secrets[event.number] = event.secret
    findings.counts["secrets lost"] += len(lost)
    for decoded in log:
        for answer in decoded.event.answers:
            _check(answer, decoded, secrets, draws, findings)
            if answer.number not in digests:
                findings.fail("draw", decoded, f"an answer by secret {answer.number}", expects("committed-secret"))
            elif commands[answer.number] == decoded.command_id:
                findings.counts["draws committed late"] += 1
            findings.counts["draws lost"] += answer.number in lost


def compare_beacons(log: Sequence[DecodedEvent], findings: Findings, signature_of: Callable[[int], str]) -> None:
    """Compare each value of the public beacon in a log with the beacon's own.

    signature_of: returns the beacon's signature of a round in hex; its exceptions propagate.
    """
    rounds: dict[int, int] = {}
    for decoded in log:
        event = decoded.event
        if isinstance(event, DrawsCommitted):
            rounds[event.number] = event.beacon
        elif isinstance(event, BeaconRead):
            round = rounds.get(event.number, 0)
            due = signature_of(round)
            findings.counts["beacons compared"] += 1
            if event.signature != due:
                found = f"the signature {event.signature[:LONGEST]} of the beacon's round {round}"
                findings.fail("draw", decoded, found, expects("value", value=due))


def _check(
    answer: Answer, decoded: DecodedEvent, secrets: dict[int, str], draws: DrawRecord, findings: Findings
) -> None:
    if answer.number not in secrets:
        findings.counts["draws sealed"] += 1
        return
    findings.counts["draws checked"] += 1
    due = answer_to(secrets[answer.number], draws.with_beacon_value(answer.number, answer.question))
    if answer.value != due:
        said = f"{answer.value} as the answer to: {answer.question}"
        findings.fail("draw", decoded, said, expects("answer-by-secret", answer=due, number=answer.number))


def _digest(secret: str) -> str:
    try:
        return digest_of(secret)
    except ValueError:
        return "nothing, since it is not hexadecimal"
