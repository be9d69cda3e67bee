"""The wiring of the console."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import cast

from flask import Flask, Response, current_app, g, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect
from jinja2 import pass_context
from jinja2.runtime import Context
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.middleware.proxy_fix import ProxyFix

from muster_client import Muster, MusterError, NotSent, Problem, UnexpectedAnswer, Unreachable
from services.console import signed_in
from services.console.forms import TOO_LARGE
from services.console.hall_time import zone, zone_key, zone_name
from services.console.language import LANGUAGES, N_, _, format_count, gettext_functions, isolate_in, language
from services.console.last_known import away, left
from services.console.live import hub
from services.console.pages import (
    bracket,
    cut,
    drafts,
    event_settings,
    events,
    home,
    lists,
    live,
    operator,
    operator_data,
    player_wishes,
    players,
    prints,
    progress,
    public,
    records,
    referee,
    results,
    reversals,
    rounds,
    sign_ins,
    spares_and_ties,
    standings,
    table,
    wall,
    webhooks,
)
from services.console.pages import sign_ins as keys
from services.console.pages.public import drawn_by_lot, sides_of
from services.console.pages.results import is_settled
from services.console.pages.sign_ins import TooManyGuesses
from services.console.problem_words import expected_text, fault_text, problem_text, value_text
from services.console.responses import add_headers, compress, serve_static_files
from services.console.settings import LARGEST_FORM, Settings, load
from services.console.signed_in import forward_address
from services.console.signed_in import sign_ins as sign_ins_held
from services.console.undo import take_toast
from services.console.words import filters
from shared.web.streams import Slots

STATIC = Path(__file__).parent / "static"
SIGNED_IN_DAYS = 14
PAGES_AT_ONCE = 20
"""Pages rendered at the same time. A page mostly waits for the services and needs little processor time."""
WORDS = {
    401: N_("You are not signed in for this, or your key has expired."),
    403: N_("Your role does not allow this."),
    404: N_("Page not found"),
    409: N_("This is not possible right now."),
    412: N_("Someone else changed this first."),
    429: N_("Too many requests. Wait a moment."),
}
REFUSED = N_("This was not accepted.")
NOT_FOUND = N_("The address may be wrong, or you have no access to this page.")
NO_FORM = N_("This address takes no form, or none of this kind. Go back and send the form again.")
SILENT = {
    "registration": N_("Registration is not responding"),
    "pairing": N_("Pairing is not responding"),
    "scoring": N_("Scoring is not responding"),
}
A_PART_IS_SILENT = N_("Part of Muster is not responding")


def build_web(env: Mapping[str, str] = os.environ, services: Muster | None = None) -> Flask:
    """Return the web application. services: replaces the services that the settings name."""
    settings = load(env)
    app = Flask(__name__, static_folder=None)
    serve_static_files(app, STATIC)
    app.config.update(
        SECRET_KEY=settings.key,
        SESSION_COOKIE_NAME="muster_console",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",  # Strict would lose it after a scanned code
        SESSION_COOKIE_SECURE=settings.secure,
        PERMANENT_SESSION_LIFETIME=timedelta(days=SIGNED_IN_DAYS),
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        WTF_CSRF_TIME_LIMIT=None,  # a page may lie open for the length of an event
        WTF_CSRF_SSL_STRICT=False,  # no page sends a Referer
        SETTINGS=settings,
    )
    CSRFProtect(app)
    # Streams have connections of their own: a page would look through all of theirs for a free one.
    listening = services or Muster(settings.urls)
    services = services or Muster(settings.urls, patience=signed_in.PATIENCE, transport=signed_in.own_connections())
    services.connection.http.event_hooks = {"request": [forward_address(settings)]}
    listening.connection.seen = services.connection.seen
    signed_in.connect(app, services)
    hub.connect(app, listening)
    keys.connect(app, settings.token_keys)
    app.url_value_preprocessor(signed_in.load_person)
    app.after_request(_reload_when_back)
    app.after_request(compress)
    app.after_request(add_headers)
    app.after_request(table.mark_own_pages)
    app.jinja_env.filters.update(filters())
    app.jinja_env.filters["sides"] = sides_of
    app.jinja_env.tests["local"] = prints.is_local
    app.jinja_env.globals["drawn_by_lot"] = drawn_by_lot
    app.jinja_env.filters.update(problem_text=problem_text, fault_text=fault_text)
    app.jinja_env.filters.update(value_text=value_text, expected_text=expected_text)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(*gettext_functions(), newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.globals["ngettext"] = _with_thousands(cast("Callable[..., str]", app.jinja_env.globals["ngettext"]))
    isolate_in(app.jinja_env)
    app.jinja_env.tests["settled"] = is_settled
    app.context_processor(_template_context)
    for module in (
        home,
        sign_ins,
        public,
        records,
        events,
        event_settings,
        players,
        player_wishes,
        rounds,
        drafts,
        cut,
        bracket,
        results,
        reversals,
        referee,
        standings,
        spares_and_ties,
        table,
        wall,
        operator,
        operator_data,
        webhooks,
        prints,
        progress,
        lists,
        live,
    ):
        app.register_blueprint(module.blueprint)
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(Unreachable, _away)
    app.register_error_handler(UnexpectedAnswer, _away)
    app.register_error_handler(TooManyGuesses, _too_many_keys)
    app.register_error_handler(CSRFError, _csrf_failed)
    app.register_error_handler(NotSent, _not_found)
    app.register_error_handler(403, _forbidden)
    app.register_error_handler(404, _not_found)
    app.register_error_handler(405, _method_not_allowed)
    app.register_error_handler(413, _too_large)
    _behind_proxies(app, settings)
    # A form that is too large, but not by far, is answered with a page.
    app.wsgi_app = Slots(app.wsgi_app, PAGES_AT_ONCE, 2 * LARGEST_FORM)  # type: ignore[method-assign]
    return app


def _with_thousands(plain: Callable[..., str]) -> Callable[..., str]:
    """Return Jinja's `ngettext` with thousands separators in its `num`."""

    @pass_context
    def ngettext(context: Context, one: str, many: str, count: int, **names: object) -> str:
        return plain(context, one, many, count, **{"num": format_count(count), **names})

    return ngettext


