"""Exceptions of the client; all are a MusterError."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class MusterError(Exception):
    """A request was refused or not answered."""


class Unreachable(MusterError):
    """A service did not answer within the patience of the client. service: its name. at: its address."""

    def __init__(self, service: str, at: str, why: str) -> None:
        self.service = service
        self.at = at
        super().__init__(f"{service} does not answer at {at} ({why})")


class UnexpectedAnswer(MusterError):
    """A service sent an answer that this client cannot read: it is not Muster, or an incompatible version."""

    def __init__(self, service: str, status: int, why: str) -> None:
        self.service = service
        self.status = status
        super().__init__(f"{service} answered {status}, and not as Muster does: {why}")


class NotSent(MusterError, ValueError):
    """The request has another shape than the operation takes; nothing was sent."""


class Fault(NamedTuple):
    """One fault of a request.

    where: JSON pointer into the body, or name of a header. said: the invalid value. expected: English description of a
    valid value. clause: clause of the rules, if any. code: stable code of `expected`, to switch on. data: the values in
    the sentence of the code. `code` and `data` are empty in answers of older services.
    """

    where: str = ""
    said: str = ""
    expected: str = ""
    clause: str = ""
    code: str = ""
    data: Mapping[str, Any] = MappingProxyType({})


class Problem(MusterError):
    """A service refused (RFC 9457). `muster_client.problems` has a class of its own for each code that it names.

    type: `/problems/<code>`, stable. code: the end of `type`. title: the same for every problem of this type.
    detail: description of this problem. faults: every fault. data: facts to act on, by code. status: HTTP status.
    service: the service that refused. request_id: id of the request in the service's log.
    idempotency_key: key of the command, to send it again unchanged.
    """

    def __init__(self, service: str, status: int, body: Mapping[str, Any], idempotency_key: str = "") -> None:
        self.service = service
        self.status = status
        self.body = body
        self.type = str(body.get("type", ""))
        self.code = str(body.get("code", ""))
        self.title = str(body.get("title", ""))
        self.detail = str(body.get("detail", ""))
        self.faults = [_fault(one) for one in body.get("errors", ()) if isinstance(one, Mapping)]
        self.data: dict[str, Any] = dict(body.get("data") or {})
        self.request_id = str(body.get("request_id", ""))
        self.idempotency_key = idempotency_key
        texts = (" ".join(filter(None, (one.where, one.said, one.expected))) for one in self.faults)
        faults = "".join(f"; {text}" for text in texts)
        super().__init__(f"{service} answered {status} {self.code}: {self.title}: {self.detail}{faults}")


def _fault(error: Mapping[str, Any]) -> Fault:
    where, said, expected, clause, code = (
        str(error.get(name, "")) for name in ("where", "said", "expected", "clause", "code")
    )
    data = error.get("data")
    return Fault(where, said, expected, clause, code, data if isinstance(data, Mapping) else MappingProxyType({}))
