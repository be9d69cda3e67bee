"""What every test may ask for: engines that may be missing on this machine, and throw-away places inside them.

    @pytest.mark.engine("postgresql")      leave this test out, by name, where there is no such engine
    postgresql_url                         the URL of an empty database for one test
    postgresql_urls()                      the same, each time that it is called
    postgresql_database()                  the same, until the run ends: dropping it costs seconds on a busy machine
    rabbitmq_exchange                      (url, exchange) with an exchange name of one's own
    engine_env                             both, as the environment of a `deploy.stack.Stack`
    shared_stack                           a whole Muster on SQLite that other files use, too (tests/shared_stacks.py)
    shared_stack_on_servers                the same on PostgreSQL and RabbitMQ
    rabbitmq_node                          a RabbitMQ server of one's own, to stop, kill, freeze and empty

MUSTER_REQUIRE=postgresql,rabbitmq makes a missing engine fail the run instead; HOW_TO_GET has all names.
TEST_POSTGRESQL_URL and TEST_BROKER_URL say where they are; TEST_BROWSER names a Chromium, TEST_PROMTOOL a
promtool, TEST_RABBITMQ_SERVER the program that starts a RabbitMQ.
TEST_IMAGE_BASE says what the image is built on (`oci-archive:FILE`, or a name).
"""

from __future__ import annotations

import gc
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import kombu
import psycopg
import pytest
import structlog
from sqlalchemy.engine import make_url

from tests import outcomes, rooms, shared_stacks, suites, tls_contexts
from tests.deploy import chromium, edge, interpreters, promtool
from tests.faults import clock, disk, network
from tests.messaging import node
from tests.programs import run_program

if TYPE_CHECKING:
    from deploy.stack import Stack
    from tests.faults.rabbitmq_node import RabbitNode

POSTGRESQL_URL = os.environ.get("TEST_POSTGRESQL_URL") or "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"
# PostgreSQL's own setting is 100 connections, and several whole Musters of tests live at a time.
FEW_CONNECTIONS = {"MUSTER_WEB_THREADS": "2"}
BROKER_URL = os.environ.get("TEST_BROKER_URL") or "amqp://guest:guest@127.0.0.1:5672//"
# Debian's rabbitmq-server on PATH serves the system's own node alone; what it calls is behind it.
RABBITMQ_SERVERS = ("/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server")
CONNECT_SECONDS = 3

# What is missing, where it was looked for, how to get it.
HOW_TO_GET = {
    "postgresql": f"no PostgreSQL at {make_url(POSTGRESQL_URL).render_as_string()} (set TEST_POSTGRESQL_URL, or: "
    "docker run -d -p 127.0.0.1:5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17)",
    "rabbitmq": f"no RabbitMQ at {kombu.Connection(BROKER_URL).as_uri()} (set TEST_BROKER_URL, or: "
    "docker run -d -p 127.0.0.1:5672:5672 rabbitmq:4)",
    "rabbitmq-server": "no rabbitmq-server to start a node of one's own with (set TEST_RABBITMQ_SERVER, or: "
    "apt install rabbitmq-server)",
    "browser": "no Chromium on PATH (set TEST_BROWSER, or: apt install chromium-headless-shell)",
    "promtool": "no promtool to try the alert rules with (set TEST_PROMTOOL, or: apt install prometheus)",
    "node": "no Node.js 18 with npm to run the subscriber in JavaScript with (apt install nodejs npm)",
    "edge": "no nginx and openssl to try the edge with (apt install nginx-light openssl)",
    "postgresql-client": "no pg_dump and pg_restore to back up with (apt install postgresql-client)",
    "docker-compose": "no docker compose to read docker-compose.yml with; its schema alone was asked",
    "buildah": "no buildah and debootstrap to build the image with, or no root (apt install buildah debootstrap)",
    "python3.12": "no Python 3.12 to try the wheel on (pyenv install 3.12)",
    "python3.13": "no Python 3.13 to try the wheel on (pyenv install 3.13)",
    "git": "no git to read the files of a commit with (apt install git)",
    "curl": "no curl to run the examples of the documents with (apt install curl)",
    "openssl": "no openssl to make certificates with (apt install openssl)",
    "clock": "no libfaketime to set the clock of running processes with (apt install faketime)",
    "mount": "no file system can be mounted (run as root, in a container with the capability SYS_ADMIN)",
    "namespaces": "no network namespaces with packets to drop (run as root, with NET_ADMIN and SYS_ADMIN; "
    "apt install iproute2 iptables)",
}

