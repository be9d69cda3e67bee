"""The console's settings, read from the environment."""

from __future__ import annotations

import os
import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from babel.dates import LOCALTZ

from shared.environment import Reader, http_fault, is_example, local_address, make_private_folder
from shared.keys import PURPOSES, TOKEN_KEYS, PublicKeys, read_public_keys
from shared.refusals import HIDDEN, NOTHING, expects
from shared.settings import (
    ENVIRONMENTS,
    PORT_OFFSETS,
    PUBLIC_URL,
    RECEIVE_SECONDS,
    SERVICES,
    BadSettings,
    read_public_urls,
)

KEY = "MUSTER_CONSOLE_KEY"
CERTIFICATE, CERTIFICATE_KEY = "MUSTER_CERTIFICATE", "MUSTER_CERTIFICATE_KEY"
TIME_ZONE = "MUSTER_TIME_ZONE"
KEY_FILE = "console.key"
"""File of the key in the data folder, unless the environment has one."""
LARGEST_FORM = 512 * 1024
"""Bytes: a list of some thousands of players."""
MOST_WATCHES = 1024
"""Concurrent subscriptions of live pages. Each uses a thread and a connection to scoring."""
LEAST_KEY = 32
"""Characters."""
KEY_FORM = expects("random-text", least=LEAST_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """key: signs cookies. urls: service -> base URL for the console. service_urls: service -> base URL for people.

    public_url: base URL of the console for people. secure: True if browsers reach it only by HTTPS.

    connections: number of server threads. streams: streams that are open in addition. receive_seconds, send_seconds:
    longest time without data from, or to, a client.

    certificate, certificate_key: PEM files for HTTPS; empty for HTTP. zone: time zone of the pages. data: the data
    folder of this machine; None in production. token_keys: purpose -> kid -> public key that verifies people's tokens;
    empty if unknown.
    """

    key: str = field(repr=False)
    bind: str
    port: int
    urls: Mapping[str, str]
    service_urls: Mapping[str, str]
    public_url: str
    secure: bool
    trusted_proxies: int
    connections: int
    streams: int
    receive_seconds: float
    send_seconds: float
    certificate: str
    certificate_key: str
    zone: tzinfo
    data: Path | None
    token_keys: PublicKeys


def load(env: Mapping[str, str], reader: type[Reader] = Reader) -> Settings:
    """Read the settings. Raises BadSettings with every fault found."""
    read = reader(env)
    production = read.choice("MUSTER_ENV", "development", ENVIRONMENTS) == "production"
    base = read.whole("MUSTER_PORT_BASE", 8000, 1024, 65_000)
    port = base + PORT_OFFSETS["console"]
    bind = read.text("MUSTER_BIND", "127.0.0.1")
    local = {name: f"http://{local_address(bind)}:{base + PORT_OFFSETS[name]}" for name in SERVICES}
    urls = {
        name: read.url(f"{name.upper()}_URL", None if production else url, http_fault).rstrip("/")
        for name, url in local.items()
    }
    certificate, certificate_key = read_certificate(read)
    trusted_proxies = read.whole("MUSTER_TRUSTED_PROXIES", 0, 0, 10)
    people = read_public_urls(read, urls, local, bind, base, one_origin=production or trusted_proxies > 0)
    if certificate and people.console.lower().startswith("http:"):
        read.fault(PUBLIC_URL, people.console, expects("https-url"))
    key = read.text(KEY)
    data = None if production else Path(read.text("MUSTER_DATA", "var")).absolute()
    if not key and data is not None:
        key = _local_key(read, data)
    if len(key) < LEAST_KEY or (production and is_example(key)):
        read.fault(KEY, HIDDEN if key else NOTHING, KEY_FORM)
    settings = Settings(
        key=key,
        bind=bind,
        port=port,
        urls=urls,
        service_urls=people.services,
        public_url=people.console,
        secure=people.console.lower().startswith("https:"),
        trusted_proxies=trusted_proxies,
        connections=read.whole("MUSTER_CONNECTIONS", 500, 16, 60_000),
        streams=read.whole("MUSTER_STREAMS", 1_200, 0, 60_000),
        receive_seconds=read.seconds(RECEIVE_SECONDS, 10.0, 0.5, 3600.0),
        send_seconds=read.seconds("MUSTER_SEND_SECONDS", 60.0, 0.5, 3600.0),
        certificate=certificate,
        certificate_key=certificate_key,
        zone=read_zone(read),
        data=data,
        token_keys=_token_keys(read, data),
    )
    if read.faults:
        raise BadSettings("the console cannot start with this environment", read.faults)
    return settings


def _token_keys(read: Reader, data: Path | None) -> PublicKeys:
    """Return the public keys of people's tokens. On a laptop they come from the keys in the data folder, if any.

    Without public keys (the services run on another machine) the console asks a service about every token.
    """
    if data is not None and not read.text(TOKEN_KEYS) and not (data / "secrets.json").exists():
        return {}
    return read_public_keys(read, data or Path(), data is None, TOKEN_KEYS, PURPOSES, {})


def read_zone(read: Reader) -> tzinfo:
    """Return the zone of the venue; by default the machine's."""
    name = read.text(TIME_ZONE)
    if not name:
        return LOCALTZ
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown; outside of the folder; the name of a folder
        read.fault(TIME_ZONE, name, expects("time-zone"))
        return LOCALTZ


def read_certificate(read: Reader) -> tuple[str, str]:
    """Return the files of a certificate and its key, once they work together; empty texts if there are none."""
    certificate, key = read.text(CERTIFICATE), read.text(CERTIFICATE_KEY)
    if not certificate and not key:
        return "", ""
    for variable, file in ((CERTIFICATE, certificate), (CERTIFICATE_KEY, key)):
        if not file:
            read.fault(variable, NOTHING, expects("certificate-and-key"))
            return "", ""
        try:
            Path(file).read_bytes()
        except OSError as error:
            read.fault(variable, file, expects("pem-file", error=error.strerror or type(error).__name__))
            return "", ""
    try:
        # Without this an encrypted key would prompt for its password.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", None) or str(error)
        read.fault(CERTIFICATE, certificate, expects("certificate-chain", error=why))
        return "", ""
    return str(Path(certificate).absolute()), str(Path(key).absolute())


def _local_key(read: Reader, data: Path) -> str:
    """Return the key of the data folder; create it on first use."""
    file = data / KEY_FILE
    try:
        make_private_folder(data)
        try:
            with open(file, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as new:
                new.write(secrets.token_urlsafe(LEAST_KEY))
        except FileExistsError:
            pass  # from an earlier start
        return file.read_text()
    except OSError as error:
        right = expects("writable-folder", error=error.strerror or type(error).__name__)
        read.fault("MUSTER_DATA", str(file), right)
        return ""
