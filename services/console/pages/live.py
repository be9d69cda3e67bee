"""`GET /events/ID/live`: says that something of an event has changed, never what; pages then ask for what they show.

Who sees the same of an event shares one subscription. Guests and players of a public event hear what the public feed
says, read without a token; so nobody hears of a draft or of a call who could not see it. Staff hear what their role
sees, read with the token of one of them, and so do players of an event that is not public.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.live.hub import MEDIA_TYPE, Hub, hub_of
from services.console.live.watch import Key
from services.console.signed_in import GUEST, Person, here, muster
from shared.environment import caller_network

blueprint = Blueprint("live", __name__)
RETRY_AFTER = 60
"""Seconds, for whoever finds no place."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""nginx hands on what comes as it comes."""


@blueprint.get("/events/<event>/live")
def follow(event: str) -> ResponseReturnValue:
    """Server-sent events for as long as the page is open."""
    if not request.environ["wsgi.multithread"]:
        return _no_place()
    hub = hub_of(current_app)
    key, token = _listening(hub, event, here())
    if request.method == "HEAD":  # no stream follows, so it takes no place
        return Response("", mimetype=MEDIA_TYPE, headers=HEADERS)
    places = current_app.config["SETTINGS"].streams
    stream = hub.admit(request.environ, key, token, caller_network(request.remote_addr or ""), places)
    if stream is None:
        return _no_place()
    return Response(stream, mimetype=MEDIA_TYPE, headers=HEADERS, direct_passthrough=True)


def _no_place() -> ResponseReturnValue:
    return Response("", 503, {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}, mimetype="text/plain")


def _listening(hub: Hub, event: str, who: Person) -> tuple[Key, str]:
    """What somebody may hear, and the token for it. Raises Problem where they see nothing of the event."""
    if not who.staff and (hub.hears(Key(event)) or _is_public(event)):
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
