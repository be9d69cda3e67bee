"""Whom a service believes where a request came from: as many proxies as it was told of, or the one that knows a secret.

Where Muster runs as a whole on one machine, the console passes requests on to services that others reach, too, without
it. Both come from anywhere, so that the console says a secret that was made for this run.
"""

from __future__ import annotations

import hmac
from typing import Any

from flask import Flask
from msgspec import Struct
from werkzeug.middleware.proxy_fix import ProxyFix

HEADER = "X-Muster-Proxy"
"""Of a request: the secret, from whoever passes it on."""
_OF_ENVIRONMENT = "HTTP_X_MUSTER_PROXY"


class Proxies(Struct, frozen=True):
    """hops: how many stand before every request. secret: what one says that stands before some; empty: there is none.

    They set X-Forwarded-*, the prefix among them under which they serve this.
    """

    hops: int = 0
    secret: str = ""


NO_PROXIES = Proxies()


class KnownProxy:
    """The application behind one proxy for who says the secret, and as it was for everybody else."""

    def __init__(self, otherwise: Any, behind_one: Any, secret: str) -> None:
        self._otherwise = otherwise
        self._behind_one = behind_one
        self._secret = secret.encode()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        said = environ.pop(_OF_ENVIRONMENT, "").encode("latin-1")
        known = hmac.compare_digest(said, self._secret)
        return (self._behind_one if known else self._otherwise)(environ, start_response)


def believe(app: Flask, proxies: Proxies) -> None:
    """Take address, scheme, host and prefix of a request from X-Forwarded-*, where such a proxy says them."""
    plain: Any = app.wsgi_app
    configured = _behind(plain, proxies.hops) if proxies.hops else plain
    believing = KnownProxy(configured, _behind(plain, 1), proxies.secret) if proxies.secret else configured
    app.wsgi_app = believing  # type: ignore[method-assign]


def _behind(application: Any, hops: int) -> ProxyFix:
    return ProxyFix(application, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops)
