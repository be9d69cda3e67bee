"""Commands of other formats are refused, and common features work for co-op events."""

from __future__ import annotations

import re

from tests.fuzz.muster import documents

KILL = {"moves": [{"move": "survivor_killed", "survivor": "p1"}]}
LEFT_OUT = ("whole_log", "cancel_tournament", "conclude_tournament")
IDS = {
    "player": "p1",
    "staff": "s1",
    "venue": "v1",
    "game": "r1g1",
    "award": "a1",
    "session": "r1t1",
    "party": "g1",
    "form": "f",
    "gathered": "t-1",
}


def test_commands_of_other_formats_are_refused(new, muster):
    night = new(3)
    swiss = muster.announce()
    for method, service, rest in (
        ("POST", "pairing", "/rounds"),
        ("GET", "pairing", "/rounds"),
        ("GET", "pairing", "/tables"),
        ("GET", "scoring", "/standings"),
        ("POST", "scoring", "/rounds/1/close"),
        ("GET", "scoring", "/games"),
        ("POST", "registration", "/players/p1/roster"),
        ("POST", "registration", "/kept-apart"),
        ("POST", "registration", "/players/p1/table"),
    ):
        body = {
            "/players/p1/roster": {"roster": {}},
            "/kept-apart": {"groups": []},
            "/players/p1/table": {"venue": "v1", "table": 1},
        }.get(rest)
        answer = night.ask(method, service, rest, body)
        assert (answer.status, answer.code, answer.data["format"]) == (409, "wrong-format", "coop"), (rest, answer)
    for method, service, rest, body in (
        ("POST", "pairing", "/session-rounds", None),
        ("GET", "pairing", "/session-rounds", None),
        ("GET", "scoring", "/ranking", None),
        ("POST", "scoring", "/sessions/r1t1/moves", KILL),
        ("POST", "registration", "/parties", {"players": ["p1", "p2"]}),
        ("POST", "registration", "/players/party", {"players": [{"name": "Ana"}]}),
        ("GET", "registration", "/operator-data", None),
    ):
        answer = swiss.ask(method, service, rest, body)
        assert (answer.status, answer.code, answer.data["format"]) == (409, "wrong-format", "swiss"), (rest, answer)


def test_format_is_set_by_the_ruleset(muster):
    def announced(**members):
        body = {"name": "Night", **members}
        return muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))

    assert announced(ruleset="atomic-bonds", format="coop").status == 201
    assert announced(ruleset="atomic-bonds", format="swiss").code == "format-not-played"
    assert announced(ruleset="star-wars-armada-1.1", operator_data={}).code == "operator-data-refused"
    assert (
        announced(ruleset="atomic-bonds", catalogues=[{"ruleset": "atomic-bonds", "document": "x", "items": []}]).code
        == "ruleset-refused"
    )


def test_answers_match_the_documentation(new, muster):
    night = new(3)
    night.set_up()
    for service, document in documents().items():
        for path, methods in document["paths"].items():
            address = path.replace("{tournament}", night.id).replace("{round}", "1").replace("{delivery}", "1")
            address = address.replace("{statement}", "1")
            for name, id in IDS.items():
                address = address.replace("{" + name + "}", id)
            address = re.sub(r"\{\w+\}", "x1", address)  # of other formats, where nobody here has an id
            for method, operation in methods.items():
                if method == "parameters" or operation["operationId"] in LEFT_OUT or "{tournament}" not in path:
                    continue
                body = None if method == "get" else {"reason": "x"} if "requestBody" in operation else None
                answer = muster.ask(method.upper(), service, address, body, night.token("organiser"))
                assert answer.status < 500, (operation["operationId"], answer)
                if answer.status >= 400:
                    documented = operation["responses"][str(answer.status)]["x-problem-codes"]
                    assert answer.code in documented, (operation["operationId"], answer)
