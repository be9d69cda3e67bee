"""Webhooks from the view of a receiver: signatures, order, retries."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from shared import metrics
from shared.tournament.registration import (
    OpenedRoster,
    PlayerDisqualified,
    RosterAccepted,
    RostersOpened,
    RosterSubmitted,
    StaffDismissed,
    TokenRevoked,
)
from tests.acting import text_of
from tests.issuing import issued_id
from tests.services.scoring import receiver as acts
from tests.services.scoring.receiver import Receiver
from tests.services.scoring.story import floor, score
from tests.services.scoring.webhook_story import DAY, HOUR, LOCAL, MINUTE, SECRET, Post, in_order, subscribe


@pytest.fixture
def club(new_club):
    """A separate scoring service whose webhooks may post to this machine."""
    return new_club("scoring", **LOCAL)


@pytest.fixture
def post(club):
    return Post(club)


@pytest.fixture
def receiver():
    with Receiver() as found:
        yield found


@pytest.fixture
def evening(club):
    return floor(club, 4, staff=("referee", "integration"))


def feed(club, tournament: str, token: str = "") -> list[str]:
    """Return the ids of a tournament's events in the order of the feed."""
    answer = club.ask("GET", f"/feed?tournament={tournament}&limit=500", token=token)
    return [line["id"] for line in answer.lines]


def judged(message, secret: str):
    """Verify a message with the reference implementation, at the time when it was sent."""
    return Webhook(secret).verify(message.body, message.headers)


