"""The environment of a process: variables, network addresses and private files.

A Reader collects all faults instead of stopping at the first. It returns the default for an invalid value, so that the
caller can read on; check `faults` before using the values. Faults never repeat a value that may hold a password.

Only the user who runs Muster may read its files: logs hold private tournaments and token ids.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Callable, Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import SplitResult, quote, urlsplit

from shared.refusals import HIDDEN, NOTHING, Expected, Fault, expects, one_of, without_secret

EVERYWHERE = ("0.0.0.0", "::")
LOCAL = "127.0.0.1"
CALLER_BITS = 64
"""Prefix length of the IPv6 network that counts as one caller, since a caller may choose the rest of the address."""


def url_host(address: str) -> str:
    """Return an IP address as the host of a URL."""
    return f"[{address}]" if ":" in address else address


def local_address(bind: str) -> str:
    """Return the URL host at which processes of this machine reach a server that listens on `bind`."""
    return LOCAL if bind in EVERYWHERE else url_host(bind)


def network_address(bind: str) -> str:
    """Return the URL host at which other machines reach a server that listens on `bind`."""
    if bind not in EVERYWHERE:
        return url_host(bind)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; it only selects the local address
        except OSError:  # no network
            return LOCAL
        return str(probe.getsockname()[0])


@lru_cache(maxsize=4096)
def caller_network(address: str) -> str:
    """Return the network that counts as one caller: the IPv4 address (also if mapped to IPv6) or the IPv6 /64."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]  # a Unix socket, or a name that a proxy gave its client
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is None:
            return str(ipaddress.ip_network((known, CALLER_BITS), strict=False))
        known = known.ipv4_mapped
    return str(known)


NON_OWNER_BITS = 0o077
"""Permission bits of all users except the owner."""
FOLDER, FILE = 0o700, 0o600


def set_private_umask() -> None:
    """Set the umask so that files of this process and its children are accessible to their owner only."""
    os.umask(NON_OWNER_BITS)


def make_private_folder(folder: Path) -> None:
    """Create a folder for its owner only; an existing folder stays unchanged. Raises OSError."""
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def make_file_private(file: Path) -> None:
    """Remove the permissions of other users from a file of this user; ignore missing files and those of others."""
    try:
        known = file.stat()
    except FileNotFoundError:
        return
    if known.st_uid == os.geteuid() and known.st_mode & NON_OWNER_BITS:
        file.chmod(FILE)


BROKERS = ("filesystem", "amqp", "amqps")
DATABASES = ("sqlite", "postgresql", "postgresql+psycopg", "postgres")

# Values that people copy from manuals; see `is_example`.
EXAMPLE_WORDS = ("change-me", "changeme", "replace-me", "example", "insecure", "password", "0123456789abcdef")
EXAMPLE_PASSWORDS = ("guest", "postgres", "muster", "secret", "admin", "root")
FEWEST_DIFFERENT_CHARACTERS = 8

# An Origin header: scheme and host in lower case, and the port unless it is the default of the scheme.
ORIGIN = re.compile(r"(http(?!://[^/]*:80$)|https(?!://[^/]*:443$))://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")

UrlCheck = Callable[[str, SplitResult], Expected | None]
"""Returns the expectation that a URL violates, or None."""


class Reader:
    """Reads variables and collects their faults. An empty variable counts as missing.

    If NAME_FILE names a file, its content is the value of NAME, so that secrets need not be in the environment.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.faults: list[Fault] = []
        self._env = env
        self._of_files: dict[str, str] = {}

    def fault(self, variable: str, value: str, expected: Expected) -> None:
        """Record a fault. value: the invalid value, or HIDDEN if it may hold a secret."""
        self.faults.append(Fault(variable, value, expected))

    def text(self, variable: str, default: str = "") -> str:
        return self._env.get(variable, "").strip() or self._of_file(variable) or default

    def _of_file(self, variable: str) -> str:
        """Return the content of the file named by NAME_FILE; empty if there is none or it cannot be read (a fault)."""
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
        """Return comma-separated origins of web pages."""
        origins = tuple(filter(None, (origin.strip() for origin in self.text(variable).split(","))))
        for origin in origins:
            if not ORIGIN.fullmatch(origin):
                self.fault(variable, origin, expects("origins"))
        return origins

    def networks(self, variable: str) -> tuple[IPv4Network | IPv6Network, ...]:
        """Return comma-separated networks (10.0.0.0/8); a single address is a network of itself."""
        networks = []
        for text in filter(None, (text.strip() for text in self.text(variable).split(","))):
            try:
                networks.append(ip_network(text))
            except ValueError:
                self.fault(variable, text, expects("networks"))
        return tuple(networks)

    def password(self, url: str, variable: str) -> str:
        """Return a URL with the password of a separate variable, if that is set."""
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
        """Return a rate such as `100/minute`, per second, minute, hour or day; empty for `off`."""
        value = self.text(variable, default)
        if not re.fullmatch(r"[1-9][0-9]{0,8}/(second|minute|hour|day)|off", value):
            self.fault(variable, value, expects("request-rate"))
        return "" if value == "off" else value

    def url(self, variable: str, default: str | None, check: UrlCheck) -> str:
        """Return a URL that `check` accepts. default: None if the variable is required."""
        value = self.text(variable)
        if not value:
            if default is None and (right := check("", urlsplit(""))):
                self.fault(variable, NOTHING, right)
            return default or ""
        try:
            parts = urlsplit(value)
            _ = parts.port  # raises ValueError if the port is not a number
        except ValueError:
            self.fault(variable, without_secret(value), expects("url"))
            return value
        if right := check(value, parts):
            self.fault(variable, without_secret(value), right)
        return value


QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The hash of drand's chain of signatures every three seconds, with which each address of it ends."""


def http_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return the expectation that an HTTP URL violates, or None."""
    return None if parts.scheme in ("http", "https") and parts.hostname else expects("http-url")


def database_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return the expectation that a database URL violates, or None."""
    if parts.scheme not in DATABASES:
        return expects("database-url")
    if parts.scheme == "sqlite":
        # Each process would have its own database in memory.
        wrong = parts.hostname or len(parts.path) < 2 or ":memory:" in value
        return expects("sqlite-url") if wrong else None
    return None if parts.hostname and len(parts.path) >= 2 else expects("postgresql-url")


def broker_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return the expectation that a broker URL violates, or None."""
    if parts.scheme not in BROKERS:
        return expects("broker-url")
    return expects("amqp-url") if parts.scheme != "filesystem" and not parts.hostname else None


def beacon_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return what would be right in place of a URL that is not of drand's quicknet."""
    is_right = parts.scheme in ("http", "https") and parts.hostname and value.endswith(f"/{QUICKNET}")
    return None if is_right else expects("quicknet-url", chain=QUICKNET)


def is_example(secret: str) -> bool:
    """Return True if a secret was copied from a manual or consists of few different characters."""
    low = secret.lower()
    few = len(set(secret)) < FEWEST_DIFFERENT_CHARACTERS
    return few or any(word in low for word in EXAMPLE_WORDS)


def has_example_password(url: str) -> bool:
    """Return True if the password of a URL is a well-known default; a missing password is not."""
    password = urlsplit(url).password
    if password is None:
        return False
    low = password.lower()
    return low in EXAMPLE_PASSWORDS or any(word in low for word in EXAMPLE_WORDS)
