"""Targets of webhooks: validation of URLs and of the addresses that their hosts resolve to.

A host may resolve to another address later. The URL is therefore checked when it is set, and the addresses at each
connection, which is made to exactly the addresses that were checked (`sending.py`). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

import msgspec

from services.scoring.webhooks.protocol import MAX_URL
from shared.names import code_point
from shared.refusals import NOTHING, Expected, expects, one_of, without_secret

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PORTS = {"https": 443, "http": 80}
FIRST_FREE_PORT = 1024
"""Lower ports are reserved for other services, except those of HTTP."""
BLOCKED_PORTS = frozenset(
    {1433, 1521, 1719, 1720, 1723, 2049, 2375, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 6000}
    | {6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9200, 9300, 10080, 11211, 27017}
)
"""Ports of other protocols, which an HTTP request could harm."""

LOCAL_SUFFIXES = ("localhost", "local", "internal", "localdomain", "lan", "home", "corp")
"""Top-level names that do not exist in public DNS."""

NAME = re.compile(r"(?=.{1,253}\.?$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.?")
NUMERIC = re.compile(r"(0x[0-9a-f]*|[0-9]+)\.?")
_PATH = re.compile(r"[!-~]*")

SPECIAL = tuple(
    map(
        ip_network,
        (
            *("192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24"),
            *("64:ff9b:1::/48", "100::/64", "2001::/23", "2620:4f:8000::/48", "3fff::/20", "5f00::/16"),
        ),
    )
)
"""Special-purpose networks of the IANA registries that no receiver uses: protocol assignments, AS112, relays,
documentation, segment routing. Python's own list depends on its version."""

_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")


class TargetFault(ValueError):
    """A target that is not allowed. value: the offending part of the URL."""

    def __init__(self, value: str, expected: Expected) -> None:
        super().__init__(str(expected))
        self.value = value
        self.expected = expected


class Target(msgspec.Struct, frozen=True):
    """The parsed URL of a webhook. host: a name, or an address without brackets. path: includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: the part of a target that may be shown."""
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host_in_url}{port}"

    @property
    def host_in_url(self) -> str:
        """The host as it is written in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def url(self) -> str:
        """The whole URL."""
        return self.origin + self.path


class TargetRules(msgspec.Struct, frozen=True):
    """The targets that the operator allows. networks: in addition to public addresses. plain: allow http:// too."""

    networks: Sequence[Network] = ()
    plain: bool = False

    def parse(self, url: str) -> Target:
        """Return the target of a URL without resolving its host. Raises TargetFault."""
        if len(url) > MAX_URL:
            raise TargetFault(str(len(url)), expects("characters-at-most", most=MAX_URL))
        if not _PATH.fullmatch(url):
            character = next(character for character in url if not _PATH.fullmatch(character))
            raise TargetFault(code_point(character), expects("ascii-url"))
        parts, port = _split(url)
        scheme, host = parts.scheme, (parts.hostname or "").lower()
        if scheme not in PORTS or (scheme == "http" and not self.plain):
            raise TargetFault(scheme or NOTHING, one_of(["https", "http"] if self.plain else ["https"]))
        if "@" in parts.netloc:  # the fault must not repeat credentials
            raise TargetFault("@", expects("url-without-user"))
        if parts.fragment or "#" in url:
            raise TargetFault("#", expects("url-without-fragment"))
        if "\\" in url:
            raise TargetFault("\\", expects("slashes-in-path"))
        port = port or PORTS[scheme]
        if (port < FIRST_FREE_PORT and port not in PORTS.values()) or port in BLOCKED_PORTS:
            raise TargetFault(str(port), expects("port-of-http", first=str(FIRST_FREE_PORT)))
        target = Target(scheme, _host(host), port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        literal = _literal(target.host)
        if literal is not None:
            self.check_addresses([literal], target.host)
        elif _is_local_name(target.host) and not self.networks:
            raise TargetFault(target.host, expects("host-of-internet"))
        return target

    def check_addresses(self, addresses: Sequence[Address], host: str) -> None:
        """Raise TargetFault unless all addresses of a host are allowed.

        A single forbidden address suffices, because an attacker could add an allowed one. The fault does not name it.
        """
        if not addresses or not all(self.allows(address) for address in addresses):
            raise TargetFault(host, expects("host-with-public-addresses"))

    def allows(self, address: Address) -> bool:
        """Return True if an address is public or in a network that the operator allows."""
        return is_public(address) or self.allows_as_private(address)

    def allows_as_private(self, address: Address) -> bool:
        """Return True if an address is in a network that the operator allows."""
        plain = _embedded_ipv4(address) or address
        return any(plain in network for network in self.networks if network.version == plain.version)


def is_public(address: Address) -> bool:
    """Return True if an address is globally reachable and does not embed one that is not."""
    inner = _embedded_ipv4(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and (address in _COMPATIBLE or address.is_site_local):
        return False
    if any(address in network for network in SPECIAL if network.version == address.version):
        return False
    return address.is_global and not (
        address.is_multicast
        or address.is_reserved
        or address.is_unspecified
        or address.is_loopback
        or address.is_link_local
        or address.is_private
    )


def _embedded_ipv4(address: Address) -> IPv4Address | None:
    """Return the IPv4 address inside an IPv6 address, to which packets may finally go."""
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None


def _split(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url)
        return parts, parts.port
    except ValueError as error:
        raise TargetFault(without_secret(url), expects("url-of-webhook")) from error


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _host(host: str) -> str:
    """Return a normalised host. Raises TargetFault for unusual address forms such as 127.1, 0x7f000001, 2130706433."""
    literal = _literal(host)
    if literal is not None and "%" not in host:
        return str(literal)
    if not NAME.fullmatch(host):
        raise TargetFault(host or NOTHING, expects("name-of-host"))
    if NUMERIC.fullmatch(host.rstrip(".").rsplit(".", 1)[-1]):
        raise TargetFault(host, expects("address-or-name-of-host"))
    return host


def _is_local_name(host: str) -> bool:
    parts = host.rstrip(".").split(".")
    return len(parts) == 1 or parts[-1] in LOCAL_SUFFIXES