@pytest.fixture(autouse=True)
def reference_clock(monkeypatch, post):
    """Set the clock of the reference implementation, which refuses messages older than five minutes."""

    class Then(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromtimestamp(post.clock.now / 1000, tz or UTC)

    monkeypatch.setattr("standardwebhooks.webhooks.datetime", Then)


def test_an_evening_reaches_the_receiver_signed_and_in_order(post, evening, receiver):
    answer = subscribe(evening, receiver.url)
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    evening.report("r1g1", score(210, 150))
    post.deliver()
    verification, *events = receiver.got
    assert verification.type == "webhook.verification"
    assert [message.id for message in events] == feed(post.club, evening.id)[-len(events) :]
    assert {"RoundPaired", "RoundStarted", "ResultReported"} <= {message.type for message in events}
    assert in_order(receiver.ids)
    for message in receiver.got:
        said = judged(message, answer["secret"])
        assert said == json.loads(message.body)
        with pytest.raises(WebhookVerificationError):
            judged(message._replace(body=message.body + b" "), answer["secret"])


def test_delivered_cursors_resume_the_feed(post, evening, receiver):
    subscribe(evening, receiver.url)
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    post.deliver()
    started = next(message for message in receiver.events if message.type == "RoundStarted")
    evening.report("r1g1", score(210, 150))
    answer = evening.club.ask(
        "GET", f"/feed?after={started.said['feedcursor']}", token=evening.club.token("player", evening.id, player="p1")
    )
    assert "ResultReported" in {line["type"] for line in answer.lines}


def test_nothing_is_sent_before_verification(post, evening, receiver):
    receiver.verifies, receiver.does = False, acts.answer(200, b"fine")
    id = subscribe(evening, receiver.url)["id"]
    evening.begin(1, ("p1", "p2"))
    post.pass_by(HOUR, 10 * MINUTE)
    assert {message.type for message in receiver.came} == {"webhook.verification"}
    assert evening.get(f"/webhooks/{id}").body["status"] == "unverified"
    receiver.verifies = True
    post.pass_by(2 * HOUR)
    assert evening.get(f"/webhooks/{id}").body["status"] == "enabled"
    assert "RoundPaired" in {message.type for message in receiver.events}


def test_an_unverified_webhook_is_disabled_after_a_day(post, evening, receiver):
    receiver.verifies, receiver.does = False, acts.answer(404)
    id = subscribe(evening, receiver.url)["id"]
    post.pass_by(2 * DAY)
    found = evening.get(f"/webhooks/{id}").body
    assert (found["status"], found["cause"]) == ("disabled", "unverified")
    assert not receiver.events


def test_a_receiver_that_is_down_for_a_day_gets_everything_once_in_order(post, evening, receiver):
    subscribe(evening, receiver.url)
    post.deliver()
    receiver.does = acts.answer(503)
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    evening.report("r1g1", score(210, 150))
    evening.report("r1g2", score(100, 90))
    tries = len(receiver.came)
    post.pass_by(DAY)
    assert 5 < len(receiver.came) - tries < 12, "it was left alone for longer and longer"
    receiver.does = acts.agree
    post.pass_by(DAY)
    assert receiver.ids == feed(post.club, evening.id)[-len(receiver.ids) :]
    assert len(set(receiver.ids)) == len(receiver.ids)


def test_a_webhook_that_fails_for_five_days_is_disabled_and_can_resume(post, evening, receiver):
    id = subscribe(evening, receiver.url)["id"]
    post.deliver()
    receiver.does = acts.answer(500, b"out of order")
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    post.pass_by(6 * DAY, 2 * HOUR)
    found = evening.get(f"/webhooks/{id}").body
    assert (found["status"], found["cause"]) == ("disabled", "failing")
    assert evening.log[-1].type == "WebhookDisabled"
    assert text_of(evening.log[-1]) == "rule"
    tries = len(receiver.came)
    evening.report("r1g1", score(210, 150))
    post.pass_by(DAY)
    assert len(receiver.came) == tries
    receiver.does = acts.agree
    assert evening.post(f"/webhooks/{id}/enable").status == 201
    post.deliver()
    dead = evening.get(f"/webhooks/{id}/deliveries?state=dead").body["items"]
    assert dead, "the first was given up after three days"
    for one in dead:
        assert evening.post(f"/webhooks/{id}/deliveries/{one['id']}/resend").status == 202
    post.deliver()
    subscribed = next(event for event in evening.log if event.type == "WebhookSubscribed")
    everything = feed(post.club, evening.id)
    assert sorted(receiver.ids) == sorted(everything[everything.index(subscribed.id) :])


def test_deliveries_and_webhooks_are_measured(post, evening, receiver):
    def measured() -> set[str]:
        post.make().once()  # as after a restart of the worker, so that it updates metrics immediately
        found = [*metrics.WEBHOOK_DELIVERIES.collect(), *metrics.WEBHOOKS_IN_TROUBLE.collect()]
        samples = [sample for metric in found for sample in metric.samples]
        assert len(samples) == 4
        return {"".join(sample.labels.values()) for sample in samples if sample.value}

    id = subscribe(evening, receiver.url)["id"]
    post.deliver()
    assert measured() == set()
    receiver.does = acts.answer(500, b"out of order")
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    post.deliver()
    assert measured() == {"waiting", "failing"}
    post.pass_by(6 * DAY, 2 * HOUR)
    assert measured() == {"waiting", "dead", "disabled"}
    assert metrics.WEBHOOKS_IN_TROUBLE.labels("disabled")._value.get() == 1
    receiver.does = acts.agree
    evening.post(f"/webhooks/{id}/enable")
    evening.post(f"/webhooks/{id}/disable", {"reason": "not needed"})
    assert "disabled" not in measured(), "a person did that"


def test_a_dead_delivery_can_be_shown_and_resent(post, evening, receiver):
    id = subscribe(evening, receiver.url, filter={"types": ["RoundPaired", "RoundStarted"]})["id"]
    post.deliver()
    refuse = acts.answer(400, b"I do not understand rounds", X_Kind="bad")
    receiver.does = lambda request, message: (refuse if message.type == "RoundPaired" else acts.agree)(request, message)
    evening.begin(1, ("p1", "p2"))
    post.pass_by(4 * DAY, 2 * HOUR)
    assert [message.type for message in receiver.events] == ["RoundStarted"], "it does not hold up the others for ever"
    (dead,) = evening.get(f"/webhooks/{id}/deliveries?state=dead").body["items"]
    assert dead["fault"] == "status"
    shown = evening.get(f"/webhooks/{id}/deliveries/{dead['id']}", by="operator").body
    assert len(shown["attempts"]) == 11
    assert {attempt["response"] for attempt in shown["attempts"]} == {"I do not understand rounds"}
    assert shown["request"]["body"]["type"] == "RoundPaired"
    hidden = evening.get(f"/webhooks/{id}/deliveries/{dead['id']}").body
    assert {attempt["response"] for attempt in hidden["attempts"]} == {None}, "it is in the operator's own network"
    receiver.does = acts.agree
    assert evening.post(f"/webhooks/{id}/deliveries/{dead['id']}/resend").status == 202
    post.deliver()
    assert [message.type for message in receiver.events] == ["RoundStarted", "RoundPaired"]
    assert evening.get(f"/webhooks/{id}").body["dead"] == 0


def test_a_gone_response_disables_the_webhook(post, evening, receiver):
    id = subscribe(evening, receiver.url)["id"]
    post.deliver()
    receiver.does = acts.answer(410)
    evening.begin(1, ("p1", "p2"))
    post.deliver()
    assert evening.get(f"/webhooks/{id}").body["cause"] == "gone"


@pytest.mark.parametrize("does", ["break_off", "answer"])
def test_other_failures_are_retried(post, evening, receiver, does):
    id = subscribe(evening, receiver.url)["id"]
    post.deliver()
    large = acts.answer(200, b"x" * 70_000)
    receiver.does = acts.break_off if does == "break_off" else lambda *asked: large(*asked) and False
    evening.begin(1, ("p1", "p2"))
    post.deliver()
    (first,) = evening.get(f"/webhooks/{id}/deliveries?state=waiting&limit=1").body["items"]
    receiver.does = acts.agree
    post.pass_by(MINUTE, 10_000)
    assert in_order(receiver.ids)
    assert evening.get(f"/webhooks/{id}").body["waiting"] == 0
    waited = evening.get(f"/webhooks/{id}/deliveries").body["items"]
    assert [one for one in waited if "fault" in one] == [], "what arrived has none"
    faults = {
        attempt["fault"]
        for one in waited
        for attempt in evening.get(f"/webhooks/{id}/deliveries/{one['id']}").body["attempts"]
    }
    assert faults == {"", "closed" if does == "break_off" else "too-large"}
    assert first["id"]


def test_a_redirect_is_not_followed(post, evening, receiver):
    with Receiver() as elsewhere:
        subscribe(evening, receiver.url)
        post.deliver()
        receiver.does = acts.answer(307, Location=elsewhere.url)
        evening.begin(1, ("p1", "p2"))
        post.deliver()
        assert not elsewhere.came


def test_a_hanging_receiver_delays_no_other(post, evening, receiver, monkeypatch):
    monkeypatch.setattr("services.scoring.webhooks.sending.TOTAL_SECONDS", 1.0)
    with Receiver() as hanging:
        subscribe(evening, hanging.url)
        subscribe(evening, receiver.url)
        post.deliver()
        hanging.does = acts.hang
        arrived = {}
        receiver.does = lambda request, message: (
            arrived.setdefault(message.id, len(hanging.got)) is None or acts.agree(request, message)
        )
        evening.begin(1, ("p1", "p2"))
        post.deliver()
        assert "RoundStarted" in {message.type for message in receiver.events}
        assert not [message for message in hanging.events if message.type == "RoundStarted"]
        waiting = evening.get("/webhooks/w1").body
        assert waiting["status"] == "failing"


def test_a_secret_rotates_with_an_overlap(post, evening, receiver):
    first = subscribe(evening, receiver.url, secret=SECRET)
    assert first["secret"] == SECRET
    post.deliver()
    answer = evening.post(f"/webhooks/{first['id']}/rotate", {"overlap_hours": 1})
    second = answer.body["secret"]
    assert second != SECRET
    # The overlap starts at the event's time (the service's clock), so the deliverer's clock is moved there.
    post.clock.now = int(datetime.fromisoformat(answer.events[0]["time"]).timestamp() * 1000)
    evening.begin(1, ("p1", "p2"))
    post.deliver()
    overlapped = receiver.events[-1]
    assert overlapped.headers["webhook-signature"].count("v1,") == 2
    assert judged(overlapped, SECRET) == judged(overlapped, second)
    post.clock.on(2 * HOUR)
    evening.report("r1g1", score(210, 150))
    post.deliver()
    last = receiver.events[-1]
    assert judged(last, second)
    with pytest.raises(WebhookVerificationError):
        judged(last, SECRET)


def test_a_replay_starts_at_a_cursor_or_at_the_beginning(post, evening, receiver):
    id = subscribe(evening, receiver.url)["id"]
    evening.begin(1, ("p1", "p2"))
    post.deliver()
    started = next(message for message in receiver.events if message.type == "RoundStarted")
    evening.report("r1g1", score(210, 150))
    post.deliver()
    receiver.got.clear()
    assert evening.post(f"/webhooks/{id}/replay", {"after": started.said["feedcursor"]}).status == 201
    post.deliver()
    everything = feed(post.club, evening.id)
    assert receiver.ids == everything[everything.index(started.id) + 1 :]
    receiver.got.clear()
    evening.post(f"/webhooks/{id}/replay")
    post.deliver()
    assert receiver.ids == feed(post.club, evening.id)


def test_a_ping_is_delivered_and_listed(post, evening, receiver):
    id = subscribe(evening, receiver.url)["id"]
    post.deliver()
    asked = evening.post(f"/webhooks/{id}/ping")
    assert asked.status == 202
    post.deliver()
    assert receiver.got[-1].type == "webhook.ping"
    shown = evening.get(f"/webhooks/{id}/deliveries/{asked.body['id']}").body
    assert (shown["kind"], shown["state"]) == ("ping", "delivered")


def test_a_ping_with_a_key_is_sent_once(post, evening, receiver):
    one, other = (subscribe(evening, receiver.url)["id"] for _ in range(2))
    post.deliver()
    sent = evening.post(f"/webhooks/{one}/ping", **{"Idempotency-Key": "k1"})
    assert evening.post(f"/webhooks/{one}/ping", **{"Idempotency-Key": "k2"}).body["id"] != sent.body["id"]
    post.deliver()
    again = evening.post(f"/webhooks/{one}/ping", **{"Idempotency-Key": "k1"})
    assert (again.status, again.body) == (202, sent.body)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert evening.post(f"/webhooks/{other}/ping", **{"Idempotency-Key": "k1"}).code == "idempotency-key-reused"
    assert evening.post(f"/webhooks/{one}/ping", **{"Idempotency-Key": "two words"}).code == "invalid-idempotency-key"
    post.deliver()
    assert [message.type for message in receiver.got].count("webhook.ping") == 2
    assert evening.post(f"/webhooks/{one}/ping").body["id"] > again.body["id"]


def test_the_public_receives_digests_of_a_list_until_it_opens(post, evening, receiver):
    with Receiver() as staff:
        subscribe(evening, receiver.url)
        subscribe(evening, staff.url, audience="staff")
        sealed = RosterSubmitted(player="p1", roster={}, sealed={"faction": "0" * 64})
        evening.say("registration", sealed, RosterAccepted(player="p1"))
        post.deliver()
        evening.begin(1, ("p1", "p2"))
        opened = OpenedRoster(player="p1", roster={"faction": "rebel"}, salts={"faction": "1" * 64})
        evening.say("registration", RostersOpened(rosters=[opened]))
        post.deliver()
        for one in (receiver, staff):
            about = [message for message in one.events if message.type.startswith("Roster")]
            assert [message.type for message in about] == ["RosterSubmitted", "RosterAccepted", "RostersOpened"]
            assert not any("openedby" in message.said for message in about)
            assert len(set(one.ids)) == len(one.ids)


@pytest.mark.parametrize("how", ["dismissed", "revoked", "expired"])
def test_a_webhook_without_authority_is_disabled(post, evening, receiver, how):
    token = evening.club.token("integration", evening.id, actor="s2", exp=1_800_000_000)
    id = subscribe(evening, receiver.url, by=token)["id"]
    post.deliver()
    if how == "dismissed":
        evening.say("registration", StaffDismissed(staff="s2"))
    elif how == "revoked":
        evening.say("registration", TokenRevoked(token=issued_id(evening.id, evening.state.entries, "s2")))
    else:
        post.clock.now = 1_800_000_000_000
    evening.begin(1, ("p1", "p2"))
    post.make()
    post.deliver()
    assert "RoundPaired" not in {message.type for message in receiver.came}
    found = evening.get(f"/webhooks/{id}").body
    assert (found["status"], found["cause"]) == ("disabled", "no_authority")


def test_chats_receive_only_rounds(post, evening, receiver):
    with Receiver() as discord:
        subscribe(evening, receiver.url, form="slack")
        subscribe(evening, discord.url, form="discord")
        evening.begin(1, ("p1", "p2"))
        evening.report("r1g1", score(210, 150))
        post.deliver()
        hello, *told = [message.said for message in receiver.got]
        assert list(hello) == ["text"]
        assert len(told) == 2
        assert "round 1 is published" in told[0]["text"]
        assert [list(message.said) for message in discord.got] == [["content", "allowed_mentions"]] * 3


def test_results_are_the_games_of_the_feed(post, evening, receiver):
    """Also after a restart, in a replay, and when an older delivery is requested."""
    id = subscribe(evening, receiver.url, form="results")["id"]
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    evening.report("r1g1", score(210, 150))
    post.deliver()
    evening.report("r1g2", score(100, 90))
    evening.correct("r1g1", score(150, 210))
    post.make()
    post.deliver()
    feed = post.club.ask("GET", f"/feed?tournament={evening.id}&view=results").lines
    by_name = {"feedcursor": "", "dataschema": "urn:muster:result:1"}  # the feed contains the address of scoring
    shown = [{**line, **by_name} for line in feed]
    assert [{**message.said, "feedcursor": ""} for message in receiver.events] == shown
    assert [message.id for message in receiver.events] == [line["id"] for line in feed]
    corrected = receiver.events[-1].said
    assert (corrected["type"], corrected["data"]["because"]) == ("GameResult", "ResultCorrected")
    assert [side["values"] for side in corrected["data"]["replaced"]] == [
        side["values"] for side in receiver.events[0].said["data"]["players"]
    ]
    evening.post(f"/webhooks/{id}/replay", {}, "organiser")
    post.deliver()
    assert [{**message.said, "feedcursor": ""} for message in receiver.events] == shown * 2
    (oldest,) = evening.get(f"/webhooks/{id}/deliveries").body["items"][-2:-1]
    body = evening.get(f"/webhooks/{id}/deliveries/{oldest['id']}").body["request"]["body"]
    assert {**body, "feedcursor": ""} == shown[0]


def test_webhooks_with_one_address_are_distinguishable(post, evening, receiver):
    """The event has one id; each secret verifies only the messages of its webhook."""
    subscribed = [subscribe(evening, receiver.url) for _ in range(2)]
    secrets = {f"{evening.id}.{made['id']}": made["secret"] for made in subscribed}
    evening.begin(1, ("p1", "p2"), ("p3", "p4"))
    post.deliver()
    found = [(one.headers["webhook-of"], one.id) for one in receiver.events if ".pairing." in one.id]
    events = {id for _, id in found}
    assert len(events) == 3
    assert sorted(found) == sorted((of, id) for of in secrets for id in events)
    for message in receiver.events:
        of = message.headers["webhook-of"]
        judged(message, secrets[of])
        with pytest.raises(WebhookVerificationError):
            judged(message, next(secret for name, secret in secrets.items() if name != of))
    (latest,) = evening.get("/webhooks/w2/deliveries?limit=1").body["items"]
    shown = evening.get(f"/webhooks/w2/deliveries/{latest['id']}").body["request"]["headers"]
    assert shown["webhook-of"] == f"{evening.id}.w2"


def test_each_voided_game_has_its_own_message(post, club, receiver):
    told = floor(club, 4, options={"dq_opponent_results": "void_games"}, staff=("referee",))
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.play(1, (210, 150), (100, 90))
    told.begin(2, ("p1", "p3"), ("p2", "p4"))
    told.report("r2g2", score(210, 150))
    subscribe(told, receiver.url, form="results")
    (out,) = told.say("registration", PlayerDisqualified(player="p2", after_round=1, reason="loaded dice"))
    post.deliver()
    assert [message.id for message in receiver.events] == [f"{out.id}.r1g1", f"{out.id}.r2g2"]
    assert [message.said["id"] for message in receiver.events] == [message.id for message in receiver.events]
    assert not any(message.said["data"]["binds"] for message in receiver.events)
    assert all(message.said["data"]["replaced"] for message in receiver.events)


def test_results_are_filtered_by_type_and_installation(post, club, receiver):
    first, second = floor(club, 4, staff=("referee",)), floor(club, 4, staff=("referee",))
    everything, operator = club.tournament("installation"), club.token("operator")
    subscribe(
        everything, receiver.url, by=operator, form="results", filter={"types": ["ResultCorrected", "RoundPaired"]}
    )
    for told in (first, second):
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        told.report("r1g1", score(210, 150))
        told.correct("r1g1", score(150, 210))
    post.deliver()
    # The order between two tournaments is not defined.
    assert sorted(message.said["data"]["tournament"] for message in receiver.events) == sorted([first.id, second.id])


def test_filters_of_the_installation_and_of_a_venue(post, club, receiver):
    first, second = floor(club, 4, staff=("referee",)), floor(club, 4, staff=("referee",))
    everything = club.tournament("installation")
    operator = club.token("operator")
    subscribe(everything, receiver.url, by=operator)
    with Receiver() as one:
        subscribe(everything, one.url, by=operator, filter={"tournament": second.id, "types": ["RoundPaired"]})
        for told in (first, second):
            told.begin(1, ("p1", "p2"), ("p3", "p4"))
        post.deliver()
        assert {first.id, second.id} <= {message.said["tournament"] for message in receiver.events}
        assert "installation" not in {message.said["tournament"] for message in receiver.events}
        assert [message.said["tournament"] for message in one.events] == [second.id]
        assert in_order(receiver.ids)


def test_addresses_and_secrets_are_never_stored_in_the_clear(post, evening, receiver):
    path, rest = receiver.url.replace("/hook", "/hook-is-a-secret"), {"url": receiver.url + "-second"}
    id = subscribe(evening, path, secret=SECRET)["id"]
    evening("PATCH", f"/webhooks/{id}", rest)
    other = "whsec_" + "QUJD" * 8
    evening.post(f"/webhooks/{id}/rotate", {"secret": other})
    post.deliver()
    for event in evening.log:
        for hidden in ("hook-is", "-second", SECRET, other, "127.0.0.1"):
            assert hidden not in event.data + event.command
    with evening.club.database.reading() as connection:
        kept = [row for table in ("webhooks", "webhook_secrets") for row in connection.rows(f"SELECT * FROM {table}")]
    assert kept
    assert not [row for row in kept if SECRET[6:] in repr(row) or "hook-is" in repr(row)]
    shown = json.dumps([evening.get("/webhooks").body, evening.get(f"/webhooks/{id}").body])
    assert "hook-is" not in shown
    assert SECRET not in shown


def test_a_deleted_webhook_leaves_nothing_but_its_events(post, evening, receiver):
    id = subscribe(evening, receiver.url)["id"]
    post.deliver()
    assert evening.delete(f"/webhooks/{id}").status == 200
    with evening.club.database.reading() as connection:
        for table in ("webhooks", "webhook_secrets", "webhook_deliveries", "webhook_attempts"):
            assert connection.rows(f"SELECT * FROM {table}") == []
    assert evening.get(f"/webhooks/{id}").code == "webhook-unknown"
    assert subscribe(evening, receiver.url)["id"] == "w2"
