"""Every operation with `?venue=` refuses an unknown venue in the same way."""

from __future__ import annotations

import pytest

from shared.settings import SERVICES
from tests.fuzz.muster import Evening, Muster, documents

ASKING = sorted(
    (service, path)
    for service in SERVICES
    for path, methods in documents()[service]["paths"].items()
    for parameter in methods.get("get", {}).get("parameters", ())
    if (parameter.get("name"), parameter.get("in")) == ("venue", "query")
)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return Muster(tmp_path_factory.mktemp("venues")).evening(until="between")


def test_unknown_venue(evening: Evening) -> None:
    form = evening.ask("GET", "scoring", "/forms").body["items"][0]["id"]
    answers = {}
    for service, path in ASKING:
        address = path.replace("{tournament}", evening.id).replace("{round}", "1").replace("{form}", form)
        within = f"&tournament={evening.id}" if "{tournament}" not in path else ""
        answer = evening.muster.ask("GET", service, f"{address}?venue=v99{within}", token=evening.token("organiser"))
        answers[service, path] = answer.status, answer.code, answer.places
    assert len(answers) >= 9
    assert set(map(str, answers.values())) == {str((422, "venue-unknown", ["/venue"]))}, answers
