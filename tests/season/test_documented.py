"""Answers of all three services about a season match their documentation."""

from __future__ import annotations

import pytest

from tests.fuzz.muster import documents

LEFT_OUT = ("whole_log", "cancel_tournament", "conclude_tournament")
IDS = {"player": "p1", "gathered": "t-1", "staff": "s1", "venue": "v1", "award": "a1"}
BODIES = (None, {}, {"reason": "x"}, {"tournament": "t-1"}, {"player": "p1", "into": "p1", "reason": "x"})


@pytest.mark.parametrize("by", ["organiser", "p1", ""])
def test_season_answers_match_the_documentation(season, by):
    season.count(season.cup("Ana", "Ben"))
    season.table()
    for service, document in documents().items():
        for path, methods in document["paths"].items():
            if "{tournament}" not in path:
                continue
            address = path.replace("{tournament}", season.id)
            for name in {part.split("}")[0] for part in address.split("{")[1:]}:
                address = address.replace(
                    "{" + name + "}", IDS.get(name, "1" if name in ("round", "number", "delivery") else "x1")
                )
            for method, operation in methods.items():
                if method == "parameters" or operation["operationId"] in LEFT_OUT:
                    continue
                for body in BODIES if method != "get" else (None,):
                    sent = body if "requestBody" in operation else None
                    answer = season.muster.ask(method.upper(), service, address, sent, season.token(by) if by else "")
                    assert answer.status < 500, (operation["operationId"], answer)
                    if answer.status >= 400:
                        documented = operation["responses"].get(str(answer.status), {}).get("x-problem-codes", [])
                        assert answer.code in documented, (operation["operationId"], answer)


def test_every_season_operation_exists():
    for service, tags in (("registration", {"seasons", "identities"}), ("scoring", {"seasons"})):
        found = {
            tag
            for path, methods in documents()[service]["paths"].items()
            if "/season/" in path
            for method, operation in methods.items()
            if method != "parameters"
            for tag in operation["tags"]
        }
        assert found == tags
