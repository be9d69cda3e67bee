"""The settings of a service: every environment variable with its default and limits.

The wiring reads them once. This module opens no database or broker. All faults are collected before they are reported,
in one line each that repeats no secret. `deploy/settings_page.py` describes the variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from shared.environment import (
    Reader,
    beacon_fault,
    broker_fault,
    database_fault,
    has_example_password,
    http_fault,
    local_address,
    network_address,
    url_host,
)
from shared.keys import (
    INSTALLATION,
    PRIVATE_KEY_VARIABLES,
    PURPOSES,
    SOURCE_KEYS,
    SOURCES,
    TICKETS,
    TOKEN_KEYS,
    PublicKeys,
    SigningKey,
    read_personal_key,
    read_private_keys,
    read_public_keys,
)
from shared.refusals import HIDDEN, NOTHING, Expected, Fault, Refusal, expects, one_of, to_short_json

SERVICES = SOURCES
EXCHANGE = "muster.events"
PORT_OFFSETS = {"console": 0, "registration": 1, "pairing": 2, "scoring": 3}
PUBLIC_URL = "MUSTER_PUBLIC_URL"
ENVIRONMENTS = ("development", "production")
LOG_FORMATS = ("console", "json")
RECEIVE_SECONDS = "MUSTER_RECEIVE_SECONDS"
MIGRATION_URL = "{}_MIGRATION_DATABASE_URL"
REMOVED_SETTINGS: Mapping[str, Expected] = MappingProxyType(
    {
        "MUSTER_RESTARTS": expects("automatic-restarts"),
        "MUSTER_LEASH": expects("parent-process"),
        "MUSTER_HEAD_SECONDS": expects("receive-seconds", setting=RECEIVE_SECONDS),
        "MUSTER_BODY_SECONDS": expects("receive-seconds", setting=RECEIVE_SECONDS),
        "MUSTER_WEB_WORKERS": expects("replicas"),
        "MUSTER_WEB_PORT_STEP": expects("address-of-process"),
        "MUSTER_PROXY_SECRET": expects("port-of-service"),
    }
)
"""Removed setting -> the expectation that names its replacement."""
LOG_LEVELS = ("debug", "info", "warning", "error")


class BadSettings(Refusal):
    """An invalid environment; `faults` has one entry for each variable, whose name is in `where`."""

    code = "bad-settings"

    def lines(self) -> list[str]:
        """Return a line for each fault: the variable, its value and the expectation."""
        lines = []
        for fault in self.faults:
            value = fault.said if fault.said.isprintable() else to_short_json(fault.said)
            lines.append(f"{fault.where}: {value}; expected {fault.expected}")
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one service. Secrets and URLs with passwords are not in `repr`."""

    service: str
    environment: str
    data: Path  # absolute
    bind: str  # address that the service listens on
    port_base: int  # the service itself listens on port_base + PORT_OFFSETS[service]
    database_url: str = field(repr=False)
    migration_url: str = field(repr=False)  # the same database, as the role that migrates and owns the tables
    broker_url: str = field(repr=False)
    exchange: str
    urls: Mapping[str, str]  # service -> base URL without a trailing slash, as the peers reach it
    public_urls: Mapping[str, str]  # service -> base URL as people reach it
    console_url: str  # base URL of the console; empty if there is none or it is unknown
    ticket_keys: tuple[SigningKey, ...]  # the first signs tokens of one tournament; empty except in registration
    token_keys: PublicKeys  # for verifying tokens, by purpose: see `shared.web.tokens`
    token_days: int  # maximum validity of tokens that registration issues
    after_end_days: int  # validity of tokens after the end of an event
    personal_key: bytes | None = field(repr=False)  # 32 bytes; None except in registration
    signing_keys: tuple[SigningKey, ...]  # the first signs the service's own events and authenticates the service
    source_keys: PublicKeys  # for verifying events, by source
    log_format: str
    log_level: str
    catch_up_seconds: float  # interval of catch-up
    relay_batch: int  # messages published before waiting for confirms
    poll_ms: int  # polling interval of the embedded broker's folder
    confirm_ms: int  # maximum wait of a batch for its confirms
    seen_wait_ms: int  # maximum wait of an answer for the events in `Muster-Seen`
    request_limit: int  # maximum bytes of a request body
    rate_limit: str  # `<number>/<second|minute|hour|day>` for each caller; empty: no limit
    web_threads: int  # requests that the process answers concurrently
    connections: int  # maximum connections that send a request or receive its answer
    streams: int  # maximum streams of a web process, in addition
    streams_per_caller: int  # maximum streams of one caller
    receive_seconds: float  # maximum pause of a client while it sends a request
    send_seconds: float  # maximum pause of a client while it receives an answer
    beacon: str  # the URL of drand's quicknet, whose values are mixed into draws; empty: none
    worker_inside: bool  # True if relay, consumer and catch-up are threads of the web process
    worker_port: int  # port of a worker's /healthz and /metrics; 0: none
    trusted_proxies: int  # reverse proxies whose X-Forwarded-* headers are trusted
    origins: tuple[str, ...]  # origins of other pages that may read answers in a browser
    webhook_networks: tuple[IPv4Network | IPv6Network, ...]  # networks for webhooks, besides public addresses
    webhook_http: bool  # True if webhooks may use http://

    @property
    def production(self) -> bool:
        return self.environment == "production"

    @property
    def port(self) -> int:
        return self.port_base + PORT_OFFSETS[self.service]

    @property
    def peers(self) -> dict[str, str]:
        """Base URLs of the other services, by name."""
        return {name: url for name, url in self.urls.items() if name != self.service}

    @property
    def broker_folder(self) -> Path:
        """The folder of the embedded broker; unused with RabbitMQ."""
        return self.data / "broker"

    @property
    def sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")


