"""Signatures: neither publishers nor a man in the middle can inject events."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.keys import SigningKey
from shared.log import outbox
from shared.log.copies import open_cases
from shared.log.event import EMPTY_HEAD, GENESIS, Head, canonical_json
from shared.log.log import Entry, chain_events
from shared.messaging.catch_up import CatchUp
from shared.messaging.envelope import Disposition, InboundMessage, feed_line, log_line, parse_line
from shared.messaging.errors import OwnerUnavailable
from shared.messaging.inbox import Inbox
from shared.messaging.peers import UpstreamFeed
from shared.messaging.vouching import (
    BLOCK,
    FeedChain,
    Keyring,
    Signer,
    feed_digest,
    feed_lines,
    find_unvouched,
)
from shared.service.gates import event_fault
from tests.appending import append
from tests.eventlog.stories import STAMP, changed, log_of, read
from tests.examples import examples
from tests.messaging.stage import KEYRING, KEYS, OWNER, SIGNERS, OwnerSite, Stage, feed_messages, message

JOINED = f"{OWNER}.PlayerJoined.cup"
MALLORY = Signer(OWNER, [SigningKey("test-1", sha256(b"mallory").digest())])
"""Says that its key is the owner's."""
STRANGER = Signer(OWNER, [SigningKey("old-1", sha256(b"old").digest())])


def behind(stage: Stage, tournament: str = "cup", type: str = "PlayerJoined", version: int = 1, data: object = None):
    """Return a forged event that follows the copy with valid position, link and hash."""
    log = read(stage.copy, tournament)
    head = Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD
    given = {"name": "Mallory", "player": "mallory"} if data is None else data
    return chain_events(OWNER, tournament, head, [Entry(type, version, canonical_json(given))], STAMP)[0]


def appended(stage: Stage, tournament: str, *entries: Entry) -> None:
    """Append an event that `stage.append` does not support."""
    log = read(stage.owner, tournament)
    append(stage.owner, OWNER, tournament, Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD, entries, STAMP)


def held(stage: Stage) -> list[tuple[str, int, str]]:
    with stage.copy.reading() as connection:
        return [(case.tournament, case.position, case.origin) for case in open_cases(connection)]


@pytest.fixture
def copied(stage: Stage) -> Stage:
    """Return a stage with a tournament whose first two events are copied."""
    stage.append("cup", "cup", "anna")
    stage.inbox().take(stage.arrivals())
    assert (stage.copied(), stage.heard()) == (2, 2)
    return stage


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda event: InboundMessage(feed_line(3, event, GENESIS), JOINED), id="no signature"),
        pytest.param(lambda event: message(event, 3, signer=MALLORY), id="a key of one's own under the owner's name"),
        pytest.param(lambda event: message(event, 3, signer=STRANGER), id="a key that was taken out"),
        pytest.param(lambda event: message(event, 3, signer=SIGNERS["scoring"]), id="another source's key"),
        pytest.param(lambda event: message(event, 3, like=log_of("cup", "x")[0]), id="the signature of another event"),
        pytest.param(lambda event: message(event, signer=MALLORY), id="outside of the feed"),
        pytest.param(lambda event: InboundMessage(log_line(event, "test-1:AAAA"), JOINED), id="a signature cut short"),
        pytest.param(lambda event: InboundMessage(log_line(event, "test-1:ä!"), JOINED), id="no base64"),
    ],
)
def test_a_forged_event_with_a_valid_hash_is_not_copied(copied, forge):
    forged = forge(behind(copied))
    inbox = copied.inbox()
    inbox.take([forged])
    assert forged.disposition is Disposition.POISON
    assert forged.reason.startswith("not vouched for")
    assert (copied.copied(), copied.heard(), held(copied)) == (2, 2, [])
    copied.append("cup", "ben")
    inbox.take(copied.arrivals()[2:])
    copied.assert_equal()
    assert copied.heard() == 3
    assert copied.site.asked == []  # nobody is sent to ask by a stranger


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("links", [False, True])
def test_only_the_forged_event_of_a_batch_is_refused(copied, place, links):
    """links: the forged event names the digest of the previous one, as if it belonged to the feed."""
    copied.append("cup", *"bcde")
    page, _ = outbox.feed_after(copied.owner, OWNER, 2, 10)
    chain = FeedChain(copied.owner, OWNER)
    true = copied.arrivals()[2:]
    digests = [chain.digests(page[:1])[0][0], *(digest for _, digest in FeedChain(copied.owner, OWNER).digests(page))]
    event = behind(copied)
    before = digests[place] if links else GENESIS
    feed = 3 + place
    signature = MALLORY.feed(feed, feed_digest(before, feed, event.tournament, event.position, event.hash))
    forged = InboundMessage(feed_line(feed, event, before, signature), "registration.PlayerJoined.cup")
    batch = [*true[:place], forged, *true[place:]]
    copied.inbox().take(batch)
    assert [arrival.disposition for arrival in batch if arrival is not forged] == [Disposition.COPIED] * 4
    assert forged.disposition is Disposition.POISON
    copied.assert_equal()
    assert copied.heard() == 6


