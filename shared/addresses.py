"""Addresses: where what listens on this machine is reached, and how much of one is one caller's."""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache

EVERYWHERE = ("0.0.0.0", "::")
LOCAL = "127.0.0.1"
PREFIX = 64
"""Bits of an IPv6 address that one caller has at least: the rest is theirs to choose."""


def in_url(address: str) -> str:
    """An address as it stands in a URL."""
    return f"[{address}]" if ":" in address else address


def reached_here(bind: str) -> str:
    """The address, as in a URL, under which processes of this machine reach what listens on `bind`."""
    return LOCAL if bind in EVERYWHERE else in_url(bind)


def reached_at(bind: str) -> str:
    """The same for others: of what listens on all addresses, the one in the hall's network."""
    if bind not in EVERYWHERE:
        return in_url(bind)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; it only says which of our addresses would be used
        except OSError:  # no network at all
            return LOCAL
        return str(probe.getsockname()[0])


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return what one caller has of addresses: an IPv4 address, also one inside of IPv6; of IPv6 the /64."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]  # a socket in a file, or what a proxy called its client
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is None:
            return str(ipaddress.ip_network((known, PREFIX), strict=False))
        known = known.ipv4_mapped
    return str(known)
