"""Routes of rosters: submitted, shown, accepted, rejected."""

from __future__ import annotations

from typing import Any

from services.registration import answers, queries, schemas_players
from services.registration.domain import commands as ask
from services.registration.domain.state import player_of
from services.registration.sealed_lists import keeping, kept, secret_for
from shared.handling.front import Front, shown
from shared.handling.offices import narrowing
from shared.handling.open_rosters import fields_open
from shared.handling.schemas import ReceiptShown
from shared.http.access import caller_or_none
from shared.http.blueprint import Blueprint
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE
from shared.state.ruleset import ruleset_of

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")


def rosters_blueprint(front: Front) -> Blueprint:
    """What a player brings, and whether it is legal."""
    blueprint = Blueprint(
        "rosters", description="Rosters: submitted, shown, accepted, rejected.", may_refuse=("wrong-format",)
    )

    database = front.desk.database

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command), tournament)

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/roster")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_players.SubmitRoster)
    @blueprint.response(201, answers.RosterTaken)
    @blueprint.may_refuse(
        *OF_PLAYER,
        "player-not-active",
        "not-yours",
        "roster-illegal",
        "roster-locked",
        "roster-too-large",
        "not-your-decision",
    )
    def submit_roster(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Submit a roster; an illegal one is refused with every clause, a legal one accepted at once, or by staff.

        Where the ruleset has staff accept lists, a player's waits for them (`submitted`); one that they enter does not.
        What the document only advises against comes back as `advice`. What the ruleset hides while a round is played
        enters the log as a salted digest alone.
        """
        with front.reading(tournament) as folded:
            rules = ruleset_of(folded.state.entries).roster
        with database.reading() as connection:
            secret = secret_for(rules, body["roster"], kept(connection, tournament, player))
        command = ask.SubmitRoster(player=player, secret=secret, **body)
        receipt = shown(
            front.command(tournament, command, fresh=True, also=keeping(rules, body["roster"], secret)), tournament
        )
        with front.reading(tournament) as folded:
            entries = folded.state.entries
            advice = queries.advice_shown(ruleset_of(entries), body["roster"])
            advice += [late for event in receipt["events"][:1] for late in queries.late_shown(entries, event["time"])]
        return receipt | {"advice": advice}

    @blueprint.get("/tournaments/<id:tournament>/players/<id:player>/roster")
    @blueprint.response(200, answers.RosterShown)
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "rosters-hidden")
    def show_roster(tournament: str, player: str) -> dict[str, Any]:
        """Show a roster: to staff and its owner at any time, to others the parts that the ruleset opens by now.

        Most are open once the first round has begun. `sealed` names those that the log has as digests alone.
        """
        with front.reading(tournament) as folded, database.reading() as connection:
            found = player_of(folded.state.entries, player)
            fields = fields_open(tournament, folded.state, caller_or_none(), found.id)
            keeps = kept(connection, tournament, found.id)
            return queries.roster_shown(found, ruleset_of(folded.state.entries), fields, keeps)

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/roster/acceptance")
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas_players.AcceptRoster)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
    @blueprint.narrowed(*narrowing("lists"))
    def accept_roster(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Accept the roster submitted last."""
        return run(tournament, ask.AcceptRoster(player=player, **body))

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/roster/rejection")
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas_players.RejectRoster)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OF_PLAYER, "roster-missing", "not-your-decision")
    @blueprint.narrowed(*narrowing("lists"))
    def reject_roster(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Reject the roster submitted last, and say why."""
        return run(tournament, ask.RejectRoster(player=player, **body))

    return blueprint
