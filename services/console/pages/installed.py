"""The player's page as an application of the phone: what it is called there, and the worker that keeps it."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, jsonify, request, send_from_directory, url_for
from flask.typing import ResponseReturnValue

from services.console.language import _, language
from services.console.signed_in import here

blueprint = Blueprint("installed", __name__)
STATIC = Path(__file__).parents[1] / "static"
WORKER = "phone-worker.js"
KEEP = "X-Muster-Keep"
"""Marks an answer that the worker may keep on the phone until its player signs out."""
OWN_PAGES = ("table.show", "table.games")
FELT, PAGE = "#1f6b4a", "#f1f4f1"
"""Colours of the bar of an application, and of what is seen before its page."""


@blueprint.get("/events/<event>/phone.webmanifest")
def manifest(event: str) -> ResponseReturnValue:
    """What a phone shows of it. Browsers ask without cookies, so it says nothing of the event."""
    icons = [
        {"src": url_for("static", filename=f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    answer = jsonify(
        id=url_for("table.show", event=event),
        name=_("Muster: my table"),
        short_name="Muster",
        lang=language(),
        start_url=url_for("table.show", event=event),
        scope="/",
        display="standalone",
        theme_color=FELT,
        background_color=PAGE,
        icons=[*icons, {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    )
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get(f"/{WORKER}")
def worker() -> ResponseReturnValue:
    """The worker, at an address above all pages; browsers look for a newer one by themselves."""
    answer = send_from_directory(STATIC, WORKER)
    answer.direct_passthrough = False  # in hand, so that it can be compressed
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def mark_own_pages(response: Response) -> Response:
    """Let the worker keep a page that is the player's own."""
    if request.method == "GET" and request.endpoint in OWN_PAGES and response.status_code == 200 and here().player:
        response.headers[KEEP] = "until-sign-out"
    return response