LEFT_OUT = pytest.StashKey[Counter[str]]()

# Deadlines belong to benchmarks. `make check-all` draws new examples and prints its seed; every other run tries a third
# of them, always the same, so that a run fails by what was changed and not by chance. MUSTER_FUZZ: how many times more.
EXAMPLES = 50 * int(os.environ.get("MUSTER_FUZZ", "1"))
hypothesis.settings.register_profile("random", deadline=None, print_blob=True, max_examples=EXAMPLES)
hypothesis.settings.register_profile(
    "fixed",
    hypothesis.settings.get_profile("random"),
    derandomize=True,
    database=None,
    max_examples=EXAMPLES // 3,
)


@pytest.fixture
def said() -> Iterator[list[Any]]:
    """Every line that is logged, whatever level a service in this process has set up before."""
    known = structlog.get_config()
    structlog.reset_defaults()
    with structlog.testing.capture_logs() as lines:
        yield lines
    structlog.configure(**known)


def required() -> set[str]:
    return {name.strip() for name in os.environ.get("MUSTER_REQUIRE", "").split(",") if name.strip()}


def rabbitmq_server() -> str | None:
    """The program that starts a RabbitMQ node."""
    named = os.environ.get("TEST_RABBITMQ_SERVER")
    return next(filter(None, map(shutil.which, [named] if named else RABBITMQ_SERVERS)), None)


def has_docker_compose() -> bool:
    docker = shutil.which("docker")
    return bool(docker) and not run_program([docker, "compose", "version"], capture_output=True).returncode


# What is there without being asked over a network.
ASKED: dict[str, Callable[[], bool]] = {
    "rabbitmq-server": lambda: rabbitmq_server() is not None,
    "browser": lambda: chromium.program() is not None,
    "promtool": lambda: promtool.program() is not None,
    "node": node.present,
    "edge": lambda: edge.program() is not None and shutil.which("openssl") is not None,
    "postgresql-client": lambda: all(map(shutil.which, ("pg_dump", "pg_restore"))),
    "docker-compose": has_docker_compose,
    "buildah": lambda: all(map(shutil.which, ("buildah", "debootstrap"))) and os.geteuid() == 0,
    "python3.12": lambda: interpreters.found("3.12") is not None,
    "python3.13": lambda: interpreters.found("3.13") is not None,
    "git": lambda: shutil.which("git") is not None,
    "curl": lambda: shutil.which("curl") is not None,
    "openssl": lambda: shutil.which("openssl") is not None,
    "clock": clock.possible,
    "mount": disk.possible,
    "namespaces": network.possible,
}


@cache
def present(engine: str) -> bool:
    """Whether the engine answers; asked once a run."""
    if engine in ASKED:
        return ASKED[engine]()
    try:
        if engine == "postgresql":
            psycopg.connect(conninfo(POSTGRESQL_URL), connect_timeout=CONNECT_SECONDS).close()
        else:
            with kombu.Connection(BROKER_URL, connect_timeout=CONNECT_SECONDS) as connection:
                connection.connect()
    except (psycopg.Error, OSError, kombu.exceptions.KombuError, *kombu.Connection(BROKER_URL).connection_errors):
        return False
    return True