def test_a_true_event_at_another_feed_position_moves_no_cursor(copied):
    inbox = copied.inbox()
    event = read(copied.owner, "cup")[1]
    line = parse_line(copied.lines()[1])
    replayed = [
        InboundMessage(feed_line(feed, event, line.before, line.signature), "registration.PlayerJoined.cup")
        for feed in range(3, 50)
    ]
    inbox.take(replayed)
    assert {arrival.disposition for arrival in replayed} == {Disposition.POISON}
    assert copied.heard() == 2
    copied.append("cup", "ben")
    CatchUp(inbox, copied.upstream()).run_once()
    copied.assert_equal()
    assert copied.cursor() == 3


def test_one_signature_is_checked_for_a_whole_batch(stage, monkeypatch):
    for number in range(40):
        stage.append(f"t{number % 7}", "anna")
    checked = []
    genuine = Keyring.fault
    monkeypatch.setattr(Keyring, "fault", lambda *a: checked.append(a) or genuine(*a))
    stage.inbox().take(stage.arrivals())
    stage.assert_equal()
    assert len(checked) == 1


def test_digests_restart_and_every_page_and_message_is_signed(stage):
    names = [f"p{number}" for number in range(2 * BLOCK + 40)]
    stage.append("cup", *names)
    page, end = outbox.feed_after(stage.owner, OWNER, 0, 10_000)
    assert end == len(names)
    messages = feed_messages(FeedChain(stage.owner, OWNER), SIGNERS[OWNER], page)
    going_on = FeedChain(stage.owner, OWNER)
    piece_by_piece = [
        line
        for start in range(0, end, 90)
        for line in feed_messages(going_on, SIGNERS[OWNER], page[start : start + 90])
    ]
    assert piece_by_piece == messages
    for start, stop in ((0, end), (1, 5), (BLOCK - 1, BLOCK + 1), (BLOCK, BLOCK + 1), (300, end)):
        lines = list(feed_lines(FeedChain(stage.owner, OWNER), SIGNERS[OWNER], page[start:stop]))
        for line, whole in zip(lines, messages[start:stop], strict=True):
            assert parse_line(line).signature in ("", parse_line(whole).signature)
        arrivals = [_read(line) for line in lines]
        assert find_unvouched(KEYRING, arrivals) == []
        assert find_unvouched(KEYRING, [_read(line) for line in messages[start:stop]][::-1]) == []


def _read(body: bytes) -> InboundMessage:
    line = parse_line(body)
    return InboundMessage(body, event=line.event, feed=line.feed, before=line.before, signature=line.signature)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_after_any_change_in_transit_only_the_owners_events_are_copied(new_stage, data):
    """Replace members of valid messages by those of others, in batches of any order."""
    stage = new_stage()
    stage.append("cup", *"abcdef")
    stage.append("open", *"xyz")
    lines = [parse_line(line) for line in stage.lines()]
    batch = []
    for _ in range(data.draw(st.integers(1, 12))):
        picked, other = (lines[data.draw(st.integers(0, len(lines) - 1))] for _ in range(2))
        what = data.draw(st.sets(st.sampled_from(["event", "feed", "before", "signature"]), max_size=2))
        event, feed, before, signature = (
            getattr(other if name in what else picked, name) for name in ("event", "feed", "before", "signature")
        )
        body = feed_line(feed, event, before, signature)
        batch.append(InboundMessage(body, f"{event.source}.{event.type}.{event.tournament}"))
    stage.inbox().take(batch)
    true = {(line.feed, line.event.id) for line in lines}
    for arrival in batch:
        if arrival.disposition is not Disposition.POISON:
            assert (arrival.feed, arrival.event.id) in true
    CatchUp(stage.inbox(), stage.upstream()).run_once()
    stage.assert_equal()
    assert stage.cursor() == 9


