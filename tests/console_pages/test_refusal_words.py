"""A German page says in German what was refused, and what to do: by the type of a problem and its facts, not its text.

The refusals are those of an event day, as the services give them.
"""

from __future__ import annotations

from typing import Any

import pytest

from muster_client import Problem
from services.console.problem_words import SENTENCES, problem_text
from shared.web.limits import TooManyRequests
from tests.fuzz.muster import Evening
from tests.fuzz.muster import Muster as Services

RESULT: dict[str, Any] = {"facts": {"points_1": 150, "points_2": 99}}
OTHER: dict[str, Any] = {"facts": {"points_1": 151, "points_2": 98}}
WHY = {"reason": "so it was"}
SAID = {
    "a report before the start": (
        "Die Runde ist nicht gestartet. Ergebnisse können gemeldet werden, sobald Runde 1 begonnen hat."
    ),
    "a player pairs": ("Diese Rolle darf das nicht. Das ist Sache von: Hauptschiedsrichter, Betreiber, Veranstalter."),
    "the next one too early": (
        "Die Runde davor ist nicht abgeschlossen. Erst muss Runde 1 abgeschlossen werden. Offene Spiele: 6."
    ),
    "reported while disputed": (
        "Es wurde schon ein anderes Ergebnis gemeldet. Ein Schiedsrichter entscheidet darüber."
    ),
    "closed while games are open": "Einige Spiele sind noch offen. Spiele ohne Ergebnis: 6.",
    "a call that somebody took": "Jemand anders hat diese Anfrage übernommen. Referee ist auf dem Weg.",
    "ended early": (
        "Es sind noch Runden zu spielen. 1 von 3 Runden sind abgeschlossen. Gib einen Grund an, um es jetzt zu beenden."
    ),
    "a player who waits is checked in": "Der Spieler nimmt nicht teil. Der Spieler steht auf der Warteliste.",
}
"""Step of the day -> what is said, to the letter."""


