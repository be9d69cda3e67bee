"""For whom a page asks the services: the address of whoever opened it, so that each guest has an own allowance.

Said only where it is believed: with the secret of this run, or where services believe a number of proxies.
"""

from __future__ import annotations

from collections.abc import Callable

import httpx
from flask import has_request_context, request

from services.console.settings import Settings
from shared.web.proxies import HEADER


def address_added(settings: Settings) -> Callable[[httpx.Request], None]:
    """What adds the address of whoever opened the page at hand to a request that is about to be sent."""
    below = tuple(f"{base}/" for base in settings.below.values())

    def add(sent: httpx.Request) -> None:
        if not has_request_context() or not request.remote_addr:
            return
        if below and str(sent.url).startswith(below):
            sent.headers[HEADER] = settings.proxy_secret
            sent.headers["X-Forwarded-For"] = request.remote_addr
        elif settings.trusted_proxies:
            sent.headers["X-Forwarded-For"] = ", ".join([request.remote_addr] * settings.trusted_proxies)

    return add
