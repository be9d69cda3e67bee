"""The console as it is shipped: its pages at two sizes of event, the first view in a slow browser, a hall of phones."""

from __future__ import annotations

from bench import console_first_view, console_live, console_pages
from bench.console_event import ConsoleEvent
from bench.engines import BROKER_URL
from bench.findings import Table
from bench.plan import Plan
from deploy.stack import Stack
from shared.settings import SERVICES

SIZES = (100, 2_000)
QUICK = (40, 200)


def run(plan: Plan) -> list[Table]:
    """All of it on one stack, with an event of each size."""
    sizes = QUICK if plan.quick else SIZES
    with Stack(plan.places.empty_folder("console"), env=_servers(plan)) as stack:
        events = {}
        for players in sizes:
            plan.say(f"console: an event of {players:,} players is played")
            events[players] = ConsoleEvent(stack, players)
        largest = events[max(sizes)]
        tables = console_pages.tables(plan, stack, events)
        tables += console_first_view.tables(plan, stack, largest)
        return tables + console_live.tables(plan, stack, largest)


def _servers(plan: Plan) -> dict[str, str]:
    """PostgreSQL and RabbitMQ where both are there; else what is embedded."""
    env = {"MUSTER_CONSOLE": "1", "MUSTER_RATE_LIMIT": "off"}
    if not plan.rabbitmq or "postgresql" not in plan.engines:
        return env
    databases = {f"{name.upper()}_DATABASE_URL": plan.places.database("postgresql") for name in SERVICES}
    return {**env, **databases, "BROKER_URL": BROKER_URL, "MUSTER_EXCHANGE": plan.places.exchange()}