class Day:
    """An event day, and how each thing that cannot be was refused. staff: the token of each, by role."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.evening: Evening = services.evening("before")
        self.refused: dict[str, Problem] = {}

    def refuse(
        self, step: str, service: str, rest: str, body: Any = None, by: str = "organiser", **headers: str
    ) -> None:
        """Try what cannot be."""
        answer = self.evening.ask("POST", service, rest, {} if body is None else body, by, **headers)
        assert answer.status >= 400, step
        self.refused[step] = Problem(service, answer.status, answer.body)

    def before_play(self) -> None:
        """At the desk."""
        refuse, elsewhere = self.refuse, self.services.token("organiser", "t-other")
        refuse("a name twice", "registration", "/players", {"name": "player 1"})
        refuse("signing up by invitation only", "registration", "/sign-up", {"name": "Eve"}, by="")
        refuse("fewer seats than players", "registration", "/amendments", {"capacity": 3})
        refuse("a list that is missing", "registration", "/players/p1/roster/acceptance")
        refuse("a player who waits is checked in", "registration", "/players/p14/check-in")
        refuse("a table that there is not", "registration", "/players/p1/table", {"venue": "v1", "table": 99})
        refuse("a player pairs", "pairing", "/rounds", by="p1")
        refuse("a key of another event", "pairing", "/rounds", by=elsewhere)
        refuse("a key that is none", "pairing", "/rounds", by="eyJ.none.none")

    def play(self) -> None:
        """Round 1, with a game of which everything is said."""
        refuse, do = self.refuse, self.evening.do
        do("pairing", "/rounds")
        first, second, *others = self.evening.games(1)
        player, opponent, game = first["player_1"], first["player_2"], f"/games/{first['id']}"
        refuse("a report before the start", "scoring", f"{game}/result", RESULT, by=player)
        refuse("a stale page", "pairing", "/rounds/1/start", If_Match='"pairing-1"')
        do("pairing", "/rounds/1/start")
        refuse("started twice", "pairing", "/rounds/1/start")
        refuse("published twice", "pairing", "/rounds/1/publication")
        refuse("the next one too early", "pairing", "/rounds", {"round": 2})
        refuse("one that is not the next", "pairing", "/rounds", {"round": 5})
        refuse("a table that is taken", "pairing", f"/rounds/1{game}/table", {"table": second["table"]})
        refuse("a game of others", "scoring", f"/games/{second['id']}/result", RESULT, by=player)
        refuse("points that cannot be", "scoring", f"{game}/result", {"facts": {"points_1": -1}}, by=player)
        refuse("confirmed before it is reported", "scoring", f"{game}/confirmation", by=opponent)
        refuse("a player says nobody came", "scoring", f"{game}/result", {"facts": {"kind": "no_show"}}, by=player)
        do("scoring", f"{game}/result", RESULT, by=player)
        refuse("reported twice", "scoring", f"{game}/result", OTHER, by=opponent)
        refuse("confirmed by whoever reported", "scoring", f"{game}/confirmation", by=player)
        refuse("corrected before it counts", "scoring", f"{game}/correction", {**OTHER, **WHY})
        do("scoring", f"{game}/dispute", WHY, by=opponent)
        refuse("reported while disputed", "scoring", f"{game}/result", OTHER, by=player)
        refuse("confirmed while disputed", "scoring", f"{game}/confirmation", by=opponent)
        refuse("closed while games are open", "scoring", "/rounds/1/close")
        refuse("taken back with results", "pairing", "/rounds/1/withdrawal", WHY)
        do("pairing", "/calls", {"game": first["id"]}, by=player)
        refuse("a judge called twice", "pairing", "/calls", {"game": first["id"]}, by=player)
        do("scoring", f"{game}/ruling", {**RESULT, **WHY}, by="head_referee")
        refuse("a ruling of the head referee", "scoring", f"{game}/ruling", {**OTHER, **WHY}, by="referee")
        for one in [second, *others]:
            self.evening.report(one["id"])

    def after_play(self) -> None:
        """Round 1 is closed."""
        refuse = self.refuse
        self.evening.do("scoring", "/rounds/1/close")
        refuse("reported too late", "scoring", "/games/r1g1/result", OTHER, by=self.evening.games(1)[0]["player_1"])
        refuse("ended early", "scoring", "/conclusion")
        refuse("a late entry", "registration", "/players", {"name": "Late Comer"})
        self.evening.do("scoring", "/conclusion", WHY)
        refuse("paired after the end", "pairing", "/rounds")


@pytest.fixture(scope="module")
def day(services: Services) -> dict[str, Problem]:
    """Step of an event day -> how it was refused."""
    found = Day(services)
    found.before_play()
    found.play()
    found.after_play()
    busy = TooManyRequests("More than 10 from one caller.", retry_after=7)
    taken = {"call": "c1", "referee": "s2", "name": "Referee"}
    found.refused["asked too often"] = made("too-many-requests", **busy.data)
    found.refused["a call that somebody took"] = made("call-taken", **taken)
    return found.refused


def made(code: str, **data: Any) -> Problem:
    return Problem("pairing", 409, {"code": code, "title": "T", "detail": "What the service says.", "data": data})


def in_german(app, problem: Problem) -> str:
    with app.test_request_context(headers={"Accept-Language": "de"}):
        return str(problem_text(problem))


def test_every_refusal_of_an_event_day_is_in_german(app, day):
    said = {step: in_german(app, refused) for step, refused in day.items()}
    assert {step: text for step, text in said.items() if 'lang="en"' in text or "%" in text or "." not in text} == {}
    assert {step: said[step] for step in SAID} == SAID
    assert len({refused.code for refused in day.values()}) >= 25


@pytest.mark.parametrize("data", [{}, {"round": None, "games": 3, "players": "p1", "roles": [7], "name": ""}])
def test_a_sentence_does_without_facts_that_a_problem_lacks(app, data):
    for code in {key.split()[0] for key in SENTENCES}:
        said = in_german(app, made(code, **data))
        assert 'lang="en"' not in said
        assert "%(" not in said


def test_a_name_in_a_sentence_is_text(app):
    assert in_german(app, made("call-taken", name="<b>Rita</b>")).endswith("&lt;b&gt;Rita&lt;/b&gt; ist auf dem Weg.")


def test_what_has_no_sentence_is_said_in_english_and_marked_so(app):
    assert in_german(app, made("seat-not-given")).endswith('<span lang="en">What the service says.</span>')
