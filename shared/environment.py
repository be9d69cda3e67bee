"""Reading environment variables one by one, keeping every fault instead of stopping at the first.

A reader answers with the default where a value is wrong, so that the caller can read on; whoever uses what
was read looks at `faults` first. No fault repeats a value that may hold a password.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import SplitResult, quote, urlsplit

from shared.refusals import NOTHING, Expected, Fault, expects, one_of

BROKERS = ("filesystem", "amqp", "amqps")
DATABASES = ("sqlite", "postgresql", "postgresql+psycopg", "postgres")
HIDDEN = "***"
"""What a fault says in place of a value that may hold a secret."""

# What people copy from manuals; see `is_example`.
EXAMPLE_WORDS = ("change-me", "changeme", "replace-me", "example", "insecure", "password", "0123456789abcdef")
EXAMPLE_PASSWORDS = ("guest", "postgres", "muster", "secret", "admin", "root")
FEWEST_DIFFERENT_CHARACTERS = 8

# What a browser sends as Origin: scheme and host in lower case, the port where it is not the scheme's own.
ORIGIN = re.compile(r"(http(?!://[^/]*:80$)|https(?!://[^/]*:443$))://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")

UrlCheck = Callable[[str, SplitResult], Expected | None]
"""Returns what would be right in place of a URL; None for a URL that is."""


class Reader:
    """The environment with a list of what was wrong in it. A variable that is empty counts as missing.

    Where NAME_FILE names a file, what it holds is the value of NAME, so that secrets need not stand in the environment.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.faults: list[Fault] = []
        self._env = env
        self._of_files: dict[str, str] = {}

    def fault(self, variable: str, said: str, expected: Expected | str) -> None:
        """Keep a fault. said: the value; HIDDEN in place of one that may hold a secret."""
        self.faults.append(Fault(variable, said, expected))

    def text(self, variable: str, default: str = "") -> str:
        return self._env.get(variable, "").strip() or self._of_file(variable) or default

    def _of_file(self, variable: str) -> str:
        """What the file named by NAME_FILE holds; empty where none is named, and where it cannot be read, a fault."""
        named = f"{variable}_FILE"
        file = self._env.get(named, "").strip()
        if not file:
            return ""
        if variable not in self._of_files:
            self._of_files[variable] = ""
            try:
                self._of_files[variable] = Path(file).read_text("utf-8").strip()
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None)
                self.fault(named, file, expects("readable-file", error=why) if why else expects("text-file"))
            else:
                if not self._of_files[variable]:
                    self.fault(named, file, expects("file-with-value"))
        return self._of_files[variable]

    def origins(self, variable: str) -> tuple[str, ...]:
        """Origins of web pages as browsers write them, with commas between them."""
        origins = tuple(filter(None, (origin.strip() for origin in self.text(variable).split(","))))
        for origin in origins:
            if not ORIGIN.fullmatch(origin):
                self.fault(variable, origin, expects("origins"))
        return origins

    def networks(self, variable: str) -> tuple[IPv4Network | IPv6Network, ...]:
        """Networks of addresses (10.0.0.0/8), with commas between them; an address alone is one of itself."""
        found = []
        for said in filter(None, (said.strip() for said in self.text(variable).split(","))):
            try:
                found.append(ip_network(said))
            except ValueError:
                self.fault(variable, said, expects("networks"))
        return tuple(found)

    def password(self, url: str, variable: str) -> str:
        """The URL with the password that a variable of its own holds, where it holds one."""
        password = self.text(variable)
        if not password:
            return url
        scheme, _, rest = url.partition("://")
        place, slash, path = rest.partition("/")
        user, at, host = place.rpartition("@")
        if not at or not user or ":" in user:
            self.fault(variable, HIDDEN, expects("password-of-url"))
            return url
        return f"{scheme}://{user}:{quote(password, safe='')}@{host}{slash}{path}"

    def choice(self, variable: str, default: str, words: tuple[str, ...]) -> str:
        value = self.text(variable, default)
        if value in words:
            return value
        self.fault(variable, value, one_of(words))
        return default

    def whole(self, variable: str, default: int, least: int, most: int) -> int:
        value = self.text(variable)
        if not value:
            return default
        if re.fullmatch(r"[0-9]{1,12}", value) and least <= int(value) <= most:
            return int(value)
        self.fault(variable, value, expects("whole-number-range", least=least, most=most))
        return default

    def seconds(self, variable: str, default: float, least: float, most: float) -> float:
        value = self.text(variable)
        if not value:
            return default
        if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value) and least <= float(value) <= most:
            return float(value)
        self.fault(variable, value, expects("seconds", least=f"{least:g}", most=f"{most:g}"))
        return default

    def rate(self, variable: str, default: str) -> str:
        """So many requests in a second, a minute, an hour or a day; `off` is read as the empty string."""
        value = self.text(variable, default)
        if not re.fullmatch(r"[1-9][0-9]{0,8}/(second|minute|hour|day)|off", value):
            self.fault(variable, value, expects("request-rate"))
        return "" if value == "off" else value

    def url(self, variable: str, default: str | None, check: UrlCheck) -> str:
        """A URL that `check` finds nothing wrong with. default: None where there is none (production)."""
        value = self.text(variable)
        if not value:
            if default is None and (right := check("", urlsplit(""))):
                self.fault(variable, NOTHING, right)
            return default or ""
        try:
            parts = urlsplit(value)
            _ = parts.port  # raises where the port is not a number
        except ValueError:
            self.fault(variable, without_secret(value), expects("url"))
            return value
        if right := check(value, parts):
            self.fault(variable, without_secret(value), right)
        return value


def without_secret(url: str) -> str:
    """Return a URL as a fault may say it: HIDDEN for one that may hold a password."""
    return HIDDEN if "@" in url or "password" in url.lower() else url


def http_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return what would be right in place of a URL that is not of HTTP."""
    return None if parts.scheme in ("http", "https") and parts.hostname else expects("http-url")


def database_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return what would be right in place of a URL that is not of a database."""
    if parts.scheme not in DATABASES:
        return expects("database-url")
    if parts.scheme == "sqlite":
        # A database in memory would be another one in every process.
        wrong = parts.hostname or len(parts.path) < 2 or ":memory:" in value
        return expects("sqlite-url") if wrong else None
    return None if parts.hostname and len(parts.path) >= 2 else expects("postgresql-url")


def broker_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return what would be right in place of a URL that is not of a broker."""
    if parts.scheme not in BROKERS:
        return expects("broker-url")
    return expects("amqp-url") if parts.scheme != "filesystem" and not parts.hostname else None


def is_example(secret: str) -> bool:
    """True for a secret that was never chosen: from a manual, or hardly more than one character repeated."""
    low = secret.lower()
    few = len(set(secret)) < FEWEST_DIFFERENT_CHARACTERS
    return few or any(word in low for word in EXAMPLE_WORDS)


def example_password(url: str) -> bool:
    """True where a URL carries a password that ships with something. No password at all is no example."""
    password = urlsplit(url).password
    if password is None:
        return False
    low = password.lower()
    return low in EXAMPLE_PASSWORDS or any(word in low for word in EXAMPLE_WORDS)
