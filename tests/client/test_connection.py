"""What the client does by itself while services are away, busy, or other than it knows."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from muster_client import Muster, NotSent, Problem, UnexpectedAnswer, Unreachable, problems

Answering = Callable[[httpx.Request], httpx.Response]
JOINED = {"events": [], "players": [], "id": "p1"}


class Script(httpx.BaseTransport):
    """A service that answers one thing after another, the last one for ever; what it was asked is kept."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"type": f"/problems/{code}", "title": "No", "status": status, "detail": "Not so.", "code": code}
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


def asking(*answers: httpx.Response | Exception, **more: float) -> tuple[Muster, Script]:
    script = Script(*answers)
    return Muster("http://muster.test/", "secret", transport=script, known=["registration"], **more), script


BUSY = problem(503, "unavailable", Retry_After="0")
DONE = httpx.Response(201, json=JOINED, headers={"Muster-Seen": "registration=7, scoring=2"})


@pytest.mark.parametrize(
    "first",
    [
        httpx.ConnectError("nobody there"),
        httpx.ReadError("cut"),
        httpx.RemoteProtocolError("closed mid-body"),
        BUSY,
        problem(429, "too-many-requests", Retry_After="0"),
        httpx.Response(502, text="<html>an edge</html>"),
    ],
)
def test_a_command_is_sent_again_with_the_same_key_until_it_is_answered(first: httpx.Response | Exception) -> None:
    muster, script = asking(first, first, DONE)
    done = muster.registration.join_player("cup", name="Ana")
    keys = {request.headers["Idempotency-Key"] for request in script.asked}
    assert (len(script.asked), keys) == (3, {done.meta.idempotency_key})
    assert len({request.content for request in script.asked}) == 1


def test_it_goes_to_the_services_below_one_address_with_the_token_in_a_header() -> None:
    muster, script = asking(DONE)
    muster.registration.join_player("a cup/?", name="Ana")
    (request,) = script.asked
    assert request.url.raw_path == b"/registration/tournaments/a%20cup%2F%3F/players"
    assert request.headers["Authorization"] == "Bearer secret"


def test_no_answer_may_be_from_before_what_was_seen_of_that_tournament() -> None:
    muster, script = asking(DONE)
    muster.registration.join_player("cup", name="Ana")
    muster.acting_as("another").registration.join_player("cup", name="Ben")
    muster.registration.join_player("bowl", name="Cy")
    seen = [request.headers.get("Muster-Seen") for request in script.asked]
    assert seen == [None, "registration=7, scoring=2", None]


def test_patience_ends() -> None:
    muster, script = asking(BUSY, patience=0.3)
    with pytest.raises(problems.Unavailable) as busy:
        muster.registration.join_player("cup", name="Ana")
    assert len(script.asked) > 1
    assert busy.value.idempotency_key == script.asked[0].headers["Idempotency-Key"]
    muster, _ = asking(problem(503, "unavailable", Retry_After="3600"))
    with pytest.raises(problems.Unavailable):
        muster.registration.list_tournaments()
    muster, _ = asking(httpx.ConnectError("nobody there"), patience=0.1)
    with pytest.raises(Unreachable, match="registration does not answer at http"):
        muster.registration.list_tournaments()


def test_a_service_that_never_was_there_is_not_waited_for() -> None:
    muster, script = asking(httpx.ConnectError("nobody there"))
    with pytest.raises(Unreachable):
        muster.scoring.show_standings("cup")
    assert len(script.asked) == 1


def test_what_is_refused_is_not_asked_again() -> None:
    muster, script = asking(problem(409, "registration-closed"), DONE)
    with pytest.raises(problems.RegistrationClosed):
        muster.registration.join_player("cup", name="Ana")
    assert len(script.asked) == 1


def test_what_a_newer_service_says_more_is_passed_over() -> None:
    more = {"items": [], "next": None, "total": 0, "colour": "red"}
    muster, _ = asking(httpx.Response(200, json=more))
    assert muster.registration.list_tournaments().total == 0
    muster, _ = asking(problem(418, "teapot"))
    with pytest.raises(Problem) as refused:
        muster.registration.list_tournaments()
    assert (type(refused.value), refused.value.code) == (Problem, "teapot")


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>a login page</html>"),
        httpx.Response(200, json={"items": "none"}),
        httpx.Response(302, headers={"Location": "https://elsewhere.test"}),
        httpx.Response(404, text="not found"),
        httpx.Response(404, json=["not found"]),
    ],
)
def test_what_is_no_answer_of_muster_is_said(answer: httpx.Response) -> None:
    muster, script = asking(answer)
    with pytest.raises(UnexpectedAnswer, match="not as Muster does"):
        muster.registration.list_tournaments()
    assert len(script.asked) == 1


@pytest.mark.parametrize("version", ["\u2603", 'a\x00"b', '"a"\r\nX-Other: b', " ", '"a" '])
def test_a_header_that_nothing_can_send_is_no_fault_of_the_service(version: str) -> None:
    muster, script = asking(DONE)
    with pytest.raises(NotSent, match="If-Match"):
        muster.registration.close_registration("cup", if_match=version)
    assert script.asked == []
