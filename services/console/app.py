"""The wiring of the console."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timedelta

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from muster_client import Muster, NotSent, Problem, UnexpectedAnswer, Unreachable
from services.console import upstream
from services.console.headers import add_headers
from services.console.pages import events, home, players, results, rounds, standings, table, wall
from services.console.settings import Settings, load
from services.console.words import filters

SIGNED_IN_DAYS = 14
LARGEST_FORM = 512 * 1024
"""Bytes: a list of some thousands of players."""
WORDS = {
    401: "You are not signed in for this, or your key has ended.",
    403: "Your role may not do this.",
    404: "There is nothing here that you can see.",
    409: "This cannot be done as things stand now.",
    412: "Somebody was faster.",
    429: "That was too often; wait a moment.",
}


def build_web(env: Mapping[str, str] = os.environ, services: Muster | None = None) -> Flask:
    """The web application. services: in place of those that the settings name."""
    settings = load(env)
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=settings.key,
        SESSION_COOKIE_NAME="muster_console",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",  # Strict would lose it behind a scanned code
        SESSION_COOKIE_SECURE=settings.secure,
        PERMANENT_SESSION_LIFETIME=timedelta(days=SIGNED_IN_DAYS),
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        WTF_CSRF_TIME_LIMIT=None,  # a page may lie open for the length of an event
        WTF_CSRF_SSL_STRICT=False,  # no page sends a Referer
        SETTINGS=settings,
    )
    CSRFProtect(app)
    upstream.connect(app, services or Muster(settings.urls, patience=upstream.PATIENCE))
    app.url_value_preprocessor(upstream.look_who_is_here)
    app.after_request(add_headers)
    app.jinja_env.filters.update(filters())
    app.context_processor(lambda: {"person": upstream.here(), "theme": _theme()})
    for module in (home, events, players, rounds, results, standings, table, wall):
        app.register_blueprint(module.blueprint)
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(Unreachable, _away)
    app.register_error_handler(UnexpectedAnswer, _away)
    app.register_error_handler(CSRFError, _stale)
    app.register_error_handler(NotSent, _nothing_here)
    app.register_error_handler(404, _nothing_here)
    app.register_error_handler(413, _too_large)
    _behind_proxies(app, settings)
    return app


def _behind_proxies(app: Flask, settings: Settings) -> None:
    if hops := settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops, 0, 0)  # type: ignore[method-assign]


def _theme() -> str:
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""


def _refused(problem: Problem) -> ResponseReturnValue:
    """What a service refused outside of a form, or what is not there."""
    what = WORDS.get(problem.status, "This was refused.")
    return render_template("refused.html", what=what, problem=problem), problem.status


def _away(error: Exception) -> ResponseReturnValue:
    service = getattr(error, "service", "")
    return render_template("away.html", service=service, address=request.full_path), 503


def _stale(_: CSRFError) -> ResponseReturnValue:
    what = "This page was too old, or your browser keeps no cookies. Nothing was done."
    return render_template("refused.html", what=what, problem=None), 400


def _nothing_here(_: Exception) -> ResponseReturnValue:
    return render_template("refused.html", what=WORDS[404], problem=None), 404


def _too_large(_: Exception) -> ResponseReturnValue:
    what = f"That is more than {LARGEST_FORM // 1024} KB. Send it in parts."
    return render_template("refused.html", what=what, problem=None), 413