def test_a_man_in_the_middle_cannot_inject_events(copied):
    """An owner over HTTP signs with another key: neither its feed nor its log is accepted."""
    forged = behind(copied)
    posing = OwnerSite(copied.owner)
    posing.__class__ = type("Posing", (OwnerSite,), {"signer": MALLORY})
    copied.append("cup", "ben")
    posing.spoil = lambda event: forged if event.position == 3 else event
    import httpx

    upstream = UpstreamFeed({OWNER: "http://owner"}, transport=httpx.MockTransport(posing))
    inbox = Inbox(copied.copy, [OWNER], KEYRING, event_fault, upstream.fetch)
    catch_up = CatchUp(inbox, upstream)
    catch_up.run_once()
    assert "not vouched for" in catch_up.lag()[OWNER].error
    with pytest.raises(OwnerUnavailable, match="not vouched for"):
        inbox.backfill(OWNER, "cup")
    assert (copied.copied(), copied.heard()) == (2, 2)
    CatchUp(copied.inbox(), copied.upstream()).run_once()
    copied.assert_equal()


def test_a_key_is_rotated_without_an_interruption(copied):
    """The new key is published, then used; then the old one is removed."""
    new = SigningKey("test-2", sha256(b"new").digest())
    old = KEYS[OWNER]
    both = Keyring({OWNER: {old.kid: old.public, new.kid: new.public}})
    only_new = Keyring({OWNER: {new.kid: new.public}})
    fetch = copied.upstream().fetch
    copied.append("cup", "b", "c", "d")
    page, _ = outbox.feed_after(copied.owner, OWNER, 2, 10)
    by_old, by_new = (
        [
            InboundMessage(body, "registration.PlayerJoined.cup")
            for body in feed_messages(FeedChain(copied.owner, OWNER), signer, page)
        ]
        for signer in (SIGNERS[OWNER], Signer(OWNER, [new, old]))
    )
    Inbox(copied.copy, [OWNER], both, event_fault, fetch).take([by_old[0], by_new[1]])
    assert [by_old[0].disposition, by_new[1].disposition] == [Disposition.COPIED] * 2
    Inbox(copied.copy, [OWNER], only_new, event_fault, fetch).take([by_old[2]])
    assert by_old[2].disposition is Disposition.POISON
    Inbox(copied.copy, [OWNER], only_new, event_fault, fetch).take([by_new[2]])
    copied.assert_equal()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        pytest.param(Entry("PlayerJoined", 1, '{"x":1}'), "do not fit", id="data of another shape"),
        pytest.param(Entry("PlayerJoined", 1, '{"player":"b","name":"B"}'), "canonical", id="not canonical"),
        pytest.param(Entry("VenueOpened", 1, '{"tables":"x"}'), "do not fit", id="an upcast that fails"),
        pytest.param(Entry("RoundPaired", 1, "{}"), "no event of", id="an event of another source"),
        pytest.param(
            Entry("TournamentAnnounced", 2, '{"format":"swiss","name":"x","ruleset":{}}'), "begins", id="begun twice"
        ),
    ],
)
def test_signed_events_must_match_the_catalogue(copied, entry, said):
    appended(copied, "cup", entry)
    appended(copied, "open", Entry("TournamentAnnounced", 2, '{"format":"swiss","name":"x","ruleset":{}}'))
    arrivals = copied.arrivals()[2:]
    inbox = copied.inbox()
    inbox.take(arrivals)
    assert [arrival.disposition for arrival in arrivals] == [Disposition.TAMPERED, Disposition.COPIED]
    assert said in arrivals[0].reason
    assert {case[:2] for case in held(copied)} == {("cup", 3)}
    catch_up = CatchUp(inbox, copied.upstream())
    for _ in range(2):  # what is short is looked for from the feed's beginning, once
        catch_up.run_once()
    assert (len(read(copied.copy, "cup")), copied.cursor()) == (2, 4)  # the others go on