def need(engine: str, config: pytest.Config) -> None:
    """Leave the running test out where the engine is missing; fail it where the run requires the engine."""
    if engine not in HOW_TO_GET:
        raise pytest.UsageError(f"engine({engine!r}): expected one of {', '.join(HOW_TO_GET)}")
    if present(engine):
        return
    config.stash[LEFT_OUT][engine] += 1
    if engine in required():
        pytest.fail(f"MUSTER_REQUIRE={engine}: {HOW_TO_GET[engine]}", pytrace=False)
    pytest.skip(HOW_TO_GET[engine])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--outcomes", type=Path, metavar="FILE", help="write the table of faults and attacks, as .md or .json"
    )
    parser.addoption("--suite", choices=suites.SUITES, help="run the tests of one suite (tests/suites.py)")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected: see pytest_collection_finish
    hypothesis.settings.load_profile("random" if config.getoption("--suite") == "check-all" else "fixed")
    tls_contexts.share()
    config.stash[LEFT_OUT] = Counter()
    config.pluginmanager.register(outcomes.Table(config.getoption("--outcomes")), "muster-outcomes")
    if unknown := required() - HOW_TO_GET.keys():
        raise pytest.UsageError(f"MUSTER_REQUIRE: {', '.join(unknown)}; expected some of {', '.join(HOW_TO_GET)}")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test in tests/faults is a fault."""
    if item.path.is_relative_to(outcomes.FAULTS) and item.get_closest_marker("attack") is None:
        item.add_marker("fault")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> rooms.Rooms | None:
    """Tests that share what they set up are run by one process."""
    return rooms.scheduling(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file without a test of the suite."""
    return suites.is_skipped_whole(collection_path, config.rootpath, config.getoption("--suite")) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the suite, put tests in order, and refuse two tests of one name: pytest-xdist would run one of them."""
    suites.select(items, config.getoption("--suite"), config)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rooms.place_of(item.nodeid, getattr(item, "fixturenames", ())))
    for item in items:
        item._nodeid = item.nodeid  # type: ignore[attr-defined]  # gone since pytest 9.2; schemathesis asks for it
    if twice := [name for name, number in Counter(item.nodeid for item in items).items() if number > 1]:
        raise pytest.UsageError(f"several tests are called {twice[0]}")


def pytest_collection_finish() -> None:
    """Nothing that collecting made is garbage; looking through it, again and again, would take a tenth of the run."""
    gc.freeze()
    # Tests leave little garbage that refers to itself; looking for it at every 700 objects takes a tenth of the rest.
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("engine"):
        for engine in mark.args:
            need(engine, item.config)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Where another file begins, end the shared stacks that its first test does not ask for."""
    if nextitem is None or nextitem.path != item.path:
        shared_stacks.end(but=getattr(nextitem, "fixturenames", ()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Count what a worker process of pytest-xdist left out, too."""
    node.config.stash[LEFT_OUT].update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    shared_stacks.end()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])
    # Also where no test that was selected would have used it: who requires an engine wants to know it was there.
    if exitstatus == pytest.ExitCode.OK and not all(map(present, required())):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    whole_suite = config.args == config.getini("testpaths")
    for engine, how in HOW_TO_GET.items():
        count = config.stash[LEFT_OUT][engine]
        if (count or whole_suite or engine in required()) and not present(engine):
            word = "REQUIRED AND MISSING" if engine in required() else "missing"
            terminalreporter.write_line(f"{engine} {word}, {count} tests left out: {how}")


@pytest.fixture(scope="session")
def postgresql_database(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Call it for the URL of a new, empty database; all of them are dropped when the run ends."""
    need("postgresql", request.config)
    made: list[str] = []
    with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:

        def create() -> str:
            name = f"muster_test_{secrets.token_hex(6)}"
            server.execute(f'CREATE DATABASE "{name}"'.encode())
            made.append(name)
            return make_url(POSTGRESQL_URL).set(database=name).render_as_string(hide_password=False)

        yield create
        for name in made:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


@pytest.fixture(scope="session")
def emptied_databases() -> list[str]:
    """URLs of databases that were lent to a test and are empty again; making and dropping one costs far more."""
    return []


@pytest.fixture
def postgresql_urls(
    postgresql_database: Callable[[], str], emptied_databases: list[str]
) -> Iterator[Callable[[], str]]:
    """Call it for the URL of an empty database, for one test."""
    lent: list[str] = []

    def lend() -> str:
        lent.append(emptied_databases.pop() if emptied_databases else postgresql_database())
        return lent[-1]

    yield lend
    for url in lent:
        with psycopg.connect(conninfo(url), autocommit=True) as database:
            others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            database.execute(f"SELECT pg_terminate_backend(pid) {others}")
            database.execute("DROP SCHEMA public CASCADE")
            database.execute("CREATE SCHEMA public")
        emptied_databases.append(url)


@pytest.fixture
def postgresql_url(postgresql_urls: Callable[[], str]) -> str:
    """The URL of an empty database, for one test."""
    return postgresql_urls()


@pytest.fixture
def rabbitmq_exchange(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The broker's URL and an exchange name of one's own.

    Queues take their prefix from it (shared.messaging.broker); what the services declare is deleted afterwards.
    """
    need("rabbitmq", request.config)
    with exchange_of_ones_own() as exchange:
        yield BROKER_URL, exchange


@contextmanager
def exchange_of_ones_own() -> Iterator[str]:
    """The name of an exchange; it and what the services declare with it are deleted afterwards."""
    from shared.messaging.broker import Topology
    from shared.settings import SERVICES

    topology = Topology(f"test-{secrets.token_hex(6)}.events")
    yield topology.exchange
    with kombu.Connection(BROKER_URL) as connection, connection.channel() as channel:
        for service in SERVICES:
            channel.queue_delete(topology.queue_name(service))
            channel.queue_delete(topology.dead_queue_name(service))
        for exchange in (topology.exchange, topology.dead):
            channel.exchange_delete(exchange)


@pytest.fixture(scope="session")
def rabbitmq_node(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitNode]:
    """A running RabbitMQ node that nobody else uses; whoever harms it leaves it running."""
    need("rabbitmq-server", request.config)
    from tests.faults.rabbitmq_node import RabbitNode

    binary = rabbitmq_server()
    assert binary is not None  # `need` has seen it
    with RabbitNode(tmp_path_factory.mktemp("rabbitmq"), binary) as node:
        yield node


@pytest.fixture
def engine_env(postgresql_database: Callable[[], str], rabbitmq_exchange: tuple[str, str]) -> dict[str, str]:
    """The environment of a Stack on PostgreSQL and RabbitMQ: `Stack(env=engine_env)`."""
    url, exchange = rabbitmq_exchange
    databases = {f"{name}_DATABASE_URL": postgresql_database() for name in ("REGISTRATION", "PAIRING", "SCORING")}
    return {**databases, "BROKER_URL": url, "MUSTER_EXCHANGE": exchange}


@pytest.fixture(scope="module")
def shared_stack(tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """A whole Muster as `make run` starts it, in which a test has tournaments of its own."""
    from deploy.stack import Stack

    def start(ends: ExitStack) -> Stack:
        return ends.enter_context(Stack(tmp_path_factory.mktemp("shared") / "data"))

    return shared_stacks.lend("shared_stack", start)


@pytest.fixture(scope="module")
def shared_stack_on_servers(request: pytest.FixtureRequest, postgresql_database: Callable[[], str]) -> Stack:
    """The same on PostgreSQL and RabbitMQ."""
    need("rabbitmq", request.config)
    from deploy.stack import Stack

    def start(ends: ExitStack) -> Stack:
        databases = {f"{name}_DATABASE_URL": postgresql_database() for name in ("REGISTRATION", "PAIRING", "SCORING")}
        exchange = ends.enter_context(exchange_of_ones_own())
        env = {**databases, "BROKER_URL": BROKER_URL, "MUSTER_EXCHANGE": exchange, "MUSTER_CATCH_UP_SECONDS": "0.3"}
        return ends.enter_context(Stack(env=env))

    return shared_stacks.lend("shared_stack_on_servers", start)


def conninfo(url: str) -> str:
    """A SQLAlchemy URL as psycopg itself reads it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
