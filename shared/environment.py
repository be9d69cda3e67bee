"""The environment of a process: its variables, its addresses, and files for its user alone.

Variables are read one by one, and every fault is kept instead of stopping at the first. A reader answers with the
default where a value is wrong, so that the caller can read on; whoever uses what was read looks at `faults` first. No
fault repeats a value that may hold a password.

Files are for the user who runs Muster alone: logs hold private tournaments and ids of tokens.
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
"""Bits of an IPv6 address that one caller has at least: the rest is theirs to choose."""


def url_host(address: str) -> str:
    """An address as it stands in a URL."""
    return f"[{address}]" if ":" in address else address


def local_address(bind: str) -> str:
    """The address, as in a URL, under which processes of this machine reach what listens on `bind`."""
    return LOCAL if bind in EVERYWHERE else url_host(bind)


def network_address(bind: str) -> str:
    """The same for others: of what listens on all addresses, the one in the hall's network."""
    if bind not in EVERYWHERE:
        return url_host(bind)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; it only says which of our addresses would be used
        except OSError:  # no network at all
            return LOCAL
        return str(probe.getsockname()[0])


@lru_cache(maxsize=4096)
def caller_network(address: str) -> str:
    """Return what one caller has of addresses: an IPv4 address, also one inside of IPv6; of IPv6 the /64."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]  # a socket in a file, or what a proxy called its client
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is None:
            return str(ipaddress.ip_network((known, CALLER_BITS), strict=False))
        known = known.ipv4_mapped
    return str(known)


NON_OWNER_BITS = 0o077
"""What everybody but the owner might do."""
FOLDER, FILE = 0o700, 0o600


def set_private_umask() -> None:
    """Have this process, and those that it starts, make files and folders that nobody else can open."""
    os.umask(NON_OWNER_BITS)


def make_private_folder(folder: Path) -> None:
    """Make a folder for oneself alone; one that is there stays as it is. Raises OSError."""
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def make_file_private(file: Path) -> None:
    """Let nobody else open a file of one's own from now on; of somebody else's, or where there is none, do nothing."""
    try:
        known = file.stat()
    except FileNotFoundError:
        return
    if known.st_uid == os.geteuid() and known.st_mode & NON_OWNER_BITS:
        file.chmod(FILE)


BROKERS = ("filesystem", "amqp", "amqps")
DATABASES = ("sqlite", "postgresql", "postgresql+psycopg", "postgres")

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

    def fault(self, variable: str, said: str, expected: Expected) -> None:
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


QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The hash of drand's chain of signatures every three seconds, with which each address of it ends."""


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


def beacon_fault(value: str, parts: SplitResult) -> Expected | None:
    """Return what would be right in place of a URL that is not of drand's quicknet."""
    is_right = parts.scheme in ("http", "https") and parts.hostname and parts.path.endswith(f"/{QUICKNET}")
    return None if is_right else expects("quicknet-url", chain=QUICKNET)


def is_example(secret: str) -> bool:
    """True for a secret that was never chosen: from a manual, or hardly more than one character repeated."""
    low = secret.lower()
    few = len(set(secret)) < FEWEST_DIFFERENT_CHARACTERS
    return few or any(word in low for word in EXAMPLE_WORDS)


def has_example_password(url: str) -> bool:
    """True where a URL carries a password that ships with something. No password at all is no example."""
    password = urlsplit(url).password
    if password is None:
        return False
    low = password.lower()
    return low in EXAMPLE_PASSWORDS or any(word in low for word in EXAMPLE_WORDS)
