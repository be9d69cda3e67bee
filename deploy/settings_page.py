"""`python -m deploy.settings_page` (`make docs`): write docs/reference/settings.md.

Defaults and limits come from the code that reads the variables; TEXTS describes each variable.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from services.console import settings as console_settings
from shared import settings as service_settings
from shared.environment import Reader
from shared.settings import SERVICES

DOCUMENT = Path(__file__).parents[1] / "docs/reference/settings.md"

HEAD = """# Settings

All settings are environment variables. An empty variable counts as missing. At the start Muster reports every wrong setting, one line each, and starts nothing until all are right. With `MUSTER_ENV=production`, databases, broker, addresses and secrets have no defaults, and secrets and passwords from examples are refused.

`NAME_FILE` names a file that contains the value of `NAME`: `MUSTER_PERSONAL_KEY_FILE=/run/secrets/personal_key`. If both are set, the variable itself counts.

`make docs` writes this page from `deploy/settings_page.py` and from the code that reads the settings.
"""  # noqa: E501 - a paragraph of a document is a line

CONTAINERS = """## In containers

Set variables in `.env`; `deploy/example.env` lists those that you may choose. The Compose file sets addresses, databases and secrets itself. Not meant for its containers, and not passed on: `MUSTER_BIND`, `MUSTER_PORT_BASE`, `MUSTER_EXCHANGE` and `MUSTER_POLL_MS` (inside the containers' own network), `MUSTER_CERTIFICATE` and `MUSTER_CERTIFICATE_KEY` (the edge has the certificate), `MUSTER_CONSOLE`, `MUSTER_PRINT_TOKEN`, `MUSTER_PARENT` and `MUSTER_NEW_KEYS` (`make run` alone).

## Files

Only the user who runs Muster can read the files that it makes: databases with their `-wal` and `-shm`, the folder broker, secrets. The same holds for the data folder if Muster makes it; an existing folder keeps its mode.
"""  # noqa: E501


class Text(NamedTuple):
    """The description of a variable.

    default: text for the page, if the code computes the default. also: variables with the same description.
    """

    meaning: str
    default: str = ""
    also: tuple[str, ...] = ()


class Read(NamedTuple):
    """A variable as a program reads it. values: its limits, or the accepted words."""

    default: str
    values: str


GROUPS: Mapping[str, Mapping[str, Text]] = MappingProxyType(
    {
        "Places and addresses": {
            "MUSTER_ENV": Text("`production` refuses missing and example secrets, and logs JSON"),
            "MUSTER_DATA": Text("Folder of the SQLite databases, the folder broker and the secrets"),
            "MUSTER_PORT_BASE": Text(
                "The console listens on this port, registration on + 1, pairing on + 2, scoring on + 3"
            ),
            "MUSTER_BIND": Text("Address to listen on. `0.0.0.0`: all; links then use this machine's network address"),
            "MUSTER_PUBLIC_URL": Text(
                "The address that people use. Behind a reverse proxy it is the one address for everything; without "
                "one it is the console's, and links lead to each service's own port on the same host",
                "the console on this machine",
            ),
            "REGISTRATION_URL": Text(
                "Where the other services and the console reach each service",
                "`http://127.0.0.1:8001` …",
                ("PAIRING_URL", "SCORING_URL"),
            ),
            "MUSTER_TRUSTED_PROXIES": Text(
                "Number of reverse proxies in front. Muster believes their `X-Forwarded-For`, `-Proto`, `-Host` and "
                "`-Prefix`, so they have to set or remove all four"
            ),
            "MUSTER_CORS_ORIGINS": Text(
                "Origins of other web pages that may read answers in a browser: "
                "`https://club.example,http://localhost:5173`",
                "none",
            ),
            "MUSTER_TIME_ZONE": Text(
                "Console: the time zone of the hall (`Europe/Berlin`), for all times on pages and in forms. Containers "
                "do not know their machine's zone and show UTC",
                "the machine's",
            ),
        },
        "Databases and broker": {
            "REGISTRATION_DATABASE_URL": Text(
                "Or `postgresql://user:password@host:5432/database`; a different database for each service",
                "`sqlite:///<data>/<service>.sqlite3`",
                ("PAIRING_DATABASE_URL", "SCORING_DATABASE_URL"),
            ),
            "REGISTRATION_MIGRATION_DATABASE_URL": Text(
                "The same database, with the role that owns the tables. Only `deploy.migrate` reads it",
                "as above",
                ("PAIRING_MIGRATION_DATABASE_URL", "SCORING_MIGRATION_DATABASE_URL"),
            ),
            "REGISTRATION_DATABASE_PASSWORD": Text(
                "The password for a URL that names a user and no password; also with `_MIGRATION` before `_DATABASE`",
                "none",
                ("PAIRING_DATABASE_PASSWORD", "SCORING_DATABASE_PASSWORD", "BROKER_PASSWORD"),
            ),
            "BROKER_URL": Text("Or `amqp://user:password@host:5672//`", "`filesystem://`"),
            "MUSTER_EXCHANGE": Text("Topic exchange of the events; the names of queues are made from it"),
        },
        "Secrets": {
            "MUSTER_TICKET_KEY": Text(
                "`kid:seed[,kid:seed…]`. The first key signs the tokens of one tournament's people. Read by "
                "registration only",
                "made at the first start",
            ),
            "MUSTER_INSTALLATION_KEY": Text(
                "The same for `muster token`: operators, integrations and others with access to every tournament. "
                "No service reads it",
                "made at the first start",
            ),
            "MUSTER_TOKEN_KEYS": Text(
                "`tickets=kid:key[+kid:key…],installation=…`: the public keys that check tokens",
                "from the keys above",
            ),
            "REGISTRATION_SIGNING_KEY": Text(
                "`kid:seed[,kid:seed…]`. The first key signs the service's events",
                "made at the first start",
                ("PAIRING_SIGNING_KEY", "SCORING_SIGNING_KEY"),
            ),
            "MUSTER_SOURCE_KEYS": Text(
                "`registration=kid:key[+kid:key…],pairing=…,scoring=…`: the public keys that check events",
                "from the keys above",
            ),
            "MUSTER_PERSONAL_KEY": Text(
                "32 bytes in base64 that encrypt personal data. Read by registration only", "made at the first start"
            ),
            "MUSTER_CONSOLE_KEY": Text(
                "Console: signs its cookies. Random text of 32 characters or more", "`console.key` in the data folder"
            ),
            "MUSTER_CERTIFICATE": Text("Console: PEM file of the certificate chain with which it serves HTTPS", "none"),
            "MUSTER_CERTIFICATE_KEY": Text("Console: PEM file of its key, without a password", "none"),
            "MUSTER_NEW_KEYS": Text(
                "`1`: start although the keys of the databases are lost, with all tokens and personal data", "off"
            ),
        },
        "Tokens": {
            "MUSTER_TOKEN_DAYS": Text("Longest life, in days, of a token or link that registration issues"),
            "MUSTER_AFTER_END_DAYS": Text(
                "Days after the end of an event for which such a token works. The organiser's own token is exempt"
            ),
            "MUSTER_PRINT_TOKEN": Text(
                "`make run`: `1` prints an organiser's token for a day. Files and journals would keep it",
                "`1` on a terminal, else `0`; `0` in the image",
            ),
        },
        "Logs": {
            "MUSTER_LOG_FORMAT": Text("Form of log lines", "`console`, in production `json`"),
            "MUSTER_LOG_LEVEL": Text("`info` logs a line for each request", "`info`, under `make run` `warning`"),
            "MUSTER_ACCESS_LOG": Text("`on` writes a JSON line for each request, without its query", "off"),
        },
        "Requests": {
            "MUSTER_RATE_LIMIT": Text(
                "Requests of one caller to one service, over all its processes: `<number>/second`, `/minute`, `/hour`, "
                "or `off`. A caller is a token, or an address without one; under `make run` all guests of the "
                "console are one caller"
            ),
            "MUSTER_REQUEST_LIMIT": Text("Bytes of a request body"),
            "MUSTER_SEEN_WAIT_MS": Text(
                "How long a request waits until the service has read what its `Muster-Seen` header asks for, before "
                "the answer is 503"
            ),
            "MUSTER_WEB_THREADS": Text(
                "Requests that each web process answers at once. It keeps as many database connections, and opens "
                "8 more at most"
            ),
            "MUSTER_CONNECTIONS": Text(
                "Client connections in use in each web process, with a thread of some 35 kB each. Others wait",
                "`500`, in containers `1000`",
            ),
            "MUSTER_STREAMS": Text(
                "Streams that each web process of scoring holds open in addition, and the console for its live pages",
                "`1200`, in containers `2500`",
            ),
            "MUSTER_STREAMS_PER_CALLER": Text("Of these, the streams of one caller"),
            "MUSTER_RECEIVE_SECONDS": Text(
                "Seconds for which a client may pause within a request. With `MUSTER_CERTIFICATE` also within an answer"
            ),
            "MUSTER_SEND_SECONDS": Text("Seconds for which a client may read nothing of its answer"),
        },
        "Events between services": {
            "MUSTER_CATCH_UP_SECONDS": Text("How often a service compares its copies with the other services' logs"),
            "MUSTER_BEACON": Text(
                "Address of drand's quicknet, whose values are mixed into draws. All three services need access to it: "
                "`https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971`",
                "none",
            ),
            "MUSTER_RELAY_BATCH": Text("Messages that a service publishes before it waits for the broker's confirms"),
            "MUSTER_CONFIRM_MS": Text("Longest wait for a confirm before the broker counts as unavailable"),
            "MUSTER_POLL_MS": Text("Time between two looks into the folder of the folder broker"),
        },
        "Webhooks": {
            "MUSTER_WEBHOOK_NETWORKS": Text(
                "Scoring: private networks that webhooks may lead to: `10.0.0.0/8,127.0.0.1/32`. Answers from there "
                "are shown to operators only",
                "none",
            ),
            "MUSTER_WEBHOOK_HTTP": Text("Scoring: `yes` allows webhooks to `http://`"),
        },
        "Processes": {
            "MUSTER_WORKER": Text(
                "Whether relay, consumer and catch-up run as threads of the web process, or as a program of their own "
                "(`python -m services.scoring.worker`)",
                "`inside`, in containers `apart`",
            ),
            "MUSTER_WORKER_PORT": Text(
                "Port on which such a program answers `/healthz` and `/metrics`, without a token. 0: none"
            ),
            "MUSTER_SERVICE": Text("The service that gunicorn serves", "set by `make run`, Compose and the units"),
            "MUSTER_CONSOLE": Text("`make run`: `0` leaves the console out", "`1`"),
            "MUSTER_PARENT": Text("`make run`: the id of a process with whose end everything stops (Linux)", "none"),
            "DEMO": Text("`make run`: `0` plays no example tournament in an empty data folder", "`1`"),
        },
        "Containers": {
            "MUSTER_REPLICAS": Text("Containers of each service that answer requests", "`2`"),
            "MUSTER_USER": Text(
                "User and group of all containers: the owner of `secrets/` and `backup/`", "`10001:10001`"
            ),
            "MUSTER_DB_OWNER_PASSWORD": Text(
                "Password of the role `muster_owner`, which migrates and makes backups", "in `secrets/`"
            ),
        },
    }
)


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join([HEAD, *_groups(read_variables()), CONTAINERS])


def _groups(variables: Mapping[str, Read]) -> Iterator[str]:
    for group, texts in GROUPS.items():
        yield f"## {group}\n"
        yield "| variable | default | values | meaning |\n|---|---|---|---|"
        for name, text in texts.items():
            read = variables.get(name, Read("", ""))
            names = ", ".join(f"`{variable}`" for variable in (name, *text.also))
            default = text.default or f"`{read.default}`"
            yield f"| {names} | {default} | {read.values} | {text.meaning} |".replace("|  |", "| |")
        yield ""


def read_variables() -> dict[str, Read]:
    """Return every variable that a service or the console reads, with its default and limits."""
    variables: dict[str, Read] = {}

    class Recording(Reader):
        """A reader that records which variables are read."""

        def text(self, variable: str, default: str = "") -> str:
            variables.setdefault(variable, Read(default, ""))
            return super().text(variable, default)

        def choice(self, variable: str, default: str, words: tuple[str, ...]) -> str:
            variables[variable] = Read(default, ", ".join(f"`{word}`" for word in words))
            return super().choice(variable, default, words)

        def whole(self, variable: str, default: int, least: int, most: int) -> int:
            variables[variable] = Read(str(default), f"{least} to {most}")
            return super().whole(variable, default, least, most)

        def seconds(self, variable: str, default: float, least: float, most: float) -> float:
            variables[variable] = Read(f"{default:g}", f"{least:g} to {most:g}")
            return super().seconds(variable, default, least, most)

    with tempfile.TemporaryDirectory() as data:
        env = {"MUSTER_DATA": data}
        for service in SERVICES:
            service_settings.load(service, env, Recording)
        console_settings.load(env, Recording)
        service_settings.installation_keys(env)
    return variables


if __name__ == "__main__":
    DOCUMENT.write_text(page(), "utf-8")
