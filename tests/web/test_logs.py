"""Request logs: one line per request, with what an operator needs and no secrets."""

from __future__ import annotations

import errno
import io
import json
import logging
import sqlite3

import pytest
import structlog
from sqlalchemy import create_engine

from shared import logs
from tests.web.fake import GOOD, RESULTS, bearer, fake_app, token


@pytest.fixture
def written():
    """Yield the JSON lines that are logged during a test. The previous configuration is restored afterwards."""
    stream, before, root = io.StringIO(), structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("fake", stream=stream)

    def lines():
        return [json.loads(line) for line in stream.getvalue().splitlines()]

    yield lines
    structlog.configure(**before)
    root.handlers[:], root.level = handlers, level


def test_request_writes_one_line(client, written):
    client.post(RESULTS, json=GOOD, headers={"X-Request-Id": "r-1", **bearer()})
    (line,) = written()
    assert line.pop("ms") >= 0
    assert line.pop("timestamp").endswith("Z")
    assert len(line.pop("trace_id")) == 32
    assert line == {
        "service": "fake",
        "level": "info",
        "event": "request",
        "request_id": "r-1",
        "method": "POST",
        "route": "/tournaments/<id:tournament>/results",
        "status": 201,
        "actor": "referee-1",
        "role": "referee",
        "tournament": "spring-open",
        "events": ["spring-open.scoring.32"],
    }


def test_facts_do_not_leak_into_the_next_request(client, written):
    client.post(RESULTS, json=GOOD, headers=bearer())
    client.get("/games")
    assert "events" not in written()[1]
    assert "actor" not in written()[1]


def test_tokens_are_never_logged(client, written):
    made = token("player")
    client.get(f"/tournaments/spring-open/standings?token={made}")
    client.post(f"{RESULTS}?token={made}", json=GOOD)
    client.get(f"/{made}")
    client.get("/broken")
    logs.bind(token=made, note=f"see {made}")
    structlog.get_logger().info("said", authorization=made, url=f"/x?token={made}")
    text = json.dumps(written())
    assert "eyJ" not in text
    assert "<token>" in text


def test_personal_data_is_dropped(written):
    structlog.get_logger().info("joined", player="p1", email="a@b.c", legal_name="Ann", contact="x", needs="ramp")
    assert {"player", "event"} <= set(written()[0])
    assert not {"email", "legal_name", "contact", "needs"} & set(written()[0])


def postgresql_away() -> None:
    create_engine("postgresql+psycopg://postgres@127.0.0.1:9/none", connect_args={"connect_timeout": 1}).connect()


def sqlite_full() -> None:
    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA max_page_count = 1")
        database.execute("CREATE TABLE t (one TEXT)")


def disk_full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def mistake_of_ours() -> None:
    with sqlite3.connect(":memory:") as database:
        database.execute("SELECT nothing FROM nowhere")


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (postgresql_away, "OperationalError: connection failed"),
        (sqlite_full, "OperationalError: database or disk is full"),
        (disk_full, "OSError: [Errno 28] No space left on device"),
        (mistake_of_ours, None),
    ],
)
@pytest.mark.parametrize("logger", [structlog.get_logger(), logging.getLogger("a library")], ids=["ours", "a library"])
def test_outage_logs_one_line_and_bug_logs_a_traceback(written, happens, said, logger):
    try:
        happens()
    except Exception as error:
        logger.error("it failed", exc_info=error)
    (line,) = written()
    assert line["event"] == "it failed"
    if said is None:
        assert "Traceback" in line["exception"]
    else:
        assert line["error"].startswith(said)
        assert not {"exception", "exc_info"} & line.keys()


def test_failure_is_logged_with_traceback(client, written):
    client.get("/broken", headers={"X-Request-Id": "r-2"})
    failure, request = written()
    assert "RuntimeError" in failure["exception"]
    assert failure["level"] == "error"
    assert failure["request_id"] == request["request_id"] == "r-2"
    assert request["status"] == 500


def test_successful_monitoring_is_not_logged(client, written):
    for path in ("/healthz", "/readyz"):
        client.get(path)
    client.get("/metrics", headers=bearer("integration", "*"))
    assert written() == []


def test_library_logs_have_the_same_format(written):
    logs.start_context(request_id="r-3")
    try:
        raise ValueError("oh")
    except ValueError:
        logging.getLogger("kombu").exception("lost %s", "it")
    logging.getLogger("kombu").info("chatter")
    (line,) = written()
    assert (line["event"], line["logger"], line["request_id"]) == ("lost it", "kombu", "r-3")
    assert "ValueError: oh" in line["exception"]


def test_events_of_several_appends_are_all_kept():
    logs.start_context()
    logs.bind(events=["a.1"])
    logs.bind(events=["a.2", "a.3"], tournament="a")
    assert logs.current_context() == {"events": ["a.1", "a.2", "a.3"], "tournament": "a"}


def test_console_format():
    stream, before, handlers = io.StringIO(), structlog.get_config(), logging.getLogger().handlers[:]
    try:
        logs.configure("fake", form="console", stream=stream)
        fake_app().test_client().get("/broken")
    finally:
        structlog.configure(**before)
        logging.getLogger().handlers[:] = handlers
    assert "RuntimeError" in stream.getvalue()
    assert "eyJ" not in stream.getvalue()


@pytest.mark.parametrize("wrong", [{"form": "xml"}, {"level": "loud"}])
def test_unknown_format_or_level_is_refused(wrong):
    with pytest.raises(ValueError, match="expected"):
        logs.configure("fake", **wrong)