def load(service: str, env: Mapping[str, str], reader: type[Reader] = Reader) -> Settings:
    """Read the settings of one service.

    service: one of SERVICES. env: usually os.environ; an empty variable counts as missing.
    In development, missing secrets come from `secrets.json` in the data folder, which the first start generates.
    Raises BadSettings with all faults.
    """
    if service not in SERVICES:
        fault = Fault("service", service, one_of(SERVICES))
        raise BadSettings(f"there is no service {service}", [fault])
    read = reader(env)
    environment = read.choice("MUSTER_ENV", "development", ENVIRONMENTS)
    production = environment == "production"
    data = Path(read.text("MUSTER_DATA", "var")).absolute()
    base = read.whole("MUSTER_PORT_BASE", 8000, 1024, 65_000)
    database = f"{service.upper()}_DATABASE_URL"
    sqlite = f"sqlite:///{data}/{service}.sqlite3"
    bind = read.text("MUSTER_BIND", "127.0.0.1")
    local = {name: f"http://{local_address(bind)}:{base + PORT_OFFSETS[name]}" for name in SERVICES}
    personal: bytes | None = None
    tickets: tuple[SigningKey, ...] = ()
    signing: tuple[SigningKey, ...] = ()
    sources: PublicKeys = {}
    tokens: PublicKeys = {}
    if not read.faults or production:  # with an invalid MUSTER_ENV, generating secrets could be wrong
        signing = read_private_keys(read, data, production, service)
        sources = read_public_keys(read, data, production, SOURCE_KEYS, SOURCES, {service: signing})
        if service == "registration":
            personal = read_personal_key(read, data, production)
            tickets = read_private_keys(read, data, production, TICKETS)
        tokens = read_public_keys(
            read, data, production, TOKEN_KEYS, PURPOSES, {TICKETS: tickets} if service == "registration" else {}
        )
    # In production, settings that decide where data goes have no default: a forgotten variable must not become a
    # database in a container's file system.
    migration = MIGRATION_URL.format(service.upper())
    bare = read.url(database, None if production else sqlite, database_fault)
    database_url = with_driver(read.password(bare, f"{service.upper()}_DATABASE_PASSWORD"))
    migration_url = read.url(migration, database_url, database_fault)
    if migration_url != database_url:
        migration_url = read.password(migration_url, f"{service.upper()}_MIGRATION_DATABASE_PASSWORD")
    broker_url = read.url("BROKER_URL", None if production else "filesystem://", broker_fault)
    urls = {
        name: read.url(f"{name.upper()}_URL", None if production else url, http_fault).rstrip("/")
        for name, url in local.items()
    }
    trusted_proxies = read.whole("MUSTER_TRUSTED_PROXIES", 0, 0, 10)
    people = read_public_urls(read, urls, local, bind, base, one_origin=production or trusted_proxies > 0)
    has_console = read.text("MUSTER_CONSOLE", "1") != "0" and (not production or read.text(PUBLIC_URL) != "")
    settings = Settings(
        service=service,
        environment=environment,
        data=data,
        bind=bind,
        port_base=base,
        database_url=database_url,
        migration_url=with_driver(migration_url),
        broker_url=read.password(broker_url, "BROKER_PASSWORD"),
        exchange=read.text("MUSTER_EXCHANGE", EXCHANGE),
        urls=urls,
        public_urls=people.services,
        console_url=people.console if has_console else "",
        ticket_keys=tickets,
        token_keys=MappingProxyType({**tokens, **sources}),
        token_days=read.whole("MUSTER_TOKEN_DAYS", 550, 1, 3650),
        after_end_days=read.whole("MUSTER_AFTER_END_DAYS", 42, 0, 3650),
        personal_key=personal,
        signing_keys=signing,
        source_keys=sources,
        log_format=read.choice("MUSTER_LOG_FORMAT", "json" if production else "console", LOG_FORMATS),
        log_level=read.choice("MUSTER_LOG_LEVEL", "info", LOG_LEVELS),
        catch_up_seconds=read.seconds("MUSTER_CATCH_UP_SECONDS", 2.0, 0.05, 3600.0),
        relay_batch=read.whole("MUSTER_RELAY_BATCH", 100, 1, 10_000),
        poll_ms=read.whole("MUSTER_POLL_MS", 15, 1, 10_000),
        confirm_ms=read.whole("MUSTER_CONFIRM_MS", 10_000, 100, 600_000),
        seen_wait_ms=read.whole("MUSTER_SEEN_WAIT_MS", 2_000, 0, 60_000),
        request_limit=read.whole("MUSTER_REQUEST_LIMIT", 1_048_576, 1_024, 104_857_600),
        rate_limit=read.rate("MUSTER_RATE_LIMIT", "6000/minute"),
        web_threads=read.whole("MUSTER_WEB_THREADS", 8, 1, 256),
        connections=read.whole("MUSTER_CONNECTIONS", 500, 16, 60_000),
        streams=read.whole("MUSTER_STREAMS", 1_200, 0, 60_000),
        streams_per_caller=read.whole("MUSTER_STREAMS_PER_CALLER", 500, 1, 60_000),
        receive_seconds=read.seconds(RECEIVE_SECONDS, 10.0, 0.5, 3600.0),
        send_seconds=read.seconds("MUSTER_SEND_SECONDS", 60.0, 0.5, 3600.0),
        beacon=read.url("MUSTER_BEACON", "", beacon_fault),
        worker_inside=read.choice("MUSTER_WORKER", "inside", ("inside", "apart")) == "inside",
        worker_port=read.whole("MUSTER_WORKER_PORT", 0, 0, 65_535),
        trusted_proxies=trusted_proxies,
        origins=read.origins("MUSTER_CORS_ORIGINS"),
        webhook_networks=read.networks("MUSTER_WEBHOOK_NETWORKS"),
        webhook_http=read.choice("MUSTER_WEBHOOK_HTTP", "no", ("no", "yes")) == "yes",
    )
    for name, instead in REMOVED_SETTINGS.items():
        if read.text(name):
            read.fault(name, HIDDEN, instead)
    if _is_other_database(settings.database_url, settings.migration_url):
        read.fault(migration, HIDDEN, expects("same-database", setting=database))
    if production:
        given = {database: settings.database_url, migration: settings.migration_url, "BROKER_URL": settings.broker_url}
        for variable, url in given.items():
            if (variable != migration or read.text(migration)) and has_example_password(url):
                read.fault(variable, HIDDEN, expects("own-password"))
    if read.faults:
        raise BadSettings(f"{service} cannot start with this environment", read.faults)
    return settings


