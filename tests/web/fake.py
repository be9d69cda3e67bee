"""A minimal service, with one operation for each feature of the edge."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response
from flask.testing import FlaskClient
from marshmallow import ValidationError, fields, validate, validates_schema
from msgspec import UNSET, UnsetType

from shared.keys import INSTALLATION, TICKETS, SigningKey
from shared.logs import bind
from shared.refusals import Fault, Refusal, expects, one_of
from shared.roles import ISSUED, ORGANISER, PLAYER, REFEREE, SERVICE
from shared.shapes import Id
from shared.web.app import Access, Backend, create_app
from shared.web.auth import require, require_caller
from shared.web.blueprint import Blueprint
from shared.web.idempotency import command_ids
from shared.web.openapi import About
from shared.web.paging import Paged, page, page_of, parse_after
from shared.web.refusals import PreconditionFailed, Table
from shared.web.request import not_modified, this_request
from shared.web.schema import Answer, Choice, Day, Flag, Identifier, Name, Schema, Text, WholeNumber
from shared.web.tokens import Issuer, Verifier, mint
from shared.web.versions import etag, missing_positions, not_yet_seen, parse_if_match, parse_seen

KEY, OLDER = (
    SigningKey("k1", b"first secret of thirty-two bytes"),
    SigningKey("k0", b"older secret of thirty-two bytes"),
)
_BOTH = {key.kid: key.public for key in (KEY, OLDER)}
KEYS = {INSTALLATION: _BOTH, TICKETS: _BOTH, "scoring": {"k1": KEY.public}}
NOW = 1_750_000_000
REVOKED = {"revoked-1"}
HAVE = {"registration": 12, "pairing": 4, "scoring": 31}


class RoundNotOpen(Refusal):
    """The round takes no results."""

    code = "round-not-open"


class EngineDown(Exception):
    """Stand-in for the exception of a database that does not answer."""


KINDS: Table = {"round-not-open": (409, "The round takes no results", "Ask a referee to open it again.")}


class Side(Schema):
    """One side of a game."""

    player = Identifier(required=True)
    points = WholeNumber(0, 20, required=True)


class Report(Schema):
    """A result as reported."""

    round = WholeNumber(1, 99, required=True)
    sides = fields.List(fields.Nested(Side), required=True, validate=validate.Length(equal=2))
    winner = Choice("1", "2", "draw", allow_none=True)
    scenario = fields.String(validate=validate.OneOf(["assault", "retrieval"]))
    tables = fields.Dict(keys=Identifier(), values=WholeNumber(1, 9))
    note = Text(200)
    name = Name()
    day = Day()
    final = Flag()
    code = fields.String(validate=validate.Regexp("^[A-Z]{3}$"))
    ratio = fields.Integer(strict=True, validate=validate.Range(min=1))
    tilde = Name(data_key="a/b~c")

    @validates_schema
    def _distinct(self, data: dict[str, Any], **_: object) -> None:
        players = [side["player"] for side in data.get("sides", [])]
        if len(set(players)) < len(players):
            raise ValidationError([expects("everybody-once")], "sides")


class Shown(Answer):
    """A result as shown."""

    id = fields.String(required=True, metadata={"description": "Id of the event"})
    actor = fields.String(required=True)
    command = fields.String(required=True)
    round = fields.Integer(required=True)


class Leader(Answer):
    """The leader."""

    leader = fields.String(required=True)


class Clock(Answer):
    """The clock as set."""

    meant = fields.Integer(required=True, allow_none=True)


class GameList(Paged, frozen=True, kw_only=True):
    """The query of the list of games."""

    venue: Id | UnsetType = UNSET


def results() -> Blueprint:
    """Build the blueprint; nothing happens at import."""
    blp = Blueprint("results", description="Results of games.")

    @blp.post("/tournaments/<id:tournament>/results")
    @blp.allow(PLAYER, REFEREE)
    @blp.arguments(Report)
    @blp.response(201, Shown)
    @blp.may_refuse("round-not-open")
    def report_result(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Report a result."""
        if body["round"] == 9:
            fault = Fault("/round", "9", one_of([8]), "DW-7")
            raise RoundNotOpen("Round 9 is not open.", [fault], open=8)
        bind(events=[f"{tournament}.scoring.32"])
        this_request().edge.seen = HAVE
        return {
            "id": f"{tournament}.scoring.32",
            "actor": require_caller().actor,
            "command": command_ids(require_caller())[0],
            "round": body["round"],
        }

    @blp.get("/tournaments/<id:tournament>/standings")
    @blp.allow(PLAYER, REFEREE, ORGANISER)
    @blp.versioned
    @blp.response(200, Leader)
    def show_standings(tournament: str) -> Response | dict[str, Any]:
        """Show standings."""
        wanted = parse_seen(this_request().environ.get("HTTP_MUSTER_SEEN"))
        if missing_positions(wanted, HAVE):
            raise not_yet_seen(wanted, HAVE, retry_after=2)
        this_request().edge.seen = HAVE
        return not_modified(etag("scoring", 31)) or {"leader": "p1"}

    @blp.put("/tournaments/<id:tournament>/clock")
    @blp.allow(ORGANISER)
    @blp.versioned
    @blp.response(200, Clock)
    def set_clock(tournament: str) -> dict[str, Any]:
        """Set the clock."""
        meant = parse_if_match(this_request().environ.get("HTTP_IF_MATCH"), "scoring").position
        if meant not in (None, 31):
            raise PreconditionFailed("Somebody changed this.", etag=etag("scoring", 31))
        return {"meant": meant}

    @blp.get("/games")
    @blp.arguments(GameList, location="query")
    @blp.response(200, page_of(Side))
    def list_games(query: GameList) -> Any:
        """List games of everybody, without a token."""
        after = parse_after(query.after, int, str)
        first = after[0] + 1 if after else 0
        games = [{"player": f"p{n}", "points": n % 20} for n in range(first, min(first + query.limit, 120))]
        last = (first + len(games) - 1, "x")
        return page(games, last if last[0] < 119 else None, 120)

    @blp.get("/tournaments/<id:tournament>/games")
    @blp.arguments(GameList, location="query")
    @blp.response(200, page_of(Side))
    def list_games_of_one(query: GameList, tournament: str) -> Any:
        """List games of a tournament."""
        parse_after(query.after, int, str)
        return page([], (1, "x"), 2)

    @blp.get("/rounds/<number:round>")
    @blp.response(200)
    def show_round(round: int) -> dict[str, Any]:
        """Show a round."""
        return {"round": round}

    @blp.get("/log")
    @blp.response(200)
    def read_feed() -> dict[str, Any]:
        """Read across tournaments."""
        return {"actor": require({SERVICE}).actor}

    @blp.get("/broken")
    @blp.response(200)
    def break_down() -> dict[str, Any]:
        """Fail."""
        raise RuntimeError("the secret is eyJhbGci.eyJzdWIi.abc")

    @blp.get("/down")
    @blp.response(200)
    def be_down() -> dict[str, Any]:
        """Fail for want of an engine."""
        raise EngineDown

    return blp