def _behind_proxies(app: Flask, settings: Settings) -> None:
    if hops := settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops, 0, 0)  # type: ignore[method-assign]


def _template_context() -> dict[str, object]:
    return {
        "take_toast": take_toast,
        "services_away": away,
        "still_left": left,
        "person": signed_in.current_person(),
        "sign_ins_held": len(sign_ins_held()),
        "theme": _theme(),
        "language": language(),
        "languages": LANGUAGES,
        "zone_name": zone_name,
        "zone_key": zone_key(zone()),
        "this_path": _this_path(),
    }


def _this_path() -> str:
    """Return the page that the language and colour switches lead back to; the first page after a form."""
    return request.path if request.method in ("GET", "HEAD") else "/"


def _theme() -> str:
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""


def _refused(problem: Problem) -> ResponseReturnValue:
    what = _(WORDS.get(problem.status, REFUSED))
    return render_template("refused.html", what=what, problem=problem), problem.status


def _away(error: Exception) -> ResponseReturnValue:
    if request.endpoint in table.OWN_PAGES and signed_in.current_person().player:
        return render_template("my_away.html", address=request.path), 503
    what = _(SILENT.get(getattr(error, "service", ""), A_PART_IS_SILENT))
    sent = request.method == "POST"
    return render_template("away.html", what=what, address=request.full_path, sent=sent), 503


def _reload_when_back(answer: Response) -> Response:
    """Reload a page that was waiting for a service once the service responds."""
    if request.headers.get("HX-Trigger") == "look-again" and answer.status_code < 500:
        answer.headers["HX-Refresh"] = "true"
    return answer


def _too_many_keys(error: TooManyGuesses) -> ResponseReturnValue:
    page = render_template("too_many_keys.html", seconds=error.wait)
    return page, 429, {"Retry-After": str(error.wait)}


def _csrf_failed(error: CSRFError) -> ResponseReturnValue:
    what = _("This page was too old, or your browser blocks cookies. Nothing was saved.")
    return render_template("refused.html", what=what, problem=None), 400


def _forbidden(error: Exception) -> ResponseReturnValue:
    return render_template("refused.html", what=_(WORDS[403]), problem=None), 403


def _not_found(error: Exception) -> ResponseReturnValue:
    return render_template("refused.html", what=_(WORDS[404]), why=_(NOT_FOUND), problem=None), 404


def _method_not_allowed(error: MethodNotAllowed) -> ResponseReturnValue:
    """Redirect a GET of a form's address to the page that has the form."""
    path = request.path
    while request.method in ("GET", "HEAD") and path != "/":
        path = path.rstrip("/").rpartition("/")[0] or "/"
        for page in (f"{path.rstrip('/')}/", path):
            if current_app.create_url_adapter(request).test(page, "GET"):  # type: ignore[union-attr]
                return redirect(page)
    page = render_template("refused.html", what=_("Nothing was changed"), why=_(NO_FORM), problem=None)
    return page, 405, error.get_headers()


def _too_large(error: Exception) -> ResponseReturnValue:
    """Say that a form was too large: next to the file, on a page that takes one. A second refusal has no page."""
    if request.endpoint in lists.TAKE_FILES and TOO_LARGE not in g:
        setattr(g, TOO_LARGE, True)
        with suppress(MusterError):  # no service shows the page that has the field
            return cast(ResponseReturnValue, current_app.view_functions[request.endpoint](**(request.view_args or {})))
    what = _("That is more than %(size)s KB. Send it in parts.", size=LARGEST_FORM // 1024)
    return render_template("refused.html", what=what, problem=None), 413
