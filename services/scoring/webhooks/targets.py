"""Targets of webhooks: the address as written, and the addresses that its name stands for. Pure.

Two looks, since a name may stand for another address later: the address is looked at when somebody gives it, and what
its name stands for at each connection, which is made to the very address that was looked at (`sending.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

import msgspec

from shared.names import code_point
from shared.refusals import NOTHING, Expected, expects, one_of, without_secret

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LONGEST_URL = 2000
PORTS = {"https": 443, "http": 80}
FIRST_FREE_PORT = 1024
"""Ports below are of services with a meaning of their own; those of the web are let in."""
SPOKEN_OTHERWISE = frozenset(
    {1433, 1521, 1719, 1720, 1723, 2049, 2375, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 6000}
    | {6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9200, 9300, 10080, 11211, 27017}
)
"""Ports where something else than HTTP listens, which a request could do harm to."""

LOCAL = ("localhost", "local", "internal", "localdomain", "lan", "home", "corp")
"""Last parts of names that no public DNS knows."""

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
"""Networks of IANA's registries of special-purpose addresses that no receiver has: protocol assignments, AS112, relays,
documentation, segment routing. Which of them Python knows differs from version to version."""

_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")


class TargetFault(ValueError):
    """A target that webhooks do not lead to. said: the part that is wrong; expected: what would be right."""

    def __init__(self, said: str, expected: Expected) -> None:
        super().__init__(str(expected))
        self.said = said
        self.expected = expected


class Target(msgspec.Struct, frozen=True):
    """Where a webhook leads. host: a name, or an address without brackets. path: with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: what of a target may be shown to whoever manages the webhook."""
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.bracketed}{port}"

    @property
    def bracketed(self) -> str:
        """The host as it stands in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def url(self) -> str:
        """The whole of it."""
        return self.origin + self.path


class TargetRules(msgspec.Struct, frozen=True):
    """What the operator allows. networks: addresses beside the public ones; plain: http:// too."""

    networks: Sequence[Network] = ()
    plain: bool = False

    def read(self, url: str) -> Target:
        """The target that a URL names. Raises TargetFault; what its name stands for is not looked at."""
        if len(url) > LONGEST_URL:
            raise TargetFault(str(len(url)), expects("characters-at-most", most=LONGEST_URL))
        if not _PATH.fullmatch(url):
            character = next(one for one in url if not _PATH.fullmatch(one))
            raise TargetFault(code_point(character), expects("ascii-url"))
        parts, port = _split(url)
        scheme, host = parts.scheme, (parts.hostname or "").lower()
        if scheme not in PORTS or (scheme == "http" and not self.plain):
            raise TargetFault(scheme or NOTHING, one_of(["https", "http"] if self.plain else ["https"]))
        if "@" in parts.netloc:  # what stands before it is not said back
            raise TargetFault("@", expects("url-without-user"))
        if parts.fragment or "#" in url:
            raise TargetFault("#", expects("url-without-fragment"))
        if "\\" in url:
            raise TargetFault("\\", expects("slashes-in-path"))
        port = port or PORTS[scheme]
        if (port < FIRST_FREE_PORT and port not in PORTS.values()) or port in SPOKEN_OTHERWISE:
            raise TargetFault(str(port), expects("port-of-http", first=str(FIRST_FREE_PORT)))
        target = Target(scheme, _host(host), port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        literal = _literal(target.host)
        if literal is not None:
            self.need_good([literal], target.host)
        elif _is_local(target.host) and not self.networks:
            raise TargetFault(target.host, expects("host-of-internet"))
        return target

    def need_good(self, addresses: Sequence[Address], host: str) -> None:
        """Raises TargetFault where one of a host's addresses is none that webhooks may be sent to.

        One that is not is enough: whoever answers for a name could give a good one beside it. Which it is, is not said.
        """
        if not addresses or not all(self.allows(address) for address in addresses):
            raise TargetFault(host, expects("host-with-public-addresses"))

    def allows(self, address: Address) -> bool:
        """Whether webhooks may be sent to an address: it is public, or the operator names its network."""
        return is_public(address) or self.allows_privately(address)

    def allows_privately(self, address: Address) -> bool:
        """Whether an address is one that the operator had to allow."""
        plain = _within(address) or address
        return any(plain in network for network in self.networks if network.version == plain.version)


def is_public(address: Address) -> bool:
    """Whether an address is one that everybody on the internet reaches, and the machine that it seems to be."""
    inner = _within(address)
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


def _within(address: Address) -> IPv4Address | None:
    """The older address that a newer one carries, to which packets may go in the end."""
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
    """Raises TargetFault for what is neither a name nor an address in its usual form: 127.1, 0x7f000001, 2130706433."""
    literal = _literal(host)
    if literal is not None and "%" not in host:
        return str(literal)
    if not NAME.fullmatch(host):
        raise TargetFault(host or NOTHING, expects("name-of-host"))
    if NUMERIC.fullmatch(host.rstrip(".").rsplit(".", 1)[-1]):
        raise TargetFault(host, expects("address-or-name-of-host"))
    return host


def _is_local(host: str) -> bool:
    """Whether a name is one that no public DNS knows."""
    parts = host.rstrip(".").split(".")
    return len(parts) == 1 or parts[-1] in LOCAL