@dataclass(frozen=True, slots=True)
class PublicUrls:
    """URLs for people, without trailing slashes: of the console, and of each service by name."""

    console: str
    services: Mapping[str, str]


def read_public_urls(
    read: Reader, urls: Mapping[str, str], local: Mapping[str, str], bind: str, base: int, *, one_origin: bool
) -> PublicUrls:
    """Return the URLs at which people reach the console and the services.

    urls: service -> URL for its peers. local: the defaults of `urls`. base: MUSTER_PORT_BASE.
    one_origin: True if MUSTER_PUBLIC_URL is a reverse proxy with the services below it. Otherwise it is the console's
    own URL, and each service has its own port on the same host.
    """
    given = read.url(PUBLIC_URL, "", http_fault).rstrip("/")
    scheme = "https" if read.text("MUSTER_CERTIFICATE") else "http"
    console = given or f"{scheme}://{network_address(bind)}:{base + PORT_OFFSETS['console']}"
    if given and one_origin:
        return PublicUrls(console, {name: f"{given}/{name}" for name in urls})
    # After a fault the URL may be invalid; the result is not used then.
    host = url_host(urlsplit(given).hostname or "") if given and not read.faults else network_address(bind)
    here = {name: f"http://{host}:{base + PORT_OFFSETS[name]}" for name in urls}
    return PublicUrls(console, {name: here[name] if url == local[name] else url for name, url in urls.items()})


def installation_keys(env: Mapping[str, str]) -> tuple[SigningKey, ...]:
    """Return the keys of the operator, for the command line; the first one signs. Services do not load them.

    They come from MUSTER_INSTALLATION_KEY or from an existing `secrets.json` in the data folder. A new key would sign
    tokens that no service accepts. Raises BadSettings.
    """
    read = Reader(env)
    data = Path(read.text("MUSTER_DATA", "var")).absolute()
    if not read.text(PRIVATE_KEY_VARIABLES[INSTALLATION]) and not (data / "secrets.json").exists():
        right = expects("installation-key", setting=PRIVATE_KEY_VARIABLES[INSTALLATION])
        raise BadSettings("no key", [Fault(str(data / "secrets.json"), NOTHING, right)])
    keys = read_private_keys(read, data, False, INSTALLATION)
    if read.faults:
        raise BadSettings("no key that can be used", read.faults)
    return keys


def _is_other_database(url: str, other: str) -> bool:
    """Return True if two URLs differ in engine or database name; hosts may differ, since a server may have several."""
    first, second = urlsplit(url), urlsplit(other)
    return (first.scheme, first.path) != (second.scheme, second.path)


def with_driver(url: str) -> str:
    """Return a PostgreSQL URL with the driver that Muster uses; other URLs unchanged."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else url
