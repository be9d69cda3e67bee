"""Everything that can be read about a tournament, to compare before and after a draft."""

from __future__ import annotations

import re

from flask import Flask

FILLED = {
    "tournament": "",
    "round": "1",
    "game": "r1g1",
    "player": "p1",
    "venue": "v1",
    "form": "match-slip",
    "award": "a1",
    "group": "p1",
    "session": "r1t1",
    "staff": "s1",
}
"""Part of an address -> what stands there."""
OF_THE_MOMENT = re.compile(rb'"(request_id|now|version)":"[^"]*"|(DTSTAMP|SEQUENCE):[^\r\n]*')
"""The same and the heads of the logs, which are public."""


def everything_read(app: Flask, tournament: str, token: str = "") -> dict[str, tuple[int, bytes]]:
    """Return status and body of every GET about a tournament, by address; without its logs."""
    client = app.test_client()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    found = {}
    for rule in app.url_map.iter_rules():
        parts = {**FILLED, "tournament": tournament}
        if "GET" not in (rule.methods or ()) or "tournament" not in rule.arguments or rule.rule.endswith("/log"):
            continue
        if rule.rule.endswith("/heads"):
            continue
        given = {name: int(parts[name]) if name == "round" else parts.get(name, "x1") for name in rule.arguments}
        address = app.url_map.bind("localhost").build(rule.endpoint, given)
        for kind in ("application/json", "text/csv"):
            answer = client.get(address, headers={**headers, "Accept": f"{kind}, */*;q=0.1"})
            found[f"{address} {kind}"] = answer.status_code, OF_THE_MOMENT.sub(b"", answer.get_data())
    return found
