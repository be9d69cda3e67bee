"""Routes of screens on a wall. A wall needs no login, so what is set up is as public as the tournament."""

from __future__ import annotations

from typing import Any

from services.registration.handlers import HANDLERS
from services.registration.tournament.decide.screens import Moment, RemoveScreen, SetScreen, What, screen_of
from shared.application.command_answers import Made
from shared.application.command_routes import CommandBlueprint
from shared.application.service import gateway
from shared.application.views import Appended
from shared.shapes import View, made_from
from shared.tournament.events.screens import ScreenSet
from shared.tournament.screens import Screen
from shared.web.paging import all_of, page_of
from shared.web.request import not_modified

ROUTE = "/tournaments/<id:tournament>/screens"
ONE = f"{ROUTE}/<id:screen>"

blueprint = CommandBlueprint("screens", HANDLERS, description="Screens on a wall: what each shows, and when.")


class ShownView(View, frozen=True, kw_only=True):
    """One thing that a screen shows, and when."""

    what: What
    when: Moment


class ScreenView(View, frozen=True, kw_only=True):
    """A screen as it is set up. venue: of this one alone; empty: of all. seconds: for which a page stays."""

    id: str
    name: str
    venue: str
    shows: list[ShownView]
    seconds: int


def screen_view(screen: Screen) -> ScreenView:
    """A screen as everybody sees it."""
    return made_from(ScreenView, screen, shows=[made_from(ShownView, one) for one in screen.shows])


@blueprint.get(ROUTE)
@blueprint.response(200, page_of(ScreenView))
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_screens(tournament: str) -> Any:
    """List the screens that are set up, in the order they came."""
    with gateway.reading(tournament) as loaded:
        same = not_modified(gateway.version(loaded))
        return same or all_of([screen_view(one) for one in loaded.state.screens.by_id.values()])


@blueprint.get(ONE)
@blueprint.response(200, ScreenView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "screen-unknown")
def show_screen(tournament: str, screen: str) -> Any:
    """Show a screen as it is set up."""
    with gateway.reading(tournament) as loaded:
        same = not_modified(gateway.version(loaded))
        return same or screen_view(screen_of(loaded.state, screen))


@blueprint.command(SetScreen, ONE, makes=Made((ScreenSet,), "screen", ONE))
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "other-venue", "too-many-screens")
def set_screen(command: SetScreen, tournament: str) -> Appended:
    """Set a screen up, or state what it shows from now on. Send If-Match, so that nobody's change is lost."""
    return gateway.run(tournament, command)


@blueprint.command(RemoveScreen, ONE, method="DELETE", status=200)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "screen-unknown", "other-venue")
def remove_screen(command: RemoveScreen, tournament: str) -> Appended:
    """Remove a screen; its address shows nothing any more."""
    return gateway.run(tournament, command)