def fake_app(**given: Any) -> Flask:
    """Build the service, with a fixed clock and without an allowance by default."""
    settings: dict[str, Any] = {
        "verifier": Verifier(KEYS, clock=lambda: float(NOW)),
        "secrets": [KEY.seed, OLDER.seed],
        "problems": [KINDS],
        "is_revoked": lambda who: who.jti in REVOKED,
        "unavailable": [EngineDown],
        **given,
    }
    blueprints = settings.pop("blueprints", None) or [results()]
    access = Access(**{name: settings.pop(name) for name in Access.__dataclass_fields__ if name in settings})
    return create_app("fake", About("Fake", "A service for tests."), blueprints, access, Backend(**settings))


def bearer(role: str = REFEREE, tournament: str = "spring-open", **given: Any) -> dict[str, str]:
    """Return the Authorization header of a caller with a role."""
    return {"Authorization": f"Bearer {token(role, tournament, **given)}"}


def token(role: str = REFEREE, tournament: str = "spring-open", **given: Any) -> str:
    """Return a token of a caller with a role."""
    claims: dict[str, Any] = {"actor": f"{role}-1", "jti": "t-1", "iat": NOW - 60, "exp": NOW + 3600}
    issuer = Issuer(TICKETS if role in ISSUED else INSTALLATION, given.pop("key", KEY))
    if role == PLAYER:
        claims["player"] = claims["actor"]
    if role == SERVICE:
        claims["actor"], tournament, issuer = "scoring", "*", Issuer("scoring", KEY)
    return mint(issuer, role=role, tournament=tournament, **{**claims, **given})


GOOD = {"round": 1, "sides": [{"player": "p1", "points": 12}, {"player": "p2", "points": 8}]}
RESULTS = "/tournaments/spring-open/results"


def faults(client: FlaskClient, body: object) -> dict[str, tuple[str, str]]:
    """Report a result and return its faults: where -> (said, expected)."""
    answer = client.post(RESULTS, json=body, headers=bearer())
    assert answer.status_code == 422, answer.text
    assert answer.get_json()["code"] == "invalid-request"
    return {e["where"]: (e["said"], e["expected"]) for e in answer.get_json()["errors"]}
