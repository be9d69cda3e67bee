"""Fewer bytes than announced: nothing is done, it is said, and the same key does it afterwards."""

from __future__ import annotations

import io
import secrets
from collections.abc import Iterator

import pytest

from services.pairing.app import build_web as pairing
from services.registration.app import build_web as registration
from services.scoring.app import build_web as scoring
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.roles import ISSUED, ROLES
from shared.settings import load
from tests.door.running import NOTHING, Service, get, post, told
from tests.issuing import token_of

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]
PLAYERS = "name,club\n" + "".join(f"Player number {n},Reds\n" for n in range(20))
CHUNKED = "Transfer-Encoding: chunked"
ANNOUNCEMENT = '{"name": "Spring Open", "ruleset": "star-wars-armada-1.1"}'


@pytest.fixture(scope="module", params=ENGINES)
def registered(request, tmp_path_factory) -> Iterator[tuple[Service, str]]:
    """Registration with the address of an announced tournament's players, on either database."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgresql_database")()
    with Service(tmp_path_factory.mktemp("registered"), database=url) as running:
        announced = running.ask(post("/tournaments", ANNOUNCEMENT, running.bearer()))
        assert announced.status == 201, announced
        yield running, f"/tournaments/{announced.json['id']}/players"


def events(running: Service) -> int:
    database = open_database(running.settings.database_url)
    with database.reading() as connection:
        count = connection.value("SELECT count(*) FROM events")
    database.close()
    return int(count)


def requests(running: Service, players: str) -> dict[str, tuple[bytes, int]]:
    """A whole request of each kind, and after how many bytes of it the client stops sending."""
    key = f"Idempotency-Key: {secrets.token_hex(16)}"
    file = post(f"{players}/csv", PLAYERS, running.bearer(), key, kind="text/csv")
    one = post(players, '{"name": "Ana", "club": "Reds"}      ', running.bearer(), key)
    head, _, body = post(players, '{"name": "Ben"}', running.bearer(), key).partition(b"\r\n\r\n")
    head = head.replace(b"Content-Length: 15", CHUNKED.encode())
    chunked = head + b"\r\n\r\n" + b"f\r\n" + body + b"\r\n0\r\n\r\n"
    return {"csv": (file, 300), "json": (one, 4), "chunked": (chunked, 5)}


@pytest.mark.attack("a body shorter than announced")
@pytest.mark.parametrize("kind", ["csv", "json", "chunked"])
def test_a_body_that_ends_too_early_changes_nothing_and_may_be_sent_again(registered, kind):
    service, players = registered
    whole, missing = requests(service, players)[kind]
    before = events(service)
    with service.client() as client:
        client.send(whole[:-missing])
        client.end()
        if kind != "chunked":
            body = told(client.answer(), 400, "incomplete-body")
            assert body["data"]["announced"] - body["data"]["received"] == missing
        assert client.answer() == NOTHING  # the connection is closed
    assert events(service) == before
    with service.client() as client:
        client.send(whole[:-missing])
    # The connection is closed without listening. It is over when others that came later have been answered.
    for _ in range(20):
        assert service.ask(get("/healthz")).status == 200
    assert events(service) == before
    answer = service.ask(whole)
    assert answer.status == 201, answer
    joined = 20 if kind == "csv" else 1
    assert events(service) == before + joined
    assert [event["id"] for event in service.ask(whole).json["events"]] == [e["id"] for e in answer.json["events"]]


def operations(app):
    """Every operation with a body: method, address with something in each gap, role that may, media type."""
    document = app.test_client().get("/openapi.json").get_json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and "requestBody" in operation:
                where = path
                for part in [p for p in path.split("/") if p.startswith("{")]:
                    where = where.replace(part, "1")
                roles = operation.get("x-roles") or {"": ""}
                yield method.upper(), where, next(iter(roles)), next(iter(operation["requestBody"]["content"]))


def bearer_of(settings, role):
    if not role:
        return {}
    env = {"MUSTER_DATA": str(settings.data)}
    token = token_of(env, role, **({"tournament": "1", "player": "1"} if role in ISSUED else {}))
    return {"Authorization": f"Bearer {token}"}


def made(build, name, tmp_path, monkeypatch):
    monkeypatch.setenv("MUSTER_DATA", str(tmp_path))
    settings = load(name, {"MUSTER_DATA": str(tmp_path)})
    database = open_database(settings.database_url)
    upgrade_database(database, name)
    database.close()
    return build(), settings


@pytest.mark.parametrize(
    ("build", "name"), [(registration, "registration"), (pairing, "pairing"), (scoring, "scoring")]
)
def test_no_operation_takes_a_short_body_from_any_server(build, name, tmp_path, monkeypatch):
    app, settings = made(build, name, tmp_path, monkeypatch)
    listed = list(operations(app))
    # Whatever in the URL map changes something and documents a body is in the list.
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.methods & {"POST", "PUT", "PATCH"}}
    assert 5 < len(listed) <= len(rules)
    assert set(ROLES) >= {role for _, _, role, _ in listed if role}
    for terminated in (True, False):
        for method, path, role, kind in listed:
            answer = app.test_client().open(
                path,
                method=method,
                headers=bearer_of(settings, role),
                content_type=kind,
                input_stream=io.BytesIO(b'{"reason": "a'),
                environ_overrides={"CONTENT_LENGTH": "40", "wsgi.input_terminated": terminated},
            )
            assert (answer.status_code, answer.get_json()["code"]) == (400, "incomplete-body"), (path, answer.text)
            assert answer.get_json()["data"] == {"announced": 40, "received": 13}


@pytest.mark.parametrize(
    ("build", "name"), [(registration, "registration"), (pairing, "pairing"), (scoring, "scoring")]
)
def test_no_operation_gets_a_short_body_from_the_server(build, name, tmp_path, monkeypatch, start):
    app, _ = made(build, name, tmp_path, monkeypatch)
    running = start(name)
    for method, path, role, kind in operations(app):
        token = [f"{name}: {value}" for name, value in bearer_of(running.settings, role).items()]
        request = post(path, b'{"reason": "a', *token, length=40, kind=kind).replace(b"POST", method.encode(), 1)
        with running.client() as client:
            client.send(request)
            client.end()
            body = told(client.answer(), 400, "incomplete-body")
            assert body["data"] == {"announced": 40, "received": 13}
