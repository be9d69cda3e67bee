"""Role checks against a running service: every operation with every role, without a token, and from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shared.roles import EVERY_TOURNAMENT, ISSUED, ROLES
from tests.services.story import Club

EVERYBODY = frozenset[str]()
LEADING = frozenset({"operator", "organiser"})
HEADS = LEADING | {"head_referee"}
CREW = HEADS | {"referee"}

PARTS = (
    *("player", "staff", "venue", "game", "award", "form", "session", "party", "gathered"),
    *("group", "step", "member", "account", "webhook"),
)
"""Parts of addresses other than tournaments and rounds."""

OF_EVERY_SERVICE: Mapping[str, frozenset[str]] = {
    "healthz": EVERYBODY,
    "readyz": EVERYBODY,
    "metrics_text": frozenset({"operator", "integration", "service"}),
    "log": EVERYBODY,
    "heads": EVERYBODY,
    "show_asyncapi": EVERYBODY,
    "show_event_schema": EVERYBODY,
    "show_result_schema": EVERYBODY,
    "whole_log": frozenset({"operator", "integration", "service"}),
    "rebuild_from_logs": frozenset({"operator"}),
    "check_database": frozenset({"operator"}),
    "recopy_from_owner": frozenset({"operator"}),
    "recover_from_peers": frozenset({"operator"}),
    **dict.fromkeys(("copies_held", "copies_heads", "copies_feed"), frozenset({"operator", "service"})),
}


def addresses(club: Club) -> Iterator[tuple[str, str, str]]:
    """Yield (operation, method, address) of every operation of the service, with unknown ids."""
    paths = club.client.get("/openapi.json").get_json()["paths"]
    for path, methods in paths.items():
        address = (
            path.replace("{tournament}", "t-nowhere")
            .replace("{round}", "1")
            .replace("{delivery}", "1")
            .replace("{statement}", "1")
            .replace("{version}", "1")
            .replace("{type}", "VenueBurnt")
        )
        for part in PARTS:
            address = address.replace("{" + part + "}", f"{part}-1")
        for method, operation in methods.items():
            if method != "parameters":
                yield operation["operationId"], method.upper(), address


def code_of(club: Club, method: str, address: str, token: str = "") -> tuple[int, str]:
    """Return status and problem code of the answer to a request with an empty body."""
    answer = club.ask(method, address, None if method == "GET" else {}, token=token)
    return answer.status, answer.code


def wrong_answers(club: Club, table: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the operations whose access differs from the table."""
    wrong = []
    for operation, method, address in addresses(club):
        may = table[operation]
        for role in ROLES:
            scope = "t-nowhere" if role in ISSUED else EVERY_TOURNAMENT
            token = club.token(role, scope, **({"player": "p1"} if role == "player" else {}))
            status, code = code_of(club, method, address, token)
            if (status == 403 and code == "forbidden") != bool(may and role not in may):
                wrong.append(f"{operation} answers a {role} with {status} {code}")
        if may and code_of(club, method, address) != (401, "unauthenticated"):
            wrong.append(f"{operation} asks nobody for a token")
        if may and "t-nowhere" in address:
            elsewhere = club.token(sorted(may)[0], "t-elsewhere", **({"player": "p1"} if "player" in may else {}))
            if code_of(club, method, address, elsewhere) != (403, "wrong-tournament"):
                wrong.append(f"{operation} takes a token of another tournament")
        elif may:
            of_one = club.token(sorted(may)[0], "t-elsewhere")
            if code_of(club, method, address, of_one) != (403, "wrong-tournament"):
                wrong.append(f"{operation} takes a token of one tournament")
    return wrong
