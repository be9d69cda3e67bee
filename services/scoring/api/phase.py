"""Routes of a campaign's post-game phase, and of groups as they live."""

from __future__ import annotations

from typing import Any

import msgspec

from services.scoring import schemas_phase as shapes
from services.scoring.dice_shown import marked_dice
from services.scoring.domain import phase_commands as ask
from services.scoring.domain.refusals import AccountUnknown, GroupUnknown
from services.scoring.groups_shown import balance_shown, concerns, group_shown, groups_shown
from services.scoring.phase_shown import asked_shown, phase_shown
from shared.handling.front import Front, shown
from shared.handling.schemas import EventShown, ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.paging import page_of
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE
from shared.refusals import Fault
from shared.rules.campaign.rolling import Told
from shared.state.league import groups_of
from shared.state.tournament import Tournament

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
OF_GROUP = ("tournament-unknown", "tournament-over", "group-unknown", "not-your-group")
REFUSED = ("step-refused", "choice-refused", "dice-refused", "balance-too-low")
ROUTE = "/tournaments/<id:tournament>/groups/<id:group>"


def phase_blueprint(front: Front) -> Blueprint:
    """Groups after their games: what is asked, what was chosen, what became of everybody."""
    blueprint = Blueprint(
        "groups",
        description="Campaigns: the post-game phase step by step, roster sheets, histories, balances.",
        may_refuse=("wrong-format",),
    )

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command), tournament)

    def known(state: Tournament, group: str) -> str:
        if group not in groups_of(state):
            fault = Fault("/group", group, "the id of a player whose group is built")
            raise GroupUnknown(f"No group {group} is in this campaign.", [fault])
        return group

    @blueprint.get("/tournaments/<id:tournament>/post-game")
    @blueprint.response(200, shapes.PhaseShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "round-unknown")
    def show_post_game(tournament: str) -> Any:
        """Show which step of the post-game phase is open for which group, what it waits for, and the recruits."""
        with front.reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or phase_shown(folded.state, folded.heads)

    @blueprint.get(f"{ROUTE}/post-game")
    @blueprint.arguments(shapes.AskedQuery, location="query")
    @blueprint.response(200, shapes.AskedShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "group-unknown")
    def show_what_is_asked(query: dict[str, Any], tournament: str, group: str) -> Any:
        """Show what a group is asked now: every choice of the open step with its dice; with `all` why others are not
        legal."""
        with front.reading(tournament) as folded:
            id = known(folded.state, group)
            return asked.not_modified(front.version(folded)) or asked_shown(
                folded.state, folded.heads, id, every=query["all"]
            )

    @blueprint.post(f"{ROUTE}/choices")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(shapes.Choose)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_GROUP, *REFUSED, absent=["round-unknown"])
    def choose(body: dict[str, Any], tournament: str, group: str) -> dict[str, Any]:
        """Make a choice of the open step, with the dice that it asks for."""
        rolls = msgspec.convert(body["rolls"], list[Told])
        command = ask.Choose(group=group, does=body["does"], of=body["of"], rolls=rolls, service=body["service"])
        return run(tournament, command)

    @blueprint.post(f"{ROUTE}/steps/<id:step>/closing")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(shapes.CloseStep)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_GROUP, *REFUSED, "staff-only", absent=["round-unknown"])
    def close_step(body: dict[str, Any], tournament: str, group: str, step: str) -> dict[str, Any]:
        """Close the open step of a group; the last one makes its rating final, and of the last group the round."""
        return run(tournament, ask.CloseStep(group=group, step=step, absent=body["absent"]))

    @blueprint.post("/tournaments/<id:tournament>/recruits")
    @blueprint.allow(*CREW)
    @blueprint.arguments(shapes.OpenRecruits)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse("tournament-unknown", "tournament-over", "group-unknown", *REFUSED, absent=["round-unknown"])
    def open_recruits(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Open the pool of recruits, once every group has closed step 3."""
        rolls = msgspec.convert(body["rolls"], list[ask.RollOfGroup])
        return shown(front.command(tournament, ask.OpenRecruits(rolls=rolls), fresh=True), tournament)

    @blueprint.get("/tournaments/<id:tournament>/groups")
    @blueprint.response(200, shapes.GroupsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def list_groups(tournament: str) -> Any:
        """List the groups of a campaign as they live."""
        with front.reading(tournament) as folded:
            lines = groups_shown(folded.state, folded.heads)
            return asked.not_modified(front.version(folded)) or {"groups": lines}

    @blueprint.get(ROUTE)
    @blueprint.response(200, shapes.GroupShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "group-unknown")
    def show_group(tournament: str, group: str) -> Any:
        """Show a roster sheet: members with attributes and their parts, goods, turfs, what the rating is made of."""
        with front.reading(tournament) as folded:
            id = known(folded.state, group)
            return asked.not_modified(front.version(folded)) or group_shown(folded.state, folded.heads, id)

    @blueprint.get(f"{ROUTE}/members/<id:member>/history")
    @blueprint.response(200, page_of(EventShown))
    @blueprint.may_refuse("tournament-unknown", "group-unknown")
    def show_member_history(tournament: str, group: str, member: str) -> dict[str, Any]:
        """Show everything that was said of a member, also of one that is gone: where a scar came from."""
        with front.reading(tournament) as folded:
            known(folded.state, group)
        items = front.events_about(tournament, lambda data: concerns(data, group, member))
        return {"items": items, "next": None}

    @blueprint.get(f"{ROUTE}/balances/<id:account>")
    @blueprint.response(200, shapes.BalanceShown)
    @blueprint.may_refuse("tournament-unknown", "group-unknown", "account-unknown")
    def show_balance(tournament: str, group: str, account: str) -> dict[str, Any]:
        """Show a balance (caps, clean or radiated food) with every entry, its reason, clause and roll."""
        if account not in shapes.ACCOUNTS:
            fault = Fault("/account", account, "one of " + ", ".join(shapes.ACCOUNTS), "FS-PGP-3")
            raise AccountUnknown(f"Groups have no account {account}.", [fault])
        with front.reading(tournament) as folded:
            known(folded.state, group)
            marks = marked_dice(folded.state)
        events = front.events_about(tournament, lambda data: data.get("group") == group)
        return balance_shown(group, account, events, marks)  # type: ignore[arg-type]

    return blueprint
