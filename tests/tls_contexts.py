"""The certificates that this machine trusts, read once a process: each `http.get` would read them, in 20 ms of it."""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import Any

from httpx._transports import default as transports

_genuine = transports.create_ssl_context


@cache
def _trusting(trust_env: bool, file: str | None, folder: str | None) -> ssl.SSLContext:
    """The context of whoever names none, as long as the surroundings name the same certificates."""
    return _genuine(trust_env=trust_env)


def _create(verify: Any = True, cert: Any = None, trust_env: bool = True) -> ssl.SSLContext:
    if verify is not True or cert is not None:
        return _genuine(verify=verify, cert=cert, trust_env=trust_env)
    return _trusting(trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


def share() -> None:
    """Have all clients of httpx in this process use the same."""
    transports.create_ssl_context = _create  # type: ignore[attr-defined]
