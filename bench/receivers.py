"""Receivers of webhooks in a process of their own: `python -m bench.receivers NUMBER` prints their ports.

They agree to everything. `GET /arrivals` of any of them answers a JSON list of [port, message id, seconds since 1970],
and forgets them.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from functools import partial

Arrival = tuple[int, str, float]

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_ID = re.compile(rb"webhook-id: *(\S+)", re.IGNORECASE)


async def receive(arrivals: list[Arrival], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer requests on one connection until it is closed."""
    port = writer.get_extra_info("sockname")[1]
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length, id = _LENGTH.search(head), _ID.search(head)
            body = await reader.readexactly(int(length[1])) if length else b""
            if id:
                arrivals.append((port, id[1].decode(), time.time()))
                said = body if b"webhook.verification" in body else b""
            else:
                said = json.dumps(arrivals).encode()
                arrivals.clear()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(said) + said)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve(number: int) -> None:
    """Listen on that many ports, and print them."""
    arrivals: list[Arrival] = []
    answer = partial(receive, arrivals)
    servers = [await asyncio.start_server(answer, "127.0.0.1", 0) for _ in range(number)]
    print(*(server.sockets[0].getsockname()[1] for server in servers), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