def test_a_log_begins_with_an_announcement(stage):
    appended(stage, "cup", Entry("PlayerJoined", 1, '{"name":"a","player":"a"}'))
    (arrival,) = stage.arrivals()
    stage.inbox().take([arrival])
    assert arrival.disposition is Disposition.TAMPERED
    assert stage.copied() == 0


@pytest.mark.parametrize("entry", [Entry("PlayerJoined", 9, '{"new":1}'), Entry("PlayerKnighted", 1, "{}")])
def test_events_of_newer_code_wait_and_are_fetched_after_the_upgrade(copied, monkeypatch, entry):
    appended(copied, "cup", entry, Entry("PlayerJoined", 1, '{"name":"c","player":"c"}'))
    copied.append("open", "open")
    arrivals = copied.arrivals()[2:]
    inbox = copied.inbox()
    inbox.take(arrivals)
    assert [arrival.disposition for arrival in arrivals] == [Disposition.HELD, Disposition.BLOCKED, Disposition.COPIED]
    assert held(copied) == [("cup", 3, "newer")]
    with copied.copy.reading() as connection:
        (case,) = open_cases(connection)
    assert case.reason == f"waits for newer code: {entry.type}, version {entry.version}"
    catch_up = CatchUp(inbox, copied.upstream())
    for _ in range(2):  # what is short is looked for from the feed's beginning, once
        catch_up.run_once()
    assert copied.cursor() == 5  # those of other logs go on

    def known(event):
        return None if event.type == entry.type else event_fault(event)

    monkeypatch.setattr(inbox, "_fault_in", known)
    catch_up.request()
    catch_up.run_once()
    copied.assert_equal()
    assert held(copied) == []


def test_a_tampered_version_does_not_wait(copied):
    copied.append("cup", "ben")
    true = read(copied.owner, "cup")[2]
    other = message(changed(true, version=9), 3, like=true)
    copied.site.down = True
    copied.inbox().take([other])
    assert other.disposition is Disposition.TAMPERED


class Both:
    """A copy of registration's and of scoring's logs."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.down = {"registration": False, "scoring": False}
        import httpx

        def answer(request: httpx.Request) -> httpx.Response:
            source = request.url.host
            if self.down[source]:
                return httpx.Response(503)
            return OwnerSite(stage.owner, source)(request)

        self.upstream = UpstreamFeed(
            {name: f"http://{name}" for name in self.down}, transport=httpx.MockTransport(answer)
        )
        self.inbox = Inbox(stage.copy, list(self.down), KEYRING, event_fault, self.upstream.fetch)

    def held(self, source: str) -> int:
        return len(read(self.stage.copy, "cup", source))


def test_events_of_an_unannounced_tournament_wait(stage):
    both = Both(stage)
    stranger = message(log_of("cup", "fair", source="scoring")[0], 1)
    both.inbox.take([stranger])
    assert stranger.disposition is Disposition.HELD
    assert stage.copied() == 0
    assert held(stage) == [("cup", 1, "early")]


@pytest.mark.parametrize("away", [False, True])
def test_early_events_are_copied_after_the_announcement(stage, away):
    both = Both(stage)
    true = log_of("cup", "fair", source="scoring")
    append(stage.owner, "scoring", "cup", EMPTY_HEAD, [Entry(true[0].type, 1, true[0].data)], STAMP)
    early = message(true[0], 1)
    both.down["registration"] = away
    if not away:
        stage.append("cup", "cup")
    both.inbox.take([early])
    assert early.disposition is (Disposition.HELD if away else Disposition.COPIED)
    both.down["registration"] = False
    if away:
        stage.append("cup", "cup")
        both.inbox.backfill("registration", "cup")  # as the message or the catch-up brings it
    assert (both.held("registration"), both.held("scoring")) == (1, 1)
    assert held(stage) == []


def test_announcement_and_result_in_one_batch_need_no_request(stage):
    both = Both(stage)
    both.down = dict.fromkeys(both.down, True)
    scored = message(log_of("cup", "fair", source="scoring")[0], 1)
    announced = message(log_of("cup", "cup")[0], 1)
    both.inbox.take([scored, announced])
    assert (scored.disposition, announced.disposition) == (Disposition.COPIED, Disposition.COPIED)
