"""Forbidden targets of webhooks: URLs, resolved addresses, connections."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from ipaddress import ip_address, ip_network

import httpcore
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.webhooks.sending import CheckedBackend, NotAllowed, Sender
from services.scoring.webhooks.targets import Target, TargetFault, TargetRules, is_public
from tests.services.scoring import receiver as acts
from tests.services.scoring.receiver import Receiver
from tests.services.scoring.story import floor
from tests.services.scoring.webhook_story import SECRET

STRICT = TargetRules()
HOME = TargetRules([ip_network("127.0.0.0/8")], plain=True)
PUBLIC = "93.184.216.34"

REFUSED = [
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fe80::1%25eth0]/",
    "https://[fd00::1]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://10.0.0.8/",
    "https://100.64.0.1/",
    "https://192.0.0.1/",
    "https://192.0.0.8/",
    "https://192.88.99.1/",
    "https://192.175.48.1/",
    "https://[3fff::1]/",
    "https://[2620:4f:8000::1]/",
    "https://[5f00::1]/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://localhost/",
    "https://printer/",
    "https://db.internal./",
    "http://club.example/hook",
    "ftp://club.example/",
    "javascript:alert(1)",
    "//club.example/",
    "https://user:password@club.example/",
    "https://club.example@127.0.0.1/",
    "https://127.0.0.1\\@club.example/",
    "https://club.example:22/",
    "https://club.example:5432/",
    "https://club.example:99999/",
    "https://club.example/#fragment",
    "https:///path",
    "https://club.example/\r\nX-Header: 1",
    "https://cl\u2024ub.example/",
    "https://" + "a" * 2000 + ".example/",
]
GOOD = ["https://club.example/hook?x=1", f"https://{PUBLIC}/", "https://club.example:8443/", "https://[2606:4700::1]/"]


@pytest.mark.parametrize("url", REFUSED)
def test_a_refused_url_names_the_offending_part(url):
    with pytest.raises(TargetFault) as found:
        STRICT.parse(url)
    assert found.value.expected
    assert "password" not in found.value.value


@pytest.mark.parametrize("url", GOOD)
def test_a_valid_url_is_not_changed(url):
    assert STRICT.parse(url).url == url


@given(st.ip_addresses())
def test_no_notation_makes_a_private_address_public(address):
    if address.version == 4:
        forms = [f"::ffff:{address}", f"64:ff9b::{address}", f"2002:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}::"]
        assert all(is_public(ip_address(form)) <= is_public(address) for form in forms)
    assert is_public(address) <= address.is_global


def test_one_private_address_is_enough_to_refuse_a_host():
    with pytest.raises(TargetFault):
        STRICT.check_addresses([ip_address(PUBLIC), ip_address("10.0.0.1")], "club.example")


class Network(httpcore.AsyncNetworkBackend):
    """A network backend that records connections."""

    def __init__(self):
        self.to = []

    async def connect_tcp(self, host, port, *more, **options):
        self.to.append((host, port))
        raise httpcore.ConnectError("nobody is there")


def test_a_connection_uses_the_checked_address():
    answers = iter([[ip_address(PUBLIC)], [ip_address("127.0.0.1")]])
    asked, network = [], Network()

    async def resolve(host, port):
        asked.append(host)
        return next(answers)

    async def twice():
        backend = CheckedBackend(STRICT, resolve, network)
        with pytest.raises(httpcore.ConnectError):
            await backend.connect_tcp("club.example", 443)
        with pytest.raises(NotAllowed):
            await backend.connect_tcp("club.example", 443)
        with pytest.raises(NotAllowed):
            await backend.connect_unix_socket("/run/docker.sock")

    asyncio.run(twice())
    assert network.to == [(PUBLIC, 443)]
    assert asked == ["club.example"] * 2


def sent(target: Target, rules: TargetRules, *addresses: str, tls=ssl.create_default_context):
    async def resolve(host, port):
        return [ip_address(address) for address in addresses]

    async def send():
        sender = Sender(rules, resolve, tls=tls)
        try:
            return await sender.send(target, {"webhook-id": "m1"}, b'{"type": "x"}')
        finally:
            await sender.close()

    return asyncio.run(send())


def test_a_name_that_later_resolves_to_this_machine_is_refused():
    with Receiver() as receiver:
        target = Target("http", "club.example", receiver.port, "/")
        assert sent(target, TargetRules(plain=True), "127.0.0.1").fault == "not-public"
        assert not receiver.came
        assert sent(target, HOME, "127.0.0.1").fault == ""
        assert receiver.came[0].headers["host"] == f"club.example:{receiver.port}"


def test_proxies_of_the_environment_are_ignored(monkeypatch):
    with Receiver() as receiver, Receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert sent(Target("http", "club.example", receiver.port, "/"), HOME, "127.0.0.1").fault == ""
        assert not proxy.came


@pytest.mark.parametrize(
    ("does", "fault"), [(acts.hang, "timeout"), (acts.drip, "timeout"), (acts.break_off, "closed")]
)
def test_time_and_size_of_responses_are_limited(does, fault, monkeypatch):
    monkeypatch.setattr("services.scoring.webhooks.sending.TOTAL_SECONDS", 0.5)
    with Receiver() as receiver:
        receiver.does = does
        outcome = sent(Target("http", "club.example", receiver.port, "/"), HOME, "127.0.0.1")
    assert outcome.fault == fault


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A certificate for club.example, and a TLS context that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "club.example")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("club.example")]), False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "club.pem"
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.mark.parametrize(
    ("host", "believed", "fault"),
    [
        ("club.example", True, ""),
        ("other.example", True, "tls"),
        ("club.example", False, "tls"),
    ],
)
def test_the_certificate_is_checked_against_the_name(certified, host, believed, fault):
    names = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified)
    context.sni_callback = lambda socket, name, _: names.append(name)

    def believing():
        found = ssl.create_default_context()
        if believed:
            found.load_verify_locations(certified)
        return found

    with Receiver() as receiver:
        receiver._server.socket = context.wrap_socket(receiver._server.socket, server_side=True)
        outcome = sent(Target("https", host, receiver.port, "/"), HOME, "127.0.0.1", tls=believing)
        assert outcome.fault == fault
        assert names == [host]
        assert bool(receiver.got) == (not fault)


@pytest.fixture
def evening(new_club):
    return floor(new_club("scoring"), 2)


BODY = {"name": "Site", "url": f"https://{PUBLIC}/hook"}


@pytest.mark.parametrize(
    ("more", "code", "where"),
    [
        ({"url": "https://169.254.169.254/"}, "webhook-target-refused", "/url"),
        ({"url": "http://club.example/"}, "webhook-target-refused", "/url"),
        ({"url": "https://me:secret@club.example/"}, "webhook-target-refused", "/url"),
        ({"url": "https://club.example:22/"}, "webhook-target-refused", "/url"),
        ({"url": "https://named-privately.example/"}, "webhook-target-refused", "/url"),
        ({"url": 7}, "invalid-request", "/url"),
        ({"secret": "guess"}, "invalid-request", "/secret"),
        ({"secret": "whsec_c2hvcnQ="}, "invalid-request", "/secret"),
        ({"form": "carrier-pigeon"}, "invalid-request", "/form"),
        ({"audience": "nobody"}, "invalid-request", "/audience"),
        ({"filter": {"types": ["RoundPared"]}}, "invalid-request", "/filter/types/0"),
        ({"filter": {"venue": "v9"}}, "venue-unknown", "/venue"),
        ({"filter": {"season": "t-1"}}, "invalid-request", "/filter/season"),
        ({"filter": {"tournament": "t-1"}}, "invalid-request", "/filter/tournament"),
    ],
)
def test_refused_subscriptions_leak_nothing(evening, monkeypatch, more, code, where):
    def looked_up(host, port):
        return [ip_address("10.1.2.3" if "privately" in host else PUBLIC)]

    management = next(
        part
        for kind, part in evening.club.app.extensions["muster.wired"].items()
        if kind.__name__ == "WebhookManagement"
    )
    monkeypatch.setattr(management, "_look_up", looked_up)
    answer = evening.post("/webhooks", {**BODY, **more})
    assert (answer.code, answer.places) == (code, [where])
    assert "10.1.2.3" not in answer.text.decode()


def test_unauthorised_callers_see_nothing(evening):
    id = evening.post("/webhooks", BODY).body["id"]
    own = evening.club.token("integration", evening.id, actor="x9", jti="x9")
    assert evening.post(f"/webhooks/{id}/ping", by=own).code == "not-your-webhook"
    assert evening.get("/webhooks", by=own).body["items"] == []
    assert evening.get(f"/webhooks/{id}", by=own).code == "not-your-webhook"
    assert evening.get(f"/webhooks/{id}", by="p1").code == "forbidden"
    assert evening.get("/webhooks/w9").code == "webhook-unknown"
    assert evening.get(f"/webhooks/{id}/deliveries/77").code == "delivery-unknown"
    assert evening.post(f"/webhooks/{id}/replay", {"after": "1" * 40}).code == "feed-cursor-unknown"
    assert evening.post(f"/webhooks/{id}/replay", {"after": "what"}).code == "invalid-cursor"
    assert evening.club.ask("GET", "/tournaments/installation/webhooks", token=evening.token("organiser")).code == (
        "wrong-tournament"
    )


def test_a_repeated_request_is_answered_with_the_same_secret(evening):
    asked = [evening.post("/webhooks", {**BODY, "secret": None}, Idempotency_Key="k-1").body for _ in range(2)]
    assert asked[0]["secret"] == asked[1]["secret"] != SECRET
    assert len(evening.get("/webhooks").body["items"]) == 1
