"""`GET /events/ID/live`: a stream of change notices; pages then request what they show.

A page names what it shows: `on`, the kinds of changes, and `about`, the ids of games and players if all its parts are
about some. It is woken by those changes alone: of a thousand phones, each result wakes two.

People who see the same of an event share one subscription. For guests and players of a public event it reads the public
feed without a token, so no one learns of drafts or calls that they may not see. For staff it reads with the token of
one of them, and likewise for players of an event that is not public.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.live.hub import MEDIA_TYPE, Hub, hub_of
from services.console.live.watch import Key, concern_of
from services.console.signed_in import GUEST, Person, current_person, muster
from shared.environment import caller_network

blueprint = Blueprint("live", __name__)
RETRY_AFTER = 60
"""Seconds, if no stream is free."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""`X-Accel-Buffering`: nginx passes the stream on unbuffered."""


@blueprint.get("/events/<event>/live")
def follow(event: str) -> ResponseReturnValue:
    """Stream change notices until the page closes."""
    if not request.environ["wsgi.multithread"]:
        return _no_place()
    hub = hub_of(current_app)
    key, token = _listening(hub, event, current_person())
    if request.method == "HEAD":  # no stream follows, so it takes no place
        return Response("", mimetype=MEDIA_TYPE, headers=HEADERS)
    places = current_app.config["SETTINGS"].streams
    concern = concern_of(request.args.get("on", ""), request.args.get("about", ""))
    stream = hub.admit(request.environ, key, token, caller_network(request.remote_addr or ""), places, concern)
    if stream is None:
        return _no_place()
    return Response(stream, mimetype=MEDIA_TYPE, headers=HEADERS, direct_passthrough=True)


def _no_place() -> ResponseReturnValue:
    return Response("", 503, {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}, mimetype="text/plain")


def _listening(hub: Hub, event: str, who: Person) -> tuple[Key, str]:
    """Return the subscription for a person and the token to read it. Raises Problem if the event is hidden."""
    if not who.staff and (hub.is_up(Key(event)) or _is_public(event)):
        return Key(event), ""
    muster(who).registration.show_tournament(event)
    same = who.role if who.staff or who.player else who.token
    return Key(event, same), who.token


def _is_public(event: str) -> bool:
    try:
        muster(GUEST).registration.show_tournament(event)
    except Problem as problem:
        if problem.status != 404:
            raise
        return False
    return True
